/* Reports over HTTP with a real database: queued, computed by the service's own thread, kept. */
#include "service.h"

#include <pthread.h>
#include <unistd.h>

#include "db/judges.h"
#include "db/reports.h"
#include "http/base/request.h"
#include "ipr_db_sample.h"

#define PATIENCE 300 /* tries, 50 ms apart */

static struct ipr_db_game game_of(struct ipr_db *db, struct ipr_arena *mem, int64_t id)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_game game;

    assert_ok(ipr_db_game_get(db, id, mem, &game, &err), &err);
    return game;
}

/* n games between two players in a year, judged by "sample"; some 40 counted turns a side. */
static void play(unsigned first, unsigned n, const char *white, const char *black, int year)
{
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;
    int32_t id = 0;

    assert_ok(ipr_db_lease(pool, &db, &err), &err);
    assert_ok(ipr_db_judge_ensure(db, &judge, &id, &err), &err);
    for (unsigned i = first; i < first + n; i++) {
        struct ipr_db_new_game g = ipr_sample_game(&mem, i, white, black, year, 100);

        ipr_sample_store(db, &g, 1, "sample");
        const struct ipr_db_game game = game_of(db, &mem, g.id);
        const struct ipr_judged_game judged = ipr_sample_judgement(&mem, &judge, &game, i);
        ipr_sample_judged(db, id, &game, &judged, 3);
    }
    ipr_db_return(&db);
    ipr_arena_release(&mem);
}

static json_t *body(struct reply *r)
{
    json_t *out = json_loads(ipr_buf_c(&r->body), 0, NULL);

    assert_non_null(out);
    reply_release(r);
    return out;
}

static const char *state_of(const json_t *resource)
{
    return json_string_value(json_object_get(json_object_get(resource, "report"), "state"));
}

static bool is_current(const json_t *resource)
{
    return json_is_true(json_object_get(json_object_get(resource, "report"), "current"));
}

/* Asks until the answer of the present data is there. */
static json_t *computed(const char *path)
{
    for (int i = 0; i < PATIENCE; i++) {
        struct reply r = ask(path, NULL);
        const long status = r.status;
        json_t *got = body(&r);

        if (status == 200 && is_current(got) && strcmp(state_of(got), "kept") == 0)
            return got;
        assert_true(status == 200 || status == 202);
        json_decref(got);
        usleep(50000);
        /* Not so soon again, it says; the test has no time. */
        (void)ipr_db_test_sql("UPDATE report SET run_at = now() WHERE state = 'wanted'");
    }
    fail_msg("%s is never computed", path);
    return NULL;
}

static size_t ranked(const json_t *resource)
{
    return json_array_size(json_object_get(resource, "ranking"));
}

/* Requested, computed, kept; older data until it is computed again. */
static void test_life(void **state)
{
    (void)state;
    play(1, 8, "a", "b", 2001);
    json_t *first = computed("/api/v1/reports/royale?judge=sample&active=150&method=markov");
    assert_int_equal(ranked(first), 2);
    json_t *row = json_array_get(json_object_get(first, "ranking"), 0);
    assert_true(json_is_object(json_object_get(row, "interval")));
    assert_int_equal(json_integer_value(json_object_get(row, "favoured")), 1);
    const json_int_t data =
        json_integer_value(json_object_get(json_object_get(first, "report"), "data"));
    assert_true(data > 0);

    /* The same answer with the same tag, and 304 for a client that has it. */
    struct reply r = ask("/api/v1/reports/royale?active=150&method=markov&judge=sample", NULL);
    expect_status(&r, 200, "kept");
    char have[80];
    snprintf(have, sizeof have, "If-None-Match: %s", header(&r, "ETag"));
    json_t *again = body(&r);
    assert_true(json_equal(first, again));
    json_decref(again);
    r = ask("/api/v1/reports/royale?judge=sample&active=150&method=markov", have);
    expect_status(&r, 304, "kept");
    reply_release(&r);

    play(20, 8, "c", "a", 2002);
    (void)ipr_db_test_sql("UPDATE report SET computed = now(), seconds = 10");
    r = ask("/api/v1/reports/royale?judge=sample&active=150&method=markov", NULL);
    expect_status(&r, 200, "older");
    json_t *older = body(&r);
    assert_int_equal(ranked(older), 2);
    assert_false(is_current(older));
    assert_string_equal(state_of(older), "computing");
    r = ask("/royale?judge=sample&active=150&method=markov", NULL);
    expect_status(&r, 200, "page");
    assert_non_null(strstr(ipr_buf_c(&r.body), "Older data"));
    assert_null(strstr(ipr_buf_c(&r.body), "http-equiv=\"refresh\""));
    reply_release(&r);
    json_t *second = computed("/api/v1/reports/royale?judge=sample&active=150&method=markov");
    assert_int_equal(ranked(second), 4);
    assert_true(json_integer_value(json_object_get(json_object_get(second, "report"), "data")) >
                data);
    json_decref(first);
    json_decref(older);
    json_decref(second);
}

