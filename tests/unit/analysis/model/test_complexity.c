/* Held to vectors/complexity.json (an independent implementation), then the domain's edges. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_vectors.h"
#include "model/complexity.h"
#include "stats/line.h"

enum { DEPTHS = 64 };

/* A trace with its own memory. */
struct trace {
    int16_t score[DEPTHS];
    uint8_t first[DEPTHS];
    struct ipr_trace t;
};

static int16_t read_score(const json_t *v)
{
    const json_t *mate = json_object_get(v, "mate");

    if (json_is_null(v))
        return IPR_TRACE_NONE;
    if (mate != NULL)
        return json_integer_value(mate) > 0 ? 31999 : -31999;
    return (int16_t)json_integer_value(v);
}

static void read_trace(const json_t *o, struct trace *out)
{
    const char *best = json_string_value(ipr_test_get(o, "best"));
    const json_t *per_depth = ipr_test_get(o, "per_depth");

    memset(out, 0, sizeof *out);
    for (size_t d = 0; d < DEPTHS; d++)
        out->score[d] = IPR_TRACE_NONE;
    for (size_t i = 0; i < json_array_size(per_depth); i++) {
        const json_t *p = json_array_get(per_depth, i);
        const unsigned d = (unsigned)ipr_test_num(p, "depth");
        const char *first = json_string_value(json_object_get(p, "first"));

        assert_true(d >= 1 && d <= DEPTHS);
        out->score[d - 1] = read_score(ipr_test_get(p, "score"));
        if (first != NULL)
            out->first[d - 1] = strcmp(first, best) == 0 ? IPR_FIRST_YES : IPR_FIRST_NO;
        if (d > out->t.depths)
            out->t.depths = d;
    }
    out->t.score = out->score;
    out->t.first = out->first;
}

static void check_indicators(const json_t *c, const json_t *traces, const json_t *want)
{
    assert_int_equal(json_array_size(traces), json_array_size(want));
    for (size_t i = 0; i < json_array_size(traces); i++) {
        const json_t *w = json_array_get(want, i);
        struct ipr_complexity got;
        struct trace t;

        read_trace(json_array_get(traces, i), &t);
        ipr_complexity(&t.t, &got);
        for (size_t k = 0; k < IPR_COMPLEXITY_KINDS; k++) {
            const char *name = ipr_complexity_name((enum ipr_complexity_kind)k);
            const json_t *v = json_object_get(w, name);
            if (v == NULL)
                continue; /* depth against time is not of the vectors */
            if (got.known[k] == json_is_null(v))
                fail_msg("trace %zu: %s is %sknown", i, name, got.known[k] ? "" : "not ");
            if (got.known[k])
                ipr_test_near(got.value[k], json_number_value(v),
                              ipr_test_tol(c, json_number_value(v)), "trace %zu: %s", i, name);
        }
    }
}

static void check_correlations(const json_t *c, const json_t *traces, const json_t *losses,
                               const json_t *want)
{
    const size_t n = json_array_size(traces);
    struct ipr_complexity_turn *turns = ipr_xcalloc(n, sizeof *turns);
    struct ipr_complexity_rho got[IPR_COMPLEXITY_KINDS];
    size_t compared = 0;

    assert_int_equal(n, json_array_size(losses));
    for (size_t i = 0; i < n; i++) {
        struct trace t;
        read_trace(json_array_get(traces, i), &t);
        turns[i].game = (int32_t)i;
        turns[i].loss = json_number_value(json_array_get(losses, i));
        ipr_complexity(&t.t, &turns[i].complexity);
    }
    ipr_complexity_correlations(turns, n, got);
    for (size_t k = 0; k < IPR_COMPLEXITY_KINDS; k++) {
        const char *name = ipr_complexity_name((enum ipr_complexity_kind)k);
        const json_t *v = json_object_get(want, name);
        if (v == NULL)
            continue;
        compared++;
        assert_int_equal(got[k].status == IPR_COMPLEXITY_OK, !json_is_null(v));
        if (!json_is_null(v))
            ipr_test_near(got[k].rho.rho, json_number_value(v),
                          ipr_test_tol(c, json_number_value(v)), "rho of %s", name);
    }
    assert_int_equal(compared, json_object_size(want));
    free(turns);
}

