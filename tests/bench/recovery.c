/*
 * Do the estimates recover what play was simulated from, and do their 95 % intervals hold it as
 * often as they say? Prints the tables of docs/statistics.md.
 *
 *   recovery [PLAYERS [SEED [line]]]   500 players of each size unless said; about three minutes,
 *                                      and a quarter of an hour for the lines. "line": these alone
 */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ipr_test_play.h"
#include "model/bayes.h"
#include "model/conformance.h"
#include "model/ipr.h"
#include "model/markov_side.h"
#include "model/regan_prob.h"

#define S_TRUE 0.10
#define C_TRUE 0.48

static void stop_unless(enum ipr_code rc, const struct ipr_err *err)
{
    if (rc == IPR_OK)
        return;
    fprintf(stderr, "recovery: %s\n", err->msg);
    exit(1);
}

/* One quantity over the players. */
struct recovered {
    const char *name;
    double truth;
    double sum, squares, se; /* of the errors; of the stated standard errors */
    size_t n, held;          /* players; intervals that hold the truth */
};

static void note(struct recovered *r, double estimate, double se, struct ipr_interval interval)
{
    const double error = estimate - r->truth;

    r->sum += error;
    r->squares += error * error;
    r->se += se;
    r->n++;
    r->held += interval.lo <= r->truth && r->truth <= interval.hi;
}

static void print_row(const struct recovered *r, size_t turns)
{
    const double n = (double)r->n;
    const double bias = r->sum / n;
    const double sd = sqrt((r->squares - n * bias * bias) / (n - 1.0));

    printf("| %s | %zu | %.5g | %+.2g | %.2g | %.2g | %.1f %% | %zu |\n", r->name, turns, r->truth,
           bias, sd, r->se / n, 100.0 * (double)r->held / n, r->n);
    fflush(stdout);
}

static struct ipr_interval around(double x, double half)
{
    return (struct ipr_interval){ x - half, x + half };
}

static struct ipr_rh_set *play_set(const struct ipr_test_play_shape *shape, double s, double c,
                                   gsl_rng *rng)
{
    const struct ipr_rh_params params = IPR_RH_PARAMS_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_test_play play;
    struct ipr_rh_set *set;

    ipr_test_play(&params, s, c, shape, rng, &play);
    stop_unless(ipr_rh_set_new(&params, play.turns, NULL, play.n, &set, &err), &err);
    ipr_test_play_release(&play);
    return set;
}

/* Elo = 3500 - 15000 AE, on a set of its own. */
struct scale {
    struct ipr_rh_set *reference;
    struct ipr_calibration calibration;
};

static struct scale scale_new(gsl_rng *rng)
{
    const struct ipr_test_play_shape shape = { 50, 40, 20, 0.0 };

    return (struct scale){ play_set(&shape, S_TRUE, C_TRUE, rng),
                           { .a = 3500.0, .b = 15000.0, .elo_min = 0.0, .elo_max = 4000.0 } };
}

static void rate(const struct ipr_test_play_shape *shape, const struct scale *scale, size_t players,
                 gsl_rng *rng)
{
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };
    struct recovered r[4] = { { .name = "ln s", .truth = log(S_TRUE) },
                              { .name = "ln c", .truth = log(C_TRUE) },
                              { .name = "AE_ref" },
                              { .name = "IPR" } };
    size_t failed = 0;

    stop_unless(ipr_rh_ae(scale->reference, S_TRUE, C_TRUE, &r[2].truth, NULL, NULL), NULL);
    r[3].truth = scale->calibration.a - scale->calibration.b * r[2].truth;
    for (size_t i = 0; i < players; i++) {
        struct ipr_rh_set *set = play_set(shape, S_TRUE, C_TRUE, rng);
        struct ipr_rating x;

        if (ipr_ipr(&scale->calibration, scale->reference, set, &options, &x, NULL) == IPR_OK) {
            const double se[2] = { sqrt(x.fit.cov[0]), sqrt(x.fit.cov[3]) };
            note(&r[0], log(x.fit.s), se[0], around(log(x.fit.s), x.quantile * se[0]));
            note(&r[1], log(x.fit.c), se[1], around(log(x.fit.c), x.quantile * se[1]));
            note(&r[2], x.ae, x.ae_se, around(x.ae, x.quantile * x.ae_se));
            note(&r[3], x.ipr, x.se, x.interval);
        } else {
            failed++;
        }
        ipr_rh_set_free(&set);
    }
    for (int k = 0; k < 4; k++)
        print_row(&r[k], shape->games * shape->turns_each);
    if (failed > 0)
        printf("%zu of these players had no fit.\n", failed);
}

