#ifndef IPR_CORE_TRANSLITERATION_H
#define IPR_CORE_TRANSLITERATION_H

#include <stddef.h>

#include "base/mem.h"

/*
 * How languages write what another alphabet has: "Aljechin" of German is "Alekhine" of French and
 * English, "Kortschnoj" is "Korchnoi", "Spasski" is "Spassky". A word is cut into graphemes, the
 * longest first; each kind of them may be written in another way, the same wherever it occurs. To
 * find names, never to decide who is who.
 */

#define IPR_TRANSLITERATIONS_MAX 400

/** Other ways to write a word of small letters (a to z), without itself: those with fewest and most
 * usual changes first, up to four. None of a word of fewer than four or more than 20 letters. */
size_t ipr_transliterations(const char *word, struct ipr_arena *mem,
                            const char *out[IPR_TRANSLITERATIONS_MAX]);

/** Those of each word of a folded name (core/names.h), as the query player_list takes them:
 * "word>other>other", a space between words. "" where a name has more than four words. */
const char *ipr_transliterations_of_name(const char *folded, struct ipr_arena *mem);

#endif
