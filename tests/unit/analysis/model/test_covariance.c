/*
 * Held to vectors/covariance.json (an independent implementation), to plain convolution, then
 * properties and the domain's edges.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_vectors.h"
#include "lab/methods/covariance_distribution.h"
#include "model/covariance_gain.h"

/* Losses of a case, ten to a game. */
static struct ipr_covariance_player read_losses(const json_t *array)
{
    const size_t n = json_array_size(array);
    struct ipr_gain_turn *t = ipr_xcalloc(n, sizeof *t);

    for (size_t i = 0; i < n; i++)
        t[i] = (struct ipr_gain_turn){
            (int32_t)i / 10,
            (uint16_t)ipr_gain_bin(json_number_value(json_array_get(array, i))),
        };
    return (struct ipr_covariance_player){ t, n, NULL };
}

static void free_player(struct ipr_covariance_player *p)
{
    free((void *)(uintptr_t)p->turns);
}

static void check_bins(const json_t *c, const json_t *want, const struct ipr_gain *got)
{
    for (unsigned k = 0; k < IPR_GAIN_BINS; k++) {
        char key[8];
        snprintf(key, sizeof key, "%u", k);
        const double w = json_number_value(json_object_get(want, key));
        ipr_test_near(got->share[k], w, ipr_test_tol(c, w), "bin %u", k);
    }
}

static void check_prediction(const json_t *c, const json_t *w,
                             const struct ipr_covariance_player *p1,
                             const struct ipr_covariance_player *p2)
{
    struct ipr_covariance_params params = ipr_covariance_default();
    struct ipr_covariance_prediction got;
    struct ipr_err err = IPR_ERR_INIT;
    const struct {
        const char *key;
        const double *got;
    } figures[] = { { "win", &got.win },
                    { "draw", &got.draw },
                    { "loss", &got.loss },
                    { "expected", &got.expected } };

    params.replicates = 0;
    params.n0 = (unsigned)ipr_test_num(w, "n0");
    params.b = ipr_test_num(w, "b");
    assert_ok(ipr_covariance_predict(p1, p2, &params, &got, &err), &err);
    for (size_t i = 0; i < 4; i++) {
        const double want = ipr_test_num(w, figures[i].key);
        ipr_test_near(*figures[i].got, want, ipr_test_tol(c, want), "n0 %u, b %g: %s", params.n0,
                      params.b, figures[i].key);
    }
    assert_true(got.outcome_known);
    assert_close(got.win + got.draw + got.loss, 1.0, 1e-12);
}

static void check_tanh(const json_t *c, double want, const struct ipr_covariance_player *p1,
                       const struct ipr_covariance_player *p2)
{
    struct ipr_covariance_params params = ipr_covariance_default();
    struct ipr_covariance_prediction got;
    struct ipr_err err = IPR_ERR_INIT;

    params.replicates = 0;
    params.score = IPR_COVARIANCE_TANH;
    params.n0 = 0;
    params.a = 1.16;
    assert_ok(ipr_covariance_predict(p1, p2, &params, &got, &err), &err);
    ipr_test_near(got.expected, want, ipr_test_tol(c, want), "tanh");
    assert_false(got.outcome_known);
}

static void test_vectors(void **state)
{
    json_t *file = ipr_test_vectors("covariance.json");
    struct ipr_gain *l = ipr_xcalloc(1, sizeof *l);
    struct ipr_err err = IPR_ERR_INIT;
    size_t i, k;
    json_t *c;

    (void)state;
    json_array_foreach(json_object_get(file, "cases"), i, c) {
        const json_t *in = ipr_test_get(c, "inputs");
        const json_t *w = ipr_test_get(c, "expected");
        const json_t *predictions = ipr_test_get(w, "predictions");
        struct ipr_covariance_player p1 = read_losses(ipr_test_get(in, "losses_1"));
        struct ipr_covariance_player p2 = read_losses(ipr_test_get(in, "losses_2"));

        assert_ok(ipr_gain_distribution(p1.turns, NULL, p1.n, l, &err), &err);
        check_bins(c, ipr_test_get(w, "bins_1"), l);
        assert_ok(ipr_gain_distribution(p2.turns, NULL, p2.n, l, &err), &err);
        check_bins(c, ipr_test_get(w, "bins_2"), l);
        for (k = 0; k < json_array_size(predictions); k++)
            check_prediction(c, json_array_get(predictions, k), &p1, &p2);
        check_tanh(c, ipr_test_num(w, "tanh_1.16"), &p1, &p2);
        free_player(&p1);
        free_player(&p2);
    }
    assert_true(i > 0);
    free(l);
    json_decref(file);
}

