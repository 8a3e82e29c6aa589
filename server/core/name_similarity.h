#ifndef IPR_CORE_NAME_SIMILARITY_H
#define IPR_CORE_NAME_SIMILARITY_H

#include <stdbool.h>

/** In which way two names are similar, for review by a person; nothing is decided by it. */
enum ipr_similarity {
    IPR_SIMILARITY_NOT,
    IPR_SIMILARITY_SAME,  /* the keys are equal */
    IPR_SIMILARITY_TITLE, /* equal except for a title before, a federation or year in brackets after
                           */
    IPR_SIMILARITY_SIGNS, /* the same letters except for accents, dashes, spaces, ä ö ü as ae oe ue
                           */
    IPR_SIMILARITY_ORDER,    /* the same words in another order */
    IPR_SIMILARITY_INITIALS, /* the same surname, initials that fit */
    IPR_SIMILARITY_PREFIX    /* the same surname, given names shortened or omitted */
};

/** "same_name", "title", "signs", "order", "initials", "prefix"; "" for _NOT. */
const char *ipr_similarity_name(enum ipr_similarity how);

/** In which way two keys (core/names.h) are similar: the first that applies, ignoring title and
 * brackets from _SIGNS on. Surnames and given names are compared as by ipr_names_fit, except that
 * ae, oe, ue and aa equal a, o, u and a: "mueller" and "muller". A surname alone is similar only to
 * itself; so is "".
 */
enum ipr_similarity ipr_name_similarity(const char *a_key, const char *b_key);

/** True if two keys can hardly be one person, whatever else says so: in letters without accents
 * both have a word of two letters, and no such word of one begins as one of the other does, in four
 * letters or all of the shorter one, or is one with a letter or two wrong. */
bool ipr_names_apart(const char *a_key, const char *b_key);

#endif
