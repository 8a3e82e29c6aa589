/* The other pages: comparison, calibration, validation, errors. */
#include "lab/papers/papers.h"
#include "page.h"

#define SIDE                                                                                       \
    "{\"player\":{\"id\":7,\"name\":\"<Fischer> & Co\"},\"year\":1971,\"turns\":1800,"             \
    "\"games\":20,\"active\":true,\"ipr\":{\"estimate\":2801.4},\"elo\":{\"estimate\":null}}"
#define OUTCOME "{\"win\":0.1,\"draw\":0.66,\"loss\":0.24,\"expected\":0.43}"

static void compare(void **state)
{
    (void)state;
    EXPECT(
        "compare",
        "{\"sides\":{\"white\":{\"text\":\"<Fischer> & Co 1971\"}},\"prediction\":{" JUDGE
        "\"white\":" SIDE ",\"black\":" SIDE ",\"predictions\":{"
        "\"markov\":{\"expected\":0.425,\"interval\":{\"low\":0.144,\"high\":0.765},"
        "\"as_white\":" OUTCOME ",\"as_black\":" OUTCOME ",\"turns\":{\"white\":2991,\"black\":"
        "1021},\"games\":{\"white\":94,\"black\":33},\"exits\":{\"from_winning\":54,"
        "\"from_losing\":5},\"end_states\":{\"as_white\":{\"won\":0.12,\"between\":0.87,\"lost\":"
        "0.01},\"as_black\":{\"won\":0.1,\"between\":0.88,\"lost\":0.02}},\"note\":\"Thin.\"},"
        "\"covariance\":{\"expected\":0.52,\"mean_loss\":"
        "{\"white\":0.118,\"black\":0.136}},\"conformance\":{\"expected\":0.53,\"accumulated\":"
        "{\"white\":{\"share\":0.936,\"interval\":{\"low\":0.909,\"high\":0.956}},\"black\":"
        "{\"share\":0.905,\"interval\":null}},\"interval_note\":\"Beta is "
        "exact.\"},\"ipr\":{\"expected\":null,\"reason\":\"no IPR\""
        "},\"elo\":{\"expected\":0.6,\"interval\":null,\"interval_reason\":\"no error\","
        "\"as_white\":{\"win\":null,\"expected\":0.6}}},\"rating_difference\":{\"estimate\":"
        "-52.3,\"standard_error\":60.2,\"interval\":{\"low\":-170.3,\"high\":65.7},"
        "\"distinct\":false},\"chances\":{\"expected\":0.45,\"as_white\":{\"win\":0.31,"
        "\"draw\":0.5,\"loss\":0.19,\"expected\":0.56},\"as_black\":{\"win\":0.14,\"draw\":"
        "0.52,\"loss\":0.34,\"expected\":0.4},\"interval\":{\"low\":0.4,\"high\":0.5},\"match\":{"
        "\"games\":5,\"win\":0.3,\"draw\":0.2,\"loss\":0.5,\"interval\":{\"low\":0.2,\"high\":0.8}}"
        ","
        "\"extrapolated\":true},\"verdict\":{\"text\":\"A.\",\"certainty\":\"likely\"}}}",
        "id=\"first\">45</strong> : <strong id=\"second\">55</strong>",
        "x=\"22.50%\" width=\"51.00%\"", "<stop class=\"first\" offset=\"40.00%\"/>", "wins 23%",
        "wins 27%", "5-game match: &lt;Fischer&gt; &amp; Co 1971 <strong>30%", ">likely</span>",
        "data-key=\"chances\">Chances</a></th><td class=\"n "
        "strong\" data-label=\"expected\">45.0%",
        "31.0 / 50.0 / 19.0", "Extrapolated: the model is fitted",
        "<strong>−52</strong> Elo, standard error 60, 95% interval −170 to +66", "42.5%",
        "14.4% to 76.5%", "2,991 and 1,021 moves", "Thin.", "No prediction:</strong> no IPR",
        "No interval: no error.", "with White 12.0% / 87.0% / 1.0%", "54 moves",
        "10.0 / 66.0 / 24.0", "data-label=\"White\">60.0%", "0.118 pawns for the first, 0.136",
        "93.6% (95% interval 90.9% to 95.6%)", "by 90.5% of the second", " Beta is exact.</p>",
        "data-plot=\"/static/plots/compare.js\"", "value=\"&lt;Fischer&gt; &amp; Co 1971\"");
    EXPECT("compare",
           "{\"prediction\":{" JUDGE "\"white\":" SIDE ",\"black\":" SIDE
           ",\"predictions\":{},\"rating_difference\":{\"estimate\":-200,"
           "\"standard_error\":60,\"interval\":{\"low\":-318,\"high\":-82},\"distinct\":true}}}",
           "<strong>−200</strong> Elo");
    EXPECT("compare",
           "{\"prediction\":{" JUDGE "\"white\":{\"player\":{"
           "\"id\":7,\"name\":\"X\"},\"year\":1901,\"results_strength\":{\"estimate\":2480.7,"
           "\"interval\":{\"low\":2397,\"high\":2564.4}}},\"black\":" SIDE ",\"predictions\":{},"
           "\"chances\":{\"expected\":0.45,\"strength\":\"results_strength\"}}}",
           "id=\"by-results\">by results</span>",
           "\"chances\">Chances from the strength from results</a>", "2481", "2397 to 2564",
           "Strength from results is no Elo rating");
    EXPECT("compare",
           "{\"prediction\":{" JUDGE "\"white\":" SIDE
           ",\"black\":{\"player\":{\"id\":7,\"name\":\"X\"},\"year\":1901,\"results_strength\":{"
           "\"estimate\":2480.7,\"scale\":{\"reason\":\"few\"}}},\"predictions\":{},"
           "\"chances\":{\"expected\":0.45,\"strength\":\"results_strength\"}}}",
           "2481<abbr title=\"on the scale of no Elo list\">†</abbr>",
           "† on the scale of no Elo list");
    EXPECT("compare",
           "{\"sides\":{\"white\":{\"text\":\"x\",\"reason\":\"no such name\"},\"black\":{\"text\":"
           "\"y\",\"given\":{\"query\":\"black=y\"},\"found\":[{\"query\":\"black=7:1971\","
           "\"player\":{"
           "\"name\":\"Y\"},\"year\":1971}]}},\"prediction\":null}",
           "value=\"x\" aria-invalid=\"true\" aria-describedby=\"wrong-white\"",
           "First:</strong> no such name.", "<a href=\"/compare?black=7:1971\">Y 1971</a>");
}

