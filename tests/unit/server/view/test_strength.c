/* The rating of given sums: shrinking, estimates beyond the calibrated range, reasons. */
#include <math.h>

#include "ipr_sentences_sample.h"
#include "ipr_test.h"
#include "model/strength_shipped.h"
#include "view/rating/rate.h"

struct scene {
    struct ipr_arena mem;
    struct ipr_view view;
    struct ipr_view_context context;
};

static int scene_open(void **state)
{
    struct scene *s = ipr_xcalloc(1, sizeof *s);

    s->view.mem = &s->mem;
    s->context.v = &s->view;
    s->context.pool = ipr_pool_of(0);
    *state = s;
    return 0;
}

static int scene_close(void **state)
{
    struct scene *s = *state;

    ipr_arena_release(&s->mem);
    free(s);
    return 0;
}

/* Of moves that tell so much (some 130 of them 1), at that place of the curve. */
static struct ipr_figure_rating *rating_in(struct scene *s, double elo, double information,
                                           double year, double events)
{
    const double z = ipr_strength_curve_at(&ipr_strength_shipped.calibration.curve, elo);
    const struct ipr_db_strength sums = { .score = (int64_t)llround(1e6 * z * information),
                                          .information = (int64_t)llround(1e6 * information),
                                          .moves = (int64_t)(10 * information),
                                          .tagged_moves = (int64_t)(10 * information),
                                          .games = 3,
                                          .elo = 2222,
                                          .year = year,
                                          .events = events,
                                          .judge_id = 7 };

    return ipr_strength_figure(&s->context, &sums);
}

static struct ipr_figure_rating *rating_at(struct scene *s, double elo, double information)
{
    return rating_in(s, elo, information, 0, 0);
}

static void test_estimate(void **state)
{
    const struct ipr_figure_rating *r = rating_at(*state, 2450, 100);

    assert_close(r->raw->estimate, 2450, .1);
    assert_true(r->figure.estimate < 2450 && r->figure.estimate > 2400); /* towards the prior */
    assert_true(r->figure.interval.lo > 2100 && r->figure.interval.hi < 2750);
    assert_true(r->figure.standard_error > 60 && r->figure.standard_error < 160);
    assert_false(r->extrapolated);
    assert_null(r->figure.group.reason);
    assert_int_equal(r->figure.group.basis.turns, 1000);
    assert_int_equal(r->figure.group.basis.games, 3);
    assert_int_equal(r->figure.group.provenance.judge, 7);
    assert_string_equal(r->figure.group.provenance.method, "strength");
    assert_close(r->surprise->elo, 2222, 0);
}

/* The fewer moves, the nearer to what is assumed, and the wider. */
static void test_few(void **state)
{
    const struct ipr_figure_rating *many = rating_at(*state, 2600, 100);
    const struct ipr_figure_rating *few = rating_at(*state, 2600, .3);
    const double mean = ipr_strength_shipped.prior_mean;

    assert_true(few->figure.estimate < many->figure.estimate);
    assert_true(few->figure.estimate > mean);
    assert_true(few->figure.estimate - mean < (many->figure.estimate - mean) * .6);
    assert_true(few->figure.standard_error > many->figure.standard_error);
    assert_true(few->figure.standard_error <= ipr_strength_shipped.prior_sd);
    assert_close(few->raw->estimate, many->raw->estimate, .1);
}

/* Far from the Elo, 2222: with how often that is by chance. */
static void test_chance(void **state)
{
    const struct ipr_strength_null *row = ipr_strength_shipped.null_sets;
    const struct ipr_figure_rating *near = rating_at(*state, 2250, 100);
    const struct ipr_figure_rating *above = rating_at(*state, 2460, 100);
    const struct ipr_figure_rating *below = rating_at(*state, 1700, 20);

    assert_null(near->surprise->chance);
    assert_true(above->surprise->z > 2 && above->surprise->z < 3);
    assert_int_equal(above->surprise->chance->beyond, 2);
    assert_int_equal(above->surprise->chance->moves, 1000);
    assert_close(above->surprise->chance->share, row[3].above[0], 0);
    assert_close(1. / (double)above->surprise->chance->one_in, row[3].above[0], .001);
    assert_int_equal(below->surprise->chance->moves, 100);
    assert_close(below->surprise->chance->share,
                 row[1].below[(int)fmin(-below->surprise->z, 4) - 2], 0);
    assert_true(row[0].moves == 30 && row[0].below[0] > .01 && row[0].above[0] < .03);
}

static double width_of(const struct ipr_figure_rating *r)
{
    return r->figure.interval.hi - r->figure.interval.lo;
}

/* Beyond the calibrated range there is an estimate with both ends, which is marked, and the further
 * beyond, the wider. */
static void test_beyond(void **state)
{
    const struct ipr_scale *const scale = &ipr_pool_of(0)->moves;
    const struct ipr_figure_rating *all[] = { rating_at(*state, 900, 400),
                                              rating_at(*state, 1010, 400),
                                              rating_at(*state, 3000, 400),
                                              rating_at(*state, 3110, 400) };
    const double raw[] = { 900, 1010, 3000, 3110 };

    for (size_t i = 0; i < 4; i++) {
        const struct ipr_figure_rating *const r = all[i];

        assert_true(r->extrapolated);
        assert_false(ipr_scale_holds(scale, r->figure.estimate));
        assert_null(r->figure.group.reason);
        assert_true(r->figure.interval.lo < r->figure.estimate);
        assert_true(r->figure.interval.hi > r->figure.estimate);
        assert_true(width_of(r) > 2 * r->figure.standard_error && width_of(r) < 1500);
        assert_close(r->raw->estimate, raw[i], .1);
        assert_close(r->figure.estimate, raw[i], 120); /* of 400 moves the prior says little */
        assert_true(r->raw->interval.lo < raw[i] && r->raw->interval.hi > raw[i]);
    }
    assert_true(width_of(all[0]) > width_of(all[1]));
    assert_true(width_of(all[3]) > width_of(all[2]));
    assert_true(width_of(all[2]) > width_of(rating_at(*state, 2600, 400)));
}

