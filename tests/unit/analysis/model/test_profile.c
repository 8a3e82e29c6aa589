/* Where points are lost: parts, what is expected of them, and which deviations are called. */
#include <math.h>
#include <stdlib.h>

#include "ipr_test.h"
#include "model/profile.h"

#define GAMES 40
#define MOVES 30

/* A reference by which every move loses as much as is said of its phase. */
static struct ipr_profile_reference flat(double opening, double middlegame, double endgame)
{
    const double loss[IPR_PHASES] = { opening, middlegame, endgame };
    struct ipr_profile_reference r = { .low = 1000, .high = 2000, .colour = { 1, 1 } };

    for (int p = 0; p < IPR_PHASES; p++)
        for (int s = 0; s < IPR_STANDINGS; s++)
            r.loss[p][s][0] = loss[p];
    for (int k = 0; k <= IPR_PROFILE_PARTS; k++) {
        r.kappa[k] = .3;
        r.between[k] = .1;
    }
    return r;
}

/* Ten moves of each phase a game, White and Black in turn, level. */
static void games(double opening, double middlegame, double endgame,
                  struct ipr_profile_move move[GAMES * MOVES])
{
    const double lost[IPR_PHASES] = { opening, middlegame, endgame };

    for (size_t i = 0; i < GAMES * MOVES; i++)
        move[i] = (struct ipr_profile_move){ .game = (uint32_t)(i / MOVES),
                                             .phase = (enum ipr_phase)(i % MOVES / 10),
                                             .standing = IPR_STANDING_LEVEL,
                                             .black = i / MOVES % 2 == 1,
                                             .hurried = -1,
                                             .lost = lost[i % MOVES / 10] };
}

static const struct ipr_profile_row *row_of(const struct ipr_profile *p, enum ipr_profile_part part,
                                            uint32_t line)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->row[i].part == part && p->row[i].line == line)
            return &p->row[i];
    return NULL;
}

/* By hand: 1,200 moves; of the endgame's 400 twice as much is lost as is expected. L = 80, M = 60,
 * Lambda = 4/3; the deviation there is 40 / (4/3 20) - 1 = 1/2 and its variance
 * .3 (1 - 1/3) / (4/3 20). */
static void test_by_hand(void **state)
{
    const struct ipr_profile_reference r = flat(.05, .05, .05);
    struct ipr_profile_move *const move = calloc(GAMES * MOVES, sizeof *move);
    struct ipr_profile p;
    size_t advice[3];

    (void)state;
    games(.05, .05, .10, move);
    ipr_profile_of(move, GAMES * MOVES, &r, 1500, &p);
    const struct ipr_profile_row *const end = row_of(&p, IPR_PROFILE_ENDGAME, 0);

    assert_int_equal(p.moves, 1200);
    assert_int_equal(p.games, 40);
    assert_close(p.lost, 80, 1e-9);
    assert_close(p.usual, 60, 1e-9);
    assert_non_null(end);
    assert_int_equal(end->moves, 400);
    assert_int_equal(end->games, 40);
    assert_close(end->deviation, .5, 1e-9);
    assert_close(end->se, sqrt(.3 * (2. / 3) / (4. / 3 * 20)), 1e-9);
    assert_close(end->shrunk, .5 * .01 / (.01 + .0075), 1e-9);
    assert_close(end->extra, end->shrunk * 4 / 3 * 20 / 40, 1e-9);
    assert_int_equal(end->called, 1);
    assert_null(row_of(&p, IPR_PROFILE_AHEAD, 0));           /* without moves */
    assert_true(isnan(row_of(&p, IPR_PROFILE_LEVEL, 0)->p)); /* nothing is left to compare with */
    assert_int_equal(ipr_profile_advice(&p, advice), 1);
    assert_int_equal(p.row[advice[0]].part, IPR_PROFILE_ENDGAME);
    ipr_profile_drop_phases(&p);
    assert_null(row_of(&p, IPR_PROFILE_ENDGAME, 0));
    assert_non_null(row_of(&p, IPR_PROFILE_WHITE, 0));
    free(move);
}

/* What players of the level lose more of is no weakness. */
static void test_as_expected(void **state)
{
    const struct ipr_profile_reference r = flat(.02, .05, .10);
    struct ipr_profile_move *const move = calloc(GAMES * MOVES, sizeof *move);
    struct ipr_profile p;
    size_t advice[3];

    (void)state;
    games(.04, .10, .20, move);
    ipr_profile_of(move, GAMES * MOVES, &r, 1500, &p);
    assert_int_equal(ipr_profile_advice(&p, advice), 0);
    for (size_t i = 0; i < p.n; i++)
        assert_int_equal(p.row[i].called, 0);
    free(move);
}

/* The same by less than a tenth, and by less than an inaccuracy a game, both with games enough that
 * it is beyond chance: neither is called, nor to work on. */
