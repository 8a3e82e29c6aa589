#include "lab/methods/covariance_worth.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/covariance_gain.h"

/* Values of a, and differences of -1000 .. 1000 cp. */
enum { SLOPES = 62, LARGEST = IPR_GAIN_BINS - 1, DIFFERENCES = 2 * LARGEST + 1 };

#define CHI2_95 3.841459

struct worth_work {
    double (*tanh)[SLOPES]; /* [DIFFERENCES] of each difference, by a */
    double *x;              /* [SLOPES * n] 2E - 1 of each game that counts */
    double *won;
    size_t n, used;
};

static double worth_slope(size_t k)
{
    return 0.05 * pow(1.1, (double)k);
}

static void worth_fill_tanh(double (*table)[SLOPES])
{
    for (size_t d = 0; d < DIFFERENCES; d++)
        for (size_t k = 0; k < SLOPES; k++)
            table[d][k] = tanh(worth_slope(k) * ((double)d - LARGEST) / 100.0);
}

/* Mean over every pair of a move of White and one of Black. */
static void worth_add_pairs(struct worth_work *w, const struct ipr_gain_turn *white, size_t n_white,
                            const struct ipr_gain_turn *black, size_t n_black)
{
    double sum[SLOPES] = { 0 };

    for (size_t i = 0; i < n_white; i++)
        for (size_t j = 0; j < n_black; j++) {
            const double *row = w->tanh[LARGEST + black[j].bin - white[i].bin];

            for (size_t k = 0; k < SLOPES; k++)
                sum[k] += row[k];
        }
    for (size_t k = 0; k < SLOPES; k++)
        w->x[k * w->n + w->used] = sum[k] / ((double)n_white * (double)n_black);
}

static double worth_summed(const struct ipr_gain_turn *turns, size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += turns[i].bin / 100.0;
    return sum;
}

static void worth_add_game(struct worth_work *w, const struct ipr_conformance_params *params,
                           const struct ipr_conformance_game *game, double *sum)
{
    struct ipr_gain_turn *white = ipr_xcalloc(2 * game->n + 1, sizeof *white);
    struct ipr_gain_turn *black = white + game->n;
    const size_t n_white = ipr_covariance_side(params, game, 0, white);
    const size_t n_black = ipr_covariance_side(params, game, 1, black);

    if (n_white > 0 && n_black > 0) {
        worth_add_pairs(w, white, n_white, black, n_black);
        sum[w->used] = worth_summed(black, n_black) - worth_summed(white, n_white);
        w->won[w->used++] = game->result;
    }
    free(white);
}

static double worth_rho(const struct worth_work *w, size_t k)
{
    return gsl_stats_correlation(&w->x[k * w->n], 1, w->won, 1, w->used);
}

static enum ipr_code worth_find(const struct worth_work *w, struct ipr_covariance_worth *out,
                                struct ipr_err *err)
{
    size_t best = 0, low = 0, high = SLOPES - 1;

    for (size_t k = 1; k < SLOPES; k++)
        if (worth_rho(w, k) > worth_rho(w, best))
            best = k;
    const double most = worth_rho(w, best);
    const double least =
        sqrt(fmax(0.0, 1.0 - (1.0 - most * most) *
                                 exp(CHI2_95 / (double)w->used))); /* rho, of the same sign */
    while (low < best && worth_rho(w, low) < least)
        low++;
    while (high > best && worth_rho(w, high) < least)
        high--;
    out->interval_known = low > 0 && high < SLOPES - 1;
    low -= low > 0;
    high += high < SLOPES - 1;
    out->a = worth_slope(best);
    out->interval = (struct ipr_interval){ worth_slope(low), worth_slope(high) };
    return ipr_stats_correlation(&w->x[best * w->n], w->won, NULL, w->used, &out->best, err);
}

static bool worth_can_be_fitted(const struct worth_work *w)
{
    return w->used >= 3 && gsl_stats_max(w->won, 1, w->used) > gsl_stats_min(w->won, 1, w->used) &&
           isfinite(worth_rho(w, 0));
}

enum ipr_code ipr_covariance_worth(const struct ipr_conformance_params *params,
                                   const struct ipr_conformance_game *games, size_t n, double *sum,
                                   double *won, struct ipr_covariance_worth *out,
                                   struct ipr_err *err)
{
    struct worth_work w = { .won = won, .n = n };
    struct ipr_covariance_worth found = { 0 };
    enum ipr_code rc;

    if (!(params->k1 > 0.0) || !(params->k2 < 0.0))
        return ipr_err_set(err, IPR_EINVAL, "covariance: k1=%g k2=%g", params->k1, params->k2);
    w.tanh = ipr_xcalloc(DIFFERENCES, sizeof *w.tanh);
    w.x = ipr_xcalloc(SLOPES * n + 1, sizeof *w.x);
    worth_fill_tanh(w.tanh);
    for (size_t i = 0; i < n; i++)
        worth_add_game(&w, params, &games[i], sum);
    found.used = w.used;
    found.excluded = n - w.used;
    if (worth_can_be_fitted(&w))
        rc = worth_find(&w, &found, err);
    else
        rc = ipr_err_set(err, IPR_EDATA,
                         "games of both sides with different results and losses are needed");
    if (rc == IPR_OK)
        *out = found;
    free(w.tanh);
    free(w.x);
    return rc;
}
