/* The version of a player is another one after every change that answers about it show, and after
 * no other. */
#include "db/versions.h"

#include <string.h>

#include "ipr_db_test.h"
#include "ipr_test.h"

static const char scenery[] =
    "INSERT INTO judge (id, name, engine, network, multipv, depth, hash_mb, threads, first_move)"
    " OVERRIDING SYSTEM VALUE VALUES (1, 'one', 'A', 'nn', 3, 2, 16, 1, 9);"
    "INSERT INTO player (name, name_key) SELECT n, n FROM generate_series(1, 9) AS n;"
    "INSERT INTO spelling (player_id, key, name) SELECT id, name_key, name FROM player WHERE id > "
    "0;"
    "INSERT INTO event (name, year) VALUES ('other', 1900);"
    "INSERT INTO game (white_id, black_id, event_id, year, date, site, round, result, plies, moves,"
    " tags, moves_key, stem)"
    " VALUES (1, 2, 0, 1900, '', '', '', 1, 0, '', '{}', 1, 0),"
    " (3, 4, 0, 1900, '', '', '', 1, 0, '', '{}', 2, 0);"
    "INSERT INTO player_total (player_id, judge_id, time_class, games, turns)"
    " VALUES (1, 1, 0, 1, 30), (3, 1, 0, 1, 30)";

static int versions_setup(void **state)
{
    const int rc = ipr_db_fixture_setup(state);

    ipr_db_test_sql(scenery);
    return rc;
}

static const char *version_of_first(struct ipr_db_fixture *f)
{
    const char *version = NULL;

    assert_ok(ipr_db_player_version(f->db, 1, &f->mem, &version, &f->err), &f->err);
    return version;
}

static void test_player(void **state)
{
    static const struct {
        const char *sql;
        bool other;
    } changes[] = {
        { "UPDATE game SET result = 2 WHERE id = 1", true },
        { "UPDATE game SET date = '1900.01.02' WHERE id = 1", true },
        { "UPDATE game SET event_id = 1 WHERE id = 1", true },
        { "UPDATE game SET round = '3' WHERE id = 1", true },
        { "UPDATE game SET moves = '\\x0102', plies = 1 WHERE id = 1", true },
        { "UPDATE game SET black_elo = 2000 WHERE id = 1", true },
        { "UPDATE game SET year = 1901 WHERE id = 1", true },
        { "INSERT INTO spelling (player_id, key, name) VALUES (1, 'x', 'X')", true },
        { "UPDATE player_total SET version = version + 1 WHERE player_id = 1", true },
        { "INSERT INTO opponent_epoch VALUES (1, 1)", true },
        { "UPDATE player SET merged_into = 1 WHERE id = 9", true },
        { "INSERT INTO game (white_id, black_id, event_id, year, date, site, round, result, plies,"
          " moves, tags, moves_key, stem)"
          " VALUES (5, 9, 0, 1900, '', '', '', 1, 0, '', '{}', 3, 0)",
          true },
        { "DELETE FROM game WHERE moves_key = 3", true },
        { "UPDATE game SET result = 3, date = '1900' WHERE id = 2", false },
        { "DELETE FROM game WHERE id = 2", false },
        { "UPDATE player_total SET version = version + 1 WHERE player_id = 3", false },
        { "UPDATE game SET site = 'Havana' WHERE id = 1", false },
    };
    struct ipr_db_fixture *f = *state;
    const char *before = version_of_first(f);

    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        ipr_db_test_sql(changes[i].sql);
        const char *after = version_of_first(f);

        if ((strcmp(before, after) != 0) != changes[i].other)
            fail_msg("%s: %s, before %s", changes[i].sql, after, before);
        before = after;
    }
}

static const char *version_of_judges(struct ipr_db_fixture *f)
{
    const char *version = NULL;

    assert_ok(ipr_db_judges_version(f->db, &f->mem, &version, &f->err), &f->err);
    return version;
}

/* A name stands for another engine setting once that has more analysed sides. */
static void test_judges(void **state)
{
    struct ipr_db_fixture *f = *state;

    ipr_db_test_sql("INSERT INTO judge (id, name, engine, network, multipv, depth, hash_mb, "
                    "threads, first_move)"
                    " OVERRIDING SYSTEM VALUE VALUES (2, 'one', 'B', 'nn', 3, 2, 16, 1, 9);"
                    "INSERT INTO judge_total (judge_id, shard, games, sides, turns)"
                    " VALUES (1, 0, 0, 3, 0), (2, 0, 0, 1, 0), (2, 1, 0, 1, 0)");
    const char *before = version_of_judges(f);
    ipr_db_test_sql("UPDATE judge_total SET sides = 3 WHERE judge_id = 2 AND shard = 0");
    const char *after = version_of_judges(f);
    assert_string_not_equal(before, after);
    ipr_db_test_sql("UPDATE judge_total SET sides = 9 WHERE judge_id = 2 AND shard = 0");
    assert_string_equal(version_of_judges(f), after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_player, versions_setup, ipr_db_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_judges, versions_setup, ipr_db_fixture_teardown),
    };

    return cmocka_run_group_tests_name("versions", tests, NULL, NULL);
}
