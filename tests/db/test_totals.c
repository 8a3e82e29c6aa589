/* Lists and totals beside many games are what counting all of them gives. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "db/players.h"
#include "db/tournaments.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

/* Players "common NN" and "rare NN", of whom every fourth has judged turns, three persons of
 * several identities, two without games; events of equal names. */
static const char scenery[] =
    "INSERT INTO judge (id, name, engine, network, multipv, depth, hash_mb, threads, first_move)"
    " OVERRIDING SYSTEM VALUE VALUES (1, 'sample', 'Engine', 'nn', 3, 2, 16, 1, 9);"
    "INSERT INTO player (id, name, name_key) OVERRIDING SYSTEM VALUE"
    " SELECT n, x, x FROM (SELECT n, CASE n % 50 WHEN 7 THEN 'rare ' ELSE 'common ' END || n AS x"
    "  FROM generate_series(1, 1500) AS n) AS s;"
    "INSERT INTO spelling (player_id, key, name) SELECT id, name_key, name FROM player WHERE id > "
    "0;"
    "INSERT INTO spelling (player_id, key, name) VALUES (9, 'o''brien,\\x', 'x'), (21, 'rare,a', "
    "'x');"
    "INSERT INTO event (name, year) SELECT CASE n % 60 WHEN 5 THEN 'Rare, ' ELSE 'Common ' END || "
    "n,"
    " 1900 + n % 100 FROM generate_series(1, 1300) AS n;"
    "INSERT INTO game (white_id, black_id, event_id, year, date, site, round, result, plies, moves,"
    " tags, moves_key, stem, time_class, white_elo, black_elo)"
    " SELECT 1 + n * 7 % 1498, 1 + n * 13 % 1498, 1 + n % 1290, CASE n % 9 WHEN 0 THEN 0"
    "  ELSE 1900 + n * 3 % 100 END, '', '', '', 1, 0, '', '{}', n, 0, n % 3,"
    "  CASE n % 4 WHEN 0 THEN 2000 + n % 700 END, CASE n % 5 WHEN 0 THEN 2001 + n % 700 END"
    "  FROM generate_series(1, 4000) AS n;"
    "INSERT INTO player_total (player_id, judge_id, time_class, games, turns)"
    " SELECT id, 1, c, 1, id * 37 % 50 * 10 FROM player, generate_series(0, 2) AS c"
    "  WHERE id % 4 = 1 AND id < 1498;"
    "UPDATE player SET merged_into = 40 WHERE id IN (7, 41, 1400);"
    "UPDATE player SET merged_into = 5 WHERE id IN (9, 13);"
    "UPDATE player SET merged_into = 1402 WHERE id = 1403";

static int totals_setup(void **state)
{
    const int rc = ipr_db_fixture_setup(state);

    ipr_db_test_sql(scenery);
    return rc;
}

/* What a buffer holds, in the fixture's memory. */
static const char *totals_kept(struct ipr_db_fixture *f, struct ipr_buf *text)
{
    const char *kept = ipr_arena_printf(&f->mem, "%s", ipr_buf_c(text));

    ipr_buf_release(text);
    return kept;
}

/* `want` is the query of the expected rows; the message has the first row that differs. */
static void assert_rows(struct ipr_db_fixture *f, const char *what, const char *got,
                        const char *want)
{
    const char *different = ipr_db_test_sql(ipr_arena_printf(
        &f->mem,
        "SELECT concat(got, ', by counting ', want) FROM"
        " unnest(string_to_array('%s', ';')) WITH ORDINALITY AS g (got, n) FULL JOIN"
        " unnest(string_to_array((%s), ';')) WITH ORDINALITY AS w (want, n) USING (n)"
        " WHERE got IS DISTINCT FROM want ORDER BY n LIMIT 1",
        got, want));

    if (*different != '\0')
        fail_msg("%s: %s", what, different);
}