static void test_too_little(void **state)
{
    static const struct {
        double rest, end; /* lost by a move */
    } small[] = { { .05, .0539 }, { .005, .0099 } }, large = { .05, .0585 };
    const struct ipr_profile_reference even = flat(.05, .05, .05);
    struct ipr_profile_reference r = even;
    struct ipr_profile_move *const move = calloc(GAMES * MOVES, sizeof *move);
    struct ipr_profile p;
    size_t advice[3];

    (void)state;
    for (int k = 0; k <= IPR_PROFILE_PARTS; k++)
        r.kappa[k] = 1e-4; /* as of thousands of games */
    for (size_t i = 0; i < 2; i++) {
        games(small[i].rest, small[i].rest, small[i].end, move);
        ipr_profile_of(move, GAMES * MOVES, &r, 1500, &p);
        assert_true(row_of(&p, IPR_PROFILE_ENDGAME, 0)->p < 1e-6);
        assert_int_equal(row_of(&p, IPR_PROFILE_ENDGAME, 0)->called, 0);
        assert_int_equal(ipr_profile_advice(&p, advice), 0);
    }
    games(large.rest, large.rest, large.end, move);
    ipr_profile_of(move, GAMES * MOVES, &r, 1500, &p);
    assert_int_equal(row_of(&p, IPR_PROFILE_ENDGAME, 0)->called, 1);
    assert_int_equal(ipr_profile_advice(&p, advice), 1);
    free(move);
}

/* The costliest comes first, also where another is surer. */
static void test_order(void **state)
{
    struct ipr_profile_reference r = flat(.05, .05, .05);
    struct ipr_profile_move *const move = calloc(GAMES * MOVES, sizeof *move);
    struct ipr_profile p;
    size_t advice[3];

    (void)state;
    r.kappa[IPR_PROFILE_ENDGAME] = 1e-4;
    games(.02, .09, .08, move);
    ipr_profile_of(move, GAMES * MOVES, &r, 1500, &p);
    assert_int_equal(ipr_profile_advice(&p, advice), 2);
    assert_int_equal(p.row[advice[0]].part, IPR_PROFILE_MIDDLEGAME);
    assert_int_equal(p.row[advice[1]].part, IPR_PROFILE_ENDGAME);
    assert_true(p.row[advice[1]].p < p.row[advice[0]].p);
    free(move);
}

/* The reference's error of a part adds to that of the games, between its knots in proportion. */
static void test_reference_error(void **state)
{
    struct ipr_profile_reference r = flat(.05, .05, .05);
    struct ipr_profile_move *const move = calloc(GAMES * MOVES, sizeof *move);
    struct ipr_profile p;

    (void)state;
    r.error[IPR_PROFILE_ENDGAME][2] = .04; /* at 1500 */
    r.error[IPR_PROFILE_ENDGAME][4] = .10; /* at 2000 */
    games(.05, .05, .10, move);
    ipr_profile_of(move, GAMES * MOVES, &r, 1500, &p);
    assert_close(row_of(&p, IPR_PROFILE_ENDGAME, 0)->reference_se, .04, 1e-9);
    assert_close(row_of(&p, IPR_PROFILE_ENDGAME, 0)->se, sqrt(.0075 + .0016), 1e-9);
    assert_close(row_of(&p, IPR_PROFILE_WHITE, 0)->reference_se, 0, 1e-9);
    ipr_profile_of(move, GAMES * MOVES, &r, 1625, &p);
    assert_close(row_of(&p, IPR_PROFILE_ENDGAME, 0)->reference_se, .02, 1e-9);
    ipr_profile_of(move, GAMES * MOVES, &r, 2100, &p);
    assert_close(row_of(&p, IPR_PROFILE_ENDGAME, 0)->reference_se, .10, 1e-9);
    free(move);
}

/* Players just beyond the reference are compared with those at its end. */
static void test_levels(void **state)
{
    const struct ipr_profile_reference r = flat(.05, .05, .05); /* of 1000 to 2000 */

    (void)state;
    assert_close(ipr_profile_level(&r, 1234), 1234, 1e-9);
    assert_close(ipr_profile_level(&r, 2200), 2000, 1e-9);
    assert_close(ipr_profile_level(&r, 800), 1000, 1e-9);
    assert_true(isnan(ipr_profile_level(&r, 2201)));
    assert_true(isnan(ipr_profile_level(&r, 799)));
    assert_true(isnan(ipr_profile_level(&r, NAN)));
}

/* An opening has a row from three games on and is compared from eight on; those with most games
 * have a row. */
