#include "db/players.h"

#include <stdio.h>

#include "db/judges.h"
#include "db/turns.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

/* 30 players "name 00, first" ..., game i between players i and i + 1, every third judged. */
static int32_t fill(struct ipr_db_fixture *f)
{
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_db_new_game g[29];
    int32_t id = 0;
    char sql[256];

    for (unsigned i = 0; i < 29; i++)
        g[i] = ipr_sample_game(&f->mem, i + 1, ipr_arena_printf(&f->mem, "name%02u, first", i),
                               ipr_arena_printf(&f->mem, "name%02u, first", i + 1),
                               1990 + (int)i % 4, 20);
    ipr_sample_store(f->db, g, 29, "");
    assert_ok(ipr_db_judge_ensure(f->db, &judge, &id, &f->err), &f->err);
    for (unsigned i = 0; i < 29; i += 3) {
        snprintf(sql, sizeof sql,
                 "INSERT INTO player_total (player_id, judge_id, games, turns) SELECT white_id,"
                 " %d, 1, %u FROM game WHERE id = %lld",
                 (int)id, 100 - i / 6, (long long)g[i].id);
        ipr_db_test_sql(sql);
    }
    return id;
}

/* Pages of seven, one after another, are the whole list in order, each player once. */
static void test_cursor(void **state)
{
    struct ipr_db_fixture *f = *state;
    const int32_t judge = fill(f);
    struct ipr_db_player *rows = NULL, last = { .turns = -1 };
    size_t n = 0, seen = 0;

    do {
        assert_ok(ipr_db_player_list(f->db, "", judge, last.turns, last.id, 7, NULL, &f->mem, &rows,
                                     &n, &f->err),
                  &f->err);
        for (size_t i = 0; i < n; i++) {
            if (seen++ > 0)
                assert_true(rows[i].turns < last.turns ||
                            (rows[i].turns == last.turns && rows[i].id > last.id));
            last = rows[i];
            assert_in_range(last.games, 1, 2);
            assert_true(last.first_year >= 1990 && last.last_year <= 1993);
        }
    } while (n == 7);
    assert_int_equal(seen, 30);
}

static void test_search(void **state)
{
    static const struct {
        const char *search;
        size_t found;
    } rows[] = {
        { "name1", 10 }, { "fir name2", 10 }, { "first, name29", 1 }, { "ame", 0 },
        { "name%", 0 },  { " first  ", 30 },  { "name_1", 0 },        { "name07 x", 0 },
    };
    struct ipr_db_fixture *f = *state;
    const int32_t judge = fill(f);
    struct ipr_db_player *got = NULL;
    size_t n = 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_ok(ipr_db_player_list(f->db, rows[i].search, judge, -1, 0, 100, NULL, &f->mem, &got,
                                     &n, &f->err),
                  &f->err);
        assert_int_equal(n, rows[i].found);
    }
    assert_ok(ipr_db_player_list(f->db, NULL, 0, -1, 0, 100, NULL, &f->mem, &got, &n, &f->err),
              &f->err);
    assert_int_equal(n, 30);
}

