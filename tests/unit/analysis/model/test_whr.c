/* Whole-History Rating: a published example, a real match, and properties that hold for any games.
 */
#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ipr_test.h"
#include "lab/methods/whr_at.h"
#include "model/results_shipped.h"

#define UNIT (400 / log(10))

static const struct ipr_whr_options paper = { .drift = 300, .dispersion = 1, .virtual_games = 2 };

/* Games and expected values from the tests of the Ruby package whole_history_rating (P. Schrijver),
 * whose uncertainty is 100 times the variance in natural units. */
static void test_published_example(void **state)
{
    static const double elo[] = { 92, 94, 95, 96 }, variance[] = { .71, .71, .72, .72 };
    const struct ipr_whr_game game[] = { { 0, 1, 1, 0, 1, { 0 } },
                                         { 0, 1, 2, 1, 1, { 0 } },
                                         { 0, 1, 3, 1, 1, { 0 } },
                                         { 0, 1, 4, 1, 1, { 0 } },
                                         { 0, 1, 4, 1, 1, { 0 } } };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_whr w;

    (void)state;
    assert_ok(ipr_whr_fit(game, 5, 2, &paper, &mem, &w, &err), &err);
    assert_int_equal(w.n, 8);
    for (size_t k = 0; k < 4; k++) {
        assert_close(w.strength[k].elo, elo[k], .5);
        assert_close(w.strength[k + 4].elo, -elo[k], .5);
        assert_close(pow(w.strength[k].se / UNIT, 2), variance[k], .006);
        assert_int_equal(w.strength[k].period, k + 1);
    }
    assert_close(w.strength[3].games, 2, 0);
    ipr_arena_release(&mem);
}

struct league {
    struct ipr_whr_game *game;
    size_t n, players;
};

/* Random games of players whose strengths change over twelve years. */
static struct league league_new(gsl_rng *rng, size_t players, size_t n)
{
    struct league l = { calloc(n, sizeof *l.game), n, players };

    for (size_t i = 0; i < n; i++) {
        const uint32_t a = (uint32_t)gsl_rng_uniform_int(rng, players);
        const uint32_t b =
            (a + 1 + (uint32_t)gsl_rng_uniform_int(rng, players - 1)) % (uint32_t)players;
        const double e = ipr_whr_expect(40.0 * a - 40.0 * b + 35, 0, &(double){ 0 });
        const double u = gsl_rng_uniform(rng), draw = fmin(.4, 2 * fmin(e, 1 - e));

        l.game[i] = (struct ipr_whr_game){ a,
                                           b,
                                           1990 + (int32_t)gsl_rng_uniform_int(rng, 12),
                                           u < e - draw / 2   ? 1
                                           : u < e + draw / 2 ? .5
                                                              : 0,
                                           1,
                                           { 0 } };
    }
    return l;
}

/* Derivative of the log posterior by strength k, from its definition. */
static double slope_at(const struct ipr_whr *w, const struct league *l,
                       const struct ipr_whr_options *o, size_t k)
{
    const struct ipr_whr_strength *s = &w->strength[k];
    const double unit = UNIT / (1 + o->draw / 2);
    double v, sum = o->virtual_games * (.5 - ipr_whr_expect(s->elo, o->draw, &v)) / o->dispersion;

    if (k > w->first[s->player]) {
        sum = 0;
        sum -= unit * (s->elo - s[-1].elo) / (o->drift * (s->period - s[-1].period));
    }
    if (k + 1 < w->first[s->player + 1])
        sum += unit * (s[1].elo - s->elo) / (o->drift * (s[1].period - s->period));
    for (size_t i = 0; i < l->n; i++) {
        const struct ipr_whr_game *g = &l->game[i];
        double elo[2] = { 0, 0 };

        if (g->period != s->period || (g->white != s->player && g->black != s->player))
            continue;
        for (size_t j = 0; j < w->n; j++)
            if (w->strength[j].period == g->period)
                elo[w->strength[j].player == g->white] +=
                    w->strength[j].player == g->white || w->strength[j].player == g->black
                        ? w->strength[j].elo
                        : 0;
        sum += (g->white == s->player ? 1 : -1) * g->weight / o->dispersion *
               (g->points - ipr_whr_expect(elo[1] - elo[0] + w->white, o->draw, &v));
    }
    return sum;
}

/* For random games, with and without Davidson's draws: the gradient of the log posterior is 0 at
 * the strengths; successive periods are correlated; the same input gives identical bits; two games
 * of half the weight count as one; reversing all results changes the signs of the strengths. */
