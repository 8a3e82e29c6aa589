#ifndef IPR_VIEW_RATING_ELO_GAMES_H
#define IPR_VIEW_RATING_ELO_GAMES_H

#include <jansson.h>

#include "db/turns.h"
#include "view/context.h"

/*
 * Games of a person with the Elo of both players when they were played: what the tags of the game
 * say; else the rating on the latest list that is not after the game and at most a year older
 * (db/elo.h); else none.
 */

struct ipr_elo_source {
    int elo;     /* 0: none is known */
    bool listed; /* from a rating list, not from the tags */
};

struct ipr_elo_game {
    const struct ipr_db_player_side *side;
    struct ipr_elo_source own, opponent;
};

/** The sides of a person that count: all, or the judged ones and those that were not played: these
 * are in no figure below, but are told. Games in c->v->mem. */
IPR_CHECK enum ipr_code ipr_elo_games(const struct ipr_view_context *c, int32_t person,
                                      const struct ipr_db_player_turns *t, bool judged_only,
                                      struct ipr_elo_game **games, size_t *n, struct ipr_err *err);

/** How many ratings came from where: {"source": "game tags", "rating list", "both" or null,
 * "from_tags", "from_list"}, added to `figure`. */
void ipr_elo_add_sources(json_t *figure, size_t tags, size_t list);

/** The mean of the person's own Elo over the games that were played, each weighted by its judged
 * turns ("turns": all of them) or, where none is judged, all alike ("turns": 0):
 * {…view/figure/estimate.h without any error, "source", "from_tags", "from_list"}, or a refusal.
 * `what` names the games
 * ("the judged games"). */
json_t *ipr_elo_mean(const struct ipr_view_context *c, const struct ipr_elo_game *games, size_t n,
                     const char *what);

/**
 * What the results of the games that were played say, added to `out`:
 *
 *   "unplayed": {"games", "score", "score_games"}: games without moves, and their points: they are
 *      forfeits, which say nothing of strength, and are in none of the figures,
 *
 *   "opponents": {"mean", "games", "source", "from_tags", "from_list"}, "score" (points),
 *   "score_games",
 *
 *   "expected": {…view/figure/estimate.h: the share of the points expected of the scored games in
 * which both ratings are known; it has no error of its own ("interval_reason"), "score_sd",
 *      "score_interval": by how much actual shares vary around it, and the range that holds 95 % of
 *      them (model/elo.h), "points", "actual" (share), "actual_points", "difference": actual less
 *      expected},
 *
 *   "performance": {…view/figure/estimate.h: of all scored games, if every opponent's rating is
 * known, "bounded": all or nothing was scored, so that a bound is known and no rating: the estimate
 *      is null, the interval has one end and null for the open one, "fide": by FIDE's table}.
 */
void ipr_elo_add_results(const struct ipr_view_context *c, const struct ipr_elo_game *games,
                         size_t n, json_t *out);

#endif