static void test_years_and_games(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    struct ipr_db_new_game g[5];
    struct ipr_db_player_year *years = NULL;
    struct ipr_db_player_game *games = NULL;
    struct ipr_db_player p = { 0 };
    int32_t id = 0;
    size_t n = 0;

    for (unsigned i = 0; i < 5; i++)
        g[i] = ipr_sample_game(&f->mem, i, i % 2 ? "p" : "q", i % 2 ? "q" : "p",
                               i == 4 ? 0 : 2000 + (int)i / 2, 20);
    ipr_sample_store(f->db, g, 5, "");
    assert_ok(ipr_db_judge_ensure(f->db, &judge, &id, &f->err), &f->err);
    const int32_t q = (int32_t)ipr_db_test_int("SELECT id FROM player WHERE name = 'q'");

    assert_ok(ipr_db_player_years(f->db, q, id, IPR_TIME_SET_DEFAULT, &f->mem, &years, &n, &f->err),
              &f->err);
    assert_int_equal(n, 3);
    assert_int_equal(years[0].year, 0); /* the undated game */
    assert_int_equal(years[0].games, 1);
    assert_int_equal(years[1].year, 2000);
    assert_int_equal(years[1].games, 2);
    assert_int_equal(years[1].version, 0);
    assert_int_equal(years[1].elo_mean, 2500); /* game 0: White without; game 1: Black 2500 */
    assert_int_equal(years[2].elo_mean, 2451); /* 2402 and 2500 */
    assert_string_equal(years[2].name, "q");

    assert_ok(ipr_db_player_get(f->db, q, id, IPR_TIME_SET_DEFAULT, &f->mem, &p, &f->err), &f->err);
    assert_int_equal(p.games, 5);
    assert_int_equal(p.first_year, 2000);
    assert_int_equal(p.last_year, 2001);
    assert_int_equal(ipr_db_player_get(f->db, 9999, id, IPR_TIME_SET_DEFAULT, &f->mem, &p, &f->err),
                     IPR_ENOTFOUND);
    assert_int_equal(ipr_db_player_get(f->db, 0, id, IPR_TIME_SET_DEFAULT, &f->mem, &p, &f->err),
                     IPR_ENOTFOUND);
    ipr_err_clear(&f->err);

    assert_ok(ipr_db_player_games(f->db, q, 0, id, 10, &f->mem, &games, &n, &f->err), &f->err);
    assert_int_equal(n, 5);
    assert_false(games[0].judged);
    assert_int_equal(games[0].id, g[3].id); /* newest first; of unknown year last */
    assert_int_equal(games[4].id, g[4].id);
    assert_ok(ipr_db_player_games(f->db, q, 2001, id, 1, &f->mem, &games, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
}

static void test_years_top(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_player_year *rows = NULL;
    size_t n = 0;

    const int32_t judge = fill(f);
    ipr_db_test_sql("INSERT INTO player_year (player_id, year, judge_id, version, games, turns)"
                    " SELECT white_id, year, 1, 1, 1, id * 10 FROM game");
    assert_ok(ipr_db_player_years_top(f->db, judge, IPR_TIME_SET_DEFAULT, 100, 5, &f->mem, &rows,
                                      &n, &f->err),
              &f->err);
    assert_int_equal(n, 5);
    assert_int_equal(rows[0].turns, 290);
    assert_int_equal(rows[4].turns, 250);
    assert_int_equal(rows[0].games_judged, 1);
    assert_true(rows[0].elo_mean > 2000);
    assert_ok(ipr_db_player_years_top(f->db, judge, IPR_TIME_SET_DEFAULT, 250, 50, &f->mem, &rows,
                                      &n, &f->err),
              &f->err);
    assert_int_equal(n, 5);
}

static void test_judges(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_judge judge = ipr_sample_judge(), got;
    struct ipr_db_judge_row *rows = NULL;
    int32_t a = 0, again = 0, b = 0, id = 0;
    size_t n = 0;

    assert_ok(ipr_db_judge_ensure(f->db, &judge, &a, &f->err), &f->err);
    assert_ok(ipr_db_judge_ensure(f->db, &judge, &again, &f->err), &f->err);
    assert_int_equal(a, again);
    snprintf(judge.network, sizeof judge.network, "other.nnue");
    assert_ok(ipr_db_judge_ensure(f->db, &judge, &b, &f->err), &f->err);
    assert_true(a != b);
    assert_ok(ipr_db_judge_get(f->db, b, &got, &f->err), &f->err);
    assert_string_equal(got.network, "other.nnue");
    assert_int_equal(got.multipv, 3);
    assert_int_equal(ipr_db_judge_get(f->db, 99, &got, NULL), IPR_ENOTFOUND);
    assert_int_equal(ipr_db_judge_by_name(f->db, "sample", &id, &got, NULL), IPR_ENOTFOUND);
    ipr_db_test_sql("INSERT INTO judge_total SELECT id, 1, 1, id, 7 FROM judge");
    assert_ok(ipr_db_judge_by_name(f->db, "sample", &id, &got, &f->err), &f->err);
    assert_int_equal(id, b);
    assert_ok(ipr_db_judge_list(f->db, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 2);
    assert_int_equal(rows[0].id, b);
    assert_int_equal(rows[1].turns, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_cursor),    WITH_DB(test_search), WITH_DB(test_years_and_games),
        WITH_DB(test_years_top), WITH_DB(test_judges),
    };

    return cmocka_run_group_tests_name("players", tests, NULL, NULL);
}
