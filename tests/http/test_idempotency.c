/* Requests that are repeated with an Idempotency-Key. */
#include "games.h"

#include <unistd.h>

#define FORM_OF(boundary)                                                                          \
    "--" boundary                                                                                  \
    "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pgn\"\r\n\r\n" GAMES          \
    "\r\n--" boundary "--\r\n"

static struct reply post_with_key(const char *path, const char *headers, const char *key,
                                  const char *body)
{
    char all[512];

    snprintf(all, sizeof all, "%s\nIdempotency-Key: %s", headers, key);
    return ask_with("POST", path, all, body, strlen(body));
}

static int64_t uploads(void)
{
    return ipr_db_test_int("SELECT count(*) FROM upload");
}

/* The answer is that to the first request, byte for byte, and nothing was done again. */
static void expect_replayed(struct reply *again, const struct reply *first)
{
    char location[256];

    snprintf(location, sizeof location, "%s", header(first, "Location"));
    expect_status(again, first->status, "again");
    assert_string_equal(header(again, "Idempotency-Replayed"), "true");
    assert_string_equal(header(again, "Location"), location);
    assert_string_equal(ipr_buf_c(&again->body), ipr_buf_c(&first->body));
    reply_release(again);
}

static void test_idempotent_uploads(void **state)
{
    static const char boundary_a[] = "Content-Type: multipart/form-data; boundary=aaa";
    static const char boundary_b[] = "Content-Type: multipart/form-data; boundary=bbb";

    (void)state;
    struct reply first = post_with_key("/api/v1/uploads", PGN, "one", GAMES);
    expect_status(&first, 202, "first");
    assert_string_equal(header(&first, "Idempotency-Replayed"), "");
    struct reply r = post_with_key("/api/v1/uploads", PGN, " \"one\" ", GAMES);
    expect_replayed(&r, &first);
    reply_release(&first);
    assert_int_equal(uploads(), 1);
    r = post_with_key("/api/v1/uploads", PGN, "one", GAMES "\n");
    expect_problem(&r, 422, "idempotency_key_reused", "another body");
    r = post_with_key("/api/v1/uploads?priority=1", PGN, "one", GAMES);
    expect_problem(&r, 422, "idempotency_key_reused", "another address");
    assert_int_equal(uploads(), 1);

    first = post_with_key("/api/v1/uploads", boundary_a, "form", FORM_OF("aaa"));
    expect_status(&first, 202, "a form");
    r = post_with_key("/api/v1/uploads", boundary_b, "form", FORM_OF("bbb"));
    expect_replayed(&r, &first);
    reply_release(&first);
    assert_int_equal(uploads(), 2);
}

static void test_idempotent_writes(void **state)
{
    static const char judge[] = "{\"name\": \"twice\", \"program\": \"stockfish\", "
                                "\"multipv\": 5, \"depth\": 12}";
    static const char json[] = "Content-Type: application/json";
    char wide[300];

    (void)state;
    struct reply first = post_with_key("/api/v1/judges", json, "j", judge);
    expect_status(&first, 201, "first");
    struct reply r = post_with_key("/api/v1/judges", json, "j", judge);
    expect_replayed(&r, &first);
    reply_release(&first);
    /* A refusal is an answer, too. */
    first = post_with_key("/api/v1/judges", json, "bad", "{}");
    expect_status(&first, 400, "refused");
    r = post_with_key("/api/v1/judges", json, "bad", "{}");
    expect_replayed(&r, &first);
    reply_release(&first);

    memset(wide, 'k', sizeof wide - 1);
    wide[sizeof wide - 1] = '\0';
    r = post_with_key("/api/v1/judges", json, wide, judge);
    expect_problem(&r, 400, "bad_request", "too long a key");
    r = post_with_key("/api/v1/judges", json, "\"\"", judge);
    expect_problem(&r, 400, "bad_request", "an empty key");
}

/* A running request holds its key. A request that never ended releases it after an hour; an answer
 * is deleted after a day. */
static void test_idempotency_ages(void **state)
{
    (void)state;
    struct reply r = post_with_key("/api/v1/uploads", PGN, "age", GAMES);
    expect_status(&r, 202, "first");
    reply_release(&r);
    (void)ipr_db_test_sql("UPDATE idempotent_answer SET status = NULL WHERE key = 'age'");
    r = post_with_key("/api/v1/uploads", PGN, "age", GAMES);
    expect_problem(&r, 409, "idempotency_key_running", "running");
    (void)ipr_db_test_sql("UPDATE idempotent_answer SET created = now() - interval '61 minutes'");
    r = post_with_key("/api/v1/uploads", PGN, "age", GAMES);
    expect_status(&r, 202, "abandoned");
    assert_string_equal(header(&r, "Idempotency-Replayed"), "");
    reply_release(&r);
    (void)ipr_db_test_sql("UPDATE idempotent_answer SET created = now() - interval '25 hours'");
    r = post_with_key("/api/v1/uploads", PGN, "other", GAMES);
    reply_release(&r);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM idempotent_answer"), 1);
}

/* A request that failed because of the service may be repeated. */
static void test_idempotency_after_failure(void **state)
{
    (void)state;
    (void)ipr_db_test_sql("ALTER TABLE judge_definition RENAME TO hidden");
    struct reply r = post_with_key("/api/v1/judges", "Content-Type: application/json", "fail",
                                   "{\"name\": \"late\", \"program\": \"stockfish\", "
                                   "\"multipv\": 5, \"depth\": 12}");
    expect_status(&r, 500, "without the table");
    reply_release(&r);
    (void)ipr_db_test_sql("ALTER TABLE hidden RENAME TO judge_definition");
    for (int i = 0; i < 500 && ipr_db_test_int("SELECT count(*) FROM idempotent_answer "
                                               "WHERE key = 'fail'") > 0;
         i++)
        usleep(10000);
    r = post_with_key("/api/v1/judges", "Content-Type: application/json", "fail",
                      "{\"name\": \"late\", \"program\": \"stockfish\", "
                      "\"multipv\": 5, \"depth\": 12}");
    expect_status(&r, 201, "again");
    reply_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_idempotent_uploads),
        TEST(test_idempotent_writes),
        TEST(test_idempotency_ages),
        TEST(test_idempotency_after_failure),
    };

    return cmocka_run_group_tests_name("idempotency", tests, begin_all, end_all);
}
