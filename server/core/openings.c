/* Openings by the code of the Encyclopaedia of Chess Openings (ECO, Chess Informant). */
#include "core/openings.h"

#include <ctype.h>
#include <string.h>

/* The first code of each; it has those up to the next one's. */
static const struct {
    char first[4];
    const char *name;
} openings[] = {
    { "A00", "Irregular openings" },
    { "A01", "Nimzo-Larsen Attack" },
    { "A02", "Bird's Opening" },
    { "A04", "Réti Opening" },
    { "A10", "English Opening" },
    { "A40", "Queen's pawn, irregular replies" },
    { "A43", "Benoni, early" },
    { "A45", "Queen's pawn, Trompowsky Attack and others" },
    { "A50", "Indian Defence, irregular" },
    { "A51", "Budapest Gambit" },
    { "A53", "Old Indian Defence" },
    { "A56", "Benoni Defence" },
    { "A57", "Benko Gambit" },
    { "A60", "Modern Benoni" },
    { "A80", "Dutch Defence" },
    { "B00", "King's pawn, irregular replies" },
    { "B01", "Scandinavian Defence" },
    { "B02", "Alekhine's Defence" },
    { "B06", "Modern Defence" },
    { "B07", "Pirc Defence" },
    { "B10", "Caro-Kann Defence" },
    { "B20", "Sicilian Defence" },
    { "B27", "Sicilian Defence, 2.Nf3" },
    { "B30", "Sicilian Defence, 2…Nc6" },
    { "B40", "Sicilian Defence, 2…e6" },
    { "B50", "Sicilian Defence, 2…d6" },
    { "B60", "Sicilian Defence, Richter-Rauzer" },
    { "B70", "Sicilian Defence, Dragon" },
    { "B80", "Sicilian Defence, Scheveningen" },
    { "B90", "Sicilian Defence, Najdorf" },
    { "C00", "French Defence" },
    { "C20", "King's pawn, open games" },
    { "C23", "Bishop's Opening" },
    { "C25", "Vienna Game" },
    { "C30", "King's Gambit" },
    { "C40", "King's knight, irregular replies" },
    { "C41", "Philidor Defence" },
    { "C42", "Petrov's Defence" },
    { "C44", "Ponziani, Scotch Gambit and others" },
    { "C45", "Scotch Game" },
    { "C46", "Three and Four Knights" },
    { "C50", "Italian Game" },
    { "C51", "Evans Gambit" },
    { "C53", "Giuoco Piano" },
    { "C55", "Two Knights Defence" },
    { "C60", "Ruy Lopez" },
    { "D00", "Queen's pawn, London and others" },
    { "D06", "Queen's Gambit, irregular replies" },
    { "D07", "Chigorin Defence" },
    { "D10", "Slav Defence" },
    { "D20", "Queen's Gambit Accepted" },
    { "D30", "Queen's Gambit Declined" },
    { "D43", "Semi-Slav Defence" },
    { "D50", "Queen's Gambit Declined, 4.Bg5" },
    { "D70", "Grünfeld Defence" },
    { "E00", "Catalan and others" },
    { "E10", "Queen's pawn, Indian with 3.Nf3" },
    { "E12", "Queen's Indian Defence" },
    { "E20", "Nimzo-Indian Defence" },
    { "E60", "King's Indian Defence" },
};

#define OPENINGS (sizeof openings / sizeof *openings)

uint32_t ipr_opening_of(const char *eco)
{
    uint32_t n = 0;

    if (*eco < 'A' || *eco > 'E' || !isdigit((unsigned char)eco[1]) ||
        !isdigit((unsigned char)eco[2]))
        return 0;
    while (n < OPENINGS && strncmp(openings[n].first, eco, 3) <= 0)
        n++;
    return n;
}

const char *ipr_opening_name(uint32_t number)
{
    return openings[number - 1].name;
}