/* A side that is stored while a report is computed is not in it: it is not kept as current. */
static void test_meanwhile(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_arena mem = IPR_ARENA_INIT;
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_db *db = NULL;
    int32_t id = 0;

    (void)state;
    play(1, 8, "a", "b", 2001);
    struct ipr_db_new_game g = ipr_sample_game(&mem, 99, "a", "b", 2001, 100);
    assert_ok(ipr_db_lease(pool, &db, &err), &err);
    assert_ok(ipr_db_judge_ensure(db, &judge, &id, &err), &err);
    ipr_sample_store(db, &g, 1, "sample");
    const struct ipr_db_game game = game_of(db, &mem, g.id);
    const struct ipr_judged_game judged = ipr_sample_judgement(&mem, &judge, &game, 99);

    /* What the runner does, with a side stored between its reading and its keeping. */
    int64_t before = 0, after = 0;
    bool kept = false;
    const struct ipr_db_report_job job = {
        .id = ipr_db_test_int(
            "INSERT INTO report (kind, params, judge_id, time_classes, usual, state,"
            " lease_token, lease_until) SELECT 'royale', "
            "'{\"active\":\"150\",\"forgetting\":\"0\",\"method\":\"markov\"}', max(id), 3, "
            "FALSE,"
            " 'running', 5, now() + interval '1 hour' FROM judge RETURNING id"),
        .token = 5,
    };
    assert_ok(ipr_db_snapshot_begin(db, &err), &err);
    assert_ok(ipr_db_data_version(db, id, 3, false, &before, &err), &err);
    struct ipr_db *other = NULL;
    assert_ok(ipr_db_lease(pool, &other, &err), &err);
    ipr_sample_judged(other, id, &game, &judged, 3);
    ipr_db_return(&other);
    assert_ok(ipr_db_data_version(db, id, 3, false, &after, &err), &err);
    assert_int_equal(after, before);
    ipr_db_snapshot_end(db);
    const struct ipr_db_report_answer a = { "{\"ranking\":[]}", before, "", 14, 1 };
    assert_ok(ipr_db_report_keep(db, &job, &a, &kept, &err), &err);
    assert_true(kept);
    ipr_db_return(&db);
    struct reply r = ask("/api/v1/reports/royale?judge=sample&active=150&method=markov", NULL);
    json_t *got = body(&r);
    assert_false(is_current(got));
    json_decref(got);
    got = computed("/api/v1/reports/royale?judge=sample&active=150&method=markov");
    assert_int_equal(ranked(got), 2);
    json_decref(got);
    ipr_arena_release(&mem);
}

