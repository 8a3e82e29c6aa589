/* Endgame truth: what counts, what is kept, what is lost of the way to a win. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>

#include "ipr_test.h"
#include "model/endgame.h"

enum {
    L = IPR_ENDGAME_LOSS,
    B = IPR_ENDGAME_BLESSED_LOSS,
    D = IPR_ENDGAME_DRAW,
    C = IPR_ENDGAME_CURSED_WIN,
    W = IPR_ENDGAME_WIN
};

static struct ipr_endgame_turn turn(int32_t game, int before, int after)
{
    return (struct ipr_endgame_turn){ .game = game,
                                      .legal = 5,
                                      .probed = true,
                                      .before = (enum ipr_endgame_wdl)before,
                                      .after = (enum ipr_endgame_wdl)after };
}

static struct ipr_endgame_turn with_dtz(int32_t game, uint16_t before, uint16_t after, bool zeroing)
{
    struct ipr_endgame_turn t = turn(game, W, W);

    t.dtz_known = true;
    t.dtz_before = before;
    t.dtz_after = after;
    t.zeroing = zeroing;
    return t;
}

static void test_values(void **state)
{
    static const int value[] = { -1, 0, 0, 0, 1 };

    (void)state;
    for (int w = L; w <= W; w++) {
        assert_int_equal(ipr_endgame_value((enum ipr_endgame_wdl)w), value[w]);
    }
}

static void test_dtz_lost(void **state)
{
    static const struct {
        uint16_t before, after;
        bool zeroing;
        unsigned lost;
    } rows[] = {
        { 10, 9, false, 0 },   /* the shortest way */
        { 10, 12, false, 3 },  /* a detour */
        { 10, 10, false, 1 },  /* a move to no purpose */
        { 10, 8, false, 0 },   /* rounding in the table */
        { 1, 40, true, 0 },    /* a capture into the next phase */
        { 1, 0, true, 0 },     /* mate */
        { 1, 100, false, 100 } /* left out the capture */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct ipr_endgame_turn t =
            with_dtz(1, rows[i].before, rows[i].after, rows[i].zeroing);
        assert_int_equal(ipr_endgame_dtz_lost(&t), rows[i].lost);
    }
}

static void test_classes(void **state)
{
    const struct ipr_endgame_turn turns[] = {
        turn(1, W, W), turn(1, W, C), /* a win given away within the 50-move rule */
        turn(1, D, D), turn(2, D, B), /* still a draw */
        turn(2, C, D), turn(2, B, L), /* the save given away */
        turn(2, L, L), turn(3, W, L), turn(3, D, L), turn(3, W, W),
    };
    struct ipr_endgame e;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_ok(ipr_endgame(turns, 10, 1, &e, &err), &err);
    assert_int_equal(e.turns, 10);
    assert_int_equal(e.kept[IPR_ENDGAME_CLASS_ALL].share.hits, 6);
    assert_int_equal(e.kept[IPR_ENDGAME_CLASS_AT_STAKE].turns, 9);
    assert_int_equal(e.kept[IPR_ENDGAME_CLASS_AT_STAKE].share.hits, 5);
    assert_int_equal(e.kept[IPR_ENDGAME_CLASS_WON].turns, 4);
    assert_close(e.kept[IPR_ENDGAME_CLASS_WON].share.share, 0.5, 0.0);
    assert_int_equal(e.kept[IPR_ENDGAME_CLASS_DRAWN].turns, 5);
    assert_close(e.kept[IPR_ENDGAME_CLASS_DRAWN].share.share, 0.6, 1e-15);
    assert_int_equal(e.kept[IPR_ENDGAME_CLASS_LOST].turns, 1);
    assert_close(e.kept[IPR_ENDGAME_CLASS_LOST].share.share, 1.0, 0.0);
    assert_false(e.kept[IPR_ENDGAME_CLASS_LOST].share.clustered_known);
    assert_int_equal(e.kept[IPR_ENDGAME_CLASS_ALL].share.games, 3);
    assert_true(e.kept[IPR_ENDGAME_CLASS_ALL].share.clustered_known);
    assert_false(e.dtz.known);
    assert_int_equal(e.dtz.turns, 0);
}

