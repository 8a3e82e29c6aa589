/* Cancelling, pausing, retrying and moving jobs. */
#include "analyses.h"

/* "state owner" of all jobs, in the order of the queue. */
static const char *in_order(void)
{
    return ipr_db_test_sql("SELECT coalesce(string_agg(state || ' ' || owner, ', '"
                           " ORDER BY priority, place, id), '') FROM job");
}

static void test_cancel(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971),
                        two = store(f, 2, "bert", "carl", 1972);
    const struct ipr_db_selection first = { .upload = one.id };

    queue(f, first, "x", 3, 0);
    queue(f, (struct ipr_db_selection){ .upload = two.id }, "x", 2, 0);
    const struct ipr_db_job job = ipr_sample_claim(f->db);
    ipr_db_test_sql("UPDATE job SET state = 'failed' WHERE id = (SELECT max(id) - 3 FROM job)");
    /* Checks of the work of fishnet clients are not cancelled. */
    assert_ok(ipr_db_job_add_check(f->db, one.games[0].id, "fishnet", &f->err), &f->err);

    steer(f, (struct ipr_db_selection){ .upload = one.id, .judge = "quick" }, IPR_STEER_CANCEL, 0,
          0);
    steer(f, first, IPR_STEER_CANCEL, 0, 3);
    steer(f, first, IPR_STEER_CANCEL, 0, 0);
    assert_int_equal(ipr_db_job_heartbeat(f->db, &job, 60, 1, 2, NULL), IPR_ECONFLICT);
    assert_int_equal(ipr_db_job_complete(f->db, &job, NULL), IPR_ECONFLICT);
    assert_string_equal(in_order(), "ready check, ready x, ready x");
    steer(f, everything, IPR_STEER_CANCEL, 0, 2);
    assert_string_equal(in_order(), "ready check");
}

/* Confirmations are selected by the name of their setting alone, also among the games of an upload,
 * for which they do not count. */
static void test_confirmations(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971),
                        two = store(f, 2, "bert", "carl", 1972);
    const struct ipr_db_selection all = { .judge = "confirm" },
                                  first = { .upload = one.id, .judge = "confirm" },
                                  game = { .game = two.games[0].id, .judge = "confirm" },
                                  year = { .person = ipr_db_test_player("bert"),
                                           .year = 1972,
                                           .judge = "confirm" };
    struct ipr_db_progress p = { 0 };
    struct ipr_db_analysis *rows = NULL;
    int64_t ids[5], queued = 0;
    size_t n = 0;

    for (size_t i = 0; i < 5; i++)
        ids[i] = i < 3 ? one.games[i].id : two.games[i - 3].id;
    assert_ok(ipr_db_jobs_confirm(f->db, ids, 5, 4, &queued, &f->err), &f->err);
    queue(f, (struct ipr_db_selection){ .upload = one.id }, "x", 3, 0);
    steer(f, (struct ipr_db_selection){ .upload = one.id }, IPR_STEER_PAUSE, 0, 3);
    steer(f, everything, IPR_STEER_CANCEL, 0, 3);

    const struct ipr_db_job job = ipr_sample_claim(f->db);
    assert_int_equal(job.kind, IPR_JOB_CONFIRM);
    steer(f, first, IPR_STEER_PRIORITY, 1, 0);
    steer(f, first, IPR_STEER_PAUSE, 0, 3);
    assert_int_equal(ipr_db_job_heartbeat(f->db, &job, 60, 1, 2, NULL), IPR_ECONFLICT);
    steer(f, first, IPR_STEER_PAUSE, 0, 0);
    for (size_t i = 0; i < 2; i++) {
        assert_ok(ipr_db_analyses_progress(f->db, i == 0 ? &all : &first, &p, &f->err), &f->err);
        assert_int_equal(p.paused, 3);
        assert_int_equal(p.ready, i == 0 ? 2 : 0);
        assert_int_equal(p.turns_left, i == 0 ? 8 : 0);
        assert_ok(ipr_db_analyses_list(f->db, i == 0 ? &all : &first, NULL, 0, 9, &f->mem, &rows,
                                       &n, &f->err),
                  &f->err);
        assert_int_equal(n, i == 0 ? 5 : 3);
    }
    assert_ok(ipr_db_analyses_progress(f->db, &everything, &p, &f->err), &f->err);
    assert_int_equal(p.ready + p.paused, 0);
    assert_ok(ipr_db_jobs_confirm(f->db, ids, 5, 4, &queued, &f->err), &f->err);
    assert_int_equal(queued, 0); /* paused ones stay paused */
    steer(f, first, IPR_STEER_RESUME, 0, 3);
    steer(f, game, IPR_STEER_CANCEL, 0, 1);
    steer(f, year, IPR_STEER_CANCEL, 0, 1);
    ipr_db_test_sql("UPDATE job SET state = 'failed'");
    steer(f, all, IPR_STEER_RETRY, 0, 3);
    assert_int_equal(ipr_sample_claim(f->db).kind, IPR_JOB_CONFIRM);
    steer(f, all, IPR_STEER_CANCEL, 0, 3);
}

