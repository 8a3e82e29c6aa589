/* Every page template rendered from resources as the API gives them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipr_test.h"
#include "tmpl/mustache.h"
#include "view/json.h"
#include "view/page/format.h"
#include "view/view.h"

#define JUDGE                                                                                      \
    "\"judge\":{\"id\":1,\"name\":\"standard\",\"engine\":\"Engine 1\",\"network\":\"n\","         \
    "\"multipv\":20,\"limit\":{\"depth\":10},\"first_move\":9},"                                   \
    "\"calibration\":{\"name\":\"standard\",\"digest\":\"d\"},"
#define IPR                                                                                        \
    "\"ipr\":{\"method\":\"moments\",\"estimate\":2801.4,\"interval\":{\"low\":2618.2,\"high\":"   \
    "2984.6,\"level\":0.95},\"standard_error\":93.5,\"extrapolated\":true,\"calibrated_range\":"   \
    "{\"low\":1600,\"high\":2791},\"line_se\":41.4,\"residual_sd\":151.2,\"turns\":1702,"          \
    "\"games\":20,"                                                                                \
    "\"excluded\":{\"decided\":64},\"s\":0.1,\"c\":0.6,\"covariance_ln_sc\":[1,2,3],"              \
    "\"ae_ref\":0.07,\"ae_ref_se\":0.004,\"mm\":{\"projected\":0.5,\"actual\":0.5},"               \
    "\"ad\":{\"projected\":0.06,\"actual\":0.06},\"converged\":true}"
#define REFUSAL                                                                                    \
    "\"ipr\":{\"estimate\":null,\"interval\":null,\"reason\":\"150 turns are needed, 112 remain "  \
    "after the exclusions\",\"turns\":112,\"excluded\":{}}"
/* With all that may be requested; a calibration of another judge; nothing to be judged but the
 * opponents' moves. */
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
    "\"games_unjudged\":2,\"turns\":1800,\"games\":20,\"game_list\":[{\"white\":{\"id\":8,"        \
    "\"name\":"                                                                                    \
    "\"Larsen\"},\"black\":{\"id\":7,\"name\":\"F\"},\"result\":\"0-1\",\"event\":\"<Denver>\","   \
    "\"round\":\"2\",\"date\":\"1971.07.08\",\"plies\":70,\"state\":\"judged\"},"                  \
    "{\"id\":2,\"white\":{\"id\":9,\"name\":\"L\"},\"black\":{\"id\":7,\"name\":\"F\"},"           \
    "\"result\":\"0-1\",\"event\":null,\"plies\":0,\"state\":\"not queued\"}]," ipr                \
    ",\"conformance\":" conformance                                                                \
    ",\"elo\":{\"estimate\":2785,\"source\":\"rating list\",\"games\":20,\"unplayed\":{"           \
    "\"games\":1},\"opponents\":{\"mean\":2600,\"games\":20},"                                     \
    "\"score\":15.5,\"score_games\":20,\"performance\":{\"estimate\":2800}}}"
#define SIDE                                                                                       \
    "{\"player\":{\"id\":7,\"name\":\"<Fischer> & Co\"},\"year\":1971,\"turns\":1800,"             \
    "\"games\":20,\"active\":true,\"ipr\":{\"estimate\":2801.4},\"elo\":{\"estimate\":null}}"
#define OUTCOME "{\"win\":0.1,\"draw\":0.66,\"loss\":0.24,\"expected\":0.43}"

static struct ipr_tmpl_set *templates;

static int load(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_ok(ipr_tmpl_set_load("templates", NULL, ipr_page_formatters, &templates, &err), &err);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    ipr_tmpl_set_free(&templates);
    return 0;
}

/* Nothing that the content policy forbids, nothing unescaped, no figure left unformatted. */
static void assert_sound(const char *html)
{
    static const char *const never[] = { " style=", "<script>", "onclick", "<Fischer>", "0.571",
                                         "2801.4",  "nan",      "(null)",  "{{" };

    assert_non_null(strstr(html, "<title>"));
    assert_non_null(strstr(html, "</html>"));
    assert_non_null(strstr(html, "href=\"#main\""));
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (strstr(html, never[i]))
            fail_msg("the page has \"%s\"", never[i]);
}

/* Renders; the caller frees. */
static char *render(const char *page, const char *json)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf out = IPR_BUF_INIT;
    json_error_t why;
    json_t *resource = json_loads(json, 0, &why);

    if (!resource)
        fail_msg("%s at %d: %s", page, why.position, why.text);
    assert_ok(ipr_view_page(page, resource, &err), &err);
    assert_ok(ipr_tmpl_render(templates, page, resource, &out, &err), &err);
    json_decref(resource);
    char *html = ipr_buf_steal(&out);
    assert_sound(html);
    return html;
}