static struct ipr_conformance conform(const struct ipr_test_play_shape *shape, gsl_rng *rng)
{
    const struct ipr_conformance_params how = IPR_CONFORMANCE_INIT;
    const struct ipr_rh_params params = IPR_RH_PARAMS_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_conformance out;
    struct ipr_test_play play;

    ipr_test_play(&params, S_TRUE, C_TRUE, shape, rng, &play);
    stop_unless(ipr_conformance(&how, play.turns, NULL, play.n, &out, &err), &err);
    ipr_test_play_release(&play);
    return out;
}

/* Games differ from one another here (game_sd): the clusters matter. */
static void share(const struct ipr_test_play_shape *shape, const double truth[2], size_t players,
                  gsl_rng *rng)
{
    struct recovered r[2] = { { .name = "share at loss 0", .truth = truth[0] },
                              { .name = "share at loss 0.30", .truth = truth[1] } };

    for (size_t i = 0; i < players; i++) {
        const struct ipr_conformance x = conform(shape, rng);
        note(&r[0], x.share_0.share, x.share_0.se, x.share_0.clustered);
        note(&r[1], x.share_30.share, x.share_30.se, x.share_30.clustered);
    }
    for (int k = 0; k < 2; k++)
        print_row(&r[k], shape->games * shape->turns_each);
}

/* Two players of the Markov model, and the pool that both are of. */
struct pair {
    const char *name;
    double matrix[2][19 * 19];
    double pool[19 * 19];
    double expected;
};

static void pair_init(struct pair *p, const char *name, const double error[2], double end,
                      gsl_rng *rng)
{
    enum { GAMES = 1000, EACH = 40, TURNS = GAMES * EACH };
    const struct ipr_markov_classes classes = ipr_markov_classes_19();
    struct ipr_markov_turn *turns = ipr_xcalloc(2 * (size_t)TURNS, sizeof *turns);
    const double *f[2][2];
    struct ipr_markov_both both;

    *p = (struct pair){ .name = name };
    for (int k = 0; k < 2; k++) {
        ipr_test_markov_player(error[k], end, 0.75, p->matrix[k]);
        f[k][0] = f[k][1] = p->matrix[k];
    }
    stop_unless(ipr_markov_both_colours(f[0], f[1], 19, 9, &both, NULL), NULL);
    p->expected = (both.white.expected + both.black.expected) / 2.0;
    ipr_test_markov_games(p->matrix[0], p->matrix[1], GAMES, EACH, 0, 0, rng, turns, turns + TURNS);
    ipr_markov_count(&classes, turns, 2 * (size_t)TURNS, 0, p->pool);
    free(turns);
}

static void match(const struct ipr_test_play_shape *shape, const struct pair *pair, size_t players,
                  gsl_rng *rng)
{
    const size_t n = shape->games * shape->turns_each;
    const struct ipr_markov_params params = ipr_markov_default();
    struct ipr_markov_turn *t[3];
    struct recovered r = { .name = pair->name, .truth = pair->expected };

    for (int k = 0; k < 3; k++)
        t[k] = ipr_xcalloc(n, sizeof *t[k]);
    for (size_t i = 0; i < players; i++) {
        const struct ipr_markov_player one = { t[0], n, 0 };
        const struct ipr_markov_player two = { t[1], n, 0 };
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_markov_prediction x;

        /* Either plays games of his own. */
        ipr_test_markov_games(pair->matrix[0], pair->matrix[1], shape->games, shape->turns_each, 0,
                              0, rng, t[0], t[2]);
        ipr_test_markov_games(pair->matrix[0], pair->matrix[1], shape->games, shape->turns_each, 0,
                              0, rng, t[2], t[1]);
        stop_unless(ipr_markov_predict(&one, &two, pair->pool, &params, &x, &err), &err);
        if (x.interval_known)
            note(&r, x.mean.expected, x.sd, x.expected);
    }
    print_row(&r, n); /* its number of players tells how often none was known */
    for (int k = 0; k < 3; k++)
        free(t[k]);
}

static struct ipr_bayes_posterior infer(const struct ipr_test_play_shape *shape, gsl_rng *rng)
{
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_bayes_posterior x;
    struct ipr_test_play play;

    ipr_test_agent_play(1.2, shape, rng, &play);
    stop_unless(ipr_bayes_rate(&params, play.turns, play.n, &x, &err), &err);
    ipr_test_play_release(&play);
    return x;
}

