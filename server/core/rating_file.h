#ifndef IPR_CORE_RATING_FILE_H
#define IPR_CORE_RATING_FILE_H

#include "core/elo_lists.h"
#include "core/ssp.h"

/* The ratings in a spelling file (core/spelling.h; Debian: scid-rating-data), read line by line:
 * the file has 180 MB, and what is kept of it at a time is one person. */

/** One whose ratings are wanted. */
struct ipr_rated {
    uint32_t person;  /* place among the people of the file, from 0 (ipr_spelling_person) */
    const char *name; /* tidied, without mark; until the callback returns, as the rest */
    const struct ipr_elo_ratings *ratings;
    size_t n; /* of them; never 0 */
};

struct ipr_rating_reader {
    const uint32_t *wanted; /* [n_wanted] ascending */
    size_t n_wanted;
    /** Whoever is wanted and has ratings, in the order of the file. */
    enum ipr_code (*take)(void *arg, const struct ipr_rated *rated, struct ipr_err *err);
    /** Something passed over in the ratings of one who is wanted. */
    void (*fault)(void *arg, uint32_t line, uint32_t column, const char *word, const char *why);
    void *arg;
};

/** Reads a file. Errors are those of core/ssp.h and of `take`, and IPR_EDATA "no_ratings" when it
 * has none of anybody. */
IPR_CHECK enum ipr_code ipr_rating_file_read(const char *path, const struct ipr_rating_reader *r,
                                             struct ipr_err *err);

#endif
