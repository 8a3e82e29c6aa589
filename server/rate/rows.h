#ifndef IPR_RATE_ROWS_H
#define IPR_RATE_ROWS_H

#include <jansson.h>

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

/** How many games of each class of time control. New reference. */
json_t *ipr_rate_times_json(const size_t n[IPR_TIME_CLASSES]);

#endif