static void expect(const char *page, const char *json, const char *const *wanted)
{
    char *html = render(page, json);

    for (; *wanted; wanted++)
        if (!strstr(html, *wanted))
            fail_msg("%s lacks \"%s\"", page, *wanted);
    free(html);
}
#define EXPECT(page, json, ...) expect(page, json, (const char *const[]){ __VA_ARGS__, NULL })

static void dashboard(void **state)
{
    (void)state;
    EXPECT("dashboard",
           "{" JUDGE "\"queue\":{\"ready\":1234,\"running\":1,\"failed\":0,\"judged_games\":9,"
           "\"judged_turns\":22220},\"running\":[{\"white\":\"A\",\"black\":null,\"event\":null,"
           "\"year\":null,\"turns_done\":3,\"turns_total\":60}],\"uploads\":[{\"id\":5,"
           "\"created\":\"2026-11-21T12:01:02Z\",\"source\":\"a.pgn\",\"games_read\":4,"
           "\"rejected\":1,\"duplicate\":0,\"queued\":1,\"running\":1,\"analysed\":2,\"failed\":0,"
           "\"turns_done\":30,\"turns_total\":60,\"done\":false}],\"player_years\":[" YEAR(
               IPR) "," YEAR(REFUSAL) "],\"pairs\":[{\"white\":{\"player\":{\"id\":7,\"name\":"
                                      "\"F\"},\"year\":1971},\"black\":{\"player\":{\"id\":8,"
                                      "\"name\":\"S\"},\"year\":1969}}]}",
           "1,234", "22,220", "2801", "2618 to 2985", "1,702", "&lt;Fischer&gt; &amp; Co",
           "/players/7/1971", "150 turns are needed", "value=\"30\" max=\"60\"", "2026-11-21 12:01",
           "data-busy", "/compare?white=7:1971&amp;black=8:1969", "enctype=\"multipart/form-data\"",
           "outside the calibrated range");
    EXPECT("dashboard",
           "{\"judge\":null,\"calibration\":null,\"queue\":{},\"running\":[],\"uploads\":[],"
           "\"player_years\":[],\"pairs\":[]}",
           "No player-year has", "Nothing was uploaded yet", "Nothing has been analysed yet");
}

static void players(void **state)
{
    (void)state;
    EXPECT(
        "players",
        "{" JUDGE "\"players\":[{\"id\":7,\"name\":\"<Fischer> & Co\",\"games\":22,\"turns\":"
        "1800,\"first_year\":1959,\"last_year\":1972,\"rating\":{\"estimate\":2711.4,\"interval\":"
        "{\"low\":2650.2,\"high\":2780.1,\"level\":0.95}}},{\"id\":8,\"name\":\"B\",\"games\":1,"
        "\"turns\":0,\"first_year\":null,\"last_year\":null}],\"next\":\"1800-7\","
        "\"search\":\"a\\\"b\"}",
        "1959–1972", "value=\"1800-7\"", "value=\"a&quot;b\"", "href=\"/players/8\"", "unknown",
        "2711</td>", "href=\"/players?sort=-rating\"");
    EXPECT("players", "{\"players\":[],\"next\":null,\"search\":null}", "No games yet");
}

static void player(void **state)
{
    (void)state;
    EXPECT("player",
           "{\"id\":7,\"name\":\"<Fischer> & Co\",\"games\":22,\"turns\":1800,\"first_year\":1971,"
           "\"last_year\":1971," JUDGE "\"years\":[" YEAR(IPR) "," YEAR(REFUSAL) "]}",
           "22 games, 1,800 analysed moves", "57.1%", "84.2%", "/players/7/1971",
           "150 turns are needed", "aria-label=\"IPR 2801, 95% interval 2618 to 2985");
}

