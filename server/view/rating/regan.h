#ifndef IPR_VIEW_RATING_REGAN_H
#define IPR_VIEW_RATING_REGAN_H

#include "view/rating/rate.h"

/** The turns of a scope that count for Regan & Haworth's model. */
struct ipr_rate_set {
    struct ipr_rh_set *set; /* NULL: there is a reason */
    struct ipr_rate_turns t;
};

/**
 * Opens the set of a scope in the calibration's window and with its parameters; the caller frees
 * `set`. Without a calibration, or with too few turns, `set` is NULL and t.reason says why.
 */
IPR_CHECK enum ipr_code ipr_rate_set_open(const struct ipr_material *m, enum ipr_method method,
                                          struct ipr_rate_set *out, struct ipr_err *err);

#endif
