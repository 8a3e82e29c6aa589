/* What pages show of an upload is what counting its games gives, however they come, change and go.
 */
#include "db/pq.h"
#include "db/uploads.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

/* Judges 1 and 2 are one engine setting with two engines; 3 is another setting. Upload 3 has games
 * of upload 1, too, and one of them twice. */
static const char scenery[] =
    "INSERT INTO judge (id, name, engine, network, multipv, depth, hash_mb, threads, first_move)"
    " OVERRIDING SYSTEM VALUE VALUES (1, 'one', 'A', 'nn', 3, 2, 16, 1, 9),"
    " (2, 'one', 'B', 'nn', 3, 2, 16, 1, 9), (3, 'other', 'A', 'nn', 3, 2, 16, 1, 9);"
    "INSERT INTO player (name, name_key) SELECT n, n FROM generate_series(1, 20) AS n;"
    "UPDATE player SET merged_into = 3 WHERE id IN (7, 11);"
    "INSERT INTO upload (source, digest, bytes, judge) VALUES ('a', '', 0, 'one'),"
    " ('b', '', 0, ''), ('c', '', 0, 'one');"
    "INSERT INTO game (white_id, black_id, event_id, year, date, site, round, result, plies, moves,"
    " tags, moves_key, stem, upload_id)"
    " SELECT n % 21, n * 7 % 21, 0, 1900 + n % 3, '', '', '', 1, 0, '', '{}', n, 0, 1 + n % 3"
    "  FROM generate_series(1, 90) AS n;"
    "INSERT INTO upload_duplicate (upload_id, ordinal, game_id, kind, improved)"
    " SELECT 3, g.id, g.id, 0, false FROM game AS g WHERE g.upload_id = 1 AND g.id < 40"
    " UNION ALL SELECT 3, 1000, 3, 0, false";

static int upload_totals_setup(void **state)
{
    const int rc = ipr_db_fixture_setup(state);

    ipr_db_test_sql(scenery);
    return rc;
}

static void count_all(struct ipr_db_fixture *f)
{
    bool counted = true;

    while (counted)
        assert_ok(ipr_db_uploads_count(f->db, &counted, &f->err), &f->err);
}

/* The first upload whose page shows something else than its games. */
static void assert_totals(struct ipr_db_fixture *f, const char *when)
{
    struct ipr_db_upload *rows = NULL;
    size_t n = 0;

    assert_ok(ipr_db_upload_list(f->db, INT64_MAX, 10, &f->mem, &rows, &n, &f->err), &f->err);
    for (size_t i = 0; i < n; i++) {
        const char *want = ipr_db_test_sql(ipr_arena_printf(
            &f->mem,
            "SELECT concat_ws(' ', count(*), coalesce(sum(turns), 0)) FROM ("
            " SELECT game_id, (array_agg(turns ORDER BY judge_id))[1] AS turns FROM ("
            "  SELECT game_id, judge_id, sum(turns) AS turns FROM judged_side"
            "  JOIN judge ON judge.id = judge_id JOIN upload AS u ON u.judge = judge.name"
            "  WHERE u.id = %d AND game_id IN (SELECT game_id FROM upload_game WHERE upload_id = "
            "%d)"
            "  GROUP BY 1, 2 HAVING count(*) = 2) AS s GROUP BY 1) AS g",
            (int)rows[i].id, (int)rows[i].id));
        const char *got =
            ipr_arena_printf(&f->mem, "%d %d", (int)rows[i].analysed, (int)rows[i].turns_done);

        if (strcmp(got, want) != 0)
            fail_msg("%s: upload %d has %s, by counting %s", when, (int)rows[i].id, got, want);
    }
}

static void assert_players(struct ipr_db_fixture *f, const char *when)
{
    for (int64_t id = 1; id <= 3; id++) {
        struct ipr_db_upload_player *rows = NULL;
        struct ipr_buf text = IPR_BUF_INIT;
        size_t n = 0;

        assert_ok(ipr_db_upload_players(f->db, id, 12, &f->mem, &rows, &n, &f->err), &f->err);
        for (size_t i = 0; i < n; i++)
            ipr_buf_printf(&text, "%d %d %d;", (int)rows[i].player_id, rows[i].year,
                           (int)rows[i].games);
        const char *want = ipr_db_test_sql(ipr_arena_printf(
            &f->mem,
            "SELECT coalesce(string_agg(concat_ws(' ', person, year, games) || ';', ''"
            "  ORDER BY games DESC, person, year), '') FROM (SELECT coalesce(merged_into, p.id) AS"
            "  person, year, count(*) AS games FROM game AS g JOIN player AS p ON p.id ="
            "  g.white_id OR p.id = g.black_id CROSS JOIN LATERAL (SELECT FROM generate_series(1,"
            "  CASE WHEN g.white_id = g.black_id THEN 2 ELSE 1 END)) AS x WHERE p.id <> 0 AND g.id"
            "  IN (SELECT game_id FROM upload_game WHERE upload_id = %d)"
            "  GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 12) AS s",
            (int)id));
        if (strcmp(ipr_buf_c(&text), want) != 0)
            fail_msg("%s: players of upload %d are %s, by counting %s", when, (int)id,
                     ipr_buf_c(&text), want);
        ipr_buf_release(&text);
    }
}

