/* The battle royale against the predictor of single matches, and what it must be whatever comes. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_play.h"
#include "model/royale.h"

enum { CELLS = 19 * 19, PLAYERS = 5, YEARS = 4, GAMES = 16, EACH = 40, TURNS = GAMES * EACH };

/* PLAYERS careers of YEARS years, better from player to player; the second year of each has but a
 * quarter of the games. */
static struct {
    struct ipr_markov_turn turns[PLAYERS][YEARS * TURNS];
    size_t n[PLAYERS];
    double counts[PLAYERS * YEARS][CELLS];
    struct ipr_royale_year years[PLAYERS * YEARS];
    double pool[CELLS];
} field;

static int field_init(void **state)
{
    const struct ipr_markov_classes classes = ipr_markov_classes_19();
    static struct ipr_markov_turn other[TURNS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double opponent[CELLS];

    (void)state;
    ipr_test_markov_player(0.3, 0.3, 0.7, opponent);
    for (int p = 0; p < PLAYERS; p++)
        for (int y = 0; y < YEARS; y++) {
            const size_t games = y == 1 ? GAMES / 4 : GAMES;
            const int32_t year = 1970 + y + (y > 2 ? 3 : 0);
            const size_t i = (size_t)(p * YEARS + y);
            struct ipr_markov_turn *t = &field.turns[p][field.n[p]];
            double matrix[CELLS];

            ipr_test_markov_player(0.36 - 0.02 * p - 0.01 * (y == 2), 0.3, 0.7, matrix);
            ipr_test_markov_games(matrix, opponent, games, EACH, y * GAMES, year, rng, t, other);
            field.n[p] += games * EACH;
            ipr_markov_count(&classes, t, games * EACH, 0, field.counts[i]);
            ipr_markov_count(&classes, t, games * EACH, 0, field.pool);
            field.years[i] = (struct ipr_royale_year){ 100 - p, year, field.counts[i] };
        }
    gsl_rng_free(rng);
    return 0;
}

static struct ipr_royale play(const struct ipr_royale_params *params)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_royale r;

    assert_ok(ipr_royale(field.years, (size_t)PLAYERS * YEARS, field.pool, params, &r, &err), &err);
    return r;
}

/* Every pair, both colours, as ipr_markov_predict has it. */
static void test_pairs(void **state)
{
    const struct ipr_royale_params params = ipr_royale_default();
    struct ipr_markov_params one = ipr_markov_default();
    struct ipr_royale r = play(&params);

    (void)state;
    one.replicates = 0;
    assert_int_equal(r.n, PLAYERS * (YEARS - 1));
    assert_int_equal(r.inactive, PLAYERS);
    for (size_t i = 0; i < r.n; i++)
        for (size_t j = 0; j < r.n; j++) {
            const int a = 100 - (int)r.rows[i].player;
            const int b = 100 - (int)r.rows[j].player;
            const struct ipr_markov_player p1 = { field.turns[a], field.n[a], r.rows[i].year };
            const struct ipr_markov_player p2 = { field.turns[b], field.n[b], r.rows[j].year };
            struct ipr_markov_prediction m;
            struct ipr_err err = IPR_ERR_INIT;
            if (i == j)
                continue;
            assert_ok(ipr_markov_predict(&p1, &p2, field.pool, &one, &m, &err), &err);
            assert_close(r.white[i * r.n + j], m.as_white.expected, 1e-12);
            assert_close(ipr_royale_expected(&r, i, j), m.mean.expected, 1e-12);
            assert_close(ipr_royale_expected(&r, i, j) + ipr_royale_expected(&r, j, i), 1.0, 1e-15);
            assert_close(r.rows[i].turns, (double)m.player1.turns_in_year, 0.0);
            assert_close(r.rows[i].weight, m.player1.weight, 1e-9);
            assert_close(r.rows[i].exits_top, m.player1.exits_top_weight, 1e-9);
            assert_int_equal(r.rows[i].empty_rows, m.player1.empty_rows);
        }
    ipr_royale_release(&r);
}