static void a_player_of_several_names(void **state)
{
    (void)state;
    EXPECT("player",
           "{\"id\":7,\"name\":\"A\",\"years\":[],\"rating\":{\"estimate\":2651.2,\"interval\":"
           "{\"low\":2580,\"high\":null},\"turns\":4001,\"games\":130},\"moves_and_results\":{"
           "\"estimate\":2702.4,\"interval\":{\"low\":2640,\"high\":2771},\"rated_games\":41,"
           "\"score\":27.5,\"expected\":25.26},\"queue\":{\"player\":7,"
           "\"rating_offer\":{\"judge\":\"rating\",\"games\":2,\"turns\":61,\"remaining\":"
           "\"a minute\"}}}",
           "2651</span>", "above 2580", "<strong>2702</strong>, 95% interval 2640 to 2771",
           "41 games against rated opponents: 27.5 points, where 25.3 are expected",
           "4,001 moves, 130 games", "2 games (61 moves) not analysed",
           "name=\"player\" value=\"7\"", "name=\"judge\" value=\"rating\"");
    EXPECT("player",
           "{\"id\":7,\"name\":\"<Fischer> & Co\",\"fide_id\":4711,\"games\":22,\"turns\":0,"
           "\"first_year\":null,\"last_year\":null," JUDGE
           "\"spellings\":[\"<Fischer> & Co\",\"Fischer, R\",\"Bobby\"],"
           "\"members\":[{\"id\":9,\"name\":\"Bobby\",\"fide_id\":null,\"change\":3}],"
           "\"time_classes\":[\"classical\",\"rapid\",\"unknown\"],\"years\":[{\"year\":1971,"
           "\"games\":0,\"not_rated\":{\"blitz\":12,\"bullet\":3}," REFUSAL "}]}",
           "FIDE id 4711.</p>", "<q>Fischer, R</q> <q>Bobby</q>", "Merged into this player: Bobby",
           "decision 3", "classical, rapid and unknown", "not counted: 12 blitz, 3 bullet",
           "action=\"/api/v1/players/7/split\"");
}

#define SUSPECT(id, name, fide, games)                                                             \
    "{\"id\":" id ",\"name\":\"" name "\",\"fide_id\":" fide ",\"games\":" games                   \
    ",\"first_year\":1950,\"last_year\":1960,\"elo\":{\"low\":2700,\"high\":2785}}"

static void who_is_who(void **state)
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
        /* The one with fewer games goes into the other, first. */
        "formaction=\"/api/v1/players/8/merge\" name=\"into\" value=\"7\"",
        "value=\"/players/doubtful?after=1-2-a\"", "value=\"7-8-fischer\"",
        "formaction=\"/api/v1/identity-changes/4/undo\"", "split: 1 game moved to",
        "undone 2026-11-21 13:14 by me");
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
    EXPECT("doubtful", "{\"pairs\":[],\"next\":null,\"after\":null,\"changes\":[]}",
           "No doubtful pairs.", "Nothing was decided yet.");
    EXPECT("doubtful", "{\"pairs\":[],\"next\":\"1-2-a\",\"changes\":[]}", "there are more");
    EXPECT("doubtful",
           "{\"spelling_file\":true,\"aliases\":[{\"player\":" SUSPECT(
               "7", "Fischer, R", "null",
               "5") ",\"into\":" SUSPECT("8", "Fischer, Robert J", "4711",
                                         "30") "}],\"pairs\":[],\"next\":null,\"changes\":"
                                               "[{\"id\":4,\"kind\":\"merge\",\"player\":{"
                                               "\"id\":1,\"name\":\"A\"},\"other\":{\"id\":"
                                               "2,\"name\":\"B\"},\"batch\":3,"
                                               "\"undone\":null}]}",
           "action=\"/api/v1/players/doubtful/aliases\"", "Merge all of them", "Undo all of 3");
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
           "<a href=\"/players/8\">Larsen</a>", "&lt;Denver&gt;", "<td>analysed</td>",
           "<td>not analysed: no moves</td>", "/compare?white=7:1971",
           "/players/7/1971?include=fits,game_bootstrap,depth_weighted#more", "Elo on rating lists",
           "1 game forfeited, not counted");
    EXPECT("player_year", RATINGS(MORE, BOUND),
           "outside the calibrated range; calibration of another engine setting",
           "Elo in the game tags", "+0.021", "0.018 to 0.060", "above 2500",
           "every point was scored", "More fits", "no line of mle fits", "standard error of 88",
           "6.40 to 7.10", "12.5%", "The opponents' moves in 4 games (120 moves)");
    EXPECT("player_year",
           RATINGS(REFUSAL, "{\"at_0\":null,\"at_30\":null,\"mean_loss\":null,\"reason\":\"150 "
                            "turns are needed, 118 remain\",\"turns\":118}"),
           "No rating:", "112 remain after the exclusions", "118 remain", "Nothing was fitted");
}

#define SEARCH                                                                                     \
    "\"search\":{\"uci\":\"g1f3\",\"san\":\"Nf3\",\"value\":-90,\"depth\":24,\"seldepth\":43,"     \
    "\"tbhits\":0,\"time_ms\":1,\"dmean\":8,\"dmax\":43,\"ddmax\":3}"
#define GAME_HEAD                                                                                  \
    "{\"id\":5,\"white\":{\"id\":7,\"name\":\"<Fischer> & Co\",\"elo\":2785},"                     \
    "\"black\":{\"id\":8,\"name\":\"Larsen\",\"elo\":null},\"result\":\"1-0\","                    \
    "\"event\":\"<Denver>\",\"site\":null,\"round\":\"2\",\"date\":\"1971.07.08\",\"year\":1971,"

