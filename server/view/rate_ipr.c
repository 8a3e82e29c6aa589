/* The intrinsic performance rating. */
#include "view/rate.h"

#include "model/ipr.h"
#include "view/json.h"

static json_t *fit_json(const struct ipr_rating *r)
{
    return json_pack("{s:o, s:o, s:[o, o, o], s:o, s:o, s:{s:o, s:o}, s:{s:o, s:o}}", "s",
                     ipr_json_num(r->fit.s), "c", ipr_json_num(r->fit.c), "covariance_ln_sc",
                     ipr_json_num(r->fit.cov[0]), ipr_json_num(r->fit.cov[1]),
                     ipr_json_num(r->fit.cov[3]), "ae_ref", ipr_json_num(r->ae), "ae_ref_se",
                     ipr_json_num(r->ae_se), "mm", "projected", ipr_json_num(r->fit.mm_p), "actual",
                     ipr_json_num(r->fit.mm_a), "ad", "projected", ipr_json_num(r->fit.ad_p),
                     "actual", ipr_json_num(r->fit.ad_a));
}

static json_t *rating_json(const struct ipr_rating *r, const struct ipr_calibration *line,
                           struct ipr_provenance *from)
{
    const struct ipr_estimate result = { r->ipr, r->se, r->interval, from };

    from->turns = r->fit.turns;
    from->games = r->fit.games;
    from->iterations = r->fit.iterations;
    from->converged = r->fit.converged;
    json_t *out = ipr_estimate_json(&result);
    json_t *more =
        json_pack("{s:b, s:{s:o, s:o}, s:o}", "extrapolated", r->extrapolated, "calibrated_range",
                  "low", ipr_json_num(line->elo_min), "high", ipr_json_num(line->elo_max),
                  "residual_sd", ipr_json_num(r->calibration_sd));
    json_t *fit = fit_json(r);

    json_object_update(out, more);
    json_object_update(out, fit);
    json_decref(more);
    json_decref(fit);
    return out;
}

/**
 * {…view/estimate.h, "extrapolated", "calibrated_range": {"low", "high"} [Elo], "residual_sd": of
 * the calibration's mileposts around its line [Elo], "s", "c", "covariance_ln_sc": [ss, sc, cc],
 * "ae_ref", "ae_ref_se" [scaled pawns], "mm", "ad": {"projected", "actual"}}
 */
enum ipr_code ipr_rate_ipr(const struct ipr_material *m, json_t **out, struct ipr_err *err)
{
    const struct ipr_view_context *c = m->context;
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };
    struct ipr_window_counts counts = { 0 };
    struct ipr_provenance from = {
        .context = c, .method = IPR_METHOD_MOMENTS, .calibrated = true, .counts = &counts
    };
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_rh_set *set = NULL;
    struct ipr_rating r;

    if (!c->calibration) {
        *out = ipr_estimate_refusal(&from, "%s", c->reason);
        return IPR_OK;
    }
    const size_t n =
        ipr_window_select(&c->calibration->window, m->t->turns, m->t->n, m->keep, &counts);
    from.window = &c->calibration->window;
    from.turns = n;
    if (n < IPR_VIEW_MIN_TURNS) {
        *out = ipr_rate_too_few(&from);
        return IPR_OK;
    }
    enum ipr_code rc = ipr_rh_set_new(&c->calibration->params, m->t->turns, m->keep, n, &set, &why);
    if (rc == IPR_OK)
        rc = ipr_ipr(&c->calibration->line, c->calibration->reference, set, &options, &r, &why);
    ipr_rh_set_free(&set);
    if (rc == IPR_OK)
        *out = rating_json(&r, &c->calibration->line, &from);
    else if (rc == IPR_EDATA || rc == IPR_ENOCONV)
        *out = ipr_estimate_refusal(&from, "%s", why.msg);
    else
        return ipr_err_set(err, rc, "%s", why.msg);
    return IPR_OK;
}
