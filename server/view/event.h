#ifndef IPR_VIEW_EVENT_H
#define IPR_VIEW_EVENT_H

#include <jansson.h>

#include "db/tournaments.h"
#include "model/elo.h"
#include "view/context.h"

/* Tournament reports (view.h): what results and ratings say, and what many comparisons mean. */

/** A player's results in an event, all games of it, judged or not. */
struct ipr_event_score {
    size_t games, scored; /* games; of these with a result */
    size_t judged;        /* by the judge, and their turns */
    size_t turns;
    int half_points;
    double elo; /* mean of the tags, one a game; NaN: none */
    size_t elo_games;
    double opponents; /* the same of the opponents */
    size_t opponent_games;
    bool performed; /* every scored game has the opponent's Elo, and there is one */
    struct ipr_elo_performance performance;
    size_t expected_games;     /* scored ones with both Elo */
    double expected, variance; /* of the score in these, by Elo: sum E, sum E (1 - E) */
};

void ipr_event_score(const struct ipr_db_tournament_player *p, struct ipr_event_score *out);

/** Sets "games", "games_judged", "score", "score_games", "elo", "performance", "expected" of a
 * player's row (view.h). */
void ipr_event_score_json(const struct ipr_view_context *c, const struct ipr_event_score *s,
                          json_t *row);

/** "comparisons" of a report (view.h), from its rows. */
json_t *ipr_event_comparisons(const json_t *players);

#endif