/* The posterior where all games are alike; the clustered error where each has a c of its own. */
static void agent(const struct ipr_test_play_shape *shape, double pooled, size_t players,
                  gsl_rng *rng)
{
    struct recovered r[3] = { { .name = "c, posterior", .truth = 1.2 },
                              { .name = "c, posterior, games differ", .truth = pooled },
                              { .name = "c, clustered error, games differ", .truth = pooled } };
    struct ipr_test_play_shape own = { shape->games, shape->turns_each, 10, 0.0 };

    for (size_t i = 0; i < players; i++) {
        struct ipr_bayes_posterior x;
        own.game_sd = 0.0;
        x = infer(&own, rng);
        note(&r[0], x.mean, x.sd, x.interval);
        own.game_sd = 0.3;
        x = infer(&own, rng);
        note(&r[1], x.mean, x.sd, x.interval);
        note(&r[2], x.mode, x.clustered_se,
             around(x.mode, ipr_stats_quantile95(x.games) * x.clustered_se));
    }
    for (int k = 0; k < 3; k++)
        print_row(&r[k], shape->games * shape->turns_each);
}

/* ---- Elo off a line that is estimated itself ---- */

/* Mileposts of the size of those of `standard`; the games of each, and of the players, differ. */
#define MILEPOSTS 13
static const struct ipr_test_play_shape milepost_shape = { 35, 40, 20, 0.3 };
static const double read_off_at[] = { 2200.0, 2700.0 };

static double milepost_elo(size_t i)
{
    return 1600.0 + 100.0 * (double)i;
}

/* Play of one Elo: s such that AE_ref is on the scale's line. */
static struct ipr_rh_set *play_at(const struct ipr_test_play_shape *shape,
                                  const struct scale *scale, double elo, gsl_rng *rng)
{
    struct ipr_err err = IPR_ERR_INIT;
    double s = 0.0, c = 0.0;

    stop_unless(ipr_calibration_agent(&scale->calibration, scale->reference, elo, &s, &c, &err),
                &err);
    return play_set(shape, s, c, rng);
}

static struct ipr_calibration calibrate(const struct scale *scale, gsl_rng *rng)
{
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };
    const struct ipr_rh_set *sets[MILEPOSTS];
    struct ipr_milepost m[MILEPOSTS];
    struct ipr_calibration out;
    struct ipr_err err = IPR_ERR_INIT;

    for (size_t i = 0; i < MILEPOSTS; i++) {
        m[i].elo = milepost_elo(i);
        sets[i] = play_at(&milepost_shape, scale, m[i].elo, rng);
    }
    stop_unless(ipr_calibration_fit(sets, MILEPOSTS, scale->reference, &options, m, &out, &err),
                &err);
    for (size_t i = 0; i < MILEPOSTS; i++) {
        struct ipr_rh_set *set = (struct ipr_rh_set *)(uintptr_t)sets[i];
        ipr_rh_set_free(&set);
    }
    return out;
}

/* The IPR with and without the errors of its line. */
static void read_off(const struct ipr_test_play_shape *shape, struct scale *scale, double elo,
                     size_t players, gsl_rng *rng)
{
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };
    struct recovered r[2] = { { .name = "IPR, line estimated", .truth = elo },
                              { .name = "the same, sampling alone", .truth = elo } };

    for (size_t i = 0; i < players; i++) {
        const struct ipr_calibration line = calibrate(scale, rng);
        struct ipr_rh_set *set = play_at(shape, scale, elo, rng);
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_rating x;

        stop_unless(ipr_ipr(&line, scale->reference, set, &options, &x, &err), &err);
        note(&r[0], x.ipr, hypot(x.se, hypot(x.line_se, x.excess_sd)), x.interval);
        note(&r[1], x.ipr, x.se, x.sampling);
        ipr_rh_set_free(&set);
    }
    for (int k = 0; k < 2; k++)
        print_row(&r[k], shape->games * shape->turns_each);
}

/* c of play of one Elo, about as the shipped calibration has it. */
static double agent_c(double elo)
{
    return (elo + 970.0) / 2620.0;
}

static struct ipr_bayes_posterior infer_at(const struct ipr_test_play_shape *shape, double elo,
                                           gsl_rng *rng)
{
    const struct ipr_test_play_shape own = { shape->games, shape->turns_each, 10, 0.3 };
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_bayes_posterior x;
    struct ipr_test_play play;

    ipr_test_agent_play(agent_c(elo), &own, rng, &play);
    stop_unless(ipr_bayes_rate(&params, play.turns, play.n, &x, &err), &err);
    ipr_test_play_release(&play);
    return x;
}