/* Wins, ranks and best years, counted again from the table. */
static void test_ranking(void **state)
{
    const struct ipr_royale_params params = ipr_royale_default();
    struct ipr_royale r = play(&params);

    (void)state;
    assert_int_equal(r.players, PLAYERS);
    for (size_t i = 0; i < r.n; i++) {
        size_t favoured = 0;
        double sum = 0.0;
        assert_close(ipr_royale_expected(&r, i, i), 0.5, 0.0);
        for (size_t j = 0; j < r.n; j++) {
            favoured += ipr_royale_expected(&r, i, j) > 0.5;
            sum += i == j ? 0.0 : ipr_royale_expected(&r, i, j);
        }
        assert_int_equal(r.rows[i].favoured, favoured);
        assert_int_equal(r.rows[i].favoured + r.rows[i].even + r.rows[i].unfavoured, r.n - 1);
        assert_close(r.rows[i].expected, sum / (double)(r.n - 1), 1e-14);
        assert_int_equal(r.ranking[r.rows[i].rank - 1], i);
        if (r.rows[i].rank > 1)
            assert_true(r.rows[r.ranking[r.rows[i].rank - 2]].expected >= r.rows[i].expected);
    }
    for (size_t k = 0; k < r.players; k++) {
        const struct ipr_royale_row *best = &r.rows[r.best[k]];
        assert_true(best->best);
        assert_true(k == 0 || r.rows[r.best[k - 1]].rank < best->rank);
        for (size_t i = 0; i < r.n; i++)
            if (r.rows[i].player == best->player)
                assert_true(
                    best->favoured > r.rows[i].favoured ||
                    (best->favoured == r.rows[i].favoured && best->expected >= r.rows[i].expected));
    }
    /* The simulated skill is found again, from end to end. */
    assert_int_equal(r.rows[r.best[0]].player, 100 - (PLAYERS - 1));
    assert_int_equal(r.rows[r.best[PLAYERS - 1]].player, 100);
    ipr_royale_release(&r);
}

static void test_order(void **state)
{
    const struct ipr_royale_params params = ipr_royale_default();
    struct ipr_royale_year shuffled[PLAYERS * YEARS];
    struct ipr_royale r = play(&params);
    struct ipr_royale again;

    (void)state;
    for (size_t i = 0; i < PLAYERS * YEARS; i++)
        shuffled[(i * 7 + 3) % (PLAYERS * YEARS)] = field.years[i];
    assert_int_equal(
        ipr_royale(shuffled, (size_t)PLAYERS * YEARS, field.pool, &params, &again, NULL), IPR_OK);
    assert_int_equal(again.n, r.n);
    for (size_t i = 0; i < r.n; i++) {
        assert_int_equal(again.rows[i].player, r.rows[i].player);
        assert_int_equal(again.rows[i].rank, r.rows[i].rank);
        assert_close(again.rows[i].expected, r.rows[i].expected, 0.0);
    }
    ipr_royale_release(&r);
    ipr_royale_release(&again);
}

/* Ten classes; and rows that no one has left: reducible chains, the identity's rows. */
static void test_other_models(void **state)
{
    struct ipr_royale_params params = ipr_royale_default();
    double still[2][CELLS] = { { 0 } };
    double ten[2][100] = { { 0 } };
    const struct ipr_royale_year two[2] = { { 1, 1990, still[0] }, { 2, 1990, still[1] } };
    const struct ipr_royale_year small[2] = { { 1, 1990, ten[0] }, { 2, 1990, ten[1] } };
    struct ipr_royale r;

    (void)state;
    params.empty_row = IPR_EMPTY_ROW_IDENTITY;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 19; i++)
            still[k][i * 19 + i] = 100.0;
    assert_int_equal(ipr_royale(two, 2, NULL, &params, &r, NULL), IPR_OK);
    assert_close(r.white[1], 0.5, 0.0); /* every class for ever: a draw from 0 */
    assert_int_equal(r.rows[0].even, 1);
    assert_int_equal(r.rows[0].rank, 1);
    ipr_royale_release(&r);

    params.classes = ipr_markov_classes_10();
    params.active_turns = 1.0;
    /* Player 2 falls from class 4, where he finds himself as Black, to the bottom: all is lost. */
    ten[0][5 * 10 + 5] = 9.0;
    ten[1][4 * 10 + 0] = 9.0;
    assert_int_equal(ipr_royale(small, 2, NULL, &params, &r, NULL), IPR_OK);
    assert_close(r.white[0 * 2 + 1], 1.0, 1e-15);
    assert_close(r.white[1 * 2 + 0], 0.5, 1e-15);
    assert_int_equal(r.rows[0].favoured, 1);
    assert_int_equal(r.rows[0].empty_rows, 9);
    ipr_royale_release(&r);
}

