/* Chances of win, draw and loss: the shipped model against real games, matches, and the fit. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

#include "ipr_test.h"
#include "lab/methods/outcome_fit.h"
#include "lab/methods/outcome_match.h"
#include "model/results_shipped.h"

static const struct ipr_outcome_model *const shipped = &ipr_results_shipped.outcome;

static struct ipr_outcome exact(double white, double black, double year)
{
    return ipr_outcome_game(shipped, &(struct ipr_outcome_side){ white, 0 },
                            &(struct ipr_outcome_side){ black, 0 }, year);
}

static double points_of(struct ipr_outcome o)
{
    return o.win + o.draw / 2;
}

/* In games of twenty champions 65 % are drawn if the difference is below 50 Elo, 38 % if it is 200
 * to 250 Elo. */
static void test_shares_in_real_games(void **state)
{
    const struct ipr_outcome even = exact(2640, 2640, 1998);
    const struct ipr_outcome better = exact(2725, 2500, 1998), worse = exact(2500, 2725, 1998);

    (void)state;
    assert_close(even.draw, .65, .06);
    assert_true(even.win > even.loss + .05);
    assert_close((better.draw + worse.draw) / 2, .40, .05);
    assert_true(better.win > .45 && worse.loss > .35);
}

/* Title matches with known Elo: the score is in the interval and the favourite has better chances.
 */
static void test_title_matches(void **state)
{
    static const struct {
        double year, first, second, points;
        unsigned white, black;
    } match[] = {
        { 1972, 2785, 2660, 12.5, 9, 11 },  /* Fischer, Spassky; without the forfeited game */
        { 1978, 2725, 2665, 16.5, 16, 16 }, /* Karpov, Korchnoi */
        { 1985, 2700, 2720, 11, 12, 12 },   /* Karpov, Kasparov */
        { 2013, 2870, 2775, 6.5, 5, 5 },    /* Carlsen, Anand */
    };
    double chance[65];

    (void)state;
    for (size_t i = 0; i < sizeof match / sizeof *match; i++) {
        const struct ipr_outcome_side a = { match[i].first, 30 }, b = { match[i].second, 30 };
        struct ipr_outcome_match o;
        struct ipr_err err = IPR_ERR_INIT;

        assert_ok(ipr_outcome_match(shipped, &a, &b, match[i].year, match[i].white, match[i].black,
                                    chance, &o, &err),
                  &err);
        assert_true(o.points_interval.lo <= match[i].points &&
                    match[i].points <= o.points_interval.hi);
        assert_true((a.elo > b.elo) == (o.outcome.win > o.outcome.loss));
    }
}

static double any(gsl_rng *rng, double lo, double hi)
{
    return lo + (hi - lo) * gsl_rng_uniform(rng);
}

/* Expected points by integration with the trapezoidal rule. */
static double integral(const struct ipr_outcome_side *w, const struct ipr_outcome_side *b,
                       double year)
{
    double sum = 0, all = 0;

    for (int i = -60; i <= 60; i++)
        for (int k = -60; k <= 60; k++) {
            const double x = i / 10.0, y = k / 10.0, weight = exp(-(x * x + y * y) / 2);

            sum += weight * points_of(exact(w->elo + x * w->se, b->elo + y * b->se, year));
            all += weight;
        }
    return sum / all;
}

/* For random players and years: probabilities sum to 1; a stronger White expects more points; with
 * errors of strength the expected points equal the integral; exchanging the players of a match
 * reverses the distribution of its score. */
