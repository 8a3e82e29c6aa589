/* Held to vectors/conformance.json (an independent implementation), and the domain's edges. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_vectors.h"
#include "model/conformance.h"
#include "model/conformance_game.h"
#include "model/window.h"

static void check_interval(const json_t *c, const json_t *want, struct ipr_interval got)
{
    double w[2];

    ipr_test_array(want, w, 2);
    ipr_test_near(got.lo, w[0], ipr_test_tol(c, w[0]), "low");
    ipr_test_near(got.hi, w[1], ipr_test_tol(c, w[1]), "high");
}

static void check_share(const json_t *c, const json_t *w, const json_t *wilson,
                        const struct ipr_share *s)
{
    ipr_test_near(s->share, ipr_test_num(w, "share"), ipr_test_tol(c, 1.0), "share");
    ipr_test_near(s->se, ipr_test_num(w, "se"), ipr_test_tol(c, 1.0), "se");
    ipr_test_near(s->n_eff, ipr_test_num(w, "n_eff"), 1e-6, "n_eff");
    check_interval(c, ipr_test_get(w, "interval"), s->clustered);
    check_interval(c, wilson, s->wilson);
}

static void check_summary(const json_t *c, const json_t *w, const struct ipr_conformance *got)
{
    double want[3][IPR_LOSS_CLASSES];
    double r[IPR_LOSS_CLASSES];
    double up[IPR_LOSS_CLASSES];
    struct ipr_err err = IPR_ERR_INIT;

    ipr_test_array(ipr_test_get(w, "class_counts"), want[0], IPR_LOSS_CLASSES);
    ipr_test_array(ipr_test_get(w, "R"), want[1], IPR_LOSS_CLASSES);
    ipr_test_array(ipr_test_get(w, "R_cumulative"), want[2], IPR_LOSS_CLASSES);
    assert_ok(ipr_conformance_shares(got->classes, r, up, &err), &err);
    for (int i = 0; i < IPR_LOSS_CLASSES; i++) {
        ipr_test_near(got->classes[i], want[0][i], 0.0, "class %d", i);
        ipr_test_near(r[i], want[1][i], ipr_test_tol(c, 1.0), "R %d", i);
        ipr_test_near(up[i], want[2][i], ipr_test_tol(c, 1.0), "R' %d", i);
    }
    check_share(c, ipr_test_get(w, "share_0"), ipr_test_get(w, "share_0_wilson"), &got->share_0);
    check_share(c, ipr_test_get(w, "share_030"), ipr_test_get(w, "share_030_wilson"),
                &got->share_30);
}

static void check_losses(const json_t *c, const struct ipr_conformance_params *p,
                         const struct ipr_test_turns *t, const size_t *keep, size_t n,
                         const char *name)
{
    const json_t *want = ipr_test_get(ipr_test_get(c, "expected"), name);

    assert_int_equal(n, json_array_size(want));
    for (size_t i = 0; i < n; i++) {
        const struct ipr_judged j = ipr_judged(&t->turns[keep[i]], p->order);
        const double w = json_number_value(json_array_get(want, i));
        ipr_test_near(ipr_loss(p, j.best_cp, j.played_cp), w, ipr_test_tol(c, w), "%s %zu", name,
                      i);
    }
}

static void check_case(const json_t *file, const json_t *c)
{
    const json_t *in = ipr_test_get(c, "inputs");
    const json_t *w = ipr_test_get(c, "expected");
    const struct ipr_window all = { .first_move = 10,
                                    .drop_forced = true,
                                    .order = IPR_PLAYED_LAST };
    const struct ipr_window gb = {
        .first_move = 10, .drop_forced = true, .limit_cp = 200, .order = IPR_PLAYED_LAST
    };
    struct ipr_conformance_params p = { IPR_LOSS_RAW, ipr_test_num(in, "k1"),
                                        ipr_test_num(in, "k2"), IPR_PLAYED_LAST };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_conformance got;
    struct ipr_test_turns t;
    size_t *keep;
    size_t n;

    ipr_test_turns_of(file, c, &t);
    keep = ipr_xcalloc(t.n, sizeof *keep);
    n = ipr_window_select(&gb, t.turns, t.n, keep, NULL);
    assert_int_equal(n, ipr_test_num(w, "guid_bratko_turns"));
    assert_ok(ipr_conformance(&p, t.turns, keep, n, &got, &err), &err);
    check_summary(c, ipr_test_get(w, "guid_bratko_summary"), &got);

    n = ipr_window_select(&all, t.turns, t.n, keep, NULL);
    check_losses(c, &p, &t, keep, n, "raw");
    assert_ok(ipr_conformance(&p, t.turns, keep, n, &got, &err), &err);
    check_summary(c, ipr_test_get(w, "raw_summary"), &got);
    p.loss = IPR_LOSS_WEIGHTED;
    check_losses(c, &p, &t, keep, n, "ponderated");
    assert_ok(ipr_conformance(&p, t.turns, keep, n, &got, &err), &err);
    check_summary(c, ipr_test_get(w, "ponderated_summary"), &got);
    free(keep);
    ipr_test_turns_release(&t);
}

/* Turns per class of loss in one calendar year. */
struct loss_year {
    int32_t year;
    double classes[IPR_LOSS_CLASSES];
};

