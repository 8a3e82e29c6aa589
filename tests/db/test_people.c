/* Who played: identities, what people make of them, and that every figure follows exactly. */
#include "people.h"

static struct ipr_db_game game_of(struct ipr_db_fixture *f, int64_t id)
{
    struct ipr_db_game game;

    assert_ok(ipr_db_game_get(f->db, id, &f->mem, &game, &f->err), &f->err);
    return game;
}

/* As it was read, whatever has become of it. */
static void judge_read(struct ipr_db_fixture *f, const struct ipr_db_game *game, unsigned seed)
{
    const struct ipr_judge judge = ipr_sample_judge();
    const struct ipr_judged_game judged = ipr_sample_judgement(&f->mem, &judge, game, seed);

    ipr_sample_judged(f->db, ipr_sample_judge_id(f->db), game, &judged, 3);
}

/* Everything that figures are made of, identity by identity, without what was emptied. */
static const char *snapshot(struct ipr_db_fixture *f)
{
    const char *s = ipr_db_test_sql(
        "SELECT md5(string_agg(x, '|' ORDER BY x)) FROM ("
        "SELECT concat_ws(' ', 'y', player_id, year, judge_id, time_class, games, turns, counted,"
        "  at_0, at_30) AS x FROM player_year WHERE games <> 0"
        " UNION ALL SELECT concat_ws(' ', 't', player_id, judge_id, time_class, games, turns)"
        "  FROM player_total WHERE games <> 0"
        " UNION ALL SELECT concat_ws(' ', 'g', id, white_id, black_id) FROM game"
        " UNION ALL SELECT concat_ws(' ', 'p', id, merged_into) FROM player"
        "  WHERE merged_into IS NOT NULL) AS all_rows");

    return ipr_arena_strndup(&f->mem, s, strlen(s));
}

/* Player-years recomputed from the turns by SQL of another shape. 0 rows differ. */
static void assert_consistent(void)
{
    ipr_sample_totals_hold();
    assert_int_equal(
        ipr_db_test_int(
            "WITH t AS (SELECT CASE s.colour WHEN 0 THEN g.white_id ELSE g.black_id END AS "
            "player_id,"
            " g.year, s.judge_id, g.time_class + 6 * s.imported::integer AS time_class, s.turns, "
            "x.counted, x.at_0 FROM judged_side s"
            " JOIN game g ON g.id = s.game_id CROSS JOIN LATERAL (SELECT"
            "  count(*) FILTER (WHERE ply >= 18 AND legal > 1) AS counted,"
            "  count(*) FILTER (WHERE ply >= 18 AND legal > 1 AND best_cp = played_cp) AS at_0"
            "  FROM turn t WHERE t.game_id = s.game_id AND t.judge_id = s.judge_id"
            "  AND t.mover = s.colour) AS x WHERE g.year <> 0),"
            " a AS (SELECT player_id, year, judge_id, time_class, count(*) AS games,"
            "  sum(turns) AS turns, sum(counted) AS counted, sum(at_0) AS at_0 FROM t"
            "  WHERE player_id <> 0 GROUP BY 1, 2, 3, 4)"
            " SELECT count(*) FROM a FULL JOIN (SELECT * FROM player_year WHERE games <> 0) y"
            " USING (player_id, year, judge_id, time_class) WHERE"
            " (a.games, a.turns, a.counted, a.at_0) IS DISTINCT FROM"
            " (y.games::bigint, y.turns::bigint, y.counted::numeric, y.at_0::numeric)"),
        0);
}

static void assert_conflict(struct ipr_db_fixture *f, enum ipr_code rc, const char *type)
{
    assert_int_equal(rc, IPR_ECONFLICT);
    assert_string_equal(f->err.type, type);
    ipr_err_clear(&f->err);
}

/* ---- identities -------------------------------------------------------------------------------
 */

