/* The sentences that lab/ writes into the documents, from made-up figures. */
#include <string.h>

#include "ipr_test.h"
#include "lab/predictors/table.h"
#include "lab/report.h"
#include "view/json.h"

/* ---- the validation ---- */

#define SETS(games, sets, coverage)                                                                \
    "{\"chosen\":true,\"of\":\"band\",\"games\":" games ",\"sets\":" sets                          \
    ",\"coverage\":" coverage ",\"width\":341,\"less\":0.13}"
#define PART(sets)                                                                                 \
    "{\"moves\":155989,\"sides\":5142,\"sets\":[{\"chosen\":false,\"of\":\"band\",\"games\":30,"   \
    "\"sets\":9,\"coverage\":0.1}," sets "]}"
#define PARTS(parts) "{\"parts\":[" parts "]}"

static void assert_said(const json_t *document, const char *member, const char *want)
{
    const char *const got = ipr_json_text_at(document, member);

    if (strstr(got, want) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", want, got);
}

/* NULL: nothing is said. */
static void check_validation(const char *parts, const char *finding, const char *tested)
{
    json_t *document = json_loads(parts, 0, NULL);

    assert_non_null(document);
    bench_words(document);
    if (finding == NULL)
        assert_true(json_is_null(json_object_get(document, "finding")) &&
                    json_is_null(json_object_get(document, "tested")));
    else {
        assert_said(document, "finding", finding);
        assert_said(document, "tested", tested);
    }
    json_decref(document);
}

/* Of 400 sets 92.86 % and more are expected to be right by chance. */
static void validation_says_whether_the_interval_holds(void **state)
{
    static const char held[] = PARTS(PART(SETS("1", "400", "0.93") "," SETS(
        "30", "159", "0.9616")) "," PART(SETS("30", "50", "0.936")));

    (void)state;
    check_validation(held,
                     "A rating from 30 games is within 170 points of the player's Elo in 19 of 20 "
                     "cases, from one game within 170.",
                     "Tested on other players than those it was fitted to, the 95% interval "
                     "contained the Elo in 96% of 159 sets of 30 games (92% to 98% are expected by "
                     "chance), and in 94% of 50 sets by players whose games had no part in making "
                     "the rating. From one game the error is only 13% smaller than if everybody "
                     "got the same rating.");
    check_validation(PARTS(PART(SETS("1", "400", "0.92") "," SETS("30", "159", "0.9616"))),
                     "should be within 170 points of the player's Elo in 19 of 20 cases, from one "
                     "game within 170, but the interval is too narrow at 1 games a set.",
                     "in 96% of 159 sets of 30 games");
    check_validation(PARTS(PART(SETS("5", "400", "0.96"))), NULL, NULL);
}

/* ---- predictors ---- */

#define TESTED(predictor, low, high)                                                               \
    "{\"predictor\":\"" predictor "\",\"interval\":{\"low\":" low ",\"high\":" high "}}"
#define PREDICTORS(better, any, champions)                                                         \
    "{\"recommended\":{\"with_elo\":{\"title\":\"Elo\",\"better_than_base\":false,\"games\":7348}" \
    ","                                                                                            \
    "\"without_elo\":{\"title\":\"Markov\",\"better_than_base\":" better ",\"games\":643}},"       \
    "\"tables\":[{\"name\":\"any\",\"predictors\":[" TESTED("even", "0", "1") "," TESTED(          \
        "elo_and_rating", "-1",                                                                    \
        "1") "," any "]},{\"name\":\"champions\",\"scored\":643,\"predictors\":[" champions "]}]}"

/* Checks what pages say of the predictors. */
static void recommends(const char *document, const char *text, const char *why, const char *test)
{
    json_t *of = json_loads(document, 0, NULL);

    assert_non_null(of);
    predictors_words(of);
    assert_string_equal(ipr_json_text_at(of, "recommended.text"), text);
    assert_string_equal(ipr_json_text_at(of, "words.why_with_elo"), why);
    assert_string_equal(ipr_json_text_at(of, "words.tests.ipr"), test);
    json_decref(of);
}

static void test_recommended(void **state)
{
    (void)state;
    recommends(PREDICTORS("false", TESTED("rating", "0.001", "0.02"),
                          TESTED("mean_loss", "-0.01", "0.01")),
               "To predict results, believe Elo where both players have one: it predicted 7,348 "
               "games better than any predictor from the moves; without an Elo none was shown to "
               "be better than even chances.",
               "Elo predicted 7,348 games better than any predictor from the moves.",
               "in 643 games between champions it was not shown to predict results better than "
               "even chances");
    recommends(PREDICTORS("true", TESTED("rating", "-0.001", "0.02"),
                          TESTED("mean_loss", "-0.02", "-0.01")),
               "To predict results, believe Elo where both players have one: no predictor from the "
               "moves predicted 7,348 games better; without an Elo believe Markov: it predicted "
               "643 games better than even chances.",
               "No predictor from the moves predicted 7,348 games better.",
               "it predicted 643 games between champions better than even chances");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(validation_says_whether_the_interval_holds),
        cmocka_unit_test(test_recommended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
