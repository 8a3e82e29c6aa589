/* Stored lists of player-years, filled in parts. */
#define IPR_QUERIES_TABLE
#include "queries.h"

#include <libpq-fe.h>

#include <stdio.h>
#include <string.h>

#include "db/listed_years.h"
#include "db/pq.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

#define JUDGE 1
#define TIMES 7

/* Players of two identities among them; the sums of each year and career differ. */
static void add_players(int n)
{
    char sql[2048];

    ipr_db_test_sql("INSERT INTO judge (name, engine, network, multipv, depth, hash_mb, threads, "
                    "first_move) VALUES ('j', 'e', 'n', 1, 1, 16, 1, 1); SELECT 1");
    snprintf(
        sql, sizeof sql,
        "INSERT INTO player (name, name_key, merged_into)"
        " SELECT p, p, CASE WHEN p %% 10 = 7 THEN p - 3 END FROM generate_series(1, %d) AS p;"
        "INSERT INTO player_year (player_id, year, judge_id, time_class, version, games, turns,"
        " counted, at_0, at_30, strength_score, strength_information)"
        " SELECT p, y, 1, 1, 1, p, 10 * p, p, 1, 2, 1000000 * (p %% 50), 5000000"
        " FROM generate_series(1, %d) AS p, generate_series(1970, 1971) AS y;"
        "INSERT INTO player_total (player_id, judge_id, time_class, games, turns,"
        " strength_score, strength_information)"
        " SELECT p, 1, 1, 2 * p, 20 * p, 2000000 * (p %% 50), 10000000"
        " FROM generate_series(1, %d) AS p; SELECT 1",
        n, n, n);
    ipr_db_test_sql(sql);
}

/* Of all rows that a list shows. */
static const char *rows(struct ipr_arena *mem)
{
    const char *s = ipr_db_test_sql(
        "SELECT count(*) || ' ' || count(estimate) || ' ' || md5(string_agg(concat_ws(' ',"
        " player_id, year, version, games, turns, counted, at_0, at_30, strength_score,"
        " strength_information, estimate), ',' ORDER BY player_id, year))"
        " FROM listed_year WHERE turns > 0 OR strength_information > 0");

    return ipr_arena_strndup(mem, s, strlen(s));
}

static struct ipr_db_year_list_part part_of(int at_once)
{
    return (struct ipr_db_year_list_part){ .judge_id = JUDGE, .times = TIMES, .at_once = at_once };
}

/* How many parts it took. */
static int finish(struct ipr_db_fixture *f, struct ipr_db_year_list_part p)
{
    int n = 0;

    for (p.complete = false; !p.complete; n++)
        assert_ok(ipr_db_year_list_go_on(f->db, &p, &f->err), &f->err);
    return n;
}

static const char *rows_at_once(struct ipr_db_fixture *f)
{
    ipr_db_test_sql("DELETE FROM year_list; SELECT 1");
    assert_in_range(finish(f, part_of(1000)), 1, 2);
    return rows(&f->mem);
}

static void test_parts(void **state)
{
    struct ipr_db_fixture *const f = *state;

    add_players(50);
    const char *whole = rows_at_once(f);
    assert_memory_equal(whole, "135 135 ", 8); /* three each of 45 persons */
    ipr_db_test_sql("DELETE FROM year_list; SELECT 1");
    assert_in_range(finish(f, part_of(3)), 17, 40);
    assert_string_equal(rows(&f->mem), whole);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM year_list WHERE filled IS NULL"), 1);
}

/* Of persons who are listed already, of some who are not, and of new ones. */
static void test_changes_between_parts(void **state)
{
    struct ipr_db_fixture *const f = *state;
    struct ipr_db_year_list_part p = part_of(10);

    add_players(50);
    ipr_db_test_sql("DELETE FROM changed_year; SELECT 1");
    for (int i = 0; i < 2; i++)
        assert_ok(ipr_db_year_list_go_on(f->db, &p, &f->err), &f->err);
    assert_int_equal(p.filled, 20);
    assert_false(p.complete);
    ipr_db_test_sql(
        "UPDATE player_year SET turns = turns + 1, strength_score = 7 WHERE player_id IN (3, 33);"
        "UPDATE player SET merged_into = 41 WHERE id = 2;"
        "UPDATE player SET merged_into = 1 WHERE id = 42;"
        "UPDATE player SET merged_into = NULL WHERE id = 7;"
        "DELETE FROM player_year WHERE player_id IN (5, 35) AND year = 1970;"
        "INSERT INTO player (name, name_key) VALUES ('new', 'new');"
        "INSERT INTO player_year (player_id, year, judge_id, turns) VALUES (51, 1999, 1, 5);"
        "SELECT 1");
    finish(f, p);
    const char *in_parts = rows(&f->mem);
    assert_string_equal(rows_at_once(f), in_parts);
}

