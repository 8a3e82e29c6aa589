/*
 * Bayesian reference agent: held to vectors/bayes.json (an independent implementation), to a
 * plain sum over a fine grid, to play simulated at known c, and at the domain's edges.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "ipr_test.h"
#include "ipr_test_play.h"
#include "ipr_test_vectors.h"
#include "model/bayes.h"

/* The vectors' K is kappa here; their judge has 20 lines. */
enum { VECTOR_LINES = 20 };

static void check_log_likelihoods(const struct ipr_bayes_events *e, const json_t *c)
{
    const json_t *at = json_object_get(ipr_test_get(c, "expected"), "loglik_at");
    double x[32];
    double want[32];
    size_t n;

    if (at == NULL)
        return;
    n = ipr_test_array(ipr_test_get(at, "c"), x, 32);
    assert_int_equal(ipr_test_array(ipr_test_get(at, "loglik"), want, 32), n);
    for (size_t i = 0; i < n; i++)
        ipr_test_near(ipr_bayes_log_likelihood(e, x[i]), want[i],
                      ipr_test_num(ipr_test_get(c, "tolerance"), "loglik_abs"), "loglik at %g",
                      x[i]);
}

static void check_case(const json_t *c)
{
    const json_t *in = ipr_test_get(c, "inputs");
    const json_t *w = ipr_test_get(c, "expected");
    const json_t *tol = ipr_test_get(c, "tolerance");
    struct ipr_bayes_params p = ipr_bayes_default();
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_bayes_events *e;
    struct ipr_bayes_posterior got;
    struct ipr_test_turns turns;
    const double sd = ipr_test_num(w, "sd");
    double cr[2];

    p.kappa = ipr_test_num(in, "K");
    p.c_max = ipr_test_num(in, "c_max");
    p.window.top = (unsigned)ipr_test_num(in, "mv");
    ipr_test_turns_read(ipr_test_get(in, "turns"), VECTOR_LINES, &turns);
    assert_ok(ipr_bayes_events_new(&p, turns.turns, turns.n, &e, &err), &err);
    check_log_likelihoods(e, c);
    assert_ok(ipr_bayes_posterior(e, &got, &err), &err);
    ipr_test_array(ipr_test_get(w, "cr95"), cr, 2);
    ipr_test_near(got.mean, ipr_test_num(w, "mean"), sd * ipr_test_num(tol, "mean_abs_in_sd"),
                  "mean");
    ipr_test_near(got.sd, sd, sd * ipr_test_num(tol, "sd_rel"), "sd");
    ipr_test_near(got.interval.lo, cr[0], sd * ipr_test_num(tol, "cr95_abs_in_sd"), "cr95 from");
    ipr_test_near(got.interval.hi, cr[1], sd * ipr_test_num(tol, "cr95_abs_in_sd"), "cr95 to");
    assert_int_equal(got.at_bound, json_is_true(ipr_test_get(w, "at_bound")));
    if (ipr_test_has(w, "events")) {
        assert_int_equal(got.events, (size_t)ipr_test_num(w, "events"));
        assert_int_equal(got.counts.excluded[IPR_EXCLUDED_NOT_TOP],
                         (size_t)ipr_test_num(w, "dropped"));
    }
    assert_true(got.step <= got.sd / 20.0);
    ipr_bayes_events_free(&e);
    ipr_test_turns_release(&turns);
}

static void test_vectors(void **state)
{
    json_t *file = ipr_test_vectors("bayes.json");
    size_t i;
    json_t *c;

    (void)state;
    json_array_foreach(json_object_get(file, "cases"), i, c)
        check_case(c);
    json_decref(file);
}

static struct ipr_test_play simulate(gsl_rng *rng, double c, double game_sd, size_t games,
                                     size_t each, unsigned lines)
{
    const struct ipr_test_play_shape shape = { games, each, lines, game_sd };
    struct ipr_test_play p;

    ipr_test_agent_play(c, &shape, rng, &p);
    return p;
}

