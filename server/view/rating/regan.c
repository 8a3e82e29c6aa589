#include "view/rating/regan.h"

enum ipr_code ipr_rate_set_open(const struct ipr_material *m, enum ipr_method method,
                                struct ipr_rate_set *out, struct ipr_err *err)
{
    const struct ipr_calibration_use *use = m->context->calibration;

    out->set = NULL;
    if (use == NULL) {
        out->t = (struct ipr_rate_turns){
            .from = { .context = m->context, .method = method, .calibrated = true },
            .reason = m->context->reason,
        };
        return IPR_OK;
    }
    ipr_rate_select(m, method, use->window, &out->t);
    out->t.from.calibrated = true;
    if (out->t.reason != NULL)
        return IPR_OK;
    return ipr_rh_set_new(&use->params, m->t->turns, m->keep, out->t.n, &out->set, err);
}
