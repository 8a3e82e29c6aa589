/* The battle royale against the predictors of single matches, and what holds for any field. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_play.h"
#include "model/conformance_predict.h"
#include "model/elo.h"
#include "model/gain.h"
#include "model/royale.h"

enum {
    CELLS = 19 * 19,
    PLAYERS = 5,
    YEARS = 4,
    GAMES = 16,
    EACH = 40,
    TURNS = GAMES * EACH,
    ENTRIES = PLAYERS * YEARS
};

/* PLAYERS careers of YEARS years, better from player to player; the second year of each has but a
 * quarter of the games. */
static struct {
    struct ipr_markov_turn turns[PLAYERS][YEARS * TURNS];
    size_t n[PLAYERS];
    struct ipr_royale_entry entries[PLAYERS * YEARS];
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
            ipr_markov_count(&classes, t, games * EACH, 0, field.pool);
            field.entries[i] = (struct ipr_royale_entry){ .player = 100 - p,
                                                          .year = year,
                                                          .turns = field.turns[p] };
        }
    for (size_t i = 0; i < ENTRIES; i++)
        field.entries[i].n = field.n[i / YEARS];
    gsl_rng_free(rng);
    return 0;
}

static struct ipr_royale_params params_of(enum ipr_royale_method method)
{
    struct ipr_royale_params params = ipr_royale_default(method);

    params.pool = field.pool;
    params.posterior.draws = 1000;
    return params;
}

static struct ipr_royale play_entries(const struct ipr_royale_entry *entries, size_t n,
                                      const struct ipr_royale_params *params)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_royale r;

    assert_ok(ipr_royale(entries, n, params, &r, &err), &err);
    assert_int_equal(r.n, n);
    return r;
}

static struct ipr_royale play(enum ipr_royale_method method)
{
    const struct ipr_royale_params params = params_of(method);

    return play_entries(field.entries, ENTRIES, &params);
}

static const struct ipr_royale_entry *entry_of(const struct ipr_royale *r, size_t i)
{
    const struct ipr_royale_entry *e = field.entries;

    while (e->player != r->rows[i].player || e->year != r->rows[i].year)
        e++;
    return e;
}

/* ---- pairs, as the predictors have them ---- */

/* A prediction of one row against another: its expected score and the standard deviation. */
struct predicted {
    double expected, sd;
    size_t turns, empty_rows;
    double weight, exits_top;
};

static struct predicted predict_markov(const struct ipr_royale_entry *a,
                                       const struct ipr_royale_entry *b, bool own)
{
    struct ipr_markov_params params = ipr_markov_default();
    const struct ipr_markov_player p1 = { a->turns, a->n, a->year };
    const struct ipr_markov_player p2 = { b->turns, b->n, b->year };
    struct ipr_markov_prediction m;
    struct ipr_err err = IPR_ERR_INIT;

    params.replicates = own ? 2000 : 0;
    assert_ok(ipr_markov_predict(&p1, &p2, field.pool, &params, &m, &err), &err);
    return (struct predicted){ m.mean.expected,         m.sd,
                               m.player1.turns_in_year, m.player1.empty_rows,
                               m.player1.weight,        m.player1.exits_top_weight };
}

static double forgetting; /* of covariance */

/* Losses up to the year, with their weights. */
static struct ipr_covariance_player losses_of(const struct ipr_royale_entry *e,
                                              struct ipr_gain_turn turns[YEARS * TURNS],
                                              double weight[YEARS * TURNS])
{
    const struct ipr_conformance_params raw = IPR_CONFORMANCE_INIT;
    size_t n = 0;

    for (size_t i = 0; i < e->n; i++) {
        weight[n] = ipr_year_weight(e->turns[i].year, e->year, forgetting);
        if (weight[n] > 0)
            turns[n++] = (struct ipr_gain_turn){
                e->turns[i].game,
                (uint16_t)ipr_gain_bin(ipr_loss(&raw, e->turns[i].best_cp, e->turns[i].played_cp))
            };
    }
    return (struct ipr_covariance_player){ turns, n, weight };
}

static struct predicted predict_covariance(const struct ipr_royale_entry *a,
                                           const struct ipr_royale_entry *b, bool own)
{
    static struct ipr_gain_turn turns[2][YEARS * TURNS];
    static double weight[2][YEARS * TURNS];
    struct ipr_covariance_params params = ipr_covariance_default();
    const struct ipr_covariance_player p1 = losses_of(a, turns[0], weight[0]);
    const struct ipr_covariance_player p2 = losses_of(b, turns[1], weight[1]);
    struct ipr_covariance_prediction c;
    struct ipr_err err = IPR_ERR_INIT;

    params.replicates = own ? 1000 : 0;
    assert_ok(ipr_covariance_predict(&p1, &p2, &params, &c, &err), &err);
    return (struct predicted){ .expected = c.expected, .sd = c.sd, .turns = p1.n };
}

