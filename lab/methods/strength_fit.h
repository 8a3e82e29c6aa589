#ifndef IPR_LAB_STRENGTH_FIT_H
#define IPR_LAB_STRENGTH_FIT_H

#include "base/error.h"
#include "model/strength.h"

#define IPR_STRENGTH_FITTED (IPR_STRENGTH_FEATURES + IPR_STRENGTH_SLOPES)

/** Moves to fit to. x is scaled. */
struct ipr_strength_sample {
    const double (*x)[IPR_STRENGTH_FEATURES];
    const double *loss;
    const double *theta; /* of the player: (Elo - 2250) / 300 */
    const bool *take;    /* moves to use */
    size_t n;
};

/** Curvatures of a fit, one packed matrix a step, reused by fits to nearly the same moves. */
struct ipr_strength_curvature {
    double h[IPR_STRENGTH_STEPS][IPR_STRENGTH_FITTED * IPR_STRENGTH_FITTED];
    double n; /* moves it is of */
};

/** Centres and scales of the features over the moves of the sample, whose x is not scaled yet. */
void ipr_strength_centre(const struct ipr_strength_sample *s, struct ipr_strength_model *m);

/**
 * Maximum of the penalised likelihood, by Newton's method from m->a and m->g.
 *
 * use[]   features that take part; NULL for all
 * c       output: the curvature at the maximum
 *
 * Penalties of 10 / 2 on squared coefficients of features and of 300 / 2 on those of slopes, none
 * on the constants. IPR_EDATA where the curvature is singular.
 */
IPR_CHECK enum ipr_code ipr_strength_fit(const struct ipr_strength_sample *s, const bool *use,
                                         struct ipr_strength_model *m,
                                         struct ipr_strength_curvature *c, struct ipr_err *err);

/** The same from a fit `m` to nearly the same moves and its curvature: ten steps with that. */
void ipr_strength_refit(const struct ipr_strength_sample *s, const bool *use,
                        const struct ipr_strength_curvature *c, struct ipr_strength_model *m);

#endif
