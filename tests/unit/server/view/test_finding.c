/* Sentences of reports, made from their answers. */
#include "view/report/finding.h"

#include <stdio.h>

#include "ipr_sentences_sample.h"
#include "ipr_test.h"
#include "view/json.h"
#include "view/report/match_losses.h"

/* The sentence of the answer is `text`; NULL: there is none. */
static void says(const char *kind, const char *json, const char *text, bool shown)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    json_t *answer = json_loads(json, 0, NULL);

    assert_non_null(answer);
    const struct ipr_report_finding got = ipr_report_finding(kind, answer, NULL, &mem);
    if (text == NULL)
        assert_null(got.text);
    else
        assert_string_equal(got.text, text);
    assert_int_equal(got.shown, shown);
    json_decref(answer);
    ipr_arena_release(&mem);
}

#define ROW(id, name, year, best, low, high)                                                       \
    "{\"player\":{\"id\":" id ",\"name\":\"" name "\"},\"year\":" year ",\"turns\":1815,"          \
    "\"games\":24,\"strength\":0.8966,\"expected\":0.81,\"interval\":{\"low\":0.867,\"high\":"     \
    "0.9194},\"best_probability\":" best ",\"rank_low\":" low ",\"rank_high\":" high "}"
#define ROYALE(by_rule, rows)                                                                      \
    "{\"compared_by\":{\"predictor\":\"rating\",\"by_rule\":" by_rule "},\"active\":28,"           \
    "\"ranking\":[" rows "]}"

/* Years of one player are disjoint: their probabilities add up, so that the player can be known
 * where the year is not. */
#define OF_YEARS     "Single years, each by its own games, compared by the rating by the moves: "
#define OTHER_METHOD " Strengths, by another method, follow from all years of a player."

static void test_royale_open(void **state)
{
    (void)state;
    says("royale",
         ROYALE("true", ROW("1", "Carlsen, Magnus", "2020", "0.359", "1", "6") "," ROW(
                            "2", "Anand, V", "2010", "0.001", "6",
                            "9") "," ROW("1", "Carlsen, Magnus", "2019", "0.64", "1", "7")),
         OF_YEARS "Carlsen comes first (virtually certain, above 99%). In which year, the data do "
                  "not show: 2019 is first, with 64%." OTHER_METHOD,
         true);
    says("royale",
         ROYALE("true", ROW("1", "Carlsen, Magnus", "2020", "0.359", "1",
                            "6") "," ROW("2", "Anand, V", "2010", "0.3", "6",
                                         "9") "," ROW("3", "Tal, M", "1960", "0.04", "7", "12")),
         OF_YEARS "the data do not show who comes first; Carlsen does with a probability of 36%, "
                  "then Anand, with 30%." OTHER_METHOD,
         false);
}

static void test_royale_decided(void **state)
{
    (void)state;
    says("royale",
         ROYALE("false", ROW("1", "Polgar, Judit", "2003", "0.93", "1",
                             "1") "," ROW("2", "Polgar, Sofia", "1990", "0.07", "2", "2")),
         OF_YEARS "Judit Polgar 2003 comes first (very likely, 93%)." OTHER_METHOD, true);
}

static void test_royale_without_errors(void **state)
{
    (void)state;
    says("royale", ROYALE("false", ROW("1", "Tal, M", "1960", "null", "null", "null")),
         "Tal 1960 comes first of 28 player-years, with a mean expected score of 81.0% from 1,815 "
         "moves; no errors are known, so nothing shows whether this order means anything.",
         false);
}

/* What `make validate` has written for the pages. */
#define WORDS                                                                                      \
    "{\"words\":{\"brief\":\"To predict results, believe Elo\",\"why_with_elo\":\"It is "          \
    "better.\","                                                                                   \
    "\"why_without_elo\":\"Without it, none is.\",\"tests\":{\"rating\":\"it was not shown to "    \
    "do\"}}}"

/* What the lead of a page leaves to a line below its picture. */
static void rests_on(const char *kind, const char *json, bool document, const char *lead,
                     const char *by)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    json_t *answer = json_loads(json, 0, NULL);
    json_t *of = document ? json_loads(WORDS, 0, NULL) : NULL;

    assert_non_null(answer);
    const struct ipr_report_finding got = ipr_report_finding(kind, answer, of, &mem);
    assert_string_equal(got.text, lead);
    assert_string_equal(got.by, by);
    json_decref(of);
    json_decref(answer);
    ipr_arena_release(&mem);
}

