#ifndef IPR_CORE_RATING_FILE_H
#define IPR_CORE_RATING_FILE_H

#include "core/elo_lists.h"
#include "core/ssp.h"

/* The ratings in a spelling file (core/spelling.h; Debian: scid-rating-data), read line by line:
 * the file has 180 MB, and only one person is in memory at a time. */

/** A person selected, with ratings. */
struct ipr_rated {
    uint32_t person;  /* index in the file, from 0 (ipr_spelling_person) */
    const char *name; /* normalised, without mark; valid during the callback, like the rest */
    const struct ipr_elo_ratings *ratings;
    size_t n; /* number of them, never 0 */
};

struct ipr_rating_reader {
    const uint32_t *wanted; /* [n_wanted] ascending */
    size_t n_wanted;
    /** Called for every person selected who has ratings, in the order of the file. */
    enum ipr_code (*take)(void *arg, const struct ipr_rated *rated, struct ipr_err *err);
    /** Called for a rating of a selected person that is skipped. */
    void (*fault)(void *arg, uint32_t line, uint32_t column, const char *word, const char *why);
    void *arg;
};

/** Reads a file. Errors are those of core/ssp.h and of `take`, and IPR_EDATA "no_ratings" when it
 * has none. */
IPR_CHECK enum ipr_code ipr_rating_file_read(const char *path, const struct ipr_rating_reader *r,
                                             struct ipr_err *err);

#endif
