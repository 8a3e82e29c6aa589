/*
 * Speed and memory of the rating: its calibration from 300,000 moves and the ratings that requests
 * compute, on random positions. Prints one row per task: name, CPU seconds (minimum of several
 * runs); the last row is peak memory in bytes. strength.sh makes a table from them. With --shipped
 * it prints the constants that strength_reference.py needs instead.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/mem.h"
#include "clock.h"
#include "lab/methods/strength_fit.h"
#include "lab/methods/strength_sides.h"
#include "model/strength_shipped.h"

enum { MOVES = 300000, PLIES = 72, YEAR = 2500, EVENT = 1000, GAMES = 9 };

/* Best and second line about an evaluation; a move played that is one of them or worse. */
static struct ipr_strength_turn position(gsl_rng *rng, unsigned ply, double theta)
{
    const double eval = gsl_ran_gaussian(rng, 120), gap = gsl_ran_exponential(rng, 40);
    const double loss = gsl_ran_exponential(rng, 25 * exp(-.3 * theta));
    const bool best = gsl_rng_uniform(rng) < .45;
    struct ipr_strength_turn t = {
        .ply = (uint16_t)ply,
        .legal = (uint8_t)(2 + gsl_rng_uniform_int(rng, 45)),
        .check = gsl_rng_uniform(rng) < .05,
        .pieces = { (uint8_t)gsl_rng_uniform_int(rng, 32), (uint8_t)gsl_rng_uniform_int(rng, 32) },
        .pawns = { (uint8_t)gsl_rng_uniform_int(rng, 9), (uint8_t)gsl_rng_uniform_int(rng, 9) },
        .kind = { (uint16_t)gsl_rng_uniform_int(rng, 384), (uint16_t)gsl_rng_uniform_int(rng, 384) }
    };

    for (size_t k = 0; k < IPR_STRENGTH_DEPTHS; k++) {
        const double noise = gsl_ran_gaussian(rng, 60 / (double)(k + 1));

        t.cp[0][k] = (int16_t)(eval + noise);
        t.cp[1][k] = (int16_t)(eval - gap + gsl_ran_gaussian(rng, 60 / (double)(k + 1)));
        t.cp[2][k] = best ? t.cp[0][k] : (int16_t)(eval + noise - loss);
    }
    return t;
}

struct play {
    struct ipr_strength_turn *turn;
    double (*x)[IPR_STRENGTH_FEATURES];
    double *loss, *theta;
    bool *take, *side_takes;
    struct ipr_strength_side *side;
    size_t n, sides;
};

static struct play play_new(gsl_rng *rng, size_t n)
{
    struct play p = { .n = n, .sides = 2 * (n / PLIES + 1) };

    p.turn = ipr_xcalloc(n, sizeof *p.turn);
    p.x = ipr_xcalloc(n, sizeof *p.x);
    p.loss = ipr_xcalloc(n, sizeof *p.loss);
    p.theta = ipr_xcalloc(n, sizeof *p.theta);
    p.take = ipr_xcalloc(n, sizeof *p.take);
    p.side = ipr_xcalloc(p.sides, sizeof *p.side);
    p.side_takes = ipr_xcalloc(p.sides, sizeof *p.side_takes);
    for (size_t i = 0; i < p.sides; i++) {
        p.side[i].player = i / 4;
        p.side[i].elo = gsl_ran_flat(rng, 1600, 2800);
        p.side_takes[i] = true;
    }
    for (size_t i = 0; i < n; i++) {
        p.theta[i] = (p.side[i / PLIES * 2 + i % 2].elo - 2250) / 300;
        p.turn[i] = position(rng, 16 + (unsigned)(i % PLIES), p.theta[i]);
        p.take[i] = ipr_strength_counts(&p.turn[i]);
    }
    return p;
}

static void play_free(struct play *p)
{
    free(p->turn);
    free(p->x);
    free(p->loss);
    free(p->theta);
    free(p->take);
    free(p->side);
    free(p->side_takes);
}

static void play_features(struct play *p)
{
    for (size_t i = 0; i < p->n; i += PLIES)
        ipr_strength_features(p->turn + i, p->n - i < PLIES ? p->n - i : PLIES, p->x + i);
    for (size_t i = 0; i < p->n; i++)
        p->loss[i] = ipr_strength_loss(&p->turn[i]);
}

static void play_score(struct play *p, const struct ipr_strength_model *m)
{
    for (size_t i = 0; i < p->n; i++) {
        struct ipr_strength_side *side = &p->side[i / PLIES * 2 + i % 2];
        const struct ipr_strength_score s = ipr_strength_score(m, p->x[i], p->loss[i]);

        side->z += p->take[i] ? s.score : 0;
        side->information += p->take[i] ? s.information : 0;
    }
    for (size_t i = 0; i < p->sides; i++)
        if (p->side[i].information > 0)
            p->side[i].z /= p->side[i].information;
}

/* Features, chain of logits, curve and spread. */
static void bench_calibration(gsl_rng *rng)
{
    struct play p = play_new(rng, MOVES);
    struct ipr_strength_curvature *curvature = ipr_xcalloc(1, sizeof *curvature);
    const struct ipr_strength_sample s = { .x = (const double(*)[IPR_STRENGTH_FEATURES])p.x,
                                           .loss = p.loss,
                                           .theta = p.theta,
                                           .take = p.take,
                                           .n = p.n };
    struct ipr_strength_model m = { .centre = { 0 } };
    struct ipr_strength_calibration c = { .curve = { .knots = 4,
                                                     .elo = { 1600, 2000, 2400, 2800 } } };
    struct ipr_err err = IPR_ERR_INIT;
    const double begin = seconds();

    play_features(&p);
    ipr_strength_centre(&s, &m);
    for (size_t i = 0; i < p.n; i++)
        ipr_strength_scale(&m, p.x[i]);
    if (ipr_strength_fit(&s, NULL, &m, curvature, &err) != IPR_OK) {
        fprintf(stderr, "bench_strength: %s\n", err.msg);
        exit(1);
    }
    play_score(&p, &m);
    ipr_strength_calibrate(p.side, p.side_takes, p.sides, &c);
    printf("calibration from %d moves\t%.6f\n", MOVES, seconds() - begin);
    fprintf(stderr, "# slopes of the steps %.3f to %.3f, factor %.2f\n", m.g[0][0],
            m.g[IPR_STRENGTH_STEPS - 1][0], c.spread.factor);
    free(curvature);
    play_free(&p);
}