static void test_properties(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    (void)state;
    for (int round = 0; round < 300; round++) {
        const struct ipr_outcome_side a = { any(rng, 1800, 2900), any(rng, 0, 80) };
        const struct ipr_outcome_side b = { a.elo + any(rng, -400, 400), any(rng, 0, 80) };
        const double year = any(rng, 1900, 2040);
        const unsigned white = (unsigned)gsl_rng_uniform_int(rng, 9), black = 1 + white / 2;
        const struct ipr_outcome o = ipr_outcome_game(shipped, &a, &b, year);
        double p[40], q[40], sum = 0, mean = 0;
        struct ipr_outcome_match m, mirror;
        struct ipr_err err = IPR_ERR_INIT;

        assert_close(o.win + o.draw + o.loss, 1, 1e-9);
        assert_true(o.win > 0 && o.draw > 0 && o.loss > 0);
        assert_true(points_of(exact(a.elo + 50, b.elo, year)) >
                    points_of(exact(a.elo, b.elo, year)));
        if (round % 30 == 0)
            assert_close(points_of(o), integral(&a, &b, year), 2e-4);
        assert_ok(ipr_outcome_match(shipped, &a, &b, year, white, black, p, &m, &err), &err);
        assert_ok(ipr_outcome_match(shipped, &b, &a, year, black, white, q, &mirror, &err), &err);
        for (unsigned k = 0; k <= 2 * (white + black); k++) {
            assert_close(p[k], q[2 * (white + black) - k], 1e-12);
            sum += p[k];
            mean += p[k] * k / 2.0;
        }
        assert_close(sum, 1, 1e-9);
        assert_close(mean,
                     white * points_of(o) +
                         black * (1 - points_of(ipr_outcome_game(shipped, &b, &a, year))),
                     1e-9);
        assert_close(m.points, mean, 1e-12);
        assert_close(m.outcome.win, mirror.outcome.loss, 1e-12);
        assert_true(m.points_interval.lo <= m.points && m.points <= m.points_interval.hi);
    }
    gsl_rng_free(rng);
}

/* An error of strength is the same in all games of a match, so the score varies more than with
 * independent errors. */
static void test_shared_errors(void **state)
{
    const struct ipr_outcome_side sure = { 2700, 0 }, vague = { 2700, 100 };
    double chance[201];
    struct ipr_outcome_match a, b;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_ok(ipr_outcome_match(shipped, &sure, &sure, 2000, 50, 50, chance, &a, &err), &err);
    assert_ok(ipr_outcome_match(shipped, &vague, &vague, 2000, 50, 50, chance, &b, &err), &err);
    assert_close(a.points, 50, 1e-9);
    assert_close(b.points, 50, 1e-9);
    assert_true(b.sd > 2 * a.sd);
}

static void test_extrapolated(void **state)
{
    (void)state;
    assert_false(ipr_outcome_extrapolated(2700, 2500, 1971));
    assert_true(ipr_outcome_extrapolated(2700, 2500, 1970));
    assert_true(ipr_outcome_extrapolated(2900, 2900, 2000));
    assert_true(ipr_outcome_extrapolated(2000, 2500, 2000));
    assert_close(exact(2700, 2600, 1925).draw, exact(2700, 2600, 1971).draw, 0);
}

static void test_match_refusals(void **state)
{
    const struct ipr_outcome_side a = { 2700, 30 }, bad = { 2700, -1 }, nan = { NAN, 30 };
    double chance[2 * IPR_OUTCOME_GAMES + 1];
    struct ipr_outcome_match o;

    (void)state;
    assert_int_equal(ipr_outcome_match(shipped, &a, &a, 2000, 0, 0, chance, &o, NULL), IPR_EINVAL);
    assert_int_equal(ipr_outcome_match(shipped, &a, &bad, 2000, 1, 0, chance, &o, NULL),
                     IPR_EINVAL);
    assert_int_equal(ipr_outcome_match(shipped, &nan, &a, 2000, 1, 0, chance, &o, NULL),
                     IPR_EINVAL);
    assert_int_equal(
        ipr_outcome_match(shipped, &a, &a, 2000, IPR_OUTCOME_GAMES, 1, chance, &o, NULL),
        IPR_EINVAL);
}

enum { GAMES = 40000 };

/* Random games drawn from the model. */
static struct ipr_outcome_result *league(const struct ipr_outcome_model *model)
{
    struct ipr_outcome_result *game = calloc(GAMES, sizeof *game);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    for (size_t i = 0; i < GAMES; i++) {
        const double level = any(rng, 2300, 2800), d = any(rng, -400, 400), u = any(rng, 0, 1);
        struct ipr_outcome_result *g = &game[i];
        double term[IPR_OUTCOME_TERMS], m, t;
        struct ipr_outcome o;

        *g = (struct ipr_outcome_result){ level + d / 2, level - d / 2, any(rng, 1975, 2020), 0 };
        ipr_outcome_terms(g->white, g->black, g->year, term);
        ipr_outcome_predictors(model, term, &m, &t);
        o = ipr_outcome_link(model, m, t);
        g->halves = u < o.win ? 2 : u < o.win + o.draw ? 1 : 0;
    }
    gsl_rng_free(rng);
    return game;
}