static void test_exclusions(void **state)
{
    struct ipr_endgame_turn turns[30];
    struct ipr_endgame e = { .turns = 77 };

    (void)state;
    for (int i = 0; i < 30; i++)
        turns[i] = turn(i / 3, W, W);
    turns[0].legal = 1;
    turns[1].probed = false;
    turns[1].before = (enum ipr_endgame_wdl)99; /* not looked at */
    turns[2].before = IPR_ENDGAME_DRAW;         /* a draw cannot become a win */
    turns[3].before = IPR_ENDGAME_CURSED_WIN;
    assert_int_equal(ipr_endgame(turns, 30, 26, &e, NULL), IPR_OK);
    assert_int_equal(e.turns, 26);
    assert_int_equal(e.excluded[IPR_ENDGAME_FORCED], 1);
    assert_int_equal(e.excluded[IPR_ENDGAME_UNPROBED], 1);
    assert_int_equal(e.excluded[IPR_ENDGAME_CONTRADICTORY], 2);
    /* Everything kept: the interval is not a point. */
    assert_close(e.kept[IPR_ENDGAME_CLASS_WON].share.share, 1.0, 0.0);
    assert_true(e.kept[IPR_ENDGAME_CLASS_WON].share.wilson.lo < 0.9);
    assert_true(e.kept[IPR_ENDGAME_CLASS_WON].share.clustered.lo < 0.9);
    assert_false(e.kept[IPR_ENDGAME_CLASS_DRAWN].known);

    e.turns = 77;
    assert_int_equal(ipr_endgame(turns, 30, 27, &e, NULL), IPR_EDATA);
    assert_int_equal(ipr_endgame(turns, 1, 1, &e, NULL), IPR_EDATA); /* all forced */
    assert_int_equal(ipr_endgame(turns, 0, 1, &e, NULL), IPR_EDATA);
    assert_int_equal(ipr_endgame(turns, 30, 0, &e, NULL), IPR_EINVAL);
    turns[5].after = (enum ipr_endgame_wdl)5;
    assert_int_equal(ipr_endgame(turns, 30, 1, &e, NULL), IPR_EINVAL);
    assert_int_equal(e.turns, 77);
}

static void test_dtz(void **state)
{
    /* Game 1 loses 0 and 2, game 2 loses 4; a draw, a win given away and an unknown DTZ do not
     * count. */
    struct ipr_endgame_turn turns[7] = { with_dtz(1, 9, 8, false), with_dtz(1, 8, 9, false),
                                         with_dtz(2, 5, 8, false), turn(1, D, D),
                                         with_dtz(2, 5, 8, false), turn(3, W, W) };
    struct ipr_endgame e;

    (void)state;
    turns[4].after = IPR_ENDGAME_CURSED_WIN;
    turns[6] = with_dtz(2, 1, 60, true);
    assert_int_equal(ipr_endgame(turns, 7, 1, &e, NULL), IPR_OK);
    assert_int_equal(e.dtz.turns, 4);
    assert_int_equal(e.dtz.games, 2);
    assert_int_equal(e.dtz.best, 2);
    assert_close(e.dtz.mean, 1.5, 1e-15);
    /* sqrt(2/1 (1 + 1))/4: the games' sums are -1 and +1 about the mean. */
    assert_close(e.dtz.se, 0.5, 1e-15);
    assert_true(e.dtz.known && e.dtz.se_known);
    assert_close(e.dtz.interval.lo, 0.0, 0.0);
    assert_close(e.dtz.interval.hi, 1.5 + 0.5 * ipr_stats_quantile95(2), 1e-12);

    assert_int_equal(ipr_endgame(turns, 7, 5, &e, NULL), IPR_OK);
    assert_false(e.dtz.known);
    assert_int_equal(e.dtz.turns, 4);
    assert_int_equal(ipr_endgame(turns, 2, 1, &e, NULL), IPR_OK); /* one game: no error */
    assert_true(e.dtz.known && !e.dtz.se_known);
    assert_close(e.dtz.se, 0.0, 0.0);
}

/* Any order and numbering of the games. */
static void test_order(void **state)
{
    enum { N = 500 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_endgame_turn turns[N];
    struct ipr_endgame_turn back[N];
    struct ipr_endgame a;
    struct ipr_endgame b;

    (void)state;
    for (int i = 0; i < N; i++) {
        const int before = (int)gsl_rng_uniform_int(rng, 5);
        turns[i] = turn(i / 10, before, (int)gsl_rng_uniform_int(rng, (unsigned)before + 1));
        turns[i].dtz_known = true;
        turns[i].dtz_before = (uint16_t)(1 + gsl_rng_uniform_int(rng, 50));
        turns[i].dtz_after = (uint16_t)(turns[i].dtz_before + gsl_rng_uniform_int(rng, 5));
        back[N - 1 - i] = turns[i];
        back[N - 1 - i].game = 900 - turns[i].game;
    }
    assert_int_equal(ipr_endgame(turns, N, IPR_ENDGAME_FLOOR, &a, NULL), IPR_OK);
    assert_int_equal(ipr_endgame(back, N, IPR_ENDGAME_FLOOR, &b, NULL), IPR_OK);
    for (int c = 0; c < IPR_ENDGAME_CLASSES; c++) {
        assert_true(a.kept[c].known);
        assert_int_equal(a.kept[c].share.hits, b.kept[c].share.hits);
        assert_close(a.kept[c].share.clustered.lo, b.kept[c].share.clustered.lo, 1e-12);
    }
    assert_close(a.dtz.mean, b.dtz.mean, 1e-12);
    assert_close(a.dtz.se, b.dtz.se, 1e-12);
    gsl_rng_free(rng);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(ipr_endgame_excluded_name(IPR_ENDGAME_CONTRADICTORY), "contradictory");
    assert_string_equal(ipr_endgame_excluded_name(IPR_ENDGAME_REASONS), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),  cmocka_unit_test(test_dtz_lost),
        cmocka_unit_test(test_classes), cmocka_unit_test(test_exclusions),
        cmocka_unit_test(test_dtz),     cmocka_unit_test(test_order),
        cmocka_unit_test(test_names),
    };

    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
