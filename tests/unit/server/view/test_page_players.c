/* The dashboard and the pages of players. */
#include "page.h"

/* All ratings on request, a calibration of another judge, and only the opponents' moves left to
 * analyse. */
#define MORE                                                                                       \
    "\"ipr\":{\"estimate\":2801.4,\"interval\":{\"low\":2618.2,\"high\":2984.6},"                  \
    "\"standard_error\":93.5,\"turns\":1702,\"games\":20,\"ae_ref\":0.07,\"ae_ref_se\":0.004,"     \
    "\"mm\":{\"projected\":0.5,\"actual\":0.5},\"ad\":{\"projected\":0.06,\"actual\":0.06},"       \
    "\"fits\":{\"moments\":{\"s\":0.1,"                                                            \
    "\"c\":0.6,\"estimate\":2801.4,\"interval\":{\"low\":2618.2,\"high\":2984.6}},\"mle\":{"       \
    "\"s\":0.1,\"c\":0.6,\"estimate\":null,\"interval\":null,\"reason\":\"the calibration x has "  \
    "no line of mle fits\"}},\"game_bootstrap\":{\"standard_error\":88.1,\"replicates\":200}},"    \
    "\"depth_weighted\":{\"estimate\":6.75,\"interval\":{\"low\":6.4,\"high\":7.1},"               \
    "\"turns\":1702,\"games\":20,\"weights\":[{\"depth\":1,\"weight\":0.125,"                      \
    "\"standard_error\":null}]},\"concordance\":{\"rating\":2785,"                                 \
    "\"rating_source\":\"game tags\",\"extrapolated\":true,\"calibration_mismatch\":true,"         \
    "\"turns\":1702,\"games\":20,\"mm\":{\"projected\":0.531,\"actual\":0.552,"                    \
    "\"difference\":0.021,\"interval\":{\"low\":0.018,\"high\":0.06},\"z\":1.05,\"tail\":0.14},"   \
    "\"ad\":{}},\"games_unjudged\":0,\"offer\":{\"judge\":\"standard\",\"games\":4,"               \
    "\"turns\":120},\"queue\":{\"offer\":{\"judge\":\"standard\",\"games\":4,"                     \
    "\"turns\":120,\"remaining\":\"a minute\"}}"
#define BOUND                                                                                      \
    "{\"at_0\":null},\"bayes\":{\"elo\":{\"estimate\":null,\"reason\":\"every point was scored\"," \
    "\"interval\":{\"low\":2500,\"high\":null},\"turns\":1702,\"games\":20}}"
#define YEAR(ipr)                                                                                  \
    "{\"player\":{\"id\":7,\"name\":\"<Fischer> & Co\"},\"year\":1971,\"games\":22,"               \
    "\"games_judged\":20,\"turns\":1800,\"counted\":1750,\"active\":true,\"elo\":2785,"            \
    "\"pending\":false,\"at_0\":{\"share\":0.571},\"at_30\":{\"share\":0.842}," ipr "}"
#define RATINGS(ipr, conformance)                                                                  \
    "{\"player\":{\"id\":7,\"name\":\"<Fischer> & Co\"},\"year\":1971," JUDGE                      \
    "\"games_unjudged\":2,\"games_as_figures\":1,\"turns\":1800,\"games\":20,\"game_list\":[{"     \
    "\"white\":{\"id\":8,"                                                                         \
    "\"name\":"                                                                                    \
    "\"Larsen\"},\"black\":{\"id\":7,\"name\":\"F\"},\"result\":\"0-1\",\"event\":\"<Denver>\","   \
    "\"round\":\"2\",\"date\":\"1971.07.08\",\"plies\":70,\"moves_stored\":false,\"state\":"       \
    "\"judged\"},"                                                                                 \
    "{\"id\":2,\"white\":{\"id\":9,\"name\":\"L\"},\"black\":{\"id\":7,\"name\":\"F\"},"           \
    "\"result\":\"0-1\",\"event\":null,\"plies\":0,\"state\":\"not queued\"}]," ipr                \
    ",\"conformance\":" conformance                                                                \
    ",\"elo\":{\"estimate\":2785,\"source\":\"rating list\",\"games\":20,\"unplayed\":{"           \
    "\"games\":1},\"opponents\":{\"mean\":2600,\"games\":20},"                                     \
    "\"score\":15.5,\"score_games\":20,\"performance\":{\"estimate\":2800}}}"