/* The Scholar's mate with all that can be said beside it. */
static void game(void **state)
{
    (void)state;
    EXPECT(
        "game",
        GAME_HEAD
        "\"time_class\":\"blitz\",\"time_class_known\":\"inferred\",\"tags\":{\"Event\":\"<Denver>"
        "\"},"
        "\"start_fen\":null,\"plies\":4,\"final_state\":\"checkmate\"," JUDGE "\"states\":["
        "{\"ply\":3,\"state\":null,\"check\":true,\"repetitions\":1,\"halfmove\":1},"
        "{\"ply\":4,\"state\":\"checkmate\",\"check\":true,\"repetitions\":1,\"halfmove\":0}],"
        "\"moves\":[{\"ply\":0,\"number\":17,\"mover\":\"w\",\"uci\":\"g1f3\",\"san\":\"Nf3\"},"
        "{\"ply\":1,\"number\":17,\"mover\":\"b\",\"uci\":\"g8f6\",\"san\":\"Nf6\"},"
        "{\"ply\":2,\"number\":18,\"mover\":\"w\",\"uci\":\"f3g1\",\"san\":\"Ng1+\"},"
        "{\"ply\":3,\"number\":18,\"mover\":\"b\",\"uci\":\"f6g8\",\"san\":\"Ng8#\"}],\"turns\":["
        "{\"ply\":1,\"mover\":\"b\",\"depth\":10,\"best\":{\"uci\":\"d7d5\",\"san\":\"d5\","
        "\"score\":31},\"played\":{},\"rank\":3,\"eval_white\":123},"
        "{\"ply\":2,\"mover\":\"w\",\"depth\":10,\"best\":{\"uci\":\"f3g1\",\"san\":\"Ng1+\","
        "\"score\":0},\"played\":{},\"rank\":1,\"eval_white\":{\"mate\":-4}},"
        "{\"ply\":3,\"mover\":\"b\",\"depth\":10,\"best\":{\"uci\":\"h7h5\",\"san\":\"h5\","
        "\"score\":{\"mate\":2}},\"played\":{},\"rank\":2,\"eval_white\":null}],\"notes\":["
        "{\"ply\":0,\"comment\":\"A <famous> game\"},{\"ply\":1,\"nag\":5},{\"ply\":1,\"nag\":146},"
        "{\"ply\":1,\"comment\":\"<script>\"},{\"ply\":2,\"clock_ms\":7199000},"
        "{\"ply\":2,\"elapsed_ms\":61000},{\"ply\":2,\"eval_white\":-7,\"depth\":18},"
        "{\"ply\":3," SEARCH "}],\"judged_by\":[{\"judge\":{\"id\":2,\"name\":\"deep\","
        "\"engine\":\"E\",\"network\":\"\",\"multipv\":5,\"limit\":{\"depth\":14},\"first_move\":9}"
        ","
        "\"mover\":\"b\",\"turns\":27,\"source\":\"import\",\"finished\":\"2026-11-21T12:00:00Z\"}]"
        ","
        "\"sources\":[{\"upload\":3,\"game\":12,\"source\":\"<a>.pgn\","
        "\"created\":\"2026-11-20T12:00:00Z\",\"duplicate\":true}]}",
        "&lt;Fischer&gt; &amp; Co – Larsen, 1-0", "&lt;Denver&gt;, round 2, 1971.07.08",
        "<a href=\"/players/7/1971\">", "Elo 2785", "blitz, from the name of the event",
        "The last position: checkmate", "A &lt;famous&gt; game", "17. Nf3", "17… Nf6", "!?", "$146",
        "&lt;script&gt;", "+1.23", "d5 −0.31", "#-4", "h5 #-2", "1:59:59", "spent 0:01:01",
        "evaluation in the file −0.07, depth 18", "searched Nf3: −0.90 for the mover, depth 24",
        "<strong>checkmate</strong>", "deep: E, depth 14, 5 lines, from move 9", "/games/5?judge=2",
        "<td>Black</td>", "&lt;a&gt;.pgn", "12, duplicate", "/uploads/3",
        "/api/v1/games/5.pgn?evals=true", "/api/v1/games/5.pgn?form=alliot");
    EXPECT("game",
           GAME_HEAD "\"time_class\":\"unknown\",\"time_class_known\":\"unknown\",\"tags\":{},"
                     "\"start_fen\":\"4k3/8/8/8/8/8/8/4K3 w - - 0 1\",\"plies\":0,"
                     "\"final_state\":\"insufficient_material\",\"judge\":null,"
                     "\"states\":[{\"ply\":0,\"state\":\"insufficient_material\"}],\"moves\":[],"
                     "\"turns\":[],\"notes\":[],\"judged_by\":[],\"sources\":[]}",
           "From the position <code>4k3/", "The game has no moves", "Not analysed yet", "None yet",
           "insufficient material", "Time class: unknown");
}

