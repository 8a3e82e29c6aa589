/* Ratings by method. */
#include <stdlib.h>

#include "view/rating/rate.h"

static const struct {
    unsigned bit;
    ipr_rate_fn *rate;
    size_t at;
} ratings[] = {
    IPR_RATING_ROWS,
};

#define RATINGS (sizeof ratings / sizeof *ratings)

unsigned ipr_rate_missing(const struct ipr_figure_ratings *r, unsigned wanted)
{
    for (size_t i = 0; i < RATINGS; i++)
        if (*(void *const *)((const char *)r + ratings[i].at) != NULL)
            wanted &= ~ratings[i].bit;
    return wanted;
}

enum ipr_code ipr_rate_material(const struct ipr_material *m, struct ipr_figure_ratings *out,
                                struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    out->turns = m->t->n;
    out->games = (size_t)m->t->games;
    for (size_t i = 0; rc == IPR_OK && i < RATINGS; i++)
        if ((m->wanted & ratings[i].bit) != 0)
            rc = ratings[i].rate(m, out, err);
    return rc;
}

enum ipr_code ipr_rate(const struct ipr_view_context *c, const struct ipr_db_scope *scope,
                       unsigned wanted, struct ipr_figure_ratings *out, struct ipr_err *err)
{
    struct ipr_db_player_turns t = { 0 };

    enum ipr_code rc = ipr_db_player_turns(c->v->db, scope, c->judge_id, c->v->mem, &t, err);
    if (rc != IPR_OK)
        return rc;
    size_t *keep = ipr_xcalloc(t.n ? t.n : 1, sizeof *keep);
    const struct ipr_material m = { c, scope, &t, keep, wanted, false };

    rc = ipr_rate_material(&m, out, err);
    free(keep);
    return rc;
}

enum ipr_code ipr_rate_beside(const struct ipr_view_context *c, const struct ipr_db_scope *scope,
                              bool opponents, struct ipr_figure_ratings *all, struct ipr_err *err)
{
    const struct ipr_material m = { .context = c, .scope = scope, .opponents = opponents };

    enum ipr_code rc = ipr_rate_strength(&m, all, err);
    if (rc == IPR_OK)
        rc = ipr_rate_accumulated(&m, all, err);
    return rc == IPR_OK ? ipr_rate_endgame(&m, all, err) : rc;
}