/* The rows of all pages, as the reference writes them. */
static const char *players_listed(struct ipr_db_fixture *f, const char *search)
{
    struct ipr_db_player *rows = NULL, last = { .turns = -1 };
    struct ipr_buf text = IPR_BUF_INIT;
    size_t n = 0;

    do {
        assert_ok(ipr_db_player_list(f->db, search, 1, last.turns, last.id, 90, NULL, &f->mem,
                                     &rows, &n, &f->err),
                  &f->err);
        for (size_t i = 0; i < n; i++) {
            last = rows[i];
            ipr_buf_printf(&text, "%d %d %d %d %d;", (int)last.id, (int)last.turns, (int)last.games,
                           (int)last.first_year, (int)last.last_year);
        }
    } while (n == 90);
    return totals_kept(f, &text);
}

static void test_players(void **state)
{
    static const struct {
        const char *search, *like;
    } rows[] = {
        { "", "%" },           { "common", "% common%" }, { "rare", "% rare%" },
        { "c", "% c%" },       { "common 1", NULL },      { "o'brien", "% o''brien%" },
        { "\\x", "% \\\\x%" }, { "nobody", "% nobody%" },
    };
    struct ipr_db_fixture *f = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *which =
            rows[i].like == NULL
                ? "' ' || s.key LIKE '% common%' AND ' ' || s.key LIKE '% 1%'"
                : ipr_arena_printf(&f->mem, "' ' || translate(s.key, ',', ' ') LIKE '%s'",
                                   rows[i].like);
        const char *listed = players_listed(f, rows[i].search);

        assert_rows(
            f, rows[i].search, listed,
            ipr_arena_printf(
                &f->mem,
                "WITH p AS (SELECT id, coalesce(merged_into, id) AS person FROM player"
                " WHERE id <> 0),"
                " g AS (SELECT DISTINCT p.person, g.id, g.year FROM p JOIN game g"
                "  ON p.id IN (g.white_id, g.black_id)),"
                " a AS (SELECT person, count(*) AS games, coalesce(min(nullif(year, 0)), 0) AS a,"
                "  max(year) AS b FROM g GROUP BY 1),"
                " t AS (SELECT person, coalesce(sum(turns), 0) AS turns FROM p LEFT JOIN"
                "  player_total t ON t.player_id = p.id GROUP BY 1)"
                " SELECT coalesce(string_agg(concat_ws(' ', person, turns, games, a, b) || ';', ''"
                "  ORDER BY turns DESC, person), '') FROM a JOIN t USING (person) WHERE person IN"
                "  (SELECT person FROM p JOIN spelling s ON s.player_id = p.id WHERE %s)",
                which));
    }
}

static const char *events_listed(struct ipr_db_fixture *f, const char *search, int year)
{
    struct ipr_db_tournament_query q = {
        .search = search, .from = year, .to = year, .judge_id = 1, .after_year = -1, .limit = 90
    };
    struct ipr_db_tournament *rows = NULL;
    struct ipr_buf text = IPR_BUF_INIT;
    size_t n = 0;

    do {
        assert_ok(ipr_db_tournament_list(f->db, &q, &f->mem, &rows, &n, &f->err), &f->err);
        for (size_t i = 0; i < n; i++) {
            ipr_buf_printf(&text, "%d %d;", (int)rows[i].id, (int)rows[i].games);
            q.after_year = rows[i].year;
            q.after_id = rows[i].id;
        }
    } while (n == 90);
    return totals_kept(f, &text);
}

static void test_events(void **state)
{
    static const struct {
        const char *search;
        int year;
        const char *where;
    } rows[] = {
        { "", 0, "true" },
        { "", 1950, "e.year = 1950" },
        { "common", 0, "name LIKE 'Common %'" },
        { "COMM 12", 0, "name LIKE 'Common 12%'" },
        { "common", 1950, "name LIKE 'Common %' AND e.year = 1950" },
        { "rare", 0, "name LIKE 'Rare%'" },
        { "rare", 1905, "name LIKE 'Rare%' AND e.year = 1905" },
        { "-,", 0, "true" },
        { "nowhere", 0, "false" },
    };
    struct ipr_db_fixture *f = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *listed = events_listed(f, rows[i].search, rows[i].year);

        assert_rows(
            f, rows[i].search, listed,
            ipr_arena_printf(
                &f->mem,
                "SELECT coalesce(string_agg(concat_ws(' ', id, games) || ';', ''"
                " ORDER BY year DESC, id DESC), '') FROM (SELECT e.id, e.year, count(*) AS games"
                "  FROM event e JOIN game g ON g.event_id = e.id WHERE e.id <> 0 AND %s"
                "  GROUP BY e.id) AS x",
                rows[i].where));
    }
}