static const struct bin_row {
    double loss;
    unsigned bin;
} bins[] = {
    { 0.0, 0 },     { 0.004, 0 },   { 0.005, 1 },   { 0.0049999999, 1 },
    { 0.01, 1 },    { 0.29, 29 },   { 9.994, 999 }, { 9.995, 1000 },
    { 10.0, 1000 }, { 20.0, 1000 }, { 0.285, 29 },  { 1e300, 1000 },
};

static void test_bins(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bins / sizeof bins[0]; i++)
        assert_int_equal(ipr_gain_bin(bins[i].loss), bins[i].bin);
}

/* Raw and weighted losses of turns, through a selection. */
static void test_turns(void **state)
{
    const int16_t cp[][2] = { { 100, 25 }, { -330, -430 }, { 5000, -5000 } };
    const struct ipr_turn turns[] = {
        { .game = 7, .lines = 2, .n_cp = 2, .played = 1, .legal = 2, .cp = cp[0] },
        { .game = 8, .lines = 2, .n_cp = 2, .played = 1, .legal = 2, .cp = cp[1] },
        { .game = 9, .lines = 2, .n_cp = 2, .played = 1, .legal = 2, .cp = cp[2] },
    };
    const size_t keep[] = { 2, 0, 1 };
    struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    struct ipr_gain_turn got[3];
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_gain *l = ipr_xcalloc(1, sizeof *l);

    (void)state;
    assert_ok(ipr_gain_turns(&p, turns, keep, 3, got, &err), &err);
    assert_int_equal(got[0].bin, 1000); /* 20.00 */
    assert_int_equal(got[1].bin, 75);
    assert_int_equal(got[2].bin, 100);
    assert_int_equal(got[1].game, 7);
    assert_ok(ipr_gain_distribution(got, NULL, 3, l, &err), &err);
    assert_int_equal(l->top, 1000);
    assert_int_equal(l->clipped, 1);
    assert_int_equal(l->games, 3);
    p.loss = IPR_LOSS_WEIGHTED;
    assert_ok(ipr_gain_turns(&p, turns, NULL, 3, got, &err), &err);
    assert_int_equal(got[0].bin, 32); /* 0.75/(1 + 1/0.75) */
    assert_int_equal(got[1].bin, 50); /* 1.00/(1 + 3.3/3.3) */
    p.k1 = 0.0;
    assert_int_equal(ipr_gain_turns(&p, turns, NULL, 3, got, NULL), IPR_EINVAL);
    assert_int_equal(ipr_gain_distribution(got, NULL, 0, l, NULL), IPR_EDATA);
    got[0].bin = IPR_GAIN_BINS;
    assert_int_equal(ipr_gain_distribution(got, NULL, 3, l, NULL), IPR_EINVAL);
    free(l);
}

/* Many small errors, some of them round, few blunders; `skill` below 1 errs more. */
static void simulate(gsl_rng *rng, double skill, size_t games, size_t each,
                     struct ipr_gain_turn *out)
{
    for (size_t i = 0; i < games * each; i++) {
        const double u = gsl_rng_uniform(rng);
        double loss = 0.0;
        if (u > 0.45 * skill)
            loss = gsl_ran_exponential(rng, 0.25 / skill);
        if (u > 1.0 - 0.01 / skill)
            loss += gsl_ran_exponential(rng, 3.0);
        out[i] = (struct ipr_gain_turn){ (int32_t)(i / each), (uint16_t)ipr_gain_bin(loss) };
    }
}

