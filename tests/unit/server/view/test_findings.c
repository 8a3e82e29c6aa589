/* The sentences at the head of calibrations and lists, from made-up figures. */
#include <math.h>
#include <string.h>

#include "ipr_sentences_sample.h"
#include "ipr_test.h"

#include "view/calibration/findings.h"
#include "view/player/findings.h"
#include "view/queue/findings.h"
#include "view/wording.h"

static void assert_found(const char *text, const char *part)
{
    if (text == NULL || strstr(text, part) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", part, text != NULL ? text : "(none)");
}

static json_t *parsed(const char *text)
{
    json_error_t why;
    json_t *out = json_loads(text, 0, &why);

    if (out == NULL)
        fail_msg("%s in %s", why.text, text);
    return out;
}

#define MILEPOSTS                                                                                  \
    "\"mileposts\":[{},{},{},{},{},{},{},{},{},{},{},{}],\"a\":3700,\"elo_range\":{\"low\":1603,"  \
    "\"high\":2781},\"judge\":{\"engine\":\"Crafty\",\"multipv\":20,\"limit\":{\"depth\":10}}"

static void check_calibration(const char *members, const char *want)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_answer_calibration_record record;
    json_t *json = parsed(ipr_arena_printf(&mem, "{\"name\":\"own\",%s," MILEPOSTS "}", members));

    ipr_shape_read(IPR_SHAPE_CALIBRATION_RECORD, json, &mem, &record);
    assert_found(ipr_calibration_finding(&record, &mem), want);
    json_decref(record.judge);
    json_decref(json);
    ipr_arena_release(&mem);
}

/* With 10 degrees of freedom the 95 % quantile of chi-squared is 18.31: 135.3 of 100. */
static void calibration_says_whether_the_mileposts_scatter(void **state)
{
    static const char band[] =
        "\"turns\":18211,\"games\":603,\"residual_sd\":134.9,\"sampling_sd\":"
        "100,\"band\":[{\"elo\":1700,\"se\":52.1},{\"elo\":2300,\"se\":27.7},"
        "{\"elo\":2400,\"se\":29.8}]";

    (void)state;
    check_calibration(band, "The calibration own is for moves analysed by Crafty, 20 lines, depth "
                            "10, and covers Elo 1603 to 2781; the 95% error of its scale is ±54 at "
                            "Elo 2300 and ±102 at Elo 1700. It rests on 12 groups of rated players "
                            "(18,211 moves of 603 games); their Elo lies 135 around the line, no "
                            "more than the sampling of their moves explains (100).");
    check_calibration("\"residual_sd\":135.8,\"sampling_sd\":100",
                      "136 around the line, more than the sampling of their moves explains (100).");
    check_calibration("\"turns\":null,\"residual_sd\":36,\"band\":[{\"elo\":1700,\"se\":20},{"
                      "\"elo\":1800,\"se\":20}]",
                      "; the 95% error of its scale is ±39. It rests on 12 groups of rated players "
                      "(their moves were not published); their Elo lies 36 around the line.");
}

static void list_says_which_is_the_default(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_answer_calibration_record of[2] = { { .name = "own", .finding = "It is good." },
                                                   { .name = "other" } };
    const struct ipr_list_calibration_record none = { of, 0 }, two = { of, 2 };

    (void)state;
    assert_found(ipr_calibrations_finding(&none, "own", &mem), "No calibration is stored");
    assert_string_equal(ipr_calibrations_finding(&two, "own", &mem),
                        "2 calibrations are stored; the default is own. It is good.");
    assert_string_equal(ipr_calibrations_finding(&two, "third", &mem),
                        "2 calibrations are stored.");
    ipr_arena_release(&mem);
}

/* ---- lists ---- */

typedef const char *finding_of(const json_t *, struct ipr_arena *);

static void check_finding(finding_of *finding, const char *answer, const char *want)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    json_t *json = parsed(answer);

    assert_string_equal(finding(json, &mem), want);
    json_decref(json);
    ipr_arena_release(&mem);
}

#define RATED(low, high)                                                                           \
    "{\"estimate\":2471.6,\"interval\":{\"low\":" low ",\"high\":" high "},\"turns\":1384,"        \
    "\"games\":1}"