static void test_identities(void **state)
{
    static const struct ipr_identity who[] = {
        { "Name, A", "name,a", "name,a", "Name, A", 0 },
        { "Name, A", "name,a", "name,a", "Name, A", 7 },
        { "A. Name", "a name", "a name", "A. Name", 7 },
        { "?", "", "", "?", 0 },
        { "Name, A", "name,a", "name,a", "Name, A", 0 },
        { "Name, A", "name,a", "name,a", "Name, A", 8 },
        { "Näme, A", "näme,a", "naeme,a", "Naeme,  A.", 0 },
        { "?", "", "", "?", 9 },
    };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_identity id[8], again[8];

    identities(f, who, 8, id);
    assert_int_equal(id[0].id, id[4].id);
    assert_int_equal(id[1].id, id[2].id);
    assert_true(id[0].id != id[1].id && id[1].id != id[5].id && id[0].id != id[5].id);
    assert_int_equal(id[3].id, IPR_PLAYER_NOBODY);
    assert_int_equal(id[7].id, IPR_PLAYER_NOBODY);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(id[i].person, id[i].id);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player WHERE id <> 0"), 4);
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(name, '; ' ORDER BY key, player_id)"
                                        " FROM spelling"),
                        "A. Name; Naeme,  A.; Name, A; Name, A; Name, A; Näme, A");
    identities(f, who, 8, again);
    assert_memory_equal(id, again, sizeof id);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player WHERE id <> 0"), 4);
    assert_int_equal(ipr_db_test_int("SELECT max(id) FROM player"), 4); /* no id is burnt */

    assert_ok(ipr_db_merge(f->db, id[0].id, id[1].id, false, "me", NULL, &f->err), &f->err);
    identities(f, who, 8, again);
    assert_int_equal(again[0].id, id[0].id);
    assert_int_equal(again[0].person, id[1].id);
}

static void test_search_by_any_spelling(void **state)
{
    static const struct {
        const char *search;
        size_t found;
    } rows[] = {
        { "muller", 1 }, { "müller", 1 },        { "hans mul", 1 }, { "naeme", 1 },  { "name", 1 },
        { "hans", 1 },   { "\xc5\x82ukasz", 1 }, { "lukasz", 1 },   { "nobody", 0 }, { "uller", 0 },
        { "?", 0 },      { "muller name", 0 },
    };
    static const struct ipr_identity more[] = {
        { "Hans Müller", "hans müller", "hans müller", "Hans Müller", 7 },
        { "Näme, A", "näme,a", "naeme,a", "Naeme, A", 0 },
        { "Łukasz", "łukasz", "łukasz", "Łukasz", 7 },
    };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_identity id[3];
    struct ipr_db_player *got = NULL;
    char sql[160];
    size_t n = 0;

    identities(f, more, 3, id);
    const int64_t game = play(f, 1, "x", "y", 2001, false);
    snprintf(sql, sizeof sql, "UPDATE game SET white_id = %d, black_id = %d WHERE id = %lld",
             (int)id[0].id, (int)id[1].id, (long long)game);
    ipr_db_test_sql(sql);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_ok(
            ipr_db_player_list(f->db, rows[i].search, 0, -1, 0, 10, &f->mem, &got, &n, &f->err),
            &f->err);
        if (n != rows[i].found)
            fail_msg("\"%s\" finds %zu", rows[i].search, n);
    }
    /* x and y are left without games, nobody is no player: none of them is listed. */
    assert_ok(ipr_db_player_list(f->db, NULL, 0, -1, 0, 10, &f->mem, &got, &n, &f->err), &f->err);
    assert_int_equal(n, 2);
}

/* A search for "bobby" finds players named Robert as well as those named Bobby. */
static void test_search_by_short_given_name(void **state)
{
    static const struct {
        const char *search;
        size_t found;
    } rows[] = {
        { "bobby fis", 2 },    { "fischer, bobby", 2 }, { "rob fischer", 1 },
        { "vlad fischer", 0 }, { "bobbyx fischer", 0 }, { "bobby", 2 },
    };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_player *got = NULL;
    size_t n = 0;

    play(f, 1, "fischer,robert james", "fischer,bobby", 1971, false);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_ok(
            ipr_db_player_list(f->db, rows[i].search, 0, -1, 0, 10, &f->mem, &got, &n, &f->err),
            &f->err);
        if (n != rows[i].found)
            fail_msg("%s finds %zu", rows[i].search, n);
    }
}

static void test_nobody(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, 3, "someone", "x", 2001, 60);

    g.black = (struct ipr_identity){ .name = "?", .key = "", .tagged = "", .tagged_name = "?" };
    ipr_sample_store(f->db, &g, 1, "sample");
    ipr_sample_judge_game(f->db, &f->mem, g.id, 3);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player_year"), 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player_total WHERE player_id = 0"), 0);
    assert_int_equal(ipr_db_test_int("SELECT sum(sides) FROM judge_total"), 2);
    assert_int_equal(ipr_db_merge(f->db, 0, ipr_db_test_player("someone"), false, "me", NULL, NULL),
                     IPR_ENOTFOUND);
    assert_int_equal(ipr_db_merge(f->db, ipr_db_test_player("someone"), 0, false, "me", NULL, NULL),
                     IPR_ENOTFOUND);
}

