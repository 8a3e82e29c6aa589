/* Reports: the queue of those that are wanted, their computation, what is kept. */
#include "ipr_sentences_sample.h"
#include "reports.h"

/* ---- the queue ---- */

static struct ipr_db_report_key key_of(struct ipr_db_fixture *f, const char *params)
{
    return (struct ipr_db_report_key){ "kind", params, ipr_sample_judge_id(f->db), TIMES };
}

static enum ipr_code ask(struct ipr_db_fixture *f, const char *params, bool usual)
{
    const struct ipr_db_report_key key = key_of(f, params);

    ipr_err_clear(&f->err);
    return ipr_db_report_want(f->db, &key, usual, &f->err);
}

static enum ipr_code ask_kind(struct ipr_db_fixture *f, const char *kind, const char *params)
{
    struct ipr_db_report_key key = key_of(f, params);

    key.kind = kind;
    ipr_err_clear(&f->err);
    return ipr_db_report_want(f->db, &key, false, &f->err);
}

static struct ipr_db_report get(struct ipr_db_fixture *f, const char *params)
{
    const struct ipr_db_report_key key = key_of(f, params);
    struct ipr_db_report r;

    assert_ok(ipr_db_report_get(f->db, &key, true, &f->mem, &r, &f->err), &f->err);
    return r;
}

static bool claim_as(struct ipr_db_fixture *f, int64_t holder, struct ipr_db_report_job *job)
{
    struct ipr_err none = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_db_report_claim(f->db, holder, &f->mem, job, &none);

    assert_true(rc == IPR_OK || rc == IPR_ENOTFOUND);
    return rc == IPR_OK;
}

/* Each time another process. */
static bool claim(struct ipr_db_fixture *f, struct ipr_db_report_job *job)
{
    static int64_t holder = 1000;

    return claim_as(f, holder++, job);
}

static bool keep(struct ipr_db_fixture *f, const struct ipr_db_report_job *job)
{
    const struct ipr_db_report_answer a = { "{\"x\":1}", 7, "digest", 12, 1500 };
    bool kept = false;

    assert_ok(ipr_db_report_keep(f->db, job, &a, &kept, &f->err), &f->err);
    return kept;
}

static void test_life(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_report_key key = key_of(f, "{}");
    struct ipr_db_report_job job, other;
    struct ipr_db_report r;

    assert_int_equal(ipr_db_report_get(f->db, &key, true, &f->mem, &r, NULL), IPR_ENOTFOUND);
    assert_false(claim(f, &job));
    assert_int_equal(ask(f, "{}", true), IPR_OK);
    assert_int_equal(ask(f, "{}", true), IPR_OK); /* one job */
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM report"), 1);
    assert_int_equal(get(f, "{}").state, IPR_REPORT_WANTED);
    assert_true(claim(f, &job));
    assert_string_equal(job.key.kind, "kind");
    assert_string_equal(job.key.params, "{}");
    assert_int_equal(job.key.judge_id, key.judge_id);
    assert_int_equal(job.key.times, TIMES);
    assert_int_equal(job.attempts, 1);
    assert_false(claim(f, &other)); /* it is at work */
    assert_int_equal(ask(f, "{}", true), IPR_OK);
    assert_int_equal(get(f, "{}").state, IPR_REPORT_RUNNING);
    assert_true(keep(f, &job));
    assert_false(keep(f, &job)); /* the lease is over */
    r = get(f, "{}");
    assert_int_equal(r.state, IPR_REPORT_KEPT);
    assert_true(r.answered);
    assert_string_equal(r.answer, "{\"x\":1}");
    assert_string_equal(r.calibration, "digest");
    assert_int_equal(r.data, 7);
    assert_int_equal(r.version, 12);
    assert_close(r.seconds, 1.5, 1e-9);
    assert_int_equal(strlen(r.computed), 20);

    /* Wanted again, the older answer stays; not at once, for it took a while. */
    assert_int_equal(ask(f, "{}", true), IPR_OK);
    r = get(f, "{}");
    assert_int_equal(r.state, IPR_REPORT_WANTED);
    assert_string_equal(r.answer, "{\"x\":1}");
    assert_false(claim(f, &job));
    assert_string_equal(
        ipr_db_test_sql("SELECT run_at = computed + interval '13.5 seconds' FROM report"), "t");
    (void)ipr_db_test_sql("UPDATE report SET run_at = now()");
    assert_true(claim(f, &job));
    assert_ok(ipr_db_report_release(f->db, &job, &f->err), &f->err); /* a stop: no attempt */
    assert_true(claim(f, &job));
    assert_int_equal(job.attempts, 1);
}