/* Densities, careers and the games of the two. */
static void compare_draws(void **state)
{
#define STRENGTH(year, mean, half)                                                                 \
    "{\"year\":" #year ",\"estimate\":" #mean ".0,\"interval\":{\"low\":" #mean                    \
    ".0,\"high\":" #half ".0}}"
#define MET(white, result)                                                                         \
    "{\"id\":3,\"white\":{\"id\":" #white                                                          \
    ",\"name\":\"A, B\"},\"black\":{\"name\":\"C\"},\"year\":1980,"                                \
    "\"result\":\"" result "\"}"
    (void)state;
    EXPECT(
        "compare",
        "{\"prediction\":{" JUDGE "\"white\":{\"player\":{\"id\":7,\"name\":\"X, Y\"},\"year\":"
        "1971,\"strength\":" STRENGTH(
            1971, 2500,
            2696) "},\"black\":{\"player\":{\"id\":8,"
                  "\"name\":\"Z\"},\"year\":1980,\"strength\":" STRENGTH(
                      1980, 2700,
                      2798) "},"
                            "\"predictions\":{}},\"careers\":[[" STRENGTH(1970, 2400, 2500) "," STRENGTH(
                                1971, 2500,
                                2600) "],[" STRENGTH(1980, 2700,
                                                     2800) "]],\"met\":{\"games\":"
                                                           "[" MET(7, "1-0") "," MET(8, "1-0") "," MET(
                                                               8, "1/2-1/2") "," MET(7, "*") "]}}",
        "They played 3 games: X won 1, Z 1, 1 drawn.", "<a href=\"/games/3\">A – C ½–½, 1980</a>",
        "scale(1 50.00)", "scale(1 100.00)", "text-anchor=\"end\">X 1971</text>",
        "text-anchor=\"start\">Z 1980</text>", "<path d=\"M4.00 96.00L13.20 65.33\"/>",
        "<circle cx=\"96.00%\" cy=\"4.00%\"", "href=\"/compare?white=8:1980&amp;black=7:1971\"");
}