#define SIDES "INSERT INTO judged_side (game_id, judge_id, colour, turns, nodes, source) SELECT "

static void test_changes(void **state)
{
    static const char *const changes[] = {
        "SELECT 1",
        SIDES "g, 1, c, g + c, 1, '' FROM generate_series(1, 30) g, generate_series(0, 1) c",
        SIDES "g, 2, c, g, 1, '' FROM generate_series(20, 50) g, generate_series(0, 1) c",
        SIDES "g, 3, 0, g, 1, '' FROM generate_series(1, 60) g",
        SIDES "g, 3, 1, g, 1, '' FROM generate_series(1, 60) g",
        SIDES "g, 1, 0, 5, 1, '' FROM generate_series(31, 45) g",
        SIDES "g, 1, 1, 5, 1, '' FROM generate_series(31, 45) g",
        "DELETE FROM judged_side WHERE judge_id = 1 AND colour = 1 AND game_id % 4 = 0",
        "DELETE FROM judged_side WHERE judge_id = 2 AND game_id % 5 = 0",
        "DELETE FROM game WHERE id % 6 = 0",
        "DELETE FROM upload_duplicate WHERE game_id < 10",
        "UPDATE game SET upload_id = 3 WHERE upload_id = 1 AND id > 60",
        "UPDATE game SET white_id = 4, year = 0 WHERE id % 5 = 0",
        "UPDATE player SET merged_into = 4 WHERE id IN (12, 13)",
        "DELETE FROM game WHERE upload_id = 1",
        "DELETE FROM upload WHERE id = 1",
        "TRUNCATE judged_side",
        "TRUNCATE game CASCADE",
    };
    struct ipr_db_fixture *f = *state;

    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        ipr_db_test_sql(changes[i]);
        assert_totals(f, changes[i]);
        assert_players(f, changes[i]);
        count_all(f);
        assert_totals(f, changes[i]);
        assert_players(f, changes[i]);
    }
}

/* A transaction that stores sides while another one adds the game to an upload cannot know that: it
 * is counted again when both have ended. */
static void test_at_once(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db *import = NULL, *worker = NULL;
    bool counted = false;

    count_all(f);
    assert_ok(ipr_db_lease(f->pool, &import, &f->err), &f->err);
    assert_ok(ipr_db_lease(f->pool, &worker, &f->err), &f->err);
    assert_ok(ipr_db_command(import, "BEGIN", &f->err), &f->err);
    assert_ok(ipr_db_command(import,
                             "INSERT INTO upload_duplicate (upload_id, ordinal, game_id, kind,"
                             " improved) VALUES (3, 2000, 60, 0, false)",
                             &f->err),
              &f->err);
    assert_ok(ipr_db_command(worker, "BEGIN", &f->err), &f->err);
    assert_ok(
        ipr_db_command(worker, SIDES "60, 1, c, 9, 1, '' FROM generate_series(0, 1) c", &f->err),
        &f->err);
    assert_ok(ipr_db_command(import, "COMMIT", &f->err), &f->err);
    assert_ok(ipr_db_uploads_count(f->db, &counted, &f->err), &f->err);
    assert_true(counted);
    assert_ok(ipr_db_uploads_count(f->db, &counted, &f->err), &f->err);
    assert_false(counted); /* the worker has not ended */
    assert_ok(ipr_db_command(worker, "COMMIT", &f->err), &f->err);
    ipr_db_return(&import);
    ipr_db_return(&worker);
    count_all(f);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM upload WHERE count_after IS NOT NULL"),
                     0);
    assert_totals(f, "two at once");
}

/* A change of a game that is under way while its upload is counted finds an upload that is still to
 * be counted. */
static void test_changed_meanwhile(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db *split = NULL;
    bool counted = false;

    count_all(f);
    ipr_db_test_sql("DELETE FROM upload_duplicate WHERE game_id = 3");
    assert_ok(ipr_db_lease(f->pool, &split, &f->err), &f->err);
    assert_ok(ipr_db_command(split, "BEGIN", &f->err), &f->err);
    assert_ok(ipr_db_command(split, "UPDATE game SET white_id = 4 WHERE id % 3 = 2", &f->err),
              &f->err);
    assert_ok(ipr_db_uploads_count(f->db, &counted, &f->err), &f->err);
    assert_true(counted);
    assert_ok(ipr_db_uploads_count(f->db, &counted, &f->err), &f->err);
    assert_false(counted);
    assert_ok(ipr_db_command(split, "COMMIT", &f->err), &f->err);
    ipr_db_return(&split);
    count_all(f);
    assert_players(f, "changed meanwhile");
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, upload_totals_setup, ipr_db_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = { TEST(test_changes), TEST(test_at_once),
                                        TEST(test_changed_meanwhile) };

    return cmocka_run_group_tests_name("upload totals", tests, NULL, NULL);
}