enum { GAMES = 40, EACH = 25, TURNS = GAMES * EACH };

static struct ipr_covariance_player simulate_player(unsigned long seed, double skill,
                                                    struct ipr_gain_turn *turns)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, seed);
    simulate(rng, skill, GAMES, EACH, turns);
    gsl_rng_free(rng);
    return (struct ipr_covariance_player){ turns, TURNS, NULL };
}

/* Distribution of the sum by convolving again and again; [-reach, reach], reach = copies * top. */
static double *convolve(const struct ipr_gain *l1, const struct ipr_gain *l2, size_t copies,
                        size_t *reach)
{
    const size_t top = l1->top > l2->top ? l1->top : l2->top;
    const size_t n = 2 * copies * top + 1;
    double *d = ipr_xcalloc(2 * top + 1, sizeof *d);
    double *p = ipr_xcalloc(n, sizeof *p);
    double *q = ipr_xcalloc(n, sizeof *q);

    *reach = copies * top;
    for (size_t i = 0; i <= l1->top; i++)
        for (size_t j = 0; j <= l2->top; j++)
            d[top + j - i] += l1->share[i] * l2->share[j];
    p[copies * top] = 1.0;
    for (size_t c = 0; c < copies; c++) {
        for (size_t i = 0; i < n; i++)
            q[i] = 0.0;
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; p[i] > 0.0 && k <= 2 * top; k++)
                if (i + k >= top && i + k - top < n)
                    q[i + k - top] += p[i] * d[k];
        double *swap = p;
        p = q;
        q = swap;
    }
    free(d);
    free(q);
    return p;
}

static void compare_sum(const double *p, size_t reach, const struct ipr_covariance_params *params,
                        const struct ipr_covariance_prediction *got)
{
    const double b = 100.0 * params->b + 1e-6;
    double outcome[3] = { 0 };
    double smooth = 0.0;

    for (size_t i = 0; i <= 2 * reach; i++) {
        const double x = (double)i - (double)reach;
        outcome[x < -b ? 0 : x > b ? 2 : 1] += p[i];
        smooth += p[i] * (1.0 + tanh(params->a * x / 100.0)) / 2.0;
    }
    if (params->score == IPR_COVARIANCE_TANH) {
        assert_close(got->expected, smooth, 1e-12);
        return;
    }
    assert_close(got->loss, outcome[0], 1e-12);
    assert_close(got->draw, outcome[1], 1e-12);
    assert_close(got->win, outcome[2], 1e-12);
    assert_close(got->expected, outcome[2] + outcome[1] / 2.0, 1e-12);
}

static void compare_distribution(const double *p, size_t reach,
                                 const struct ipr_covariance_player *p1,
                                 const struct ipr_covariance_player *p2, unsigned pairs)
{
    enum { BEYOND = 5 }; /* S never leaves the reach of the convolution */
    const size_t wider = reach + BEYOND;
    double *got = ipr_xcalloc(2 * wider + 1, sizeof *got);
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_covariance_distribution(p1, p2, pairs, (unsigned)wider, got, &err), &err);
    for (size_t i = 0; i <= 2 * wider; i++) {
        const bool within = i >= BEYOND && i - BEYOND <= 2 * reach;
        assert_close(got[i], within ? p[i - BEYOND] : 0.0, 1e-12);
    }
    free(got);
}