/* Of a year's games from their evaluations: features, scores, posterior. */
static double year_of(struct play *p)
{
    const struct ipr_strength_shipped *s = &ipr_strength_shipped;
    double score = 0, information = 0;

    play_features(p);
    for (size_t i = 0; i < p->n; i++) {
        struct ipr_strength_score one;

        if (!p->take[i])
            continue;
        ipr_strength_scale(&s->model, p->x[i]);
        one = ipr_strength_score(&s->model, p->x[i], p->loss[i]);
        score += one.score;
        information += one.information;
    }
    return ipr_strength_of_sums(&s->calibration, score, information, s->prior_mean, s->prior_sd)
        .mean;
}

/* Of players by the sums that are stored with each side. */
static double event_of(const struct play *p, size_t players)
{
    const struct ipr_strength_shipped *s = &ipr_strength_shipped;
    double sum = 0;

    for (size_t k = 0; k < players; k++) {
        double score = 0, information = 0;

        for (size_t i = 0; i < GAMES; i++) {
            const struct ipr_strength_side *side = &p->side[(k * GAMES + i) % p->sides];

            score += side->z * (side->information + 1e-9);
            information += side->information + 1e-9;
        }
        sum += ipr_strength_of_sums(&s->calibration, score, information, s->prior_mean, s->prior_sd)
                   .mean;
    }
    return sum / (double)players;
}

static void bench_ratings(gsl_rng *rng)
{
    struct play p = play_new(rng, YEAR);
    double best[3] = { 1e9, 1e9, 1e9 }, elo = 0;

    for (int run = 0; run < 9; run++) {
        double begin = seconds(), now;

        elo = year_of(&p);
        best[0] = fmin(best[0], seconds() - begin);
        play_score(&p, &ipr_strength_shipped.model);
        begin = seconds();
        elo += event_of(&p, 1);
        now = seconds();
        best[1] = fmin(best[1], now - begin);
        elo += event_of(&p, EVENT);
        best[2] = fmin(best[2], seconds() - now);
    }
    printf("rating of a player-year, %d moves, from its evaluations\t%.6f\n", YEAR, best[0]);
    printf("rating of a player-year by the stored sums of its games\t%.6f\n", best[1]);
    printf("ratings of an event of %d players by the same\t%.6f\n", EVENT, best[2]);
    fprintf(stderr, "# %.0f\n", elo);
    play_free(&p);
}

/* ---- constants for the reference ---- */

static void print_row(const char *name, const double *values, size_t n)
{
    printf("%s\t", name);
    for (size_t i = 0; i < n; i++)
        printf("%.9g%c", values[i], i + 1 < n ? ' ' : '\n');
}

/* Sums and ratings, from few and many moves, within the range of the curve and beyond it. */
static void print_ratings(void)
{
    enum { SIZES = 3, SCORES = 5 };
    static const double information[SIZES] = { 1, 20, 400 };
    static const double z[SCORES] = { -3, -1, 0, 1, 3 };
    const struct ipr_strength_shipped *s = &ipr_strength_shipped;
    double row[SIZES * SCORES][5];

    for (size_t i = 0; i < SIZES * SCORES; i++) {
        const double sum = information[i / SCORES], score = z[i % SCORES] * sum;
        const struct ipr_strength_estimate e =
            ipr_strength_of_sums(&s->calibration, score, sum, s->prior_mean, s->prior_sd);

        memcpy(row[i], (double[]){ score, sum, e.mean, e.lo, e.hi }, sizeof row[i]);
    }
    print_row("ratings", row[0], sizeof row / sizeof row[0][0]);
}

static void print_shipped(void)
{
    const struct ipr_strength_shipped *s = &ipr_strength_shipped;
    const struct ipr_strength_curve *curve = &s->calibration.curve;

    print_row("sizes", (double[]){ IPR_STRENGTH_FEATURES, IPR_STRENGTH_SLOPES }, 2);
    print_row("steps", ipr_strength_step, IPR_STRENGTH_STEPS);
    print_row("elo", curve->elo, curve->knots);
    print_row("z", curve->z, curve->knots);
    print_row("var", curve->var, curve->knots);
    print_row("cov", curve->cov, curve->knots - 1);
    print_row("spread", (double[]){ s->calibration.spread.factor, s->calibration.spread.player },
              2);
    print_row("prior", (double[]){ s->prior_mean, s->prior_sd }, 2);
    print_ratings();
}

int main(int argc, char **argv)
{
    gsl_rng *rng;
    struct rusage use;

    if (argc > 1 && strcmp(argv[1], "--shipped") == 0) {
        print_shipped();
        return 0;
    }
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_set_error_handler_off();
    bench_ratings(rng);
    bench_calibration(rng);
    gsl_rng_free(rng);
    getrusage(RUSAGE_SELF, &use);
    printf("peak of memory\t%ld\n", 1024 * use.ru_maxrss);
    return 0;
}
