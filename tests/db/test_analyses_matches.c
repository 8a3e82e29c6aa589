/* Plans of what the predictions of matches read. */
#include "analyses.h"
#include "ipr_sentences_sample.h"

#include <string.h>

#include "view/paper/matches.h"

#define PLIES_OF_SIDE 10

static enum ipr_code plan_leaving_out(struct ipr_db_fixture *f, const char *list, int earlier,
                                      bool own_games, struct ipr_list_match_left_out *left_out,
                                      struct ipr_db_plan *plan)
{
    const struct ipr_config config = { .judge = "sample", .home = "." };
    const struct ipr_view view = { .config = &config, .db = f->db, .mem = &f->mem };
    json_t *json = json_loads(list, JSON_DECODE_ANY, NULL);
    const struct ipr_view_matches matches = { json, earlier, own_games };

    assert_non_null(json);
    *plan = (struct ipr_db_plan){ .own = true };
    const enum ipr_code rc =
        ipr_paper_plan_matches(&view, "sample", &matches, left_out, plan, &f->err);
    json_decref(json);
    return rc;
}

static enum ipr_code plan_of(struct ipr_db_fixture *f, const char *list, int earlier,
                             bool own_games, struct ipr_db_plan *plan)
{
    struct ipr_list_match_left_out left_out = { 0 };

    return plan_leaving_out(f, list, earlier, own_games, &left_out, plan);
}

/* The sides that were queued, "YEAR:SIDES" ascending, after which the queue is empty. */
static const char *queued(struct ipr_db_fixture *f, const char *list, int earlier, bool own_games)
{
    struct ipr_db_planned n;
    struct ipr_db_plan plan;

    assert_ok(plan_of(f, list, earlier, own_games, &plan), &f->err);
    assert_ok(ipr_db_analyses_queue(f->db, &plan, "sample", 5, "x", false, &n, &f->err), &f->err);
    assert_int_equal(n.games, ipr_db_test_int("SELECT count(*) FROM job"));
    return ipr_db_test_sql("WITH gone AS (DELETE FROM job RETURNING game_id, sides) "
                           "SELECT string_agg(g.year || ':' || j.sides, ' ' ORDER BY g.year, g.id) "
                           "FROM gone AS j JOIN game AS g ON g.id = j.game_id");
}

static const char *match(struct ipr_db_fixture *f, int a, int b, const char *when, int number)
{
    return ipr_arena_printf(&f->mem, "[{\"players\": [%d, %d], \"%s\": %d}]", a, b, when, number);
}

static void test_years(void **state)
{
    struct ipr_db_fixture *f = *state;

    for (int year = 1965; year <= 1972; year++)
        store(f, 1, "anna", "carl", year);
    store(f, 1, "bert", "carl", 1971);
    store(f, 1, "anna", "bert", 1970);
    store(f, 1, "anna", "bert", 1972);
    store(f, 1, "anna", "carl", 0);
    const int a = ipr_db_test_player("anna"), b = ipr_db_test_player("bert");
    const char *const one = match(f, a, b, "year", 1972);

    assert_string_equal(queued(f, one, 0, false), "1971:1 1971:1");
    assert_string_equal(queued(f, one, 1, false), "1970:1 1970:3 1971:1 1971:1");
    assert_string_equal(queued(f, one, 4, false),
                        "1967:1 1968:1 1969:1 1970:1 1970:3 1971:1 1971:1");
    assert_string_equal(queued(f, one, 0, true), "1971:1 1971:1 1972:3");
    assert_string_equal(queued(f,
                               ipr_arena_printf(&f->mem,
                                                "\"[{\\\"players\\\": [%d, %d], "
                                                "\\\"year\\\": 1972}]\"",
                                                a, b),
                               0, false),
                        "1971:1 1971:1");
    /* Each match has years of its own. */
    assert_string_equal(queued(f,
                               ipr_arena_printf(&f->mem,
                                                "[{\"players\": [%d, %d], \"year\": "
                                                "1972}, {\"players\": [%d, %d], "
                                                "\"year\": 1967}]",
                                                b, a, a, b),
                               0, false),
                        "1966:1 1971:1 1971:1");
}

/* The year is the event's, or of its last game; its games are the match's, in whatever year. */
static void test_events(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_new_game g[3];

    for (unsigned i = 0; i < 3; i++) {
        g[i] = ipr_sample_game(&f->mem, 500 + i, i < 2 ? "anna" : "dora", "bert",
                               i == 1 ? 1985 : 1984, PLIES);
        g[i].event = "Match";
        g[i].event_year = 0;
    }
    ipr_sample_store(f->db, g, 3, "sample");
    store(f, 1, "anna", "carl", 1983);
    store(f, 1, "anna", "bert", 1985);
    const int a = ipr_db_test_player("anna"), b = ipr_db_test_player("bert");
    const int event = (int)ipr_db_test_int("SELECT id FROM event WHERE name = 'Match'");
    const char *const of = match(f, a, b, "event", event);

    assert_string_equal(queued(f, of, 0, false), "1984:3 1984:2");
    assert_string_equal(queued(f, of, 0, true), "1984:3 1984:2 1985:3");
    ipr_db_test_sql("UPDATE event SET year = 1984 WHERE name = 'Match'");
    assert_string_equal(queued(f, of, 0, false), "1983:1");
    assert_string_equal(queued(f, of, 0, true), "1983:1 1984:3 1985:3");
}