static void test_vectors(void **state)
{
    json_t *file = ipr_test_vectors("complexity.json");
    size_t compared = 0;
    size_t i;
    json_t *c;

    (void)state;
    json_array_foreach(json_object_get(file, "cases"), i, c) {
        const json_t *in = ipr_test_get(c, "inputs");
        const json_t *w = ipr_test_get(c, "expected");
        const json_t *traces = ipr_test_get(in, "traces");

        if (ipr_test_has(w, "indicators")) {
            check_indicators(c, traces, ipr_test_get(w, "indicators"));
            compared++;
        }
        if (ipr_test_has(w, "rho")) {
            check_correlations(c, traces, ipr_test_get(in, "losses"), ipr_test_get(w, "rho"));
            compared++;
        }
    }
    assert_true(compared >= 2);
    json_decref(file);
}

#define NONE IPR_TRACE_NONE
#define U    IPR_FIRST_UNKNOWN
#define N    IPR_FIRST_NO
#define Y    IPR_FIRST_YES

/* -1: not known */
static const struct row {
    const char *name;
    unsigned depths;
    int16_t score[6];
    uint8_t first[6];
    double stability, jump, depth, product, sullivan;
} rows[] = {
    { "no depth", 0, { 0 }, { U }, -1, -1, -1, -1, -1 },
    { "one depth", 1, { 30 }, { Y }, -1, -1, -1, -1, 0 },
    { "one depth, another move", 1, { 30 }, { N }, -1, -1, -1, -1, -1 },
    { "steady", 3, { 5, 5, 5 }, { Y, Y, Y }, 0, 0, 1, 0, 0 },
    { "lowest depth of a tie", 4, { 0, 20, 0, 10 }, { Y, Y, Y, Y }, 50 / 3.0, 20, 1, 20, 0 },
    { "found last", 3, { 10, 12, 50 }, { N, N, Y }, 20, 38, 2, 76, 11.4 },
    { "found, lost, found", 4, { 0, 9, 9, 3 }, { N, Y, N, Y }, 5, 9, 1, 9, 2.4 },
    { "a gap in the scores", 4, { 10, NONE, 30, 70 }, { N, N, N, Y }, 40, 40, 3, 120, 16 },
    { "no two neighbours", 3, { 10, NONE, 30 }, { N, N, Y }, -1, -1, -1, -1, -1 },
    { "score before is missing", 3, { NONE, NONE, 30 }, { N, N, Y }, -1, -1, -1, -1, -1 },
    { "never another", 3, { NONE, 20, 30 }, { Y, Y, Y }, 10, 10, 2, 20, 0 },
    { "recorded from depth 2", 3, { NONE, 20, 30 }, { U, Y, Y }, 10, 10, 2, 20, 0 },
    { "not recorded between", 3, { 0, 20, 30 }, { N, U, Y }, 15, 20, 1, 20, -1 },
    { "first at the end is another", 2, { 0, 20 }, { Y, N }, 20, 20, 1, 20, -1 },
    { "mates are ten pawns", 3, { 31990, -31990, 999 }, { N, N, Y }, 1999.5, 2000, 1, 2000, 599.7 },
    { "a mate found", 2, { 900, 31995 }, { N, Y }, 100, 100, 1, 100, 20 },
};

static void test_indicators(void **state)
{
    const struct row *r = *state;
    const struct ipr_trace t = { r->depths, r->score, r->first };
    const double want[] = { r->stability, r->jump, r->depth, r->product, r->sullivan };
    struct ipr_complexity got;

    memset(&got, 0xff, sizeof got);
    ipr_complexity(&t, &got);
    for (size_t k = 0; k < IPR_COMPLEXITY_KINDS; k++) {
        const bool known = k < 5 && want[k] >= 0.0;
        assert_int_equal(got.known[k], known);
        assert_close(got.value[k], known ? want[k] : 0.0, 1e-12);
    }
}

static void test_depth_against_time(void **state)
{
    /* At 60 s: depths 20 20 20 21 18 18; at 90 s one depth each, the lowest of them is usual. */
    const struct ipr_depth_time m[] = { { 60000, 20 }, { 90000, 23 }, { 60000, 18 },
                                        { 0, 12 },     { 60000, 20 }, { 60000, 21 },
                                        { 90000, 22 }, { 60000, 20 }, { 60000, 18 } };
    const double want[] = { 0.0, 0.0, -1 / 3.0, 0.0, 0.0, 2 / 3.0, 0.0, 0.0, -1 / 3.0 };
    struct ipr_complexity got[9];

    (void)state;
    memset(got, 0xff, sizeof got);
    ipr_complexity_depth_time(m, 9, got);
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(got[i].known[IPR_COMPLEXITY_DEPTH_TIME], m[i].time_ms > 0);
        assert_close(got[i].value[IPR_COMPLEXITY_DEPTH_TIME], want[i], 1e-15);
    }
    ipr_complexity_depth_time(NULL, 0, NULL);
}

