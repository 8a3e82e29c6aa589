/* Progress of analyses: jobs, counts and the time remaining. */
#include "analyses.h"

#include "db/uploads.h"

static void test_list_of_jobs(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 5, "anna", "bert", 1971);
    const struct ipr_db_selection s = { .upload = one.id };
    struct ipr_db_analysis *rows = NULL;
    size_t n = 0;

    queue(f, s, "x", 5, 0);
    const struct ipr_db_job job = ipr_sample_claim(f->db);
    assert_ok(ipr_db_analyses_list(f->db, &s, NULL, 0, 3, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 3);
    assert_int_equal(rows[0].id, job.id);
    assert_string_equal(rows[0].state, "running");
    assert_string_equal(rows[0].worker, "w1");
    assert_string_equal(rows[0].white, "anna");
    assert_string_equal(rows[0].black, "bert");
    assert_int_equal(rows[0].year, 1971);
    assert_int_equal(rows[0].turns_total, PLIES - 16);
    assert_string_equal(rows[1].state, "ready");
    assert_string_equal(rows[1].owner, "x");
    assert_null(rows[1].worker);
    assert_null(rows[1].last_error);
    assert_int_equal(rows[1].created[10], 'T');
    assert_ok(ipr_db_analyses_list(f->db, &everything, "ready", rows[2].id, 3, &f->mem, &rows, &n,
                                   &f->err),
              &f->err);
    assert_int_equal(n, 2);
    assert_int_equal(rows[1].game_id, one.games[4].id);
}

/* Judges both sides of a game, each of 10 turns in `ms`. */
static void judge(struct ipr_db_fixture *f, int64_t game_id, int32_t ms)
{
    const struct ipr_db_work work = { .source = "w1", .search_ms = { ms, ms } };
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_db_game game;

    assert_ok(ipr_db_game_get(f->db, game_id, &f->mem, &game, &f->err), &f->err);
    const struct ipr_judged_game all = ipr_sample_judgement(&f->mem, &judge, &game, 3);
    ipr_sample_judged_by(f->db, ipr_sample_judge_id(f->db), &game, &all, 3, &work);
}

static struct ipr_db_progress progress(struct ipr_db_fixture *f, struct ipr_db_selection s)
{
    struct ipr_db_progress p = { .seconds = -2.0 };

    assert_ok(ipr_db_analyses_progress(f->db, &s, &p, &f->err), &f->err);
    assert_true(p.unknown != NULL || p.seconds >= 0.0);
    return p;
}

/* Jobs for all programs of this machine may be ahead of a selection, jobs for fishnet never. */
static void test_ahead_across_programs(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971),
                        two = store(f, 2, "bert", "carl", 1972);
    struct ipr_db_planned planned;

    ipr_sample_define(f->db, "toga", "toga2");
    queue(f, (struct ipr_db_selection){ .upload = one.id }, "x", 3, 0);
    assert_ok(ipr_db_analyses_queue(f->db, &(struct ipr_db_plan){ .games = { .upload = one.id } },
                                    "fishnet", 1, "x", false, &planned, &f->err),
              &f->err);
    queue_toga(f, two.id, 5, "y");
    ipr_sample_worker(f->db, "a:1", "stockfish toga2", 1);
    /* order of the queue: x y x y x, 20 turns each */
    assert_int_equal(progress(f, (struct ipr_db_selection){ .upload = two.id }).turns_ahead, 80);
    steer(f, (struct ipr_db_selection){ .upload = two.id }, IPR_STEER_PRIORITY, 2, 2);
    assert_int_equal(progress(f, (struct ipr_db_selection){ .upload = two.id }).turns_ahead, 40);
    /* Running jobs are ahead of all others. */
    (void)ipr_sample_claim(f->db);
    assert_int_equal(progress(f, (struct ipr_db_selection){ .upload = two.id }).turns_ahead, 60);
    assert_int_equal(progress(f, (struct ipr_db_selection){ .judge = "toga" }).turns_ahead, 60);
    assert_int_equal(progress(f, (struct ipr_db_selection){ .judge = "sample" }).turns_ahead, 100);
    /* Jobs that no worker can run are not ahead of others. */
    ipr_sample_worker(f->db, "a:1", "toga2", 1);
    assert_int_equal(progress(f, (struct ipr_db_selection){ .upload = two.id }).turns_ahead, 40);
}