/* The connection was lost before the answer to a claim, or before an answer was stored: the lease
 * need not end before the same thread computes it again. */
static void test_lost_claims(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_report_job job, again;

    assert_int_equal(ask(f, "{}", true), IPR_OK);
    for (int i = 1; i <= IPR_REPORT_ATTEMPTS; i++) {
        assert_true(claim_as(f, 7, &job));
        assert_int_equal(job.attempts, i);
        assert_false(claim_as(f, 8, &again));
    }
    assert_false(claim_as(f, 8, &again));
    assert_int_equal(get(f, "{}").state, IPR_REPORT_RUNNING);
    assert_false(claim_as(f, 7, &again)); /* it is not tried for ever */
    assert_int_equal(get(f, "{}").state, IPR_REPORT_FAILED);
    assert_false(keep(f, &job));
}

static void failed_since(struct ipr_db_fixture *f, int seconds)
{
    char sql[128];

    (void)f;
    snprintf(sql, sizeof sql, "UPDATE report SET failed = now() - interval '%d seconds'", seconds);
    (void)ipr_db_test_sql(sql);
}

static void test_failures(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_report_job job;

    assert_int_equal(ask(f, "{}", true), IPR_OK);
    for (int i = 1; i <= IPR_REPORT_ATTEMPTS; i++) {
        (void)ipr_db_test_sql("UPDATE report SET run_at = now()");
        assert_true(claim(f, &job));
        assert_int_equal(job.attempts, i);
        assert_ok(ipr_db_report_fail(f->db, &job, "no luck", &f->err), &f->err);
        assert_false(claim(f, &job)); /* a moment later, if at all */
    }
    assert_int_equal(get(f, "{}").state, IPR_REPORT_FAILED);
    assert_string_equal(get(f, "{}").error, "no luck");
    assert_false(get(f, "{}").rested);
    /* Whoever asks, it rests a minute, and longer each time that it fails again. */
    static const int pauses[] = { 60, 120, 240, 480, 900, 900 };
    for (size_t i = 0; i < sizeof pauses / sizeof *pauses; i++) {
        failed_since(f, pauses[i] - 2);
        assert_false(get(f, "{}").rested);
        assert_int_equal(ask(f, "{}", true), IPR_OK);
        assert_int_equal(get(f, "{}").state, IPR_REPORT_FAILED);
        assert_false(claim(f, &job));
        failed_since(f, pauses[i] + 1);
        assert_true(get(f, "{}").rested);
        assert_int_equal(ask(f, "{}", true), IPR_OK);
        assert_true(claim(f, &job));
        assert_int_equal(job.attempts, 1);
        (void)ipr_db_test_sql("UPDATE report SET attempts = 3");
        assert_ok(ipr_db_report_fail(f->db, &job, "no luck", &f->err), &f->err);
    }
    failed_since(f, 901);
    assert_int_equal(ask(f, "{}", true), IPR_OK);
    assert_true(claim(f, &job));
    assert_true(keep(f, &job));
    assert_int_equal(ipr_db_test_int("SELECT failures FROM report"), 0);
}