/* The mark is of the estimate: an end of an interval beyond the range is none. */
static void test_end_beyond(void **state)
{
    const struct ipr_figure_rating *const r = rating_at(*state, 2850, 30);

    assert_false(r->extrapolated);
    assert_true(r->figure.interval.hi > ipr_pool_of(0)->moves.high);
    assert_true(isfinite(r->figure.interval.hi) && isfinite(r->raw->interval.hi));
}

static void test_none(void **state)
{
    struct scene *s = *state;
    const struct ipr_db_strength nothing = { 0 }, no_move = { .judge_id = 2 };
    const struct ipr_figure_rating *r = ipr_strength_figure(&s->context, &nothing);

    assert_true(isnan(r->figure.estimate) && isnan(r->figure.interval.lo));
    assert_non_null(strstr(r->figure.group.reason, "engine setting rating of Stockfish 15.1"));
    assert_null(r->raw);
    r = ipr_strength_figure(&s->context, &no_move);
    assert_string_equal(r->figure.group.reason, "no move of these games counts");
}

/* z is 0 for play at the Elo and grows with it; it is refused rather than guessed. */
static void test_surprise(void **state)
{
    struct scene *s = *state;
    struct ipr_db_strength sums = { .judge_id = 1 };
    const struct ipr_figure_rating *r = rating_at(s, 2222, 100);

    assert_close(r->surprise->z, 0, 1e-3);
    assert_close(r->surprise->tail, .5, 1e-3);
    r = rating_at(s, 2450, 100);
    assert_true(r->surprise->z > 2 && r->surprise->z < 4);
    assert_close(r->surprise->tail, .5 * erfc(r->surprise->z / sqrt(2)), 1e-9);
    assert_true(rating_at(s, 2000, 100)->surprise->z < -2);
    assert_true(isnan(rating_at(s, 2450, .5)->surprise->z));
    sums = (struct ipr_db_strength){
        .information = 1000000, .moves = 40, .tagged_moves = 30, .elo = 2300
    };
    assert_string_equal(ipr_strength_figure(&s->context, &sums)->surprise->reason,
                        "the player's Elo is not in the tags of all these games");
    sums = (struct ipr_db_strength){
        .information = 1000000, .moves = 40, .tagged_moves = 40, .elo = 2950
    };
    assert_string_equal(ipr_strength_figure(&s->context, &sums)->surprise->reason,
                        "the player's Elo is beyond the calibrated range");
    sums = (struct ipr_db_strength){
        .information = 1000000, .moves = 29, .tagged_moves = 29, .elo = 2300
    };
    assert_string_equal(ipr_strength_figure(&s->context, &sums)->surprise->reason,
                        "30 moves are needed");
}

/* In later years better play is expected, and the effect is reported; the rating does not change.
 * If all games are of one event, z is smaller. */
static void test_era(void **state)
{
    const struct ipr_figure_rating *plain = rating_at(*state, 2450, 100);
    const struct ipr_figure_rating *early = rating_in(*state, 2450, 100, 1998, 0);
    const struct ipr_figure_rating *late = rating_in(*state, 2450, 100, 2025, 0);
    const struct ipr_figure_rating *event = rating_in(*state, 2450, 100, 2025, 1);

    assert_true(isnan(plain->surprise->era));
    assert_true(early->surprise->era < 0 && late->surprise->era > 30);
    assert_true(early->surprise->z > late->surprise->z + .5);
    assert_true(event->surprise->z < late->surprise->z && event->surprise->z > 0);
    assert_close(event->surprise->era, late->surprise->era, 0);
    assert_close(late->figure.estimate, plain->figure.estimate, 0);
    assert_close(rating_in(*state, 2450, 100, 2060, 0)->surprise->era, late->surprise->era, 0);
    assert_close(rating_in(*state, 2222 + late->surprise->era, 100, 2025, 0)->surprise->z, 0, .01);
}

/* Sums suffice only where games of one player share nothing but the player. */
static void test_shipped(void **state)
{
    const struct ipr_strength_calibration *c = &ipr_strength_shipped.calibration;

    (void)state;
    assert_close(c->spread.game, 0, 0);
    assert_true(c->spread.factor > 1 && c->spread.player > 0);
    for (size_t i = 0; i + 1 < c->curve.knots; i++)
        assert_true(c->curve.z[i] < c->curve.z[i + 1]);
    assert_close(c->curve.elo[0], ipr_pool_of(0)->moves.low, 0);
    /* The line beyond the last knot was compared with sides of up to 100 more. */
    assert_close(c->curve.elo[c->curve.knots - 1] + 100, ipr_pool_of(0)->moves.high, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_estimate, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_few, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_chance, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_beyond, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_end_beyond, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_none, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_surprise, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_era, scene_open, scene_close),
        cmocka_unit_test(test_shipped),
    };

    ipr_sentences_sample();
    return cmocka_run_group_tests_name("strength", tests, NULL, NULL);
}
