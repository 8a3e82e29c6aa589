/*
 * The Bayesian agent against vectors/bayes.json (an independent implementation), against a sum over
 * a fine grid, and at the limits of its domain.
 */
#include "model/bayes.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>

#include "ipr_test.h"
#include "ipr_test_play.h"
#include "ipr_test_vectors.h"

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
            ipr_test_agent_games(rng, rows[r].c, 0.0, rows[r].games, rows[r].each, rows[r].lines);
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
            /* Within 12 sd of the mean. */
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
        /* The trapezoidal rule is nearly exact, except for a curve that is cut off at an end. */
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

static int compare_cp(const void *a, const void *b)
{
    const struct ipr_turn *x = a;
    const struct ipr_turn *y = b;

    return x->cp[0] != y->cp[0] ? x->cp[0] - y->cp[0] : (x->cp > y->cp) - (x->cp < y->cp);
}

static void test_order(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_test_play p = ipr_test_agent_games(rng, 1.1, 0.0, 60, 50, 10);
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct ipr_bayes_posterior a;
    struct ipr_bayes_posterior b;

    (void)state;
    assert_int_equal(ipr_bayes_rate(&params, p.turns, p.n, &a, NULL), IPR_OK);
    qsort(p.turns, p.n, sizeof *p.turns, compare_cp);
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

/* Six turns of three games, with three moves each. */
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
    /* Equal moves give no information: the posterior is the prior. */
    small_set(turns, equal, 1);
    assert_int_equal(ipr_bayes_rate(&p, turns, 6, &got, NULL), IPR_OK);
    assert_close(got.mean, 5.0, 1e-9);
    assert_close(got.sd, 10.0 / sqrt(12.0), 1e-3);
    assert_close(got.interval.lo, 0.25, 1e-9);
    assert_true(got.at_bound && got.at_zero && !got.clustered_known);

    /* Only best moves; only worst moves; mates and the greatest blunders. */
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

/* A line better than the one before counts as that one; mates and more count as 10 pawns. */
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
 * A list is short if it has fewer than ten lines, among which the agent chooses, and the position
 * has more moves. Such turns do not count.
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
    turns[3].legal = 20; /* three lines of twenty moves */
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

    /* Extreme parameters: no overflow, no endless refinement. */
    p.c_max = 100.0;
    p.kappa = 1e-9;
    assert_int_equal(ipr_bayes_rate(&p, turns, 6, &got, NULL), IPR_OK);
    assert_true(isfinite(got.mean) && got.at_bound);
    p.c_max = 1e-6;
    assert_int_equal(ipr_bayes_rate(&p, turns, 6, &got, NULL), IPR_OK);
    assert_close(got.mean, 5e-7, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),    cmocka_unit_test(test_plain_grid),
        cmocka_unit_test(test_order),      cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_lists),      cmocka_unit_test(test_short_lists),
        cmocka_unit_test(test_exclusions),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
