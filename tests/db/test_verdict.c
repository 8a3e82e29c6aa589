/* The sentence of a head to head, from its figures alone. */
#include "view/prediction/verdict.h"

#include <math.h>

#include "ipr_sentences_sample.h"
#include "ipr_test.h"

static const struct {
    const char *white, *black;
    double expected, low, high; /* NaN: none */
    double moves, moves_low, moves_high;
    double difference, error;
    const char *strength, *text, *brief;
    double probability;
} rows[] = {
    { "Fischer, Robert J", "Kasparov, Gary", .5895, .483, .706, .5416, .207, .843, 29.2, 133.9,
      "elo",
      "Fischer 1972 would be the favourite against Kasparov 1984, by Elo: 59% of the points, 95% "
      "interval 48% to 71%. That does not rule out that Kasparov 1984 scores more. By the moves "
      "Fischer 1972 would score 54%, 95% interval 21% to 84%. They do not show who was stronger: "
      "Fischer 1972 is 29 Elo higher, 95% interval −233 to 292.",
      "Fischer 1972 would be the favourite against Kasparov 1984, by Elo. The interval does not "
      "rule out that Kasparov 1984 scores more. The moves do not show who was stronger: Fischer "
      "1972 is 29 Elo higher, 95% interval −233 to 292.",
      .5863 },
    { "Lasker, E", "Lasker, E", .5699, .521, .62, NAN, NAN, NAN, NAN, NAN,
      "results_strength", /* as it is printed, so it is named */
      "Lasker, E 1972 would be the favourite against Lasker, E 1984, by the strength from results: "
      "57% of the points, 95% interval 52% to 62%.",
      "Lasker, E 1972 would be the favourite against Lasker, E 1984, by the strength from results.",
      NAN },
    { "A, B", "C, D", .504, .4, .6, .24, .14, .39, -200, 60, "elo",
      "A 1972 and C 1984 would be about even, by Elo: for A 1972 50% of the points, 95% interval "
      "40% to 60%. By the moves C 1984 would score 76%, 95% interval 61% to 86%. It is virtually "
      "certain (above 99%) that C 1984 was stronger: 200 Elo higher, 95% interval 82 to 318. "
      "Results and moves measure different things; the chances follow the results, which no "
      "predictor from the moves has been shown to beat.",
      "A 1972 and C 1984 would be about even, by Elo. By the moves it is virtually certain (above "
      "99%) that C 1984 was stronger: 200 Elo higher, 95% interval 82 to 318. Results and "
      "moves measure different things; the chances follow the results, which no predictor from the "
      "moves has been shown to beat.",
      .00043 },
    { "A", "C", .1, .02, .55, .1, .02, .55, -150, 100, "rating", /* the score once */
      "C 1984 would be an overwhelming favourite against A 1972, by the moves: 90% "
      "of the points, 95% interval 45% to 98%. That does not rule out that A 1972 scores more. By "
      "the moves it is very likely (93%) that C 1984 was stronger: 150 Elo higher, 95% "
      "interval −46 to 346.",
      "C 1984 would be an overwhelming favourite against A 1972, by the moves. The "
      "interval does not rule out that A 1972 scores more. By the moves it is very likely (93%) "
      "that C 1984 was stronger: 150 Elo higher, 95% interval −46 to 346.",
      .0668 },
    { "A", "C", NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, "rating", NULL, NULL, NAN },
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
        const struct ipr_figure_game_chances chances = { .strength = rows[i].strength,
                                                         .expected = rows[i].expected,
                                                         .interval = { rows[i].low,
                                                                       rows[i].high } };
        const struct ipr_figure_game_chances moves = { .strength = "rating",
                                                       .expected = rows[i].moves,
                                                       .interval = { rows[i].moves_low,
                                                                     rows[i].moves_high } };
        const struct ipr_figure_rating_difference d = { .estimate = rows[i].difference,
                                                        .standard_error = rows[i].error };
        struct ipr_figure_verdict out;

        ipr_predict_verdict(&p, &chances, &moves, &d, &out);
        assert_text(out.text, rows[i].text);
        assert_text(out.brief, rows[i].brief);
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
    ipr_predict_verdict(&p, &chances, &chances, &d, &out);
    assert_string_equal(
        out.text, "Both sides are Fischer 1972: 50% is expected by definition, and says nothing.");
    assert_true(isnan(out.probability));
    p.black = &year_before;
    ipr_predict_verdict(&p, &chances, &chances, &d, &out);
    assert_null(strstr(out.text, "Both sides"));
    ipr_arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_texts),
                                        cmocka_unit_test(test_same_side) };

    return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
