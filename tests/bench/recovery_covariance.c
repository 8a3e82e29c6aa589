/*
 * Do the 95 % intervals of the covariance predictor and of the correlations of complexity hold the
 * truth as often as they say? Prints the tables that stand in model/covariance.h and
 * stats/correlation.h.
 *
 *   recovery_covariance [SETS [SEED]]     500 sets of each size unless said; some minutes
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/covariance.h"
#include "stats/correlation.h"

enum { EACH = 25, LARGE = 200000 }; /* turns a game; games of the set that stands for the truth */

static void stop_unless(enum ipr_code rc, const struct ipr_err *err)
{
    if (rc == IPR_OK)
        return;
    fprintf(stderr, "recovery_covariance: %s\n", err->msg);
    exit(1);
}

/* Estimates of one truth. */
struct recovered {
    double truth, sum, squares, se;
    size_t n, held;
};

static void note(struct recovered *r, double estimate, double se, struct ipr_interval i)
{
    const double error = estimate - r->truth;

    r->sum += error;
    r->squares += error * error;
    r->se += se;
    r->n++;
    r->held += i.lo <= r->truth && r->truth <= i.hi;
}

static void print_row(const struct recovered *r, const char *name, size_t turns)
{
    const double n = (double)r->n;
    const double bias = r->sum / n;
    const double sd = sqrt((r->squares - n * bias * bias) / (n - 1.0));

    printf("| %s | %zu | %.3f | %+.3f | %.3f | %.3f | %.1f %% | %zu |\n", name, turns, r->truth,
           bias, sd, r->se / n, 100.0 * (double)r->held / n, r->n);
    fflush(stdout);
}

/* Losses of a player: none, small errors, blunders; a game may be a good or a bad one. */
static void play(gsl_rng *rng, double skill, size_t games, struct ipr_gain_turn *out)
{
    for (size_t g = 0; g < games; g++) {
        const double today = skill * exp(gsl_ran_gaussian(rng, 0.2) - 0.02);
        for (size_t i = 0; i < EACH; i++) {
            const double u = gsl_rng_uniform(rng);
            double loss = 0.0;
            if (u > 0.45 * today)
                loss = gsl_ran_exponential(rng, 0.25 / today);
            if (u > 1.0 - 0.01 / today)
                loss += gsl_ran_exponential(rng, 3.0);
            out[g * EACH + i] = (struct ipr_gain_turn){ (int32_t)g, (uint16_t)ipr_gain_bin(loss) };
        }
    }
}

static double expected(gsl_rng *rng, const double skill[2], size_t games,
                       const struct ipr_covariance_params *params, struct ipr_gain_turn *turns[2],
                       struct ipr_covariance_prediction *out)
{
    struct ipr_covariance_player p[2];
    struct ipr_err err = IPR_ERR_INIT;

    for (int k = 0; k < 2; k++) {
        play(rng, skill[k], games, turns[k]);
        p[k] = (struct ipr_covariance_player){ turns[k], games * EACH, NULL };
    }
    stop_unless(ipr_covariance_predict(&p[0], &p[1], params, out, &err), &err);
    return out->expected;
}

static void recover_scores(gsl_rng *rng, size_t sets, const char *name, const double skill[2],
                           struct ipr_covariance_params params)
{
    struct ipr_gain_turn *turns[2] = { ipr_xcalloc((size_t)LARGE * EACH, sizeof *turns[0]),
                                       ipr_xcalloc((size_t)LARGE * EACH, sizeof *turns[1]) };
    struct ipr_covariance_prediction p;
    double truth;

    params.replicates = 0;
    truth = expected(rng, skill, LARGE, &params, turns, &p);
    params.replicates = 1000;
    for (size_t games = 20; games <= 400; games = games == 20 ? 80 : 5 * games) {
        struct recovered r = { .truth = truth };
        for (size_t i = 0; i < sets; i++) {
            params.seed = i;
            const double e = expected(rng, skill, games, &params, turns, &p);
            note(&r, e, p.sd, p.interval);
        }
        print_row(&r, name, games * EACH);
    }
    free(turns[0]);
    free(turns[1]);
}

/* Indicators and losses, both skewed, that share a part in their game. */
static void trace(gsl_rng *rng, size_t games, double *x, double *y, int32_t *game)
{
    for (size_t g = 0; g < games; g++) {
        const double common = gsl_ran_gaussian(rng, 0.4);
        for (size_t i = g * EACH; i < (g + 1) * EACH; i++) {
            x[i] = exp(common + gsl_ran_gaussian(rng, 0.8));
            y[i] = gsl_rng_uniform(rng) < 0.4
                       ? 0.0
                       : 0.1 * exp(0.7 * common + gsl_ran_gaussian(rng, 0.8)) * (1.0 + 0.2 * x[i]);
            game[i] = (int32_t)g;
        }
    }
}

static void recover_correlations(gsl_rng *rng, size_t sets)
{
    const size_t n = (size_t)LARGE * EACH;
    double *x = ipr_xcalloc(n, sizeof *x);
    double *y = ipr_xcalloc(n, sizeof *y);
    int32_t *game = ipr_xcalloc(n, sizeof *game);
    struct ipr_correlation c;
    struct ipr_err err = IPR_ERR_INIT;

    trace(rng, LARGE, x, y, game);
    stop_unless(ipr_stats_correlation(x, y, game, n, &c, &err), &err);
    const double truth = c.rho;
    for (size_t games = 20; games <= 400; games = games == 20 ? 80 : 5 * games) {
        struct recovered ours = { .truth = truth }, fisher = { .truth = truth };
        for (size_t i = 0; i < sets; i++) {
            trace(rng, games, x, y, game);
            stop_unless(ipr_stats_correlation(x, y, game, games * EACH, &c, &err), &err);
            note(&ours, c.rho, c.se, c.interval);
            const double se = 1.0 / sqrt((double)(games * EACH) - 3.0);
            const double z = atanh(c.rho);
            note(&fisher, c.rho, (1.0 - c.rho * c.rho) * se,
                 (struct ipr_interval){ tanh(z - IPR_Z95 * se), tanh(z + IPR_Z95 * se) });
        }
        print_row(&ours, "rho, jackknife by game", games * EACH);
        print_row(&fisher, "rho, Fisher's z", games * EACH);
    }
    free(x);
    free(y);
    free(game);
}

int main(int argc, char **argv)
{
    const size_t sets = argc > 1 ? strtoul(argv[1], NULL, 10) : 500;
    const double even[2] = { 1.0, 1.0 }, better[2] = { 1.08, 0.95 };
    struct ipr_covariance_params params = ipr_covariance_default();
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_set_error_handler_off();
    gsl_rng_set(rng, argc > 2 ? strtoul(argv[2], NULL, 10) : 1);
    if (sets < 2)
        return 1;
    puts("| figure | turns | truth | bias | sd | mean se | coverage | sets |");
    puts("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    recover_correlations(rng, sets);
    recover_scores(rng, sets, "E, n0 = 32, equal", even, params);
    recover_scores(rng, sets, "E, n0 = 32, better", better, params);
    params.n0 = 0;
    params.b = 0.0;
    recover_scores(rng, sets, "E, n0 = 0, better", better, params);
    params.score = IPR_COVARIANCE_TANH;
    recover_scores(rng, sets, "E, tanh, better", better, params);
    gsl_rng_free(rng);
    return 0;
}
