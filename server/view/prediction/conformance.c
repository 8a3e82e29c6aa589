/* Prediction from the share of good moves: A's accumulated conformance predictor. */
#include "view/prediction/predict.h"

#include <math.h>

#include "sentence/sentence.h"
#include "view/json.h"

static struct ipr_figure_accumulated_share accumulated_share(const struct ipr_share *q)
{
    return (
        struct ipr_figure_accumulated_share){ q->share, ipr_number_if(q->clustered_known, q->se),
                                              ipr_interval_if(q->clustered_known, q->clustered) };
}

/* Says what the interval does not include. */
static const char *conformance_note(const struct ipr_acs_params *params)
{
    const bool published = params->alpha == IPR_ACS_ALPHA && params->beta == IPR_ACS_BETA;

    return ipr_say_reason_conformance(published ? IPR_REASON_CONFORMANCE_PUBLISHED
                                                : IPR_REASON_CONFORMANCE_REQUESTED);
}

static struct ipr_acs_params acs_params(const struct ipr_prediction_request *asked)
{
    struct ipr_acs_params p = ipr_acs_default();

    p.alpha = ipr_number_or(asked->alpha, p.alpha);
    p.beta = ipr_number_or(asked->beta, p.beta);
    p.loss.k1 = ipr_number_or(asked->k1, p.loss.k1);
    p.loss.k2 = ipr_number_or(asked->k2, p.loss.k2);
    p.loss.forgetting = ipr_number_or(asked->forgetting, p.loss.forgetting);
    return p;
}

static void conformance_predict_fill(const struct ipr_predict *of,
                                     const struct ipr_acs_params *params,
                                     const struct ipr_acs_prediction *p,
                                     const struct ipr_predict_turns t[2],
                                     struct ipr_figure_prediction *out)
{
    struct ipr_arena *mem = of->context->v->mem;
    struct ipr_figure_accumulated_pair *shares = ipr_arena_alloc(mem, 1, sizeof *shares);

    ipr_predict_interval(p->interval_known, p->se, p->interval,
                         ipr_say_reason_interval(IPR_REASON_INTERVAL_FEW_GAMES), out);
    ipr_predict_basis(of, (size_t[]){ p->q1.trials, p->q2.trials },
                      (size_t[]){ p->q1.games, p->q2.games }, t, out);
    out->as_white = ipr_predict_outcome(of, NAN, NAN, NAN, p->as_white);
    out->as_black = ipr_predict_outcome(of, NAN, NAN, NAN, p->as_black);
    out->turns_in_year = ipr_predict_years(of, t);
    shares->white = accumulated_share(&p->q1);
    shares->black = accumulated_share(&p->q2);
    out->accumulated = shares;
    out->params = ipr_shape_new(IPR_SHAPE_PARAMS, mem);
    out->params->loss = "weighted";
    out->params->threshold = params->threshold;
    out->params->alpha = params->alpha;
    out->params->beta = params->beta;
    out->params->forgetting = ipr_predict_forgetting(params->loss.forgetting);
    out->params->k1 = params->loss.k1;
    out->params->k2 = params->loss.k2;
    out->interval_note = p->interval_known ? conformance_note(params) : NULL;
}

/* Earlier years weigh half as much as the next. */
enum ipr_code ipr_predict_conformance(const struct ipr_predict *p,
                                      struct ipr_figure_prediction *out, struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    const struct ipr_provenance from = { .context = p->context,
                                         .method = IPR_METHOD_CONFORMANCE,
                                         .window = &window,
                                         .converged = true };
    const struct ipr_acs_params params = acs_params(&p->params.asked);
    struct ipr_predict_turns t[2];
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_acs_prediction r;
    const char *reason = NULL;

    if (!ipr_predict_open(p, IPR_METHOD_CONFORMANCE, &window, false, t, out))
        return IPR_OK;
    const struct ipr_acs_player first = { t[0].turns, t[0].keep, t[0].n, p->white->who.year };
    const struct ipr_acs_player second = { t[1].turns, t[1].keep, t[1].n, p->black->who.year };
    const enum ipr_code rc = ipr_figure_settle(ipr_acs_predict(&first, &second, &params, &r, &why),
                                               &why, p->context->v->mem, &reason, err);
    if (rc != IPR_OK)
        return rc;
    if (reason != NULL) {
        ipr_predict_none(p, IPR_METHOD_CONFORMANCE, reason, out);
        return IPR_OK;
    }
    ipr_predict_fill(&from, r.expected, out);
    conformance_predict_fill(p, &params, &r, t, out);
    return IPR_OK;
}