/* ---- merge ------------------------------------------------------------------------------------
 */

struct figures {
    struct ipr_db_player p;
    struct ipr_db_player_year *years;
    size_t n_years;
    struct ipr_db_player_turns turns;
    size_t games;
};

static struct figures figures(struct ipr_db_fixture *f, int32_t id, unsigned times)
{
    const int32_t judge = ipr_sample_judge_id(f->db);
    struct ipr_db_player_game *games = NULL;
    struct figures x = { 0 };

    assert_ok(ipr_db_player_get(f->db, id, judge, times, &f->mem, &x.p, &f->err), &f->err);
    assert_ok(
        ipr_db_player_years(f->db, x.p.id, judge, times, &f->mem, &x.years, &x.n_years, &f->err),
        &f->err);
    const struct ipr_db_scope scope = ipr_db_scope_year(x.p.id, 0, times);
    assert_ok(ipr_db_player_turns(f->db, &scope, judge, &f->mem, &x.turns, &f->err), &f->err);
    assert_ok(ipr_db_player_games(f->db, x.p.id, 0, judge, 100, &f->mem, &games, &x.games, &f->err),
              &f->err);
    return x;
}

static void test_merge_and_undo(void **state)
{
    struct ipr_db_fixture *f = *state;
    int64_t first = 0, second = 0;

    play(f, 1, "a", "z", 2001, true);
    play(f, 2, "b", "z", 2001, true);
    play(f, 3, "z", "b", 2002, true);
    play(f, 4, "c", "z", 2003, true);
    const int32_t a = ipr_db_test_player("a"), b = ipr_db_test_player("b"),
                  c = ipr_db_test_player("c");
    const char *before = snapshot(f);
    const struct figures of_a = figures(f, a, IPR_TIME_SET_DEFAULT);
    const struct figures of_b = figures(f, b, IPR_TIME_SET_DEFAULT);

    assert_ok(ipr_db_merge(f->db, b, a, false, "me", &first, &f->err), &f->err);
    const struct figures both = figures(f, b, IPR_TIME_SET_DEFAULT);
    assert_int_equal(both.p.id, a);
    assert_string_equal(both.p.name, "a");
    assert_int_equal(both.p.games, 3);
    assert_int_equal(both.games, 3);
    assert_int_equal(both.p.turns, of_a.p.turns + of_b.p.turns);
    assert_int_equal(both.turns.n, of_a.turns.n + of_b.turns.n);
    assert_int_equal(both.n_years, 2);
    assert_int_equal(both.years[0].turns, of_a.years[0].turns + of_b.years[0].turns);
    assert_int_equal(both.years[0].at_30, of_a.years[0].at_30 + of_b.years[0].at_30);
    assert_true(both.years[0].version > of_a.years[0].version);

    /* Of a person merged on, all members follow; the first merge now rests under the second. */
    assert_ok(ipr_db_merge(f->db, a, c, false, "me", &second, &f->err), &f->err);
    assert_int_equal(figures(f, b, IPR_TIME_SET_DEFAULT).p.id, c);
    assert_int_equal(figures(f, c, IPR_TIME_SET_DEFAULT).p.games, 4);
    assert_conflict(f, ipr_db_identity_undo(f->db, first, "me", &f->err), "later_change");
    assert_ok(ipr_db_identity_undo(f->db, second, "you", &f->err), &f->err);
    const struct figures again = figures(f, b, IPR_TIME_SET_DEFAULT);
    assert_int_equal(again.p.id, a);
    assert_true(again.years[0].version > both.years[0].version);
    assert_ok(ipr_db_identity_undo(f->db, first, "me", &f->err), &f->err);
    assert_string_equal(snapshot(f), before);
    /* What was kept of a alone before it all must not be taken for what is kept from now on. */
    assert_true(figures(f, a, IPR_TIME_SET_DEFAULT).years[0].version > again.years[0].version);
    assert_conflict(f, ipr_db_identity_undo(f->db, first, "me", &f->err), "already_undone");
    assert_int_equal(ipr_db_identity_undo(f->db, 99, "me", NULL), IPR_ENOTFOUND);
}