static void test_rests_on(void **state)
{
    static const char royale[] =
        ROYALE("true", ROW("1", "Tal, M", "1960", "0.93", "1", "1") "," ROW("2", "Euwe, M", "1935",
                                                                            "0.07", "2", "2"));

    (void)state;
    rests_on("royale", royale, false,
             OF_YEARS "Tal 1960 comes first (very likely, 93%)." OTHER_METHOD,
             "Compared by the rating by the moves, as not every year has an Elo.");
    rests_on("royale", royale, true,
             OF_YEARS "Tal 1960 comes first (very likely, 93%)." OTHER_METHOD,
             "Compared by the rating by the moves, as not every year has an Elo; it was not shown "
             "to do.");
    rests_on("comparisons",
             "{\"common\":{\"matches\":10,\"log_losses\":[{\"predictor\":\"elo\"},{\"predictor\":"
             "\"ipr\",\"interval\":{\"low\":-0.1,\"high\":0.2}}]}}",
             true,
             "To predict results, believe Elo. The 10 matches here do not show which is best.",
             "It is better. Without it, none is. In the matches here none of the 1 others can be "
             "distinguished from Elo.");
}

static void test_refused(void **state)
{
    (void)state;
    says("royale", "{\"reason\":\"too few\",\"ranking\":[]}", NULL, false);
    says("conformance", "{\"forms\":{\"weighted\":{\"at_30\":null}}}", NULL, false);
    says("covariance", "{\"best\":{\"estimate\":null}}", NULL, false);
    says("complexity", "{\"players\":[],\"all\":{\"indicators\":{}}}", NULL, false);
    says("score_curve", "{\"all\":{\"bins\":[]},\"bands\":[]}", NULL, false);
}

#define RHO(estimate, low, high)                                                                   \
    "{\"estimate\":" estimate ",\"interval\":{\"low\":" low ",\"high\":" high                      \
    "},\"turns\":26065,\"games\":378}"

static void test_correlations(void **state)
{
    (void)state;
    says(
        "conformance",
        "{\"forms\":{\"weighted\":{\"at_30\":{\"rho\":" RHO("0.726", "0.667", "0.776") "}}}}",
        "The side with more good moves scores more: the difference in moves that lose at most 0.30 "
        "pawns has a large correlation with the result, ρ = 0.73, 95% interval 0.67 to 0.78, from "
        "26,065 moves in 378 games.",
        true);
    says("conformance",
         "{\"forms\":{\"weighted\":{\"at_30\":{\"rho\":" RHO("0.04", "-0.1", "0.18") "}}}}",
         "These games do not show that the side with more good moves scores more: the correlation "
         "with the result is ρ = 0.04, 95% interval −0.10 to 0.18, from 26,065 moves in 378 games.",
         false);
    says(
        "complexity",
        "{\"all\":{\"indicators\":{\"stability\":" RHO("0.05", "0.03", "0.07") ",\"sullivan\":" RHO(
            "0.12", "0.1", "0.15") ",\"depth_time\":{\"estimate\":null}}},\"players\":[{"
                                   "\"indicators\":{\"sullivan\":" RHO(
                                       "0.2", "0.1",
                                       "0.3") "}},{\"indicators\":{\"sullivan\":" RHO("0.1", "-0.1",
                                                                                      "0.3") "}}]}",
        "Players lose more in positions that are hard for the engine, but the connection is small: "
        "of 2 indicators the change of the evaluation where the best move was found has the "
        "largest correlation with the loss, ρ = 0.12, 95% interval 0.10 to 0.15, from 26,065 moves "
        "in 378 games; by their own moves alone, 1 of 2 players show it.",
        true);
}

#define BAND(low, high, b, se)                                                                     \
    "{\"elo\":{\"low\":" low ",\"high\":" high "},\"b\":{\"estimate\":" b                          \
    ",\"standard_error\":" se "}}"
#define CURVE(bands)                                                                               \
    "{\"all\":{\"bins\":[{\"low\":0.25,\"high\":0.75,\"v\":0.5,\"score\":0.58},{\"low\":0.75,"     \
    "\"high\":1.25,\"v\":0.98,\"score\":0.7,\"interval\":{\"low\":0.648,\"high\":0.748},"          \
    "\"positions\":2280,\"games\":321}]},\"bands\":[" bands "]}"
#define PAWN                                                                                       \
    "With an advantage of about a pawn (0.98) the player to move scored 70.0% of the points, 95% " \
    "interval 64.8% to 74.8%, in 2,280 positions of 321 games; "

static void test_score_curve(void **state)
{
    (void)state;
    says("score_curve", CURVE(BAND("2600", "2800", "0.9", "0.1")),
         PAWN
         "whether it is worth more to stronger players these games do not show: too few of them "
         "are of players of another rating.",
         true);
    says("score_curve",
         CURVE(BAND("2000", "2200", "0.6", "0.1") "," BAND("2600", "2800", "0.9", "0.1")),
         PAWN
         "of players of 2000 to 2199 and 2600 to 2799 Elo it is extremely likely worth more to "
         "the stronger ones.",
         true);
    says("score_curve",
         CURVE(BAND("2000", "2200", "0.85", "0.1") "," BAND("2600", "2800", "0.9", "0.2")),
         PAWN
         "the curves of 2000 to 2199 and 2600 to 2799 Elo do not show that it is worth more to "
         "either.",
         true);
}

/* ---- log losses of matches ---- */