/* The same turns as the window gives them. */
static struct ipr_turn *turns_of(const struct ipr_royale_entry *e, int16_t *cp)
{
    struct ipr_turn *turns = ipr_xcalloc(e->n, sizeof *turns);

    for (size_t i = 0; i < e->n; i++) {
        cp[2 * i] = e->turns[i].best_cp;
        cp[2 * i + 1] = e->turns[i].played_cp;
        turns[i] = (struct ipr_turn){ .game = e->turns[i].game,
                                      .year = e->turns[i].year,
                                      .lines = 1,
                                      .n_cp = 2,
                                      .played = 1,
                                      .legal = 20,
                                      .cp = &cp[2 * i] };
    }
    return turns;
}

static struct predicted predict_conformance(const struct ipr_royale_entry *a,
                                            const struct ipr_royale_entry *b, bool own)
{
    static int16_t cp[2][2 * YEARS * TURNS];
    const struct ipr_acs_params params = ipr_acs_default();
    struct ipr_turn *t1 = turns_of(a, cp[0]), *t2 = turns_of(b, cp[1]);
    const struct ipr_acs_player p1 = { t1, NULL, a->n, a->year };
    const struct ipr_acs_player p2 = { t2, NULL, b->n, b->year };
    struct ipr_acs_prediction c;
    struct ipr_err err = IPR_ERR_INIT;

    (void)own;
    assert_ok(ipr_acs_predict(&p1, &p2, &params, &c, &err), &err);
    free(t1);
    free(t2);
    return (struct predicted){ .expected = c.expected, .sd = c.se };
}

typedef struct predicted predict_fn(const struct ipr_royale_entry *a,
                                    const struct ipr_royale_entry *b, bool own);

/* By enum ipr_royale_method. */
static predict_fn *const predictors[] = { predict_markov, predict_covariance, predict_conformance };

static void test_pairs(void **state)
{
    /* Covariance leaves out frequencies that count for less. */
    static const double tolerance[] = { 1e-12, 1e-5, 1e-12 };

    (void)state;
    for (int method = 0; method < IPR_ROYALE_RATING; method++) {
        struct ipr_royale r = play(method);

        for (size_t i = 0; i < r.n; i += 3)
            for (size_t j = 0; j < r.n; j++) {
                if (i == j)
                    continue;
                const struct predicted p =
                    predictors[method](entry_of(&r, i), entry_of(&r, j), false);
                assert_close(r.pair[i * r.n + j], p.expected, tolerance[method]);
                assert_close(r.pair[i * r.n + j] + r.pair[j * r.n + i], 1.0, 1e-14);
            }
        ipr_royale_release(&r);
    }
}

/* Pairs with earlier years; what a row's own games tell is as without them. */
static void test_covariance_forgetting(void **state)
{
    struct ipr_royale_params params = ipr_royale_default(IPR_ROYALE_COVARIANCE);
    struct ipr_royale alone = play(IPR_ROYALE_COVARIANCE), r;
    struct ipr_err err = IPR_ERR_INIT;
    double moved = 0;

    (void)state;
    params.losses.forgetting = forgetting = 0.5;
    assert_ok(ipr_royale(field.entries, alone.n, &params, &r, &err), &err);
    for (size_t i = 0; i < r.n; i += 2)
        for (size_t j = 0; j < i; j++) {
            const struct predicted p = predict_covariance(entry_of(&r, i), entry_of(&r, j), false);

            assert_close(r.pair[i * r.n + j], p.expected, 1e-5);
            moved = fmax(moved, fabs(r.pair[i * r.n + j] - alone.pair[i * r.n + j]));
            assert_close(r.rows[i].own, alone.rows[i].own, 1e-5);
        }
    assert_true(moved > .01);
    forgetting = 0;
    ipr_royale_release(&r);
    ipr_royale_release(&alone);
}

static void test_markov_rows(void **state)
{
    struct ipr_royale r = play(IPR_ROYALE_MARKOV);

    (void)state;
    for (size_t i = 0; i < r.n; i++) {
        const struct predicted p =
            predict_markov(entry_of(&r, i), entry_of(&r, (i + 1) % r.n), false);

        assert_int_equal(r.rows[i].turns, p.turns);
        assert_close(r.rows[i].weight, p.weight, 1e-9);
        assert_close(r.rows[i].exits_top, p.exits_top, 1e-9);
        assert_int_equal(r.rows[i].empty_rows, p.empty_rows);
    }
    ipr_royale_release(&r);
}

