#ifndef IPR_RATE_ROWS_H
#define IPR_RATE_ROWS_H

#include <jansson.h>

#include "rate/games.h"

/* The rows that `intrinsic rate` prints: a rating for each player, or player and event, year or
 * game. */

enum ipr_rate_by { IPR_RATE_BY_PLAYER, IPR_RATE_BY_EVENT, IPR_RATE_BY_YEAR, IPR_RATE_BY_GAME };

/** "player", "event", "year", "game"; NULL after the last. */
extern const char *const ipr_rate_by_names[];

struct ipr_rate_choice {
    enum ipr_rate_by by;
    const char *player; /* NULL: everybody; else names that begin so, whatever case and accents */
};

/**
 * The rows as a JSON array; within an event, a year or a game by the rating's estimate, where there
 * is none by the mean loss of a move. Numbers are those of the service for the same games: `rating`
 * is the figure of that name (view/figure/members.def). Games are summed up. New reference.
 */
json_t *ipr_rate_rows(const struct ipr_rate_games *games, const struct ipr_rate_choice *choice);

/** True if a name is the player's of the choice. */
bool ipr_rate_is_chosen(const struct ipr_rate_choice *choice, const struct ipr_identity *player);

#endif