static void test_refused(void **state)
{
    static const struct {
        const char *path, *type;
        long status;
    } rows[] = {
        { "/api/v1/reports/royale?active=149", "bad_parameter", 400 },
        { "/api/v1/reports/royale?active=151", "bad_parameter", 400 },
        { "/api/v1/reports/royale?active=x", "bad_parameter", 400 },
        { "/api/v1/reports/royale?n=1", "unknown_parameter", 400 },
        { "/api/v1/reports/royale?n=1", "unknown_parameter", 400 },
        { "/api/v1/reports/royale?n=", "unknown_parameter", 400 },
        { "/api/v1/reports/royale?active=500&active=500", "bad_parameter", 400 },
        { "/api/v1/reports/royale?time_class=fast", "bad_parameter", 400 },
        { "/api/v1/reports/royale?judge=nobody", "bad_parameter", 400 },
        { "/api/v1/reports/unheard", "no_such_address", 404 },
        { "/reports/unheard", "no_such_address", 404 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r = ask(rows[i].path, NULL);
        expect_problem(&r, rows[i].status, rows[i].type, rows[i].path);
    }
}

/* The choices of a royale are in the refusal of another value. */
static void test_steps(void **state)
{
    (void)state;
    struct reply r = ask("/api/v1/reports/royale?active=345", NULL);
    expect_status(&r, 400, "no step");
    assert_non_null(
        strstr(ipr_buf_c(&r.body), "expected 500, 150, 200, 300, 1000, 2000, 3000 or 5000, got "));
    reply_release(&r);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM report"), 0);
}

/* A weight of earlier years is refused where the predictor has none to choose; a form sends the
 * default with any. */
static void test_forgetting(void **state)
{
    (void)state;
    struct reply r = ask("/api/v1/reports/royale?method=markov&forgetting=1", NULL);
    expect_status(&r, 400, "of another method");
    assert_non_null(strstr(ipr_buf_c(&r.body), "only with method=covariance"));
    reply_release(&r);
    r = ask("/api/v1/reports/royale?method=markov&forgetting=0", NULL);
    expect_status(&r, 200, "the default");
    reply_release(&r);
}

/* HEAD has the headers of GET, and nothing is computed for it. */
static void test_head(void **state)
{
    static const char *const paths[] = {
        "/api/v1/reports/royale?judge=sample&active=150&method=markov",
        "/api/v1/reports/royale?judge=sample&active=150&method=markov"
    };

    (void)state;
    play(1, 8, "a", "b", 2001);
    for (size_t i = 0; i < 2; i++) {
        struct reply r = ask_with("HEAD", paths[i], NULL, NULL, 0);
        expect_status(&r, 202, "nothing yet");
        assert_string_equal(header(&r, "Retry-After"), "1");
        reply_release(&r);
    }
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM report"), 0);
    json_decref(computed(paths[0]));
    struct reply r = ask_with("HEAD", paths[0], NULL, NULL, 0);
    expect_status(&r, 200, "kept");
    reply_release(&r);
    play(20, 1, "a", "b", 2001);
    r = ask_with("HEAD", paths[0], NULL, NULL, 0);
    expect_status(&r, 200, "older");
    reply_release(&r);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM report WHERE state <> 'kept'"), 0);
}

/* Too little, or nothing at all, is an answer, too. */
static void test_too_little(void **state)
{
    (void)state;
    json_t *got = computed("/api/v1/reports/royale"); /* nothing was ever analysed */
    assert_non_null(strstr(json_string_value(json_object_get(got, "reason")), "analysed"));
    json_decref(got);
    play(1, 2, "a", "b", 2001);
    got = computed("/api/v1/reports/royale?judge=sample&active=");
    assert_string_equal(json_string_value(json_object_get(got, "reason")),
                        "a royale needs two player-years of 500 moves or more, there are 0");
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(got, "params"), "active")), "500");
    json_decref(got);
    struct reply r = ask("/royale?judge=sample", NULL);
    expect_status(&r, 200, "page");
    assert_non_null(strstr(ipr_buf_c(&r.body), "there are 0"));
    reply_release(&r);
}