/* Whoever computes may die; who comes late keeps nothing. */
static void test_leases(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_report_job first, second, third;

    assert_int_equal(ask(f, "{}", true), IPR_OK);
    assert_true(claim(f, &first));
    (void)ipr_db_test_sql("UPDATE report SET lease_until = now() - interval '1 second'");
    assert_true(claim(f, &second));
    assert_int_equal(second.attempts, 2);
    assert_false(keep(f, &first));
    assert_ok(ipr_db_report_fail(f->db, &first, "late", &f->err), &f->err);
    assert_ok(ipr_db_report_release(f->db, &first, &f->err), &f->err);
    assert_int_equal(get(f, "{}").state, IPR_REPORT_RUNNING);
    (void)ipr_db_test_sql("UPDATE report SET lease_until = now() - interval '1 second'");
    assert_true(claim(f, &third));
    (void)ipr_db_test_sql("UPDATE report SET lease_until = now() - interval '1 second'");
    assert_false(claim(f, &first));
    assert_int_equal(get(f, "{}").state, IPR_REPORT_FAILED);
    assert_non_null(strstr(get(f, "{}").error, "3 times"));
    assert_false(keep(f, &third));
}

/* Anybody may ask: there is an end to what waits, and to what is kept. */
static void test_bounds(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_report_job job;
    static const char *const kinds[] = { "kind", "second", "third", "fourth" };
    char params[32];

    for (int i = 0; i < IPR_REPORTS_WAITING_KIND; i++) {
        snprintf(params, sizeof params, "{\"n\":%d}", i);
        assert_int_equal(ask(f, params, false), IPR_OK);
    }
    assert_int_equal(ask(f, "{\"n\":0}", false), IPR_OK); /* it waits already */
    assert_int_equal(ask(f, "{\"n\":-1}", false), IPR_ERETRY);
    assert_string_equal(f->err.type, "reports_waiting");
    assert_non_null(strstr(f->err.msg, "of this kind"));
    for (int i = IPR_REPORTS_WAITING_KIND; i < IPR_REPORTS_WAITING_MAX; i++) {
        snprintf(params, sizeof params, "{\"n\":%d}", i);
        assert_int_equal(ask_kind(f, kinds[i / IPR_REPORTS_WAITING_KIND], params), IPR_OK);
    }
    assert_int_equal(ask_kind(f, "fifth", "{}"), IPR_ERETRY);
    assert_string_equal(f->err.type, "reports_waiting");
    assert_null(strstr(f->err.msg, "of this kind"));
    ipr_err_clear(&f->err);
    assert_int_equal(ask(f, "{}", true), IPR_OK); /* the usual one finds a place, and is first */
    assert_true(claim(f, &job));
    assert_string_equal(job.key.params, "{}");
    assert_true(keep(f, &job));
    assert_true(claim(f, &job));
    assert_string_equal(job.key.params, "{\"n\":0}");
    assert_true(keep(f, &job));
    while (claim(f, &job))
        assert_true(keep(f, &job));
    (void)ipr_db_test_sql("UPDATE report SET used = now() - interval '1 hour' WHERE usual");

    for (int i = 0; i < 3 * IPR_REPORTS_KEPT_MAX; i++) {
        snprintf(params, sizeof params, "{\"m\":%d}", i);
        assert_int_equal(ask(f, params, false), IPR_OK);
        assert_true(claim(f, &job)); /* the first that waits */
        assert_true(keep(f, &job));
    }
    assert_true(ipr_db_test_int("SELECT count(*) FROM report") <=
                IPR_REPORTS_KEPT_MAX + IPR_REPORTS_WAITING_MAX + 1);
    assert_int_equal(get(f, "{}").state, IPR_REPORT_KEPT);
    assert_true(get(f, job.key.params).answered);
}

/* ---- snapshots ---- */

