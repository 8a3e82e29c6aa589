/* Fits of a calibration's mileposts, every kind of them, and the lines through them. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/concordance.h"
#include "model/ipr.h"
#include "model/regan_prob.h"
#include "model/regan_random.h"
#include "view/calibration/parts.h"
#include "view/figure/figure.h"
#include "view/json.h"

static const char *const kinds[] = { "moments", "percentile", "mle", "rmle" };

static double fits_qfit(const struct ipr_rh_set *set, const struct ipr_rh_fit *fit)
{
    struct ipr_rh_aggregates *a = ipr_xcalloc(1, sizeof *a);
    const double q = ipr_rh_aggregates(set, fit->s, fit->c, a, NULL) == IPR_OK ? a->qfit : NAN;

    free(a);
    return q;
}

static json_t *fits_fit_json(const struct ipr_rh_set *set, const struct ipr_milepost *m)
{
    const struct ipr_rh_fit *fit = &m->fit;
    const double unknown = fit->cov_known ? 1.0 : NAN;
    json_t *out =
        json_pack("{s:o, s:o, s:o, s:o}", "s", ipr_calibration_figure(fit->s), "c",
                  ipr_calibration_figure(fit->c), "s_se",
                  ipr_calibration_figure(unknown * fit->s * sqrt(fmax(0.0, fit->cov[0]))), "c_se",
                  ipr_calibration_figure(unknown * fit->c * sqrt(fmax(0.0, fit->cov[3]))));

    json_object_set_new(out, "covariance_ln_sc",
                        json_pack("[o, o, o]", ipr_calibration_figure(unknown * fit->cov[0]),
                                  ipr_calibration_figure(unknown * fit->cov[1]),
                                  ipr_calibration_figure(unknown * fit->cov[3])));
    json_object_set_new(out, "ae_ref", ipr_calibration_figure(m->ae_ref));
    json_object_set_new(out, "ae_ref_se", ipr_calibration_figure(unknown * m->ae_ref_se));
    json_object_set_new(out, "mm", ipr_calibration_compared(fit->mm_p, fit->mm_a));
    json_object_set_new(out, "ad", ipr_calibration_compared(fit->ad_p, fit->ad_a));
    json_object_set_new(out, "percentile_score", ipr_calibration_figure(fit->s_score));
    json_object_set_new(out, "qfit", ipr_calibration_figure(fits_qfit(set, fit)));
    json_object_set_new(out, "log_likelihood", ipr_calibration_figure(fit->loglik));
    json_object_set_new(out, "converged", json_boolean(fit->converged));
    json_object_set_new(out, "iterations", json_integer(fit->iterations));
    json_object_set_new(out, "starts", json_integer(fit->starts));
    json_object_set_new(out, "c_fit", ipr_calibration_figure(m->c_fit));
    json_object_set_new(out, "s_fit", ipr_calibration_figure(m->s_fit > 0.0 ? m->s_fit : NAN));
    return out;
}

static json_t *fits_line_json(const struct ipr_calibration *line)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "a", ipr_calibration_figure(line->a), "a_se",
                     ipr_calibration_figure(line->se_a), "b", ipr_calibration_figure(line->b),
                     "b_se", ipr_calibration_figure(line->se_b), "residual_sd",
                     ipr_calibration_figure(sqrt(fmax(0.0, line->residual_variance))), "c_line",
                     ipr_calibration_c_line(line));
}

/* `fits` of the milepost i, created if missing. */
static json_t *fits_of(json_t *mileposts, size_t i)
{
    json_t *m = json_array_get(mileposts, i);

    if (json_object_get(m, "fits") == NULL)
        json_object_set_new(m, "fits", json_object());
    return json_object_get(m, "fits");
}

static void fits_add_kind(const struct ipr_calibration_sets *p,
                          const struct ipr_rh_fit_options *options, json_t *mileposts,
                          json_t *lines)
{
    const size_t n = p->figures->n;
    const char *name = kinds[options->kind];
    struct ipr_milepost *m = ipr_xcalloc(n, sizeof *m);
    struct ipr_calibration line;
    struct ipr_err err = IPR_ERR_INIT;

    for (size_t i = 0; i < n; i++)
        m[i].elo = p->at[i].elo;
    const enum ipr_code rc = ipr_calibration_fit(p->sets, n, p->reference, options, m, &line, &err);
    for (size_t i = 0; i < n; i++)
        json_object_set_new(fits_of(mileposts, i), name,
                            rc == IPR_OK ? fits_fit_json(p->sets[i], &m[i])
                                         : json_pack("{s:s}", "reason", err.msg));
    json_object_set_new(
        lines, name, rc == IPR_OK ? fits_line_json(&line) : json_pack("{s:s}", "reason", err.msg));
    free(m);
}

void ipr_calibration_add_fits(const struct ipr_calibration_sets *p, double random_share,
                              json_t *mileposts, json_t *record)
{
    json_t *lines = json_object();

    for (int k = IPR_RH_MOMENTS; k <= IPR_RH_RMLE && ipr_calibration_go_on(p); k++)
        fits_add_kind(p,
                      &(struct ipr_rh_fit_options){ .kind = (enum ipr_rh_fit_kind)k,
                                                    .random_share = random_share },
                      mileposts, lines);
    json_object_set_new(record, "lines", lines);
}

double ipr_calibration_add_random(const struct ipr_calibration_sets *p, json_t *record)
{
    struct ipr_rh_random r;
    struct ipr_err err = IPR_ERR_INIT;

    if (ipr_rh_random_share(p->sets, p->figures->n, &r, &err) != IPR_OK) {
        json_object_set_new(
            record, "random_share",
            json_pack("{s:n, s:n, s:s}", "estimate", "interval", "reason", err.msg));
        return 0.0;
    }
    json_object_set_new(
        record, "random_share",
        json_pack(
            "{s:o, s:o, s:o, s:b, s:o, s:I, s:I, s:i}", "estimate", ipr_calibration_figure(r.share),
            "standard_error", ipr_calibration_figure(ipr_number_if(r.se_known, r.se)), "interval",
            ipr_json_interval_if(r.se_known, r.interval), "at_zero", r.at_zero,
            "log_likelihood_gain", ipr_calibration_figure(r.loglik - r.loglik_zero), "turns",
            (json_int_t)r.turns, "games", (json_int_t)r.games, "iterations", (int)r.profiles));
    return ipr_json_at(record, "random_share.estimate", 0.0);
}

static json_t *fits_factors_json(const struct ipr_dependence *d)
{
    return json_pack("{s:o, s:o}", "factor_mm",
                     ipr_calibration_figure(ipr_dependence_factor(d->between_mm, d->total_mm)),
                     "factor_ad",
                     ipr_calibration_figure(ipr_dependence_factor(d->between_ad, d->total_ad)));
}

void ipr_calibration_add_factors(const struct ipr_calibration_sets *p, const struct ipr_milepost *m,
                                 json_t *mileposts, json_t *record)
{
    struct ipr_dependence pooled = { 0 };

    for (size_t i = 0; i < p->figures->n; i++) {
        struct ipr_dependence own = { 0 };

        if (ipr_dependence_add(p->sets[i], m[i].s, m[i].c, &own, NULL) != IPR_OK)
            continue; /* outside the domain: no fit */
        pooled.between_mm += own.between_mm;
        pooled.between_ad += own.between_ad;
        pooled.total_mm += own.total_mm;
        pooled.total_ad += own.total_ad;
        json_object_set_new(json_array_get(mileposts, i), "concordance", fits_factors_json(&own));
    }
    json_object_set_new(record, "concordance", fits_factors_json(&pooled));
}
