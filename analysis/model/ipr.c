#include "model/ipr.h"

#include <math.h>
#include <string.h>

#include "model/regan_prob.h"
#include "stats/line.h"
#include "stats/solve.h"

enum ipr_code ipr_ipr(const struct ipr_calibration *calibration, const struct ipr_rh_set *reference,
                      const struct ipr_rh_set *set, const struct ipr_rh_fit_options *options,
                      struct ipr_rating *out, struct ipr_err *err)
{
    struct ipr_rating r;
    enum ipr_code rc;

    memset(&r, 0, sizeof r);
    if (ipr_rh_set_games(set) < 2)
        return ipr_err_set(err, IPR_EDATA,
                           "all moves come from one game: no error bars are possible");
    rc = ipr_rh_fit(set, options, &r.fit, err);
    if (rc == IPR_OK && !r.fit.cov_known)
        rc = ipr_err_set(err, IPR_ENOCONV, "the fit leaves s and c undetermined: no error bars");
    if (rc == IPR_OK)
        rc = ipr_rh_fit_ae(&r.fit, reference, &r.ae, &r.ae_se, err);
    if (rc != IPR_OK)
        return rc;

    r.se = fabs(calibration->b) * r.ae_se;
    r.quantile = ipr_stats_quantile95(r.fit.games);
    /* The rating at r->ae, whose own error and quantile are known. */
    const struct ipr_calibration_point at = ipr_calibration_at(calibration, r.ae);
    const double own = r.quantile * r.se;

    r.ipr = at.elo;
    r.line_se = at.se;
    r.excess_sd = ipr_calibration_excess(calibration);
    const double half = ipr_stats_line_half(own, r.line_se, r.excess_sd, calibration->mileposts);
    r.sampling = (struct ipr_interval){ r.ipr - own, r.ipr + own };
    r.interval = (struct ipr_interval){ r.ipr - half, r.ipr + half };
    r.extrapolated = r.ipr < calibration->elo_min || r.ipr > calibration->elo_max;
    *out = r;
    return IPR_OK;
}

/* The range in which s of an agent is searched. */
#define LOG_S_MIN (-9.210340371976182) /* ln 1e-4 */
#define LOG_S_MAX 3.912023005428146    /* ln 50 */

/* AE_ref minus its target, at ln s and a given c. */
struct agent {
    const struct ipr_rh_set *reference;
    double c, wanted;
};

static double ipr_surplus(double log_s, void *arg)
{
    const struct agent *a = arg;
    double ae = 0.0;

    if (ipr_rh_ae(a->reference, exp(log_s), a->c, &ae, NULL, NULL) != IPR_OK)
        return NAN;
    return ae - a->wanted;
}

/*
 * Newton's steps on ln AE_ref, which is nearly a line in ln s: a few passes over the reference set
 * instead of some fifteen. False if they do not converge; the root is then searched in the whole
 * domain.
 */
static bool agent_newton(const struct agent *a, double *log_s)
{
    double x = log(0.1);

    for (int step = 0; step < 12; step++) {
        double ae = 0.0, g[2] = { 0.0, 0.0 };

        if (ipr_rh_ae(a->reference, exp(x), a->c, &ae, g, NULL) != IPR_OK || !(ae > 0.0) ||
            !(g[0] > 0.0))
            return false;
        const double ahead = (log(a->wanted) - log(ae)) * ae / g[0];
        x += ahead;
        if (!(x > LOG_S_MIN && x < LOG_S_MAX))
            return false;
        if (fabs(ahead) < 1e-7) { /* the next step would be of its square */
            *log_s = x;
            return true;
        }
    }
    return false;
}

enum ipr_code ipr_calibration_agent(const struct ipr_calibration *calibration,
                                    const struct ipr_rh_set *reference, double elo, double *s,
                                    double *c, struct ipr_err *err)
{
    struct agent a = { .reference = reference,
                       .c = calibration->c_intercept + calibration->c_slope * elo,
                       .wanted = (calibration->a - elo) / calibration->b };
    double log_s = 0.0;

    if (!(a.c >= IPR_RH_C_MIN && a.c <= IPR_RH_C_MAX) || !(a.wanted > 0.0) ||
        (!agent_newton(&a, &log_s) &&
         ipr_solve_root(ipr_surplus, &a, LOG_S_MIN, LOG_S_MAX, 1e-12, &log_s, NULL) != IPR_OK))
        return ipr_err_set(err, IPR_EDATA, "the calibration does not reach down or up to %.0f",
                           elo);
    *s = exp(log_s);
    *c = a.c;
    return IPR_OK;
}