/* Games of all identities count, the opponent's too. */
static void test_identities(void **state)
{
    struct ipr_db_fixture *f = *state;

    store(f, 1, "anna", "carl", 1971);
    store(f, 1, "dora", "carl", 1971);
    store(f, 1, "bert", "dora", 1972);
    const int a = ipr_db_test_player("anna"), b = ipr_db_test_player("bert");

    assert_string_equal(queued(f, match(f, a, b, "year", 1972), 0, true), "1971:1");
    ipr_db_test_sql(ipr_arena_printf(&f->mem, "UPDATE player SET merged_into = %d WHERE id = %d", a,
                                     (int)ipr_db_test_player("dora")));
    assert_string_equal(queued(f, match(f, b, a, "year", 1972), 0, true), "1971:1 1971:1 1972:3");
}

/* All matches of the table but that of 1972 are named. */
static void expect_left_out(struct ipr_db_fixture *f)
{
    struct ipr_list_match_left_out left_out = { 0 };
    struct ipr_db_plan plan;

    assert_ok(plan_leaving_out(f, "\"alliot-2017/5\"", 0, false, &left_out, &plan), &f->err);
    assert_int_equal(left_out.n, 16);
    assert_string_equal(left_out.at[0].players.at[0], "Euwe");
    assert_string_equal(left_out.at[0].players.at[1], "Alekhine");
    assert_int_equal(left_out.at[0].year, 1935);
}

/* The matches of a table between players who are stored. */
static void test_table(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_plan plan;

    store(f, 1, "carl", "fischer,robert james", 1971);
    assert_int_equal(plan_of(f, "\"alliot-2017/5\"", 0, false, &plan), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
    store(f, 1, "carl", "spassky,boris v", 1971);
    store(f, 1, "carl", "spassky,boris v", 1970);
    ipr_db_test_sql("UPDATE player SET name = initcap(name)");
    assert_string_equal(queued(f, "\"alliot-2017/5\"", 0, false), "1971:2 1971:2");
    expect_left_out(f);
    assert_int_equal(plan_of(f, "\"alliot-2017/4\"", 0, false, &plan), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
    assert_int_equal(plan_of(f, "\"alliot-2017\"", 0, false, &plan), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
    assert_int_equal(plan_of(f, "\"../5\"", 0, false, &plan), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
}

static void test_refusals(void **state)
{
    static const struct {
        const char *list, *says;
    } rows[] = {
        { "[]", "predict: expected a list of 1 to 500 matches, got \"[]\"" },
        { "12", "predict: expected a list of 1 to 500 matches, got \"12\"" },
        { "\"[{\"", "predict: expected a list of 1 to 500 matches, got \"[{\"" },
        { "[{\"players\": [1, 2], \"year\": 1972}, 7]",
          "predict[1]: expected players, and year or event, got \"7\"" },
        { "[{\"players\": [1, 2]}]", "predict[0]: expected players, and year or event, got" },
        { "[{\"players\": [1, 2], \"year\": 1972, \"event\": 3}]", "predict[0]: expected players" },
        { "[{\"players\": [1, 2], \"yaer\": 1972}]", "predict[0]: expected players" },
        { "[{\"players\": [1], \"year\": 1972}]",
          "predict[0].players: expected the ids of two players, got \"[1]\"" },
        { "[{\"players\": [1, \"2\"], \"year\": 1972}]",
          "predict[0].players[1]: expected an id, got \"2\"" },
        { "[{\"players\": [0, 2], \"year\": 1972}]", "predict[0].players[0]: expected an id" },
        { "[{\"players\": [2, 2], \"year\": 1972}]",
          "predict[0].players: expected two different players, got \"[2,2]\"" },
        { "[{\"players\": [1, 2], \"year\": 1}]",
          "predict[0].year: expected a year from 2 to 9999, got \"1\"" },
        { "[{\"players\": [1, 2], \"year\": \"1972\"}]", "predict[0].year: expected a year" },
        { "[{\"players\": [1, 2], \"event\": -1}]", "predict[0].event: expected an id" },
        { "[{\"players\": [1, 2], \"event\": 99}]",
          "predict[0].event: expected an event with a known year, got \"99\"" },
    };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_planned n;
    struct ipr_db_plan plan;

    store(f, 1, "anna", "bert", 1971);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(plan_of(f, rows[i].list, 4, false, &plan), IPR_EPARSE);
        if (strncmp(f->err.msg, rows[i].says, strlen(rows[i].says)) != 0)
            fail_msg("%s: %s", rows[i].list, f->err.msg);
        ipr_err_clear(&f->err);
    }
    assert_ok(plan_of(f, match(f, 98, 99, "year", 1972), 4, false, &plan), &f->err);
    assert_int_equal(ipr_db_analyses_queue(f->db, &plan, "sample", 5, "x", true, &n, &f->err),
                     IPR_ENOTFOUND);
    assert_string_equal(f->err.msg, "no player 98");
    ipr_err_clear(&f->err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_years), WITH_DB(test_events),   WITH_DB(test_identities),
        WITH_DB(test_table), WITH_DB(test_refusals),
    };

    ipr_sentences_sample();
    return cmocka_run_group_tests_name("plans for matches", tests, NULL, NULL);
}
