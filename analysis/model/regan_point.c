/* Probabilities of one turn and their derivatives: the inner loop of everything in the model. */
#include <math.h>

#include "model/regan_prob.h"
#include "model/regan_set.h"

#define LOG_FLOOR    (-690.7755278982137) /* ln 1e-300 */
#define BEYOND_REACH 680.0                /* ln(1/y) from which L would be below 1e-300 */

/* One pass over the list at ln L = x. */
struct pass {
    double others;  /* sum over all moves but the first of exp(-L g) */
    double entropy; /* the same with L g exp(-L g) */
};

static struct pass sum_others(const double *log_g, const unsigned *count, size_t n, double x,
                              double *p)
{
    struct pass s = { 0.0, 0.0 };
    const double l = exp(x);

    p[0] = exp(-l);
    s.others = (double)(count[0] - 1) * p[0];
    s.entropy = s.others * l;
    for (size_t i = 1; i < n; i++) {
        const double lg = x + log_g[i] < 6.6 ? exp(x + log_g[i]) : 745.0;
        if (lg >= 740.0) {
            p[i] = 0.0;
            continue;
        }
        p[i] = exp(-lg);
        s.others += count[i] * p[i];
        s.entropy += count[i] * p[i] * lg;
    }
    return s;
}

static double nearest_log_g(const double *log_g, const unsigned *count, size_t n)
{
    double least = count[0] > 1 ? 0.0 : INFINITY;

    for (size_t i = 1; i < n; i++)
        least = fmin(least, log_g[i]);
    return least;
}

/* p at x + dx from p at x, to first order; |dx| <= 1e-7. */
static void shift(const double *log_g, size_t n, double x, double dx, double *p)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] > 0.0)
            p[i] -= p[i] * exp(x + log_g[i]) * dx;
}

double ipr_rh_solve(const double *log_g, const unsigned *count, size_t n, double start, double *p)
{
    const double least = nearest_log_g(log_g, count, n);
    double moves = 0.0;
    double lo;
    double hi;
    double x;

    if (!(least < BEYOND_REACH)) {
        p[0] = 1.0;
        for (size_t i = 1; i < n; i++)
            p[i] = 0.0;
        return -INFINITY;
    }
    for (size_t i = 0; i < n; i++)
        moves += count[i];
    /* At lo the nearest move alone is more likely than 1 - p_0; at hi all of them are less. */
    lo = -least - 0.7;
    hi = fmin(log(log(moves)) + 1e-9, -least + log(least + log(moves) + 1.0));
    x = start > lo && start < hi ? start : 0.5 * (lo + hi);
    for (int i = 0; i < 200; i++) {
        const struct pass s = sum_others(log_g, count, n, x, p);
        const double l = exp(x);
        const double rest = -expm1(-l); /* 1 - p_0 */
        const double h = log(s.others / rest);
        const double slope = -s.entropy / s.others - l * p[0] / rest;
        double next = x - h / slope;

        if (h > 0.0)
            lo = x;
        else
            hi = x;
        if (fabs(next - x) <= 1e-7) {
            shift(log_g, n, x, next - x, p);
            return next;
        }
        if (!(next > lo && next < hi))
            next = 0.5 * (lo + hi);
        x = next;
    }
    return x;
}

/* G = ln(1/y) of one move and its derivatives by ln s and ln c. */
struct curve {
    double g, ds, dc;
};

static struct curve curve_at(enum ipr_rh_family family, double log_ratio, double c)
{
    /* z beyond e^300 is as far out as can be; exp must not overflow. */
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

struct curves {
    double g[IPR_RH_ENTRIES_MAX], ds[IPR_RH_ENTRIES_MAX], dc[IPR_RH_ENTRIES_MAX];
};

static void curves_of(const struct ipr_rh_set *set, const struct ipr_rh_turn *turn, double log_s,
                      double log_c, struct curves *k)
{
    const double *log_delta = &set->log_delta[turn->first];
    const double c = exp(log_c);

    for (uint32_t i = 0; i < turn->n; i++) {
        struct curve at = { 0.0, 0.0, 0.0 };
        if (isfinite(log_delta[i]))
            at = curve_at(set->params.family, log_delta[i] - log_s, c);
        k->g[i] = at.g;
        k->ds[i] = at.ds;
        k->dc[i] = at.dc;
    }
}

/* dp_i = -w_i (dG_i + d ln L), w_i = p_i L g_i, d ln L = -sum w dG / sum w. */
static void power_gradient(const unsigned *count, uint32_t n, const struct curves *k,
                           struct ipr_rh_point *out)
{
    double w[IPR_RH_ENTRIES_MAX];
    double sum[3] = { 0.0, 0.0, 0.0 };