#define RANKED_PLAYER                                                                              \
    "{\"id\":7,\"name\":\"<Fischer>, A & Co\",\"peak\":{\"from\":1970,\"to\":1972,"                \
    "\"estimate\":2951.2,\"extrapolated\":true,\"interval\":{\"low\":2599.6,\"high\":2902.8,"      \
    "\"level\":0.95},\"turns\":1702,\"games\":20},\"first\":0.72,\"first_five\":0.98,\"path\":[]," \
    "\"reigns\":[]}"
#define QUEUE "\"queue\":{\"ready\":1234,\"running\":1,\"failed\":0}"

static void dashboard(void **state)
{
    (void)state;
    EXPECT("dashboard",
           "{" JUDGE QUEUE ",\"finding\":\"B "
           "leads.\",\"ranked_from\":1000,\"complete\":false,\"ranking\":[" RANKED_PLAYER
           "],\"trust\":{\"coverage\":0.9616,"
           "\"sets\":159,\"sd\":87.4,\"better_than_elo\":false,\"predicted\":7348}}",
           "1,235 games wait for the engine", "2600 to 2903", "A &amp; Co &lt;Fischer&gt;",
           "/players/7/fischer-a-co\"", "1970–1972", "data-busy", "enctype=\"multipart/form-data\"",
           "2951<abbr title=\"outside the calibrated range\">*</abbr>", "value=\"0.720\"",
           "<p class=\"verdict\">B leads.</p>", "in 96% of 159 cases", "at least 1,000 rated moves",
           "the ranking is not complete yet");
    EXPECT("dashboard",
           "{" JUDGE QUEUE ",\"complete\":true,\"ranking\":[],\"player_years\":[" YEAR(
               IPR) "," YEAR(REFUSAL) "],\"trust\":null}",
           "No ranking yet", "these are the IPRs", "2801", "2618 to 2985", "1,702",
           "&lt;Fischer&gt; &amp; Co", "/1971\"", "150 turns are needed",
           "beyond the calibrated range");
    EXPECT("dashboard",
           "{\"judge\":null,\"calibration\":null,\"queue\":{},"
           "\"complete\":true,\"ranking\":[],\"player_years\":[],\"trust\":null}",
           "No ranking yet", "Upload a PGN", "Nothing has been analysed yet");
}

static void players(void **state)
{
    (void)state;
    EXPECT("players",
           "{" JUDGE "\"players\":[{\"id\":7,\"name\":\"<Fischer> & Co\",\"games\":22,\"turns\":"
           "1800,\"first_year\":1959,\"last_year\":1972,\"peak\":{\"from\":1970,\"to\":1972,"
           "\"estimate\":2711.4,\"interval\":"
           "{\"low\":2650.2,\"high\":2780.1,\"level\":0.95}},\"first\":0.72,\"first_five\":0.98},"
           "{\"id\":8,\"name\":\"B\",\"games\":1,"
           "\"turns\":0,\"first_year\":null,\"last_year\":null}],\"next\":\"1800-7\","
           "\"search\":\"a\\\"b\"}",
           "1959–1972", "value=\"1800-7\"", "value=\"a&quot;b\"", "href=\"/players/8/b\"",
           "unknown", "2711</td>", "1970–1972", "data-label=\"first\">72%", "<svg class=\"plot\"",
           "href=\"/players?sort=-rating\"");
    EXPECT("players", "{\"finding\":\"None.\",\"players\":[],\"next\":null,\"search\":null}",
           "<p class=\"verdict\">None.</p>");
}

static void player(void **state)
{
    (void)state;
    EXPECT("player",
           "{\"id\":7,\"name\":\"N\",\"years\":[{\"year\":1901,\"results_strength\":{\"estimate\":"
           "2480.7,\"interval\":{\"low\":2397,\"high\":2564.4}}}]}",
           "data-label=\"from results\">2481 <span class=\"under\">2397 to 2564</span>",
           "Strength from results is no Elo rating", "Years before 1971");
    EXPECT("player",
           "{\"id\":7,\"name\":\"N\",\"years\":[{\"year\":1901,\"results_strength\":{\"estimate\":"
           "2480.7,\"interval\":{\"low\":2397,\"high\":2564.4},\"unscaled\":true}}]}",
           "2481<abbr title=\"on the scale of no Elo list\">†</abbr>",
           "† on the scale of no Elo list");
    EXPECT("player",
           "{\"id\":7,\"name\":\"<Fischer> & Co\",\"games\":22,\"turns\":1800,\"first_year\":1971,"
           "\"last_year\":1971," JUDGE "\"years\":[" YEAR(IPR) "," YEAR(REFUSAL) "]}",
           "22 games, 1,800 analysed moves", "57.1%", "84.2%", "/players/7/fischer-co/1971",
           "150 turns are needed", "aria-label=\"IPR 2801, 95% interval 2618 to 2985");
}

