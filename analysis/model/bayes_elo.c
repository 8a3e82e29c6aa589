/* The reference agent's c on the Elo scale. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/bayes.h"

enum ipr_code ipr_bayes_calibrate(const struct ipr_bayes_milepost *m, size_t n,
                                  struct ipr_bayes_calibration *out, struct ipr_err *err)
{
    struct ipr_bayes_calibration cal = { .elo_min = INFINITY,
                                         .elo_max = -INFINITY,
                                         .mileposts = n };
    double *v;
    enum ipr_code rc = IPR_OK;

    if (n < 3)
        return ipr_err_set(
            err, IPR_EDATA,
            "a calibration needs three mileposts at different ratings, there are %zu", n);
    v = ipr_xcalloc(4 * n, sizeof *v);
    for (size_t i = 0; i < n && rc == IPR_OK; i++) {
        if (!isfinite(m[i].elo) || !isfinite(m[i].mean))
            rc = ipr_err_set(err, IPR_EINVAL, "bayes: milepost elo=%g c=%g", m[i].elo, m[i].mean);
        v[i] = m[i].mean;
        v[n + i] = m[i].elo;
        v[2 * n + i] = (double)m[i].events;
        v[3 * n + i] = m[i].se;
        cal.events += m[i].events;
        cal.elo_min = fmin(cal.elo_min, m[i].elo);
        cal.elo_max = fmax(cal.elo_max, m[i].elo);
    }
    if (rc == IPR_OK)
        rc = ipr_stats_line(v, v + n, v + 2 * n, n, &cal.line, err);
    if (rc == IPR_OK)
        cal.sampling_variance = ipr_stats_line_sampling(cal.line.b, v + 3 * n, v + 2 * n, n);
    free(v);
    if (rc == IPR_OK && !(cal.line.b > 0.0))
        rc = ipr_err_set(err, IPR_EDATA, "the mileposts' c does not rise with their rating");
    if (rc == IPR_OK)
        *out = cal;
    return rc;
}

struct ipr_bayes_elo ipr_bayes_elo(const struct ipr_bayes_calibration *calibration,
                                   const struct ipr_bayes_posterior *posterior)
{
    const struct ipr_line *l = &calibration->line;
    const double c = posterior->mean;
    const double line = l->se_a * l->se_a + 2.0 * c * l->cov_ab + c * c * l->se_b * l->se_b;
    const bool by_game = posterior->clustered_known && posterior->clustered_se > posterior->sd;
    const double moves =
        l->b * (by_game ? ipr_stats_quantile95(posterior->games) * posterior->clustered_se
                        : IPR_Z95 * posterior->sd);
    struct ipr_bayes_elo e = { .elo = l->a + l->b * c,
                               .se = l->b * posterior->sd,
                               .line_se = sqrt(fmax(0.0, line)),
                               .excess_sd = ipr_stats_line_excess(l->residual_variance,
                                                                  calibration->sampling_variance),
                               .at_bound = posterior->at_bound };
    const double half = ipr_stats_line_half(moves, e.line_se, e.excess_sd, calibration->mileposts);

    e.interval = (struct ipr_interval){ l->a + l->b * posterior->interval.lo,
                                        l->a + l->b * posterior->interval.hi };
    e.total = (struct ipr_interval){ e.elo - half, e.elo + half };
    e.extrapolated = e.elo < calibration->elo_min || e.elo > calibration->elo_max;
    return e;
}
