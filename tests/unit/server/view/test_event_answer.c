/* What the head of an event's page says, of given sums and tests. */
#include <math.h>

#include "ipr_sentences_sample.h"
#include "ipr_test.h"
#include "model/strength_shipped.h"
#include "view/event/field.h"

#define PLAYERS 4

struct scene {
    struct ipr_arena mem;
    struct ipr_view view;
    struct ipr_view_context context;
    struct ipr_event_entry all[PLAYERS];
    struct ipr_db_player_side sides[PLAYERS][3];
    struct ipr_event_field f;
    int rounds[9];
    struct ipr_answer_event_report said;
};

static int scene_open(void **state)
{
    static const char *const names[] = { "Fischer, Robert J", "Spassky, Boris V", "Tal, Mihail",
                                         "Tal, A" };
    struct scene *s = ipr_xcalloc(1, sizeof *s);

    s->view.mem = &s->mem;
    s->context.v = &s->view;
    s->context.pool = ipr_pool_of(0);
    s->f = (struct ipr_event_field){ .all = s->all, .n = 2, .rounds = s->rounds, .tagged = true };
    for (int i = 0; i < PLAYERS; i++) {
        s->all[i].player = (struct ipr_db_tournament_player){ i + 1, names[i], s->sides[i], 0 };
        ipr_shape_blank(IPR_SHAPE_SCREENING_ROW, &s->all[i].test);
        s->all[i].test.reason = "no Elo";
    }
    ipr_sentences_sample();
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

/* Of moves that tell so much, at that place of the curve. */
static void rate(struct scene *s, size_t player, double elo, double information)
{
    const double z = ipr_strength_curve_at(&ipr_strength_shipped.calibration.curve, elo);

    s->all[player].strength =
        (struct ipr_db_strength){ .score = (int64_t)llround(1e6 * z * information),
                                  .information = (int64_t)llround(1e6 * information),
                                  .moves = (int64_t)(10 * information),
                                  .games = 3,
                                  .judge_id = 7 };
}

/* With games of a class of time control that does not count, or none such. */
static void answer(struct scene *s, int of_other_class)
{
    const struct ipr_db_tournament_games t = { .in_class[0] = of_other_class };

    ipr_shape_blank(IPR_SHAPE_EVENT_REPORT, &s->said);
    ipr_event_answers(&s->context, &s->f, &s->said);
    ipr_event_stored(&s->context, &t, &s->f, &s->said.event_stored);
}

#define say(s, member) (answer(s, 0), (s)->said.member != NULL ? (s)->said.member : "")

static void begins(const char *text, const char *with)
{
    if (strncmp(text, with, strlen(with)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", text, with);
}

static void has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", text, part);
}

static void test_nobody(void **state)
{
    struct scene *s = *state;

    assert_string_equal(say(s, by_moves), "");
    assert_null(s->said.by_moves);
    rate(s, 1, 2300, 100);
    begins(say(s, by_moves), "By the moves Spassky is rated 22");
    has(say(s, by_moves), "; nobody else is rated.");
}

/* By the probability of the difference, in the words of a head to head. */
static void test_two(void **state)
{
    struct scene *s = *state;

    rate(s, 0, 2300, 100);
    rate(s, 1, 2310, 100);
    begins(say(s, by_moves), "The moves do not show who was better: Spassky 2");
    assert_string_equal(say(s, reconciled),
                        ""); /* neither has an Elo that an interval could miss */
    rate(s, 1, 2390, 100);
    begins(say(s, by_moves), "By the moves it is likely (7");
    rate(s, 0, 2515, 100);
    begins(say(s, by_moves), "By the moves it is very likely (9");
    has(s->said.by_moves, "that Fischer was better: Fischer 2");
    has(s->said.by_moves, " (95% interval 2");
    rate(s, 1, 1700, 100);
    begins(say(s, by_moves), "By the moves it is virtually certain (above 99%) that Fischer");
}

/* Beyond the calibrated range the difference decides, too, with the wider error there. */
static void test_beyond(void **state)
{
    struct scene *s = *state;

    rate(s, 0, 2300, 100);
    rate(s, 1, 3150, 400);
    begins(say(s, by_moves), "By the moves it is virtually certain (above 99%) that Spassky was "
                             "better: Spassky 3");
    has(s->said.by_moves, " (95% interval 2");
    has(s->said.by_moves, " to 3");
    rate(s, 0, 3140, 400);
    begins(say(s, by_moves), "The moves do not show who was better: Spassky 3");
    s->f.n = 4;
    rate(s, 2, 3300, 400);
    rate(s, 3, 2300, 100);
    begins(say(s, by_moves), "Mikhail Tal played the best moves, 3");
    has(s->said.by_moves, "2 of the 3 others rated may have played as well.");
}

static void test_field(void **state)
{
    struct scene *s = *state;

    s->f.n = 4;
    rate(s, 0, 2300, 100);
    rate(s, 2, 2400, 100);
    begins(say(s, by_moves), "By the moves, of two players rated, it is likely");
    rate(s, 3, 1700, 100);
    begins(say(s, by_moves), "Mikhail Tal played the best moves, 2"); /* two have the surname */
    has(say(s, by_moves), "1 of the 2 others rated may have played as well.");
    rate(s, 3, 2380, 100);
    has(say(s, by_moves), "both others rated may have played as well.");
    s->f.only = &s->all[0];
    begins(say(s, by_moves), "The moves are rated 2");
    s->f.only = &s->all[1];
    assert_string_equal(say(s, by_moves), "");
}

static void test_reconciled(void **state)
{
    struct scene *s = *state;

    rate(s, 0, 2600, 10);
    s->all[0].test = (struct ipr_answer_screening_row){ .elo = 2590, .z = .07 };
    begins(say(s, reconciled), "Fischer: above the Elo in the test, below it in the rating. The "
                               "rating draws few moves towards the mean of its prior, 20");
    s->all[0].test.z = .04; /* shown as 0 */
    assert_string_equal(say(s, reconciled), "");
    s->all[0].test.z = .07;
    rate(s, 1, 1900, 3);
    s->all[1].test = (struct ipr_answer_screening_row){ .elo = 1910, .z = -.2 };
    begins(say(s, reconciled), "Fischer and Spassky: on different sides of the Elo");
    s->all[0].test.elo = 2000;
    begins(say(s, reconciled), "Spassky: below the Elo in the test, above it in the rating.");
    s->f.only = &s->all[0];
    assert_string_equal(say(s, reconciled), "");
}

/* Who met whom, a game each. */
static void pair(struct scene *s, int a, int b)
{
    s->sides[a][s->all[a].player.n_sides++] = (struct ipr_db_player_side){ .opponent = b + 1 };
    s->sides[b][s->all[b].player.n_sides++] = (struct ipr_db_player_side){ .opponent = a + 1 };
}

static void test_incomplete(void **state)
{
    struct scene *s = *state;

    s->rounds[0] = 8; /* the games of a match within a knockout */
    s->f.n_rounds = 1;
    pair(s, 0, 1);
    assert_string_equal(say(s, incomplete), "one game alone is stored");
    pair(s, 0, 1);
    assert_string_equal(say(s, incomplete), "");
    s->rounds[0] = 1;
    s->rounds[1] = 2;
    s->f.n_rounds = 2;
    assert_string_equal(say(s, incomplete), "");
    s->rounds[1] = 3;
    assert_string_equal(say(s, incomplete), "of 3 rounds in the tags one has no game");
    s->rounds[1] = 9;
    assert_string_equal(say(s, incomplete), "of 9 rounds in the tags 7 have no game");
    for (int i = 0; i < 8; i++)
        s->rounds[i] = i + 1;
    s->rounds[7] = 9;
    s->f.n_rounds = 8;
    assert_string_equal(say(s, incomplete), "of 9 rounds in the tags one has no game");
    s->rounds[7] = 8;
    s->rounds[8] = 10;
    s->f.n_rounds = 9;
    assert_string_equal(say(s, incomplete), ""); /* it may be a forfeit */
    s->rounds[8] = 11;
    assert_string_equal(say(s, incomplete), "of 11 rounds in the tags 2 have no game");
    s->f.tagged = false; /* numbered by date */
    assert_string_equal(say(s, incomplete), "");
    s->f.tagged = true; /* games of other classes may be those of the other rounds */
    answer(s, 1);
    assert_null(s->said.incomplete);
    s->f.n_rounds = 0;
    s->f.n = 4;
    pair(s, 2, 3);
    assert_string_equal(say(s, incomplete), "of 6 pairs of players 2 met");
    pair(s, 0, 2);
    assert_string_equal(say(s, incomplete), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nobody, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_two, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_beyond, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_field, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_reconciled, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_incomplete, scene_open, scene_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
