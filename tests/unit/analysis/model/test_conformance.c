/* Conformance against vectors/conformance.json (an independent implementation). */
#include "conformance.h"

#include <gsl/gsl_errno.h>

#include "base/mem.h"
#include "ipr_test_vectors.h"

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
    struct ipr_conformance_params p = { .loss = IPR_LOSS_RAW,
                                        .k1 = ipr_test_num(in, "k1"),
                                        .k2 = ipr_test_num(in, "k2"),
                                        .order = IPR_PLAYED_LAST };
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

/* The games of a case, with the turns that count in a window. */
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
    struct ipr_conformance_params p = { .loss = loss,
                                        .k1 = ipr_test_num(in, "k1"),
                                        .k2 = ipr_test_num(in, "k2"),
                                        .order = IPR_PLAYED_LAST };
    struct games games = read_games(ipr_test_get(in, "games"), w);
    struct ipr_conformance_point points[256];
    double xs[256];
    const size_t m = ipr_test_array(ipr_test_get(in, "xs"), xs, 256);
    struct ipr_err err = IPR_ERR_INIT;
    double rho = 0.0;
    bool known[2];
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
    /* The search for k1, k2 ends no worse than it starts. */
    p.loss = IPR_LOSS_WEIGHTED;
    p.k1 = 0.75;
    p.k2 = -3.3;
    points[0].x = 0.3;
    assert_ok(ipr_conformance_curve(&p, games.g, games.n, points, 1, NULL, &err), &err);
    assert_ok(ipr_conformance_fit_k(games.g, games.n, 0.3, &p, &rho, known, &err), &err);
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

static void test_one_turn(void **state)
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

/* Two games by hand: White loses 0 and 0.50, Black 0.20; in the other game Black has no turn. */
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

/* A loss of 0.6 at 3 pawns is at most 0.3 up to k1 = 3, one of 0.4 at 0.3 pawns up to k1 = 0.9: the
 * side with the first wins, so k1 is between. No position is bad for the mover: k2 does nothing. */
static void test_k_that_games_do_not_determine(void **state)
{
    static const int16_t cp[2][2] = { { 300, 240 }, { 30, -10 } };
    struct ipr_conformance_params params = IPR_CONFORMANCE_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_conformance_game games[8];
    struct ipr_turn t[8][2];
    bool known[2];
    double rho;

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        for (size_t side = 0; side < 2; side++)
            t[i][side] = (struct ipr_turn){ .ply = 20,
                                            .mover = (uint8_t)side,
                                            .lines = 2,
                                            .n_cp = 2,
                                            .played = 1,
                                            .legal = 9,
                                            .cp = cp[(i + side) % 2] };
        games[i] = (struct ipr_conformance_game){ t[i], NULL, 2, i % 2 ? -1.0 : 1.0 };
    }
    assert_ok(ipr_conformance_fit_k(games, 8, 0.3, &params, &rho, known, &err), &err);
    assert_close(rho, 1.0, 1e-6);
    assert_true(known[0] && params.k1 > 0.9 && params.k1 <= 3.0);
    assert_false(known[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_one_turn),
        cmocka_unit_test(test_game_differences),
        cmocka_unit_test(test_k_that_games_do_not_determine),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