/* What speaks against one person is for somebody to overrule, knowingly. */
static int64_t version(struct ipr_db_fixture *f, const char *name)
{
    const struct figures x = figures(f, ipr_db_test_player(name), IPR_TIME_SET_DEFAULT);

    assert_true(x.n_years > 0);
    assert_true(x.years[0].version >> 32 == x.p.version >> 32); /* the year's and the career's */
    return x.years[0].version;
}

/* What was kept of those who played a person that changes is void, too; whoever is at such a row,
 * as an import may be for minutes, is not waited for. */
static void test_opponents(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_db_split by_colour = { .name = "n", .key = "n", .colour = 0 };
    const char *const names[] = { "y", "z" };
    int64_t was[2], merge = 0, split = 0;

    play(f, 1, "a", "z", 2001, true);
    play(f, 2, "y", "b", 2001, true);
    play(f, 3, "b", "y", 2001, true);
    play(f, 4, "c", "x", 2001, true);
    const int64_t apart = version(f, "x");

    PGconn *other = PQconnectdb(f->url);
    PQclear(PQexec(other, "BEGIN"));
    PGresult *locked = PQexec(other, "SELECT id FROM player WHERE name IN ('x', 'y', 'z')"
                                     " FOR NO KEY UPDATE");
    assert_int_equal(PQntuples(locked), 3);
    PQclear(locked);
    assert_ok(ipr_db_lock_patience(f->db, 10000, &f->err), &f->err);
    for (int step = 0; step < 4; step++) {
        for (size_t i = 0; i < 2; i++)
            was[i] = version(f, names[i]);
        if (step == 0)
            assert_ok(ipr_db_merge(f->db, ipr_db_test_player("b"), ipr_db_test_player("a"), false,
                                   "me", &merge, &f->err),
                      &f->err);
        else if (step == 1)
            assert_ok(
                ipr_db_split(f->db, ipr_db_test_player("a"), &by_colour, "me", &split, &f->err),
                &f->err);
        else
            assert_ok(ipr_db_identity_undo(f->db, step == 2 ? split : merge, "me", &f->err),
                      &f->err);
        for (size_t i = 0; i < 2; i++)
            assert_true(version(f, names[i]) > was[i]);
        assert_int_equal(version(f, "x"), apart); /* has met none of them */
    }
    PQfinish(other);
}

static void test_merge_against_evidence(void **state)
{
    static const struct ipr_identity fide[] = { { "e", "e", "e", "e", 11 },
                                                { "g", "g", "g", "g", 12 } };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_identity id[2];
    int64_t change = 0;

    play(f, 1, "a", "b", 2001, false);
    play(f, 2, "c", "d", 2001, false);
    const int32_t a = ipr_db_test_player("a"), b = ipr_db_test_player("b"),
                  c = ipr_db_test_player("c");
    identities(f, fide, 2, id);
    assert_conflict(f, ipr_db_merge(f->db, b, a, false, "me", NULL, &f->err), "played_each_other");
    assert_conflict(f, ipr_db_merge(f->db, id[0].id, id[1].id, false, "me", NULL, &f->err),
                    "two_fide_ids");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM identity_change"), 0);
    /* It holds for all that a person is made of. */
    assert_ok(ipr_db_merge(f->db, id[0].id, c, false, "me", NULL, &f->err), &f->err);
    assert_conflict(f, ipr_db_merge(f->db, id[1].id, c, false, "me", NULL, &f->err),
                    "two_fide_ids");
    assert_ok(ipr_db_merge(f->db, id[1].id, c, true, "me", &change, &f->err), &f->err);
    assert_ok(ipr_db_identity_undo(f->db, change, "me", &f->err), &f->err);
    assert_ok(ipr_db_merge(f->db, a, c, false, "me", NULL, &f->err), &f->err);
    assert_conflict(f, ipr_db_merge(f->db, b, c, false, "me", NULL, &f->err), "played_each_other");
    assert_ok(ipr_db_merge(f->db, b, c, true, "me", NULL, &f->err), &f->err);
}