static void events(void **state)
{
    (void)state;
    EXPECT(
        "events",
        "{" JUDGE "\"events\":[{\"id\":9,\"name\":\"<Cup> & Co\",\"year\":1971,\"games\":1350,"
        "\"games_judged\":20,\"players\":300,\"counted_all\":true},{\"id\":8,\"name\":\"Rated\","
        "\"year\":null,\"games\":10001,\"games_judged\":0,\"players\":9000,\"counted_all\":false}],"
        "\"next\":\"0-8\",\"search\":\"c\",\"year\":null}",
        "<a href=\"/events/9\">&lt;Cup&gt; &amp; Co</a>", "<td>1971</td>", "1,350", "over 10,001",
        "unknown", "name=\"after\" value=\"0-8\"", "name=\"q\" value=\"c\"",
        "aria-current=\"true\">Events");
    EXPECT("events", "{\"events\":[],\"next\":null,\"search\":\"x\",\"year\":null}",
           "No event with these words");
    EXPECT("events", "{\"events\":[],\"next\":null,\"search\":null,\"year\":1999}",
           "No event of this year");
    EXPECT("events", "{\"events\":[],\"next\":null,\"search\":null,\"year\":null}",
           "No games that name an event");
}

#define EVENT_HEAD                                                                                 \
    "{\"event\":{\"id\":9,\"name\":\"<Cup>\",\"year\":1971}," JUDGE                                \
    "\"time_classes\":[\"blitz\"],\"not_rated\":{\"rapid\":2},\"games\":45,\"games_judged\":44,"   \
    "\"results\":{\"white_won\":20,\"black_won\":10,\"drawn\":14,\"unknown\":1},"
#define PLAYER(n, rest)                                                                            \
    "{\"place\":" #n ",\"player\":{\"id\":" #n ",\"name\":\"<P> " #n "\"},\"games\":9,"            \
    "\"games_judged\":9,\"turns\":300,\"score_games\":9," rest "}"

static void event(void **state)
{
    (void)state;
    EXPECT(
        "event",
        EVENT_HEAD
        "\"players_total\":300,\"limit\":2,\"after\":null,\"next\":\"2\",\"players\":[" PLAYER(
            1,
            "\"score\":6.5,\"elo\":{\"estimate\":2401.4},"
            "\"performance\":{\"estimate\":2600."
            "2,"
            "\"interval\":{\"low\":2400,\"high\":2800},\"bounded\":false},\"expected\":{"
            "\"points\":4.24,\"games\":9},\"conformance\":{\"at_0\":{\"share\":0.571,\"interval\":{"
            "\"low\":0.52,\"high\":0.62}},\"at_30\":{\"share\":0.842,\"interval\":{\"low\":0.81,"
            "\"high\":0.87}}},\"bayes\":{"
            "\"estimate\":"
            "1.234,\"interval\":{\"low\":1.1,\"high\":1.4}},\"concordance\":{\"rating\":2401."
            "4,"
            "\"mm\":{\"actual\":0.55,\"projected\":0.531,\"z\":0.84},\"ad\":{\"z\":-2.34}}"
            "," IPR) "," PLAYER(2, "\"score\":9,\"elo\":"
                                   "{\"estimate\":null},\"performance\":{"
                                   "\"estimate\":null,"
                                   "\"interval\":{\"low\":2500,\"high\":null},\"bounded\":"
                                   "true},\"unplayed\":{\"games\":1,\"score\":0.5,\"score_games\":"
                                   "1},\"expected\":{\"estimate\":null,\"reason\":\"no "
                                   "Elo\"},"
                                   "\"conformance\":{\"at_0\":null},\"bayes\":{\"estimate\":"
                                   "null},"
                                   "\"concordance\":{\"mm\":null,\"reason\":\"few\"}"
                                   "," REFUSAL) "],\"comparisons\":{\"compared\":1,"
                                                "\"beyond\":[{\"standard_errors\":2,"
                                                "\"expected\":0.0459,"
                                                "\"mm\":0,\"ad\":1}]}}",
        "&lt;Cup&gt;, 1971", "45 games of 300 players, 44 analysed",
        "White won 20, Black 10, 14 drawn", "1 without a result", "2 rapid", "6.5 / 9",
        "9.5 / 10<abbr", "†", "2600", "2400 to 2800", "4.2", "above 2500",
        "150 turns are needed, 112 remain", "2801<abbr", "2618 to 2985", "57.1%", "52.0% to 62.0%",
        "81.0% to 87.0%", "1.10 to 1.40", "+0.8", "−2.3", "53.1%", "1 performance compared",
        "0.046", "These are 2 of 300 players", "href=\"/events/9?after=2\"");
    EXPECT("event",
           EVENT_HEAD
           "\"players_total\":null,\"limit\":40,\"after\":null,\"next\":null,\"players\":[],"
           "\"comparisons\":{\"compared\":0,\"beyond\":[]},\"reason\":\"no tournament\"}",
           "No ratings:</strong> no tournament");
}

