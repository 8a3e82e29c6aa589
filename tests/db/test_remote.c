#include "db/remote.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "db/judges.h"
#include "db/records.h"
#include "db/turns.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

static struct ipr_db_key add_key(struct ipr_db_fixture *f, const char *name, unsigned char first)
{
    const unsigned char digest[32] = { first };
    struct ipr_db_key key;

    assert_ok(ipr_db_token_put(f->db, name, "fishnet", digest, &f->err), &f->err);
    assert_ok(ipr_db_key_get(f->db, digest, &f->mem, &key, &f->err), &f->err);
    assert_string_equal(key.name, name);
    assert_null(key.suspended);
    return key;
}

static const char *suspended(struct ipr_db_fixture *f, unsigned char first)
{
    const unsigned char digest[32] = { first };
    struct ipr_db_key key;

    assert_ok(ipr_db_key_get(f->db, digest, &f->mem, &key, &f->err), &f->err);
    return key.suspended != NULL ? key.suspended : "";
}

static void test_keys(void **state)
{
    static const unsigned char api[32] = { 9 }, other[32] = { 10 };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_key key;
    bool gone = false;

    const struct ipr_db_key a = add_key(f, "a", 1);
    assert_ok(ipr_db_token_put(f->db, "a", "api", api, &f->err), &f->err);
    assert_int_equal(ipr_db_token_put(f->db, "a", "fishnet", other, NULL), IPR_ECONFLICT);
    assert_int_equal(ipr_db_key_get(f->db, api, &f->mem, &key, NULL), IPR_ENOTFOUND);
    assert_int_equal(ipr_db_key_get(f->db, other, &f->mem, &key, NULL), IPR_ENOTFOUND);
    for (int i = 1; i <= IPR_DB_KEY_REFUSALS; i++) {
        assert_false(gone);
        assert_ok(ipr_db_key_refused(f->db, a.id, "nonsense", &gone, &f->err), &f->err);
    }
    assert_true(gone);
    assert_string_equal(suspended(f, 1), "too many results refused, the last one: nonsense");
    assert_ok(ipr_db_key_suspend(f->db, a.id, "another reason", &f->err), &f->err);
    assert_string_equal(suspended(f, 1), "too many results refused, the last one: nonsense");
    assert_ok(ipr_db_token_resume(f->db, "a", &f->err), &f->err);
    assert_string_equal(suspended(f, 1), "");
    assert_int_equal(ipr_db_token_resume(f->db, "a", NULL), IPR_ENOTFOUND);
    assert_ok(ipr_db_key_refused(f->db, a.id, "nonsense", &gone, &f->err), &f->err);
    assert_false(gone); /* counted again */
    assert_ok(ipr_db_key_suspend(f->db, a.id, "a reason", &f->err), &f->err);
    assert_string_equal(suspended(f, 1), "a reason");
}

/* Suspended by the operator, revoked for good, and replaced under the same name. */
static void test_withdrawn(void **state)
{
    static const unsigned char first[32] = { 1 }, second[32] = { 2 };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_token *tokens = NULL;
    struct ipr_db_key key;
    size_t n;

    add_key(f, "a", 1);
    assert_int_equal(ipr_db_token_suspend(f->db, "b", NULL), IPR_ENOTFOUND);
    assert_ok(ipr_db_token_suspend(f->db, "a", &f->err), &f->err);
    assert_string_equal(suspended(f, 1), "by the operator");
    assert_int_equal(ipr_db_token_suspend(f->db, "a", NULL), IPR_ENOTFOUND);
    assert_ok(ipr_db_token_resume(f->db, "a", &f->err), &f->err);
    assert_ok(ipr_db_token_revoke(f->db, "a", "fishnet", &f->err), &f->err);
    assert_int_equal(ipr_db_key_get(f->db, first, &f->mem, &key, NULL), IPR_ENOTFOUND);
    assert_int_equal(ipr_db_token_suspend(f->db, "a", NULL), IPR_ENOTFOUND);
    add_key(f, "a", 2);
    assert_int_equal(ipr_db_token_put(f->db, "a", "fishnet", first, NULL), IPR_ECONFLICT);
    assert_ok(ipr_db_token_suspend(f->db, "a", &f->err), &f->err); /* the new one alone */
    assert_ok(ipr_db_token_resume(f->db, "a", &f->err), &f->err);
    assert_ok(ipr_db_key_get(f->db, second, &f->mem, &key, &f->err), &f->err);
    assert_ok(ipr_db_token_list(f->db, &f->mem, &tokens, &n, &f->err), &f->err);
    assert_int_equal(n, 2);
    assert_non_null(tokens[0].revoked);
    assert_null(tokens[0].suspended);
    assert_null(tokens[1].revoked);
}

