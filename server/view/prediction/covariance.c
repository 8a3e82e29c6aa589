/* By the distributions of the losses: A's covariance predictor. */
#include "view/prediction/predict.h"

#include <math.h>

#include "view/json.h"

static json_t *outcome_json(const struct ipr_covariance_prediction *p)
{
    if (!p->outcome_known)
        return ipr_predict_expected_only(p->expected);
    return json_pack("{s:o, s:o, s:o, s:o}", "win", ipr_json_num(p->win), "draw",
                     ipr_json_num(p->draw), "loss", ipr_json_num(p->loss), "expected",
                     ipr_json_num(p->expected));
}

static json_t *covariance_json(const struct ipr_predict *of,
                               const struct ipr_covariance_prediction *p,
                               const struct ipr_predict_turns t[2],
                               const struct ipr_provenance *from)
{
    const struct ipr_covariance_evidence *e1 = &p->player1, *e2 = &p->player2;
    const struct ipr_interval unknown = { NAN, NAN };
    const struct ipr_predicted predicted = {
        .expected = p->expected,
        .se = p->interval_known ? p->sd : NAN,
        .interval = p->interval_known ? p->interval : unknown,
        .interval_reason = p->interval_known ? NULL
                           : p->replicates   ? "no replicate differs from another"
                                             : "no replicates were asked for",
        .as_white = outcome_json(p),
        .as_black = outcome_json(p),
        .turns = { e1->turns, e2->turns },
        .games = { e1->games, e2->games },
        .counts = { &t[0].counts, &t[1].counts },
        .from = from,
    };
    json_t *out = ipr_predict_json(&predicted);

    json_object_set_new(out, "mean_loss",
                        json_pack("{s:o, s:o}", "white", ipr_json_num(e1->mean_loss), "black",
                                  ipr_json_num(e2->mean_loss)));
    json_object_set_new(out, "clipped", ipr_predict_both(e1->clipped, e2->clipped));
    json_object_set_new(out, "params", ipr_predict_params_covariance(&of->params));
    return out;
}

/** Losses of what a window kept, in the request's arena. */
static enum ipr_code losses(const struct ipr_predict *p, const struct ipr_predict_turns *t,
                            struct ipr_covariance_player *out, struct ipr_err *err)
{
    struct ipr_gain_turn *gains = ipr_arena_alloc(p->context->v->mem, t->n, sizeof *gains);

    *out = (struct ipr_covariance_player){ gains, t->n };
    return ipr_gain_turns(&p->params.gains, t->turns, t->keep, t->n, gains, err);
}

static enum ipr_code predict(const struct ipr_predict *p, const struct ipr_predict_turns t[2],
                             struct ipr_covariance_prediction *out, struct ipr_err *err)
{
    struct ipr_covariance_player player[2];

    enum ipr_code rc = losses(p, &t[0], &player[0], err);
    if (rc == IPR_OK)
        rc = losses(p, &t[1], &player[1], err);
    if (rc == IPR_OK)
        rc = ipr_covariance_predict(&player[0], &player[1], &p->params.covariance, out, err);
    return rc;
}

/**
 * Adds to a prediction: "mean_loss" [pawns], "clipped" (turns whose loss counts as 10.00):
 * {"white", "black"}. Rests on the turns of the years themselves, nothing earlier, and knows no
 * difference of colours: "as_white" and "as_black" are the same.
 */
enum ipr_code ipr_predict_covariance(const struct ipr_predict *p, json_t **out, struct ipr_err *err)
{
    const struct ipr_window window =
        ipr_window_default(p->params.loss == IPR_PREDICT_LOSS_GUID_BRATKO ? IPR_WINDOW_GUID_BRATKO
                                                                          : IPR_WINDOW_CONFORMANCE);
    const struct ipr_provenance from = {
        .context = p->context, .method = IPR_METHOD_COVARIANCE, .window = &window, .converged = true
    };
    struct ipr_covariance_prediction r;
    struct ipr_err why = IPR_ERR_INIT;

    if (!p->context->judge_id) {
        *out = ipr_predict_refusal(p, IPR_METHOD_COVARIANCE, "%s", p->context->reason);
        return IPR_OK;
    }
    const struct ipr_predict_turns t[2] = { ipr_predict_turns(p, p->white, &window, true),
                                            ipr_predict_turns(p, p->black, &window, true) };
    *out = ipr_predict_few_turns(p, IPR_METHOD_COVARIANCE, t);
    if (*out)
        return IPR_OK;
    const enum ipr_code rc = predict(p, t, &r, &why);
    if (rc != IPR_OK && rc != IPR_EDATA)
        return ipr_err_set(err, rc, "%s", why.msg);
    *out = rc == IPR_EDATA ? ipr_predict_refusal(p, IPR_METHOD_COVARIANCE, "%s", why.msg)
                           : covariance_json(p, &r, t, &from);
    return IPR_OK;
}