/* Losses correlated with the indicators, with a part common to the turns of a game. */
static void simulate(gsl_rng *rng, size_t games, size_t each, struct ipr_complexity_turn *out)
{
    for (size_t g = 0; g < games; g++) {
        const double common = gsl_ran_gaussian(rng, 0.5);
        for (size_t i = 0; i < each; i++) {
            struct ipr_complexity_turn *t = &out[g * each + i];
            memset(t, 0, sizeof *t);
            t->game = (int32_t)g;
            for (size_t k = 0; k < IPR_COMPLEXITY_DEPTH_TIME; k++) {
                t->complexity.known[k] = (i + k) % 7 != 0;
                t->complexity.value[k] = exp(common + gsl_ran_gaussian(rng, 1.0));
            }
            t->loss = 0.1 * exp(common + 0.3 * t->complexity.value[0] + gsl_ran_gaussian(rng, 0.5));
        }
    }
}

static void test_order_does_not_matter(void **state)
{
    enum { GAMES = 20, EACH = 10, TURNS = GAMES * EACH };
    static struct ipr_complexity_turn turns[TURNS], shuffled[TURNS];
    struct ipr_complexity_rho one[IPR_COMPLEXITY_KINDS], two[IPR_COMPLEXITY_KINDS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    (void)state;
    gsl_rng_set(rng, 5);
    simulate(rng, GAMES, EACH, turns);
    gsl_rng_free(rng);
    for (size_t i = 0; i < TURNS; i++)
        shuffled[(i * 37 + 11) % TURNS] = turns[i];
    ipr_complexity_correlations(turns, TURNS, one);
    ipr_complexity_correlations(shuffled, TURNS, two);
    assert_memory_equal(one, two, sizeof one);
    for (size_t k = 0; k < IPR_COMPLEXITY_DEPTH_TIME; k++) {
        assert_int_equal(one[k].status, IPR_COMPLEXITY_OK);
        assert_int_equal(one[k].turns + one[k].without, TURNS);
        assert_int_equal(one[k].games, GAMES);
        assert_true(one[k].rho.interval_known);
        assert_true(one[k].rho.interval.lo < one[k].rho.rho);
        assert_true(one[k].rho.rho < one[k].rho.interval.hi);
    }
    assert_int_equal(one[IPR_COMPLEXITY_DEPTH_TIME].status, IPR_COMPLEXITY_NOT_AVAILABLE);
    /* The one that made the losses is distinguished from one that only shares the game. */
    assert_true(one[0].rho.interval.lo > 0.0);
    assert_true(one[0].rho.rho > one[1].rho.rho);
    /* Other numbers for the games. */
    for (size_t i = 0; i < TURNS; i++)
        shuffled[i].game = 1000000 - 3 * shuffled[i].game;
    ipr_complexity_correlations(shuffled, TURNS, two);
    assert_close(two[0].rho.rho, one[0].rho.rho, 1e-13);
    assert_close(two[0].rho.se, one[0].rho.se, 1e-12);
}

/* Against the definition: leave a game out and correlate what remains. */
static void test_jackknife(void **state)
{
    enum { GAMES = 12, EACH = 5, TURNS = GAMES * EACH };
    static struct ipr_complexity_turn turns[TURNS];
    double x[TURNS], y[TURNS], z[GAMES];
    int32_t game[TURNS];
    double rho, mean = 0.0, ss = 0.0;
    struct ipr_correlation c;
    struct ipr_err err = IPR_ERR_INIT;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    (void)state;
    gsl_rng_set(rng, 9);
    simulate(rng, GAMES, EACH, turns);
    gsl_rng_free(rng);
    for (int32_t out = 0; out < GAMES; out++) {
        size_t n = 0;
        for (size_t i = 0; i < TURNS; i++) {
            if (turns[i].game == out)
                continue;
            x[n] = turns[i].complexity.value[0];
            y[n++] = turns[i].loss;
        }
        assert_ok(ipr_stats_pearson(x, y, n, &rho, &err), &err);
        z[out] = atanh(rho);
        mean += z[out] / GAMES;
    }
    for (size_t g = 0; g < GAMES; g++)
        ss += (z[g] - mean) * (z[g] - mean);
    for (size_t i = 0; i < TURNS; i++) {
        x[i] = turns[i].complexity.value[0];
        y[i] = turns[i].loss;
        game[i] = turns[i].game;
    }
    assert_ok(ipr_stats_correlation(x, y, game, TURNS, &c, &err), &err);
    const double se = sqrt((GAMES - 1.0) / GAMES * ss);
    assert_close(c.se, (1.0 - c.rho * c.rho) * se, 1e-10);
    assert_close(c.interval.hi, tanh(atanh(c.rho) + 2.2009851600916384 * se), 1e-10); /* t, 11 */
    assert_int_equal(c.clusters, GAMES);
    /* Every observation on its own is another error. */
    assert_ok(ipr_stats_correlation(x, y, NULL, TURNS, &c, &err), &err);
    assert_int_equal(c.clusters, TURNS);
}

static void degenerate(const struct ipr_complexity_turn *t, size_t n,
                       enum ipr_complexity_status want, struct ipr_complexity_rho *out)
{
    struct ipr_complexity_rho got[IPR_COMPLEXITY_KINDS];

    ipr_complexity_correlations(t, n, got);
    assert_int_equal(got[0].status, want);
    if (want != IPR_COMPLEXITY_OK)
        assert_close(fabs(got[0].rho.rho) + got[0].rho.se, 0.0, 0.0);
    if (out != NULL)
        *out = got[0];
}

static void test_degenerate_sets(void **state)
{
    struct ipr_complexity_turn t[4];
    struct ipr_complexity_rho r;

    (void)state;
    memset(t, 0, sizeof t);
    degenerate(NULL, 0, IPR_COMPLEXITY_NOT_AVAILABLE, NULL);
    degenerate(t, 4, IPR_COMPLEXITY_NOT_AVAILABLE, NULL);
    for (size_t i = 0; i < 4; i++) {
        t[i].complexity.known[0] = true;
        t[i].complexity.value[0] = (double)(i * i);
    }
    degenerate(t, 1, IPR_COMPLEXITY_TOO_FEW, NULL);
    degenerate(t, 4, IPR_COMPLEXITY_SAME_LOSS, NULL); /* no errors at all */
    t[1].loss = 10.0;
    degenerate(t, 4, IPR_COMPLEXITY_OK, &r); /* one game: no interval */
    assert_false(r.rho.interval_known);
    assert_close(r.rho.interval.lo, -1.0, 0.0);
    assert_close(r.rho.interval.hi, 1.0, 0.0);
    assert_int_equal(r.rho.clusters, 1);
    for (int32_t i = 0; i < 4; i++)
        t[i].game = i;
    degenerate(t, 4, IPR_COMPLEXITY_OK, &r); /* one game has the only error */
    assert_false(r.rho.interval_known);
    t[2].loss = 1.0;
    degenerate(t, 4, IPR_COMPLEXITY_OK, &r);
    assert_true(r.rho.interval_known && isfinite(r.rho.se));
    degenerate(t, 2, IPR_COMPLEXITY_OK, &r); /* two points lie on a line */
    assert_close(r.rho.rho, 1.0, 1e-15);
    assert_false(r.rho.interval_known);
    for (size_t i = 0; i < 4; i++)
        t[i].complexity.value[0] = 0.1;
    degenerate(t, 4, IPR_COMPLEXITY_SAME_INDICATOR, NULL);
    assert_string_equal(ipr_complexity_status_name(IPR_COMPLEXITY_SAME_INDICATOR),
                        "same_indicator");
    assert_string_equal(ipr_complexity_name(IPR_COMPLEXITY_SULLIVAN), "sullivan");
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof rows[0] };
    struct CMUnitTest tests[ROWS + 5] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_depth_against_time),
        cmocka_unit_test(test_order_does_not_matter),
        cmocka_unit_test(test_jackknife),
        cmocka_unit_test(test_degenerate_sets),
    };

    for (size_t i = 0; i < ROWS; i++)
        tests[5 + i] = (struct CMUnitTest){ .name = rows[i].name,
                                            .test_func = test_indicators,
                                            .initial_state = (void *)(uintptr_t)&rows[i] };
    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