/* Good results make up for bad ones slowly. */
static void test_good_and_bad(void **state)
{
    static const struct {
        const char *name;
        int good; /* to each refused one */
        bool gone;
    } rows[] = {
        { "half", 1, true },
        { "most", IPR_DB_KEY_REFUSAL - 1, true },
        { "nearly all", IPR_DB_KEY_REFUSAL, false },
    };
    struct ipr_db_fixture *f = *state;

    for (unsigned char i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct ipr_db_key key = add_key(f, rows[i].name, (unsigned char)(i + 1));
        bool gone = false;

        for (int n = 0; !gone && n < 50; n++) {
            assert_ok(ipr_db_key_refused(f->db, key.id, "nonsense", &gone, &f->err), &f->err);
            for (int g = 0; g < rows[i].good; g++)
                assert_ok(ipr_db_key_good(f->db, key.id, &f->err), &f->err);
        }
        assert_int_equal(gone, rows[i].gone);
    }
}

static bool may_have(struct ipr_db_fixture *f, const struct ipr_db_key *key, const char *worker,
                     int64_t leases)
{
    bool may = false;

    assert_ok(ipr_db_key_asks(f->db, key->id, worker, leases, &may, &f->err), &f->err);
    return may;
}

/* Twelve games of the judge "x", for other people's machines. */
static void queue_remote(struct ipr_db_fixture *f)
{
    struct ipr_db_new_game game[12];

    for (unsigned i = 0; i < 12; i++)
        game[i] = ipr_sample_game(&f->mem, i + 1, "a", "b", 2001, 24);
    ipr_sample_store(f->db, game, 12, "sample");
    (void)ipr_db_test_sql("DELETE FROM job");
    (void)ipr_db_test_sql("INSERT INTO job (game_id, judge, program, place) SELECT id, 'x', "
                          "'fishnet', id FROM game");
}

static bool claim(struct ipr_db_fixture *f, const char *program, const char *worker,
                  struct ipr_db_job *out)
{
    struct ipr_db_queue_cursor cursor = { 0 };

    return ipr_db_job_claim(f->db, program, worker, 60, &cursor, out, NULL) == IPR_OK;
}

static void sweep(struct ipr_db_fixture *f)
{
    int32_t n;

    (void)ipr_db_test_sql("UPDATE job SET lease_until = now() - interval '1 s' WHERE state = "
                          "'leased'");
    assert_ok(ipr_db_jobs_sweep(f->db, &n, &f->err), &f->err);
}

/* What a key may hold, and how silence lessens it. */
static void test_share(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_db_key a = add_key(f, "a", 1), b = add_key(f, "b", 2);
    struct ipr_db_token *tokens = NULL;
    struct ipr_db_job job;
    size_t n;

    queue_remote(f);
    for (int i = 0; i < IPR_DB_KEY_SILENCES; i++) {
        assert_true(may_have(f, &a, "fishnet:a", IPR_DB_KEY_SILENCES));
        assert_true(claim(f, "fishnet", "fishnet:a", &job));
    }
    assert_false(may_have(f, &a, "fishnet:a", IPR_DB_KEY_SILENCES));
    assert_true(may_have(f, &a, "fishnet:a", IPR_DB_KEY_SILENCES + 1));
    assert_true(may_have(f, &b, "fishnet:b", 1));
    /* A local worker of such a name is no key. */
    (void)ipr_db_test_sql("INSERT INTO job (game_id, judge, program, place) SELECT id, 'y', "
                          "'stockfish', id FROM game LIMIT 1");
    assert_true(claim(f, "stockfish", "fishnet:b", &job));
    sweep(f);
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(silent || ' ' || silences, ';' ORDER BY "
                                        "name) FROM token"),
                        "8 8;0 0");
    assert_ok(ipr_db_token_list(f->db, &f->mem, &tokens, &n, &f->err), &f->err);
    assert_int_equal(tokens[0].silences, IPR_DB_KEY_SILENCES);
    /* One at a time, until it has done something. */
    assert_true(may_have(f, &a, "fishnet:a", 64));
    assert_true(claim(f, "fishnet", "fishnet:a", &job));
    assert_false(may_have(f, &a, "fishnet:a", 64));
    assert_ok(ipr_db_key_good(f->db, a.id, &f->err), &f->err);
    assert_true(may_have(f, &a, "fishnet:a", 64));
    assert_int_equal(ipr_db_test_int("SELECT silences FROM token WHERE name = 'a'"), 8);
}