/* Somebody looks at what came last. */
static void test_latest_confirmed_first(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971),
                        two = store(f, 2, "bert", "carl", 1972);
    const struct upload *const all[] = { &one, &two };
    int64_t queued = 0;

    for (size_t i = 0; i < 2; i++) {
        int64_t ids[3];

        for (size_t k = 0; k < 3 - i; k++)
            ids[k] = all[i]->games[k].id;
        assert_ok(ipr_db_jobs_confirm(f->db, ids, 3 - i, 4, &queued, &f->err), &f->err);
        assert_int_equal(queued, 3 - i);
    }
    for (size_t i = 2; i-- > 0;)
        for (size_t k = 0; k < 3 - i; k++)
            assert_int_equal(ipr_sample_claim(f->db).game_id, all[i]->games[k].id);
}

/* A running job loses its lease without an attempt being counted. Resumed jobs are placed behind
 * the owner's waiting jobs, so pausing keeps no place in the queue. */
static void test_pause(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 4, "anna", "bert", 1971),
                        two = store(f, 4, "bert", "carl", 1972);
    const struct ipr_db_selection first = { .upload = one.id };

    queue(f, first, "x", 4, 0);
    const struct ipr_db_job job = ipr_sample_claim(f->db);
    steer(f, first, IPR_STEER_PAUSE, 0, 4);
    steer(f, first, IPR_STEER_PAUSE, 0, 0);
    assert_int_equal(ipr_db_job_complete(f->db, &job, NULL), IPR_ECONFLICT);
    assert_int_equal(ipr_db_test_int("SELECT sum(attempts) FROM job"), 0);
    queue(f, first, "y", 0, 4); /* paused jobs stay paused */
    assert_string_equal(in_order(), "paused x, paused x, paused x, paused x");

    queue(f, (struct ipr_db_selection){ .upload = two.id }, "y", 4, 0);
    for (int i = 0; i < 2; i++) {
        const struct ipr_db_job done = ipr_sample_claim(f->db);

        assert_ok(ipr_db_job_complete(f->db, &done, &f->err), &f->err);
    }
    steer(f, first, IPR_STEER_RESUME, 0, 4);
    steer(f, first, IPR_STEER_RESUME, 0, 0);
    assert_string_equal(in_order(), "ready x, ready y, ready x, ready y, ready x, ready x");
    assert_int_equal(ipr_sample_claim(f->db).game_id, one.games[0].id); /* in their former order */
}