/* The star is explained only if a rating has one. */
static void compare_explains_the_star(void **state)
{
    static const char *const sides[] = { SIDE,
                                         "{\"player\":{\"id\":8,\"name\":\"Y\"},\"year\":1970," IPR
                                         "}" };
    static const char star[] = "* extrapolated: outside";

    (void)state;
    for (int i = 0; i < 2; i++) {
        char json[2048];

        snprintf(json, sizeof json,
                 "{\"prediction\":{" JUDGE "\"white\":" SIDE ",\"black\":%s,\"predictions\":{}}}",
                 sides[i]);
        char *html = render("compare", json);
        assert_int_equal(strstr(html, star) != NULL, i);
        free(html);
    }
}

static void calibrations(void **state)
{
#define RECORD                                                                                     \
    "{\"name\":\"standard\",\"finding\":\"It is "                                                  \
    "good.\",\"a\":3800,\"b\":14368,\"a_se\":202,\"b_se\":1811,\"residual_sd\":"                   \
    "151.4,\"sampling_sd\":147.2,\"elo_range\":{\"low\":1600,\"high\":2791},\"turns\":11122,"      \
    "\"reference\":{\"size\":"                                                                     \
    "2392},\"mileposts\":[{\"elo\":1602,\"fitted\":1722,\"turns\":692,\"games\":30,\"s\":0.24,"    \
    "\"c\":0.59,\"ae_ref\":0.1446},{\"elo\":2791,\"fitted\":2763,\"turns\":781,\"games\":13,"      \
    "\"s\":0.12,\"c\":0.6,\"ae_ref\":0.0721}]}"
    (void)state;
    EXPECT("calibration", RECORD, "Calibration standard", "<p class=\"verdict\">It is good.</p>",
           "1722", "−120", "+28", "2,392 moves",
           "151 points around the line (standard deviation); the sampling of their moves alone "
           "makes 147");
    EXPECT("calibrations", "{\"calibrations\":[" RECORD "]}", "11,122 moves",
           "/calibrations/standard");
    EXPECT("calibrations", "{\"finding\":\"No calibration is stored.\",\"calibrations\":[]}",
           "No calibration is stored");
}

static void validation(void **state)
{
#define PART(name, sd, sets)                                                                       \
    "{\"part\":\"" name "\",\"sides\":2461,\"moves\":73391,\"prior\":{\"mean\":2235,\"sd\":301},"  \
    "\"estimators\":[{\"estimator\":\"plain\",\"uses\":\"the "                                     \
    "result\",\"chosen\":false,\"sd\":120,"                                                        \
    "\"standard_error\":6.9,\"bands\":[{\"elo\":{\"low\":1600,\"high\":1900},\"sd\":137}],"        \
    "\"sd_2200\":96,\"core_seconds\":0.214,\"ratio\":0.7,\"ratio_standard_error\":0.03},{"         \
    "\"estimator\":\"best\","                                                                      \
    "\"uses\":"                                                                                    \
    "null,\"chosen\":true,\"sd\":" sd ",\"standard_error\":3.6,\"bands\":[],\"sd_2200\":74,"       \
    "\"ratio\":1,\"ratio_standard_error\":0}],\"sets\":[" sets "],\"one_game\":[],\"bias\":[{"     \
    "\"elo\":{\"low\":1700,\"high\":1800},\"sides\":53,\"moves\":1352,\"bias\":-163.2,"            \
    "\"standard_error\":69,\"curve_error\":49}],\"null_sets\":[{\"of\":\"band\",\"moves\":1000,"   \
    "\"draws\":20,\"lowest\":-3.21,\"sets\":166,"                                                  \
    "\"beyond_2\":0.0425}],\"effects\":[{\"effect\":\"a decade "                                   \
    "later\",\"elo\":29.5,\"by_event\":8.9}],\"levels\":[{\"of\":\"one player in one "             \
    "event\",\"pairs\":1013,\"covariance\":-6710,\"standard_error\":6968,\"sd\":-81.9}],\"two_"    \
    "sides\":{}}"
#define SET(of, games, coverage, chosen)                                                           \
    "{\"estimator\":\"e\",\"chosen\":" chosen ",\"of\":\"" of "\",\"games\":" games                \
    ",\"sets\":70,\"less\":0.142,\"coverage\":" coverage ",\"rmse\":258}"
    (void)state;
    EXPECT("validation",
           "{\"program\":\"1\",\"finding\":\"It "
           "does.\",\"data\":{\"digest\":\"b60a\",\"games\":2086},\"split\":{"
           "\"folds\":10,\"one_blind_of\":5,\"blind_players\":436},\"elo\":{\"low\":1600,"
           "\"high\":2800},\"estimator\":\"best\",\"parts\":[" PART(
               "cross_validated", "84.6",
               SET("game", "1", "0.962", "true") "," SET("band", "30", "0.951", "true") "," SET(
                   "band", "30", "0.7",
                   "false")) "," PART("blind", "82.3",
                                      SET("game", "1", "0.968",
                                          "true")) "],\"same_games\":{\"sides\":243,\"moves\":7107,"
                                                   "\"estimators\":[],\"sets\":[" SET(
                                                       "band", "5", "0.933", "false") "]}}",
           "<h1>How good is the rating?</h1>\n<p class=\"verdict\">It does.</p>",
           "standard deviation of 85 Elo. One game reduces the error of predicting the mean for "
           "everybody by 14%.",
           "<span id=\"other-title\">Other methods</span>",
           "<span id=\"statistics-title\">For statisticians</span>",
           "<strong>best (the rating)</strong>", "also uses the result", "1600–1900</th>",
           "−163 ± 69", "4.25%", "+30 ± 9", "−82</td>", "1,000 moves of one band", "20 × 166",
           "−3.2", "0.214</td>", "243 sides of games", "93.3%</td>", "2,086 games",
           "(436 players)");
}

