#ifndef IPR_CORE_NAME_SIMILARITY_H
#define IPR_CORE_NAME_SIMILARITY_H

/** How two names are alike, for a person to look at; nothing is ever decided by it. */
enum ipr_similarity {
    IPR_SIMILARITY_NOT,
    IPR_SIMILARITY_SAME,  /* the keys are equal */
    IPR_SIMILARITY_TITLE, /* equal but for a title in front, a federation or year in brackets behind
                           */
    IPR_SIMILARITY_SIGNS, /* the same letters but for accents, dashes, spaces, ä ö ü as ae oe ue */
    IPR_SIMILARITY_ORDER,    /* the same words in another order */
    IPR_SIMILARITY_INITIALS, /* the same surname, initials that fit */
    IPR_SIMILARITY_PREFIX    /* the same surname, given names shortened or left out */
};

/** "same_name", "title", "signs", "order", "initials", "prefix"; "" for _NOT. */
const char *ipr_similarity_name(enum ipr_similarity how);

/**
 * How two keys (core/names.h) are alike; the first that applies, a title and brackets ignored from
 * _SIGNS on. What counts as a surname and which given names fit is as ipr_names_fit says, but for
 * ae, oe, ue and aa, which here are as good as a, o, u and a: "mueller" and "muller". A surname
 * alone is like nothing but itself; so is "".
 */
enum ipr_similarity ipr_name_similarity(const char *a_key, const char *b_key);

#endif