    for (uint32_t i = 0; i < n; i++) {
        w[i] =
            out->p[i] > 0.0 && isfinite(out->log_l) ? out->p[i] * exp(out->log_l + k->g[i]) : 0.0;
        sum[0] += count[i] * w[i];
        sum[1] += count[i] * w[i] * k->ds[i];
        sum[2] += count[i] * w[i] * k->dc[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        const double scale = sum[0] > 0.0 ? w[i] : 0.0;
        out->dp[0][i] = scale > 0.0 ? -scale * (k->ds[i] - sum[1] / sum[0]) : 0.0;
        out->dp[1][i] = scale > 0.0 ? -scale * (k->dc[i] - sum[2] / sum[0]) : 0.0;
    }
}

/* p_i = y_i / sum y. */
static void norm_point(const unsigned *count, uint32_t n, const struct curves *k,
                       struct ipr_rh_point *out)
{
    double total = 0.0;
    double mean[2] = { 0.0, 0.0 };

    for (uint32_t i = 0; i < n; i++) {
        out->p[i] = exp(-k->g[i]);
        total += count[i] * out->p[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        out->p[i] /= total;
        if (out->p[i] > 0.0) {
            mean[0] += count[i] * out->p[i] * k->ds[i];
            mean[1] += count[i] * out->p[i] * k->dc[i];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        out->dp[0][i] = out->p[i] > 0.0 ? -out->p[i] * (k->ds[i] - mean[0]) : 0.0;
        out->dp[1][i] = out->p[i] > 0.0 ? -out->p[i] * (k->dc[i] - mean[1]) : 0.0;
    }
    out->log_l = -log(out->p[0]);
}

void ipr_rh_turn_point(const struct ipr_rh_set *set, size_t t, double log_s, double log_c,
                       double start, bool gradient, struct ipr_rh_point *out)
{
    const struct ipr_rh_turn *turn = &set->turns[t];
    const unsigned *count = &set->count[turn->first];
    struct curves k;

    curves_of(set, turn, log_s, log_c, &k);
    if (set->params.conversion == IPR_RH_NORM) {
        norm_point(count, turn->n, &k, out);
        out->log_played = fmax(LOG_FLOOR, -k.g[turn->played] + log(out->p[0]));
        return;
    }
    out->log_l = ipr_rh_solve(k.g, count, turn->n, start, out->p);
    if (isfinite(out->log_l))
        out->log_played = -exp(fmin(out->log_l + k.g[turn->played], 7.0));
    else
        out->log_played = turn->played == 0 ? 0.0 : LOG_FLOOR;
    out->log_played = fmax(LOG_FLOOR, out->log_played);
    if (gradient)
        power_gradient(count, turn->n, &k, out);
}

void ipr_rh_turn_moments(const struct ipr_rh_set *set, size_t t, const struct ipr_rh_point *at,
                         bool gradient, struct ipr_rh_moments *out)
{
    const struct ipr_rh_turn *turn = &set->turns[t];
    const double *delta = &set->delta[turn->first];
    const unsigned *count = &set->count[turn->first];

    *out = (struct ipr_rh_moments){ .p0 = at->p[0] };
    for (uint32_t i = 0; i < turn->n; i++)
        out->loss += count[i] * at->p[i] * delta[i];
    for (int k = 0; k < 2 && gradient; k++) {
        out->dp0[k] = at->dp[k][0];
        for (uint32_t i = 0; i < turn->n; i++)
            out->dloss[k] += count[i] * at->dp[k][i] * delta[i];
    }
}

double ipr_rh_played_delta(const struct ipr_rh_set *set, size_t t)
{
    return set->delta[set->turns[t].first + set->turns[t].played];
}

bool ipr_rh_in_domain(double s, double c)
{
    return s >= IPR_RH_S_MIN && s <= IPR_RH_S_MAX && c >= IPR_RH_C_MIN && c <= IPR_RH_C_MAX;
}