/* Nothing of what others do is seen, and nothing can be written. */
static void test_snapshot(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int32_t judge = ipr_sample_judge_id(f->db);
    int64_t before = -1, within = -1;
    struct ipr_db *db = NULL;

    ipr_sample_judge_game(f->db, &f->mem, play(f, 1, "a", "b"), 1);
    const int64_t second = play(f, 2, "a", "b");
    assert_ok(ipr_db_lease(f->pool, &db, &f->err), &f->err);
    assert_ok(ipr_db_snapshot_begin(db, &f->err), &f->err);
    assert_ok(ipr_db_data_version(db, judge, TIMES, false, &before, &f->err), &f->err);
    ipr_sample_judge_game(f->db, &f->mem, second, 2);
    assert_ok(ipr_db_data_version(db, judge, TIMES, false, &within, &f->err), &f->err);
    assert_int_equal(within, before);
    assert_true(version(f, TIMES) > before);
    struct ipr_db_report_job job;
    struct ipr_err refused = IPR_ERR_INIT;
    assert_int_equal(ipr_db_report_claim(db, 1, &f->mem, &job, &refused), IPR_ERETRY);
    assert_string_equal(refused.type, IPR_DB_READ_ONLY);
    ipr_db_snapshot_end(db);
    ipr_db_snapshot_end(db);
    assert_ok(ipr_db_data_version(db, judge, TIMES, false, &within, &f->err), &f->err);
    assert_true(within > before);
    ipr_db_return(&db);
}

/* ---- computing ---- */

/* What one turn of the runner leaves of a report of this kind. */
static struct ipr_db_report work(struct ipr_db_fixture *f, const struct ipr_db_report_key *key,
                                 bool stopping)
{
    const struct ipr_config config = { .judge = "sample", .calibration = "none" };
    const atomic_bool stop = stopping;
    struct ipr_db_report r;
    bool worked = false;

    (void)ipr_db_test_sql("UPDATE report SET run_at = now()");
    assert_ok(ipr_report_work(&config, f->db, NULL, 1, &stop, &worked, &f->err), &f->err);
    assert_true(worked);
    assert_ok(ipr_db_report_get(f->db, key, true, &f->mem, &r, &f->err), &f->err);
    return r;
}

/* The royale's answer; released by the caller. */
static json_t *royale(struct ipr_db_fixture *f)
{
    const struct ipr_db_report_key key = { "royale", "{\"active\":\"150\"}",
                                           ipr_sample_judge_id(f->db), TIMES };

    assert_ok(ipr_db_report_want(f->db, &key, true, &f->err), &f->err);
    const struct ipr_db_report r = work(f, &key, false);
    assert_int_equal(r.state, IPR_REPORT_KEPT);
    assert_int_equal(r.data, version(f, TIMES));
    json_t *answer = json_loads(r.answer, 0, NULL);
    assert_non_null(answer);
    return answer;
}

static void *set_soon(void *stop)
{
    while (ipr_db_test_int("SELECT count(*) FROM pg_locks WHERE NOT granted") == 0)
        usleep(20000);
    atomic_store((atomic_bool *)stop, true);
    return NULL;
}

/* A statement that waits for something does not make a stop wait. */
static void test_interrupted(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_royale_field field;
    const int32_t judge = ipr_sample_judge_id(f->db);
    atomic_bool stop = false;
    pthread_t thread;

    ipr_db_test_hold("LOCK TABLE player_year IN ACCESS EXCLUSIVE MODE");
    ipr_db_interruptible(f->db, &stop);
    assert_int_equal(pthread_create(&thread, NULL, set_soon, &stop), 0);
    assert_int_equal(ipr_db_royale_field(f->db, judge, TIMES, 150, 10, &field, &f->err),
                     IPR_ERETRY);
    pthread_join(thread, NULL);
    assert_non_null(strstr(f->err.msg, "user request")); /* not that it took too long */
    ipr_err_clear(&f->err);
    assert_int_equal(ipr_db_royale_field(f->db, judge, TIMES, 150, 10, &field, &f->err),
                     IPR_ERETRY);
    ipr_err_clear(&f->err);
    ipr_db_test_let_go();
    ipr_db_interruptible(f->db, NULL);
    assert_ok(ipr_db_royale_field(f->db, judge, TIMES, 150, 10, &field, &f->err), &f->err);
    stop = false; /* and with nobody stopping, answers are what they were */
    ipr_db_interruptible(f->db, &stop);
    ipr_sample_judge_game(f->db, &f->mem, play(f, 1, "a", "b"), 1);
    assert_ok(ipr_db_royale_field(f->db, judge, TIMES, 150, 10, &field, &f->err), &f->err);
    assert_int_equal(field.years, 2);
}

