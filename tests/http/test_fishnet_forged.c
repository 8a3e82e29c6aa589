/* A client with a valid key that sends what no engine has said, or what is not its own: refused
 * with its place, stored nowhere, and without effect on the games of others. */
#include "fishnet.h"

#define AT 4 /* the position that is forged; the first that is analysed is 2 */

static json_t *lines_of(json_t *result, const char *what)
{
    return json_object_get(json_array_get(json_object_get(result, "analysis"), AT), what);
}

/* The last depth of a line. */
static void set_last(json_t *of_lines, size_t line, json_t *value)
{
    json_array_set_new(json_array_get(of_lines, line), 8, value);
}

static void forge_score(json_t *result)
{
    set_last(lines_of(result, "score"), 1, json_pack("{s:i}", "cp", 2000000000));
}

static void forge_score_text(json_t *result)
{
    set_last(lines_of(result, "score"), 1, json_pack("{s:s}", "cp", "12"));
}

static void forge_move_of_other_side(json_t *result)
{
    set_last(lines_of(result, "pv"), 0, json_pack("[s]", "b8c6"));
}

static void forge_move_text(json_t *result)
{
    set_last(lines_of(result, "pv"), 0, json_pack("[s]", "e4e5; DROP TABLE game"));
}

static void forge_twice(json_t *result)
{
    json_t *pv = lines_of(result, "pv");

    set_last(pv, 1, json_deep_copy(json_array_get(json_array_get(pv, 0), 8)));
}

static void forge_shallow(json_t *result)
{
    json_array_set_new(json_array_get(lines_of(result, "pv"), 0), 3, json_pack("[s]", "a1a8"));
}

static void forge_more_positions(json_t *result)
{
    json_t *all = json_object_get(result, "analysis");

    json_array_append_new(all, json_deep_copy(json_array_get(all, AT)));
}

static void forge_skipped(json_t *result)
{
    json_array_set_new(json_object_get(result, "analysis"), AT, json_pack("{s:b}", "skipped", 1));
}

static void forge_swapped(json_t *result)
{
    json_t *all = json_object_get(result, "analysis");
    json_t *first = json_deep_copy(json_array_get(all, AT));

    json_array_set(all, AT, json_array_get(all, AT + 1));
    json_array_set_new(all, AT + 1, first);
}

/* Refused with the place, and counted against this key alone. */
static void expect_refused(struct reply r, const char *name)
{
    if (strstr(ipr_buf_c(&r.body), "position") == NULL)
        fail_msg("%s: no place in %s", name, ipr_buf_c(&r.body));
    expect_problem(&r, 400, "bad_evaluation", name);
    assert_int_equal(stored(), 0);
    assert_int_equal(ipr_db_test_int("SELECT refused FROM token WHERE name = 'first'"),
                     IPR_DB_KEY_REFUSAL);
    assert_int_equal(ipr_db_test_int("SELECT refused + silences FROM token WHERE name = 'second'"),
                     0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE worker = 'fishnet:second' AND "
                                     "state = 'leased' AND attempts = 1"),
                     1);
}

static void test_forged(void **state)
{
    static const struct {
        const char *name;
        void (*forge)(json_t *);
    } rows[] = {
        { "score out of range", forge_score },
        { "score as text", forge_score_text },
        { "a move of the other side", forge_move_of_other_side },
        { "text for a move", forge_move_text },
        { "a move twice", forge_twice },
        { "illegal at a shallower depth", forge_shallow },
        { "a position too many", forge_more_positions },
        { "a position left out", forge_skipped },
        { "positions exchanged", forge_swapped },
    };

    (void)state;
    add_game(LONG_GAME, 5);
    struct fish_job other = acquire_2("K2");
    add_game(SHORT_GAME, 5);
    struct fish_job j = acquire_2("K1");
    fish_analyse_2(&engine, &j);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *result = fish_result_2(&j);

        rows[i].forge(result);
        expect_refused(submit_2("K1", j.id, result), rows[i].name);
        /* As if it had been the first attempt, for the next row. */
        (void)ipr_db_test_sql("UPDATE token SET refused = 0");
        (void)ipr_db_test_sql("UPDATE job SET state = 'ready', attempts = 0, run_at = now(), "
                              "last_worker = NULL WHERE state <> 'leased'");
        json_t *json = j.json;
        struct fish_job again = acquire_2("K1");
        j.json = again.json, j.id = again.id;
        again.json = json;
        fish_job_release(&again);
    }
    expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "unforged");
    assert_int_equal(stored(), 2);
    fish_analyse_2(&engine, &other);
    expect_taken(submit_2("K2", other.id, fish_result_2(&other)), "the other's");
    assert_int_equal(stored(), 4);
    fish_job_release(&other);
    fish_job_release(&j);
}

/* An analysis of its own for another game, twice, and after the game was returned. */
static void test_misplaced(void **state)
{
    char path[128];

    (void)state;
    add_game(LONG_GAME, 5);
    struct fish_job mine = acquire_2("K1");
    add_game(SHORT_GAME, 5);
    struct fish_job more = acquire_2("K1");
    struct fish_job *from = mine.n_moves > more.n_moves ? &mine : &more;
    struct fish_job *to = from == &mine ? &more : &mine;

    fish_analyse_2(&engine, from);
    struct reply r = submit_2("K1", to->id, fish_result_2(from));
    expect_problem(&r, 400, "bad_evaluation", "of another game");
    assert_int_equal(stored(), 0);
    expect_taken(submit_2("K1", from->id, fish_result_2(from)), "its own");
    assert_int_equal(stored(), 2);
    json_t *again = fish_result_2(from);
    set_last(lines_of(again, "score"), 0, json_pack("{s:i}", "cp", 300));
    const char *totals =
        "SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM side_turns AS t";
    char *before = ipr_xstrdup(ipr_db_test_sql(totals));
    expect_taken(submit_2("K1", from->id, again), "twice");
    assert_string_equal(ipr_db_test_sql(totals), before);
    assert_int_equal(ipr_db_test_int("SELECT sum(sides) FROM judge_total"), 2);
    free(before);

    (void)ipr_db_test_sql("UPDATE job SET run_at = now() - interval '2 days', last_worker = NULL");
    struct fish_job returned = acquire_2("K1");
    fish_analyse_2(&engine, &returned);
    snprintf(path, sizeof path, "/fishnet/abort/%s", returned.id);
    expect_taken(post_2(path, "K1", "{}"), "abort");
    expect_taken(submit_2("K1", returned.id, fish_result_2(&returned)), "after the abort");
    assert_int_equal(stored(), 2);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE state = 'ready'"), 1);
    fish_job_release(&returned);
    fish_job_release(&mine);
    fish_job_release(&more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FISH(test_forged),
        FISH(test_misplaced),
    };

    return cmocka_run_group_tests_name("fishnet_forged", tests, begin, end);
}
