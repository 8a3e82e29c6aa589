/* Features of the estimate of strength, the score of a loss, and the fit of the chain of logits. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <string.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "lab/methods/strength_fit.h"
#include "model/strength.h"

#define MOVES 20000

static struct ipr_strength_turn turn_of(unsigned ply, int best, int second, int played)
{
    struct ipr_strength_turn t = { .ply = (uint16_t)ply, .legal = 30, .pieces = { 25, 28 } };

    for (size_t k = 0; k < IPR_STRENGTH_DEPTHS; k++) {
        t.cp[0][k] = k < 3 ? IPR_STRENGTH_NONE : (int16_t)best;
        t.cp[1][k] = (int16_t)second;
        t.cp[2][k] = (int16_t)played;
    }
    return t;
}

static void test_counts(void **state)
{
    struct ipr_strength_turn t = turn_of(16, 40, 20, 20);

    (void)state;
    assert_true(ipr_strength_counts(&t));
    t.ply = 15;
    assert_false(ipr_strength_counts(&t));
    t = turn_of(16, -501, -600, -600);
    assert_false(ipr_strength_counts(&t));
    t = turn_of(16, 500, 20, 20);
    assert_true(ipr_strength_counts(&t));
    t.repeated = true;
    assert_false(ipr_strength_counts(&t));
    t.repeated = false;
    t.legal = 1;
    assert_false(ipr_strength_counts(&t));
}

/* Depth 9 counts as much as depth 10, and not where it is unknown; a move that is better than the
 * lines loses nothing; a mate is 10 pawns. */
static void test_loss(void **state)
{
    struct ipr_strength_turn t = turn_of(20, 50, 30, 30);

    (void)state;
    assert_close(ipr_strength_loss(&t), 20, 0);
    t.cp[2][8] = 10;
    assert_close(ipr_strength_loss(&t), 30, 0);
    t.cp[2][8] = IPR_STRENGTH_NONE;
    assert_close(ipr_strength_loss(&t), 20, 0);
    t.cp[2][9] = 60;
    assert_close(ipr_strength_loss(&t), 0, 0);
    t.cp[0][9] = 9990;
    t.cp[2][9] = -9990;
    assert_close(ipr_strength_loss(&t), 2000, 0);
}

/* What was played changes no feature of its own position, only that of the next by how far the
 * evaluations before and after it agree; all are finite. */
static void test_features(void **state)
{
    struct ipr_strength_turn t[3] = { turn_of(20, 50, 30, 30), turn_of(21, -40, -45, -40),
                                      turn_of(22, 90, -200, 90) };
    double x[3][IPR_STRENGTH_FEATURES], y[3][IPR_STRENGTH_FEATURES];
    size_t differ = 0;

    (void)state;
    t[1].legal = 1;
    for (size_t k = 0; k < IPR_STRENGTH_DEPTHS; k++)
        t[1].cp[1][k] = IPR_STRENGTH_NONE;
    ipr_strength_features(t, 3, x);
    t[0].cp[2][9] = -80;
    ipr_strength_features(t, 3, y);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < IPR_STRENGTH_FEATURES; k++)
            assert_true(isfinite(x[i][k]));
    assert_memory_equal(x[0], y[0], sizeof x[0]);
    for (size_t k = 0; k < IPR_STRENGTH_FEATURES; k++)
        differ += memcmp(&x[1][k], &y[1][k], sizeof x[1][k]) != 0;
    assert_int_equal(differ, 2);
}

static struct ipr_strength_model model_of(void)
{
    struct ipr_strength_model m;

    memset(&m, 0, sizeof m);
    for (size_t k = 0; k < IPR_STRENGTH_STEPS; k++) {
        m.a[k][0] = -.3 * (double)k;
        m.a[k][5] = .5;
        m.g[k][0] = -.2;
        m.g[k][2] = .1;
    }
    return m;
}

/* P(loss > step k), given that it is above the step before. */
static double chance(const struct ipr_strength_model *m, const double *x, size_t k, double theta)
{
    double u[IPR_STRENGTH_SLOPES], z = 0;

    ipr_strength_slope(x, u);
    for (size_t i = 0; i < IPR_STRENGTH_FEATURES; i++)
        z += m->a[k][i] * x[i];
    for (size_t i = 0; i < IPR_STRENGTH_SLOPES; i++)
        z += m->g[k][i] * u[i] * theta;
    return 1 / (1 + exp(-z));
}

/* Without the opponent's turns five features are not known, those of how the evaluations before and
 * after the opponent's move agree: they become the mean. Two sums of earlier turns are of the own
 * ones; what the position says is the same. */
