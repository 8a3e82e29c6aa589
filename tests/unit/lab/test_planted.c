/* Engine users planted in composed Swisses: what a share of an engine's moves does to the sums of a
 * player, and how often such a user is found among players who have their own moves alone. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "lab/planted.h"
#include "model/strength_shipped.h"

#define ELOS    56 /* 1300, 1320, ... 2400: as far as sides are drawn, and beyond */
#define SIDES   (ELOS * 12)
#define MOVES   30
#define WORTH   .015 /* information of a move */
#define SWISSES 200

static struct bench_planted_side sides[SIDES];
static struct bench_move moves[SIDES][MOVES];
static const struct bench_planted field = { sides, SIDES, &ipr_strength_shipped.calibration };

/* Sides that play at their Elo, with the variance that the calibration has; an engine's moves are
 * worth those of 3600. */
static int planted_set_up(void **state)
{
    const struct ipr_strength_calibration *const m = field.model;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);

    (void)state;
    for (size_t i = 0; i < SIDES; i++) {
        const double elo = 1300 + 20 * (double)(i / 12), z = ipr_strength_expected(m, elo, 2024);
        const double player = gsl_ran_gaussian(rng, sqrt(m->spread.player));
        const double sd = sqrt(m->spread.factor * ipr_strength_level(m, elo) * WORTH);
        const double engine = ipr_strength_curve_at(&m->curve, 3600);

        for (size_t k = 0; k < MOVES; k++)
            moves[i][k] = (struct bench_move){
                .own = { WORTH * (z + player) + gsl_ran_gaussian(rng, sd), WORTH },
                .best = { WORTH * engine, WORTH },
                .close = { WORTH * (engine - 1), WORTH },
            };
        sides[i] =
            (struct bench_planted_side){ .elo = elo, .expected = z, .move = moves[i], .n = MOVES };
    }
    gsl_rng_free(rng);
    return 0;
}

/* All of the moves are the engine's, whose score has nothing of the player's own in it, at any Elo;
 * none is: the score is the player's own, moved along the curve by what the Elo differs. */
static void test_share_of_moves(void **state)
{
    const struct bench_planted_side *const side = &sides[240];
    const double moved = ipr_strength_expected(field.model, 1800, 2024) - side->expected;
    double u[MOVES][2], own = 0, best = 0, close = 0;

    (void)state;
    for (size_t k = 0; k < MOVES; k++) {
        u[k][0] = (double)k / MOVES;
        u[k][1] = k % 3 == 0 ? .25 : .75;
        own += side->move[k].own.score;
        best += side->move[k].best.score;
        close += u[k][1] < .5 ? side->move[k].close.score : side->move[k].best.score;
    }
    const double(*const drawn)[2] = (const double(*)[2])u;
    struct bench_planted_sums all = { 0 }, second = { 0 }, none = { 0 }, half = { 0 };
    bench_planted_add(&field, side, 1800, 1, BENCH_PLANTED_FIRST, drawn, &all);
    assert_close(all.score, best, 1e-9);
    assert_close(all.own, 0, 0);
    bench_planted_add(&field, side, 1800, 1, BENCH_PLANTED_CLOSE, drawn, &second);
    assert_close(second.score, close, 1e-9);
    bench_planted_add(&field, side, 1800, 0, BENCH_PLANTED_FIRST, drawn, &none);
    assert_close(none.score, own + moved * MOVES * WORTH, 1e-9);
    assert_close(none.own, MOVES * WORTH, 1e-9);
    bench_planted_add(&field, side, 1800, .5, BENCH_PLANTED_FIRST, drawn, &half);
    assert_close(half.own, MOVES * WORTH / 2, 1e-9);
    assert_close(half.information, MOVES * WORTH, 1e-9);
    assert_int_equal(half.moves, MOVES);
}

static const json_t *planted_row(const json_t *rows, size_t i)
{
    const json_t *const row = json_array_get(rows, i);

    assert_non_null(row);
    return row;
}

static double planted_number(const json_t *row, const char *name)
{
    assert_true(json_is_number(json_object_get(row, name)));
    return json_number_value(json_object_get(row, name));
}

/* A user who takes no move is flagged no more often than one of the others is, who are 99; one who
 * takes all of them is found, and the more rounds, the more often one who takes some. */
static void test_found(void **state)
{
    json_t *const planted = bench_planted_count(&field, SWISSES);
    json_t *const again = bench_planted_count(&field, SWISSES);
    const json_t *row;
    size_t i, none = 0;

    (void)state;
    assert_true(json_equal(planted, again));
    json_array_foreach(json_object_get(planted, "rows"), i, row) {
        const double share = planted_number(row, "share");
        double before = 0;

        for (size_t a = 0; a < 3; a++) {
            const json_t *const after = planted_row(json_object_get(row, "after"), a);
            const double others =
                planted_number(planted_row(json_object_get(planted, "others"), a), "flagged");
            const double flagged = planted_number(after, "flagged");

            assert_true(others < .1);
            assert_true(share > 0 || flagged <= others);
            assert_true(share > 0 || planted_number(after, "first") < .05);
            assert_true(share < 1 || flagged > .95);
            assert_true(flagged >= (share > 0 ? before : 0));
            before = flagged;
        }
        none += share == 0;
    }
    assert_int_equal(none, 3); /* levels */
    assert_int_equal(json_array_size(json_object_get(planted, "rows")), 21);
    json_decref(planted);
    json_decref(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_share_of_moves),
        cmocka_unit_test(test_found),
    };

    return cmocka_run_group_tests(tests, planted_set_up, NULL);
}
