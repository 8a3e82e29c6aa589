#include "stats/interval.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum ipr_code ipr_stats_wilson_eff(double p, double n_eff, double z, struct ipr_interval *out,
                                   struct ipr_err *err)
{
    if (!(p >= 0.0 && p <= 1.0) || !(n_eff > 0.0) || !isfinite(n_eff) || !(z > 0.0) || !isfinite(z))
        return ipr_err_set(err, IPR_EINVAL, "wilson: p=%g n=%g z=%g", p, n_eff, z);

    const double zz = z * z / n_eff;
    const double centre = (p + zz / 2.0) / (1.0 + zz);
    const double half = sqrt(p * (1.0 - p) * zz + zz * zz / 4.0) / (1.0 + zz);

    /* Rounding may give values an ulp outside at p = 0 and p = 1. */
    out->lo = fmax(0.0, centre - half);
    out->hi = fmin(1.0, centre + half);
    return IPR_OK;
}

enum ipr_code ipr_stats_wilson(unsigned long k, unsigned long n, double z, struct ipr_interval *out,
                               struct ipr_err *err)
{
    if (k > n || !(z > 0.0) || !isfinite(z))
        return ipr_err_set(err, IPR_EINVAL, "wilson: k=%lu n=%lu z=%g", k, n, z);
    if (n == 0)
        return ipr_err_set(err, IPR_EDATA, "wilson: no trials");
    return ipr_stats_wilson_eff((double)k / (double)n, (double)n, z, out, err);
}

double ipr_stats_quantile95(size_t clusters)
{
    if (clusters >= 30 || clusters < 2)
        return IPR_Z95;
    return gsl_cdf_tdist_Pinv(0.975, (double)(clusters - 1));
}