/* ---- errors ---- */

/* Two player-years are one match, whose error is that of both. */
static void test_two(void **state)
{
    struct ipr_royale_entry two[] = { field.entries[0], field.entries[YEARS] };

    (void)state;
    two[0].n = two[1].n = TURNS; /* the first year alone */
    for (int method = 0; method < IPR_ROYALE_RATING; method++) {
        struct ipr_royale_params params = params_of(method);
        const struct predicted p = predictors[method](&two[1], &two[0], true);

        params.replicates = 1000;
        struct ipr_royale r = play_entries(two, 2, &params);
        const double e = p.expected, a = r.rows[0].own, b = r.rows[1].own;

        /* Logits of scores against a common opponent differ as that of the score of the pair. */
        assert_close(log(a / (1.0 - a)) - log(b / (1.0 - b)), log(e / (1.0 - e)), 0.02);
        assert_close(r.rows[0].expected, e, 1e-5);
        assert_close(hypot(r.rows[0].own_se, r.rows[1].own_se) * e * (1.0 - e) / p.sd, 1.0,
                     0.12); /* Monte Carlo, and G/(G - 1) */
        ipr_royale_release(&r);
    }
}

static bool royale_knows(const struct ipr_royale *r, size_t i)
{
    return isfinite(r->rows[i].own_se);
}

/* Who was winning and never missed a win: every replicate agrees, and that is no knowledge. Nor is
 * one game. */
static void test_unknown(void **state)
{
    const struct ipr_royale_params params = params_of(IPR_ROYALE_MARKOV);
    static struct ipr_markov_turn kept[TURNS], one_game[TURNS];
    struct ipr_royale_entry four[] = { field.entries[0], field.entries[1], field.entries[YEARS],
                                       field.entries[2 * (size_t)YEARS] };

    (void)state;
    for (size_t i = 0; i < TURNS; i++) {
        kept[i] = one_game[i] = field.turns[0][i];
        if (ipr_markov_class(&params.classes, kept[i].best_cp) == 18)
            kept[i].played_cp = kept[i].best_cp;
        one_game[i].game = 5;
        one_game[i].year = four[1].year;
    }
    four[0].turns = kept;
    four[1].turns = one_game;
    four[0].n = four[1].n = TURNS;
    struct ipr_royale r = play_entries(four, 4, &params);
    for (size_t i = 0; i < r.n; i++) {
        assert_int_equal(royale_knows(&r, i), r.rows[i].player != 100);
        assert_int_equal(isfinite(r.rows[i].posterior.mean) != 0, royale_knows(&r, i));
        if (!royale_knows(&r, i))
            assert_true(r.rows[i].rank > 2);
    }
    assert_int_equal(r.compared, 2);
    ipr_royale_release(&r);
    r = play_entries(four, 2, &params);
    assert_int_equal(r.verdict, IPR_ROYALE_NO_ERRORS);
    assert_true(isnan(r.tau));
    ipr_royale_release(&r);
}

/* ---- the ranking ---- */

static void check_ranking(const struct ipr_royale *r)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct ipr_royale_row *row = &r->rows[i];
        size_t favoured = 0;
        double sum = 0.0;

        assert_close(r->pair[i * r->n + i], 0.5, 0.0);
        for (size_t j = 0; j < r->n; j++) {
            favoured += r->pair[i * r->n + j] > 0.5 + 1e-12;
            sum += i == j ? 0.0 : r->pair[i * r->n + j];
        }
        assert_int_equal(row->favoured, favoured);
        assert_int_equal(row->favoured + row->even + row->unfavoured, r->n - 1);
        assert_close(row->expected, sum / (double)(r->n - 1), 1e-14);
        assert_int_equal(r->ranking[row->rank - 1], i);
        if (!royale_knows(r, i)) /* a year of few games, in which no win was missed */
            continue;
        assert_true(row->posterior.interval.lo < row->posterior.mean &&
                    row->posterior.mean < row->posterior.interval.hi);
        assert_true(1 <= row->posterior.rank_low &&
                    row->posterior.rank_low <= row->posterior.rank_high &&
                    row->posterior.rank_high <= r->n);
        if (row->rank > 1)
            assert_true(r->rows[r->ranking[row->rank - 2]].posterior.mean >= row->posterior.mean);
    }
    for (size_t k = 0; k < r->players; k++) {
        const struct ipr_royale_row *best = &r->rows[r->best[k]];

        assert_true(best->best);
        for (size_t i = 0; i < r->n; i++)
            if (r->rows[i].player == best->player)
                assert_true(best->rank <= r->rows[i].rank);
    }
}