/* ---- error bars ---- */

static const struct ipr_royale_bootstrap how = { .replicates = 60, .seed = 7 };

static void players_of_field(struct ipr_royale_player players[PLAYERS])
{
    for (int p = 0; p < PLAYERS; p++)
        players[p] = (struct ipr_royale_player){ 100 - p, field.turns[p], field.n[p] };
}

static void spreads(const struct ipr_royale *r, const struct ipr_royale_player *players,
                    const struct ipr_royale_bootstrap *how_many, struct ipr_royale_spread *out)
{
    const struct ipr_royale_params params = ipr_royale_default();
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_royale_bootstrap(r, players, PLAYERS, field.pool, &params, how_many, out, &err),
              &err);
}

/* The same for the same seed, whatever the order of anything. */
static void test_spread_order(void **state)
{
    const struct ipr_royale_params params = ipr_royale_default();
    static struct ipr_markov_turn shuffled[PLAYERS][YEARS * TURNS];
    struct ipr_royale_player players[PLAYERS], other[PLAYERS];
    struct ipr_royale_spread a[PLAYERS * YEARS], b[PLAYERS * YEARS], c[PLAYERS * YEARS];
    struct ipr_royale_bootstrap seeded = how;
    struct ipr_royale r = play(&params);

    (void)state;
    players_of_field(players);
    for (int p = 0; p < PLAYERS; p++) {
        const size_t n = field.n[p];
        for (size_t i = 0; i < n; i++) { /* 1999 is prime and above every factor of n */
            shuffled[p][i] = field.turns[p][i * 1999 % n];
            shuffled[p][i].game = 1000 - shuffled[p][i].game * 3;
        }
        other[(p * 2 + 1) % PLAYERS] = (struct ipr_royale_player){ 100 - p, shuffled[p], n };
    }
    spreads(&r, players, &how, a);
    spreads(&r, other, &how, b);
    seeded.seed = 8;
    spreads(&r, players, &seeded, c);
    for (size_t i = 0; i < r.n; i++) {
        assert_close(a[i].sd, b[i].sd, 0.0);
        assert_close(a[i].interval.lo, b[i].interval.lo, 0.0);
        assert_close(a[i].interval.hi, b[i].interval.hi, 0.0);
        assert_true(a[i].sd < c[i].sd || a[i].sd > c[i].sd);
        assert_close(a[i].sd / c[i].sd, 1.0, 0.5); /* of 60 replicates each, +-0.09 */
        assert_true(0.0 < a[i].interval.lo && a[i].interval.lo < r.rows[i].expected);
        assert_true(1.0 > a[i].interval.hi && a[i].interval.hi > r.rows[i].expected);
    }
    ipr_royale_release(&r);
}

/* Two player-years are one match: the spread is the predictor's. `years` of each player, of
 * which the last alone is active. */