#define PAPER_SIDE(name, reason)                                                                   \
    "{\"name\":\"" name "\",\"year\":1971,\"player\":{\"id\":7,\"name\":\"F\"},\"turns\":878,"     \
    "\"reason\":" reason "}"
#define PAPER_ROW                                                                                  \
    "{\"year\":1972,\"first\":" PAPER_SIDE("Fischer", "null") ",\"second\":" PAPER_SIDE(           \
        "Spassky",                                                                                 \
        "\"no games\"") ",\"actual\":0.63,\"cells\":[{\"printed\":0.61,\"ours\":0.5534,"           \
                        "\"interval\":{\"low\":0.47,\"high\":0.64},\"difference\":-0.0566,"        \
                        "\"reason\":null},{\"printed\":0.67,\"ours\":null,\"difference\":"         \
                        "null,\"reason\":\"no <Elo>\"}]}"

/* With what `make papers` adds for the page. */
static void expect_paper(const char *page, const char *json, const char *const *wanted)
{
    json_t *answer = json_loads(json, 0, NULL);

    assert_non_null(answer);
    (strcmp(page, "paper_table") == 0 ? ipr_paper_page : ipr_paper_figure_page)(answer);
    char *text = json_dumps(answer, 0);
    json_decref(answer);
    expect(page, text, wanted);
    free(text);
}
#define EXPECT_PAPER(page, json, ...)                                                              \
    expect_paper(page, json, (const char *const[]){ __VA_ARGS__, NULL })