/* ln p_played of every turn, with the C library's functions alone. */
static double plain_log_likelihood(const struct ipr_test_play *p, double c)
{
    double sum = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        const struct ipr_turn *t = &p->turns[i];
        double total = 0.0;
        for (unsigned k = 0; k < t->lines; k++)
            total += exp(-c * log((t->cp[0] - t->cp[k]) / 100.0 + 0.1));
        sum += -c * log((t->cp[0] - t->cp[t->played]) / 100.0 + 0.1) - log(total);
    }
    return sum;
}

static void test_plain_grid(void **state)
{
    static const struct {
        double c;
        size_t games, each;
        unsigned lines;
    } rows[] = { { 1.2, 50, 50, 10 },
                 { 0.3, 5, 40, 5 },
                 { 2.0, 1, 20, 10 },
                 { 1.0, 1, 3, 2 },
                 { 0.0, 1, 40, 8 } };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct ipr_test_play p =
            simulate(rng, rows[r].c, 0.0, rows[r].games, rows[r].each, rows[r].lines);
        struct ipr_bayes_params params = ipr_bayes_default();
        struct ipr_bayes_posterior got;
        struct ipr_err err = IPR_ERR_INIT;
        double total = 0.0;
        double mean = 0.0;
        double square = 0.0;
        double most;
        params.window.top = rows[r].lines;
        assert_ok(ipr_bayes_rate(&params, p.turns, p.n, &got, &err), &err);
        most = plain_log_likelihood(&p, got.mode);
        for (int i = 0; i <= 20000; i++) {
            /* Finer where the posterior is, 12 sd to either side. */
            const double lo = fmax(0.0, got.mean - 12.0 * got.sd);
            const double hi = fmin(10.0, got.mean + 12.0 * got.sd);
            const double c = lo + (hi - lo) * i / 20000.0;
            if (p.n > 300 && i % 20 != 0)
                continue;
            const double w =
                exp(plain_log_likelihood(&p, c) - most) * (i == 0 || i == 20000 ? 0.5 : 1.0);
            total += w;
            mean += w * c;
            square += w * c * c;
        }
        mean /= total;
        /* The trapezoidal rule is as good as exact on a hill, not on one cut off at an end. */
        const double tol = (got.at_zero || got.at_bound ? 1e-3 : 1e-6) * got.sd;
        assert_close(got.mean, mean, tol);
        assert_close(got.sd, sqrt(square / total - mean * mean), tol);
        /* No point of the curve is above its mode. */
        assert_true(plain_log_likelihood(&p, fmax(0.0, got.mode - 1e-3)) <= most + 1e-9);
        assert_true(plain_log_likelihood(&p, fmin(10.0, got.mode + 1e-3)) <= most + 1e-9);
        ipr_test_play_release(&p);
    }
    gsl_rng_free(rng);
}

static int by_cp(const void *a, const void *b)
{
    const struct ipr_turn *x = a;
    const struct ipr_turn *y = b;

    return x->cp[0] != y->cp[0] ? x->cp[0] - y->cp[0] : (x->cp > y->cp) - (x->cp < y->cp);
}

static void test_order(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_test_play p = simulate(rng, 1.1, 0.0, 60, 50, 10);
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct ipr_bayes_posterior a;
    struct ipr_bayes_posterior b;

    (void)state;
    assert_int_equal(ipr_bayes_rate(&params, p.turns, p.n, &a, NULL), IPR_OK);
    qsort(p.turns, p.n, sizeof *p.turns, by_cp);
    for (size_t i = 0; i < p.n; i++)
        p.turns[i].game = 1000 - p.turns[i].game; /* any numbering */
    assert_int_equal(ipr_bayes_rate(&params, p.turns, p.n, &b, NULL), IPR_OK);
    assert_close(a.mean, b.mean, 1e-11);
    assert_close(a.sd, b.sd, 1e-11);
    assert_close(a.interval.lo, b.interval.lo, 1e-11);
    assert_close(a.clustered_se, b.clustered_se, 1e-11);
    assert_int_equal(a.games, b.games);
    ipr_test_play_release(&p);
    gsl_rng_free(rng);
}