static void rating_in_words(void **state)
{
    (void)state;
    check_finding(ipr_wording_rating, RATED("2160", "2744.6"),
                  "2472 (95% interval 2160 to 2745) from 1,384 moves of 1 game");
    check_finding(ipr_wording_rating,
                  "{\"estimate\":3011.5,\"extrapolated\":true,\"interval\":{\"low\":2700,\"high\":"
                  "3322.6},\"turns\":1,\"games\":2}",
                  "3012 (95% interval 2700 to 3323) from 1 move of 2 games");
    check_finding(ipr_wording_rating, RATED("2472.4", "2744.6"),
                  "2472 (95% interval up to 2745) from 1,384 moves of 1 game");
    check_finding(ipr_wording_rating, RATED("2160", "2472.3"),
                  "2472 (95% interval down to 2160) from 1,384 moves of 1 game");
}

/* As the answers have them. */
static const char *queue_finding(const json_t *json, struct ipr_arena *mem)
{
    struct ipr_answer_queue_progress of;

    ipr_shape_read(IPR_SHAPE_QUEUE_PROGRESS, json, mem, &of);
    return ipr_queue_finding(&of, mem);
}

static const char *uploads_finding(const json_t *json, struct ipr_arena *mem)
{
    struct ipr_answer_uploads of;

    ipr_shape_read(IPR_SHAPE_UPLOADS, json, mem, &of);
    return ipr_uploads_finding(&of, mem);
}

static void queue_in_words(void **state)
{
    (void)state;
    check_finding(queue_finding,
                  "{\"ready\":1200,\"running\":1,\"paused\":2,\"failed\":1,\"turns_left\":"
                  "9000,\"remaining\":\"about 3 hours\",\"judged_games\":7,\"judged_turns\":300}",
                  "1 game is being analysed, 1,200 wait, 2 are paused: 9,000 moves are left. Time "
                  "remaining: about 3 hours. 1 game failed. Done so far: 7 analyses of 300 moves.");
    check_finding(queue_finding,
                  "{\"ready\":0,\"remaining\":null,\"judged_games\":0,\"judged_turns\":0}",
                  "No game waits for analysis. Done so far: 0 analyses of 0 moves.");
}

static void uploads_in_words(void **state)
{
#define LISTED                                                                                     \
    "\"uploads\":[{\"imported\":9,\"duplicate\":1,\"queued\":2,\"running\":1,\"failed\":1}"
    (void)state;
    check_finding(
        uploads_finding, "{" LISTED "],\"next\":null}",
        "1 file was uploaded. It contains 10 games, of which 9 were new; 3 of those queued "
        "for analysis are not analysed yet. 1 game failed.");
    check_finding(
        uploads_finding,
        "{" LISTED ",{\"imported\":1,\"duplicate\":0,\"queued\":0,\"running\":0,\"failed\":0}],"
        "\"next\":\"7\"}",
        "The 2 files listed contain 11 games, of which 10 were new; 3 of those queued for "
        "analysis are not analysed yet. 1 game failed.");
    check_finding(uploads_finding, "{\"uploads\":[],\"next\":null}",
                  "No file has been uploaded yet.");
}

