#ifndef IPR_CORE_SPELLING_H
#define IPR_CORE_SPELLING_H

#include <stdbool.h>
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
 * Scid corrects to the first of several who fit; here nobody is merged by guess. A name is
 * somebody's only when
 * - it is, letter by letter, the canonical name or an alternative of exactly one person (case,
 *   accents, punctuation and spaces aside, the surname moved to the front where there is no comma);
 * - it is within nobody else's: a name is within a spelling when the surnames have the same letters
 *   (core/names.h) and each given name begins the one at its place. So "Petrosian, Tigran" is
 *   nobody's, though it stands below Tigran V: it could be short for Tigran L. Initials that the
 *   file does not spell are never anybody's, and neither is "Fischer, R": R J is one of many;
 * - its owner's canonical name is within nobody else's either, and bears no mark of a namesake
 *   ("Filip, Miroslav1", "Hou, Yifan b").
 * What is nobody's stays as it is, whatever the year of the game: the file lists few of those who
 * played before there were ratings, and one name must not be two players.
 *
 * Where the game is tagged with a FIDE id, only the person with that id is weighed: namesakes are
 * told apart by their ids alone.
 */
struct ipr_spelling;

struct ipr_spelling_person {
    const char *name; /* canonical, without mark; lives as long as the spelling */
    int32_t fide_id;  /* 0: none; one that FIDE has retired still counts */
    uint32_t person;  /* its place among the people of the file, from 0 */
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

/** Number of people in the file, for tests. */
size_t ipr_spelling_people(const struct ipr_spelling *s);

/** Whose name it is. `key`: normalised (ipr_name_key); `fide_id` as tagged, 0 none. False when it
 * is nobody's, `out` untouched. `mem` for scratch. Any number of threads may ask. */
bool ipr_spelling_find(const struct ipr_spelling *s, const char *key, int32_t fide_id,
                       struct ipr_arena *mem, struct ipr_spelling_person *out);

/** Whose FIDE id it is, or was. False when it is nobody's, or two people have it. */
bool ipr_spelling_by_id(const struct ipr_spelling *s, int32_t fide_id,
                        struct ipr_spelling_person *out);

#endif
