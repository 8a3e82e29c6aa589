/* By the share of good moves: A's accumulated conformance predictor. */
#include "view/prediction/predict.h"

#include <math.h>

#include "view/json.h"

static json_t *accumulated_json(const struct ipr_share *q)
{
    return json_pack("{s:o, s:o, s:o}", "share", ipr_json_num(q->share), "standard_error",
                     q->clustered_known ? ipr_json_num(q->se) : json_null(), "interval",
                     q->clustered_known ? ipr_json_interval(q->clustered) : json_null());
}

/** What the interval does not know of. */
static const char *interval_note(const struct ipr_acs_params *params)
{
    const bool published = params->alpha == IPR_ACS_ALPHA && params->beta == IPR_ACS_BETA;

    return published ? "The interval takes alpha and beta as exact, which are Alliot's, fitted to "
                       "the evaluations of another engine: it is of the shares alone."
                     : "The interval takes alpha and beta as exact, as they were asked for: it is "
                       "of the shares alone.";
}

static json_t *conformance_json(const struct ipr_predict *of, const struct ipr_acs_prediction *p,
                                const struct ipr_predict_turns t[2],
                                const struct ipr_provenance *from)
{
    const struct ipr_interval unknown = { NAN, NAN };
    const struct ipr_predicted predicted = {
        .expected = p->expected,
        .se = p->interval_known ? p->se : NAN,
        .interval = p->interval_known ? p->interval : unknown,
        .interval_reason = p->interval_known ? NULL : "too few games for an error of the shares",
        .as_white = ipr_predict_expected_only(p->as_white),
        .as_black = ipr_predict_expected_only(p->as_black),
        .turns = { p->q1.trials, p->q2.trials },
        .games = { p->q1.games, p->q2.games },
        .counts = { &t[0].counts, &t[1].counts },
        .from = from,
    };
    json_t *out = ipr_predict_json(&predicted);

    json_object_set_new(
        out, "turns_in_year",
        ipr_predict_both(t[0].of_year[0] + t[0].of_year[1], t[1].of_year[0] + t[1].of_year[1]));
    json_object_set_new(out, "accumulated",
                        json_pack("{s:o, s:o}", "white", accumulated_json(&p->q1), "black",
                                  accumulated_json(&p->q2)));
    json_object_set_new(out, "params", ipr_predict_params_conformance(&of->params));
    if (p->interval_known)
        json_object_set_new(out, "interval_note",
                            json_string(interval_note(&of->params.conformance)));
    return out;
}

/**
 * Adds to a prediction: "turns_in_year", "accumulated": {"white", "black"}: {"share",
 * "standard_error", "interval"} of the moves that lost no more than the threshold, earlier years
 * weighing half as much as the next; beside an interval "interval_note": what it takes as exact.
 */
enum ipr_code ipr_predict_conformance(const struct ipr_predict *p, json_t **out,
                                      struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    const struct ipr_provenance from = { .context = p->context,
                                         .method = IPR_METHOD_CONFORMANCE,
                                         .window = &window,
                                         .converged = true };
    struct ipr_acs_prediction r;
    struct ipr_err why = IPR_ERR_INIT;

    if (!p->context->judge_id) {
        *out = ipr_predict_refusal(p, IPR_METHOD_CONFORMANCE, "%s", p->context->reason);
        return IPR_OK;
    }
    const struct ipr_predict_turns t[2] = { ipr_predict_turns(p, p->white, &window, false),
                                            ipr_predict_turns(p, p->black, &window, false) };
    *out = ipr_predict_few_turns(p, IPR_METHOD_CONFORMANCE, t);
    if (*out)
        return IPR_OK;
    const struct ipr_acs_player first = { t[0].turns, t[0].keep, t[0].n, p->white->who.year };
    const struct ipr_acs_player second = { t[1].turns, t[1].keep, t[1].n, p->black->who.year };
    const enum ipr_code rc = ipr_acs_predict(&first, &second, &p->params.conformance, &r, &why);
    if (rc != IPR_OK && rc != IPR_EDATA)
        return ipr_err_set(err, rc, "%s", why.msg);
    *out = rc == IPR_EDATA ? ipr_predict_refusal(p, IPR_METHOD_CONFORMANCE, "%s", why.msg)
                           : conformance_json(p, &r, t, &from);
    return IPR_OK;
}