static void papers(void **state)
{
    (void)state;
    EXPECT("papers",
           "{\"tables\":[{\"table\":\"5\",\"place\":\"table "
           "5\",\"title\":\"Matches\",\"source\":\"A & B\",\"rows\":17,"
           "\"page\":\"/papers/a/5\"}],\"figures\":[{\"place\":\"figure 8\",\"title\":\"Four\","
           "\"source\":\"C\",\"page\":\"/papers/a/figures/8\"}]}",
           "href=\"/papers/a/figures/8\">Four", "C, figure 8", "href=\"/papers/a/5\">Matches",
           "A &amp; B, table 5");
    EXPECT_PAPER(
        "paper_table",
        "{\"table\":\"2\",\"title\":\"Skill\",\"form\":\"values\",\"columns\":[{\"column\":\"c\","
        "\"title\":\"Mean c\",\"unit\":\"\",\"digits\":3,\"printed\":2,\"both\":1,\"intervals\":1,"
        "\"contained\":0,\"mean_difference\":-0.0004,\"kendall\":0.5}],\"rows\":[{\"label\":"
        "\"E2100\","
        "\"cells\":[{\"printed\":1.066,\"ours\":1.14399,\"interval\":{\"low\":1.0905,\"high\":1."
        "1984},"
        "\"difference\":-0.0779,\"reason\":null}]},{\"label\":\"E2200\",\"cells\":[{\"printed\":"
        "1.1285,\"ours\":null,\"difference\":null,\"reason\":\"no <sets>\"}]}]}",
        "0 of 1", "1.066", "<strong>1.144</strong>", "1.091 to 1.198", "−0.078", "paper 1.129",
        "<li>E2200: no &lt;sets&gt;.</li>", "data-label=\"ours − paper\">0.000<");
    EXPECT_PAPER(
        "paper_table",
        "{\"table\":\"4\",\"title\":\"Depths\",\"form\":\"values\",\"columns\":[{\"title\":"
        "\"Time\","
        "\"digits\":3},{\"title\":\"Jump\",\"digits\":2}],\"rows\":[{\"label\":\"A\",\"cells\":[{"
        "\"printed\":null,\"ours\":null,\"reason\":\"no clock\"},{\"printed\":0.5,\"ours\":0.25,"
        "\"difference\":-0.25,\"reason\":null}]},{\"label\":\"B\",\"cells\":[{\"printed\":null,"
        "\"ours\":null,\"reason\":\"no move\"},{\"printed\":null,\"ours\":null,\"reason\":"
        "\"no move\"}]}]}",
        "<tr><th scope=\"col\">Row</th><th scope=\"col\" class=\"n\">Jump</th></tr>",
        "<td class=\"n\" data-label=\"Jump\"><strong>0.25</strong> <span class=\"under\">paper "
        "0.50",
        "<li>Time: no clock.</li>", "<li>B: no move.</li>");
    EXPECT_PAPER(
        "paper_table",
        "{\"table\":\"5\",\"title\":\"Matches\",\"form\":\"matches\",\"finding\":\"F < G.\","
        "\"differences\":[\"Another engine.\"],\"columns\":[{\"column\":\"markov\",\"title\":"
        "\"Markov\",\"printed\":17,\"both\":16,\"mean_difference\":-0.02,\"spearman\":0.426,"
        "\"errors\":{\"gain\":{\"estimate\":-0.005,\"interval\":{\"low\":-0.03,\"high\":0.02}}}}],"
        "\"rows\":[" PAPER_ROW "]}",
        "F &lt; G.", "16 of 17", "−0.5", "0.43", "Another engine.", "1972 Fischer – Spassky",
        "/1971\">Fischer 1971", "<strong>55.3%</strong>", "47–64%", "paper 61%", "−5.7",
        "title=\"no &lt;Elo&gt;\"");
    EXPECT_PAPER(
        "paper_table",
        "{\"table\":\"9\",\"title\":\"Years\",\"form\":\"best_years\",\"columns\":[],\"rows\":"
        "[" PAPER_ROW "],\"standings\":{\"rows\":[{\"side\":" PAPER_SIDE(
            "Fischer", "null") ",\"pairs\":7,\"opponents\":19,\"printed\":0.5,\"ours\":0.514,"
                               "\"difference\":0.014,"
                               "\"printed_rank\":3,\"our_rank\":4}]}}",
        "7 of 19", "51.4%", "+1.4", ">4</td>", "All pairs", "Spassky 1971");
}

#define PAPER_FIGURE(kind, point)                                                                  \
    "{\"title\":\"Four\",\"kind\":\"" kind                                                         \
    "\",\"finding\":\"F < G.\",\"x\":{\"name\":\"Loss\",\"unit\":\"pawns\"},\"y\":{\"name\":"      \
    "\"Moves\",\"unit\":\"share\"},\"value\":{\"name\":\"P\",\"unit\":\"probability\"},"           \
    "\"constants\":[{\"name\":\"first\",\"unit\":\"share\",\"printed\":0.4,\"ours\":0.303}],"      \
    "\"differences\":[\"Another engine.\"],\"series\":[{\"name\":\"Tal "                           \
    "<1960>\",\"panel\":\"Won\","                                                                  \
    "\"printed\":false,\"reason\":null,\"points\":[" point "]},{\"name\":\"Euwe\",\"printed\":"    \
    "false,\"panel\":null,\"reason\":\"no move\",\"points\":[]}]}"