static void test_progress(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 5, "anna", "bert", 1971),
                        two = store(f, 2, "bert", "carl", 1972);
    const struct ipr_db_selection first = { .upload = one.id, .judge = "sample" },
                                  second = { .upload = two.id };
    struct ipr_db_progress p = progress(f, first);

    assert_int_equal(p.ready + p.running + p.paused + p.failed + p.judged, 0);
    assert_true(p.seconds == 0.0);
    queue(f, first, "x", 5, 0);
    queue(f, second, "y", 2, 0);

    p = progress(f, first);
    assert_int_equal(p.ready, 5);
    assert_int_equal(p.turns_left, 100);
    assert_string_equal(p.unknown, "no_worker");
    ipr_sample_worker(f->db, "a:1", "stockfish", 2);
    ipr_sample_worker(f->db, "b:1", "toga2 stockfish", 1);
    ipr_sample_worker(f->db, "c:1", "toga2", 7); /* lacks the program */
    assert_string_equal(progress(f, first).unknown, "not_measured");

    /* Order of the queue: x y x y x x x. The first game is completed, 50 ms per turn; the next one
     * is running. */
    const struct ipr_db_job done = ipr_sample_claim(f->db);
    judge(f, done.game_id, 500);
    assert_ok(ipr_db_job_complete(f->db, &done, &f->err), &f->err);
    const struct ipr_db_job job = ipr_sample_claim(f->db);
    assert_int_equal(job.game_id, two.games[0].id);
    assert_ok(ipr_db_job_heartbeat(f->db, &job, 60, 5, 20, &f->err), &f->err);

    p = progress(f, first);
    assert_int_equal(p.ready, 4);
    assert_int_equal(p.running, 0);
    assert_int_equal(p.judged, 1);
    assert_int_equal(p.turns_left, 80);
    assert_int_equal(p.turns_ahead, 80 + 15 + 20);
    assert_int_equal(p.engines, 3);
    assert_close(p.seconds, 115 * 0.05 / 3, 1e-9);

    /* The last job of the second upload is ahead of most of the first. */
    p = progress(f, second);
    assert_int_equal(p.ready, 1);
    assert_int_equal(p.running, 1);
    assert_int_equal(p.judged, 0);
    assert_int_equal(p.turns_left, 35);
    assert_int_equal(p.turns_ahead, 35 + 20);
    assert_close(p.seconds, 20 * 0.05, 1e-9); /* three engines, but only one game is left */

    p = progress(f, everything);
    assert_int_equal(p.ready, 5);
    assert_int_equal(p.running, 1);
    assert_int_equal(p.judged, 1);
    assert_int_equal(p.turns_ahead, 115);
    assert_int_equal(p.turns_left, 115);

    steer(f, first, IPR_STEER_PAUSE, 0, 4);
    p = progress(f, first);
    assert_int_equal(p.paused, 4);
    assert_int_equal(p.judged, 1);
    assert_string_equal(p.unknown, "paused");
    assert_int_equal(progress(f, second).turns_ahead, 35);

    ipr_db_test_sql("UPDATE worker SET seen = now() - interval '2 minutes' WHERE name <> 'c:1'");
    assert_string_equal(progress(f, second).unknown, "no_worker");
    ipr_db_test_sql("UPDATE job SET program = 'fishnet', created = now() - interval '90 seconds'");
    p = progress(f, second);
    assert_string_equal(p.unknown, "external");
    assert_in_range(p.oldest_s, 90, 3600);
}

/* The time per turn is that of recent searches. */
static void test_time_by_recent_speed(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload old = store(f, 2, "anna", "bert", 1971),
                        recent = store(f, 101, "anna", "bert", 1972);
    const struct ipr_db_selection s = { .game = old.games[1].id };

    judge(f, old.games[0].id, 60000);
    for (size_t i = 0; i < recent.n - 1; i++)
        judge(f, recent.games[i].id, 100);
    judge(f, recent.games[recent.n - 1].id, 0); /* all turns known, so no time is measured */
    queue(f, s, "x", 1, 0);
    ipr_sample_worker(f->db, "a:1", "stockfish", 1);
    assert_close(progress(f, s).seconds, 20 * 0.01, 1e-3); /* a game or two ends early */
}