/* While others wait: those who ask for something of their own come later, not never. */
static void test_full(void **state)
{
    (void)state;
    play(1, 2, "a", "b", 2001);
    (void)ipr_db_test_sql("INSERT INTO report (kind, params, judge_id, time_classes, usual, run_at)"
                          " SELECT 'royale', n::text, (SELECT max(id) FROM judge), 3, FALSE,"
                          "   now() + interval '1 hour' FROM generate_series(1, 8) AS n");
    struct reply r = ask("/api/v1/reports/royale?judge=sample&active=200", NULL);
    expect_status(&r, 503, "full");
    assert_string_equal(header(&r, "Retry-After"), "5");
    expect_problem(&r, 503, "reports_waiting", "full");
    (void)ipr_db_test_sql("DELETE FROM report WHERE params = '7'");
    json_t *got = computed("/api/v1/reports/royale?judge=sample&active=200");
    json_decref(got);

    /* An answer of older data is better than none. */
    play(30, 1, "a", "b", 2001);
    (void)ipr_db_test_sql("INSERT INTO report (kind, params, judge_id, time_classes, usual, run_at)"
                          " SELECT 'royale', '7', (SELECT max(id) FROM judge), 3, FALSE,"
                          "   now() + interval '1 hour'");
    r = ask("/api/v1/reports/royale?judge=sample&active=200", NULL);
    expect_status(&r, 200, "older");
    got = body(&r);
    assert_string_equal(state_of(got), "kept");
    assert_false(is_current(got));
    assert_non_null(strstr(
        json_string_value(json_object_get(json_object_get(got, "report"), "reason")), "wait"));
    json_decref(got);
}

/* A failure is reported, and tried again after the back-off, not at each change of the data. */
static void test_failed(void **state)
{
    (void)state;
    play(1, 8, "a", "b", 2001);
    json_t *got = computed("/api/v1/reports/royale?judge=sample&active=150&method=markov");
    json_decref(got);
    (void)ipr_db_test_sql("UPDATE report SET state = 'failed', answer = NULL, computed = NULL,"
                          " failed = now(), failures = 1, error = 'inner words',"
                          " data = NULL");
    struct reply r = ask("/api/v1/reports/royale?judge=sample&active=150&method=markov", NULL);
    expect_status(&r, 200, "failed");
    assert_null(strstr(ipr_buf_c(&r.body), "inner words"));
    got = body(&r);
    assert_string_equal(state_of(got), "failed");
    assert_false(is_current(got));
    assert_true(json_is_string(json_object_get(json_object_get(got, "report"), "reason")));
    assert_null(json_object_get(got, "ranking"));
    json_decref(got);
    r = ask("/royale?judge=sample&active=150&method=markov", NULL);
    assert_non_null(strstr(ipr_buf_c(&r.body), "Not computed"));
    reply_release(&r);
    play(40, 1, "a", "b", 2001);
    r = ask("/api/v1/reports/royale?judge=sample&active=150&method=markov", NULL);
    got = body(&r);
    assert_string_equal(state_of(got), "failed");
    json_decref(got);
    (void)ipr_db_test_sql("UPDATE report SET failed = now() - interval '61 seconds'");
    got = computed("/api/v1/reports/royale?judge=sample&active=150&method=markov");
    assert_int_equal(ranked(got), 2);
    json_decref(got);
}

static void test_list(void **state)
{
    (void)state;
    play(1, 2, "a", "b", 2001);
    struct reply r = ask("/api/v1/reports?judge=sample", NULL);
    expect_status(&r, 200, "list");
    json_t *got = body(&r);
    const json_t *first = json_array_get(json_object_get(got, "reports"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "kind")), "royale");
    assert_string_equal(json_string_value(json_object_get(first, "page")), "/royale");
    struct reply moved = ask("/reports/royale?judge=sample&active=150&method=markov", NULL);
    expect_status(&moved, 308, "one page, one address");
    assert_string_equal(header(&moved, "Location"),
                        "/royale?judge=sample&active=150&method=markov");
    reply_release(&moved);
    r = ask("/reports/complexity?judge=sample&time_class=blitz", NULL);
    expect_status(&r, 200, "form");
    assert_non_null(strstr(ipr_buf_c(&r.body), "name=\"time_class\" value=\"blitz\""));
    assert_non_null(strstr(ipr_buf_c(&r.body), "name=\"judge\" value="));
    assert_non_null(strstr(ipr_buf_c(&r.body), "name=\"players\" type=\"number\""));
    reply_release(&r);
    (void)ipr_db_test_sql("DELETE FROM report");
    assert_true(json_is_null(json_object_get(first, "report")));
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM report"), 0); /* nothing is queued */
    json_decref(got);
    json_decref(computed("/api/v1/reports/royale?judge=sample"));
    r = ask("/api/v1/reports?judge=sample", NULL);
    got = body(&r);
    first = json_array_get(json_object_get(got, "reports"), 0);
    assert_string_equal(state_of(first), "kept");
    json_decref(got);
}

