#include "model/strength_shipped.h"

#include <math.h>

/* `make model` writes the constants; a change of them is a new IPR_STRENGTH_VERSION. */
const struct ipr_strength_shipped ipr_strength_shipped = {
#include "model/strength_shipped.inc"
};

struct ipr_strength_estimate ipr_strength_rating(const struct ipr_strength_shipped *s, double score,
                                                 double information, double prior_mean,
                                                 double prior_sd)
{
    struct ipr_strength_estimate e =
        ipr_strength_of_sums(&s->calibration, score, information, prior_mean, prior_sd);

    if (s->alone) {
        /* The estimate has the prior, and may lie beyond them. */
        e.lo = fmin(e.raw_lo, e.mean);
        e.hi = fmax(e.raw_hi, e.mean);
    }
    return e;
}