/* The sandwich from differences of the log likelihoods of single games and of all. */
static void test_clustered(void **state)
{
    enum { GAMES = 12, EACH = 20 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_test_play p = simulate(rng, 1.3, 0.3, GAMES, EACH, 10);
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct ipr_bayes_events *e;
    struct ipr_bayes_posterior got;
    double squares = 0.0;
    double second;

    (void)state;
    assert_int_equal(ipr_bayes_events_new(&params, p.turns, p.n, &e, NULL), IPR_OK);
    assert_int_equal(ipr_bayes_posterior(e, &got, NULL), IPR_OK);
    second = ipr_bayes_log_likelihood(e, got.mode + 1e-3) +
             ipr_bayes_log_likelihood(e, got.mode - 1e-3) -
             2.0 * ipr_bayes_log_likelihood(e, got.mode);
    ipr_bayes_events_free(&e);
    for (size_t g = 0; g < GAMES; g++) {
        assert_int_equal(ipr_bayes_events_new(&params, &p.turns[g * EACH], EACH, &e, NULL), IPR_OK);
        const double u = (ipr_bayes_log_likelihood(e, got.mode + 1e-4) -
                          ipr_bayes_log_likelihood(e, got.mode - 1e-4)) /
                         2e-4;
        squares += u * u;
        ipr_bayes_events_free(&e);
    }
    assert_int_equal(got.games, GAMES);
    assert_close(got.clustered_se, sqrt(squares * GAMES / (GAMES - 1.0)) / (-second / 1e-6),
                 1e-4 * got.clustered_se);
    ipr_test_play_release(&p);
    gsl_rng_free(rng);
}

/* Of 600 simulated sets the interval holds the true c in 95 %, and both errors are right. */
static void test_recovery(void **state)
{
    enum { SETS = 600 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const struct ipr_bayes_params params = ipr_bayes_default();
    double sum = 0.0;
    double square = 0.0;
    double sd = 0.0;
    double clustered = 0.0;
    int inside = 0;

    (void)state;
    for (int i = 0; i < SETS; i++) {
        struct ipr_test_play p = simulate(rng, 1.2, 0.0, 20, 20, 10);
        struct ipr_bayes_posterior got;
        assert_int_equal(ipr_bayes_rate(&params, p.turns, p.n, &got, NULL), IPR_OK);
        assert_true(got.clustered_known);
        inside += got.interval.lo <= 1.2 && 1.2 <= got.interval.hi;
        sum += got.mean - 1.2;
        square += (got.mean - 1.2) * (got.mean - 1.2);
        sd += got.sd;
        clustered += got.clustered_se;
        ipr_test_play_release(&p);
    }
    const double spread = sqrt(square / SETS - sum / SETS * sum / SETS);
    print_message("bias %.4f, sd %.4f against %.4f and %.4f clustered, covered %.1f %%\n",
                  sum / SETS, spread, sd / SETS, clustered / SETS, 100.0 * inside / SETS);
    assert_true(inside >= 0.93 * SETS && inside <= 0.97 * SETS);
    assert_close(sum / SETS, 0.0, 0.15 * sd / SETS);
    assert_close(sd / SETS, spread, 0.1 * spread);
    assert_close(clustered / SETS, spread, 0.1 * spread);
    gsl_rng_free(rng);
}

/* Where the moves of a game are equal the posterior is too narrow, the clustered error is not. */
static void test_dependence(void **state)
{
    enum { SETS = 400 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const struct ipr_bayes_params params = ipr_bayes_default();
    double sum = 0.0;
    double square = 0.0;
    double sd = 0.0;
    double clustered = 0.0;

    (void)state;
    for (int i = 0; i < SETS; i++) {
        struct ipr_test_play p = simulate(rng, 1.2, 0.35, 40, 20, 10);
        struct ipr_bayes_posterior got;
        assert_int_equal(ipr_bayes_rate(&params, p.turns, p.n, &got, NULL), IPR_OK);
        sum += got.mode;
        square += got.mode * got.mode;
        sd += got.sd;
        clustered += got.clustered_se;
        ipr_test_play_release(&p);
    }
    const double spread = sqrt(square / SETS - sum / SETS * sum / SETS);
    print_message("sd %.4f against %.4f and %.4f clustered\n", spread, sd / SETS, clustered / SETS);
    assert_true(sd / SETS < 0.9 * spread);
    assert_close(clustered / SETS, spread, 0.1 * spread);
    gsl_rng_free(rng);
}

/* Six turns with three moves of -50, -120 cp and one good one. */
static void small_set(struct ipr_turn turns[6], const int16_t cp[3], unsigned played)
{
    for (int i = 0; i < 6; i++)
        turns[i] = (struct ipr_turn){ .game = i / 2,
                                      .ply = 30,
                                      .lines = 3,
                                      .n_cp = 3,
                                      .legal = 3,
                                      .played = (uint8_t)played,
                                      .cp = cp };
}

static void test_degenerate(void **state)
{
    static const int16_t equal[3] = { 20, 20, 20 };
    static const int16_t mates[3] = { 32000, 0, -32000 };
    static const int16_t plain[3] = { 50, -50, -120 };
    const struct ipr_bayes_params p = ipr_bayes_default();
    struct ipr_bayes_posterior got = { .mean = -1.0 };
    struct ipr_turn turns[6];

    (void)state;
    /* Moves that are all equal say nothing: the posterior is the prior. */
    small_set(turns, equal, 1);
    assert_int_equal(ipr_bayes_rate(&p, turns, 6, &got, NULL), IPR_OK);
    assert_close(got.mean, 5.0, 1e-9);
    assert_close(got.sd, 10.0 / sqrt(12.0), 1e-3);
    assert_close(got.interval.lo, 0.25, 1e-9);
    assert_true(got.at_bound && got.at_zero && !got.clustered_known);

    /* Every move the best; every move the worst; mates and the greatest blunders. */
    small_set(turns, plain, 0);
    assert_int_equal(ipr_bayes_rate(&p, turns, 6, &got, NULL), IPR_OK);
    assert_true(got.at_bound && !got.clustered_known);
    assert_true(got.at_zero); /* six moves of three: 1/729 of the maximum is left at 0 */
    assert_close(got.mode, 10.0, 1e-9);
    small_set(turns, plain, 2);
    assert_int_equal(ipr_bayes_rate(&p, turns, 6, &got, NULL), IPR_OK);
    assert_true(got.at_zero && !got.at_bound && got.mode <= 0.0);
    assert_true(got.mean > 0.0 && got.mean < 0.5);
    small_set(turns, mates, 2);
    assert_int_equal(ipr_bayes_rate(&p, turns, 6, &got, NULL), IPR_OK);
    assert_true(got.at_zero && isfinite(got.mean) && got.sd > 0.0);

    /* One turn. */
    small_set(turns, plain, 1);
    assert_int_equal(ipr_bayes_rate(&p, turns, 1, &got, NULL), IPR_OK);
    assert_int_equal(got.events, 1);
    assert_true(got.mean > 0.0 && !got.clustered_known);
}

/* Lines that are out of order count as the last one before them; mates and more as 10 pawns. */
static void test_lists(void **state)
{
    static const int16_t raw[5] = { 1500, 2000, 300, 400, -32000 };
    static const int16_t meant[5] = { 1000, 1000, 300, 300, -1000 };
    const struct ipr_bayes_params p = ipr_bayes_default();
    struct ipr_turn t = {
        .game = 1, .ply = 30, .lines = 5, .n_cp = 5, .legal = 5, .played = 3, .cp = raw
    };
    struct ipr_bayes_events *e;

    (void)state;
    for (uint8_t played = 0; played < 5; played++) {
        double total = 0.0;
        t.played = played;
        assert_int_equal(ipr_bayes_events_new(&p, &t, 1, &e, NULL), IPR_OK);
        for (int i = 0; i < 5; i++)
            total += pow((1000 - meant[i]) / 100.0 + 0.1, -1.7);
        assert_close(ipr_bayes_log_likelihood(e, 1.7),
                     log(pow((1000 - meant[played]) / 100.0 + 0.1, -1.7) / total), 1e-12);
        ipr_bayes_events_free(&e);
    }
}

/*
 * A list is short when it has fewer lines than the ten the agent chooses among, and the position
 * has more moves than lines. The figures are those of the other turns alone.
 */
static void test_short_lists(void **state)
{
    static const int16_t cp[10] = { 60, 40, 20, 0, -20, -40, -60, -80, -100, -120 };
    static const struct {
        uint8_t lines, legal;
        bool counts;
    } rows[] = { { 10, 31, true }, { 9, 40, false }, { 8, 31, false },
                 { 9, 10, false }, { 8, 8, true },   { 2, 2, true } };
    enum { N = sizeof rows / sizeof *rows };
    const struct ipr_bayes_params p = ipr_bayes_default();
    struct ipr_bayes_posterior all, alone;
    struct ipr_turn turns[N], full[N];
    size_t n = 0;

    (void)state;
    for (size_t i = 0; i < N; i++) {
        turns[i] = (struct ipr_turn){ .game = (int32_t)i % 2,
                                      .ply = (uint16_t)(30 + 2 * i),
                                      .lines = rows[i].lines,
                                      .n_cp = rows[i].lines,
                                      .legal = rows[i].legal,
                                      .played = 1,
                                      .cp = cp };
        if (rows[i].counts)
            full[n++] = turns[i];
    }
    assert_int_equal(ipr_bayes_rate(&p, turns, N, &all, NULL), IPR_OK);
    assert_int_equal(ipr_bayes_rate(&p, full, n, &alone, NULL), IPR_OK);
    assert_int_equal(all.events, n);
    assert_int_equal(all.short_lists, N - n);
    assert_int_equal(all.counts.excluded[IPR_EXCLUDED_UNJUDGED], N - n);
    assert_int_equal(alone.short_lists, 0);
    assert_close(all.mean, alone.mean, 0.0);
    assert_close(all.sd, alone.sd, 0.0);
}

static void test_exclusions(void **state)
{
    static const int16_t plain[3] = { 50, -50, -120 };
    struct ipr_bayes_params p = ipr_bayes_default();
    struct ipr_bayes_posterior got = { .mean = -1.0 };
    struct ipr_turn turns[6];

    (void)state;
    small_set(turns, plain, 0);
    turns[0].ply = 23;  /* move 12 */
    turns[1].legal = 1; /* forced */
    turns[1].lines = turns[1].n_cp = 1;
    turns[2].cp = NULL;  /* not judged */
    turns[3].legal = 20; /* three lines do not show the best ten */
    assert_int_equal(ipr_bayes_rate(&p, turns, 6, &got, NULL), IPR_OK);
    assert_int_equal(got.events, 2);
    assert_int_equal(got.counts.used, 2);
    assert_int_equal(got.counts.excluded[IPR_EXCLUDED_BEFORE_FIRST], 1);
    assert_int_equal(got.counts.excluded[IPR_EXCLUDED_FORCED], 1);
    assert_int_equal(got.counts.excluded[IPR_EXCLUDED_UNJUDGED], 2);
    assert_int_equal(got.short_lists, 1);

    got.mean = -1.0;
    assert_int_equal(ipr_bayes_rate(&p, turns, 4, &got, NULL), IPR_EDATA);
    assert_int_equal(ipr_bayes_rate(&p, turns, 0, &got, NULL), IPR_EDATA);
    p.kappa = 0.0;
    assert_int_equal(ipr_bayes_rate(&p, turns, 6, &got, NULL), IPR_EINVAL);
    p.kappa = NAN;
    assert_int_equal(ipr_bayes_rate(&p, turns, 6, &got, NULL), IPR_EINVAL);
    p.kappa = 0.1;
    p.c_max = 101.0;
    assert_int_equal(ipr_bayes_rate(&p, turns, 6, &got, NULL), IPR_EINVAL);
    assert_close(got.mean, -1.0, 0.0);

    /* The extremes of the domain: no overflow, no endless refining. */
    p.c_max = 100.0;
    p.kappa = 1e-9;
    assert_int_equal(ipr_bayes_rate(&p, turns, 6, &got, NULL), IPR_OK);
    assert_true(isfinite(got.mean) && got.at_bound);
    p.c_max = 1e-6;
    assert_int_equal(ipr_bayes_rate(&p, turns, 6, &got, NULL), IPR_OK);
    assert_close(got.mean, 5e-7, 1e-9);
}

static void test_sides(void **state)
{
    enum { GAMES = 30, EACH = 40, N = GAMES * EACH };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_test_play strong = simulate(rng, 1.6, 0.0, GAMES, EACH, 10);
    struct ipr_test_play weak = simulate(rng, 0.9, 0.0, GAMES, EACH, 10);
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct ipr_bayes_class_summary classes[IPR_BAYES_CLASSES];
    struct ipr_bayes_side *sides;
    struct ipr_err err = IPR_ERR_INIT;
    enum ipr_bayes_class class[N];
    struct ipr_turn own[N];
    struct ipr_bayes_posterior one;
    size_t n_sides;
    size_t n = 0;

    (void)state;
    /* White plays well and wins, Black does not and loses; the last game is a draw. */
    for (size_t i = 0; i < N; i++) {
        own[i] = i % 2 == 0 ? strong.turns[i] : weak.turns[i];
        class[i] =
            i / EACH == GAMES - 1 ? IPR_BAYES_DREW : (i % 2 == 0 ? IPR_BAYES_WON : IPR_BAYES_LOST);
    }
    /* White makes no error in the draw: that posterior has no end. */
    for (size_t i = N - EACH; i < N; i += 2)
        own[i].played = 0;
    /* A side without any turn that counts. */
    for (size_t i = 0; i < EACH; i += 2)
        own[i].ply = 3;
    assert_ok(ipr_bayes_by_side(&params, own, class, N, &sides, &n_sides, classes, &err), &err);
    assert_int_equal(n_sides, 2 * GAMES - 1);
    assert_int_equal(classes[IPR_BAYES_WON].sides, GAMES - 2);
    assert_int_equal(classes[IPR_BAYES_WON].empty, 1);
    assert_int_equal(classes[IPR_BAYES_LOST].sides, GAMES - 1);
    assert_int_equal(classes[IPR_BAYES_DREW].sides, 2);
    assert_int_equal(classes[IPR_BAYES_DREW].at_bound, 1);
    assert_int_equal(classes[IPR_BAYES_UNFINISHED].sides, 0);
    assert_false(classes[IPR_BAYES_UNFINISHED].pooled_known);
    assert_close(classes[IPR_BAYES_WON].pooled.mean, 1.6, 4.0 * classes[IPR_BAYES_WON].pooled.sd);
    assert_close(classes[IPR_BAYES_LOST].pooled.mean, 0.9, 4.0 * classes[IPR_BAYES_LOST].pooled.sd);
    assert_true(classes[IPR_BAYES_WON].mean > classes[IPR_BAYES_LOST].mean);

    /* The first side is Black in game 0: as that set rated alone. */
    assert_int_equal(sides[0].game, 0);
    assert_int_equal(sides[0].mover, 1);
    for (size_t i = 1; i < EACH; i += 2)
        own[n++] = weak.turns[i];
    assert_int_equal(ipr_bayes_rate(&params, own, n, &one, NULL), IPR_OK);
    assert_close(sides[0].posterior.mean, one.mean, 1e-11);
    free(sides);

    own[0].game = own[2].game = 99;
    own[0].mover = own[2].mover = 0;
    class[0] = IPR_BAYES_WON;
    class[2] = IPR_BAYES_LOST;
    assert_int_equal(ipr_bayes_by_side(&params, own, class, 3, &sides, &n_sides, classes, NULL),
                     IPR_EINVAL);
    assert_int_equal(ipr_bayes_by_side(&params, own, class, 0, &sides, &n_sides, classes, NULL),
                     IPR_EDATA);
    ipr_test_play_release(&strong);
    ipr_test_play_release(&weak);
    gsl_rng_free(rng);
}

static void test_elo(void **state)
{
    /* On the line Elo = 400 + 1600 c except for the last. */
    struct ipr_bayes_milepost m[4] = { { 2000.0, 1.0, 100, 0.0 },
                                       { 2160.0, 1.1, 100, 0.0 },
                                       { 2320.0, 1.2, 100, 0.0 },
                                       { 2500.0, 1.3, 100, 0.0 } };
    const struct ipr_bayes_posterior p = { .mean = 1.05,
                                           .sd = 0.02,
                                           .interval = { 1.01, 1.09 },
                                           .clustered_se = 0.03,
                                           .clustered_known = true };
    struct ipr_bayes_calibration cal;
    struct ipr_bayes_elo e;

    (void)state;
    assert_int_equal(ipr_bayes_calibrate(m, 3, &cal, NULL), IPR_OK);
    e = ipr_bayes_elo(&cal, &p);
    assert_close(e.elo, 2080.0, 1e-6);
    assert_close(e.se, 32.0, 1e-6);
    assert_close(e.interval.lo, 2016.0, 1e-6);
    assert_close(e.total.hi - e.elo, 1.959963984540054 * 48.0, 1e-4); /* no scatter at all */
    assert_false(e.extrapolated);

    assert_int_equal(ipr_bayes_calibrate(m, 4, &cal, NULL), IPR_OK);
    e = ipr_bayes_elo(&cal, &p);
    /* t with 2 degrees of freedom; the errors of the line and, as nobody knows what of it is
     * sampling, all the scatter of its mileposts. */
    const double t = 4.302652729749464;
    const double own = 1.959963984540054 * cal.line.b * 0.03;
    const double scatter = cal.line.residual_variance;
    assert_close(e.total.hi - e.elo, sqrt(own * own + t * t * (e.line_se * e.line_se + scatter)),
                 1e-6);
    assert_true(e.line_se > 0.0);
    assert_close(e.excess_sd, sqrt(scatter), 1e-9);
    assert_true(e.line_se < e.excess_sd); /* within the mileposts */

    /* Errors of their own that make half of it; then all of it, so that only the line's is left. */
    for (int i = 0; i < 4; i++)
        m[i].se = sqrt(0.5 * scatter) / cal.line.b;
    assert_int_equal(ipr_bayes_calibrate(m, 4, &cal, NULL), IPR_OK);
    assert_close(cal.sampling_variance, 0.5 * scatter, 1e-6 * scatter);
    assert_close(ipr_bayes_elo(&cal, &p).excess_sd, sqrt(0.5 * scatter), 1e-6);
    for (int i = 0; i < 4; i++)
        m[i].se *= 2.0;
    assert_int_equal(ipr_bayes_calibrate(m, 4, &cal, NULL), IPR_OK);
    e = ipr_bayes_elo(&cal, &p);
    assert_close(e.excess_sd, 0.0, 0.0);
    assert_close(e.total.hi - e.elo, sqrt(own * own + t * t * e.line_se * e.line_se), 1e-6);
    m[2].se = 0.0; /* one unknown: none is accounted for */
    assert_int_equal(ipr_bayes_calibrate(m, 4, &cal, NULL), IPR_OK);
    assert_close(cal.sampling_variance, 0.0, 0.0);

    m[3].mean = 2.0;
    assert_int_equal(ipr_bayes_calibrate(m, 2, &cal, NULL), IPR_EDATA);
    for (int i = 0; i < 4; i++)
        m[i].mean = -m[i].mean;
    assert_int_equal(ipr_bayes_calibrate(m, 4, &cal, NULL), IPR_EDATA);
    for (int i = 0; i < 4; i++)
        m[i].mean = 1.0;
    assert_int_equal(ipr_bayes_calibrate(m, 4, &cal, NULL), IPR_EDATA);
    m[0].elo = NAN;
    assert_int_equal(ipr_bayes_calibrate(m, 4, &cal, NULL), IPR_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),    cmocka_unit_test(test_plain_grid),
        cmocka_unit_test(test_order),      cmocka_unit_test(test_clustered),
        cmocka_unit_test(test_recovery),   cmocka_unit_test(test_dependence),
        cmocka_unit_test(test_degenerate), cmocka_unit_test(test_lists),
        cmocka_unit_test(test_exclusions), cmocka_unit_test(test_short_lists),
        cmocka_unit_test(test_sides),      cmocka_unit_test(test_elo),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