static double log_likelihood(const struct ipr_outcome_result *game,
                             const struct ipr_outcome_model *model)
{
    double sum = 0;

    for (size_t i = 0; i < GAMES; i++) {
        double term[IPR_OUTCOME_TERMS], m, t;
        struct ipr_outcome o;

        ipr_outcome_terms(game[i].white, game[i].black, game[i].year, term);
        ipr_outcome_predictors(model, term, &m, &t);
        o = ipr_outcome_link(model, m, t);
        sum += log(game[i].halves == 2 ? o.win : game[i].halves == 1 ? o.draw : o.loss);
    }
    return sum;
}

/* With both links the fit recovers the true terms, and its likelihood is a local maximum. */
static void test_fit(void **state)
{
    static const size_t used[] = { 0, 1, 6, 9, 11, 15 };
    static const double value[] = { .7, .3, .4, .1, .05, -.06 };

    (void)state;
    for (int davidson = 0; davidson < 2; davidson++) {
        struct ipr_outcome_model truth = { .davidson = davidson != 0 }, m = truth;
        bool use[IPR_OUTCOME_TERMS] = { false };
        struct ipr_outcome_result *game;
        struct ipr_err err = IPR_ERR_INIT;
        double top;

        for (size_t k = 0; k < 6; k++) {
            use[used[k]] = true;
            truth.term[used[k]] = value[k];
        }
        game = league(&truth);
        assert_ok(ipr_outcome_fit(game, NULL, GAMES, use, &m, &err), &err);
        top = log_likelihood(game, &m);
        for (size_t k = 0; k < IPR_OUTCOME_TERMS; k++) {
            struct ipr_outcome_model other = m;

            assert_close(m.term[k], truth.term[k], use[k] ? .05 : 0);
            for (int sign = -1; sign <= 1 && use[k]; sign += 2) {
                other.term[k] = m.term[k] + sign * 1e-3;
                assert_true(log_likelihood(game, &other) < top);
            }
        }
        free(game);
    }
}

static void test_fit_refusals(void **state)
{
    const struct ipr_outcome_result game[] = { { 2600, 2600, 2000, 1 }, { 2600, 2600, 2000, 2 } };
    const bool none[2] = { false, false }, use[IPR_OUTCOME_TERMS] = { true, true, [6] = true };
    struct ipr_outcome_model m = { .davidson = false };

    (void)state;
    assert_int_equal(ipr_outcome_fit(game, none, 2, use, &m, NULL), IPR_EDATA);
    assert_int_equal(ipr_outcome_fit(game, NULL, 2, use, &m, NULL), IPR_EDATA);
    assert_int_equal(ipr_outcome_fit(&game[1], NULL, 1, use, &m, NULL), IPR_EDATA);
    assert_int_equal(
        ipr_outcome_fit(&(struct ipr_outcome_result){ NAN, 2600, 2000, 1 }, NULL, 1, use, &m, NULL),
        IPR_EINVAL);
    assert_int_equal(ipr_outcome_fit(&(struct ipr_outcome_result){ 2600, 2600, 2000, 3 }, NULL, 1,
                                     use, &m, NULL),
                     IPR_EINVAL);
    assert_close(m.term[6], 0, 0);
}

/* If all games are drawn there is no finite maximum. */
static void test_fit_without_decisive_games(void **state)
{
    struct ipr_outcome_result game[20];
    const bool use[IPR_OUTCOME_TERMS] = { true, true, [6] = true };

    (void)state;
    for (int i = 0; i < 20; i++)
        game[i] = (struct ipr_outcome_result){ 2500 + 10 * i, 2600, 2000, 1 };
    for (int davidson = 0; davidson < 2; davidson++) {
        struct ipr_outcome_model m = { .davidson = davidson != 0 };
        const enum ipr_code rc = ipr_outcome_fit(game, NULL, 20, use, &m, NULL);

        assert_true(rc == IPR_ENOCONV || rc == IPR_EDATA);
        assert_close(m.term[6], 0, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares_in_real_games),
        cmocka_unit_test(test_title_matches),
        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_shared_errors),
        cmocka_unit_test(test_extrapolated),
        cmocka_unit_test(test_match_refusals),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_fit_refusals),
        cmocka_unit_test(test_fit_without_decisive_games),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