static void test_against_convolution(void **state)
{
    static struct ipr_gain_turn a[TURNS], b[TURNS];
    const struct ipr_covariance_player p1 = simulate_player(3, 1.1, a);
    const struct ipr_covariance_player p2 = simulate_player(4, 0.9, b);
    const double bounds[] = { 0.0, 0.07, 0.1, 2.4, 50.0, 1e6 };
    struct ipr_gain *l = ipr_xcalloc(2, sizeof *l);
    struct ipr_covariance_params params = ipr_covariance_default();
    struct ipr_covariance_prediction got;
    struct ipr_err err = IPR_ERR_INIT;
    size_t reach;

    (void)state;
    params.replicates = 0;
    assert_ok(ipr_gain_distribution(a, NULL, TURNS, &l[0], &err), &err);
    assert_ok(ipr_gain_distribution(b, NULL, TURNS, &l[1], &err), &err);
    for (params.n0 = 0; params.n0 < 13; params.n0 = 2 * params.n0 + 1) {
        double *p = convolve(&l[0], &l[1], params.n0 + 1, &reach);
        params.score = IPR_COVARIANCE_BOUND;
        for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
            params.b = bounds[i];
            assert_ok(ipr_covariance_predict(&p1, &p2, &params, &got, &err), &err);
            compare_sum(p, reach, &params, &got);
        }
        params.score = IPR_COVARIANCE_TANH;
        assert_ok(ipr_covariance_predict(&p1, &p2, &params, &got, &err), &err);
        compare_sum(p, reach, &params, &got);
        compare_distribution(p, reach, &p1, &p2, params.n0 + 1);
        free(p);
    }
    free(l);
}

/* Two-point losses: the sum is binomial, whatever n0. */
static void test_against_binomial(void **state)
{
    static struct ipr_gain_turn a[40], b[40];
    const struct ipr_covariance_player p1 = { a, 40, NULL };
    const struct ipr_covariance_player p2 = { b, 40, NULL };
    struct ipr_covariance_params params = ipr_covariance_default();
    struct ipr_covariance_prediction got;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    params.replicates = 0;
    for (int i = 0; i < 4; i++)
        b[i].bin = 1000; /* one move in ten loses ten pawns; player 1 never errs */
    for (params.n0 = 0; params.n0 <= IPR_COVARIANCE_N0_MAX; params.n0 = 3 * params.n0 + 1) {
        double none = pow(0.9, params.n0 + 1.0);
        params.b = 9.99;
        assert_ok(ipr_covariance_predict(&p1, &p2, &params, &got, &err), &err);
        assert_close(got.draw, none, 1e-11);
        assert_close(got.win, 1.0 - none, 1e-11);
        assert_close(got.loss, 0.0, 1e-11);
        params.b = 10.0; /* inclusive */
        none += (params.n0 + 1.0) * 0.1 * pow(0.9, params.n0);
        assert_ok(ipr_covariance_predict(&p1, &p2, &params, &got, &err), &err);
        assert_close(got.draw, none, 1e-11);
    }
}

static void assert_complement(const struct ipr_covariance_prediction *one,
                              const struct ipr_covariance_prediction *two)
{
    assert_close(one->expected, 1.0 - two->expected, 1e-13);
    assert_close(one->win, two->loss, 1e-13);
    assert_close(one->draw, two->draw, 1e-13);
    assert_close(one->interval.lo, 1.0 - two->interval.hi, 1e-9);
    assert_close(one->interval.hi, 1.0 - two->interval.lo, 1e-9);
    assert_int_equal(one->player1.turns, two->player2.turns);
}

static void test_properties(void **state)
{
    static struct ipr_gain_turn a[TURNS], b[TURNS], shuffled[TURNS];
    const struct ipr_covariance_player p1 = simulate_player(3, 1.1, a);
    const struct ipr_covariance_player p2 = simulate_player(4, 0.9, b);
    const struct ipr_covariance_player p3 = { shuffled, TURNS, NULL };
    struct ipr_covariance_params params = ipr_covariance_default();
    struct ipr_covariance_prediction one, two;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    for (size_t i = 0; i < TURNS; i++)
        shuffled[(i * 1117 + 5) % TURNS] =
            (struct ipr_gain_turn){ 9 - a[i].game * 37 % 101, a[i].bin };
    for (params.n0 = 0; params.n0 < 40; params.n0 += 16) {
        for (int smooth = 0; smooth < 2; smooth++) {
            params.score = smooth ? IPR_COVARIANCE_TANH : IPR_COVARIANCE_BOUND;
            assert_ok(ipr_covariance_predict(&p1, &p2, &params, &one, &err), &err);
            assert_ok(ipr_covariance_predict(&p2, &p1, &params, &two, &err), &err);
            assert_complement(&one, &two);
            assert_true(one.expected > 0.5);
            assert_true(one.interval_known && one.sd > 0.0 && one.sd < 0.2);
            assert_true(one.interval.lo < one.expected && one.expected < one.interval.hi);
            /* The order of the turns and the numbers of the games are nothing; the seed is all. */
            assert_ok(ipr_covariance_predict(&p3, &p2, &params, &two, &err), &err);
            assert_memory_equal(&one, &two, sizeof one);
            params.seed = 2;
            assert_ok(ipr_covariance_predict(&p1, &p2, &params, &two, &err), &err);
            assert_true(two.sd < one.sd || two.sd > one.sd);
            assert_close(two.sd, one.sd, 0.12 * one.sd);
            params.seed = 1;
            /* Against oneself. */
            assert_ok(ipr_covariance_predict(&p1, &p1, &params, &two, &err), &err);
            assert_close(two.expected, 0.5, 1e-12);
        }
    }
}