/* Accumulated conformance with forgetting, from the classes of loss (A section 4.2):
 *   Q(d) = sum_{j<=y} 2^(j-y) sum_{c<=d} s(j,c) / sum_{j<=y} 2^(j-y) sum_c s(j,c) */
static void conformance_q(const struct loss_year *years, size_t n, int32_t year,
                          double q[IPR_LOSS_CLASSES])
{
    double weighted[IPR_LOSS_CLASSES] = { 0 };
    struct ipr_err err = IPR_ERR_INIT;

    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < IPR_LOSS_CLASSES && years[k].year <= year; i++)
            weighted[i] += ldexp(years[k].classes[i], years[k].year - year);
    assert_ok(ipr_conformance_shares(weighted, NULL, q, &err), &err);
}

static void check_forgetting(const json_t *c)
{
    const json_t *by_year = ipr_test_get(ipr_test_get(c, "inputs"), "class_counts_by_year");
    json_t *want = json_object_get(ipr_test_get(c, "expected"), "Q");
    struct loss_year *y = ipr_xcalloc(json_object_size(by_year), sizeof *y);
    const char *year;
    json_t *v;
    size_t n = 0;

    json_object_foreach(
        (json_t *)json_object_get(ipr_test_get(c, "inputs"), "class_counts_by_year"), year, v) {
        y[n].year = (int32_t)strtol(year, NULL, 10);
        ipr_test_array(v, y[n++].classes, IPR_LOSS_CLASSES);
    }
    json_object_foreach(want, year, v) {
        double q[IPR_LOSS_CLASSES];
        conformance_q(y, n, (int32_t)strtol(year, NULL, 10), q);
        for (size_t i = 0; i < IPR_LOSS_CLASSES; i++)
            ipr_test_near(q[i], json_number_value(json_array_get(v, i)), ipr_test_tol(c, 1.0),
                          "Q %s %zu", year, i);
    }
    free(y);
}

/* The games of a case, seen through a window. */
struct games {
    struct ipr_conformance_game *g;
    struct ipr_test_turns *turns;
    size_t n;
};

static struct games read_games(const json_t *array, const struct ipr_window *w)
{
    struct games s = { .n = json_array_size(array) };

    s.g = ipr_xcalloc(s.n, sizeof *s.g);
    s.turns = ipr_xcalloc(s.n, sizeof *s.turns);
    for (size_t i = 0; i < s.n; i++) {
        const json_t *o = json_array_get(array, i);
        size_t *keep;
        ipr_test_turns_read(ipr_test_get(o, "turns"), 20, &s.turns[i]);
        keep = ipr_xcalloc(s.turns[i].n + 1, sizeof *keep);
        s.g[i].n = ipr_window_select(w, s.turns[i].turns, s.turns[i].n, keep, NULL);
        s.g[i].turns = s.turns[i].turns;
        s.g[i].keep = keep;
        s.g[i].result = ipr_test_num(o, "result");
    }
    return s;
}

static void release_games(struct games *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free((void *)(uintptr_t)s->g[i].keep);
        ipr_test_turns_release(&s->turns[i]);
    }
    free(s->g);
    free(s->turns);
}

static void check_curve(const json_t *c, const char *name, const struct ipr_window *w,
                        enum ipr_loss loss)
{
    const json_t *in = ipr_test_get(c, "inputs");
    const json_t *want = ipr_test_get(ipr_test_get(c, "expected"), name);
    const json_t *curve = ipr_test_get(want, "curve");
    struct ipr_conformance_params p = { loss, ipr_test_num(in, "k1"), ipr_test_num(in, "k2"),
                                        IPR_PLAYED_LAST };
    struct games games = read_games(ipr_test_get(in, "games"), w);
    struct ipr_conformance_point points[256];
    double xs[256];
    const size_t m = ipr_test_array(ipr_test_get(in, "xs"), xs, 256);
    struct ipr_err err = IPR_ERR_INIT;
    double rho = 0.0;
    size_t used;

