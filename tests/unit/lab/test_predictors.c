/* Predictors of results: nothing of the year of a game or later enters its prediction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "lab/names.h"
#include "lab/predictors/table.h"

enum { STRONG, WEAK, PERSONS };

/* Moves of a person in a year: every `often`-th loses 80 centipawns. No evaluation is 0. */
static void add_moves(struct predictors_person *p, int year, size_t n, size_t often)
{
    for (size_t i = 0; i < n; i++) {
        const int16_t best = (int16_t)(2 * (int)(i * 37 % 250) - 249);
        const struct ipr_turn turn = { .game = (int32_t)(year * 100 + (int)i / 30),
                                       .year = year,
                                       .ply = 30,
                                       .mover = (uint8_t)(i / 30 % 2),
                                       .lines = 2,
                                       .n_cp = 2,
                                       .played = 1,
                                       .legal = 30 };

        predictors_moves_add(&p->moves, turn, best, i % often == 0 ? (int16_t)(best - 80) : best);
    }
    predictors_year(p, year)->turns += n;
    predictors_year(p, year)->score += 1;
    predictors_year(p, year)->information += 2;
    for (size_t i = 0; i < p->moves.n; i++)
        p->moves.turn[i].cp = p->moves.cp[i];
}

/* Games of 1990 and 1991; moves of 1989 and 1990. */
static struct predictors_games games_new(void)
{
    static const struct predictors_game games[] = {
        { .year = 1990, .person = { STRONG, WEAK }, .elo = { 0, 0 }, .score = 1 },
        { .year = 1990, .person = { WEAK, STRONG }, .elo = { 2400, 2600 }, .score = 0.5 },
        { .year = 1991, .person = { STRONG, WEAK }, .elo = { 2600, 2400 }, .score = 1 },
        { .year = 1991, .person = { STRONG, WEAK }, .elo = { 2600, 2400 }, .score = -1 },
    };
    struct predictors_games g = { .n = sizeof games / sizeof *games, .persons = PERSONS };

    g.game = ipr_xcalloc(g.n, sizeof *g.game);
    memcpy(g.game, games, sizeof games);
    g.person = ipr_xcalloc(g.persons, sizeof *g.person);
    add_moves(&g.person[STRONG], 1989, PREDICTORS_TURNS, 12);
    add_moves(&g.person[STRONG], 1990, PREDICTORS_TURNS - 1, 12);
    add_moves(&g.person[WEAK], 1989, PREDICTORS_TURNS, 3);
    add_moves(&g.person[WEAK], 1990, PREDICTORS_TURNS, 3);
    return g;
}

static struct predictors_pools pools_new(void)
{
    struct predictors_pools pools = { .all = ipr_xcalloc(19 * 19, sizeof *pools.all),
                                      .intercept = 2900,
                                      .slope = -30 };
    struct predictors_person p = { 0 };

    for (size_t k = 0; k < 19; k++) /* where a chain begins: the class of 0, which nobody visits */
        pools.all[9 * 19 + k] = 1;
    add_moves(&p, 1801, 600, 5);
    for (size_t i = 0; i < p.moves.n; i++)
        p.moves.turn[i].year = 1;
    pools.pool[predictors_pool_of(2600)] = p.moves;
    return pools;
}

static size_t units_of(struct predictors_games *g, struct predictors_unit **units)
{
    struct predictors_pools pools = pools_new();
    struct ipr_err err = IPR_ERR_INIT;
    size_t n = 0;

    assert_int_equal(predictors_units(g, &pools, units, &n, &err), IPR_OK);
    predictors_pools_free(&pools);
    return n;
}

