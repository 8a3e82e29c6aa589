/* Openings by the code of the Encyclopaedia of Chess Openings (ECO, Chess Informant). */
#include "core/openings.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "chess/san.h"

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

/* ---- by the moves ---- */

static const struct {
    char eco[4];
    const char *moves;
} lines[] = {
#include "core/openings.inc"
};

#define SLOTS 8192 /* more than twice as many as lines */

/* The positions after these, hashed by their keys. */
static struct {
    uint64_t key;
    const char *eco;
} known[SLOTS];
static size_t longest; /* half-moves of a line */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static size_t known_slot(uint64_t key)
{
    size_t i = key % SLOTS;

    while (known[i].eco != NULL && known[i].key != key)
        i = (i + 1) % SLOTS;
    return i;
}

static void lines_read(void)
{
    struct ipr_err err;

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct ipr_pos pos;
        size_t ply = 0;

        ipr_pos_start(&pos);
        for (const char *at = lines[i].moves; *at != '\0'; at += strspn(at, " "), ply++) {
            const struct ipr_str san = { at, strcspn(at, " ") };
            ipr_move move;

            if (ipr_san_read(&pos, san, &move, &err) != IPR_OK)
                abort(); /* the lines are part of the program */
            ipr_pos_play(&pos, move);
            at += san.n;
        }
        longest = ply > longest ? ply : longest;
        known[known_slot(pos.key)].key = pos.key;
        known[known_slot(pos.key)].eco = lines[i].eco;
    }
}

const char *ipr_opening_code(const struct ipr_pos *start, const ipr_move *moves, size_t n)
{
    const char *eco = NULL;
    struct ipr_pos pos = *start;

    pthread_once(&once, lines_read);
    for (size_t i = 0; i < n && i < longest; i++) {
        ipr_pos_play(&pos, moves[i]);
        const char *const here = known[known_slot(pos.key)].eco;

        eco = here != NULL ? here : eco;
    }
    return eco;
}

/* ---- by the code ---- */

struct ipr_opening ipr_opening_of(struct ipr_str eco, const struct ipr_pos *start,
                                  const ipr_move *moves, size_t n)
{
    const bool tagged = eco.n >= 3 && *eco.p >= 'A' && *eco.p <= 'E' &&
                        isdigit((unsigned char)eco.p[1]) && isdigit((unsigned char)eco.p[2]);
    const char *const code = tagged ? eco.p : ipr_opening_code(start, moves, n);
    struct ipr_opening out = { .number = 0 };

    if (code == NULL)
        return out;
    memcpy(out.eco, code, 3);
    while (out.number < OPENINGS && strcmp(openings[out.number].first, out.eco) <= 0)
        out.number++;
    return out;
}

const char *ipr_opening_name(uint32_t number)
{
    return number > 0 ? openings[number - 1].name : NULL;
}

const char *ipr_opening_codes(uint32_t number, struct ipr_arena *mem)
{
    if (number == 0)
        return NULL;
    const char *const first = openings[number - 1].first;
    const char *const next = number < OPENINGS ? openings[number].first : "F00";
    const int digits = (next[1] - '0') * 10 + next[2] - '0';
    const char *const last =
        ipr_arena_printf(mem, "%c%02d", digits > 0 ? next[0] : next[0] - 1, (digits + 99) % 100);

    return strcmp(first, last) == 0 ? first : ipr_arena_printf(mem, "%s–%s", first, last);
}