    for (size_t i = 0; i < m; i++)
        points[i].x = xs[i];
    assert_ok(ipr_conformance_curve(&p, games.g, games.n, points, m, &used, &err), &err);
    assert_int_equal(used, ipr_test_num(want, "games"));
    for (size_t i = 0; i < m; i++) {
        const json_t *o = json_array_get(curve, i);
        const double tol = ipr_test_tol(c, 1.0);
        assert_true(points[i].known);
        ipr_test_near(points[i].rho, ipr_test_num(o, "rho"), tol, "%s rho %zu", name, i);
        ipr_test_near(points[i].beta, ipr_test_num(o, "beta"), tol, "%s beta %zu", name, i);
        ipr_test_near(points[i].alpha, ipr_test_num(o, "alpha"), tol, "%s alpha %zu", name, i);
    }
    /* The search for k1, k2 does at least as well as where it starts. */
    p.loss = IPR_LOSS_WEIGHTED;
    p.k1 = 0.75;
    p.k2 = -3.3;
    points[0].x = 0.3;
    assert_ok(ipr_conformance_curve(&p, games.g, games.n, points, 1, NULL, &err), &err);
    assert_ok(ipr_conformance_fit_k(games.g, games.n, 0.3, &p, &rho, &err), &err);
    assert_true(rho >= points[0].rho - 1e-6 && p.k1 > 0.0 && p.k2 < 0.0);
    release_games(&games);
}

static void check_curves(const json_t *c)
{
    struct ipr_window w = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    struct ipr_window gb = ipr_window_default(IPR_WINDOW_GUID_BRATKO);

    w.order = gb.order = IPR_PLAYED_LAST;
    check_curve(c, "raw", &w, IPR_LOSS_RAW);
    check_curve(c, "gb", &gb, IPR_LOSS_RAW);
    check_curve(c, "ponderated", &w, IPR_LOSS_WEIGHTED);
}

static void check_loss_line(const json_t *c, const char *name, const struct ipr_loss_line *got)
{
    const json_t *w = ipr_test_get(ipr_test_get(c, "expected"), name);

    assert_true(got->known);
    assert_int_equal(got->n, ipr_test_num(w, "n"));
    ipr_test_near(got->a, ipr_test_num(w, "a"), ipr_test_tol(c, 1.0), "%s a", name);
    ipr_test_near(got->b, ipr_test_num(w, "b"), ipr_test_tol(c, 1.0), "%s b", name);
    ipr_test_near(got->b_over_a, ipr_test_num(w, "b_over_a"), ipr_test_tol(c, 1.0), "%s b/a", name);
}

static void check_loss_lines(const json_t *file, const json_t *c)
{
    struct ipr_window w = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    struct ipr_loss_line positive;
    struct ipr_loss_line negative;
    struct ipr_test_turns t;
    size_t *keep;
    size_t n;

    w.order = IPR_PLAYED_LAST;
    ipr_test_turns_of(file, c, &t);
    keep = ipr_xcalloc(t.n, sizeof *keep);
    n = ipr_window_select(&w, t.turns, t.n, keep, NULL);
    ipr_conformance_loss_lines(t.turns, keep, n, IPR_PLAYED_LAST, &positive, &negative);
    check_loss_line(c, "positive", &positive);
    check_loss_line(c, "negative", &negative);
    free(keep);
    ipr_test_turns_release(&t);
}

static void test_vectors(void **state)
{
    json_t *file = ipr_test_vectors("conformance.json");
    size_t i;
    json_t *c;

    (void)state;
    json_array_foreach(json_object_get(file, "cases"), i, c) {
        const json_t *in = ipr_test_get(c, "inputs");
        const json_t *w = ipr_test_get(c, "expected");

        if (ipr_test_has(w, "raw_summary")) {
            check_case(file, c);
        } else if (ipr_test_has(w, "Q")) {
            check_forgetting(c);
        } else if (ipr_test_has(w, "score")) {
            const double s =
                ipr_conformance_score(ipr_test_num(in, "q1"), ipr_test_num(in, "q2"),
                                      ipr_test_num(in, "alpha"), ipr_test_num(in, "beta"));
            ipr_test_near(s, ipr_test_num(w, "score"), ipr_test_tol(c, 1.0), "score");
        } else if (ipr_test_has(in, "games")) {
            check_curves(c);
        } else {
            check_loss_lines(file, c);
        }
    }
    json_decref(file);
}