static void test_merge_refusals(void **state)
{
    struct ipr_db_fixture *f = *state;
    int64_t told = 0;

    play(f, 1, "a", "b", 2001, false);
    play(f, 2, "c", "d", 2001, false);
    const int32_t a = ipr_db_test_player("a"), b = ipr_db_test_player("b"),
                  c = ipr_db_test_player("c"), d = ipr_db_test_player("d");
    assert_conflict(f, ipr_db_merge(f->db, a, a, false, "me", NULL, &f->err), "same_player");
    assert_int_equal(ipr_db_merge(f->db, a, 99, false, "me", NULL, &f->err), IPR_ENOTFOUND);
    assert_non_null(strstr(f->err.msg, "99"));
    ipr_err_clear(&f->err);
    assert_ok(ipr_db_merge(f->db, b, a, true, "me", NULL, &f->err), &f->err);
    assert_conflict(f, ipr_db_merge(f->db, b, a, false, "me", NULL, &f->err), "same_player");
    assert_conflict(f, ipr_db_merge(f->db, a, b, false, "me", NULL, &f->err), "same_player");
    assert_conflict(f, ipr_db_merge(f->db, b, c, false, "me", NULL, &f->err), "already_merged");
    assert_conflict(f, ipr_db_merge(f->db, c, b, false, "me", NULL, &f->err), "already_merged");
    assert_ok(ipr_db_distinct(f->db, c, a, "me", &told, &f->err), &f->err);
    assert_conflict(f, ipr_db_distinct(f->db, a, c, "me", NULL, &f->err), "declared_distinct");
    assert_conflict(f, ipr_db_merge(f->db, a, c, false, "me", NULL, &f->err), "declared_distinct");
    /* It holds for the person that either became part of. */
    assert_ok(ipr_db_merge(f->db, a, d, false, "me", NULL, &f->err), &f->err);
    assert_conflict(f, ipr_db_merge(f->db, c, d, false, "me", NULL, &f->err), "declared_distinct");
    assert_ok(ipr_db_identity_undo(f->db, told, "me", &f->err), &f->err);
    assert_ok(ipr_db_merge(f->db, c, d, true, "me", NULL, &f->err), &f->err);
}

/* ---- split ------------------------------------------------------------------------------------
 */

static void test_split_and_undo(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_split s = into("elder");
    int64_t change = 0, merge = 0;

    play(f, 1, "twin", "x", 1950, true);
    play(f, 2, "x", "twin", 1951, true);
    play(f, 3, "twin", "y", 2001, true);
    play(f, 4, "y", "twin", 0, true);
    const int64_t unjudged = play(f, 5, "twin", "y", 1951, false);
    const int32_t twin = ipr_db_test_player("twin");
    const struct ipr_db_game read_before = game_of(f, unjudged);
    const struct figures whole = figures(f, twin, IPR_TIME_SET_DEFAULT);

    s.from = 1900, s.to = 1999;
    assert_ok(ipr_db_split(f->db, twin, &s, "me", &change, &f->err), &f->err);
    assert_consistent();
    const struct figures old = figures(f, ipr_db_test_player("elder"), IPR_TIME_SET_DEFAULT);
    const struct figures young = figures(f, twin, IPR_TIME_SET_DEFAULT);
    assert_int_equal(old.p.games, 3);
    assert_int_equal(young.p.games, 2);
    assert_int_equal(old.turns.n + young.turns.n, whole.turns.n);
    assert_int_equal(old.p.turns + young.p.turns, whole.p.turns);
    assert_true(old.turns.n > 0 && young.turns.n > 0);
    assert_int_equal(old.years[1].games, 2);
    judge_read(f, &read_before, 5); /* goes to whom it belongs now */
    assert_consistent();
    assert_true(figures(f, ipr_db_test_player("elder"), IPR_TIME_SET_DEFAULT).turns.n >
                old.turns.n);

    assert_ok(ipr_db_merge(f->db, ipr_db_test_player("elder"), ipr_db_test_player("x"), true, "me",
                           &merge, &f->err),
              &f->err);
    assert_conflict(f, ipr_db_identity_undo(f->db, change, "me", &f->err), "later_change");
    assert_ok(ipr_db_identity_undo(f->db, merge, "me", &f->err), &f->err);
    assert_ok(ipr_db_identity_undo(f->db, change, "me", &f->err), &f->err);
    assert_consistent();
    assert_int_equal(figures(f, ipr_db_test_player("elder"), IPR_TIME_SET_DEFAULT).p.games, 0);
    assert_true(figures(f, twin, IPR_TIME_SET_DEFAULT).turns.n > whole.turns.n);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player_year WHERE games < 0"), 0);
}

