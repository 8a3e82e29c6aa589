#ifndef IPR_CORE_SPELLING_H
#define IPR_CORE_SPELLING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"

/*
 * A spelling file in the format of Scid (Debian: scid-spell-data or scid-rating-data,
 * /usr/share/scid/data/spelling.ssp; the rules are in the comments at its top): people by their
 * canonical name, unindented, with alternatives ("   = Fischer, R J") and FIDE ids
 * ("   %Bio FIDEID 1503014") on indented lines below. Only its section @PLAYER is read.
 *
 * Scid corrects to the first of several that fit; here players are never merged by guess. A name is
 * identified only when
 * - it has exactly the letters of the canonical name or an alternative of one person only (case,
 *   accents, punctuation and spaces aside, the surname moved to the front where there is no comma);
 * - it is a short form of nobody else's: the surnames have the same letters (core/names.h) and each
 *   given name is a prefix of the one in its place. So "Petrosian, Tigran" is ambiguous, though it
 *   is listed below Tigran V: it could be short for Tigran L. Initials that are not in the file are
 *   never identified, and neither is "Fischer, R": R J is one of many;
 * - the canonical name of its person is no short form of anybody else's either, and has no mark of
 *   a namesake ("Filip, Miroslav1", "Hou, Yifan b").
 * Other names are unchanged, whatever the year of the game: the file lists few players from before
 * there were ratings, and one name must not be two players.
 *
 * If the game has a FIDE id, only the person with that id is considered: namesakes are
 * distinguished by their ids alone.
 */
struct ipr_spelling;

struct ipr_spelling_person {
    const char *name; /* canonical, without mark; lives as long as the spelling */
    int32_t fide_id;  /* 0: none; one retired by FIDE counts */
    uint32_t person;  /* index among the persons of the file, from 0 */
    int born;         /* year; 0: unknown */
};

/**
 * Reads a spelling file into memory, about 60 bytes a spelling, at most two million. The message
 * names the file and the line.
 *
 * IPR_EIO when it cannot be read or is no regular file; IPR_EPARSE "not_spelling" when it is no
 * such file: binary, no @PLAYER section, no names, a line that is cut off or malformed; IPR_ELIMIT
 * when it has more names than that.
 */
IPR_CHECK enum ipr_code ipr_spelling_open(const char *path, struct ipr_spelling **out,
                                          struct ipr_err *err);
void ipr_spelling_close(struct ipr_spelling **s); /* accepts NULL; clears */

/** The person that a name identifies. `key`: normalised (ipr_name_key); `fide_id` as tagged, 0
 * none. False when there is none or several; `out` is then unchanged. `mem` for scratch.
 * Thread-safe. */
bool ipr_spelling_find(const struct ipr_spelling *s, const char *key, int32_t fide_id,
                       struct ipr_arena *mem, struct ipr_spelling_person *out);

/** The only person of the file that a name can mean, as the whole name or a short form ("Kramnik,
 * V"), among those who can have played from `first` to `last` (0: any): born at least four years
 * before, and not dead, as far as dates are known. With a FIDE id it is the person with that id. A
 * surname alone identifies nobody. An editor has to review the result, since the file does not list
 * every player. Otherwise as ipr_spelling_find. */
bool ipr_spelling_alive(const struct ipr_spelling *s, const char *key, int32_t fide_id, int first,
                        int last, struct ipr_arena *mem, struct ipr_spelling_person *out);

/** The person that has or had a FIDE id. False when there is none, or two. */
bool ipr_spelling_by_id(const struct ipr_spelling *s, int32_t fide_id,
                        struct ipr_spelling_person *out);

#endif