/*
 * All ways of making replicates: with 40 games a side pairs of games cost less than a transform at
 * n0 = 0, and rows of games at n0 = 15; with 1000 neither does. Turns that do not depend on each
 * other have the same error in games of one turn as in games of 25.
 */
static void test_ways_of_resampling(void **state)
{
    static struct ipr_gain_turn a[TURNS], b[TURNS];
    const struct ipr_covariance_player p1 = simulate_player(3, 1.1, a);
    const struct ipr_covariance_player p2 = simulate_player(4, 0.9, b);
    struct ipr_covariance_params params = ipr_covariance_default();
    struct ipr_covariance_prediction few, many;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    for (params.n0 = 0; params.n0 < 16; params.n0 += 15) {
        simulate_player(3, 1.1, a);
        simulate_player(4, 0.9, b);
        assert_ok(ipr_covariance_predict(&p1, &p2, &params, &few, &err), &err);
        for (int32_t i = 0; i < TURNS; i++)
            a[i].game = b[i].game = i;
        assert_ok(ipr_covariance_predict(&p1, &p2, &params, &many, &err), &err);
        assert_close(many.expected, few.expected, 1e-14);
        assert_close(many.sd, few.sd, 0.2 * few.sd);
        assert_int_equal(many.player1.games, TURNS);
    }
}

/* Ten turns a game, all of which lose the same. */
static struct ipr_covariance_player two_games(struct ipr_gain_turn t[20], uint16_t loss)
{
    for (int32_t i = 0; i < 20; i++)
        t[i] = (struct ipr_gain_turn){ i / 10, i < 10 ? 0 : loss };
    return (struct ipr_covariance_player){ t, 20, NULL };
}

/* With two games a player every replicate is one of nine, and these are known. */
static void test_replicates_of_two_games(void **state)
{
    struct ipr_gain_turn a[20], b[20];
    const struct ipr_covariance_player p1 = two_games(a, 100), p2 = two_games(b, 300);
    struct ipr_covariance_params params = ipr_covariance_default();
    struct ipr_gain *l = ipr_xcalloc(2, sizeof *l);
    double e[1000];

    (void)state;
    assert_int_equal(ipr_gain_distribution(a, NULL, 20, &l[0], NULL), IPR_OK);
    assert_int_equal(ipr_gain_distribution(b, NULL, 20, &l[1], NULL), IPR_OK);
    params.n0 = 0;
    params.b = 1.0;
    for (int smooth = 0; smooth < 2; smooth++) {
        int seen[9] = { 0 };
        params.score = smooth ? IPR_COVARIANCE_TANH : IPR_COVARIANCE_BOUND;
        ipr_covariance_replicates(&p1, &p2, &l[0], &l[1], &params, e);
        for (int i = 0; i < 1000; i++) {
            int which = -1;
            for (int k = 0; k < 9; k++) {
                const double w1 = (double)(k / 3) / 2.0, w2 = (double)(k % 3) / 2.0;
                /* Gains of -1.00, 3.00 and 2.00. */
                const double g[3] = { smooth ? 0.5 * tanh(-1.16) : 0.0,
                                      smooth ? 0.5 * tanh(3.48) : 0.5,
                                      smooth ? 0.5 * tanh(2.32) : 0.5 };
                const double want =
                    0.5 + w1 * (1.0 - w2) * g[0] + (1.0 - w1) * w2 * g[1] + w1 * w2 * g[2];
                if (fabs(e[i] - want) < 1e-12)
                    which = k;
            }
            assert_in_range(which, 0, 8);
            seen[which]++;
        }
        /* One in sixteen has both blunders twice; with a bound some of the nine have equal scores.
         */
        assert_in_range(seen[8], 30, 1000);
    }
    free(l);
}

