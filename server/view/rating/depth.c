/* The model of a player who sees the moves at several depths. */
#include "view/rating/regan.h"

#include <math.h>
#include <stdlib.h>

#include "db/contribution.h"
#include "model/regan_depth.h"
#include "view/json.h"

/* A few seconds on one core; more would keep the answer waiting. */
#define TURNS_MAX 10000

/** Scores of every turn at every depth, as the model wants them; memory from the request. */
static struct ipr_rh_depth_scores *scores_of(const struct ipr_material *m)
{
    struct ipr_arena *mem = m->context->v->mem;
    struct ipr_rh_depth_scores *out = ipr_arena_alloc(mem, m->t->n, sizeof *out);

    for (size_t i = 0; i < m->t->n; i++) {
        const struct ipr_judged_turn *t = &m->t->judged[i];
        const size_t n = (size_t)t->lines * t->depth;
        int16_t *cp = ipr_arena_alloc(mem, n, sizeof *cp);

        for (size_t k = 0; k < n; k++)
            cp[k] = t->score[k] == IPR_SCORE_NONE ? IPR_RH_DEPTH_NONE
                                                  : ipr_contribution_clamp(t->score[k]);
        out[i] = (struct ipr_rh_depth_scores){ t->depth, cp };
    }
    return out;
}

static json_t *weights_json(const struct ipr_rh_depth_fit *fit)
{
    json_t *out = json_array();

    for (unsigned d = 0; d < fit->depths; d++) {
        const bool free = fit->w[d] > 0.0;

        json_array_append_new(
            out, json_pack("{s:i, s:o, s:o}", "depth", (int)d + 1, "weight",
                           ipr_json_num(fit->w[d]), "standard_error",
                           free && fit->se_known ? ipr_json_num(fit->w_se[d]) : json_null()));
    }
    return out;
}

static json_t *fit_json(const struct ipr_rh_depth_fit *fit, struct ipr_provenance *from)
{
    const double se = fit->se_known ? fit->mean_depth_se : NAN;
    const double half = fit->se_known ? ipr_stats_quantile95(fit->games) * se : NAN;
    const struct ipr_estimate result = {
        fit->mean_depth, se, { fit->mean_depth - half, fit->mean_depth + half }, from
    };

    from->turns = fit->turns;
    from->games = fit->games;
    from->iterations = fit->iterations;
    from->converged = true;
    json_t *out = ipr_estimate_json(&result);
    json_t *more = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o}, s:o, s:i, s:i}", "of",
        "mean depth, weighted", "weights", weights_json(fit), "s", ipr_json_num(fit->s), "c",
        ipr_json_num(fit->c), "ln_s_se", fit->se_known ? ipr_json_num(fit->ln_s_se) : json_null(),
        "ln_c_se", fit->se_known ? ipr_json_num(fit->ln_c_se) : json_null(), "log_likelihood",
        ipr_json_num(fit->loglik), "last_depth_alone", "s", ipr_json_num(fit->s_last), "c",
        ipr_json_num(fit->c_last), "log_likelihood", ipr_json_num(fit->loglik_last), "gain",
        ipr_json_num(fit->loglik - fit->loglik_last), "degrees_of_freedom", (int)fit->degrees,
        "starts", (int)fit->starts);

    json_object_update(out, more);
    json_decref(more);
    return out;
}

/**
 * {…view/figure/estimate.h: the mean depth, weighted, "of", "weights": [{"depth", "weight",
 * "standard_error": clustered by game, null for a weight of 0}], "s", "c", "ln_s_se", "ln_c_se",
 * "log_likelihood", "last_depth_alone": {"s", "c", "log_likelihood"}: by maximum likelihood,
 * "gain" of the log likelihood, "degrees_of_freedom": weights it is owed to, "starts"}
 *
 * The calibration gives the window and the rules of the model, no rating: what play at several
 * depths is worth on the Elo scale is not calibrated.
 */
enum ipr_code ipr_rate_depth(const struct ipr_material *m, json_t **out, struct ipr_err *err)
{
    struct ipr_rh_depth_set *set = NULL;
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_rh_depth_fit fit;
    struct ipr_rate_set of;

    enum ipr_code rc = ipr_rate_set_open(m, IPR_METHOD_DEPTH, &of, out, err);
    if (rc != IPR_OK || !of.set)
        return rc;
    ipr_rh_set_free(&of.set); /* the turns that count are what is wanted of it */
    if (of.n > TURNS_MAX) {
        *out = ipr_estimate_refusal(&of.from, "%d turns are fitted at most, there are %zu",
                                    TURNS_MAX, of.n);
        return IPR_OK;
    }
    rc = ipr_rh_depth_set_new(&m->context->calibration->params, m->t->turns, scores_of(m), m->keep,
                              of.n, &set, &why);
    if (rc == IPR_OK)
        rc = ipr_rh_depth_fit(set, &fit, &why);
    ipr_rh_depth_set_free(&set);
    if (rc == IPR_OK)
        *out = fit_json(&fit, &of.from);
    else if (rc == IPR_EDATA || rc == IPR_ENOCONV)
        *out = ipr_estimate_refusal(&of.from, "%s", why.msg);
    else
        return ipr_err_set(err, rc, "%s", why.msg);
    return IPR_OK;
}
