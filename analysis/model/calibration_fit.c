#include "model/calibration_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/regan_prob.h"
#include "stats/line.h"

/* c regressed on Elo, R section 7: each milepost counts alike. */
static enum ipr_code fit_c_line(struct ipr_milepost *m, size_t n, struct ipr_calibration *cal,
                                struct ipr_err *err)
{
    double *elo = ipr_xcalloc(n, sizeof *elo);
    double *c = ipr_xcalloc(n, sizeof *c);
    struct ipr_line line;
    enum ipr_code rc;

    for (size_t i = 0; i < n; i++) {
        elo[i] = m[i].elo;
        c[i] = m[i].c;
    }
    rc = ipr_stats_line(elo, c, NULL, n, &line, err);
    if (rc == IPR_OK) {
        cal->c_intercept = line.a;
        cal->c_slope = line.b;
        cal->se_c_intercept = line.se_a;
        cal->se_c_slope = line.se_b;
        cal->cov_c = line.cov_ab;
        cal->c_residual_variance = line.residual_variance;
        for (size_t i = 0; i < n; i++)
            m[i].c_fit = line.a + line.b * m[i].elo;
    }
    free(c);
    free(elo);
    return rc;
}

/* Elo regressed on AE_ref, weighted by turns. */
static enum ipr_code fit_elo_line(struct ipr_milepost *m, size_t n, struct ipr_calibration *cal,
                                  struct ipr_err *err)
{
    double *v = ipr_xcalloc(3 * n, sizeof *v);
    struct ipr_line line;
    enum ipr_code rc;

    for (size_t i = 0; i < n; i++) {
        v[i] = m[i].ae_ref;
        v[n + i] = m[i].elo;
        v[2 * n + i] = (double)m[i].turns;
    }
    rc = ipr_stats_line(v, v + n, v + 2 * n, n, &line, err);
    if (rc == IPR_OK) {
        cal->a = line.a;
        cal->b = -line.b;
        cal->residual_variance = line.residual_variance;
        cal->se_a = line.se_a;
        cal->se_b = line.se_b;
        cal->cov_ab = -line.cov_ab; /* b has the other sign */
        for (size_t i = 0; i < n; i++)
            m[i].fitted_elo = line.a + line.b * m[i].ae_ref;
    }
    free(v);
    return rc;
}

enum ipr_code ipr_calibration_line(struct ipr_milepost *m, size_t n,
                                   const struct ipr_rh_set *reference, struct ipr_calibration *out,
                                   struct ipr_err *err)
{
    struct ipr_calibration cal = { .mileposts = n, .elo_min = INFINITY, .elo_max = -INFINITY };
    enum ipr_code rc = IPR_OK;

    if (n < 3)
        return ipr_err_set(
            err, IPR_EDATA,
            "a calibration needs three mileposts at different ratings, there are %zu", n);
    for (size_t i = 0; i < n && rc == IPR_OK; i++) {
        rc = ipr_rh_ae(reference, m[i].s, m[i].c, &m[i].ae_ref, NULL, err);
        cal.turns += m[i].turns;
        cal.elo_min = fmin(cal.elo_min, m[i].elo);
        cal.elo_max = fmax(cal.elo_max, m[i].elo);
    }
    if (rc == IPR_OK)
        rc = fit_c_line(m, n, &cal, err);
    if (rc == IPR_OK)
        rc = fit_elo_line(m, n, &cal, err);
    if (rc == IPR_OK)
        *out = cal;
    return rc;
}

void ipr_calibration_sampling(const struct ipr_milepost *m, size_t n, struct ipr_calibration *line)
{
    double *v = ipr_xcalloc(2 * n, sizeof *v);

    for (size_t i = 0; i < n; i++) {
        v[i] = m[i].ae_ref_se;
        v[n + i] = (double)m[i].turns;
    }
    line->sampling_variance = ipr_stats_line_sampling(line->b, v, v + n, n);
    free(v);
}

double ipr_calibration_excess(const struct ipr_calibration *calibration)
{
    return ipr_stats_line_excess(calibration->residual_variance, calibration->sampling_variance);
}

double ipr_calibration_difference(const struct ipr_calibration *calibration, double difference,
                                  const double half[2])
{
    const struct ipr_calibration *k = calibration;
    const double slope = k->b > 0.0 ? fabs(difference) / k->b * k->se_b : 0.0;

    return ipr_stats_line_half(hypot(half[0], half[1]), slope,
                               sqrt(2.0) * ipr_calibration_excess(k), k->mileposts);
}

struct ipr_calibration_point ipr_calibration_at(const struct ipr_calibration *calibration,
                                                double ae)
{
    const struct ipr_calibration *k = calibration;
    const double t = ipr_stats_quantile95(k->mileposts - 1);
    const double var = k->se_a * k->se_a + ae * ae * k->se_b * k->se_b - 2.0 * ae * k->cov_ab;
    struct ipr_calibration_point at = { .ae = ae,
                                        .elo = k->a - k->b * ae,
                                        .se = sqrt(fmax(0.0, var)) };
    const double further = t * sqrt(at.se * at.se + k->residual_variance);

    at.line = (struct ipr_interval){ at.elo - t * at.se, at.elo + t * at.se };
    at.milepost = (struct ipr_interval){ at.elo - further, at.elo + further };
    return at;
}

enum ipr_code ipr_calibration_fit(const struct ipr_rh_set *const *sets, size_t n,
                                  const struct ipr_rh_set *reference,
                                  const struct ipr_rh_fit_options *options, struct ipr_milepost *m,
                                  struct ipr_calibration *out, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; i < n && rc == IPR_OK; i++) {
        const double elo = m[i].elo;
        struct ipr_err why = IPR_ERR_INIT;

        memset(&m[i], 0, sizeof m[i]);
        m[i].elo = elo;
        rc = ipr_rh_fit(sets[i], options, &m[i].fit, &why);
        if (rc != IPR_OK)
            return ipr_err_set(err, rc, "milepost %.0f: %s", elo, why.msg);
        m[i].s = m[i].fit.s;
        m[i].c = m[i].fit.c;
        m[i].turns = m[i].fit.turns;
        m[i].games = m[i].fit.games;
        rc = ipr_rh_fit_ae(&m[i].fit, reference, &m[i].ae_ref, &m[i].ae_ref_se, err);
    }
    if (rc == IPR_OK)
        rc = ipr_calibration_line(m, n, reference, out, err);
    if (rc == IPR_OK)
        ipr_calibration_sampling(m, n, out);
    for (size_t i = 0; i < n && rc == IPR_OK; i++)
        if (m[i].c_fit >= IPR_RH_C_MIN && m[i].c_fit <= IPR_RH_C_MAX &&
            ipr_rh_fit_s(sets[i], options, m[i].c_fit, &m[i].s_fit, NULL) != IPR_OK)
            m[i].s_fit = 0.0; /* reported as not available */
    return rc;
}