static void upload_in_words(void **state)
{
#define UPLOAD "\"state\":\"stored\",\"imported\":9,\"duplicate\":1"
#define LASKER                                                                                     \
    "{\"player\":{\"name\":\"Lasker\"},\"games\":10,\"rating\":" RATED("2160", "2745") "}"
    (void)state;
    check_finding(
        ipr_upload_finding,
        "{" UPLOAD ",\"queued\":1,\"running\":1,\"analysed\":7,\"failed\":1,\"judging\":{"
        "\"remaining\":\"about a minute\"},\"ratings\":[{\"rating\":{\"interval\":null}}," LASKER
        "]}",
        "10 games are stored; 7 of the 10 queued for analysis are done. 1 game failed. Time "
        "remaining: about a "
        "minute. Lasker (10 of these games) is rated 2472 (95% interval 2160 to 2745) from "
        "1,384 moves of 1 game.");
#define RATED_SO                                                                                   \
    " (10 of these games) is rated 2472 (95% interval 2160 to 2745) from 1,384 moves of 1 game."
#define OTHER(games)                                                                               \
    "{\"player\":{\"name\":\"Tal\"},\"games\":" games ",\"rating\":" RATED("2160", "2745") "}"
    check_finding(ipr_upload_finding,
                  "{" UPLOAD ",\"analysed\":10,\"ratings\":[" LASKER "," OTHER("10") "]}",
                  "10 games are stored, and all that were queued are analysed. Lasker" RATED_SO
                  " Tal" RATED_SO);
    check_finding(ipr_upload_finding,
                  "{" UPLOAD ",\"analysed\":10,\"ratings\":[" LASKER "," OTHER("9") "]}",
                  "10 games are stored, and all that were queued are analysed. Lasker" RATED_SO);
    check_finding(ipr_upload_finding,
                  "{" UPLOAD ",\"analysed\":10,\"ratings\":[" LASKER
                  "," OTHER("10") "," OTHER("10") "]}",
                  "10 games are stored, and all that were queued are analysed. Lasker" RATED_SO);
    check_finding(ipr_upload_finding,
                  "{" UPLOAD ",\"analysed\":10,\"choice\":{\"rating\":{}},\"ratings\":[" LASKER
                  "]}",
                  "10 games are stored, and all that were queued are analysed.");
    check_finding(
        ipr_upload_finding, "{" UPLOAD ",\"queued\":10,\"analysed\":0,\"ratings\":[" LASKER "]}",
        "10 games are stored; 0 of the 10 queued for analysis are done. Lasker (10 of these games) "
        "is rated 2472 (95% interval 2160 to 2745) from 1,384 moves of 1 game, which was "
        "analysed earlier.");
    check_finding(ipr_upload_finding, "{" UPLOAD "}",
                  "10 games are stored; none of them is queued for analysis.");
    check_finding(ipr_upload_finding, "{\"state\":\"importing\",\"bytes\":400,\"bytes_read\":100}",
                  "The file is being imported: 25% of it is read.");
}

static void check_players(struct ipr_answer_players answer, const char *highest, const char *want)
{
    struct ipr_arena mem = IPR_ARENA_INIT;

    assert_string_equal(ipr_players_finding(&answer, highest, &mem), want);
    ipr_arena_release(&mem);
}

static void players_in_words(void **state)
{
    (void)state;
    check_players((struct ipr_answer_players){ .players.n = 2 }, "A leads.", "A leads.");
    check_players((struct ipr_answer_players){ .players.n = 2 }, NULL,
                  "None of the 2 players shown is rated by the moves yet.");
    check_players((struct ipr_answer_players){ .search = "a", .near = true, .players.n = 1 }, NULL,
                  "No player of that name; spelled otherwise: 1 name. The player is not rated by "
                  "the moves yet.");
    check_players((struct ipr_answer_players){ .search = "a", .similar = 1, .players.n = 2 },
                  "A leads.",
                  "1 player of a similar name and with far more games comes first. A leads.");
    check_players((struct ipr_answer_players){ .search = "a" }, NULL, "No player of that name.");
    check_players((struct ipr_answer_players){ .near = -1 }, NULL,
                  "No player is stored, or none passes these filters.");
}

static void check_doubtful(struct ipr_answer_similar_pairs answer, const char *want)
{
    struct ipr_arena mem = IPR_ARENA_INIT;

    assert_string_equal(ipr_doubtful_finding(&answer, &mem), want);
    ipr_arena_release(&mem);
}

static void doubtful_in_words(void **state)
{
    (void)state;
    check_doubtful((struct ipr_answer_similar_pairs){ .pairs.n = 2, .next = "x", .aliases.n = 1 },
                   "2 pairs of names are so similar that they may be one person; there are more on "
                   "the next page. By the spelling file 1 pair is one person for certain.");
    check_doubtful((struct ipr_answer_similar_pairs){ .pairs.n = 0 },
                   "No two names are so similar that they may be one person.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calibration_says_whether_the_mileposts_scatter),
        cmocka_unit_test(list_says_which_is_the_default),
        cmocka_unit_test(rating_in_words),
        cmocka_unit_test(queue_in_words),
        cmocka_unit_test(uploads_in_words),
        cmocka_unit_test(upload_in_words),
        cmocka_unit_test(players_in_words),
        cmocka_unit_test(doubtful_in_words),
    };

    ipr_sentences_sample();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