static void player_of_several_names(void **state)
{
    (void)state;
    EXPECT("player",
           "{\"id\":7,\"name\":\"A\",\"years\":[],\"peak\":{\"estimate\":2651.2,\"interval\":"
           "{\"low\":2580,\"high\":2722.6},\"turns\":4001,\"games\":130},\"rating\":{\"estimate\":"
           "2651.2,\"interval\":"
           "{\"low\":2580,\"high\":2722.6},\"turns\":4001,\"games\":130},\"moves_and_results\":{"
           "\"estimate\":2702.4,\"interval\":{\"low\":2640,\"high\":2771},\"rated_games\":41,"
           "\"score\":27.5,\"expected\":25.26},\"queue\":{\"player\":7,"
           "\"rating_offer\":{\"judge\":\"rating\",\"games\":2,\"turns\":61,\"remaining\":"
           "\"a minute\"}}}",
           "95% interval</a>: 2580 to 2723, by 4,001 moves, 130 games",
           "<strong>2702</strong>, 95% interval 2640 to 2771",
           "41 games against rated opponents: 27.5 points, where 25.3 are expected",
           "4,001 moves, 130 games", "In 2 games 61 of the player&#39;s moves are not analysed",
           "name=\"sides\" value=\"own\"", "name=\"player\" value=\"7\"",
           "name=\"judge\" value=\"rating\"");
    EXPECT("player",
           "{\"id\":7,\"name\":\"<Fischer> & Co\",\"fide_id\":4711,\"games\":22,\"turns\":0,"
           "\"first_year\":null,\"last_year\":null," JUDGE
           "\"spellings\":[\"<Fischer> & Co\",\"Fischer, R\",\"Bobby\"],"
           "\"members\":[{\"id\":9,\"name\":\"Bobby\",\"fide_id\":null,\"change\":3}],"
           "\"time_classes\":[\"classical\",\"rapid\",\"unknown\"],\"years\":[{\"year\":1971,"
           "\"games\":0,\"not_rated\":{\"blitz\":12,\"bullet\":3}," REFUSAL "}]}",
           "FIDE id 4711.", "<q>Fischer, R</q> <q>Bobby</q>", "Merged into this player: Bobby",
           "decision 3", "classical, rapid and unknown", "not counted: 12 blitz, 3 bullet",
           "action=\"/api/v1/identity-changes?kind=split&amp;player=7\"");
}

#define SUSPECT(id, name, fide, games)                                                             \
    "{\"id\":" id ",\"name\":\"" name "\",\"fide_id\":" fide ",\"games\":" games                   \
    ",\"first_year\":1950,\"last_year\":1960,\"elo\":{\"low\":2700,\"high\":2785}}"