static void test_openings(void **state)
{
    const struct ipr_profile_reference r = flat(.05, .05, .05);
    struct ipr_profile_move *const move = calloc(GAMES * MOVES, sizeof *move);
    struct ipr_profile p;
    size_t advice[3];

    (void)state;
    games(.05, .05, .05, move);
    for (size_t i = 0; i < GAMES * MOVES; i++) {
        move[i].line = move[i].game < 7    ? 3
                       : move[i].game < 16 ? 5
                       : move[i].game < 30 ? 2
                       : move[i].game < 32 ? 4
                                           : 0;
        move[i].lost *= move[i].line == 5 ? 3 : 1;
    }
    ipr_profile_of(move, GAMES * MOVES, &r, 1500, &p);
    const struct ipr_profile_row *const few = row_of(&p, IPR_PROFILE_LINE, 3);

    assert_non_null(few);
    assert_int_equal(few->games, 7);
    assert_close(few->lost, .05 * 7 * MOVES, 1e-9);
    assert_true(isnan(few->usual) && isnan(few->stronger) && isnan(few->p));
    assert_null(row_of(&p, IPR_PROFILE_LINE, 4)); /* two games */
    assert_true(row_of(&p, IPR_PROFILE_LINE, 2)->usual > 0);
    assert_int_equal(row_of(&p, IPR_PROFILE_LINE, 2)->games, 14);
    assert_int_equal(row_of(&p, IPR_PROFILE_LINE, 5)->games, 9);
    assert_true(ipr_profile_advice(&p, advice) >= 1);
    assert_int_equal(p.row[advice[0]].line, 5);
    free(move);
}

static void test_without_reference(void **state)
{
    struct ipr_profile_move *const move = calloc(GAMES * MOVES, sizeof *move);
    struct ipr_profile p;

    (void)state;
    games(.05, .05, .10, move);
    const struct ipr_profile_reference r = flat(.05, .05, .05);
    ipr_profile_of(move, GAMES * MOVES, &r, 1900, &p);
    assert_true(p.usual > 0);
    assert_true(isnan(p.stronger)); /* 2100 is beyond it */
    ipr_profile_of(move, GAMES * MOVES, NULL, NAN, &p);
    assert_close(row_of(&p, IPR_PROFILE_ENDGAME, 0)->lost, 40, 1e-9);
    assert_true(isnan(row_of(&p, IPR_PROFILE_ENDGAME, 0)->usual));
    assert_true(isnan(row_of(&p, IPR_PROFILE_ENDGAME, 0)->p));
    ipr_profile_of(move, 0, NULL, NAN, &p);
    assert_int_equal(p.n, 0);
    free(move);
}

/* The shipped references: the stronger lose less, in level positions of every phase. */
static void test_shipped(void **state)
{
    const struct ipr_profile_reference *const all[] = {
        &ipr_profile_online_rapid_files, &ipr_profile_online_rapid_moves,
        &ipr_profile_online_blitz_moves, &ipr_profile_online_bullet_moves, &ipr_profile_otb_moves
    };

    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (int p = 0; p < IPR_PHASES; p++) {
            const struct ipr_profile_move m = { .phase = (enum ipr_phase)p,
                                                .standing = IPR_STANDING_LEVEL,
                                                .hurried = -1 };
            const double low = ipr_profile_expected(all[k], &m, all[k]->low + 100);
            const double high = ipr_profile_expected(all[k], &m, all[k]->high - 100);

            assert_true(low > high && high > 0 && low < .3);
        }
    /* The page says that a named weakness is in other games more often than by chance. */
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        assert_true(all[k]->halves.there > all[k]->halves.chance && all[k]->halves.p < .05);
    /* No part that is compared has a variance of nothing, by which all of it would be called. */
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (int part = 0; part <= IPR_PROFILE_PARTS; part++) {
            assert_true(all[k]->kappa[part] > 0 && all[k]->between[part] > 0);
            for (int knot = 0; part < IPR_PROFILE_PARTS && knot < IPR_PROFILE_KNOTS; knot++)
                assert_true(all[k]->error[part][knot] > 0 ||
                            (part == IPR_PROFILE_HURRIED && all[k]->hurried[1] == 0));
        }
}

static void test_standings(void **state)
{
    (void)state;
    assert_int_equal(ipr_standing_of(.05), IPR_STANDING_LOST);
    assert_int_equal(ipr_standing_of(.06), IPR_STANDING_BEHIND);
    assert_int_equal(ipr_standing_of(.5), IPR_STANDING_LEVEL);
    assert_int_equal(ipr_standing_of(.71), IPR_STANDING_AHEAD);
    assert_int_equal(ipr_standing_of(.96), IPR_STANDING_WON);
    assert_int_equal(ipr_profile_hurried_below(180000), 18000);
    assert_int_equal(ipr_profile_hurried_below(5400000), 30000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),    cmocka_unit_test(test_as_expected),
        cmocka_unit_test(test_too_little), cmocka_unit_test(test_reference_error),
        cmocka_unit_test(test_levels),     cmocka_unit_test(test_order),
        cmocka_unit_test(test_openings),   cmocka_unit_test(test_without_reference),
        cmocka_unit_test(test_shipped),    cmocka_unit_test(test_standings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
