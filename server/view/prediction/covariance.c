/* Prediction from the distributions of the losses: A's covariance predictor. */
#include "sentence/sentence.h"
#include "view/prediction/predict.h"

#include <math.h>

static struct ipr_figure_outcome *covariance_outcome(const struct ipr_predict *of,
                                                     const struct ipr_covariance_prediction *p)
{
    const bool known = p->outcome_known;

    return ipr_predict_outcome(of, ipr_number_if(known, p->win), ipr_number_if(known, p->draw),
                               ipr_number_if(known, p->loss), p->expected);
}

static void covariance_fill(const struct ipr_predict *of, const struct ipr_covariance_prediction *p,
                            const struct ipr_predict_turns t[2], struct ipr_figure_prediction *out)
{
    const struct ipr_covariance_evidence *e1 = &p->player1, *e2 = &p->player2;
    struct ipr_arena *mem = of->context->v->mem;

    ipr_predict_interval(p->interval_known, p->sd, p->interval,
                         ipr_say_reason_interval(p->replicates ? IPR_REASON_INTERVAL_SAME_REPLICATES
                                                               : IPR_REASON_INTERVAL_NO_REPLICATES),
                         out);
    ipr_predict_basis(of, (size_t[]){ e1->turns, e2->turns }, (size_t[]){ e1->games, e2->games }, t,
                      out);
    out->as_white = covariance_outcome(of, p);
    out->as_black = covariance_outcome(of, p);
    out->mean_loss = ipr_arena_alloc(mem, 1, sizeof *out->mean_loss);
    *out->mean_loss = (struct ipr_figure_number_pair){ e1->mean_loss, e2->mean_loss };
    if (of->params.gains.forgetting > 0.0)
        out->turns_in_year = ipr_predict_years(of, t);
    out->clipped = ipr_predict_pair(of, e1->clipped, e2->clipped);
    out->params = ipr_predict_params_covariance(&of->params, of->context->v->mem);
}

/* Losses of the turns kept by a window, in the request's arena, and their weights; those of one
 * year all weigh the same. */
static enum ipr_code covariance_losses(const struct ipr_predict *p,
                                       const struct ipr_predict_turns *t, int year,
                                       struct ipr_covariance_player *out, struct ipr_err *err)
{
    struct ipr_arena *mem = p->context->v->mem;
    struct ipr_gain_turn *gains = ipr_arena_alloc(mem, t->n, sizeof *gains);
    const double forgetting = p->params.gains.forgetting;
    size_t *keep = ipr_arena_alloc(mem, t->n, sizeof *keep), n = 0;
    double *weight = ipr_arena_alloc(mem, t->n, sizeof *weight);

    for (size_t i = 0; i < t->n; i++) {
        weight[n] = ipr_year_weight(t->turns[t->keep[i]].year, year, forgetting);
        if (weight[n] > 0.0)
            keep[n++] = t->keep[i];
    }
    *out = (struct ipr_covariance_player){ gains, n, weight };
    return ipr_gain_turns(&p->params.gains, t->turns, keep, n, gains, err);
}

static enum ipr_code covariance_predict(const struct ipr_predict *p,
                                        const struct ipr_predict_turns t[2],
                                        struct ipr_covariance_prediction *out, struct ipr_err *err)
{
    struct ipr_covariance_player player[2];

    enum ipr_code rc = covariance_losses(p, &t[0], p->white->who.year, &player[0], err);
    if (rc == IPR_OK)
        rc = covariance_losses(p, &t[1], p->black->who.year, &player[1], err);
    if (rc == IPR_OK)
        rc = ipr_covariance_predict(&player[0], &player[1], &p->params.covariance, out, err);
    return rc;
}

/* Uses turns of earlier years only with forgetting, and does not distinguish colours. */
enum ipr_code ipr_predict_covariance(const struct ipr_predict *p, struct ipr_figure_prediction *out,
                                     struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(
        p->params.loss == IPR_PREDICTION_LOSS_GUID_BRATKO ? IPR_WINDOW_GUID_BRATKO
                                                          : IPR_WINDOW_CONFORMANCE);
    const struct ipr_provenance from = {
        .context = p->context, .method = IPR_METHOD_COVARIANCE, .window = &window, .converged = true
    };
    struct ipr_covariance_prediction r;
    struct ipr_predict_turns t[2];
    struct ipr_err why = IPR_ERR_INIT;
    const char *reason = NULL;

    if (!ipr_predict_open(p, IPR_METHOD_COVARIANCE, &window, p->params.gains.forgetting == 0.0, t,
                          out))
        return IPR_OK;
    const enum ipr_code rc = ipr_figure_settle(covariance_predict(p, t, &r, &why), &why,
                                               p->context->v->mem, &reason, err);
    if (rc != IPR_OK)
        return rc;
    if (reason != NULL) {
        ipr_predict_none(p, IPR_METHOD_COVARIANCE, reason, out);
        return IPR_OK;
    }
    ipr_predict_fill(&from, r.expected, out);
    covariance_fill(p, &r, t, out);
    return IPR_OK;
}