static void test_edges(void **state)
{
    struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    const int16_t cp[2] = { 10, 0 };
    const struct ipr_turn one = { .game = 3, .lines = 2, .n_cp = 2, .legal = 2, .cp = cp };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_conformance c;
    double q[IPR_LOSS_CLASSES] = { 0 };

    (void)state;
    assert_int_equal(ipr_conformance(&p, NULL, NULL, 0, &c, NULL), IPR_EDATA);
    assert_int_equal(ipr_conformance_shares(q, NULL, q, NULL), IPR_EDATA);
    assert_ok(ipr_conformance(&p, &one, NULL, 1, &c, &err), &err);
    assert_close(c.share_0.share, 1.0, 0.0);
    assert_false(c.share_0.clustered_known);
    assert_close(c.share_0.clustered.lo, 0.0, 0.0);
    assert_close(c.mean_loss_se, 0.0, 0.0);
    assert_close(ipr_conformance_score(1.0, 0.0, 0.0, 3.64), 1.0, 0.0);
    p.k2 = 1.0;
    assert_int_equal(ipr_conformance(&p, &one, NULL, 1, &c, NULL), IPR_EINVAL);
}

/* Turns with two evaluations, a move that loses nothing or 0.20 or 0.50 being played. */
#define LOSSES 3
static const int16_t evaluations[LOSSES][2] = { { 10, 10 }, { 10, -10 }, { 10, -40 } };

static struct ipr_turn turn_of(int32_t game, int32_t year, unsigned loss)
{
    return (struct ipr_turn){ .game = game,
                              .year = year,
                              .ply = 40,
                              .lines = 2,
                              .n_cp = 2,
                              .played = 1,
                              .legal = 30,
                              .cp = evaluations[loss] };
}

static void check_same_share(const struct ipr_share *a, const struct ipr_share *b, double tol)
{
    assert_close(a->share, b->share, tol);
    assert_close(a->se, b->se, tol);
    assert_close(a->n_eff, b->n_eff, tol * b->n_eff);
    assert_close(a->wilson.lo, b->wilson.lo, tol);
    assert_close(a->wilson.hi, b->wilson.hi, tol);
    assert_close(a->clustered.lo, b->clustered.lo, tol);
    assert_close(a->clustered.hi, b->clustered.hi, tol);
    assert_int_equal(a->clustered_known, b->clustered_known);
    assert_int_equal(a->trials, b->trials);
    assert_int_equal(a->games, b->games);
}

#define ACCUMULATED 600
static void some_turns(struct ipr_turn *t, int32_t first, int32_t last)
{
    uint32_t x = 12345;

    for (size_t i = 0; i < ACCUMULATED; i++) {
        const int32_t game = (int32_t)(i / 20);
        x = x * 1664525u + 1013904223u;
        t[i] = turn_of(game, first + game % (last - first + 1), (x >> 16) % LOSSES);
    }
}

/* Q of the classes of loss, which is computed in another way, and the shares of a single year. */
static void accumulated_is_q(void **state)
{
    static const struct {
        double threshold;
        unsigned class;
    } at[] = { { 0.0, 0 }, { 0.2, 2 }, { 0.3, 3 }, { 0.5, 5 } };
    const struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    struct ipr_turn t[ACCUMULATED];
    struct loss_year years[4] = { { .year = 0 } };
    struct ipr_err err = IPR_ERR_INIT;
    double q[IPR_LOSS_CLASSES];
    struct ipr_share s;

    (void)state;
    some_turns(t, 1969, 1972);
    for (size_t i = 0; i < ACCUMULATED; i++) {
        const struct ipr_judged j = ipr_judged(&t[i], p.order);
        struct loss_year *y = &years[t[i].year - 1969];
        y->year = t[i].year;
        y->classes[ipr_loss_class(ipr_loss(&p, j.best_cp, j.played_cp))] += 1.0;
    }
    for (int32_t year = 1970; year <= 1974; year++) {
        conformance_q(years, 4, year, q);
        for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
            assert_ok(ipr_conformance_accumulated(&p, t, NULL, ACCUMULATED, year, at[k].threshold,
                                                  &s, &err),
                      &err);
            assert_close(s.share, q[at[k].class], 1e-13);
            assert_true(s.se > 0.0 || k == 3);
            assert_true(s.clustered.lo <= s.share && s.share <= s.clustered.hi + 1e-15);
            assert_true(s.wilson.lo <= s.share && s.share <= s.wilson.hi + 1e-15);
        }
        size_t up_to = 0;
        for (size_t i = 0; i < ACCUMULATED; i++)
            up_to += t[i].year <= year;
        assert_int_equal(s.trials, up_to);
    }
}