/* Player-years of two classes: those with most turns in both have not the most in either. */
static void test_years_top(void **state)
{
    static const struct {
        int min_turns, limit;
        const char *times;
        unsigned set;
    } rows[] = {
        { 1, 5, "0, 1", 3 }, { 1, 60, "0, 1", 3 },      { 1, 3000, "0, 1", 3 },
        { 1, 7, "2", 4 },    { 900, 40, "0, 1, 2", 7 }, { 99999, 5, "0, 1", 3 },
    };
    struct ipr_db_fixture *f = *state;

    ipr_db_test_sql(
        "INSERT INTO player_year (player_id, year, judge_id, time_class, version, games,"
        " turns) SELECT id, 1950 + y, 1, c, 1, 1,"
        "  CASE WHEN c = 2 THEN id * 7 % 1000 WHEN (id + y + c) % 2 = 0"
        "   THEN 500 + (id * 31 + y) % 300 ELSE (id * 17 + y) % 490 END"
        " FROM player, generate_series(0, 1) AS y, generate_series(0, 2) AS c"
        " WHERE id % 3 = 1 AND id < 1498");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ipr_db_player_year *years = NULL;
        struct ipr_buf text = IPR_BUF_INIT;
        size_t n = 0;

        assert_ok(ipr_db_player_years_top(f->db, 1, rows[i].set, rows[i].min_turns, rows[i].limit,
                                          &f->mem, &years, &n, &f->err),
                  &f->err);
        for (size_t k = 0; k < n; k++)
            ipr_buf_printf(&text, "%d %d %d;", (int)years[k].player_id, years[k].year,
                           (int)years[k].turns);
        assert_rows(
            f, rows[i].times, totals_kept(f, &text),
            ipr_arena_printf(
                &f->mem,
                "SELECT coalesce(string_agg(concat_ws(' ', person, year, turns) || ';', ''"
                " ORDER BY turns DESC, person, year), '') FROM (SELECT coalesce(merged_into, id)"
                "  AS person, year, sum(turns) AS turns FROM player_year JOIN player ON id ="
                "  player_id WHERE time_class IN (%s) GROUP BY 1, 2 HAVING sum(turns) >= %d"
                "  ORDER BY 3 DESC, 1, 2 LIMIT %d) AS x",
                rows[i].times, rows[i].min_turns, rows[i].limit));
    }
}

/* However games and judged turns come, change and go. */
static void test_changes(void **state)
{
    static const char *const changes[] = {
        "UPDATE game SET year = 1999, white_elo = 1234 WHERE id % 3 = 0",
        "UPDATE game SET white_id = black_id, black_id = white_id WHERE id % 5 = 0",
        "UPDATE game SET white_id = 0, black_elo = NULL WHERE id % 7 = 0",
        "UPDATE game SET black_id = 11, time_class = 4 WHERE id % 11 = 0",
        "DELETE FROM game WHERE id % 2 = 0",
        "UPDATE player_total SET turns = turns + 5 WHERE time_class = 1",
        "UPDATE player_total SET player_id = 2 WHERE player_id = 1",
        "DELETE FROM player_total WHERE player_id % 3 = 0",
        "TRUNCATE game CASCADE",
    };
    (void)state;
    ipr_sample_totals_hold();
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        ipr_db_test_sql(changes[i]);
        ipr_sample_totals_hold();
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, totals_setup, ipr_db_fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = { TEST(test_players), TEST(test_events), TEST(test_years_top),
                                        TEST(test_changes) };

    return cmocka_run_group_tests_name("totals", tests, NULL, NULL);
}
