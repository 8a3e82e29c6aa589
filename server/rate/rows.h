#ifndef IPR_RATE_ROWS_H
#define IPR_RATE_ROWS_H

#include <jansson.h>

#include "db/strength.h"
#include "rate/games.h"

/* The rows that `intrinsic rate` prints: a rating for each player, or player and event, year, month
 * or game. */

/** "player", "event", "year", "month", "game"; NULL after the last. */
extern const char *const ipr_rate_by_names[];

/**
 * The rows as a JSON array; within an event, a year, a month or a game by the rating's estimate,
 * where there is none by the mean loss of a move. Numbers are those of the service for the same
 * games: `rating` is the figure of that name (view/figure/members.def). Games are summed up. New
 * reference.
 */
json_t *ipr_rate_rows(const struct ipr_rate_games *games);

/** One side of a game. */
struct ipr_rate_side {
    const struct ipr_rate_game *game;
    int colour;
};

const struct ipr_identity *ipr_rate_player(const struct ipr_rate_side *s);

/** The sides of the player with most games of one pool against others, in the order of the games;
 * to be freed. *itself: games of players with themselves. */
struct ipr_rate_side *ipr_rate_most(const struct ipr_rate_games *games, size_t *n, size_t *itself);

/** Sums over sides of one player in one pool, for a rating. */
struct ipr_db_strength ipr_rate_sums(const struct ipr_rate_side *side, size_t n);

/** The reason why games of another engine setting have no rating. */
const char *ipr_rate_uncalibrated(struct ipr_arena *mem);

/** How many games of each class of time control. New reference. */
json_t *ipr_rate_times_json(const size_t n[IPR_TIME_CLASSES]);

#endif