static void accumulated_of_one_year(void **state)
{
    struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    struct ipr_turn t[ACCUMULATED];
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_conformance c;
    struct ipr_share s, other;

    (void)state;
    some_turns(t, 1972, 1972);
    for (int loss = IPR_LOSS_RAW; loss <= IPR_LOSS_WEIGHTED; loss++) {
        p.loss = (enum ipr_loss)loss;
        assert_ok(ipr_conformance(&p, t, NULL, ACCUMULATED, &c, &err), &err);
        assert_ok(ipr_conformance_accumulated(&p, t, NULL, ACCUMULATED, 1972, 0.0, &s, &err), &err);
        check_same_share(&s, &c.share_0, 1e-12);
        assert_ok(ipr_conformance_accumulated(&p, t, NULL, ACCUMULATED, 1999, 0.3, &s, &err), &err);
        check_same_share(&s, &c.share_30, 1e-12);
    }
    /* Backwards, and the games under other numbers. */
    some_turns(t, 1969, 1972);
    assert_ok(ipr_conformance_accumulated(&p, t, NULL, ACCUMULATED, 1972, 0.3, &s, &err), &err);
    for (size_t i = 0; i < ACCUMULATED / 2; i++) {
        const struct ipr_turn swapped = t[i];
        t[i] = t[ACCUMULATED - 1 - i];
        t[ACCUMULATED - 1 - i] = swapped;
    }
    for (size_t i = 0; i < ACCUMULATED; i++)
        t[i].game = 7 * ((t[i].game * 11) % 31) - 50;
    assert_ok(ipr_conformance_accumulated(&p, t, NULL, ACCUMULATED, 1972, 0.3, &other, &err), &err);
    check_same_share(&other, &s, 1e-12);
}

/*
 * By hand: 1972 a game of two hits and a game of one hit in two, 1971 a game of one turn, no hit.
 * Weights 1, 1, 1/2: W = 4.5, Q = 3/4.5 = 2/3; the games deviate by 2/3, -1/3, -1/3; games in
 * effect 2.5^2/2.25 = 25/9, their factor 25/16; var = 25/16 * 6/9 / 20.25.
 */
static void accumulated_by_hand(void **state)
{
    const struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    struct ipr_turn t[] = { turn_of(1, 1972, 0), turn_of(1, 1972, 0), turn_of(2, 1972, 2),
                            turn_of(2, 1972, 0), turn_of(3, 1971, 1), turn_of(4, 1973, 0),
                            turn_of(5, 0, 0) };
    const size_t n = sizeof t / sizeof *t;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_share s;

    (void)state;
    assert_ok(ipr_conformance_accumulated(&p, t, NULL, n, 1972, 0.0, &s, &err), &err);
    assert_close(s.share, 2.0 / 3.0, 1e-15);
    assert_close(s.se, sqrt(25.0 / 16.0 * (6.0 / 9.0) / 20.25), 1e-15);
    assert_int_equal(s.trials, 5);
    assert_int_equal(s.games, 3);
    assert_int_equal(s.hits, 3);
    assert_true(s.clustered_known);
    /* The same years later: weights are relative. With one recent game the old ones do not make
     * up for the others that are not there. */
    struct ipr_share later;
    assert_ok(ipr_conformance_accumulated(&p, t, NULL, 5, 2026, 0.0, &later, &err), &err);
    check_same_share(&later, &s, 0.0);
    t[0].year = t[1].year = 1960;
    t[4].year = 1950;
    assert_ok(ipr_conformance_accumulated(&p, t, NULL, 5, 1972, 0.0, &s, &err), &err);
    assert_false(s.clustered_known);
    assert_close(s.clustered.hi - s.clustered.lo, 1.0, 0.0);
    assert_close(s.se, 0.0, 0.0);
}

