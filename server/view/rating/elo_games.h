#ifndef IPR_VIEW_RATING_ELO_GAMES_H
#define IPR_VIEW_RATING_ELO_GAMES_H

#include "db/turns.h"
#include "view/context.h"
#include "view/figure/figure.h"

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
 * are counted, and in no other figure. Games in c->v->mem. */
IPR_CHECK enum ipr_code ipr_elo_games(const struct ipr_view_context *c, int32_t person,
                                      const struct ipr_db_player_turns *t, bool judged_only,
                                      struct ipr_elo_game **games, size_t *n, struct ipr_err *err);

/** The mean of the person's own Elo over the games that were played, each weighted by its judged
 * turns ("turns": all of them) or, where none is judged, all alike ("turns": 0). `what` names the
 * games ("the analysed games"). */
struct ipr_figure_elo_mean ipr_elo_mean(const struct ipr_view_context *c,
                                        const struct ipr_elo_game *games, size_t n,
                                        const char *what);
/** One Elo of the tags or of a list; 0: none is known at the end of a scope. */
struct ipr_figure_elo_mean ipr_elo_at(const struct ipr_view_context *c, int elo, bool listed);

/** What the results of the games that were played say. The expected share has no error of its own,
 * but a range of actual shares around it (model/elo.h); the performance is of all scored games, if
 * every opponent's rating is known. */
struct ipr_figure_results ipr_elo_results(const struct ipr_view_context *c,
                                          const struct ipr_elo_game *games, size_t n);

#endif