/* What it had not committed is done again, by another one. */
static void test_process_ends(void **state)
{
    struct ipr_db_fixture *const f = *state;
    struct ipr_db_year_list_part p = part_of(10);
    struct ipr_db *other = NULL;
    bool worked = true;

    add_players(50);
    const char *whole = rows_at_once(f);
    ipr_db_test_sql("DELETE FROM year_list; SELECT 1");
    assert_ok(ipr_db_year_list_go_on(f->db, &p, &f->err), &f->err);
    assert_ok(ipr_db_lease(f->pool, &other, &f->err), &f->err);
    assert_ok(ipr_db_command(other, "BEGIN", &f->err), &f->err);
    ipr_db_test_sql("UPDATE player_year SET games = games WHERE player_id = 1; SELECT 1");
    assert_ok(ipr_db_year_list_go_on(other, &p, &f->err), &f->err);
    assert_int_equal(p.filled, 20);
    ipr_db_return(&other); /* rolls back */
    assert_int_equal(ipr_db_test_int("SELECT filled FROM year_list"), 10);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM changed_year"), 2);
    while (worked)
        assert_ok(ipr_db_year_lists_work(f->db, &worked, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM year_list WHERE filled IS NULL"), 1);
    assert_string_equal(rows(&f->mem), whole);
}

/* A request waits for a few seconds, then says how far it is; the thread ends it. */
static void test_request(void **state)
{
    struct ipr_db_fixture *const f = *state;
    bool worked = true;
    int32_t id = 0;

    add_players(1500);
    ipr_db_test_sql("DELETE FROM changed_year;"
                    "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS"
                    " $$ BEGIN PERFORM pg_sleep(3); RETURN NULL; END $$;"
                    "CREATE TRIGGER slow AFTER INSERT ON listed_year"
                    " FOR EACH STATEMENT EXECUTE FUNCTION slow(); SELECT 1");
    assert_int_equal(ipr_db_year_list(f->db, JUDGE, TIMES, false, &id, &f->err), IPR_ERETRY);
    assert_string_equal(f->err.type, IPR_DB_LIST_INCOMPLETE);
    assert_non_null(strstr(f->err.msg, "66 %"));
    ipr_db_test_sql("DROP TRIGGER slow ON listed_year; SELECT 1");
    assert_ok(ipr_db_year_lists_work(f->db, &worked, &f->err), &f->err);
    assert_true(worked);
    assert_ok(ipr_db_year_lists_work(f->db, &worked, &f->err), &f->err);
    assert_false(worked);
    assert_ok(ipr_db_year_list(f->db, JUDGE, TIMES, false, &id, &f->err), &f->err);
    const char *in_parts = rows(&f->mem);
    assert_string_equal(rows_at_once(f), in_parts);
}

/* Many changes need no request, and a list that nobody requests is deleted. */
static void test_without_requests(void **state)
{
    struct ipr_db_fixture *const f = *state;
    bool worked = true;
    int32_t id = 0;

    add_players(50);
    assert_ok(ipr_db_year_list(f->db, JUDGE, TIMES, false, &id, &f->err), &f->err);
    const char *whole = rows(&f->mem);
    ipr_db_test_sql("UPDATE listed_year SET turns = 1;"
                    "INSERT INTO changed_year (player_id, year) SELECT p, y"
                    " FROM generate_series(1, 50) AS p, unnest(ARRAY[0, 1970, 1971]) AS y,"
                    " generate_series(1, 100); SELECT 1");
    while (worked)
        assert_ok(ipr_db_year_lists_work(f->db, &worked, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT (count(*) BETWEEN 1 AND 5000)::int FROM changed_year"),
                     1);
    assert_ok(ipr_db_year_list(f->db, JUDGE, TIMES, false, &id, &f->err), &f->err);
    assert_string_equal(rows(&f->mem), whole);

    ipr_db_test_sql("UPDATE year_list SET requested = now() - interval '25 hours'; SELECT 1");
    for (worked = true; worked;)
        assert_ok(ipr_db_year_lists_work(f->db, &worked, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM year_list"), 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM listed_year"), 0);
}

/* One that is being deleted is filled again when it is requested. */
static void test_requested_again(void **state)
{
    struct ipr_db_fixture *const f = *state;
    int32_t id = 0;

    add_players(50);
    const char *whole = rows_at_once(f);
    ipr_db_test_sql("UPDATE year_list SET filled = -1;"
                    "DELETE FROM listed_year WHERE player_id > 20; SELECT 1");
    assert_ok(ipr_db_year_list(f->db, JUDGE, TIMES, false, &id, &f->err), &f->err);
    assert_string_equal(rows(&f->mem), whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_parts),   WITH_DB(test_changes_between_parts), WITH_DB(test_process_ends),
        WITH_DB(test_request), WITH_DB(test_without_requests),      WITH_DB(test_requested_again),
    };

    return cmocka_run_group_tests_name("listed years", tests, NULL, NULL);
}