static void test_units(void **state)
{
    struct predictors_games g = games_new();
    struct predictors_unit *u = NULL;

    (void)state;
    /* Of 1991 the stronger one does not take part, with one move too few; one game has no result.
     */
    assert_int_equal(units_of(&g, &u), 3);
    assert_true(u[0].both && u[0].first == STRONG && u[0].white);
    assert_true(isnan(u[0].p[PREDICTOR_ELO]));
    assert_true(u[1].both && u[1].first == WEAK && u[1].white && u[1].score == 0.5);
    assert_true(fabs(u[1].p[PREDICTOR_ELO] - 0.2402530734) < 1e-9);
    assert_true(!u[2].both && u[2].first == WEAK && !u[2].white && u[2].score == 0);
    for (enum predictor k = PREDICTOR_LOSS; k < PREDICTORS; k++) {
        if (k == PREDICTOR_MARKOV_IDENTITY) /* without a pool it stays where it begins */
            continue;
        assert_true(u[0].p[k] > 0.5);
        assert_true(u[1].p[k] < 0.5);
        assert_true(u[2].p[k] > 0 && u[2].p[k] < 0.5);
    }
    free(u);
    predictors_games_free(&g);
}

static void test_later_moves_change_nothing(void **state)
{
    struct predictors_games g = games_new(), h = games_new();
    struct predictors_unit *u = NULL, *v = NULL;

    (void)state;
    add_moves(&h.person[STRONG], 1990, 1000, 2);
    add_moves(&h.person[STRONG], 1991, 1000, 2);
    add_moves(&h.person[WEAK], 1991, 1000, 40);
    (void)units_of(&g, &u);
    (void)units_of(&h, &v);
    for (size_t i = 0; i < 2; i++) /* the games of 1990 */
        for (enum predictor k = PREDICTOR_RATING; k < PREDICTORS; k++)
            assert_true(u[i].p[k] == v[i].p[k]);
    free(u);
    free(v);
    predictors_games_free(&g);
    predictors_games_free(&h);
}

/* 400 games a year, of a predictor whose logits are half of what they should be. */
static struct table table_of(struct predictors_unit *units, size_t n, double last)
{
    static const struct column column = { "x", "x", PREDICTOR_ELO, PREDICTORS };
    struct table t = {
        .unit = ipr_xcalloc(n, sizeof *t.unit), .n = n, .column = &column, .columns = 1
    };

    for (size_t i = 0; i < n; i++) {
        const double x = (double)(i % 20) / 10 - 0.95, p = 1 / (1 + exp(-2 * x));

        units[i] = (struct predictors_unit){ .year = 1990 + (int)(i / 400),
                                             .white = i % 2 == 0,
                                             .score = i < 800 ? p : last };
        units[i].p[PREDICTOR_ELO] = 1 / (1 + exp(-x));
        t.unit[i] = &units[i];
    }
    t.scored = ipr_xcalloc(n, sizeof *t.scored);
    t.raw = ipr_xcalloc(n, sizeof *t.raw);
    t.correct = ipr_xcalloc(n, sizeof *t.correct);
    table_correct(&t, 0);
    return t;
}

static void table_drop(struct table *t)
{
    free(t->unit);
    free(t->scored);
    free(t->raw);
    free(t->correct);
}

static void test_correction(void **state)
{
    static struct predictors_unit units[1200], others[1200];
    struct table t = table_of(units, 1200, 0), same = table_of(others, 1200, 1);

    (void)state;
    for (size_t i = 0; i < 1200; i++) {
        assert_int_equal(isfinite(t.correct[i]), i >= 400);
        if (i >= 400 && i < 800) /* the slope of 2 is found from the year before */
            assert_true(fabs(t.correct[i] - units[i].score) < 1e-3);
        if (i >= 400) /* and no result of the same year or later is used */
            assert_true(t.correct[i] == same.correct[i]);
    }
    table_drop(&t);
    table_drop(&same);
}

/* Ten matches of four games at equal Elo: five drawn 2 : 2, five won 4 : 0. Always 50 % expects the
 * former; half a point more or less than so lopsided a score needs large errors. */
