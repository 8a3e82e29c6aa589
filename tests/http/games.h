#ifndef IPR_TEST_HTTP_GAMES_H
#define IPR_TEST_HTTP_GAMES_H

/* The service with two games. */

#include "service.h"

#define JSON "Content-Type: application/json"
#define FORM "Content-Type: application/x-www-form-urlencoded\nAccept: text/html"
#define GAME(white, black, year, moves)                                                            \
    "[Event \"Test\"]\n[Date \"" year ".01.02\"]\n[White \"" white "\"]\n[Black \"" black          \
    "\"]\n[Result \"1-0\"]\n\n" moves " 1-0\n\n"
#define GAMES                                                                                      \
    GAME("Tal, Mikhail", "Keres, Paul", "1960", "1. e4 e5 2. Nf3 Nc6")                             \
    GAME("Keres, Paul", "Tal, Mikhail", "1961", "1. d4 Nf6 2. c4 e6")

static inline int64_t member(const struct reply *r, const char *name)
{
    json_t *all = json_loads(ipr_buf_c(&r->body), 0, NULL);

    assert_non_null(all);
    const json_t *value = json_object_get(all, name);
    assert_true(json_is_integer(value));
    const int64_t n = json_integer_value(value);
    json_decref(all);
    return n;
}

static inline int64_t post_games(const char *query)
{
    char path[128];

    snprintf(path, sizeof path, "/api/v1/uploads%s", query);
    struct reply r = ask_with("POST", path, PGN, GAMES, strlen(GAMES));
    expect_status(&r, 202, path);
    const int64_t id = member(&r, "id");
    reply_release(&r);
    return id;
}

static inline void expect_text(const char *path, const char *there, const char *absent)
{
    struct reply r = ask(path, strncmp(path, "/api/", 5) == 0 ? NULL : "Accept: text/html");

    expect_status(&r, 200, path);
    if (there != NULL && strstr(ipr_buf_c(&r.body), there) == NULL)
        fail_msg("%s has no %s: %s", path, there, ipr_buf_c(&r.body));
    if (absent != NULL && strstr(ipr_buf_c(&r.body), absent) != NULL)
        fail_msg("%s has %s: %s", path, absent, ipr_buf_c(&r.body));
    reply_release(&r);
}

static inline int64_t player_id(const char *name)
{
    char sql[128];

    snprintf(sql, sizeof sql, "SELECT id FROM player WHERE name = '%s'", name);
    return ipr_db_test_int(sql);
}

static inline void decide(const char *path, const char *type, const char *body, long status)
{
    struct reply r = ask_with("POST", path, type, body, strlen(body));

    expect_status(&r, status, path);
    reply_release(&r);
}

#endif