static void compare(void **state)
{
    (void)state;
    EXPECT("compare",
           "{\"choices\":{\"player_years\":[{\"player\":{\"id\":9,\"name\":\"X\"},\"year\":2001,"
           "\"counted\":900},{\"player\":{\"id\":10,\"name\":\"Y\"},\"year\":2001,\"counted\":800}"
           "]},\"prediction\":{" JUDGE "\"white\":" SIDE ",\"black\":" SIDE ",\"predictions\":{"
           "\"markov\":{\"expected\":0.425,\"interval\":{\"low\":0.144,\"high\":0.765},"
           "\"as_white\":" OUTCOME ",\"as_black\":" OUTCOME ",\"turns\":{\"white\":2991,\"black\":"
           "1021},\"games\":{\"white\":94,\"black\":33},\"exits\":{\"from_winning\":54,"
           "\"from_losing\":5},\"note\":\"Thin.\"},\"covariance\":{\"expected\":0.52,\"mean_loss\":"
           "{\"white\":0.118,\"black\":0.136}},\"conformance\":{\"expected\":0.53,\"accumulated\":"
           "{\"white\":{\"share\":0.936,\"interval\":{\"low\":0.909,\"high\":0.956}},\"black\":"
           "{\"share\":0.905,\"interval\":null}},\"interval_note\":\"Beta is "
           "exact.\"},\"ipr\":{\"expected\":null,\"reason\":\"no IPR\""
           "},\"elo\":{\"expected\":0.6,\"interval\":null,\"interval_reason\":\"no error\","
           "\"as_white\":{\"win\":null,\"expected\":0.6}}},\"rating_difference\":{\"estimate\":"
           "-52.3,\"standard_error\":60.2,\"interval\":{\"low\":-170.3,\"high\":65.7},"
           "\"distinct\":false},\"chances\":{\"expected\":0.45,\"as_white\":{\"win\":0.31,"
           "\"draw\":0.5,\"loss\":0.19,\"expected\":0.56},\"as_black\":{\"win\":0.14,\"draw\":"
           "0.52,\"loss\":0.34,\"expected\":0.4},\"extrapolated\":true}}}",
           "<span class=\"value\">45.0%</span>",
           "data-key=\"rating\">Rating</a></th><td class=\"n "
           "strong\" data-label=\"expected\">45.0%",
           "with White <strong>31.0 / 50.0 / 19.0", "Extrapolated: the model's games",
           "<strong>−52</strong> Elo, standard error 60, 95% interval −170 to +66",
           "The data do not distinguish these two.", "42.5%", "14.4% to 76.5%",
           "2,991 and 1,021 moves", "Thin.", "No prediction:</strong> no IPR",
           "No interval: no error.", "x=\"10.00%\"", "width=\"66.00%\"", "54 moves",
           "10.0 / 66.0 / 24.0", "data-label=\"White\">60.0%", "0.118 pawns for the first, 0.136",
           "93.6% (95% interval 90.9% to 95.6%)", "by 90.5% of the second", " Beta is exact.</p>",
           "data-plot=\"/static/plots/compare.js\"", "<option value=\"7:1971\" selected>",
           "<option value=\"9:2001\">");
    EXPECT("compare",
           "{\"choices\":{\"player_years\":[{}]},\"prediction\":{" JUDGE "\"white\":" SIDE
           ",\"black\":" SIDE ",\"predictions\":{},\"rating_difference\":{\"estimate\":-200,"
           "\"standard_error\":60,\"interval\":{\"low\":-318,\"high\":-82},\"distinct\":true}}}",
           "The moves of the second were stronger.");
    EXPECT("compare", "{\"choices\":{\"player_years\":[]},\"prediction\":null}",
           "A comparison needs two player-years", "<select id=\"white\"");
}