static void test_properties(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    (void)state;
    for (int round = 0; round < 12; round++) {
        struct league l = league_new(rng, 3 + gsl_rng_uniform_int(rng, 9), 150);
        struct league halves = { calloc(2 * l.n, sizeof *l.game), 2 * l.n, l.players };
        const struct ipr_whr_options o = { .drift = 50 << round % 6,
                                           .draw = round % 2 * 1.5,
                                           .dispersion = round % 3 == 0 ? .5 : 1,
                                           .virtual_games = 1 + round % 2,
                                           .white = 35,
                                           .white_sd = round % 4 == 0 ? 0 : 20 };
        struct ipr_whr_options turned = o;
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_whr w, again;

        assert_ok(ipr_whr_fit(l.game, l.n, l.players, &o, &mem, &w, &err), &err);
        for (size_t k = 0; k < w.n; k++) {
            const bool last = k + 1 == w.first[w.strength[k].player + 1];

            assert_close(slope_at(&w, &l, &o, k), 0, 1e-4);
            assert_true(w.strength[k].se > 0 && (w.strength[k].covariance > 0) == !last);
            if (!last)
                assert_true(w.strength[k].covariance < w.strength[k].se * w.strength[k + 1].se);
        }
        assert_ok(ipr_whr_fit(l.game, l.n, l.players, &o, &mem, &again, &err), &err);
        assert_memory_equal(w.strength, again.strength, w.n * sizeof *w.strength);
        for (size_t i = 0; i < halves.n; i++) {
            halves.game[i] = l.game[i / 2];
            halves.game[i].weight = .5;
        }
        assert_ok(ipr_whr_fit(halves.game, halves.n, l.players, &o, &mem, &again, &err), &err);
        for (size_t k = 0; k < w.n; k++)
            assert_close(again.strength[k].elo, w.strength[k].elo, 1e-3);
        for (size_t i = 0; i < l.n; i++)
            l.game[i].points = 1 - l.game[i].points;
        turned.white = -o.white;
        assert_ok(ipr_whr_fit(l.game, l.n, l.players, &turned, &mem, &again, &err), &err);
        for (size_t k = 0; k < w.n; k++)
            assert_close(again.strength[k].elo, -w.strength[k].elo, 1e-3);
        assert_close(again.white, -w.white, 1e-3);
        free(l.game);
        free(halves.game);
        ipr_arena_release(&mem);
    }
    gsl_rng_free(rng);
}

/* Two periods of a player with drawn games: the inverse of the Hessian computed by hand. */
static void test_errors(void **state)
{
    const struct ipr_whr_game game[] = { { 0, 1, 0, .5, 1, { 0 } }, { 0, 1, 4, .5, 1, { 0 } } };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_whr w;
    const double c = UNIT * UNIT / (4 * paper.drift), a = .75 + c, b = .25 + c;

    (void)state;
    assert_ok(ipr_whr_fit(game, 2, 2, &paper, &mem, &w, &err), &err);
    assert_close(pow(w.strength[0].se / UNIT, 2), b / (a * b - c * c), 1e-9);
    assert_close(pow(w.strength[1].se / UNIT, 2), a / (a * b - c * c), 1e-9);
    assert_close(w.strength[0].covariance / (UNIT * UNIT), c / (a * b - c * c), 1e-9);
    ipr_arena_release(&mem);
}

/* At a period with games it is that period's strength; halfway between two the mean, with a larger
 * variance; outside the drift is added to the variance. */
static void test_interpolation(void **state)
{
    const struct ipr_whr_strength s[] = {
        { .period = 1950, .elo = 100, .se = 30, .covariance = 500 },
        { .period = 1960, .elo = 200, .se = 40 },
    };
    struct ipr_whr_at at = ipr_whr_at(s, 2, 1960, 50);

    (void)state;
    assert_close(at.elo, 200, 0);
    assert_close(at.se, 40, 1e-12);
    at = ipr_whr_at(s, 2, 1955, 50);
    assert_close(at.elo, 150, 1e-12);
    assert_close(at.se, sqrt((900.0 + 1600 + 2 * 500) / 4 + 50 * 2.5), 1e-12);
    at = ipr_whr_at(s, 2, 1964, 50);
    assert_close(at.elo, 200, 0);
    assert_close(at.se, sqrt(1600 + 200), 1e-12);
    at = ipr_whr_at(s, 2, 1946, 50);
    assert_close(at.se, sqrt(900 + 200), 1e-12);
}

/* Two players and one drawn game: the strengths at which the known rating of White, the game and
 * the virtual draws balance. Those of Black are against an opponent 200 below White's rating, and
 * those of White 150 below the mean of all ratings. */
static void test_known_ratings(void **state)
{
    const struct ipr_whr_game game = { 0, 1, 2000, .5, 1, { 2600, 0 } };
    struct ipr_whr_options o = paper;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_whr w;
    double v;

    (void)state;
    o.level = 2420;
    o.elo_sd = 120;
    o.below = 200;
    o.below_all = 150;
    assert_ok(ipr_whr_fit(&game, 1, 2, &o, &mem, &w, &err), &err);
    const double white = w.strength[0].elo, black = w.strength[1].elo;
    const double drawn = .5 - ipr_whr_expect(white - black, 0, &v);

    assert_close(drawn + 2 * (.5 - ipr_whr_expect(white - 2450, 0, &v)) +
                     UNIT * (2600 - white) / (120 * 120),
                 0, 1e-6);
    assert_close(-drawn + 2 * (.5 - ipr_whr_expect(black - 2400, 0, &v)), 0, 1e-6);
    assert_close(w.strength[0].known, 2600, 0);
    assert_close(w.strength[0].rated, 0, 0);
    assert_true(isnan(w.strength[1].known));
    assert_close(w.strength[1].rated, 1, 1e-9);
    o.elo_sd = 0; /* they do not count */
    assert_ok(ipr_whr_fit(&game, 1, 2, &o, &mem, &w, &err), &err);
    assert_close(w.strength[0].elo, 2420, 1e-6);
    assert_close(w.strength[1].elo, 2420, 1e-6);
    ipr_arena_release(&mem);
}

