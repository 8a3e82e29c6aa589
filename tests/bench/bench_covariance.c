/*
 * Speed of the covariance predictor, of its surface and of the correlations of complexity on play
 * simulated at a player-year's size. One row a task: name, size, seconds (the least of several
 * runs). covariance.sh makes the table of it.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "clock.h"
#include "model/complexity.h"
#include "model/covariance.h"
#include "model/covariance_surface.h"

enum { GAMES = 100, EACH = 25, TURNS = GAMES * EACH, MOVES = 2 * EACH };

static double draw_loss(gsl_rng *rng, double skill)
{
    const double u = gsl_rng_uniform(rng);
    double loss = 0.0;

    if (u > 0.45 * skill)
        loss = gsl_ran_exponential(rng, 0.25 / skill);
    if (u > 1.0 - 0.01 / skill)
        loss += gsl_ran_exponential(rng, 3.0);
    return loss;
}

struct match {
    struct ipr_gain_turn turns[2][TURNS];
    struct ipr_covariance_player player[2];
    struct ipr_covariance_params params;
    struct ipr_covariance_prediction out;
};

static enum ipr_code predict(void *arg, struct ipr_err *err)
{
    struct match *m = arg;

    return ipr_covariance_predict(&m->player[0], &m->player[1], &m->params, &m->out, err);
}

static void bench_predictor(gsl_rng *rng)
{
    static const unsigned n0[] = { 0, 7, 32, 95 };
    struct match *m = ipr_xcalloc(1, sizeof *m);

    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < TURNS; i++)
            m->turns[k][i] =
                (struct ipr_gain_turn){ (int32_t)(i / EACH),
                                        (uint16_t)ipr_gain_bin(draw_loss(rng, 1.05 - 0.1 * k)) };
        m->player[k] = (struct ipr_covariance_player){ m->turns[k], TURNS, NULL };
    }
    m->params = ipr_covariance_default();
    for (size_t i = 0; i < sizeof n0 / sizeof n0[0]; i++) {
        m->params.n0 = n0[i];
        m->params.replicates = 0;
        const double point = least(predict, m, 25);
        m->params.replicates = 1000;
        const double all = least(predict, m, 3);
        printf("covariance predictor, n0 = %u\t%d\t%.6f\n", n0[i], TURNS, point);
        printf("covariance predictor, n0 = %u, 1000 replicates\t%d\t%.6f\n", n0[i], TURNS, all);
        fprintf(stderr, "# n0 %u: E %.9f [%.4f, %.4f]\n", n0[i], m->out.expected,
                m->out.interval.lo, m->out.interval.hi);
    }
    free(m);
}

struct games {
    struct ipr_conformance_game game[GAMES];
    struct ipr_turn turn[GAMES][MOVES];
    int16_t cp[GAMES][MOVES][2];
    unsigned n0[96];
    double b[40];
    struct ipr_covariance_point point[96 * 40];
    struct ipr_covariance_surface out;
};

static enum ipr_code surface(void *arg, struct ipr_err *err)
{
    const struct ipr_conformance_params loss = IPR_CONFORMANCE_INIT;
    struct games *g = arg;
    const struct ipr_covariance_grid grid = { .n0 = g->n0, .n_n0 = 96, .b = g->b, .n_b = 40 };

    return ipr_covariance_surface(&loss, g->game, GAMES, &grid, g->point, &g->out, err);
}

/* A's figure 11: 96 values of n0, 40 bounds. */
static void bench_surface(gsl_rng *rng)
{
    struct games *g = ipr_xcalloc(1, sizeof *g);

    for (unsigned i = 0; i < 96; i++)
        g->n0[i] = i;
    for (unsigned k = 0; k < 40; k++)
        g->b[k] = 0.2 * k;
    for (size_t i = 0; i < GAMES; i++) {
        g->game[i] =
            (struct ipr_conformance_game){ g->turn[i], NULL, MOVES, (double)(i % 3) - 1.0 };
        for (size_t k = 0; k < MOVES; k++) {
            g->cp[i][k][1] = (int16_t)(-100.0 * draw_loss(rng, 1.0));
            g->turn[i][k] = (struct ipr_turn){ .game = (int32_t)i,
                                               .mover = k % 2,
                                               .lines = 2,
                                               .n_cp = 2,
                                               .played = 1,
                                               .legal = 2,
                                               .cp = g->cp[i][k] };
        }
    }
    printf("surface of rho, 96 x 40 points\t%d\t%.6f\n", GAMES, least(surface, g, 2));
    free(g);
}

static enum ipr_code correlate(void *arg, struct ipr_err *err)
{
    struct ipr_complexity_rho rho[IPR_COMPLEXITY_KINDS];

    (void)err;
    ipr_complexity_correlations(arg, TURNS, rho);
    return rho[0].status == IPR_COMPLEXITY_OK ? IPR_OK : IPR_EDATA;
}

static void bench_complexity(gsl_rng *rng)
{
    struct ipr_complexity_turn *t = ipr_xcalloc(TURNS, sizeof *t);

    for (size_t i = 0; i < TURNS; i++) {
        t[i].game = (int32_t)(i / EACH);
        t[i].loss = draw_loss(rng, 1.0);
        for (size_t k = 0; k < IPR_COMPLEXITY_DEPTH_TIME; k++) {
            t[i].complexity.known[k] = true;
            t[i].complexity.value[k] = gsl_ran_exponential(rng, 1.0);
        }
    }
    printf("five correlations of complexity\t%d\t%.6f\n", TURNS, least(correlate, t, 9));
    free(t);
}

int main(void)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_set_error_handler_off();
    gsl_rng_set(rng, 1);
    bench_predictor(rng);
    bench_surface(rng);
    bench_complexity(rng);
    gsl_rng_free(rng);
    return 0;
}