/* The next key of that name has none of it on its account. */
static void test_revoked_gives_back(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_db_key a = add_key(f, "a", 1);
    struct ipr_db_job job;
    bool may = true;

    add_key(f, "b", 2);
    queue_remote(f);
    assert_true(claim(f, "fishnet", "fishnet:a", &job));
    assert_true(claim(f, "fishnet", "fishnet:b", &job));
    assert_ok(ipr_db_token_revoke(f->db, "a", "fishnet", &f->err), &f->err);
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(worker || ' ' || attempts, ';') FROM "
                                        "job WHERE state <> 'ready' OR attempts <> 0"),
                        "fishnet:b 1");
    assert_int_equal(ipr_db_key_asks(f->db, a.id, "fishnet:a", 1, &may, NULL), IPR_ENOTFOUND);
    const struct ipr_db_key next = add_key(f, "a", 3);
    assert_true(may_have(f, &next, "fishnet:a", 1));
    assert_true(claim(f, "fishnet", "fishnet:a", &job));
    sweep(f);
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(silences::text, ';' ORDER BY id) FROM "
                                        "token WHERE name = 'a'"),
                        "0;1");
}

struct asker {
    struct ipr_db_fixture *f;
    int32_t key_id;
    pthread_t thread;
    atomic_bool done;
    bool may;
};

static void *ask(void *arg)
{
    struct asker *a = arg;
    struct ipr_db *db = NULL;

    if (ipr_db_lease(a->f->pool, &db, NULL) != IPR_OK ||
        ipr_db_key_asks(db, a->key_id, "fishnet:a", 1, &a->may, NULL) != IPR_OK)
        abort();
    ipr_db_return(&db);
    atomic_store(&a->done, true);
    return NULL;
}

/* Takes a game; before that is known to others, the key asks for another one. */
static enum ipr_code ask_and_claim(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct asker *a = arg;
    struct ipr_db_job job;
    bool may = false;

    const enum ipr_code rc = ipr_db_key_asks(db, a->key_id, "fishnet:a", 1, &may, err);
    if (rc != IPR_OK)
        return rc;
    assert_true(may);
    assert_true(claim(a->f, "fishnet", "fishnet:a", &job));
    assert_int_equal(pthread_create(&a->thread, NULL, ask, a), 0);
    while (!atomic_load(&a->done) &&
           ipr_db_test_int("SELECT count(*) FROM pg_locks WHERE NOT granted") == 0)
        usleep(1000);
    return IPR_OK;
}

/* Requests of one key at the same moment get no more than one after the other. */
static void test_share_at_once(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct asker a = { .f = f, .key_id = add_key(f, "a", 1).id, .may = true };

    queue_remote(f);
    assert_ok(ipr_db_tx(f->db, ask_and_claim, &a, &f->err), &f->err);
    (void)pthread_join(a.thread, NULL);
    assert_false(a.may);
}

