/* Identities searched, merged, split and declared distinct, with the real service and database. */
#include "games.h"

/* A pair is listed, merged by the form of the page, found under one id, and undone. */
static void test_merge_by_form(void **state)
{
    static const char games[] = GAME("Tal, Mikhail", "Keres, Paul", "1960", "1. e4 e5")
        GAME("Tal, M", "Smyslov, Vasily", "1961", "1. d4 d5")
            GAME("Tál, Mikhail", "Smyslov, Vasily", "1962", "1. c4 c5")
                GAME("?", "Smyslov, Vasily", "1962", "1. c4 e5");
    char path[128], body[64], year[64];

    (void)state;
    struct reply r = ask_with("POST", "/api/v1/uploads?analyse=false", PGN, games, strlen(games));
    expect_status(&r, 202, "upload");
    assert_null(strstr(ipr_buf_c(&r.body), "\"?\""));
    reply_release(&r);
    const int64_t whole = player_id("Tal, Mikhail"), brief = player_id("Tal, M");
    expect_text("/api/v1/players", "Tal, M", "\"?\"");
    expect_text("/api/v1/players/doubtful", "\"initials\"", "Keres");
    expect_text("/api/v1/players/doubtful", "\"signs\"", NULL);
    expect_text("/players/doubtful", "Tal, M", NULL);
    expect_text("/api/v1/players?q=tal", "T\u00e1l", NULL);

    snprintf(path, sizeof path, "/api/v1/identity-changes?kind=merge&player=%lld",
             (long long)brief);
    snprintf(body, sizeof body, "other=%lld", (long long)whole);
    decide(path, FORM, body, 303);
    decide(path, FORM, body, 409);
    expect_text("/players/doubtful", "merged into", NULL);
    snprintf(path, sizeof path, "/players/%lld/1961?judge=standard", (long long)brief);
    snprintf(year, sizeof year, "/players/%lld/1961?judge=standard", (long long)whole);
    r = ask(path, "Accept: text/html");
    expect_status(&r, 307, path);
    assert_string_equal(header(&r, "Location"), year);
    reply_release(&r);
    expect_text(year, "Smyslov", NULL);
    snprintf(path, sizeof path, "/api/v1/players/%lld", (long long)brief);
    r = ask(path, NULL);
    assert_int_equal(member(&r, "id"), whole);
    assert_int_equal(member(&r, "games"), 2);
    reply_release(&r);
    expect_text("/api/v1/players?q=tal", "Tal, Mikhail", "Tal, M\"");

    decide("/api/v1/identity-changes", JSON, "{\"kind\": \"undo\", \"change\": 1}", 200);
    decide("/api/v1/identity-changes", JSON, "{\"kind\": \"undo\", \"change\": 1}", 409);
    expect_text("/api/v1/players?q=tal", "Tal, M\"", NULL);
    expect_text("/api/v1/identity-changes", "\"undone_by\":\"local\"", NULL);
}

static void split_tal(int64_t tal, const char *name, int from, int to, long status)
{
    char body[160];

    snprintf(body, sizeof body,
             "{\"kind\": \"split\", \"player\": %lld, \"name\": \"%s\", \"from\": %d, \"to\": %d}",
             (long long)tal, name, from, to);
    decide("/api/v1/identity-changes", JSON, body, status);
}

static void test_split(void **state)
{
    (void)state;
    post_games("?analyse=false");
    const int64_t tal = player_id("Tal, Mikhail");
    split_tal(tal, "Tal, Other", 1960, 1960, 200);
    expect_text("/api/v1/players?q=tal+other", "\"games\":1,", NULL);
    split_tal(tal, "Tal, Third", 1961, 1961, 409);
    split_tal(tal, "Tal, Third", 1970, 1971, 422);
    expect_text("/api/v1/players?q=third", "\"players\":[]", NULL);
}

/* Games of other time classes are counted beside the figures and rated on request. */
/* ---- Idempotency-Key ---- */

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_merge_by_form),
        TEST(test_split),
    };

    return cmocka_run_group_tests_name("service_people", tests, begin_all, end_all);
}