/* The star is explained where there is one. */
static void compare_remarks(void **state)
{
    static const char *const sides[] = { SIDE,
                                         "{\"player\":{\"id\":8,\"name\":\"Y\"},\"year\":1970," IPR
                                         "}" };
    static const char star[] = "* extrapolated: outside";

    (void)state;
    for (int i = 0; i < 2; i++) {
        char json[2048];

        snprintf(json, sizeof json,
                 "{\"choices\":{\"player_years\":[]},\"prediction\":{" JUDGE "\"white\":" SIDE
                 ",\"black\":%s,\"predictions\":{}}}",
                 sides[i]);
        char *html = render("compare", json);
        assert_int_equal(strstr(html, star) != NULL, i);
        free(html);
    }
}

static void upload(void **state)
{
    (void)state;
    EXPECT(
        "upload",
        "{\"id\":5,\"created\":\"2026-11-21T12:01:02Z\",\"source\":\"a.pgn\",\"judge\":"
        "\"standard\",\"games_read\":4,\"imported\":2,\"duplicate\":1,\"rejected\":1,"
        "\"queued\":1,\"running\":1,\"analysed\":0,\"failed\":0,\"turns_done\":1,"
        "\"turns_total\":4,\"done\":false,\"errors\":[{\"game\":1,\"line\":1664,\"column\":13,"
        "\"ply\":3,\"type\":\"illegal_move\",\"detail\":\"Ke3 is not legal\",\"white\":\"A\","
        "\"black\":null}],\"failures\":[{\"game_id\":1,\"white\":\"A\",\"black\":\"B\","
        "\"reason\":\"engine died\"}],\"players\":[{\"player\":{\"id\":7,\"name\":\"F\"},"
        "\"year\":null,\"games\":2}],\"duplicates\":[{\"game\":3,\"kind\":\"extends\",\"kept\":12,"
        "\"improved\":true,\"conflicts\":[\"result\",\"white_elo\"]}]}",
        "a longer version", "result, white elo", "data-events=\"/api/v1/uploads/5/events\"",
        "1,664", "2… (Black)", "Ke3 is not legal", "A – ?", "engine died",
        "data-count=\"analysed\"", "value=\"1\" max=\"4\"", "href=\"/players/7\"");
}

static void uploads(void **state)
{
    (void)state;
    EXPECT("uploads",
           "{\"uploads\":[{\"id\":5,\"created\":\"2026-11-21T12:01:02Z\",\"created_by\":\"ann\","
           "\"source\":\"<a>.pgn\",\"judge\":\"standard\",\"games_read\":1234,\"imported\":1230,"
           "\"duplicate\":3,\"rejected\":1,\"queued\":1,\"running\":1,\"analysed\":2,\"failed\":0,"
           "\"turns_done\":30,\"turns_total\":60,\"done\":false},{\"id\":4,\"created\":"
           "\"2026-11-20T12:01:02Z\",\"created_by\":null,\"source\":\"b.pgn\",\"judge\":null,"
           "\"games_read\":2,\"imported\":2,\"duplicate\":0,\"rejected\":0,\"queued\":0,"
           "\"running\":0,\"analysed\":0,\"failed\":0,\"turns_done\":0,\"turns_total\":0,"
           "\"done\":true}],\"next\":\"4\"}",
           "<title>Uploads", "href=\"/uploads/5\"", "&lt;a&gt;.pgn", "2026-11-21 12:01", "ann",
           "standard", "1,234", "1,230", "value=\"30\" max=\"60\"", "2 of 4", ">unknown<",
           ">not queued<", "nothing queued", "name=\"after\" value=\"4\"");
    EXPECT("uploads", "{\"uploads\":[],\"next\":null}", "No uploads yet");
}

