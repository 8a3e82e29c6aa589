#ifndef IPR_CORE_SPELLING_H
#define IPR_CORE_SPELLING_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"

/*
 * A spelling file in the format of Scid (Debian: scid-spell-data or scid-rating-data,
 * /usr/share/scid/data/spelling.ssp; the rules are in the comments at its top): people by their
 * canonical name, unindented, with alternatives ("   = Fischer, R J") and FIDE ids
 * ("   %Bio FIDEID 1503014") on indented lines below. Only its section @PLAYER is read.
 *
 * Scid corrects to the first of several who fit; here nobody is merged by guess. A name is within
 * a spelling when the surnames have the same letters (core/names.h) and each given name begins
 * the one at its place, so that everything the name says, the spelling says. Who was dead in the
 * year of the game, or not yet four years old, was not at the board. Then
 *   one     all spellings the name is within are one person's: "Kortschnoi, V L" is within
 *           "Kortschnoi, Viktor L" and in no one else's, so it is Korchnoi, Viktor;
 *           or the name is, letter by letter, the canonical name of one person while it could
 *           be short for others or a namesake's. The FIDE id comes with it only when the canonical
 *           name is within nobody else's, in any year;
 *   unsure  several people's, such as "Fischer, R": Robert J and many others; one person's, but
 *           by initials which the file does not spell, and not known to have been 8 to 90 years
 *           old: the file has few of those who played before there were ratings. An alternative is
 *           no exception: "Petrosian, Tigran" stands below Tigran V, but after 1984 he is
 *           another. Also a bare surname, unless it is spelled so in the file, and a name that
 *           says more than the file ("Tolush, Alexander V");
 *   none    nobody's.
 * Marks of namesakes in canonical names ("Fischer, Robert2", "Hou, Yifan b") count for nothing.
 */
struct ipr_spelling;

enum ipr_spelling_fit { IPR_SPELLING_NONE, IPR_SPELLING_ONE, IPR_SPELLING_UNSURE };

struct ipr_spelling_person {
    const char *name; /* canonical, as the file writes it; lives as long as the spelling */
    int32_t fide_id;  /* 0: none, or not certain; one that FIDE has retired still counts */
    int born, died;   /* years; 0: unknown, or alive */
};

/**
 * Reads a spelling file into memory, about 60 bytes a spelling, at most two million. The message
 * names the file and the line.
 *
 * IPR_EIO when it cannot be read or is no regular file; IPR_EPARSE "not_spelling" when it is no
 * such file: binary, no @PLAYER section, no people, a line that ends nowhere or makes no sense;
 * IPR_ELIMIT when it has more names than that.
 */
IPR_CHECK enum ipr_code ipr_spelling_open(const char *path, struct ipr_spelling **out,
                                          struct ipr_err *err);
void ipr_spelling_close(struct ipr_spelling **s); /* NULL is fine; clears */

/** Number of people in the file. */
size_t ipr_spelling_people(const struct ipr_spelling *s);

/** Whose name it is. `key`: normalised (ipr_name_key); `year` of the game, 0 unknown. `out` is set
 * for IPR_SPELLING_ONE. `mem` for scratch. Any number of threads may ask. */
enum ipr_spelling_fit ipr_spelling_find(const struct ipr_spelling *s, const char *key, int year,
                                        struct ipr_arena *mem, struct ipr_spelling_person *out);

/**
 * The people a name may mean, in the order of the file, the first `cap` of them: those
 * ipr_spelling_find weighs, those whose given names fit (ipr_name_given_fit), and for a bare
 * surname all who have it. Returns how many were written.
 */
size_t ipr_spelling_candidates(const struct ipr_spelling *s, const char *key, int year,
                               struct ipr_arena *mem, struct ipr_spelling_person *out, size_t cap);

#endif