static void test_split_is_undone_exactly(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_split s = into("other");
    int64_t change = 0;

    const int64_t g1 = play(f, 1, "twin", "x", 1950, true);
    play(f, 2, "x", "twin", 1951, true);
    const int64_t g3 = play(f, 3, "twin", "y", 0, true);
    const int64_t self = play(f, 4, "twin", "twin", 1960, true);
    const int64_t foreign = play(f, 5, "x", "y", 1960, true);
    const int64_t three[] = { g1, g3, self }, wrong[] = { g1, foreign };
    const int32_t twin = ipr_db_test_player("twin");
    const char *before = snapshot(f);

    s.games = three, s.n_games = 3;
    assert_conflict(f, ipr_db_split(f->db, twin, &s, "me", NULL, &f->err), "both_sides");
    s.colour = 0;
    assert_ok(ipr_db_split(f->db, twin, &s, "me", &change, &f->err), &f->err);
    assert_consistent();
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game WHERE white_id <> black_id"), 5);
    assert_ok(ipr_db_identity_undo(f->db, change, "me", &f->err), &f->err);
    assert_string_equal(snapshot(f), before);

    s.colour = -1, s.games = wrong, s.n_games = 2;
    assert_int_equal(ipr_db_split(f->db, twin, &s, "me", NULL, &f->err), IPR_EDATA);
    assert_string_equal(f->err.type, "no_such_games");
    ipr_err_clear(&f->err);
    s.games = NULL, s.n_games = 0, s.tagged = "nobody of that name";
    assert_int_equal(ipr_db_split(f->db, twin, &s, "me", NULL, NULL), IPR_EDATA);
    s.tagged = "102"; /* the FIDE id of Black in game 2 */
    assert_ok(ipr_db_split(f->db, twin, &s, "me", &change, &f->err), &f->err);
    assert_int_equal(figures(f, ipr_db_test_player("other"), IPR_TIME_SET_DEFAULT).p.games, 1);
    assert_ok(ipr_db_identity_undo(f->db, change, "me", &f->err), &f->err);
    s = into("y");
    s.from = 1, s.to = 9999, s.colour = 1;
    assert_ok(ipr_db_split(f->db, twin, &s, "me", &change, &f->err), &f->err);
    assert_consistent(); /* to an identity that was there, with games of its own */
    assert_ok(ipr_db_identity_undo(f->db, change, "me", &f->err), &f->err);
    assert_string_equal(snapshot(f), before);
    s = into("z");
    s.from = 1, s.to = 9999;
    assert_conflict(f, ipr_db_split(f->db, ipr_db_test_player("x"), &s, "me", NULL, &f->err),
                    "nothing_left");
    s = into("twin");
    s.from = 1950, s.to = 1950;
    assert_conflict(f, ipr_db_split(f->db, twin, &s, "me", NULL, &f->err), "same_player");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player WHERE name IN ('z')"), 0);
    assert_string_equal(snapshot(f), before);
}

struct imported {
    const struct ipr_db_game *game;
    const struct ipr_judged_game *judged;
};

static enum ipr_code import_sides(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct ipr_db_work sent = { .source = "import:ann", .upload_id = 1 };
    const struct imported *x = arg;

    return ipr_db_sides_store(db, ipr_sample_judge_id(db), x->game, x->judged, 3, &sent, NULL, err);
}

/* Imported evaluations are counted separately and move with their game, too. */
static void test_split_of_imported(void **state)
{
    struct ipr_db_fixture *f = *state;
    const struct ipr_judge judge = ipr_sample_judge();
    const struct ipr_db_game game = game_of(f, play(f, 1, "twin", "x", 1950, false));
    const struct ipr_judged_game judged = ipr_sample_judgement(&f->mem, &judge, &game, 3);
    struct imported x = { &game, &judged };
    struct ipr_db_split s = into("elder");
    int64_t change = 0;

    play(f, 2, "twin", "y", 2001, true);
    assert_ok(ipr_db_tx(f->db, import_sides, &x, &f->err), &f->err);
    assert_consistent();
    const char *before = snapshot(f);
    s.from = 1900, s.to = 1999;
    assert_ok(ipr_db_split(f->db, ipr_db_test_player("twin"), &s, "me", &change, &f->err), &f->err);
    assert_consistent();
    assert_ok(ipr_db_identity_undo(f->db, change, "me", &f->err), &f->err);
    assert_string_equal(snapshot(f), before);
}

