#ifndef IPR_RATE_SAVED_H
#define IPR_RATE_SAVED_H

#include "rate/games.h"

/* The file of --save: the analysed games as interchange (docs/interchange.md), a line each, in
 * their order, so that what is there after an interruption is the beginning of what will be. */

struct ipr_rate_saved;

/**
 * Opens or makes the file, and takes the turns of its games, which must be the first ones of
 * `games` that have moves to analyse; a last line that was cut off is removed. `*n` counts them.
 * IPR_EIO; IPR_EPARSE with the line where it is not such a file: nothing of it is changed then.
 */
IPR_CHECK enum ipr_code ipr_rate_saved_open(const char *path, struct ipr_rate_games *games,
                                            struct ipr_rate_saved **out, size_t *n,
                                            struct ipr_err *err);

/** Adds the next game, with its turns. */
IPR_CHECK enum ipr_code ipr_rate_saved_put(struct ipr_rate_saved *s, const struct ipr_rate_game *g,
                                           struct ipr_err *err);

/** All that was added is in the file. */
IPR_CHECK enum ipr_code ipr_rate_saved_close(struct ipr_rate_saved **s, struct ipr_err *err);

#endif