static void test_one_side(void **state)
{
    const struct ipr_strength_turn both[] = { turn_of(20, 50, 30, 30), turn_of(21, -90, -95, -95),
                                              turn_of(22, 90, 20, 90) },
                                   own[] = { both[0], both[2] };
    struct ipr_strength_model m = { { 0 }, { 0 }, { { 0 } }, { { 0 } } };
    double x[3][IPR_STRENGTH_FEATURES], y[2][IPR_STRENGTH_FEATURES];
    size_t unknown = 0, differ = 0;

    (void)state;
    ipr_strength_features(both, 3, x);
    ipr_strength_features(own, 2, y);
    for (size_t k = 0; k < IPR_STRENGTH_FEATURES; k++) {
        m.centre[k] = 7;
        m.scale[k] = 2;
        unknown += isnan(y[1][k]) ? 1 : 0;
        differ += !isnan(y[1][k]) && y[1][k] != x[2][k] ? 1 : 0;
        assert_true(isfinite(x[2][k]));
    }
    assert_int_equal(unknown, 5);
    assert_int_equal(differ, 2);
    double scaled[IPR_STRENGTH_FEATURES];
    memcpy(scaled, y[1], sizeof scaled);
    ipr_strength_scale(&m, scaled);
    for (size_t k = 1; k < IPR_STRENGTH_FEATURES; k++)
        assert_close(scaled[k], isnan(y[1][k]) ? 0 : (y[1][k] - 7) * 2, 0);
}

/* Over all losses the score has mean 0, and its variance is the mean information. */
static void test_score(void **state)
{
    const struct ipr_strength_model m = model_of();
    double x[IPR_STRENGTH_FEATURES] = { 1, .5 }, left = 1, mean = 0, square = 0, information = 0;

    (void)state;
    x[5] = -1.5;
    x[7] = 1;
    for (size_t k = 0; k <= IPR_STRENGTH_STEPS; k++) {
        const double loss = k < IPR_STRENGTH_STEPS ? ipr_strength_step[k] : 1000;
        const double above = k < IPR_STRENGTH_STEPS ? chance(&m, x, k, 0) : 0;
        const struct ipr_strength_score s = ipr_strength_score(&m, x, loss);

        mean += left * (1 - above) * s.score;
        square += left * (1 - above) * s.score * s.score;
        information += left * (1 - above) * s.information;
        left *= above;
    }
    assert_close(mean, 0, 1e-14);
    assert_close(square, information, 1e-14);
    assert_true(information > 0);
    assert_true(ipr_strength_score(&m, x, 0).score > 0);
}

struct play {
    double (*x)[IPR_STRENGTH_FEATURES];
    double *loss, *theta;
    bool *take;
};

static void play_fill(struct play *p, const struct ipr_strength_model *m)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    for (size_t i = 0; i < MOVES; i++) {
        size_t k = 0;

        p->x[i][0] = 1;
        p->x[i][5] = 2 * gsl_rng_uniform(rng) - 1;
        p->x[i][7] = 2 * gsl_rng_uniform(rng) - 1;
        p->theta[i] = 4 * gsl_rng_uniform(rng) - 2;
        p->take[i] = true;
        while (k < IPR_STRENGTH_STEPS && gsl_rng_uniform(rng) < chance(m, p->x[i], k, p->theta[i]))
            k++;
        p->loss[i] = k < IPR_STRENGTH_STEPS ? ipr_strength_step[k] : 1000;
    }
    gsl_rng_free(rng);
}

/* Simulated losses give back the constants; a second fit to the same moves moves nothing, and one
 * to nine tenths of them ends where Newton's method does. */
static void test_fit(void **state)
{
    const struct ipr_strength_model truth = model_of();
    struct ipr_strength_curvature *c = ipr_xcalloc(2, sizeof *c);
    struct ipr_strength_model m = { .scale = { 0 } }, again, fewer = m, refit;
    struct play p = { ipr_xcalloc(MOVES, sizeof *p.x), ipr_xcalloc(MOVES, sizeof *p.loss),
                      ipr_xcalloc(MOVES, sizeof *p.theta), ipr_xcalloc(MOVES, sizeof *p.take) };
    const struct ipr_strength_sample s = { (const double(*)[IPR_STRENGTH_FEATURES])p.x, p.loss,
                                           p.theta, p.take, MOVES };
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    gsl_set_error_handler_off();
    play_fill(&p, &truth);
    assert_ok(ipr_strength_fit(&s, NULL, &m, c, &err), &err);
    for (size_t k = 0; k < 3; k++) {
        assert_close(m.a[k][0], truth.a[k][0], .1);
        assert_close(m.a[k][5], truth.a[k][5], .15);
        assert_close(m.g[k][0], truth.g[k][0], .08);
        assert_close(m.g[k][2], truth.g[k][2], .12);
    }
    again = m;
    ipr_strength_refit(&s, NULL, c, &again);
    for (size_t i = 0; i < MOVES; i += 10)
        p.take[i] = false;
    refit = m;
    ipr_strength_refit(&s, NULL, c, &refit);
    assert_ok(ipr_strength_fit(&s, NULL, &fewer, c + 1, &err), &err);
    for (size_t k = 0; k < IPR_STRENGTH_STEPS; k++) {
        assert_close(again.a[k][5], m.a[k][5], 1e-9);
        assert_close(refit.a[k][5], fewer.a[k][5], 1e-6);
        assert_close(refit.g[k][0], fewer.g[k][0], 1e-6);
    }
    free(p.x);
    free(p.loss);
    free(p.theta);
    free(p.take);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),   cmocka_unit_test(test_loss),
        cmocka_unit_test(test_features), cmocka_unit_test(test_one_side),
        cmocka_unit_test(test_score),    cmocka_unit_test(test_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