static void test_degenerate_sets(void **state)
{
    static struct ipr_gain_turn still[20], blunders[20], one_game[20];
    const struct ipr_covariance_player none = { NULL, 0, NULL };
    const struct ipr_covariance_player best = { still, 20, NULL };
    const struct ipr_covariance_player worst = { blunders, 20, NULL };
    const struct ipr_covariance_player alone = { one_game, 20, NULL };
    const struct ipr_covariance_player one_turn = { still, 1, NULL };
    struct ipr_covariance_params params = ipr_covariance_default();
    struct ipr_covariance_prediction p = { .replicates = 7 };
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    for (int32_t i = 0; i < 20; i++) {
        still[i] = (struct ipr_gain_turn){ i / 5, 0 };
        blunders[i] = (struct ipr_gain_turn){ i / 5, 1000 };
    }
    assert_int_equal(ipr_covariance_predict(&best, &none, &params, &p, &err), IPR_EDATA);
    assert_string_equal(err.msg, "player 2 has no moves");
    ipr_err_clear(&err);
    assert_int_equal(ipr_covariance_predict(&alone, &best, &params, &p, &err), IPR_EDATA);
    assert_string_equal(err.msg, "player 1 has one game only, and one game gives no interval");
    ipr_err_clear(&err);
    assert_int_equal(p.replicates, 7);

    /* No errors at all. */
    assert_ok(ipr_covariance_predict(&best, &best, &params, &p, &err), &err);
    assert_close(p.draw, 1.0, 1e-12);
    assert_close(p.expected, 0.5, 1e-12);
    assert_false(p.interval_known);
    assert_close(p.interval.hi - p.interval.lo, 1.0, 0.0);
    assert_int_equal(p.replicates, 1000);
    /* Blunders alone, against none. */
    assert_ok(ipr_covariance_predict(&best, &worst, &params, &p, &err), &err);
    assert_close(p.win, 1.0, 1e-12);
    assert_close(p.expected, 1.0, 1e-12);
    assert_false(p.interval_known);
    assert_int_equal(p.player2.clipped, 20);
    assert_close(p.player2.mean_loss, 10.0, 1e-12);
    assert_ok(ipr_covariance_predict(&worst, &best, &params, &p, &err), &err);
    assert_close(p.loss, 1.0, 1e-12);
    assert_ok(ipr_covariance_predict(&worst, &worst, &params, &p, &err), &err);
    assert_close(p.draw, 1.0, 1e-12);
    /* One turn, one game, without an interval. */
    params.replicates = 0;
    assert_ok(ipr_covariance_predict(&one_turn, &alone, &params, &p, &err), &err);
    assert_close(p.draw, 1.0, 1e-12);
    assert_false(p.interval_known);
    assert_close(p.interval.lo, 0.0, 0.0);
    params.score = IPR_COVARIANCE_TANH;
    assert_ok(ipr_covariance_predict(&best, &worst, &params, &p, &err), &err);
    assert_close(p.expected, 1.0, 1e-12);
    assert_close(p.win + p.draw + p.loss, 0.0, 0.0);
}

