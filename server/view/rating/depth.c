/* The model of a player who sees the moves at several depths. */
#include "view/rating/rate.h"

#include <math.h>
#include <stdlib.h>

#include "core/figures.h"
#include "model/regan_depth.h"

/* A few seconds on one core; more would take too long for a request. */
#define TURNS_MAX 10000

/* Scores of every turn at every depth, in the model's form; memory from the request. */
static struct ipr_rh_depth_scores *depth_scores(const struct ipr_material *m)
{
    struct ipr_arena *mem = m->context->v->mem;
    struct ipr_rh_depth_scores *out = ipr_arena_alloc(mem, m->t->n, sizeof *out);

    for (size_t i = 0; i < m->t->n; i++) {
        const struct ipr_judged_turn *t = &m->t->judged[i];
        const size_t n = (size_t)t->lines * t->depth;
        int16_t *cp = ipr_arena_alloc(mem, n, sizeof *cp);

        for (size_t k = 0; k < n; k++)
            cp[k] =
                t->score[k] == IPR_SCORE_NONE ? IPR_RH_DEPTH_NONE : ipr_figures_clamp(t->score[k]);
        out[i] = (struct ipr_rh_depth_scores){ t->depth, cp };
    }
    return out;
}

static struct ipr_figure_depth_weight *depth_weights(const struct ipr_rh_depth_fit *fit,
                                                     struct ipr_arena *mem)
{
    struct ipr_figure_depth_weight *out = ipr_arena_alloc(mem, fit->depths, sizeof *out);

    for (unsigned d = 0; d < fit->depths; d++)
        out[d] = (struct ipr_figure_depth_weight){
            d + 1, fit->w[d], ipr_number_if(fit->w[d] > 0.0 && fit->se_known, fit->w_se[d])
        };
    return out;
}

static void depth_fill(const struct ipr_rh_depth_fit *fit, struct ipr_provenance *from,
                       struct ipr_figure_depth_weighted *out)
{
    const double se = ipr_number_if(fit->se_known, fit->mean_depth_se);
    const double half = ipr_stats_quantile95(fit->games) * se;

    from->turns = fit->turns;
    from->games = fit->games;
    from->iterations = fit->iterations;
    *out = (struct ipr_figure_depth_weighted){
        .figure = ipr_figure(
            fit->mean_depth, se,
            (struct ipr_interval){ fit->mean_depth - half, fit->mean_depth + half }, from),
        .of = "mean depth, weighted",
        .weights = { depth_weights(fit, from->context->v->mem), fit->depths },
        .s = fit->s,
        .c = fit->c,
        .ln_s_se = ipr_number_if(fit->se_known, fit->ln_s_se),
        .ln_c_se = ipr_number_if(fit->se_known, fit->ln_c_se),
        .log_likelihood = fit->loglik,
        .last_depth_alone = { fit->s_last, fit->c_last, fit->loglik_last },
        .gain = fit->loglik - fit->loglik_last,
        .degrees_of_freedom = fit->degrees,
        .starts = fit->starts,
    };
}

static enum ipr_code depth_fit(const struct ipr_material *m, const struct ipr_rate_turns *t,
                               struct ipr_rh_depth_fit *fit, struct ipr_err *err)
{
    struct ipr_rh_depth_set *set = NULL;

    enum ipr_code rc = ipr_rh_depth_set_new(&m->context->calibration->params, m->t->turns,
                                            depth_scores(m), m->keep, t->n, &set, err);
    if (rc == IPR_OK)
        rc = ipr_rh_depth_fit(set, fit, err);
    ipr_rh_depth_set_free(&set);
    return rc;
}

/* The calibration gives the window and the rules of the model, no rating: the model of several
 * depths has no calibration to the Elo scale. */
enum ipr_code ipr_rate_depth_weighted(const struct ipr_material *m, struct ipr_figure_ratings *out,
                                      struct ipr_err *err)
{
    struct ipr_arena *mem = m->context->v->mem;
    struct ipr_figure_depth_weighted *figure = ipr_shape_new(IPR_SHAPE_DEPTH_WEIGHTED, mem);
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_rh_depth_fit fit;
    struct ipr_rate_set of;

    enum ipr_code rc = ipr_rate_set_open(m, IPR_METHOD_DEPTH_WEIGHTED, &of, err);
    if (rc != IPR_OK)
        return rc;
    ipr_rh_set_free(&of.set); /* only the counted turns are used */
    if (of.t.n > TURNS_MAX)
        of.t.reason =
            ipr_say_reason_most(IPR_REASON_MOST_MOVES,
                                &(struct ipr_reason_most_slots){ TURNS_MAX, (double)of.t.n }, mem);
    if (of.t.reason == NULL)
        rc = ipr_figure_settle(depth_fit(m, &of.t, &fit, &why), &why, mem, &of.t.reason, err);
    if (of.t.reason != NULL)
        figure->figure = ipr_figure_none(&of.t.from, of.t.reason);
    else if (rc == IPR_OK)
        depth_fill(&fit, &of.t.from, figure);
    out->depth_weighted = figure;
    return rc;
}