/* n matches of 10 games won 7 : 3, where "good" expects 70 % and "bad" 40 %; "none" predicts
 * nothing. */
static json_t *made_matches(size_t n, bool last_unpredicted)
{
    json_t *out = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(
            out, json_pack("{s:i, s:f, s:{s:{s:f}, s:{s:o}, s:{s:n}}}", "games", 10, "score",
                           i % 2 == 0 ? .75 : .65, "predictions", "good", "expected", .7, "bad",
                           "expected", last_unpredicted && i == n - 1 ? json_null() : json_real(.4),
                           "none", "expected"));
    return out;
}

/* Of matches as the answer has them; takes these. */
static json_t *losses_of(json_t *matches)
{
    json_t *const answer = json_pack("{s:o}", "matches", matches);
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_answer_comparisons read;
    struct ipr_answer_common_matches *const out = ipr_shape_new(IPR_SHAPE_COMMON_MATCHES, &mem);

    ipr_shape_read(IPR_SHAPE_COMPARISONS, answer, &mem, &read);
    ipr_match_losses(&read.matches, &mem, out);
    json_t *const json = ipr_shape_json(IPR_SHAPE_COMMON_MATCHES, out);
    json_decref(answer);
    ipr_arena_release(&mem);
    return json;
}

static const char *name_at(const json_t *losses, size_t i)
{
    return ipr_json_text_at(json_array_get(losses, i), "predictor");
}

static void test_losses(void **state)
{
    (void)state;
    json_t *got = losses_of(made_matches(11, true));
    const json_t *losses = json_object_get(got, "log_losses");
    const json_t *even = json_array_get(losses, 1);

    /* By hand: -(.7 ln .7 + .3 ln .3) = .610864 and ln 2. */
    assert_int_equal(json_array_size(losses), 3);
    assert_true(ipr_json_at(got, "games", 0) == 100);
    assert_string_equal(name_at(losses, 0), "good");
    assert_string_equal(name_at(losses, 1), "even");
    assert_string_equal(name_at(losses, 2), "bad");
    assert_close(ipr_json_at(json_array_get(losses, 0), "log_loss", 0), .610864, 1e-6);
    assert_close(ipr_json_at(even, "log_loss", 0), .693147, 1e-6);
    assert_close(ipr_json_at(even, "difference", 0), .082283, 1e-6);
    /* Half of the matches have .05 ln(7/3) more, half as much less: sd of the mean with n - 1. */
    assert_close(ipr_json_at(even, "standard_error", 0), .05 * .8472979 / 3, 1e-6);
    assert_close(ipr_json_at(even, "interval.low", 0), .082283 - 2.262157 * .0141216, 1e-5);
    assert_true(json_is_null(json_object_get(json_array_get(losses, 0), "difference")));
    json_decref(got);
}

static void test_few_matches_have_no_error(void **state)
{
    (void)state;
    json_t *got = losses_of(made_matches(7, false));

    assert_true(json_is_null(
        ipr_json_find(json_array_get(json_object_get(got, "log_losses"), 1), "interval")));
    json_decref(got);
    got = losses_of(json_array());
    assert_int_equal(json_array_size(json_object_get(got, "log_losses")), 0);
    json_decref(got);
}

/* The sentence of n such matches. */
static void says_of_matches(size_t n, const char *text, bool shown)
{
    json_t *common = losses_of(made_matches(n, false));

    json_object_set_new(common, "matches", json_integer((json_int_t)n));
    json_t *answer = json_pack("{s:o}", "common", common);
    char *json = json_dumps(answer, 0);
    says("comparisons", json, text, shown);
    free(json);
    json_decref(answer);
}

static void test_comparisons(void **state)
{
    (void)state;
    says_of_matches(10, "In the 10 matches here good predicts best.", true);
    says_of_matches(1,
                    "There are too few matches here to say more: all predictors predict 1, and 8 "
                    "are needed.",
                    false);
}

static void test_list(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_answer_report_kind of[3] = { { .finding = "Nobody knows.", .shown = false },
                                            { .finding = "It is so.", .shown = true },
                                            { .shown = false } };

    (void)state;
    assert_string_equal(
        ipr_report_list_finding(&(struct ipr_list_report_kind){ of, 3 }, &mem),
        "It is so. The data answer 1 of the 3 questions; others are not computed yet.");
    assert_string_equal(
        ipr_report_list_finding(&(struct ipr_list_report_kind){ of + 2, 1 }, &mem),
        "No answer yet: each of these 1 reports is computed when it is opened for the first time.");
    ipr_arena_release(&mem);
}

int main(void)
{
    ipr_sentences_sample();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_royale_open),
        cmocka_unit_test(test_royale_decided),
        cmocka_unit_test(test_royale_without_errors),
        cmocka_unit_test(test_rests_on),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_correlations),
        cmocka_unit_test(test_score_curve),
        cmocka_unit_test(test_losses),
        cmocka_unit_test(test_few_matches_have_no_error),
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