static void accumulated_refuses(void **state)
{
    struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    const struct ipr_turn t[] = { turn_of(1, 1972, 0), turn_of(2, 0, 0) };
    struct ipr_share s = { .trials = 77 };

    (void)state;
    assert_int_equal(ipr_conformance_accumulated(&p, NULL, NULL, 0, 1972, 0.3, &s, NULL),
                     IPR_EDATA);
    assert_int_equal(ipr_conformance_accumulated(&p, t, NULL, 2, 1971, 0.3, &s, NULL), IPR_EDATA);
    assert_int_equal(ipr_conformance_accumulated(&p, t, NULL, 2, 1972, -0.1, &s, NULL), IPR_EINVAL);
    assert_int_equal(ipr_conformance_accumulated(&p, t, NULL, 2, 1972, NAN, &s, NULL), IPR_EINVAL);
    p.k1 = 0.0;
    assert_int_equal(ipr_conformance_accumulated(&p, t, NULL, 2, 1972, 0.3, &s, NULL), IPR_EINVAL);
    assert_int_equal(s.trials, 77);
    assert_int_equal(ipr_stats_weighted_share((const bool[]){ true }, (const double[]){ 0.0 },
                                              (const int32_t[]){ 1 }, 1, &s, NULL),
                     IPR_EINVAL);
}

/* 1,000 players of three years, 15 games each of 30 turns, whose games differ: shares of .45 to
 * .75. Turns taken as independent hold the truth less often. */
static void accumulated_covers(void **state)
{
    enum { SETS = 1000, GAMES = 45, EACH = 30 };
    const struct ipr_conformance_params p = IPR_CONFORMANCE_INIT;
    static struct ipr_turn t[GAMES * EACH];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_share s;
    int held = 0, independent = 0;
    double sum = 0.0;

    (void)state;
    for (int k = 0; k < SETS; k++) {
        for (int g = 0; g < GAMES; g++) {
            const double hit = 0.45 + 0.3 * gsl_rng_uniform(rng);
            for (int i = 0; i < EACH; i++)
                t[g * EACH + i] = turn_of(g, 1970 + g % 3, gsl_rng_uniform(rng) < hit ? 0 : 2);
        }
        assert_ok(
            ipr_conformance_accumulated(&p, t, NULL, (size_t)GAMES * EACH, 1972, 0.3, &s, &err),
            &err);
        held += s.clustered.lo <= 0.6 && 0.6 <= s.clustered.hi;
        independent += s.wilson.lo <= 0.6 && 0.6 <= s.wilson.hi;
        sum += s.share;
    }
    gsl_rng_free(rng);
    print_message("accumulated: %d of %d intervals by game hold the share, %d by turn\n", held,
                  SETS, independent);
    assert_true(held >= 930 && held <= 970);
    assert_true(independent < held);
    assert_close(sum / SETS, 0.6, 0.002);
}

/* Two games by hand: White loses 0 and 0.50, Black 0.20; in the other Black has no turn. */
static void test_game_differences(void **state)
{
    const int16_t cp[][2] = { { 10, 10 }, { 60, 10 }, { 0, -20 } };
    const struct ipr_conformance_params params = IPR_CONFORMANCE_INIT;
    struct ipr_turn t[3];
    double p[2];
    double r[2];

    (void)state;
    for (size_t i = 0; i < 3; i++)
        t[i] = (struct ipr_turn){
            .ply = 20, .mover = i == 2, .lines = 2, .n_cp = 2, .played = 1, .legal = 9, .cp = cp[i]
        };
    const struct ipr_conformance_game games[] = { { t, NULL, 2, 1.0 }, { t, NULL, 3, -1.0 } };
    assert_int_equal(ipr_conformance_differences(&params, games, 2, 0.0, p, r), 1);
    assert_close(p[0], 0.5, 1e-15);
    assert_close(r[0], -1.0, 0.0);
    assert_int_equal(ipr_conformance_differences(&params, games, 2, 0.2, p, r), 1);
    assert_close(p[0], -0.5, 1e-15);
    assert_int_equal(ipr_conformance_differences(&params, games, 2, 0.5, p, r), 1);
    assert_close(p[0], 0.0, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),        cmocka_unit_test(test_edges),
        cmocka_unit_test(accumulated_is_q),    cmocka_unit_test(accumulated_of_one_year),
        cmocka_unit_test(accumulated_by_hand), cmocka_unit_test(accumulated_refuses),
        cmocka_unit_test(accumulated_covers),  cmocka_unit_test(test_game_differences)
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