/* A game that a key could not do goes to another, as long as there is one. */
static void test_another_key(void **state)
{
    static const struct {
        const char *name;
        int how; /* 0 refused, 1 given back, 2 silent */
        const char *alone, *too_soon;
    } rows[] = {
        { "refused", 0, "1 hour", "59 minutes" },
        { "given back", 1, "1 minute", "50 s" },
        { "silent", 2, "1 minute", "50 s" },
    };
    static const char *const departures[] = {
        "UPDATE token SET seen = now() - interval '11 minutes' WHERE name = 'b'",
        "UPDATE token SET seen = now(), suspended = 'bad' WHERE name = 'b'",
        "UPDATE token SET suspended = NULL, revoked = now() WHERE name = 'b'",
    };
    struct ipr_db_fixture *f = *state;
    char sql[200];

    add_key(f, "a", 1);
    add_key(f, "b", 2);
    queue_remote(f);
    (void)ipr_db_test_sql("DELETE FROM job WHERE id > (SELECT min(id) FROM job)");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ipr_db_job job, other;

        (void)ipr_db_test_sql("UPDATE token SET seen = now()");
        (void)ipr_db_test_sql("UPDATE job SET state = 'ready', attempts = 0, last_worker = NULL, "
                              "run_at = now()");
        assert_true(claim(f, "fishnet", "fishnet:a", &job));
        if (rows[i].how == 0)
            assert_ok(ipr_db_job_fail(f->db, &job, "refused", &f->err), &f->err);
        else if (rows[i].how == 1)
            assert_ok(ipr_db_job_release(f->db, &job, &f->err), &f->err);
        else
            sweep(f);
        (void)ipr_db_test_sql("UPDATE job SET run_at = now() - interval '23 hours'");
        assert_false(claim(f, "fishnet", "fishnet:a", &other));
        assert_true(claim(f, "fishnet", "fishnet:b", &other));
        assert_int_equal(other.id, job.id);
        /* The other one is gone, suspended, or revoked. */
        for (int gone = 0; gone < 3; gone++) {
            (void)ipr_db_test_sql("UPDATE job SET state = 'ready', last_worker = 'fishnet:a', "
                                  "attempts = attempts - 1");
            (void)ipr_db_test_sql(departures[gone]);
            snprintf(sql, sizeof sql, "UPDATE job SET run_at = now() - interval '%s'",
                     rows[i].too_soon);
            (void)ipr_db_test_sql(sql);
            assert_false(claim(f, "fishnet", "fishnet:a", &other));
            snprintf(sql, sizeof sql, "UPDATE job SET run_at = now() - interval '%s'",
                     rows[i].alone);
            (void)ipr_db_test_sql(sql);
            assert_true(claim(f, "fishnet", "fishnet:a", &other));
        }
        (void)ipr_db_test_sql("UPDATE token SET suspended = NULL, revoked = NULL");
    }
}

static void test_engines(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_db_key a = add_key(f, "a", 1), b = add_key(f, "b", 2);
    bool known = true, may = false;
    char name[16];

    for (int i = 0; i < IPR_DB_KEY_ENGINES; i++) {
        snprintf(name, sizeof name, "engine %d", i);
        assert_ok(ipr_db_key_engine(f->db, a.id, name, &known, &may, &f->err), &f->err);
        assert_false(known);
        assert_true(may);
        assert_ok(ipr_db_key_engine_add(f->db, a.id, name, &f->err), &f->err);
        assert_ok(ipr_db_key_engine_add(f->db, a.id, name, &f->err), &f->err);
    }
    assert_ok(ipr_db_key_engine(f->db, a.id, "one more", &known, &may, &f->err), &f->err);
    assert_false(may);
    assert_ok(ipr_db_key_engine(f->db, a.id, "engine 3", &known, &may, &f->err), &f->err);
    assert_true(known && may);
    assert_ok(ipr_db_key_engine(f->db, b.id, "one more", &known, &may, &f->err), &f->err);
    assert_true(may);
    /* New versions come with the years. */
    (void)ipr_db_test_sql("UPDATE remote_engine SET since = now() - interval '31 days' WHERE "
                          "engine = 'engine 0'");
    assert_ok(ipr_db_key_engine(f->db, a.id, "one more", &known, &may, &f->err), &f->err);
    assert_true(may);
}

struct games {
    struct ipr_db_new_game game[2];
    int32_t judge_id;
};

/* Two games judged under a key. */
static struct games judged_under(struct ipr_db_fixture *f, const struct ipr_db_key *key)
{
    struct games g = { .judge_id = 0 };
    const struct ipr_judge judge = ipr_sample_judge();

