/* Clients that send results no engine can give, or take too many jobs. */
#include "fishnet.h"

/* ---- bad clients ---- */

static json_t *result_of(const struct fish_job *j, size_t position)
{
    json_t *all = fish_result_2(j);

    assert_true(json_is_array(
        json_object_get(json_array_get(json_object_get(all, "analysis"), position), "score")));
    return all;
}

static json_t *lines_of(json_t *result, const char *what)
{
    return json_object_get(json_array_get(json_object_get(result, "analysis"), 4), what);
}

static void spoil_line(json_t *result)
{
    json_array_remove(lines_of(result, "score"), 3);
    json_array_remove(lines_of(result, "pv"), 3);
}

static void spoil_depth(json_t *result)
{
    json_array_remove(json_array_get(lines_of(result, "score"), 0), 8);
}

static void spoil_move(json_t *result)
{
    json_t *pv = json_array_get(json_array_get(lines_of(result, "pv"), 1), 8);

    json_array_set_new(pv, 0, json_string("a1a8"));
}

static void spoil_mate(json_t *result)
{
    json_array_set_new(json_array_get(lines_of(result, "score"), 0), 8,
                       json_pack("{s:i}", "mate", 300));
}

static void spoil_all(json_t *result)
{
    json_object_set_new(result, "analysis", json_string("none"));
}

static void test_refused(void **state)
{
    static const struct {
        const char *name;
        void (*spoil)(json_t *);
    } rows[] = {
        { "line missing", spoil_line },    { "depth not reached", spoil_depth },
        { "illegal move", spoil_move },    { "mate too far off", spoil_mate },
        { "position missing", spoil_end }, { "no analysis", spoil_all },
        { "no engine", spoil_flavor },
    };

    (void)state;
    add_game(SHORT_GAME, 5);
    struct fish_job j = acquire_2("K1");
    fish_analyse_2(&engine, &j);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *result = result_of(&j, 4);

        (void)ipr_db_test_sql("UPDATE token SET refused = 0");
        rows[i].spoil(result);
        struct reply r = submit_2("K1", j.id, result);
        expect_problem(&r, 400, "bad_evaluation", rows[i].name);
        assert_int_equal(stored(), 0);
        assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE state <> 'leased' AND "
                                         "last_error LIKE 'refused from fishnet key first: %'"),
                         1);
        assert_int_equal(ipr_db_test_int("SELECT sum(refused) FROM token"), IPR_DB_KEY_REFUSAL);
        /* The attempt counted: after the third the job has failed. Reset it for the next row. */
        (void)ipr_db_test_sql("UPDATE job SET state = 'ready', attempts = 0, run_at = now(), "
                              "last_worker = NULL");
        fish_job_release(&j);
        j = acquire_2("K1");
        fish_analyse_2(&engine, &j);
    }
    (void)ipr_db_test_sql("UPDATE token SET refused = 3 WHERE name = 'first'");
    expect_taken(submit_2("K1", j.id, result_of(&j, 4)), "unspoilt");
    assert_int_equal(ipr_db_test_int("SELECT sum(refused) FROM token"), 2);
    fish_job_release(&j);
}

static void test_refused_too_often(void **state)
{
    (void)state;
    add_game(LONG_GAME, 5);
    add_game(SHORT_GAME, 5);
    for (int i = 1; i <= IPR_DB_KEY_REFUSALS; i++) {
        struct fish_job j = acquire_2("K1");
        struct reply r = submit_2("K1", j.id, json_pack("{s:[]}", "analysis"));

        expect_problem(&r, 400, "bad_evaluation", "nothing");
        fish_job_release(&j);
        (void)ipr_db_test_sql("UPDATE job SET run_at = now(), last_worker = NULL");
    }
    /* Three attempts at one game and two at the other. */
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(state || attempts, ' ' ORDER BY id) FROM job"),
        "failed3 ready2");
    struct reply r = post_2("/fishnet/acquire", "K1", "{}");
    expect_problem(&r, 403, "key_suspended", "acquire");
    assert_non_null(strstr(ipr_db_test_sql("SELECT suspended FROM token WHERE name = 'first'"),
                           "too many results refused"));
}

/* ---- clients that take too many jobs ---- */

static void test_too_many_jobs(void **state)
{
    (void)state;
    config.fishnet_leases = 3;
    add_games(5);
    for (int i = 0; i < 3; i++) {
        struct fish_job j = acquire_2("K1");

        if (i == 2) { /* a finished job makes room for another */
            expect_no_job("K1");
            fish_analyse_2(&engine, &j);
            expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "honest");
            fish_job_release(&j);
            j = acquire_2("K1");
        }
        fish_job_release(&j);
    }
    expect_no_job("K1");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE worker = 'fishnet:first'"), 3);
    struct fish_job j = acquire_2("K2");
    fish_job_release(&j);
    /* Its leases expire without a result: the next request detects that. */
    (void)ipr_db_test_sql("UPDATE job SET lease_until = now() - interval '1 s' WHERE worker = "
                          "'fishnet:first'");
    expect_no_job("K1"); /* left to other keys */
    assert_int_equal(ipr_db_test_int("SELECT silences FROM token WHERE name = 'first'"), 3);
    for (int i = 0; i < 2; i++) {
        j = acquire_2("K2");
        fish_job_release(&j);
    }
}

/* Good results between bad ones do not prevent the suspension of the key, and no game fails. */
static void test_good_and_bad_results(void **state)
{
    int refused = 0, good = 0;

    (void)state;
    add_games(24);
    for (;;) {
        struct reply r = post_2("/fishnet/acquire", "K2", "{}"); /* the other key is active */

        expect_status(&r, 202, "acquire");
        struct fish_job other = fish_job_read(ipr_buf_c(&r.body), 2);
        reply_release(&r);
        fish_analyse_2(&engine, &other);
        expect_taken(submit_2("K2", other.id, fish_result_2(&other)), "honest");
        fish_job_release(&other);
        (void)ipr_db_test_sql("UPDATE job SET run_at = now() - interval '1 minute' WHERE state = "
                              "'ready'");
        r = post_2("/fishnet/acquire", "K1", "{}");
        if (r.status == 403) {
            expect_problem(&r, 403, "key_suspended", "acquire");
            break;
        }
        expect_status(&r, 202, "acquire");
        struct fish_job j = fish_job_read(ipr_buf_c(&r.body), 2);
        reply_release(&r);
        if ((refused + good) % 2 == 0) {
            r = submit_2("K1", j.id, json_pack("{s:[]}", "analysis"));
            expect_problem(&r, 400, "bad_evaluation", "nothing");
            refused++;
        } else {
            fish_analyse_2(&engine, &j);
            expect_taken(submit_2("K1", j.id, fish_result_2(&j)), "good");
            good++;
        }
        fish_job_release(&j);
    }
    assert_int_equal(refused, IPR_DB_KEY_REFUSALS + 1);
    assert_int_equal(good, IPR_DB_KEY_REFUSALS);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE attempts > 1"), 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE state = 'failed'"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FISH(test_refused),
        FISH(test_refused_too_often),
        FISH(test_too_many_jobs),
        FISH(test_good_and_bad_results),
    };

    return cmocka_run_group_tests_name("fishnet_refused", tests, begin, end);
}
