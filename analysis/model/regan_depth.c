#include "model/regan_depth.h"

#include <math.h>

#include "model/regan_prob.h"
#include "model/regan_set.h"

enum { MOVES_MAX = 256 };

/* ln y_i; -infinity where every depth rules the move out. */
static double log_proxy(const double *delta, const double *w, size_t depths, double total, double s,
                        double c)
{
    double y = 0.0;

    for (size_t d = 0; d < depths; d++)
        y += w[d] / total * exp(-pow(delta[d] / s, c));
    return y > 0.0 ? log(y) : -INFINITY;
}

enum ipr_code ipr_rh_depth_probs(const double *delta, const double *w, size_t moves, size_t depths,
                                 double s, double c, double *p, struct ipr_err *err)
{
    double log_y[MOVES_MAX];
    double log_g[MOVES_MAX];
    double found[MOVES_MAX];
    unsigned count[MOVES_MAX];
    double total = 0.0;
    size_t best = 0;

    if (!ipr_rh_in_domain(s, c) || moves == 0 || moves > MOVES_MAX || depths > IPR_RH_DEPTHS_MAX)
        return ipr_err_set(err, IPR_EINVAL, "regan: %zu moves, %zu depths, s=%g c=%g", moves,
                           depths, s, c);
    for (size_t d = 0; d < depths; d++)
        total += w[d];
    if (!(total > 0.0))
        return ipr_err_set(err, IPR_EINVAL, "regan: weights of depths sum to %g", total);
    for (size_t i = 0; i < moves; i++) {
        log_y[i] = log_proxy(&delta[i * depths], w, depths, total, s, c);
        if (log_y[i] > log_y[best])
            best = i;
    }
    if (!isfinite(log_y[best]))
        return ipr_err_set(err, IPR_EDATA, "no move of the turn is within reach of the model");
    /* The solver wants the likeliest move first; L is counted in its proxy. */
    for (size_t i = 0; i < moves; i++) {
        const size_t from = i == 0 ? best : (i == best ? 0 : i);
        log_g[i] = log_y[best] - log_y[from];
        count[i] = 1;
    }
    ipr_rh_solve(log_g, count, moves, NAN, found);
    for (size_t i = 0; i < moves; i++)
        p[i == 0 ? best : (i == best ? 0 : i)] = found[i];
    return IPR_OK;
}