static void queue(void **state)
{
    (void)state;
    EXPECT(
        "queue",
        "{\"queue\":{\"ready\":1234,\"running\":1,\"paused\":3,\"failed\":2,\"remaining\":"
        "\"a minute\",\"judged_games\":9,\"judged_turns\":22220},\"running\":[{\"game_id\":4,"
        "\"white\":\"Tal\",\"black\":null,\"year\":1960,\"judge\":\"standard\",\"worker\":"
        "\"a:1\",\"turns_done\":5,\"turns_total\":0}],\"owners\":[],\"waiting\":[],\"uploads\":[{"
        "\"id\":7,\"source\":\"a.pgn\",\"created\":\"2026-11-21T12:01:02Z\",\"games\":4,"
        "\"white\":\"Tal, M\",\"black\":\"Botvinnik\",\"event\":\"<Cup>\",\"owner\":\"ann\","
        "\"owners\":2,\"judge\":\"quick\",\"priority\":1,\"ready\":0,\"running\":0,\"paused\":3,"
        "\"failed\":0}],\"failed\":[{\"game_id\":4,\"white\":\"A\",\"black\":\"B\",\"year\":null,"
        "\"judge\":\"quick\",\"reason\":null,\"attempts\":3}],\"workers\":[{\"name\":\"a:1\","
        "\"version\":\"1\",\"programs\":\"stockfish\",\"started\":\"2026-11-21T12:01:02Z\","
        "\"engines\":2,\"tablebases\":5,\"games\":4,\"turns\":1200,\"cached_share\":0.25,"
        "\"failures\":0,\"leases_lost\":0}],\"cache\":{\"turns\":1200,\"share\":0.25}}",
        "1,234", "22,220", "Tal – ?, 1960", "value=\"5\" max=\"1\"",
        "Tal, M – Botvinnik and 3 more, &lt;Cup&gt;", "for ann and 1 more", "2026-11-21 12:01",
        "/api/v1/analyses/resume?upload=7&amp;judge=quick", "value=\"2\"", "no reason recorded",
        "5 men", "25.0%", "data-busy");
    EXPECT(
        "queue",
        "{\"queue\":{\"ready\":0,\"running\":0,\"paused\":0,\"failed\":0,\"remaining\":null},"
        "\"running\":[],\"owners\":[],\"waiting\":[],\"uploads\":[],\"failed\":[],\"workers\":[],"
        "\"cache\":{\"turns\":0,\"share\":null}}",
        "No upload has games in the queue", "No worker reported", "No game is waiting");
}

static void calibrations(void **state)
{
#define RECORD                                                                                     \
    "{\"name\":\"standard\",\"a\":3800,\"b\":14368,\"a_se\":202,\"b_se\":1811,\"residual_sd\":"    \
    "151.4,\"sampling_sd\":147.2,\"elo_range\":{\"low\":1600,\"high\":2791},\"turns\":11122,"      \
    "\"reference\":{\"size\":"                                                                     \
    "2392},\"mileposts\":[{\"elo\":1602,\"fitted\":1722,\"turns\":692,\"games\":30,\"s\":0.24,"    \
    "\"c\":0.59,\"ae_ref\":0.1446},{\"elo\":2791,\"fitted\":2763,\"turns\":781,\"games\":13,"      \
    "\"s\":0.12,\"c\":0.6,\"ae_ref\":0.0721}]}"
    (void)state;
    EXPECT("calibration", RECORD, "Calibration standard", "1722", "−120", "+28", "2,392 moves",
           "151 points around the line (standard deviation); the sampling of their moves alone "
           "makes 147");
    EXPECT("calibrations", "{\"calibrations\":[" RECORD "]}", "11,122 moves",
           "/calibrations/standard");
    EXPECT("calibrations", "{\"calibrations\":[]}", "No calibration is stored");
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
           "{\"program\":\"1\",\"data\":{\"digest\":\"b60a\",\"games\":2086},\"split\":{"
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
           "deviation of 85 Elo.</strong> One game reduces the error of predicting the mean for "
           "everybody by 14%. The 95% interval contained the Elo in 96.2% of 70 sides of games "
           "(the moves of one player in a game), and in 95.1% of 70 sets of 30 games.",
           "Blind players, whose games are in no fit: <strong>1,000 moves give the rating with a "
           "standard deviation of 82 Elo.",
           "96.8% of 70 sides of games (the moves of one player in a game).",
           "<strong>best (the rating)</strong>", "also uses the result", "1600–1900</th>",
           "−163 ± 69", "4.25%", "+30 ± 9", "−82</td>", "1,000 moves of one band", "20 × 166",
           "−3.2", "0.214</td>", "243 sides of games", "93.3%</td>", "2,086 games",
           "(436 players)");
}

static void errors(void **state)
{
    (void)state;
    EXPECT("error", "{\"title\":\"No such thing\",\"status\":404,\"detail\":\"a <b>\"}",
           "No such thing", "a &lt;b&gt;", "Status 404", "All players");
    EXPECT("error", "{}", "Something went wrong");
}

static void another_resource_is_refused(void **state)
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
        cmocka_unit_test(dashboard),
        cmocka_unit_test(players),
        cmocka_unit_test(player),
        cmocka_unit_test(a_player_of_several_names),
        cmocka_unit_test(who_is_who),
        cmocka_unit_test(player_year),
        cmocka_unit_test(game),
        cmocka_unit_test(events),
        cmocka_unit_test(event),
        cmocka_unit_test(compare),
        cmocka_unit_test(compare_remarks),
        cmocka_unit_test(upload),
        cmocka_unit_test(uploads),
        cmocka_unit_test(queue),
        cmocka_unit_test(calibrations),
        cmocka_unit_test(validation),
        cmocka_unit_test(errors),
        cmocka_unit_test(another_resource_is_refused),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
