#include "model/strength_shipped.h"

#include <math.h>

/* `make model` writes the constants; a change of them is a new IPR_STRENGTH_VERSION, one of the
 * model also a new IPR_STRENGTH_SUMS_VERSION. */
const struct ipr_strength_shipped ipr_strength_shipped = {
#include "model/strength_shipped.inc"
};

struct ipr_strength_calibration ipr_strength_calibration_of(const struct ipr_strength_shipped *s,
                                                            double equation_error)
{
    struct ipr_strength_calibration m = s->calibration;

    m.spread.player += pow(equation_error, 2);
    return m;
}

struct ipr_strength_estimate ipr_strength_rating(const struct ipr_strength_shipped *s,
                                                 double equation_error, double score,
                                                 double information, double prior_mean,
                                                 double prior_sd)
{
    const struct ipr_strength_calibration m = ipr_strength_calibration_of(s, equation_error);
    struct ipr_strength_estimate e =
        ipr_strength_of_sums(&m, score, information, prior_mean, prior_sd);

    if (s->alone) {
        /* The estimate has the prior, and may lie beyond them. */
        e.lo = fmin(e.raw_lo, e.mean);
        e.hi = fmax(e.raw_hi, e.mean);
    }
    return e;
}
