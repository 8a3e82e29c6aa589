/* Probabilities of a block of turns and their derivatives: the basis of the whole model.
 */
#include <math.h>
#include <string.h>

#include "model/regan_prob.h"
#include "model/regan_set.h"

#define LOG_FLOOR (-690.7755278982137) /* ln 1e-300 */

enum { POINT_ROOM = IPR_BLOCK * IPR_RH_ENTRIES_MAX };

/* G = ln(1/y) of one move and its derivatives by ln s and ln c. */
struct curve {
    double g, ds, dc;
};

static struct curve curve_at(enum ipr_rh_family family, double log_ratio, double c)
{
    /* z is clipped at e^300, so that exp does not overflow. */
    const double log_z = fmin(c * log_ratio, 300.0);
    const double z = exp(log_z);
    struct curve k;
    double slope = 1.0; /* dG/dz */

    switch (family) {
    case IPR_RH_EXP:
        k.g = z;
        break;
    case IPR_RH_IPA:
        k.g = log1p(z);
        slope = 1.0 / (1.0 + z);
        break;
    case IPR_RH_IPB: {
        const double u = exp(fmin(log_ratio, 300.0));
        k.g = c * log1p(u);
        k.ds = -c * u / (1.0 + u);
        k.dc = k.g;
        return k;
    }
    case IPR_RH_SECHA: /* ln cosh z = z - ln 2 + ln(1 + e^-2z) */
        k.g = z < 1e-4 ? 0.5 * z * z : z - M_LN2 + log1p(exp(-2.0 * z));
        slope = tanh(z);
        break;
    case IPR_RH_SECHB:
    default:
        k.g = z < 2e-4 ? 0.25 * z * z : 2.0 * (0.5 * z - M_LN2 + log1p(exp(-z)));
        slope = tanh(0.5 * z);
        break;
    }
    k.ds = -slope * c * z;
    k.dc = slope * z * log_z;
    return k;
}

/* Curves of another family than R's choice, which has a kernel. */
static void other_curves(const struct ipr_rh_set *set, const struct ipr_rh_block *block,
                         double log_s, double c, const struct ipr_curves *out)
{
    for (size_t i = 0; i < block->n * IPR_BLOCK; i++) {
        const struct curve k = curve_at(set->params.family, block->log_delta[i] - log_s, c);
        out->g[i] = k.g;
        out->ds[i] = k.ds;
        out->dc[i] = k.dc;
    }
}

/* ln p of the moves played, not below the floor; `g` is the curve of each. */
static void log_own(bool power, const double g[IPR_BLOCK], const uint16_t *played, const double *p0,
                    struct ipr_rh_lanes *out)
{
    for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
        double x;
        if (!power)
            x = log(p0[lane]) - g[lane];
        else if (isfinite(out->log_l[lane]))
            x = -exp(fmin(out->log_l[lane] + g[lane], 7.0));
        else
            x = played[lane] == 0 ? 0.0 : LOG_FLOOR;
        out->log_own[lane] = fmax(LOG_FLOOR, x);
    }
}

void ipr_rh_block_at(const struct ipr_rh_set *set, size_t b, double log_s, double log_c, int want,
                     double *p, struct ipr_rh_lanes *out)
{
    const struct ipr_rh_block *block = &set->block[b];
    const struct ipr_lanes *lanes = set->lanes;
    const bool power = set->params.conversion == IPR_RH_POWER;
    const bool gradient = (want & IPR_RH_WANT_GRADIENT) != 0;
    double g[POINT_ROOM];
    double ds[POINT_ROOM];
    double dc[POINT_ROOM];
    double w[POINT_ROOM];
    double own_p[POINT_ROOM];
    double own_g[IPR_BLOCK];
    const struct ipr_curves curves = { g, ds, dc };

    if (p == NULL)
        p = own_p;
    if (set->params.family == IPR_RH_EXP)
        lanes->curve(block->log_delta, block->n, log_s, exp(log_c), gradient, &curves);
    else
        other_curves(set, block, log_s, exp(log_c), &curves);
    for (size_t lane = 0; lane < IPR_BLOCK; lane++)
        own_g[lane] = g[block->played[lane] * (size_t)IPR_BLOCK + lane];
    if (power)
        lanes->solve(g, block->count, block->log_log_moves, block->n, out->log_l, p, w);
    else
        lanes->normalise(g, block->count, block->n, out->log_l, p, w);
    lanes->sums(block, &curves, p, w, want, out);
    if (want & IPR_RH_WANT_LOG)
        log_own(power, own_g, block->played, p, out);
}

double ipr_rh_played_delta(const struct ipr_rh_set *set, size_t t)
{
    return set->delta[set->turns[t].first + set->turns[t].played];
}

bool ipr_rh_in_domain(double s, double c)
{
    return s >= IPR_RH_S_MIN && s <= IPR_RH_S_MAX && c >= IPR_RH_C_MIN && c <= IPR_RH_C_MAX;
}