/* Told to stop it gives the report back, the attempt not counted. */
static void test_stopped(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_db_report_key key = { "royale", "{\"active\":\"150\"}",
                                           ipr_sample_judge_id(f->db), TIMES };
    const struct ipr_config config = { .judge = "sample", .calibration = "none" };
    const atomic_bool stop = false;
    bool worked = true;

    for (unsigned i = 1; i < 18; i++)
        ipr_sample_judge_game(f->db, &f->mem, play(f, i, "a", "b"), i);
    assert_ok(ipr_report_work(&config, f->db, NULL, 1, &stop, &worked, &f->err), &f->err);
    assert_false(worked); /* nobody asks */
    assert_ok(ipr_db_report_want(f->db, &key, true, &f->err), &f->err);
    assert_int_equal(work(f, &key, true).state, IPR_REPORT_WANTED);
    assert_int_equal(ipr_db_test_int("SELECT attempts FROM report"), 0);
    assert_int_equal(work(f, &key, false).state, IPR_REPORT_KEPT);
}

/* The turns of the royale are those that the player-years count. */
static void test_royale(void **state)
{
    struct ipr_db_fixture *f = *state;

    for (unsigned i = 1; i < 18; i++)
        ipr_sample_judge_game(f->db, &f->mem, play(f, i, i % 2 ? "a" : "b", i % 2 ? "b" : "a"), i);
    json_t *answer = royale(f);
    const json_t *ranking = json_object_get(answer, "ranking");
    const json_t *first = json_array_get(ranking, 0), *second = json_array_get(ranking, 1);

    assert_int_equal(json_array_size(ranking), 2);
    assert_close(ipr_json_at(first, "expected", 0.0) + ipr_json_at(second, "expected", 0.0), 1.0,
                 1e-9);
    assert_true(ipr_json_at(first, "interval.low", 1.0) < ipr_json_at(first, "strength", 0.0));
    assert_true(ipr_json_at(first, "interval.high", 0.0) > ipr_json_at(first, "strength", 1.0));
    assert_close(ipr_json_at(first, "best_probability", 0.0) +
                     ipr_json_at(second, "best_probability", 0.0),
                 1.0, 1e-9);
    assert_int_equal((int)ipr_json_at(answer, "order.compared", 0.0), 2);
    assert_int_equal((int)ipr_json_at(answer, "provenance.games", 0.0), 34);
    assert_int_equal((int64_t)ipr_json_at(answer, "provenance.turns", 0.0),
                     ipr_db_test_int("SELECT sum(counted) FROM player_year"));
    json_decref(answer);
}

/* A merge makes one player of two, with the years of both. */
static void test_merged_royale(void **state)
{
    struct ipr_db_fixture *f = *state;
    const json_t *row;
    char sql[200];
    int64_t merge;
    size_t i;

    for (unsigned k = 1; k < 25; k++)
        ipr_sample_judge_game(f->db, &f->mem, play(f, k, k % 2 ? "a" : "d", "c"), k);
    assert_ok(ipr_db_merge(f->db, ipr_db_test_player("d"), ipr_db_test_player("a"), true, "test",
                           &merge, &f->err),
              &f->err);
    json_t *answer = royale(f);
    assert_int_equal(json_array_size(json_object_get(answer, "ranking")), 2);
    json_array_foreach(json_object_get(answer, "ranking"), i, row) {
        const int id = (int)ipr_json_at(row, "player.id", 0.0);

        snprintf(sql, sizeof sql,
                 "SELECT sum(counted) FROM player_year AS y JOIN player AS p ON p.id = y.player_id"
                 " WHERE p.id = %d OR p.merged_into = %d",
                 id, id);
        assert_int_equal((int64_t)ipr_json_at(row, "turns", 0.0), ipr_db_test_int(sql));
    }
    json_decref(answer);
}

