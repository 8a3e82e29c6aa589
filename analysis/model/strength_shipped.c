#include "model/strength_shipped.h"

#include <math.h>

/* `make model` writes the constants; a change of them is a new IPR_STRENGTH_VERSION, one of the
 * model also a new IPR_STRENGTH_SUMS_VERSION. */
const struct ipr_strength_shipped ipr_strength_shipped = {
#include "model/strength_shipped.inc"
};

struct ipr_strength_calibration
ipr_strength_calibration_of(const struct ipr_strength_shipped *s,
                            const struct ipr_strength_engine *engine, double z)
{
    struct ipr_strength_calibration m = s->calibration;

    if (engine != NULL)
        m.spread.player += pow(ipr_strength_equation_error(engine, z), 2);
    return m;
}

struct ipr_strength_estimate ipr_strength_rating(const struct ipr_strength_shipped *s,
                                                 const struct ipr_strength_engine *engine,
                                                 double score, double information,
                                                 double prior_mean, double prior_sd)
{
    const struct ipr_strength_calibration m =
        ipr_strength_calibration_of(s, engine, score / information);
    struct ipr_strength_estimate e =
        ipr_strength_of_sums(&m, score, information, prior_mean, prior_sd);

    if (s->alone) {
        /* The estimate has the prior, and may lie beyond them. */
        e.lo = fmin(e.raw_lo, e.mean);
        e.hi = fmax(e.raw_hi, e.mean);
    }
    return e;
}