static void check_two(int first, int years)
{
    const struct ipr_royale_params params = ipr_royale_default();
    const struct ipr_royale_bootstrap many = { .replicates = 2000, .seed = 3 };
    struct ipr_royale_player players[2];
    struct ipr_royale_year of[4];
    struct ipr_royale_spread out[2];
    struct ipr_markov_prediction m;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_royale r;
    const size_t skip = first == 0 ? 0 : TURNS;
    const size_t n = years == 1 ? TURNS : TURNS + TURNS / 4;

    for (int p = 0; p < 2; p++) {
        players[p] = (struct ipr_royale_player){ 100 - p, field.turns[p] + skip, n };
        for (int y = 0; y < years; y++)
            of[p * years + y] = field.years[p * YEARS + first + y];
    }
    assert_ok(ipr_royale(of, 2 * (size_t)years, field.pool, &params, &r, &err), &err);
    assert_int_equal(r.n, 2);
    assert_ok(ipr_royale_bootstrap(&r, players, 2, field.pool, &params, &many, out, &err), &err);
    const struct ipr_markov_params one = ipr_markov_default();
    const struct ipr_markov_player p1 = { players[1].turns, n, r.rows[0].year };
    const struct ipr_markov_player p2 = { players[0].turns, n, r.rows[1].year };
    assert_ok(ipr_markov_predict(&p1, &p2, field.pool, &one, &m, &err), &err);
    assert_close(r.rows[0].expected, m.mean.expected, 1e-12);
    assert_close(out[0].sd / m.sd, 1.0, 0.08); /* four times the Monte Carlo error */
    assert_close(out[1].sd, out[0].sd, 1e-12);
    /* The predictor narrows its own where exits are few. */
    assert_true(out[0].interval.lo < m.expected.lo && m.expected.lo < m.mean.expected);
    assert_true(out[0].interval.hi > m.expected.hi && m.expected.hi > m.mean.expected);
    assert_close(out[0].interval.lo, m.expected.lo, 0.5 * m.sd);
    assert_close(out[0].interval.hi, m.expected.hi, 0.5 * m.sd);
    ipr_royale_release(&r);
}

static void test_spread_of_two(void **state)
{
    (void)state;
    check_two(0, 1);
    check_two(1, 2); /* with an earlier year, which fades */
}

/* Games that are added to a later year change nothing about this one. */
static void test_spread_of_other_years(void **state)
{
    const struct ipr_royale_params params = ipr_royale_default();
    const struct ipr_royale_year years[3] = { field.years[0], field.years[YEARS], field.years[1] };
    struct ipr_royale_player players[2] = { { 100, field.turns[0], TURNS },
                                            { 99, field.turns[1], TURNS } };
    struct ipr_royale_spread out[2][2];
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_royale r;

    (void)state;
    for (size_t more = 0; more < 2; more++) {
        players[0].n = TURNS + more * (TURNS / 4); /* too few to be active there */
        assert_ok(ipr_royale(years, 2 + more, field.pool, &params, &r, &err), &err);
        assert_int_equal(r.n, 2);
        assert_ok(ipr_royale_bootstrap(&r, players, 2, field.pool, &params, &how, out[more], &err),
                  &err);
        ipr_royale_release(&r);
    }
    for (size_t i = 0; i < 2; i++) {
        assert_close(out[1][i].sd, out[0][i].sd, 0.0);
        assert_close(out[1][i].interval.lo, out[0][i].interval.lo, 0.0);
    }
}

/* Who was winning and never let go: every replicate says the same, and that is no knowledge. */
static void test_never_left(void **state)
{
    const struct ipr_royale_params params = ipr_royale_default();
    static struct ipr_markov_turn kept[TURNS];
    double counts[CELLS] = { 0 };
    const struct ipr_royale_year three[3] = { { 100, 1970, counts },
                                              field.years[YEARS],
                                              field.years[2 * (size_t)YEARS] };
    const struct ipr_royale_player players[3] = { { 100, kept, TURNS },
                                                  { 99, field.turns[1], TURNS },
                                                  { 98, field.turns[2], TURNS } };
    struct ipr_royale_spread out[3];
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_royale r;

    (void)state;
    for (size_t i = 0; i < TURNS; i++) {
        kept[i] = field.turns[0][i];
        if (ipr_markov_class(&params.classes, kept[i].best_cp) == 18)
            kept[i].played_cp = kept[i].best_cp;
    }
    ipr_markov_count(&params.classes, kept, TURNS, 0, counts);
    for (size_t n = 2; n <= 3; n++) {
        assert_ok(ipr_royale(three, n, field.pool, &params, &r, &err), &err);
        assert_ok(ipr_royale_bootstrap(&r, players, n, field.pool, &params, &how, out, &err), &err);
        for (size_t i = 0; i < n; i++) /* the others are known by each other alone */
            assert_int_equal(isnan(out[i].interval.lo) != 0, n == 2 || r.rows[i].player == 100);
        ipr_royale_release(&r);
    }
}

static bool after_three(void *arg)
{
    return ++*(int *)arg <= 3;
}