/* Asks for a report of the judge as a client does, and has it computed; released by the caller. */
static json_t *computed(struct ipr_db_fixture *f, const char *kind, bool *current)
{
    const struct ipr_config config = { .judge = "sample", .calibration = "none", .home = "." };
    const struct ipr_view view = { .config = &config, .db = f->db, .mem = &f->mem };
    json_t *params = ipr_report_params_default(ipr_report_kind(kind));
    const struct ipr_report_query q = { .kind = ipr_report_kind(kind), .params = params };
    const atomic_bool stop = false;
    json_t *out = NULL;
    bool worked;

    assert_ok(ipr_view_report(&view, &q, &out, &f->err), &f->err);
    *current = ipr_json_true_at(out, "report.current");
    json_decref(out);
    (void)ipr_db_test_sql("UPDATE report SET run_at = now()");
    assert_ok(ipr_report_work(&config, f->db, NULL, 1, &stop, &worked, &f->err), &f->err);
    assert_int_equal(worked, !*current);
    assert_ok(ipr_view_report(&view, &q, &out, &f->err), &f->err);
    assert_true(ipr_json_true_at(out, "report.current"));
    json_decref(params);
    return out;
}

/* Who wins a match is told by games that nobody has judged, too; a royale is not. */
static void test_unjudged_match(void **state)
{
    struct ipr_db_fixture *f = *state;
    bool current;

    for (unsigned i = 1; i < 9; i++) {
        const int64_t id = play(f, 2 * i, "a", "b");

        if (i > 4)
            ipr_sample_judge_game(f->db, &f->mem, id, i);
    }
    (void)ipr_db_test_sql("UPDATE game SET result = 1");
    json_decref(computed(f, "royale", &current));
    assert_false(current);
    json_decref(computed(f, "comparisons", &current));
    assert_false(current);
    json_t *before = computed(f, "comparisons", &current);
    assert_true(current);
    const json_t *match = json_array_get(json_object_get(before, "matches"), 0);
    assert_close(ipr_json_at(match, "games", 0.0), 8.0, 0.0);

    (void)ipr_db_test_sql("UPDATE game SET result = 2"
                          " WHERE id NOT IN (SELECT game_id FROM judged_side)");
    (void)play(f, 40, "b", "a");
    (void)ipr_db_test_sql("UPDATE game SET result = 1 WHERE result = 0");
    json_decref(computed(f, "royale", &current));
    assert_true(current);
    json_t *after = computed(f, "comparisons", &current);
    assert_false(current);
    match = json_array_get(json_object_get(after, "matches"), 0);
    assert_close(ipr_json_at(match, "games", 0.0), 9.0, 0.0);
    assert_false(json_equal(json_object_get(before, "matches"), json_object_get(after, "matches")));
    json_decref(before);
    json_decref(after);
}

/* A report that no version of the program knows any more fails, and is no endless loop. */
static void test_unknown_kind(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_db_report_key key = key_of(f, "{}");
    struct ipr_db_report r = { .error = "" };

    assert_ok(ipr_db_report_want(f->db, &key, true, &f->err), &f->err);
    for (int i = 0; i < IPR_REPORT_ATTEMPTS; i++)
        r = work(f, &key, false);
    assert_int_equal(r.state, IPR_REPORT_FAILED);
    assert_non_null(strstr(r.error, "kind"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_life),           WITH_DB(test_failures),      WITH_DB(test_leases),
        WITH_DB(test_bounds),         WITH_DB(test_snapshot),      WITH_DB(test_stopped),
        WITH_DB(test_royale),         WITH_DB(test_merged_royale), WITH_DB(test_unknown_kind),
        WITH_DB(test_unjudged_match), WITH_DB(test_interrupted),   WITH_DB(test_lost_claims),
    };

    ipr_sentences_sample();
    return cmocka_run_group_tests_name("reports", tests, NULL, NULL);
}