static void test_ranking(void **state)
{
    (void)state;
    for (int method = 0; method < IPR_ROYALE_RATING; method++) {
        struct ipr_royale r = play(method);

        assert_int_equal(r.players, PLAYERS);
        check_ranking(&r);
        ipr_royale_release(&r);
    }
    /* The simulated skill is found again, from end to end. */
    struct ipr_royale r = play(IPR_ROYALE_MARKOV);
    assert_int_equal(r.rows[r.best[0]].player, 100 - (PLAYERS - 1));
    assert_int_equal(r.rows[r.best[PLAYERS - 1]].player, 100);
    ipr_royale_release(&r);
}

/* The same for the same seed, in whatever order they come. */
static void test_order(void **state)
{
    (void)state;
    for (int method = 0; method < IPR_ROYALE_RATING; method++) {
        const struct ipr_royale_params params = params_of(method);
        struct ipr_royale_entry shuffled[ENTRIES];
        struct ipr_royale r = play(method);

        for (size_t i = 0; i < ENTRIES; i++)
            shuffled[(i * 7 + 3) % ENTRIES] = field.entries[i];
        struct ipr_royale again = play_entries(shuffled, ENTRIES, &params);
        for (size_t i = 0; i < r.n; i++) {
            assert_int_equal(again.rows[i].player, r.rows[i].player);
            assert_int_equal(again.rows[i].rank, r.rows[i].rank);
            assert_int_equal(royale_knows(&again, i), royale_knows(&r, i));
            if (!royale_knows(&r, i))
                continue;
            assert_close(again.rows[i].own_se, r.rows[i].own_se, 0.0);
            assert_close(again.rows[i].posterior.mean, r.rows[i].posterior.mean, 0.0);
        }
        assert_close(again.tau, r.tau, 0.0);
        ipr_royale_release(&r);
        ipr_royale_release(&again);
    }
}

/* ---- verdicts ---- */

enum { MANY = 12 };

/* Players of one year and 40 games, `step` better one than the last. */
static struct ipr_royale play_simulated(double step, enum ipr_royale_method method)
{
    static struct ipr_markov_turn turns[MANY][40 * EACH], other[40 * EACH];
    const struct ipr_royale_params params = params_of(method);
    struct ipr_royale_entry entries[MANY];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double matrix[CELLS], opponent[CELLS];

    ipr_test_markov_player(0.3, 0.3, 0.7, opponent);
    for (size_t i = 0; i < MANY; i++) {
        ipr_test_markov_player(0.3 - step * (double)i, 0.3, 0.7, matrix);
        ipr_test_markov_games(matrix, opponent, 40, EACH, 0, 1980, rng, turns[i], other);
        entries[i] = (struct ipr_royale_entry){
            .player = (int64_t)i, .year = 1980, .turns = turns[i], .n = (size_t)40 * EACH
        };
    }
    gsl_rng_free(rng);
    return play_entries(entries, MANY, &params);
}

static void test_verdicts(void **state)
{
    (void)state;
    for (int method = 0; method < IPR_ROYALE_RATING; method++) {
        struct ipr_royale same = play_simulated(0.0, method);
        struct ipr_royale apart = play_simulated(0.022, method);

        assert_int_equal(same.verdict, IPR_ROYALE_SAME);
        assert_true(fabs(same.tau) < 0.4);
        assert_true(same.posterior.apart < 0.05);
        assert_int_equal(apart.verdict, IPR_ROYALE_ORDERED);
        assert_true(apart.tau > 0.7 && apart.tau_sd > 0.0 && !apart.tau_simulated);
        assert_true(apart.posterior.apart > 0.3);
        ipr_royale_release(&same);
        ipr_royale_release(&apart);
    }
}