/* There may be fewer games than engines, and each engine has one program. */
static void test_time_by_program(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 6, "anna", "bert", 1971);
    const struct ipr_db_selection all = { .upload = one.id }, game = { .game = one.games[1].id },
                                  sample = { .judge = "sample" };

    ipr_sample_define(f->db, "toga", "toga2");
    judge(f, one.games[0].id, 1000); /* 0.1 s a turn */
    queue(f, game, "x", 1, 0);
    ipr_sample_worker(f->db, "a:1", "stockfish", 2);
    ipr_sample_worker(f->db, "b:1", "toga2", 1);
    assert_int_equal(progress(f, game).engines, 2);
    assert_close(progress(f, game).seconds, 20 * 0.1, 1e-9);
    assert_close(progress(f, everything).seconds, 20 * 0.1, 1e-9);
    assert_close(progress(f, sample).seconds, 20 * 0.1, 1e-9);

    /* Of five games four are for toga2, of which there is one engine. */
    queue(f, all, "x", 4, 2);
    ipr_db_test_sql("UPDATE job SET program = 'toga2' WHERE id > (SELECT min(id) FROM job)");
    assert_close(progress(f, everything).seconds, 4 * 20 * 0.1, 1e-9);
    assert_close(progress(f, sample).seconds, 4 * 20 * 0.1, 1e-9);
    assert_close(progress(f, all).seconds, 4 * 20 * 0.1, 1e-9);
    assert_int_equal(progress(f, all).engines, 3);
    assert_null(progress(f, all).unknown);

    /* The time of the rest is a lower bound. */
    ipr_db_test_sql("UPDATE job SET judge = 'quick' WHERE id = (SELECT max(id) FROM job)");
    struct ipr_db_progress p = progress(f, all);
    assert_string_equal(p.unknown, "not_measured");
    assert_string_equal(p.unmeasured, "quick");
    assert_close(p.seconds, 3 * 20 * 0.1, 1e-9);
    assert_close(p.engine_seconds, 4 * 20 * 0.1, 1e-9);
    ipr_db_test_sql("DELETE FROM worker WHERE name = 'b:1'");
    p = progress(f, everything);
    assert_string_equal(p.unknown, "no_worker");
    assert_close(p.seconds, 20 * 0.1, 1e-9);
    ipr_db_test_sql("DELETE FROM worker");
    assert_true(progress(f, everything).seconds < 0.0);
}

static void expect_time(struct ipr_db_fixture *f, struct ipr_db_selection s, double seconds,
                        const char *unknown, const char *unmeasured)
{
    const struct ipr_db_progress p = progress(f, s);

    if (seconds < 0.0)
        assert_true(p.seconds < 0.0);
    else
        assert_close(p.seconds, seconds, 1e-9);
    assert_string_equal(p.unknown != NULL ? p.unknown : "", unknown);
    assert_string_equal(p.unmeasured, unmeasured);
}

/* Turns of unknown duration are left out: the time of the others is a lower bound. */
static void test_time_is_a_lower_bound(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 3, "anna", "bert", 1971);
    const struct ipr_db_selection game = { .game = one.games[1].id, .judge = "sample" },
                                  other = { .game = one.games[2].id }, deep = { .judge = "deep" };
    struct ipr_db_planned planned;

    judge(f, one.games[0].id, 1000); /* 0.1 s a turn */
    queue(f, game, "x", 1, 0);
    ipr_sample_worker(f->db, "a:1", "stockfish", 2);
    expect_time(f, game, 20 * 0.1, "", "");

    assert_ok(ipr_db_analyses_queue(f->db, &(struct ipr_db_plan){ .games = other }, "deep", 1, "y",
                                    false, &planned, &f->err),
              &f->err);
    expect_time(f, game, 20 * 0.1, "not_measured", "deep"); /* the job for "deep" is ahead */
    expect_time(f, everything, 20 * 0.1, "not_measured", "deep");
    expect_time(f, deep, -1.0, "not_measured", "deep");

    ipr_db_test_sql("UPDATE job SET program = 'crafty' WHERE judge = 'deep'");
    expect_time(f, game, 20 * 0.1, "", "");
    expect_time(f, everything, 20 * 0.1, "no_worker", "");
    expect_time(f, deep, -1.0, "no_worker", "");

    ipr_db_test_sql("UPDATE job SET program = 'fishnet' WHERE judge = 'deep'");
    expect_time(f, game, 20 * 0.1, "", "");
    expect_time(f, everything, 20 * 0.1, "external", "");
    expect_time(f, deep, -1.0, "external", "");

    ipr_db_test_sql("DELETE FROM worker");
    expect_time(f, everything, -1.0, "no_worker", "");
}