static void test_contained(void **state)
{
    enum { MATCHES = 10, GAMES = 4, N = MATCHES * GAMES };
    static const struct column column = { "x", "x", PREDICTOR_ELO, PREDICTORS };
    struct predictors_unit units[N] = { 0 };
    const struct predictors_unit *unit[N];
    double raw[N];
    bool scored[N];
    const struct table t = {
        .unit = unit, .n = N, .scored = scored, .raw = raw, .column = &column, .columns = 1
    };

    (void)state;
    for (size_t i = 0; i < N; i++) {
        units[i] = (struct predictors_unit){ .first = 0,
                                             .second = 1 + i / GAMES,
                                             .year = 1990,
                                             .elo = { 2600, 2600 },
                                             .score = i / GAMES < 5 ? 0.5 : 1 };
        units[i].error[PREDICTOR_ELO] = 300;
        unit[i] = &units[i];
        raw[i] = 0.5;
        scored[i] = true;
    }
    assert_close(table_contained(&t, 0, false), 0.5, 1e-12);
    assert_close(table_contained(&t, 0, true), 1, 1e-12);
}

/* One of the calibration's games has the same year, players, Elo and result; the other players are
 * other ones, of the same surname, and one game has another result. */
static void test_calibration_left_out(void **state)
{
    struct bench_side side[] = {
        { .year = 1991, .elo = 2600, .result = 1 },   { .year = 1991, .elo = 2400, .result = 0 },
        { .year = 1990, .elo = 2400, .result = 0 },   { .year = 1990, .elo = 2600, .result = 1 },
        { .year = 1990, .elo = 2400, .result = NAN }, { .year = 1990, .elo = 2600, .result = NAN },
    };
    const struct bench_data calibration = { .side = side, .n_sides = 6, .n_games = 3 };
    struct predictors_games g = games_new();

    (void)state;
    g.person[STRONG].name = strdup("Strong, Anna");
    g.person[WEAK].name = strdup("Weak, Bert");
    for (size_t i = 0; i < 6; i++)
        side[i].player = (uint32_t)(bench_digest(side[i].elo == 2600 ? "stronga" : "weakb") >> 32);
    assert_int_equal(predictors_games_leave_out(&g, &calibration), 1);
    assert_close(g.game[0].score, 1, 0);
    assert_close(g.game[1].score, 0.5, 0);
    assert_close(g.game[2].score, -1, 0);
    side[1].player ^= 1;
    g.game[2].score = 1;
    assert_int_equal(predictors_games_leave_out(&g, &calibration), 0);
    predictors_games_free(&g);
}

#define LINE(sides)                                                                                \
    "{\"tags\":{\"Date\":\"1991.??.??\",\"White\":\"Strong\",\"Black\":\"Weak\"},\"result\":\"1-"  \
    "0\","                                                                                         \
    "\"moves\":{\"plies\":19,\"key\":\"00000000000000ab\"},\"judge\":{\"name\":\"rating\","        \
    "\"engine\":\"E\","                                                                            \
    "\"multipv\":2,\"limit\":{\"depth\":10},\"threads\":1,\"hash_mb\":16,\"clear\":\"position\","  \
    "\"first_move\":9},\"figures\":[" sides "]}\n"
#define WHITES "{\"mover\":\"w\",\"best\":[1,2],\"second\":[0,0],\"played\":[1,2],\"legal\":[9,9]}"
#define BLACKS "{\"mover\":\"b\",\"best\":[1],\"second\":[0],\"played\":[1],\"legal\":[9]}"

/* A game whose second side was analysed later is in two parts, and one game. */
static void test_game_in_two_parts(void **state)
{
    char lines[] = LINE(WHITES) LINE(WHITES "," BLACKS);
    FILE *in = fmemopen(lines, strlen(lines), "r");
    struct predictors_games g;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_ok(predictors_games_read(in, &g, &err), &err);
    fclose(in);
    assert_int_equal(g.n, 1);
    assert_int_equal(predictors_year(&g.person[g.game[0].person[0]], 1991)->turns, 2);
    assert_int_equal(predictors_year(&g.person[g.game[0].person[1]], 1991)->turns, 1);
    predictors_games_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calibration_left_out),
        cmocka_unit_test(test_game_in_two_parts),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_later_moves_change_nothing),
        cmocka_unit_test(test_correction),
        cmocka_unit_test(test_contained),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
