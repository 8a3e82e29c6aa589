/* Fits of a calibration's mileposts, every kind of them, and the lines through them. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/concordance.h"
#include "model/ipr.h"
#include "model/regan_prob.h"
#include "model/regan_random.h"
#include "view/calibration/parts.h"

static double fits_qfit(const struct ipr_rh_set *set, const struct ipr_rh_fit *fit)
{
    struct ipr_rh_aggregates *a = ipr_xcalloc(1, sizeof *a);
    const double q = ipr_rh_aggregates(set, fit->s, fit->c, a, NULL) == IPR_OK ? a->qfit : NAN;

    free(a);
    return q;
}

static struct ipr_answer_milepost_fit *fits_fit(const struct ipr_rh_set *set,
                                                const struct ipr_milepost *m, struct ipr_arena *mem)
{
    const struct ipr_rh_fit *fit = &m->fit;
    const double unknown = fit->cov_known ? 1.0 : NAN;
    struct ipr_answer_milepost_fit *out = ipr_shape_new(IPR_SHAPE_MILEPOST_FIT, mem);
    double *cov = ipr_arena_alloc(mem, 3, sizeof *cov);

    cov[0] = ipr_calibration_figure(unknown * fit->cov[0]);
    cov[1] = ipr_calibration_figure(unknown * fit->cov[1]);
    cov[2] = ipr_calibration_figure(unknown * fit->cov[3]);
    out->s = ipr_calibration_figure(fit->s);
    out->c = ipr_calibration_figure(fit->c);
    out->s_se = ipr_calibration_figure(unknown * fit->s * sqrt(fmax(0.0, fit->cov[0])));
    out->c_se = ipr_calibration_figure(unknown * fit->c * sqrt(fmax(0.0, fit->cov[3])));
    out->covariance_ln_sc = (struct ipr_list_number){ cov, 3 };
    out->ae_ref = ipr_calibration_figure(m->ae_ref);
    out->ae_ref_se = ipr_calibration_figure(unknown * m->ae_ref_se);
    out->mm = ipr_calibration_compared(fit->mm_p, fit->mm_a, mem);
    out->ad = ipr_calibration_compared(fit->ad_p, fit->ad_a, mem);
    out->percentile_score = ipr_calibration_figure(fit->s_score);
    out->qfit = ipr_calibration_figure(fits_qfit(set, fit));
    out->log_likelihood = ipr_calibration_figure(fit->loglik);
    out->converged = fit->converged;
    out->iterations = fit->iterations;
    out->starts = fit->starts;
    out->c_fit = ipr_calibration_figure(m->c_fit);
    out->s_fit = ipr_calibration_figure(m->s_fit > 0.0 ? m->s_fit : NAN);
    return out;
}

static void fits_line(const struct ipr_calibration *line, struct ipr_arena *mem,
                      struct ipr_answer_fit_line *out)
{
    const struct ipr_answer_c_line c = ipr_calibration_c_line(line);

    out->a = ipr_calibration_figure(line->a);
    out->a_se = ipr_calibration_figure(line->se_a);
    out->b = ipr_calibration_figure(line->b);
    out->b_se = ipr_calibration_figure(line->se_b);
    out->residual_sd = ipr_calibration_figure(sqrt(fmax(0.0, line->residual_variance)));
    out->c_line = ipr_shape_copy(IPR_SHAPE_C_LINE, &c, mem);
}

static void fits_add_kind(const struct ipr_calibration_sets *p,
                          const struct ipr_rh_fit_options *options,
                          struct ipr_answer_calibration_made *record)
{
    const size_t n = p->figures->n;
    struct ipr_milepost *m = ipr_xcalloc(n, sizeof *m);
    struct ipr_answer_fit_line *own = ipr_shape_new(IPR_SHAPE_FIT_LINE, p->mem);
    struct ipr_calibration line;
    struct ipr_err err = IPR_ERR_INIT;

    for (size_t i = 0; i < n; i++)
        m[i].elo = p->at[i].elo;
    const enum ipr_code rc = ipr_calibration_fit(p->sets, n, p->reference, options, m, &line, &err);
    const char *const reason = rc == IPR_OK ? NULL : ipr_arena_printf(p->mem, "%s", err.msg);
    for (size_t i = 0; i < n; i++) {
        struct ipr_answer_milepost_fit *fit = rc == IPR_OK
                                                  ? fits_fit(p->sets[i], &m[i], p->mem)
                                                  : ipr_shape_new(IPR_SHAPE_MILEPOST_FIT, p->mem);

        fit->reason = reason;
        *ipr_calibration_fit_at(record->mileposts.at[i].fits, options->kind) = fit;
    }
    if (rc == IPR_OK)
        fits_line(&line, p->mem, own);
    own->reason = reason;
    *ipr_calibration_line_at(record->lines, options->kind) = own;
    free(m);
}

void ipr_calibration_add_fits(const struct ipr_calibration_sets *p, double random_share,
                              struct ipr_answer_calibration_made *record)
{
    record->lines = ipr_shape_new(IPR_SHAPE_FIT_LINES, p->mem);
    for (size_t i = 0; i < record->mileposts.n; i++)
        record->mileposts.at[i].fits = ipr_shape_new(IPR_SHAPE_MILEPOST_FITS, p->mem);
    for (int k = IPR_RH_MOMENTS; k <= IPR_RH_RMLE && ipr_calibration_go_on(p); k++)
        fits_add_kind(p,
                      &(struct ipr_rh_fit_options){ .kind = (enum ipr_rh_fit_kind)k,
                                                    .random_share = random_share },
                      record);
}

double ipr_calibration_add_random(const struct ipr_calibration_sets *p,
                                  struct ipr_answer_calibration_made *record)
{
    struct ipr_answer_random_share *out = ipr_shape_new(IPR_SHAPE_RANDOM_SHARE, p->mem);
    struct ipr_rh_random r;
    struct ipr_err err = IPR_ERR_INIT;

    record->random_share = out;
    if (ipr_rh_random_share(p->sets, p->figures->n, &r, &err) != IPR_OK) {
        out->reason = ipr_arena_printf(p->mem, "%s", err.msg);
        return 0.0;
    }
    out->estimate = ipr_calibration_figure(r.share);
    if (r.se_known) {
        out->standard_error = ipr_calibration_figure(r.se);
        out->interval = r.interval;
    }
    out->at_zero = r.at_zero;
    out->log_likelihood_gain = ipr_calibration_figure(r.loglik - r.loglik_zero);
    out->turns = (int64_t)r.turns;
    out->games = (int64_t)r.games;
    out->iterations = (int64_t)r.profiles;
    return isfinite(out->estimate) ? out->estimate : 0.0;
}

static struct ipr_answer_factors *fits_factors(const struct ipr_dependence *d,
                                               struct ipr_arena *mem)
{
    struct ipr_answer_factors *out = ipr_shape_new(IPR_SHAPE_FACTORS, mem);

    out->factor_mm = ipr_calibration_figure(ipr_dependence_factor(d->between_mm, d->total_mm));
    out->factor_ad = ipr_calibration_figure(ipr_dependence_factor(d->between_ad, d->total_ad));
    return out;
}

void ipr_calibration_add_factors(const struct ipr_calibration_sets *p, const struct ipr_milepost *m,
                                 struct ipr_answer_calibration_made *record)
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
        record->mileposts.at[i].concordance = fits_factors(&own, p->mem);
    }
    record->concordance = fits_factors(&pooled, p->mem);
}