/* The stored totals equal the counts of jobs. */
static void assert_totals(void)
{
#define KEYS "program, judge, kind, state, owner, priority, upload_id"
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM ("
                                     " SELECT " KEYS ", sum(jobs), sum(turns) FROM ("
                                     "  SELECT " KEYS ", jobs, turns FROM job_total UNION ALL"
                                     "  SELECT " KEYS
                                     ", -1, -greatest(turns_total - turns_done, 0) FROM job) AS t"
                                     " GROUP BY " KEYS
                                     " HAVING sum(jobs) <> 0 OR sum(turns) <> 0) AS wrong"),
                     0);
#undef KEYS
}

static void test_totals(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 6, "anna", "bert", 1971),
                        two = store(f, 3, "bert", "carl", 1972);
    const struct ipr_db_selection first = { .upload = one.id }, second = { .upload = two.id };

    queue(f, first, "x", 6, 0);
    queue(f, second, "y", 3, 0);
    assert_int_equal(ipr_db_test_int("SELECT sum(jobs) FROM job_total"), 9);
    assert_int_equal(ipr_db_test_int("SELECT count(DISTINCT upload_id) FROM job_total"), 2);
    assert_totals();
    struct ipr_db_job job = ipr_sample_claim(f->db);
    assert_totals();
    for (int done = 1; done <= 19; done++)
        assert_ok(ipr_db_job_heartbeat(f->db, &job, 60, done, 20, &f->err), &f->err);
    assert_totals();
    assert_ok(ipr_db_job_fail(f->db, &job, "it died", &f->err), &f->err);
    job = ipr_sample_claim(f->db);
    assert_ok(ipr_db_job_release(f->db, &job, &f->err), &f->err);
    job = ipr_sample_claim(f->db);
    assert_ok(ipr_db_job_complete(f->db, &job, &f->err), &f->err);
    assert_totals();
    job = ipr_sample_claim(f->db);
    ipr_db_test_sql("UPDATE job SET lease_until = now() - interval '1 second' WHERE state = "
                    "'leased'");
    const int64_t rows = ipr_db_test_int("SELECT count(*) FROM job_total");
    assert_ok(ipr_db_jobs_sweep(f->db, NULL, &f->err), &f->err);
    assert_true(ipr_db_test_int("SELECT count(*) FROM job_total") < rows - 16);
    assert_totals();

    steer(f, second, IPR_STEER_PAUSE, 0, 2);
    steer(f, first, IPR_STEER_PRIORITY, 2, 6);
    steer(f, second, IPR_STEER_RESUME, 0, 2);
    assert_totals();
    assert_int_equal(progress(f, everything).turns_left, 160);
    ipr_db_test_sql("DELETE FROM game WHERE id = (SELECT min(game_id) FROM job)");
    assert_totals();
    steer(f, everything, IPR_STEER_CANCEL, 0, 7);
    assert_totals();
    assert_ok(ipr_db_jobs_sweep(f->db, NULL, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job_total"), 0);
    queue(f, second, "y", 3, 0);
    ipr_db_test_sql("SET client_min_messages = warning; TRUNCATE job");
    assert_totals();
}

/* The counters of an upload follow the states of its jobs. */
static void test_upload_counts(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct upload one = store(f, 5, "anna", "bert", 1971);
    const struct ipr_db_selection s = { .upload = one.id };
    struct ipr_db_upload u = { 0 };

    queue(f, s, "x", 5, 0);
    const struct ipr_db_job job = ipr_sample_claim(f->db);
    judge(f, job.game_id, 10);
    assert_ok(ipr_db_job_complete(f->db, &job, &f->err), &f->err);
    ipr_sample_claim(f->db);
    steer(f, (struct ipr_db_selection){ .game = one.games[2].id }, IPR_STEER_PAUSE, 0, 1);
    ipr_db_test_sql(
        "UPDATE job SET state = 'failed' WHERE game_id = (SELECT max(game_id) FROM job)");
    assert_ok(ipr_db_job_add_check(f->db, one.games[3].id, "sample", &f->err), &f->err);
    assert_ok(ipr_db_upload_get(f->db, one.id, &f->mem, &u, &f->err), &f->err);
    assert_int_equal(u.queued, 2);
    assert_int_equal(u.running, 1);
    assert_int_equal(u.failed, 1);
    assert_int_equal(u.analysed, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_list_of_jobs),    WITH_DB(test_ahead_across_programs),
        WITH_DB(test_progress),        WITH_DB(test_time_by_recent_speed),
        WITH_DB(test_time_by_program), WITH_DB(test_time_is_a_lower_bound),
        WITH_DB(test_totals),          WITH_DB(test_upload_counts),
    };

    return cmocka_run_group_tests_name("progress of analyses", tests, NULL, NULL);
}