static struct ipr_bayes_calibration calibrate_agent(gsl_rng *rng)
{
    struct ipr_bayes_milepost m[MILEPOSTS];
    struct ipr_bayes_calibration out;
    struct ipr_err err = IPR_ERR_INIT;

    for (size_t i = 0; i < MILEPOSTS; i++) {
        const struct ipr_bayes_posterior x = infer_at(&milepost_shape, milepost_elo(i), rng);
        m[i] = (struct ipr_bayes_milepost){ milepost_elo(i), x.mean, x.events, x.clustered_se };
    }
    stop_unless(ipr_bayes_calibrate(m, MILEPOSTS, &out, &err), &err);
    return out;
}

/* c on the Elo scale, and what the interval was when the residual variance was in it whole. */
static void read_off_agent(const struct ipr_test_play_shape *shape, double elo, size_t players,
                           gsl_rng *rng)
{
    struct recovered r[2] = { { .name = "c on the Elo scale", .truth = elo },
                              { .name = "the same, all residuals added", .truth = elo } };

    for (size_t i = 0; i < players; i++) {
        struct ipr_bayes_calibration line = calibrate_agent(rng);
        const struct ipr_bayes_posterior p = infer_at(shape, elo, rng);
        struct ipr_bayes_elo x = ipr_bayes_elo(&line, &p);
        const double own = line.line.b * fmax(p.sd, p.clustered_se);

        note(&r[0], x.elo, hypot(own, hypot(x.line_se, x.excess_sd)), x.total);
        line.sampling_variance = 0.0;
        x = ipr_bayes_elo(&line, &p);
        note(&r[1], x.elo, hypot(own, hypot(x.line_se, x.excess_sd)), x.total);
    }
    for (int k = 0; k < 2; k++)
        print_row(&r[k], shape->games * shape->turns_each);
}

static void read_all_off(const struct ipr_test_play_shape shapes[3], size_t players, gsl_rng *rng)
{
    struct scale scale = scale_new(rng);

    scale.calibration.c_intercept = C_TRUE;
    for (size_t k = 0; k < sizeof read_off_at / sizeof *read_off_at; k++)
        for (size_t i = 0; i < 3; i++) {
            struct ipr_test_play_shape shape = shapes[i];
            shape.game_sd = milepost_shape.game_sd;
            read_off(&shape, &scale, read_off_at[k], players, rng);
        }
    for (size_t k = 0; k < sizeof read_off_at / sizeof *read_off_at; k++)
        for (size_t i = 0; i < 3; i++)
            read_off_agent(&shapes[i], read_off_at[k], players, rng);
    ipr_rh_set_free(&scale.reference);
}

int main(int argc, char **argv)
{
    static const struct ipr_test_play_shape shapes[] = { { 20, 25, 20, 0.0 },
                                                         { 50, 40, 20, 0.0 },
                                                         { 250, 40, 20, 0.0 } };
    const size_t players = argc > 1 ? strtoul(argv[1], NULL, 10) : 500;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_test_play_shape many = { 20000, 25, 20, 0.3 };
    struct ipr_conformance all;
    struct scale scale;
    struct pair pairs[3];

    gsl_set_error_handler_off();
    gsl_rng_set(rng, argc > 2 ? strtoul(argv[2], NULL, 10) : 1);
    printf("| figure | turns | truth | bias | sd | mean stated error | interval holds it | players "
           "|\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    if (argc > 3) {
        read_all_off(shapes, players, rng);
        return 0;
    }
    scale = scale_new(rng);
    for (size_t i = 0; i < 3; i++)
        rate(&shapes[i], &scale, players, rng);
    ipr_rh_set_free(&scale.reference);

    all = conform(&many, rng);
    for (size_t i = 0; i < 3; i++) {
        struct ipr_test_play_shape shape = shapes[i];
        shape.game_sd = many.game_sd;
        share(&shape, (double[]){ all.share_0.share, all.share_30.share }, players, rng);
    }
    pair_init(&pairs[0], "Markov E, equals", (double[]){ 0.35, 0.35 }, 0.3, rng);
    pair_init(&pairs[1], "Markov E, a favourite", (double[]){ 0.30, 0.35 }, 0.3, rng);
    pair_init(&pairs[2], "Markov E, rare exits", (double[]){ 0.32, 0.35 }, 0.08, rng);
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 3; i++)
            match(&shapes[i], &pairs[k], players, rng);
    many.lines = 10;
    const double pooled = infer(&many, rng).mean;
    for (size_t i = 0; i < 3; i++)
        agent(&shapes[i], pooled, players, rng);
    read_all_off(shapes, players, rng);
    gsl_rng_free(rng);
    return 0;
}