static void doubtful_pairs(void **state)
{
    (void)state;
    EXPECT(
        "doubtful",
        "{\"pairs\":[{\"players\":[" SUSPECT("7", "<Fischer> & Co", "null", "1200") "," SUSPECT(
            "8", "Fischer", "4711", "3") "],\"why\":\"order\",\"common_opponents\":1}],"
                                         "\"next\":\"7-8-fischer\",\"after\":\"1-2-a\","
                                         "\"changes\":[{\"id\":4,\"kind\":\"merge\",\"player\":"
                                         "{\"id\":1,\"name\":\"A\"},\"other\":{\"id\":2,"
                                         "\"name\":\"B\"},\"made\":\"2026-11-21T12:01:02Z\","
                                         "\"made_by\":\"local\",\"undone\":null},{\"id\":3,"
                                         "\"kind\":\"split\",\"player\":{\"id\":5,\"name\":\"C\"},"
                                         "\"other\":{\"id\":6,\"name\":\"D\"},\"sides_moved\":1,"
                                         "\"made\":\"2026-11-21T12:01:02Z\",\"made_by\":\"ci\","
                                         "\"undone\":\"2026-11-21T13:14:02Z\",\"undone_by\":"
                                         "\"me\"}]}",
        "1,200 games, 1950–1960, Elo 2700–2785", "FIDE 4711", "1 common opponent,",
        "the same words in another order",
        /* The player with fewer games is merged into the other. */
        "formaction=\"/api/v1/identity-changes?kind=merge&amp;player=8\" name=\"other\" "
        "value=\"7\"",
        "value=\"/players/doubtful?after=1-2-a\"", "value=\"7-8-fischer\"",
        "formaction=\"/api/v1/identity-changes?kind=undo\" name=\"change\" value=\"4\"",
        "split: 1 game moved to", "undone 2026-11-21 13:14 by me");
    EXPECT("doubtful",
           "{\"token_needed\":true,\"pairs\":[{\"players\":[" SUSPECT(
               "7", "A", "null",
               "5") "," SUSPECT("8", "B", "4711",
                                "3") "],\"why\":\"same_name\",\"spelled\":[\"C\",\"C\"],"
                                     "\"common_opponents\":0},{\"players\":[" SUSPECT(
                                         "9", "D", "null",
                                         "5") "," SUSPECT("10", "E", "null",
                                                          "3") "],\"why\":\"initials\","
                                                               "\"spelled\":[\"F, Gus\",\"F, G\"],"
                                                               "\"common_opponents\":0}]}",
           "type=\"password\" name=\"token\"", "both also spelled “C”",
           "also spelled “F, G” and “F, Gus”: the same surname, initials that fit");
    EXPECT("doubtful", "{\"finding\":\"None.\",\"pairs\":[],\"next\":null,\"changes\":[]}",
           "<p class=\"verdict\">None.</p>");
    EXPECT("doubtful", "{\"pairs\":[],\"next\":\"1-2-a\",\"changes\":[]}", "More pairs");
    EXPECT("doubtful",
           "{\"spelling_file\":true,\"aliases\":[{\"player\":" SUSPECT(
               "7", "Fischer, R", "null",
               "5") ",\"into\":" SUSPECT("8", "Fischer, Robert J", "4711",
                                         "30") "}],\"pairs\":[],\"next\":null,\"changes\":"
                                               "[{\"id\":4,\"kind\":\"merge\",\"player\":{"
                                               "\"id\":1,\"name\":\"A\"},\"other\":{\"id\":"
                                               "2,\"name\":\"B\"},\"batch\":3,"
                                               "\"undone\":null}]}",
           "action=\"/api/v1/identity-changes?kind=aliases\"", "Merge all of them",
           "Undo all of 3");
}

static void player_year(void **state)
{
    (void)state;
    EXPECT("player_year",
           RATINGS(IPR, "{\"at_0\":{\"share\":0.571,\"interval\":{\"low\":0.55,\"high\":0.59}},"
                        "\"at_30\":{\"share\":0.842,\"interval\":null},\"mean_loss\":0.1717,"
                        "\"mean_loss_standard_error\":0.011,\"turns\":1750,\"games\":20}"),
           "<span class=\"value\">2801</span>", "2618 to 2985", "1,702 moves, 20 games",
           "the calibration's line, 41 here", "1600 to 2791", "57.1%", "55.0% to 59.0%", "0.172",
           "15.5 / 20", "advantage beyond 3.00 pawns", "2 games of this year not analysed",
           "<a href=\"/players/8/larsen\">Larsen</a>", "&lt;Denver&gt;",
           "<td>analysed, no board</td>", "Of 1 only figures are here",
           "<td>not analysed: no moves</td>", "/compare?white=7:1971",
           "/players/7/fischer-co/1971?include=fits,game_bootstrap,depth_weighted#more",
           "Elo on rating lists", "1 game forfeited, not counted",
           "<details class=\"fold\" id=\"statisticians\">");
    EXPECT("player_year", RATINGS(IPR, "null,\"games_stored\":1"),
           "No boards yet: of these games only figures are here.");
    EXPECT("player_year", RATINGS(MORE, BOUND),
           "outside the calibrated range; calibration of another engine setting",
           "Elo in the game tags", "+0.021", "0.018 to 0.060", "above 2500",
           "every point was scored", "More fits", "no line of mle fits", "standard error of 88",
           "6.40 to 7.10", "12.5%", "The opponents' moves in 4 games (120 moves)",
           "<details class=\"fold\" id=\"statisticians\" open>");
    EXPECT("player_year",
           RATINGS(REFUSAL, "{\"at_0\":null,\"at_30\":null,\"mean_loss\":null,\"reason\":\"150 "
                            "turns are needed, 118 remain\",\"turns\":118}"),
           "<p class=\"verdict\">No rating by the moves of 1971",
           "<li>IPR: 150 turns are needed, 112 remain after the exclusions.</li>",
           "<li>shares of good moves and mean loss: 150 turns are needed, 118 remain.</li>");
}

#define VERDICT(rating) RATINGS(IPR, "null,\"rating\":{" rating ",\"turns\":700,\"games\":20}")

