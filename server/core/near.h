#ifndef IPR_CORE_NEAR_H
#define IPR_CORE_NEAR_H

#include "base/mem.h"

/*
 * Names that a search may mean although letters of it are wrong: "aleknie" is two letters from the
 * beginning of "alekhine", "botwinik" one from "botvinnik" as another language writes it. To find
 * names, never to decide who is who.
 */

/** Letters that are wrong, missing, superfluous or in their neighbour's place in a word, so that it
 * is a beginning of another; above `most`: most + 1. Both have at most 63 letters, or it is that.
 */
unsigned ipr_near_beginning(const char *word, const char *other, unsigned most);

/** Wrong letters that a search may have in all. */
#define IPR_NEAR_LETTERS 2

/** A search; NULL where its words are too short or too many for letters of them to be wrong.
 * `folded`: a key without accents (ipr_name_fold). In `mem`. */
struct ipr_near;
const struct ipr_near *ipr_near_make(const char *folded, struct ipr_arena *mem);

/** How the words may begin, as a tsquery: the first letters of a name are seldom wrong. */
const char *ipr_near_beginnings(const struct ipr_near *s);

/**
 * Wrong letters of the search if it means that name, above IPR_NEAR_LETTERS: it does not. One of
 * its words is the beginning of a word of the surname, each other one of any word of the name, but
 * for at most one: a nickname, perhaps. Then `*likely` is the search with the surname in the place
 * of its word, in `mem`; else NULL.
 */
unsigned ipr_near_letters(const struct ipr_near *s, const char *folded, struct ipr_arena *mem,
                          const char **likely);

#endif
