#ifndef IPR_VIEW_PAGE_WORDS_H
#define IPR_VIEW_PAGE_WORDS_H

/* What pages say for the API's keys: every dictionary there is, each of them here alone. */

struct ipr_word {
    const char *key, *text; /* the key of the last is NULL */
};

/** The words of a dictionary in the order pages list them; NULL when there is none of that name. */
const struct ipr_word *ipr_words(const char *dictionary);

/** The text of a key, or the key itself where the dictionary does not have it. */
const char *ipr_words_text(const struct ipr_word *words, const char *key);

#endif