static void test_spread_refusals(void **state)
{
    const struct ipr_royale_params params = ipr_royale_default();
    struct ipr_royale_player players[PLAYERS + 1];
    struct ipr_royale_spread out[PLAYERS * YEARS];
    struct ipr_royale r = play(&params);
    int asked = 0;
    const struct ipr_royale_bootstrap stopped = { 60, 7, after_three, &asked };
    const struct ipr_royale_bootstrap single = { .replicates = 1 };
    static struct ipr_markov_turn one_game[YEARS * TURNS];

    (void)state;
    players_of_field(players);
    out[0].sd = 77.0;
    assert_int_equal(
        ipr_royale_bootstrap(&r, players, PLAYERS, field.pool, &params, &stopped, out, NULL),
        IPR_ERETRY);
    assert_int_equal(asked, 4);
    assert_int_equal(
        ipr_royale_bootstrap(&r, players, PLAYERS, field.pool, &params, &single, out, NULL),
        IPR_EINVAL);
    assert_int_equal(
        ipr_royale_bootstrap(&r, players, PLAYERS - 1, field.pool, &params, &how, out, NULL),
        IPR_EINVAL); /* one is missing */
    players[PLAYERS] = players[0];
    assert_int_equal(
        ipr_royale_bootstrap(&r, players, PLAYERS + 1, field.pool, &params, &how, out, NULL),
        IPR_EINVAL);
    players[0].n--;
    assert_int_equal(
        ipr_royale_bootstrap(&r, players, PLAYERS, field.pool, &params, &how, out, NULL),
        IPR_EINVAL); /* a turn is missing */
    assert_close(out[0].sd, 77.0, 0.0);
    ipr_royale_release(&r);

    /* Of one game nobody knows how another one would go. */
    const struct ipr_royale_year two[2] = { field.years[0], field.years[YEARS] };
    for (size_t i = 0; i < TURNS; i++) {
        one_game[i] = field.turns[0][i];
        one_game[i].game = 1;
    }
    players[0] = (struct ipr_royale_player){ 100, one_game, TURNS };
    assert_int_equal(ipr_royale(two, 2, field.pool, &params, &r, NULL), IPR_OK);
    assert_int_equal(r.rows[1].player, 100);
    players[1].n = TURNS;
    assert_int_equal(ipr_royale_bootstrap(&r, players, 2, field.pool, &params, &how, out, NULL),
                     IPR_OK);
    assert_true(isnan(out[1].sd) && isnan(out[1].interval.lo) && isnan(out[1].interval.hi));
    assert_true(out[0].sd > 0.0);
    ipr_royale_release(&r);
}

static void test_refusals(void **state)
{
    struct ipr_royale_params params = ipr_royale_default();
    struct ipr_royale_year twice[2] = { field.years[0], field.years[0] };
    double negative[CELLS] = { 1000.0, -1.0 };
    struct ipr_royale r = { .n = 77 };
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_int_equal(ipr_royale(NULL, 0, NULL, &params, &r, &err), IPR_EDATA);
    ipr_err_clear(&err);
    assert_int_equal(ipr_royale(field.years, 2, NULL, &params, &r, &err), IPR_EDATA);
    assert_string_equal(err.msg,
                        "a royale needs two player-years of 500 turns or more, there are 1");
    ipr_err_clear(&err);
    assert_int_equal(ipr_royale(twice, 2, NULL, &params, &r, &err), IPR_EINVAL);
    twice[1].year++;
    twice[1].counts = negative;
    assert_int_equal(ipr_royale(twice, 2, NULL, &params, &r, NULL), IPR_EINVAL);
    negative[1] = NAN;
    assert_int_equal(ipr_royale(twice, 2, NULL, &params, &r, NULL), IPR_EINVAL);
    params.classes.n = 4;
    assert_int_equal(ipr_royale(field.years, 3, NULL, &params, &r, NULL), IPR_EINVAL);
    assert_int_equal(r.n, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_ranking),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_other_models),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_spread_order),
        cmocka_unit_test(test_spread_of_other_years),
        cmocka_unit_test(test_spread_of_two),
        cmocka_unit_test(test_spread_refusals),
        cmocka_unit_test(test_never_left),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, field_init, NULL);
}
