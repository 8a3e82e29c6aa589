#include "view/rating/regan.h"

enum ipr_code ipr_rate_set_open(const struct ipr_material *m, enum ipr_method method,
                                struct ipr_rate_set *out, json_t **refusal, struct ipr_err *err)
{
    const struct ipr_calibration_use *use = m->context->calibration;

    *out = (struct ipr_rate_set){ 0 };
    out->from = (struct ipr_provenance){
        .context = m->context, .method = method, .calibrated = true, .counts = &out->counts
    };
    if (!use) {
        *refusal = ipr_estimate_refusal(&out->from, "%s", m->context->reason);
        return IPR_OK;
    }
    out->n = ipr_window_select(&use->window, m->t->turns, m->t->n, m->keep, &out->counts);
    out->from.window = &use->window;
    out->from.turns = out->n;
    out->from.games = ipr_rate_games(m->t->turns, m->keep, out->n);
    if (out->n < IPR_VIEW_MIN_TURNS) {
        *refusal = ipr_rate_too_few(m, &out->from);
        return IPR_OK;
    }
    return ipr_rh_set_new(&use->params, m->t->turns, m->keep, out->n, &out->set, err);
}