static void test_retry(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971);

    queue(f, (struct ipr_db_selection){ .upload = one.id }, "x", 3, 0);
    ipr_db_test_sql("UPDATE job SET state = 'failed', attempts = 3, silences = 2,"
                    " run_at = now() + interval '1 hour', last_error = 'e', last_worker = 'w1'"
                    " WHERE id = (SELECT min(id) FROM job)");
    steer(f, everything, IPR_STEER_RETRY, 0, 1);
    steer(f, everything, IPR_STEER_RETRY, 0, 0);
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(concat_ws(' ', game_id, state, attempts, silences,"
                        " last_error, last_worker), ';' ORDER BY place) FROM job"),
        "2 ready 0 0;3 ready 0 0;1 ready 0 0");
    for (int i = 0; i < 3; i++)
        ipr_sample_claim(f->db);
}

/* In its new priority a job is placed like one that is queued now. */
static void test_priority(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971),
                        two = store(f, 3, "bert", "carl", 1972),
                        three = store(f, 2, "carl", "dora", 1973);
    const struct ipr_db_selection second = { .upload = two.id };

    queue(f, (struct ipr_db_selection){ .upload = one.id }, "x", 3, 0);
    queue(f, (struct ipr_db_selection){ .upload = three.id }, "y", 2, 0);
    steer(f, (struct ipr_db_selection){ .upload = three.id }, IPR_STEER_PRIORITY, 2, 2);
    queue(f, second, "y", 3, 0);
    assert_string_equal(in_order(),
                        "ready y, ready y, ready x, ready y, ready x, ready y, ready x, ready y");
    steer(f, second, IPR_STEER_PRIORITY, 2, 3);
    steer(f, second, IPR_STEER_PRIORITY, 2, 0);
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(game_id || ':' || place, ' '"
                                        " ORDER BY priority, place, id) FROM job"),
                        "7:1 8:2 4:3 5:4 6:5 1:1 2:2 3:3");

    /* A running job keeps its lease, and does not raise the place at which new owners start. */
    const struct ipr_db_job job = ipr_sample_claim(f->db);
    steer(f, everything, IPR_STEER_PRIORITY, 5, 5);
    assert_ok(ipr_db_job_heartbeat(f->db, &job, 60, 1, 2, &f->err), &f->err);
    const struct upload late = store(f, 1, "dora", "emil", 1974);
    queue(f, (struct ipr_db_selection){ .upload = late.id }, "z", 1, 0);
    assert_int_equal(ipr_db_test_int("SELECT place FROM job WHERE owner = 'z'"), 1);
    assert_ok(ipr_db_job_complete(f->db, &job, &f->err), &f->err);
}

/* The places of an owner count the jobs for all programs, in every priority. */
static void test_places_across_programs(void **state)
{
    static const char places[] = "SELECT string_agg(owner || place, ' '"
                                 " ORDER BY priority, place, id) FROM job";
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 2, "anna", "bert", 1971),
                        two = store(f, 2, "bert", "carl", 1972);

    ipr_sample_define(f->db, "toga", "toga2");
    queue(f, (struct ipr_db_selection){ .upload = one.id }, "x", 2, 0);
    queue_toga(f, one.id, 5, "x");
    queue_toga(f, two.id, 5, "y");
    assert_string_equal(ipr_db_test_sql(places), "x1 y1 x2 y2 x3 x4");
    steer(f, everything, IPR_STEER_PRIORITY, 2, 6);
    assert_string_equal(ipr_db_test_sql(places), "x1 y1 x2 y2 x3 x4");
    steer(f, (struct ipr_db_selection){ .upload = one.id }, IPR_STEER_PAUSE, 0, 4);
    steer(f, (struct ipr_db_selection){ .upload = one.id }, IPR_STEER_RESUME, 0, 4);
    assert_string_equal(ipr_db_test_sql(places), "x1 y1 x2 y2 x3 x4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_cancel),
        WITH_DB(test_confirmations),
        WITH_DB(test_latest_confirmed_first),
        WITH_DB(test_pause),
        WITH_DB(test_retry),
        WITH_DB(test_priority),
        WITH_DB(test_places_across_programs),
    };

    return cmocka_run_group_tests_name("steering of analyses", tests, NULL, NULL);
}