static void test_parameters(void **state)
{
    const struct ipr_gain_turn t = { 1, 5 };
    const struct ipr_covariance_player one = { &t, 1, NULL };
    struct ipr_covariance_params params[] = {
        ipr_covariance_default(), ipr_covariance_default(), ipr_covariance_default(),
        ipr_covariance_default(), ipr_covariance_default(), ipr_covariance_default(),
    };
    struct ipr_covariance_prediction p;

    (void)state;
    params[0].n0 = IPR_COVARIANCE_N0_MAX + 1;
    params[1].b = -0.01;
    params[2].b = NAN;
    params[3].score = params[4].score = IPR_COVARIANCE_TANH;
    params[3].a = 0.0;
    params[4].a = INFINITY;
    params[5].b = INFINITY;
    for (size_t i = 0; i < sizeof params / sizeof params[0]; i++) {
        params[i].replicates = 0;
        assert_int_equal(ipr_covariance_predict(&one, &one, &params[i], &p, NULL), IPR_EINVAL);
    }
    assert_int_equal(ipr_covariance_distribution(&one, &one, 0, 1, &p.win, NULL), IPR_EINVAL);
}

/* The first half of the games is of an earlier year, which weighs half as much. */
static struct ipr_covariance_player with_earlier_year(struct ipr_covariance_player p,
                                                      double weight[TURNS])
{
    for (size_t i = 0; i < TURNS; i++)
        weight[i] = i < TURNS / 2 ? 0.5 : 1.0;
    p.weight = weight;
    return p;
}

/* Half the weight is that of games which are there once where the others are there twice. */
static void test_weights_are_like_copies(void **state)
{
    static struct ipr_gain_turn a[TURNS], b[TURNS], copies[TURNS * 3 / 2];
    static double weight[TURNS];
    const struct ipr_covariance_player p1 = with_earlier_year(simulate_player(3, 1.1, a), weight);
    const struct ipr_covariance_player p2 = simulate_player(4, 0.9, b);
    const struct ipr_covariance_player p3 = { copies, TURNS * 3 / 2, NULL };
    struct ipr_covariance_params params = ipr_covariance_default();
    struct ipr_covariance_prediction one, two;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    params.replicates = 0;
    memcpy(copies, a, sizeof a);
    memcpy(copies + TURNS, a + TURNS / 2, sizeof a / 2);
    assert_ok(ipr_covariance_predict(&p1, &p2, &params, &one, &err), &err);
    assert_ok(ipr_covariance_predict(&p3, &p2, &params, &two, &err), &err);
    assert_close(one.expected, two.expected, 1e-13);
    assert_close(one.player1.mean_loss, two.player1.mean_loss, 1e-13);
    assert_int_equal(one.player1.turns, TURNS);
    assert_int_equal(one.player1.games, GAMES);
}

/* The replicates' sd is that of the predictions from other games of the same players. */
static void test_error_with_weights(void **state)
{
    enum { MATCHES = 300 };
    static struct ipr_gain_turn a[TURNS], b[TURNS];
    static double weight[2][TURNS];
    struct ipr_covariance_params params = ipr_covariance_default();
    struct ipr_covariance_prediction got;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    for (params.n0 = 0; params.n0 <= 32; params.n0 += 32) {
        double sum = 0.0, squares = 0.0, sd = 0.0;

        params.b = params.n0 > 0 ? 2.4 : 0.0;
        for (unsigned long i = 0; i < MATCHES; i++) {
            const struct ipr_covariance_player p1 =
                with_earlier_year(simulate_player(2 * i + 1, 1.1, a), weight[0]);
            const struct ipr_covariance_player p2 =
                with_earlier_year(simulate_player(2 * i + 2, 0.9, b), weight[1]);
            params.replicates = i % 30 == 0 ? 500 : 0;
            assert_ok(ipr_covariance_predict(&p1, &p2, &params, &got, &err), &err);
            sum += got.expected;
            squares += got.expected * got.expected;
            sd += got.sd / (MATCHES / 30);
        }
        const double actual = sqrt(squares / MATCHES - pow(sum / MATCHES, 2.0));
        assert_close(sd, actual, 0.12 * actual); /* sampling error: 4 % of either */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_bins),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_against_convolution),
        cmocka_unit_test(test_against_binomial),
        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_ways_of_resampling),
        cmocka_unit_test(test_replicates_of_two_games),
        cmocka_unit_test(test_weights_are_like_copies),
        cmocka_unit_test(test_error_with_weights),
        cmocka_unit_test(test_degenerate_sets),
        cmocka_unit_test(test_parameters),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