static void test_ratings(void **state)
{
    const struct ipr_royale_params params = params_of(IPR_ROYALE_RATING);
    struct ipr_royale_entry three[] = {
        { .player = 1, .year = 1990, .rating = 2700, .rating_se = 20 },
        { .player = 2, .year = 1990, .rating = 2500, .rating_se = 20 },
        { .player = 3, .year = 1990, .rating = 2600, .rating_se = 20 },
    };
    struct ipr_royale r = play_entries(three, 3, &params);

    (void)state;
    assert_close(r.pair[1], ipr_elo_expect(200, 0), 1e-15);
    assert_close(r.rows[0].own, ipr_elo_expect(100, 0), 1e-15);
    assert_close(r.rows[0].own_se, 20 * log(10) / 400, 1e-12);
    assert_int_equal(r.rows[1].rank, 3);
    assert_true(r.tau_simulated && r.tau > 0.7);
    assert_int_equal(r.verdict, IPR_ROYALE_ORDERED);
    ipr_royale_release(&r);
    for (size_t i = 0; i < 3; i++)
        three[i].rating_se = NAN;
    r = play_entries(three, 3, &params);
    assert_int_equal(r.verdict, IPR_ROYALE_NO_ERRORS);
    assert_int_equal(r.rows[1].rank, 3);
    assert_true(isnan(r.rows[1].posterior.mean));
    ipr_royale_release(&r);
}

/* Ten classes; and rows that no one has left: reducible chains, the identity's rows. */
static void test_other_models(void **state)
{
    struct ipr_royale_params params = params_of(IPR_ROYALE_MARKOV);
    struct ipr_markov_turn still[2] = { { .game = 1, .year = 1990 }, { .game = 2, .year = 1990 } };
    /* Player 2 falls from class 4, where he finds himself as Black, to the bottom: all is lost. */
    const struct ipr_markov_turn falls[2] = {
        { .game = 1, .year = 1990, .best_cp = -20, .played_cp = -300 },
        { .game = 2, .year = 1990, .best_cp = -20, .played_cp = -300 }
    };
    struct ipr_royale_entry two[2] = { { .player = 1, .year = 1990, .turns = still, .n = 2 },
                                       { .player = 2, .year = 1990, .turns = still, .n = 2 } };

    (void)state;
    params.pool = NULL;
    struct ipr_royale r = play_entries(two, 2, &params);
    assert_close(r.pair[1], 0.5, 0.0); /* every class for ever: a draw from 0 */
    assert_int_equal(r.rows[0].even, 1);
    assert_int_equal(r.verdict, IPR_ROYALE_NO_ERRORS);
    ipr_royale_release(&r);

    params.classes = ipr_markov_classes_10();
    two[1].turns = falls;
    r = play_entries(two, 2, &params);
    assert_close(r.pair[1], 0.75, 1e-15); /* 1 with White, 1/2 with Black */
    assert_int_equal(r.rows[0].favoured, 1);
    assert_int_equal(r.rows[0].empty_rows, 9);
    ipr_royale_release(&r);
}

static void check_refused(const struct ipr_royale_entry *entries, size_t n,
                          const struct ipr_royale_params *params, enum ipr_code code)
{
    struct ipr_royale r = { .n = 77 };

    assert_int_equal(ipr_royale(entries, n, params, &r, NULL), code);
    assert_int_equal(r.n, 77);
}

static void test_refused(void **state)
{
    struct ipr_royale_entry two[2] = { field.entries[0], field.entries[1] };
    struct ipr_royale_params params = params_of(IPR_ROYALE_MARKOV);

    (void)state;
    check_refused(two, 1, &params, IPR_EDATA);
    two[1].year = 1900; /* no turns */
    check_refused(two, 2, &params, IPR_EDATA);
    two[1].year = two[0].year;
    check_refused(two, 2, &params, IPR_EINVAL);
    two[1] = field.entries[1];
    params.classes.n = 7;
    check_refused(two, 2, &params, IPR_EINVAL);
    params = params_of(IPR_ROYALE_MARKOV);
    params.replicates = 1;
    check_refused(two, 2, &params, IPR_EINVAL);
    params = params_of(IPR_ROYALE_COVARIANCE);
    params.covariance.n0 = IPR_COVARIANCE_N0_MAX + 1;
    check_refused(two, 2, &params, IPR_EINVAL);
    params = params_of(IPR_ROYALE_CONFORMANCE);
    params.conformance.loss.k1 = 0.0;
    check_refused(two, 2, &params, IPR_EINVAL);
    params = params_of(IPR_ROYALE_RATING);
    two[1].rating = NAN;
    check_refused(two, 2, &params, IPR_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),       cmocka_unit_test(test_covariance_forgetting),
        cmocka_unit_test(test_markov_rows), cmocka_unit_test(test_two),
        cmocka_unit_test(test_unknown),     cmocka_unit_test(test_ranking),
        cmocka_unit_test(test_order),       cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_ratings),     cmocka_unit_test(test_other_models),
        cmocka_unit_test(test_refused),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, field_init, NULL);
}
