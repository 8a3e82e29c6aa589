#ifndef IPR_RATE_SCALE_H
#define IPR_RATE_SCALE_H

#include "rate/games.h"

/* The scale that the ratings are made for, and the kinds of games that they are of. */

struct ipr_rate_kinds {
    size_t time[IPR_TIME_CLASSES]; /* games at each class of time control */
    size_t off_scale;              /* with a player rated whose Elo is beyond the scale */
    const char *server;            /* whose ratings, on another scale, are in tags; NULL: none */
};

/** Adds a game; `sides` are rated, bit 0 White, bit 1 Black. */
void ipr_rate_kinds_add(const struct ipr_rate_game *g, unsigned sides,
                        struct ipr_rate_kinds *kinds);

/** The number of pools that the games are in. */
size_t ipr_rate_pools(const struct ipr_rate_games *games);

/** A line for each pool: scale and prior, and the games counted; in the last those left out. */
void ipr_rate_scale_write(const struct ipr_rate_games *games, struct ipr_buf *out);

/** "3 blitz, 2 before 2024-05", nothing if none is left out. */
void ipr_rate_left_out_write(const struct ipr_rate_games *games, struct ipr_buf *out);

/** A line for each pool that names the games for which its scale was not made; nothing if it was
 * for all. */
void ipr_rate_warning_write(const struct ipr_rate_games *games, struct ipr_buf *out);

#endif