static void player_year_begins_with_its_answer(void **state)
{
    (void)state;
    EXPECT("player_year",
           VERDICT("\"estimate\":2704.8,\"interval\":{\"low\":2500.7,\"high\":2908.9},"
                   "\"surprise\":{\"elo\":2785,\"z\":0.1,\"tail\":0.46}"),
           "<p class=\"verdict\">Played like 2705, in line with the Elo of 2785.</p>",
           "2501 to 2909");
    EXPECT("player_year",
           VERDICT("\"estimate\":2104.8,\"interval\":{\"low\":2000.7,\"high\":2204},"
                   "\"surprise\":{\"elo\":2385,\"z\":-2.1,\"tail\":0.018}"),
           "Played like 2105, below the Elo of 2385.", "chance does that in 1.8% of such years");
    EXPECT(
        "player_year",
        VERDICT("\"estimate\":2960.4,\"extrapolated\":true,\"interval\":{\"low\":2712,\"high\":"
                "3208.6},\"calibrated_range\":{\"low\":1600,\"high\":2900},\"raw\":{\"estimate\":"
                "3001.2,\"interval\":{\"low\":2744,\"high\":3260}}"),
        "Played like 2960.</p>", "<circle class=\"mark open\"",
        "2960<abbr title=\"outside the calibrated range\">*</abbr>",
        "beyond the calibrated range; <a href=\"/glossary#interval\">95% interval</a> 2712 to "
        "3209",
        "It lies beyond the calibrated range, 1600 to 2900, where its error is wider.",
        "The moves alone give 3001 (2744 to 3260)", "above 2900: beyond the calibrated range");
    EXPECT("player_year",
           VERDICT("\"estimate\":2781,\"interval\":{\"low\":2637,\"high\":2925},\"surprise\":{"
                   "\"elo\":null,\"z\":null,\"reason\":\"the Elo is beyond the range\"}"),
           "The Elo, 2785, is not compared with the rating: the Elo is beyond the range.");
}

static void player_year_says_whether_methods_agree(void **state)
{
    (void)state;
    EXPECT("player_year",
           VERDICT("\"estimate\":2754.8,\"interval\":{\"low\":2500.7,\"high\":3008.9}"),
           "The 95% intervals of 2 methods have a range in common, 2618 to 2985");
    EXPECT("player_year", VERDICT("\"estimate\":2304.8,\"interval\":{\"low\":2200,\"high\":2410}"),
           "The 95% intervals of the rating by the moves and the IPR do not overlap: by more than "
           "chance explains, the IPR is higher.");
}

static void player_year_strength_from_results(void **state)
{
    (void)state;
    EXPECT("player_year",
           RATINGS(IPR, "null,\"results_strength\":{\"estimate\":2480.7,\"standard_error\":281,"
                        "\"relative_error\":31.4,\"interval\":{\"low\":1930,\"high\":3031},"
                        "\"games\":12,\"scale\":{\"offset\":2420,\"periods\":[]}}"),
           "Strength from results is no Elo rating", "1930 to 3031",
           "is 281 Elo, and 31 against players of the same year");
    EXPECT("player_year",
           RATINGS(IPR, "null,\"results_strength\":{\"estimate\":2480.7,\"standard_error\":31.4,"
                        "\"interval\":{\"low\":2420,\"high\":2541},\"games\":12,\"scale\":{"
                        "\"offset\":2420,\"periods\":[],\"reason\":\"too few\"}}"),
           "is on the scale of no Elo list: too few");
}

/* With one engine setting for everything there are no others. */
static void one_setting(void **state)
{
    (void)state;
    char *html = render("players", "{\"players\":[],\"next\":null,\"judge\":{\"id\":2,\"name\":"
                                   "\"rating\",\"engine\":\"Engine 1\",\"multipv\":2,\"limit\":{"
                                   "\"depth\":10},\"first_move\":9}}");

    assert_non_null(strstr(html, "All figures use one engine setting, rating: Engine 1"));
    assert_null(strstr(html, "other figures use"));
    free(html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(player_year_strength_from_results),
        cmocka_unit_test(player_year_begins_with_its_answer),
        cmocka_unit_test(player_year_says_whether_methods_agree),
        cmocka_unit_test(dashboard),
        cmocka_unit_test(players),
        cmocka_unit_test(player),
        cmocka_unit_test(player_of_several_names),
        cmocka_unit_test(doubtful_pairs),
        cmocka_unit_test(one_setting),
        cmocka_unit_test(player_year),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
