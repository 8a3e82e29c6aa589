/* The intrinsic performance rating. */
#include <math.h>

#include "view/rating/regan.h"

#include "model/ipr.h"
#include "view/json.h"

/* Sets of fewer games are not resampled: there the sandwich error and the bootstrap may differ. */
#define BOOTSTRAP_GAMES      50
#define BOOTSTRAP_REPLICATES 200
#define BOOTSTRAP_SEED       20110807 /* any number; the same for every set */

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

/** Ways of fitting, by enum ipr_rh_fit_kind. */
static const enum ipr_method methods[] = { [IPR_RH_MOMENTS] = IPR_METHOD_MOMENTS,
                                           [IPR_RH_PERCENTILE] = IPR_METHOD_PERCENTILE,
                                           [IPR_RH_MLE] = IPR_METHOD_MLE,
                                           [IPR_RH_RMLE] = IPR_METHOD_RMLE };

/** One way of fitting, with the rating off its own line, where the calibration has one. */
static json_t *one_fit_json(const struct ipr_calibration_use *use, const struct ipr_rating *r,
                            struct ipr_provenance *from)
{
    const struct ipr_estimate rating = { r->ipr, r->se, r->interval, from };
    const enum ipr_rh_fit_kind kind = r->fit.kind;
    const bool known = use->fits[kind].known;

    from->turns = r->fit.turns;
    from->games = r->fit.games;
    from->iterations = r->fit.iterations;
    from->converged = r->fit.converged;
    json_t *out = known ? ipr_estimate_json(&rating)
                        : ipr_estimate_refusal(from, "the calibration %s has no line of %s fits",
                                               use->name, ipr_method_name(methods[kind]));
    json_t *fitted = fit_json(r);
    json_t *more =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:i}", "extrapolated",
                  known ? json_boolean(r->extrapolated) : json_null(), "ln_s_se",
                  ipr_json_num(sqrt(r->fit.cov[0])), "ln_c_se", ipr_json_num(sqrt(r->fit.cov[3])),
                  "s_score", ipr_json_num(r->fit.s_score), "log_likelihood",
                  ipr_json_num(r->fit.loglik), "starts", (int)r->fit.starts);

    json_object_update(out, fitted);
    json_object_update(out, more);
    json_decref(fitted);
    json_decref(more);
    if (kind == IPR_RH_RMLE)
        json_object_set_new(out, "random_share", ipr_json_num(use->random_share));
    return out;
}

static json_t *no_fit_json(const struct ipr_provenance *from, const char *reason)
{
    json_t *out = ipr_estimate_refusal(from, "%s", reason);

    json_object_set_new(out, "s", json_null());
    json_object_set_new(out, "c", json_null());
    return out;
}

static enum ipr_code fit(const struct ipr_calibration_use *use, const struct ipr_rate_set *of,
                         enum ipr_rh_fit_kind kind, json_t **out, struct ipr_err *err)
{
    const struct ipr_rh_fit_options options = { kind, use->random_share };
    /* Without a line of its own the rating is not told, but the fit is. */
    const struct ipr_calibration *line = use->fits[kind].known ? &use->fits[kind].line : &use->line;
    struct ipr_provenance from = of->from;
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_rating r;

    from.method = methods[kind];
    if (kind == IPR_RH_RMLE && !(use->random_share > 0.0)) {
        *out = no_fit_json(&from, "the calibration states no share of random moves");
        return IPR_OK;
    }
    const enum ipr_code rc = ipr_ipr(line, use->reference, of->set, &options, &r, &why);
    if (rc == IPR_OK)
        *out = one_fit_json(use, &r, &from);
    else if (rc == IPR_EDATA || rc == IPR_ENOCONV)
        *out = no_fit_json(&from, why.msg);
    else
        return ipr_err_set(err, rc, "%s", why.msg);
    return IPR_OK;
}

static enum ipr_code fits_json(const struct ipr_calibration_use *use, const struct ipr_rate_set *of,
                               const struct ipr_rating *moments, json_t **out, struct ipr_err *err)
{
    struct ipr_provenance from = of->from;
    json_t *fits = json_pack("{s:o}", "moments", one_fit_json(use, moments, &from));
    enum ipr_code rc = IPR_OK;

    for (int k = IPR_RH_PERCENTILE; rc == IPR_OK && k <= IPR_RH_RMLE; k++) {
        json_t *one = NULL;

        rc = fit(use, of, (enum ipr_rh_fit_kind)k, &one, err);
        if (rc == IPR_OK)
            json_object_set_new(fits, ipr_method_name(methods[k]), one);
    }
    if (rc == IPR_OK)
        *out = fits;
    else
        json_decref(fits);
    return rc;
}