static void paper_figures(void **state)
{
    (void)state;
    EXPECT_PAPER("paper_figure",
                 PAPER_FIGURE("line",
                              "{\"x\":0.1,\"y\":0.812,\"value\":null,\"interval\":{\"low\":0.79,"
                              "\"high\":0.83},\"n\":1234}"),
                 "F &lt; G.", "Won: Tal &lt;1960&gt;", "Euwe: no move", ">Loss (pawns)</th>",
                 "scope=\"row\">0.10</th>", "<strong>81.2%</strong>", "79.0% to 83.0%", "1,234",
                 "<strong>30.3%</strong>", "40.0%");
    EXPECT_PAPER("paper_figure",
                 PAPER_FIGURE("heat", "{\"x\":-1.8,\"y\":1,\"value\":0.25},{\"x\":1.8,\"y\":1,"
                                      "\"value\":0.75},{\"x\":-1.8,\"y\":2,\"value\":1}"),
                 "rows Moves, columns Loss (pawns)", "scope=\"col\" class=\"n\">−1.80</th>",
                 "100.0%</th><td class=\"n\">0.25</td><td class=\"n\">0.75</td></tr>",
                 "200.0%</th><td class=\"n\">1.00</td></tr>");
}

static void errors(void **state)
{
    (void)state;
    EXPECT("error", "{\"title\":\"No such thing\",\"status\":404,\"detail\":\"a <b>\"}",
           "No such thing", "A &lt;b&gt;.", "Status 404", "<a href=\"/search\">Search</a>",
           "<a href=\"/players\">players</a>", "<a href=\"/events\">events</a>");
    EXPECT("error", "{\"title\":\"Not found\",\"status\":404,\"detail\":\"no such game\"}",
           ">No such game.</p>");
    EXPECT("error",
           "{\"title\":\"Not found\",\"status\":404,\"detail\":\"no games of player 9 in event "
           "13\"}",
           ">No games of player 9 in event 13.</p>");
    EXPECT("error", "{}", "Something went wrong");
}

#define CAREER(born, ages)                                                                         \
    "{\"set\":\"7\",\"label\":\"Tal\",\"player\":{\"id\":7,\"name\":\"Tal\"},\"born\":" born       \
    ",\"no_ages\":" ages ",\"years\":[{\"year\":1960,\"rating\":{"                                 \
    "\"turns\":150}},{\"year\":1961,\"rating\":{\"turns\":149}}]}"

static void careers(void **state)
{
    static const char none[] = "{\"by\":\"age\",\"sets\":[" CAREER(
        "null", "\"no file\"") "," CAREER("null", "\"no file\"") "]}";
    char *html = render("careers", none);
    const char *const said = strstr(html, "<strong>No picture by age:</strong> no file.");

    (void)state;
    assert_non_null(said);
    assert_null(strstr(strstr(said, "no file") + 1, "no file"));
    assert_null(strstr(html, "figure-careers"));
    free(html);
    html = render("careers", "{\"by\":\"year\",\"sets\":[" CAREER("null", "null") "]}");
    assert_null(strstr(html, "by=age"));
    assert_non_null(strstr(html, "figure-careers"));
    free(html);
    EXPECT("careers", "{\"by\":\"year\",\"sets\":[" CAREER("1936", "null") "]}", "by=age\">By age");
    EXPECT(
        "careers",
        "{\"by\":\"age\",\"sets\":[" CAREER("1936", "null") "," CAREER("null", "\"no date\"") "]}",
        "<strong>Tal is not in the picture:</strong> no date.", "figure-careers");
}

static void wrong_resources_are_refused(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    json_t *empty = json_object();

    (void)state;
    assert_int_equal(ipr_view_page("player_year", empty, &err), IPR_EINVAL);
    assert_int_equal(ipr_view_page("dashboard", empty, NULL), IPR_EINVAL);
    assert_int_equal(ipr_view_page("no such page", empty, NULL), IPR_EINVAL);
    assert_int_equal(json_object_size(empty), 0);
    json_decref(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(careers),       cmocka_unit_test(compare),
        cmocka_unit_test(compare_draws), cmocka_unit_test(compare_explains_the_star),
        cmocka_unit_test(calibrations),  cmocka_unit_test(validation),
        cmocka_unit_test(papers),        cmocka_unit_test(paper_figures),
        cmocka_unit_test(errors),        cmocka_unit_test(wrong_resources_are_refused),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