/* Of the four years between two games three have four times the drift, as thirteen years have. */
static void test_first_years(void **state)
{
    struct ipr_whr_game game[] = { { 0, 1, 0, 1, 1, { 0 } }, { 0, 1, 4, 0, 1, { 0 } } };
    struct ipr_whr_options o = paper;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_whr early, late;

    (void)state;
    o.early = 4;
    o.early_periods = 3;
    assert_ok(ipr_whr_fit(game, 2, 2, &o, &mem, &early, &err), &err);
    game[1].period = 13;
    assert_ok(ipr_whr_fit(game, 2, 2, &paper, &mem, &late, &err), &err);
    for (size_t k = 0; k < 4; k++)
        assert_close(early.strength[k].elo, late.strength[k].elo, 1e-6);
    ipr_arena_release(&mem);
}

static void test_refusals(void **state)
{
    struct ipr_whr_game game = { 0, 1, 1, .5, 1, { 0 } };
    struct ipr_whr_options o = paper;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_whr w;

    (void)state;
    game.weight = 0;
    assert_int_equal(ipr_whr_fit(&game, 1, 2, &o, &mem, &w, NULL), IPR_EDATA);
    game.weight = 1;
    game.points = .25;
    assert_int_equal(ipr_whr_fit(&game, 1, 2, &o, &mem, &w, NULL), IPR_EINVAL);
    game.points = 1;
    assert_int_equal(ipr_whr_fit(&game, 1, 1, &o, &mem, &w, NULL), IPR_EINVAL);
    game.black = 0;
    assert_int_equal(ipr_whr_fit(&game, 1, 2, &o, &mem, &w, NULL), IPR_EINVAL);
    game.black = 1;
    o.drift = 0;
    assert_int_equal(ipr_whr_fit(&game, 1, 2, &o, &mem, &w, NULL), IPR_EINVAL);
    o = paper;
    o.virtual_games = 0;
    assert_int_equal(ipr_whr_fit(&game, 1, 2, &o, &mem, &w, NULL), IPR_EINVAL);
    o = paper;
    o.elo_sd = -1;
    assert_int_equal(ipr_whr_fit(&game, 1, 2, &o, &mem, &w, NULL), IPR_EINVAL);
    o = paper;
    o.early_periods = 1; /* and `early` 0 */
    assert_int_equal(ipr_whr_fit(&game, 1, 2, &o, &mem, &w, NULL), IPR_EINVAL);
    o = paper;
    o.white = -3e5;
    assert_int_equal(ipr_whr_fit(&game, 1, 2, &o, &mem, &w, NULL), IPR_EINVAL);
    o = paper;
    game.period = INT32_MIN;
    assert_int_equal(ipr_whr_fit(&game, 1, 2, &o, &mem, &w, NULL), IPR_EINVAL);
    game.period = 1;
    o.drift = 1e-310; /* 1 / drift overflows */
    assert_int_equal(ipr_whr_fit((struct ipr_whr_game[]){ game, { 0, 1, 2, 0, 1, { 0 } } }, 2, 2,
                                 &o, &mem, &w, NULL),
                     IPR_ENOCONV);
    ipr_arena_release(&mem);
}

/* The match of 1972 without its forfeited second game (player 0 Spassky, 1 Fischer) and without
 * White's advantage. The maximum is at strengths of -d and d, where 20 (.625 - E(2d)) =
 * 2 (E(d) - .5). */
static void test_match_of_1972(void **state)
{
    static const double white[] = { 1,  0, .5, 0,  1,  .5, 1,  .5, 1,  1,
                                    .5, 0, .5, .5, .5, .5, .5, .5, .5, 0 };
    static const int fischer_white[] = {
        0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0
    };
    struct ipr_whr_game game[20];
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_whr w;
    struct ipr_whr_options o = ipr_results_shipped.history;
    double points = 0;

    (void)state;
    o.white = o.white_sd = o.level = 0;
    for (size_t i = 0; i < 20; i++)
        game[i] = (struct ipr_whr_game){
            fischer_white[i] ? 1 : 0, fischer_white[i] ? 0 : 1, 1972, white[i], 1, { 0 }
        };
    for (size_t i = 0; i < 20; i++)
        points += fischer_white[i] ? white[i] : 1 - white[i];
    assert_close(points, 12.5, 0);
    assert_ok(ipr_whr_fit(game, 20, 2, &o, &mem, &w, &err), &err);
    assert_close(w.strength[1].elo, -w.strength[0].elo, 1e-3);
    assert_close(w.strength[1].elo, 42.1, .1);
    ipr_arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_example),
        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_interpolation),
        cmocka_unit_test(test_known_ratings),
        cmocka_unit_test(test_first_years),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_match_of_1972),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