    for (unsigned i = 0; i < 2; i++)
        g.game[i] = ipr_sample_game(&f->mem, i + 1, "a", "b", 2001, 24);
    ipr_sample_store(f->db, g.game, 2, "sample");
    assert_ok(ipr_db_judge_ensure(f->db, &judge, &g.judge_id, &f->err), &f->err);
    for (unsigned i = 0; i < 2; i++) {
        struct ipr_db_game game;

        assert_ok(ipr_db_game_get(f->db, g.game[i].id, &f->mem, &game, &f->err), &f->err);
        const struct ipr_judged_game judged = ipr_sample_judgement(&f->mem, &judge, &game, i + 1);
        assert_ok(ipr_db_sides_store(f->db, g.judge_id, &game, &judged, 3, &ipr_sample_work, NULL,
                                     &f->err),
                  &f->err);
        assert_ok(ipr_db_remote_judged(f->db, game.id, g.judge_id, key->id, &f->err), &f->err);
        assert_ok(ipr_db_key_good(f->db, key->id, &f->err), &f->err);
    }
    return g;
}

static void test_unchecked(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_db_key a = add_key(f, "a", 1), b = add_key(f, "b", 2);
    struct ipr_db_unchecked u, *list = NULL;
    struct ipr_db_token *tokens = NULL;
    size_t n;

    const struct games g = judged_under(f, &a);
    assert_ok(ipr_db_unchecked_get(f->db, g.game[1].id, "sample", &f->mem, &u, &f->err), &f->err);
    assert_int_equal(u.game_id, g.game[1].id);
    assert_int_equal(u.judge_id, g.judge_id);
    assert_int_equal(u.key_id, a.id);
    assert_string_equal(u.key, "a");
    assert_int_equal(ipr_db_unchecked_get(f->db, g.game[1].id, "quick", &f->mem, &u, NULL),
                     IPR_ENOTFOUND);
    assert_ok(ipr_db_unchecked_list(f->db, a.id, &f->mem, &list, &n, &f->err), &f->err);
    assert_int_equal(n, 2);
    assert_int_equal(list[0].game_id, g.game[0].id);
    assert_ok(ipr_db_unchecked_list(f->db, b.id, &f->mem, &list, &n, &f->err), &f->err);
    assert_int_equal(n, 0);
    assert_ok(ipr_db_remote_checked(f->db, &u, 5, 77.5, false, &f->err), &f->err);
    assert_string_equal(ipr_db_test_sql("SELECT turns || ' ' || difference || ' ' || passed FROM "
                                        "remote_check WHERE checked IS NOT NULL"),
                        "5 77.5 false");
    assert_int_equal(ipr_db_unchecked_get(f->db, g.game[1].id, "sample", &f->mem, &u, NULL),
                     IPR_ENOTFOUND);
    assert_ok(ipr_db_token_list(f->db, &f->mem, &tokens, &n, &f->err), &f->err);
    assert_int_equal(n, 2);
    assert_string_equal(tokens[0].name, "a");
    assert_string_equal(tokens[0].kind, "fishnet");
    assert_int_equal(tokens[0].games, 2);
    assert_int_equal(tokens[0].checked, 1);
    assert_int_equal(tokens[0].failed, 1);
    assert_int_equal(tokens[1].games, 0);
    assert_int_equal(tokens[1].failed, 0);
    /* Judged again under another key it is to be checked again. */
    assert_ok(ipr_db_remote_judged(f->db, g.game[1].id, g.judge_id, b.id, &f->err), &f->err);
    assert_ok(ipr_db_unchecked_get(f->db, g.game[1].id, "sample", &f->mem, &u, &f->err), &f->err);
    assert_int_equal(u.key_id, b.id);
}

static int64_t judged_by(int32_t judge)
{
    char sql[128];

    snprintf(sql, sizeof sql,
             "SELECT (SELECT count(*) FROM turn WHERE judge_id = %d) + (SELECT count(*) FROM "
             "judged_side WHERE judge_id = %d)",
             (int)judge, (int)judge);
    return ipr_db_test_int(sql);
}