static json_t *bootstrap_json(const struct ipr_calibration_use *use, const struct ipr_rh_set *set,
                              const struct ipr_rating *r)
{
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_rh_bootstrap b;

    if (r->fit.games < BOOTSTRAP_GAMES)
        return json_pack(
            "{s:n, s:o}", "ae_ref_sd", "reason",
            json_sprintf("%d games are needed, there are %zu", BOOTSTRAP_GAMES, r->fit.games));
    if (ipr_rh_bootstrap(set, &r->fit, use->reference, BOOTSTRAP_REPLICATES, BOOTSTRAP_SEED, &b,
                         &why) != IPR_OK)
        return json_pack("{s:n, s:s}", "ae_ref_sd", "reason", why.msg);
    return json_pack("{s:o, s:o, s:o, s:i, s:i, s:i}", "ae_ref_mean", ipr_json_num(b.ae_mean),
                     "ae_ref_sd", ipr_json_num(b.ae_sd), "standard_error",
                     ipr_json_num(use->line.b * b.ae_sd), "replicates", (int)b.replicates, "failed",
                     (int)b.failed, "seed", BOOTSTRAP_SEED);
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
    json_t *fitted = fit_json(r);

    json_object_update(out, more);
    json_object_update(out, fitted);
    json_decref(more);
    json_decref(fitted);
    return out;
}

static enum ipr_code rated(const struct ipr_material *m, struct ipr_rate_set *of, json_t **out,
                           struct ipr_err *err)
{
    const struct ipr_calibration_use *use = m->context->calibration;
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };
    struct ipr_err why = IPR_ERR_INIT;
    json_t *fits = NULL;
    struct ipr_rating r;

    enum ipr_code rc = ipr_ipr(&use->line, use->reference, of->set, &options, &r, &why);
    if (rc == IPR_EDATA || rc == IPR_ENOCONV) {
        *out = ipr_estimate_refusal(&of->from, "%s", why.msg);
        return IPR_OK;
    }
    if (rc != IPR_OK)
        return ipr_err_set(err, rc, "%s", why.msg);
    if (m->include & IPR_RATE_FITS)
        rc = fits_json(use, of, &r, &fits, err);
    if (rc != IPR_OK)
        return rc;
    *out = rating_json(&r, &use->line, &of->from);
    if (fits)
        json_object_set_new(*out, "fits", fits);
    if (m->include & IPR_RATE_BOOTSTRAP)
        json_object_set_new(*out, "game_bootstrap", bootstrap_json(use, of->set, &r));
    return IPR_OK;
}

/**
 * {…view/figure/estimate.h, "extrapolated", "calibrated_range": {"low", "high"} [Elo],
 * "residual_sd": of the calibration's mileposts around its line [Elo], "s", "c",
 * "covariance_ln_sc": [ss, sc, cc], "ae_ref", "ae_ref_se" [scaled pawns], "mm", "ad": {"projected",
 * "actual"}};
 *
 * when asked for, as these take ten and a hundred times as long, also
 *
 * {"fits": {"moments", "percentile", "mle", "rmle": {…view/figure/estimate.h: the rating off the
 * line of the calibration through mileposts fitted in the same way, null and "reason" where it has
 * none, "extrapolated", the members from "s" on, "ln_s_se", "ln_c_se", "s_score", "log_likelihood",
 * "starts", of rmle "random_share"} or, without a fit, {nulls, "s", "c": null, "reason"}},
 *
 * "game_bootstrap": {"ae_ref_mean", "ae_ref_sd" [scaled pawns], "standard_error" [Elo],
 * "replicates", "failed", "seed"} or {"ae_ref_sd": null, "reason"}}
 */
enum ipr_code ipr_rate_ipr(const struct ipr_material *m, json_t **out, struct ipr_err *err)
{
    struct ipr_rate_set of;

    enum ipr_code rc = ipr_rate_set_open(m, IPR_METHOD_MOMENTS, &of, out, err);
    if (rc == IPR_OK && of.set)
        rc = rated(m, &of, out, err);
    ipr_rh_set_free(&of.set);
    return rc;
}