/* ---- the log ----------------------------------------------------------------------------------
 */

static void test_log(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_identity_change *rows = NULL, one;
    int64_t id[3] = { 0 };
    size_t n = 0;

    play(f, 1, "a", "b", 2001, false);
    play(f, 2, "c", "d", 2001, false);
    assert_ok(ipr_db_merge(f->db, ipr_db_test_player("b"), ipr_db_test_player("a"), true, "ann",
                           &id[0], &f->err),
              &f->err);
    assert_ok(ipr_db_distinct(f->db, ipr_db_test_player("c"), ipr_db_test_player("d"), "bob",
                              &id[1], &f->err),
              &f->err);
    assert_ok(ipr_db_identity_undo(f->db, id[0], "cid", &f->err), &f->err);
    assert_ok(ipr_db_identity_changes(f->db, 0, 10, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 2);
    assert_int_equal(rows[0].id, id[1]);
    assert_string_equal(rows[0].kind, "distinct");
    assert_null(rows[0].undone);
    assert_string_equal(rows[1].player, "b");
    assert_string_equal(rows[1].other, "a");
    assert_string_equal(rows[1].created_by, "ann");
    assert_string_equal(rows[1].undone_by, "cid");
    assert_ok(ipr_db_identity_changes(f->db, id[1], 10, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
    assert_ok(ipr_db_identity_change_get(f->db, id[0], &f->mem, &one, &f->err), &f->err);
    assert_int_equal(one.id, id[0]);
    assert_int_equal(ipr_db_identity_change_get(f->db, 99, &f->mem, &one, NULL), IPR_ENOTFOUND);
}

/* ---- classes of time control ------------------------------------------------------------------
 */

static void test_classes(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_player_year *top = NULL;
    size_t n = 0;

    for (unsigned i = 0; i < 6; i++) {
        struct ipr_db_new_game g = ipr_sample_game(&f->mem, i + 1, "p", "q", 2001, 60);
        g.time_class = (enum ipr_time_class)i;
        ipr_sample_store(f->db, &g, 1, "sample");
        ipr_sample_judge_game(f->db, &f->mem, g.id, i);
    }
    assert_consistent();
    const struct figures some = figures(f, ipr_db_test_player("p"), IPR_TIME_SET_DEFAULT);
    const struct figures every = figures(f, ipr_db_test_player("p"), IPR_TIME_SET_ALL);
    const struct figures blitz = figures(f, ipr_db_test_player("p"), IPR_TIME_BIT(IPR_TIME_BLITZ));
    assert_int_equal(some.turns.games, 2);
    assert_int_equal(every.turns.games, 6);
    assert_int_equal(blitz.turns.games, 1);
    assert_int_equal(some.years[0].games, 2);
    assert_int_equal(some.years[0].in_class[IPR_TIME_BLITZ], 1);
    assert_int_equal(every.years[0].games_judged, 6);
    assert_int_equal(some.years[0].turns, some.turns.n);
    assert_int_equal(every.years[0].turns, every.turns.n);
    assert_int_equal(some.p.turns, some.turns.n);
    assert_true(blitz.turns.n > 0 && some.turns.n + blitz.turns.n < every.turns.n);

    const int32_t judge = ipr_sample_judge_id(f->db);
    assert_ok(ipr_db_player_years_top(f->db, judge, IPR_TIME_SET_DEFAULT, 1, 5, &f->mem, &top, &n,
                                      &f->err),
              &f->err);
    assert_int_equal(n, 2);
    assert_int_equal(top[0].games_judged, 2);
    assert_int_equal(top[0].games, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_identities),
        WITH_DB(test_search_by_any_spelling),
        WITH_DB(test_search_by_short_given_name),
        WITH_DB(test_nobody),
        WITH_DB(test_merge_and_undo),
        WITH_DB(test_opponents),
        WITH_DB(test_merge_refusals),
        WITH_DB(test_merge_against_evidence),
        WITH_DB(test_split_and_undo),
        WITH_DB(test_split_is_undone_exactly),
        WITH_DB(test_split_of_imported),
        WITH_DB(test_log),
        WITH_DB(test_classes),
    };

    return cmocka_run_group_tests_name("people", tests, NULL, NULL);
}
