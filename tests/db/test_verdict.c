/* The sentence of a head to head, from its figures alone. */
#include "view/prediction/verdict.h"

#include <math.h>

#include "ipr_sentences_sample.h"
#include "ipr_test.h"

static const struct {
    const char *white, *black;
    double expected, low, high; /* NaN: none */
    double difference, error;
    const char *text, *certainty;
    double probability;
} rows[] = {
    { "Fischer, Robert J", "Kasparov, Gary", .5895, .478, .706, 29.2, 133.9,
      "Fischer 1972 is the favourite: 59 points of 100 against Kasparov 1984.", "very likely",
      .5863 },
    /* As it is printed, so it is named. */
    { "Lasker, E", "Lasker, E", .5699, .521, .62, NAN, NAN,
      "E Lasker 1972 is the favourite: 57 points of 100 against E Lasker 1984.",
      "virtually certain", NAN },
    { "A, B", "C, D", .504, .4, .6, -200, 60,
      "A 1972 and C 1984 are about even: 50 points of 100 for A 1972.", "cannot tell", .00043 },
    { "A, B", "C, D", .52, .4, .6, 0, 60,
      "A 1972 is a slight favourite: 52 points of 100 against C 1984.", "leans", .5 },
    /* By the end of the interval towards one half: the other one is nearer. */
    { "A", "C", .1, .02, .55, -150, 100,
      "C 1984 is an overwhelming favourite: 90 points of 100 against A 1972.", "extremely likely",
      .0668 },
    { "A", "C", .6, NAN, NAN, NAN, NAN, "A 1972 is the favourite: 60 points of 100 against C 1984.",
      NULL, NAN },
    { "A", "C", NAN, NAN, NAN, NAN, NAN, NULL, NULL, NAN },
};

static void assert_text(const char *got, const char *want)
{
    if (want == NULL)
        assert_null(got);
    else
        assert_string_equal(got, want);
}

static void test_texts(void **state)
{
    struct ipr_arena mem = { 0 };
    const struct ipr_view view = { .mem = &mem };
    const struct ipr_view_context context = { .v = &view, .pool = ipr_pool_of(0) };

    (void)state;
    ipr_sentences_sample();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct ipr_predict_side white = { .player = { .id = 1, .name = rows[i].white },
                                                .who = { 1, 1972 } };
        const struct ipr_predict_side black = { .player = { .id = 2, .name = rows[i].black },
                                                .who = { 2, 1984 } };
        const struct ipr_predict p = { .context = &context, .white = &white, .black = &black };
        const struct ipr_figure_game_chances chances = {
            .expected = rows[i].expected, .interval = { rows[i].low, rows[i].high }
        };
        const struct ipr_figure_rating_difference d = { .estimate = rows[i].difference,
                                                        .standard_error = rows[i].error };
        struct ipr_figure_verdict out = { 0 };

        ipr_predict_verdict(&p, &chances, &d, &out);
        assert_text(out.text, rows[i].text);
        assert_text(out.certainty, rows[i].certainty);
        if (isnan(rows[i].probability))
            assert_true(isnan(out.probability));
        else
            assert_close(out.probability, rows[i].probability, 1e-4);
    }
    ipr_arena_release(&mem);
}

static void test_same_side(void **state)
{
    struct ipr_arena mem = { 0 };
    const struct ipr_view view = { .mem = &mem };
    const struct ipr_view_context context = { .v = &view, .pool = ipr_pool_of(0) };
    const struct ipr_predict_side side = { .player = { .id = 1, .name = "Fischer, Robert J" },
                                           .who = { 1, 1972 } };
    const struct ipr_predict_side year_before = { .player = side.player, .who = { 1, 1971 } };
    struct ipr_predict p = { .context = &context, .white = &side, .black = &side };
    const struct ipr_figure_game_chances chances = { .strength = "elo", .expected = .5 };
    const struct ipr_figure_rating_difference d = { .estimate = 0, .standard_error = 40 };
    struct ipr_figure_verdict out;

    (void)state;
    ipr_predict_verdict(&p, &chances, &d, &out);
    assert_string_equal(out.text, "Both sides are Fischer 1972: 50 points of 100 by definition.");
    assert_true(isnan(out.probability));
    p.black = &year_before;
    ipr_predict_verdict(&p, &chances, &d, &out);
    assert_null(strstr(out.text, "Both sides"));
    ipr_arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_texts),
                                        cmocka_unit_test(test_same_side) };

    return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
