/* What the results and the Elo of both players say. */
#include "view/rating/rate.h"

#include "view/rating/elo_games.h"

/**
 * Of the judged games, so that it speaks of the same games as the other ratings: ipr_elo_mean,
 * weighted by turns, with all of ipr_elo_add_results.
 */
enum ipr_code ipr_rate_elo(const struct ipr_material *m, json_t **out, struct ipr_err *err)
{
    struct ipr_elo_game *games = NULL;
    size_t n = 0;

    const enum ipr_code rc =
        ipr_elo_games(m->context, m->scope->person, m->t, true, &games, &n, err);
    if (rc != IPR_OK)
        return rc;
    json_t *elo = ipr_elo_mean(m->context, games, n, "the judged games");

    ipr_elo_add_results(m->context, games, n, elo);
    *out = elo;
    return IPR_OK;
}