/* A page without an answer looks again by itself, without JavaScript. */
static void test_waiting_page(void **state)
{
    (void)state;
    play(1, 2, "a", "b", 2001);
    (void)ipr_db_test_sql(
        "INSERT INTO report (kind, params, judge_id, time_classes, usual, run_at)"
        " SELECT 'royale', '{\"active\":\"500\",\"forgetting\":\"0\",\"method\":\"recommended\"}', "
        "max(id), 3, FALSE, now() + interval '1 hour'"
        " FROM judge");
    struct reply r = ask("/royale?judge=sample", NULL);
    expect_status(&r, 200, "waiting");
    assert_string_equal(header(&r, "Retry-After"), "1");
    assert_non_null(strstr(ipr_buf_c(&r.body), "<meta http-equiv=\"refresh\" content=\"2\">"));
    reply_release(&r);
    r = ask("/api/v1/reports/royale?judge=sample", NULL);
    expect_status(&r, 202, "waiting");
    assert_string_equal(header(&r, "Retry-After"), "1");
    assert_string_equal(header(&r, "Cache-Control"), "no-store");
    reply_release(&r);
}

/* Many who ask at once are one job, and no thread is held that others need. */
static void *ask_once(void *arg)
{
    long *status = arg;
    struct reply r;
    struct curl_slist *list;
    CURL *c =
        client_handle("GET", "/api/v1/reports/royale?judge=sample&active=200", NULL, &r, &list);

    if (client_perform(c, list, &r) == CURLE_OK)
        *status = r.status;
    reply_release(&r);
    return NULL;
}

static void test_many_at_once(void **state)
{
    pthread_t thread[12];
    long status[12] = { 0 };

    (void)state;
    play(1, 8, "a", "b", 2001);
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, ask_once, &status[i]), 0);
    for (size_t i = 0; i < 12; i++) {
        pthread_join(thread[i], NULL);
        assert_true(status[i] == 200 || status[i] == 202);
    }
    json_decref(computed("/api/v1/reports/royale?judge=sample&active=200"));
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM report"), 1);
}

/* A stop does not wait for the statement of a report that waits for somebody else; the report is
 * wanted as before. */
static void test_stop(void **state)
{
    (void)state;
    play(1, 8, "a", "b", 2001);
    ipr_db_test_hold("LOCK TABLE player_year IN ACCESS EXCLUSIVE MODE");
    (void)ipr_db_test_sql(
        "INSERT INTO report (kind, params, judge_id, time_classes, usual)"
        " SELECT 'royale', '{\"active\":\"150\",\"forgetting\":\"0\",\"method\":\"markov\"}', "
        "max(id), 3, FALSE FROM judge");
    while (ipr_db_test_int("SELECT count(*) FROM pg_locks WHERE NOT granted") == 0)
        usleep(20000);
    const int64_t begun_us = ipr_now_us();
    ipr_http_stop(&http);
    assert_true(ipr_now_us() - begun_us < 20000000); /* statements time out after 30 s */
    ipr_db_test_let_go();
    assert_string_equal(ipr_db_test_sql("SELECT state || ' ' || attempts FROM report"), "wanted 0");
    http = service_start(WAIT_LONG_S);
    json_decref(computed("/api/v1/reports/royale?judge=sample&active=150&method=markov"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_life),         TEST(test_meanwhile),    TEST(test_refused),
        TEST(test_too_little),   TEST(test_full),         TEST(test_failed),
        TEST(test_steps),        TEST(test_head),         TEST(test_list),
        TEST(test_waiting_page), TEST(test_many_at_once), TEST(test_stop),
        TEST(test_forgetting),
    };

    return cmocka_run_group_tests_name("reports", tests, begin_all, end_all);
}