/* One judge's word is taken back, another's of the same game stays, and so do the sums. */
static void test_forget(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_db_key a = add_key(f, "a", 1);
    const struct games g = judged_under(f, &a);
    struct ipr_judge other = ipr_sample_judge();
    struct ipr_db_game game;
    struct ipr_db_unchecked u;
    int32_t other_id;

    snprintf(other.name, sizeof other.name, "other");
    assert_ok(ipr_db_game_get(f->db, g.game[0].id, &f->mem, &game, &f->err), &f->err);
    const struct ipr_judged_game judged = ipr_sample_judgement(&f->mem, &other, &game, 5);
    assert_ok(ipr_db_judge_ensure(f->db, &other, &other_id, &f->err), &f->err);
    assert_ok(
        ipr_db_sides_store(f->db, other_id, &game, &judged, 3, &ipr_sample_work, NULL, &f->err),
        &f->err);
    const int64_t of_both = judged_by(g.judge_id), of_other = judged_by(other_id);
    assert_ok(ipr_db_judgement_forget(f->db, game.id, g.judge_id, 3u, &f->err), &f->err);
    assert_int_equal(judged_by(g.judge_id), of_both / 2);
    assert_int_equal(judged_by(other_id), of_other);
    assert_int_equal(ipr_db_unchecked_get(f->db, game.id, "sample", &f->mem, &u, NULL),
                     IPR_ENOTFOUND);
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(n::text, ' ') FROM (SELECT sum(games) AS n FROM "
                        "judge_total GROUP BY judge_id ORDER BY judge_id) AS t"),
        "1 1");
    assert_ok(ipr_db_judgement_forget(f->db, g.game[1].id, g.judge_id, 3u, &f->err), &f->err);
    assert_int_equal(judged_by(g.judge_id), 0);
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(DISTINCT p.games || ' ' || p.turns || ' ' || p.counted, "
                        "';') FROM player_year AS p INNER JOIN judge AS j ON j.id = p.judge_id "
                        "WHERE j.name = 'sample'"),
        "0 0 0");
    assert_int_equal(ipr_db_judgement_forget(f->db, 999, g.judge_id, 3u, NULL), IPR_ENOTFOUND);
}

static void test_leases(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_db_key a = add_key(f, "a", 1);
    const struct games g = judged_under(f, &a);
    struct ipr_db_status s[2];
    struct ipr_db_job job = { .id = 1, .token = 5 };
    bool own = false;
    int64_t age = -1;

    (void)ipr_db_test_sql("DELETE FROM job");
    (void)ipr_db_test_sql(
        "INSERT INTO job (game_id, judge, program, state, priority, worker, lease_token, "
        "lease_until, leased_at, created) "
        "SELECT id, 'x', 'fishnet', 'leased', 5, 'fishnet:a', 5, now(), now() - interval '70 s', "
        "now() - interval '1 hour' FROM game UNION ALL "
        "SELECT id, 'y', 'fishnet', 'ready', 6, NULL, NULL, NULL, NULL, now() - interval '50 s' "
        "FROM game UNION ALL "
        "SELECT id, 'z', 'stockfish', 'ready', 1, NULL, NULL, NULL, NULL, now() FROM game "
        "UNION ALL SELECT id, 'f', 'fishnet', 'failed', 1, NULL, NULL, NULL, NULL, now() "
        "FROM game");
    job.id = ipr_db_test_int("SELECT min(id) FROM job");
    assert_ok(ipr_db_lease_of(f->db, &job, "fishnet:a", &own, &age, &f->err), &f->err);
    assert_true(own);
    assert_true(age >= 70);
    assert_ok(ipr_db_lease_of(f->db, &job, "fishnet:b", &own, &age, &f->err), &f->err);
    assert_false(own);
    job.token = 6;
    assert_int_equal(ipr_db_lease_of(f->db, &job, "fishnet:a", &own, &age, NULL), IPR_ECONFLICT);
    assert_ok(ipr_db_status(f->db, "fishnet", s, &f->err), &f->err);
    assert_int_equal(s[0].acquired, 2);
    assert_int_equal(s[0].queued, 0);
    assert_int_equal(s[0].oldest_s, 0);
    assert_int_equal(s[1].acquired, 0);
    assert_int_equal(s[1].queued, 2);
    assert_true(s[1].oldest_s >= 50 && s[1].oldest_s < 3600);
    assert_ok(ipr_db_status(f->db, NULL, s, &f->err), &f->err);
    assert_int_equal(s[0].queued, 2);
    (void)g;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_keys),    WITH_DB(test_withdrawn),          WITH_DB(test_good_and_bad),
        WITH_DB(test_share),   WITH_DB(test_share_at_once),      WITH_DB(test_another_key),
        WITH_DB(test_engines), WITH_DB(test_unchecked),          WITH_DB(test_forget),
        WITH_DB(test_leases),  WITH_DB(test_revoked_gives_back),
    };

    return cmocka_run_group_tests_name("remote", tests, NULL, NULL);
}
