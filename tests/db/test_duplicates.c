/* Games that are there already, in one form or another, through whole imports. */
#include "duplicates.h"
#include "ipr_sentences_sample.h"

static const char columns[] =
    "SELECT concat_ws('|', plies, result, g.year, date, e.name, e.year, site, round, white_elo,"
    " tags ->> 'Site', tags ->> 'Result', notes IS NOT NULL)"
    " FROM game AS g JOIN event AS e ON e.id = g.event_id";

/* ---- one kind after the other -----------------------------------------------------------------
 */

static void test_identical(void **state)
{
    struct ipr_ingest_result r = import(*state, GAME(POOR, "*", PLIES_24));

    expect(&r, 1, IPR_DUPLICATE_IDENTICAL, 0, 0);
    r = import(*state, GAME(RICH, "1/2-1/2", PLIES_24 " {agreed}"));
    expect(&r, 0, IPR_DUPLICATE_IDENTICAL, 1, 1);
    assert_string_equal(ipr_db_test_sql(columns),
                        "24|3|1972|1972.08.27|World Championship 28th|1972|Reykjavik|20|2785|"
                        "Reykjavik|1/2-1/2|t");
    assert_string_equal(ipr_db_test_sql("SELECT concat_ws(' ', d.upload_id, d.ordinal, d.game_id,"
                                        " kind, improved) FROM upload_duplicate AS d"),
                        "2 1 1 0 t");
    /* Nothing new in it any more; nor in the poor one. */
    r = import(*state, GAME(RICH, "1/2-1/2", PLIES_24) GAME(POOR, "*", PLIES_24));
    expect(&r, 0, IPR_DUPLICATE_IDENTICAL, 2, 0);
}

static void test_contained(void **state)
{
    import(*state, GAME(RICH, "1/2-1/2", PLIES_30));
    const struct ipr_ingest_result r = import(*state, GAME(POOR, "*", PLIES_24));

    expect(&r, 0, IPR_DUPLICATE_CONTAINED, 1, 0);
    assert_int_equal(ipr_db_test_int("SELECT plies FROM game"), 30);
}

static void test_extends(void **state)
{
    import(*state, GAME(POOR, "*", PLIES_24));
    struct ipr_ingest_result r = import(*state, GAME(RICH, "1/2-1/2", PLIES_30));

    expect(&r, 0, IPR_DUPLICATE_EXTENDS, 1, 1);
    assert_string_equal(ipr_db_test_sql(columns),
                        "30|3|1972|1972.08.27|World Championship 28th|1972|Reykjavik|20|2785|"
                        "Reykjavik|1/2-1/2|f");
    assert_int_equal(ipr_db_test_int("SELECT id FROM game"), 1);
    /* Found again by its new moves. */
    r = import(*state, GAME(RICH, "1/2-1/2", PLIES_30));
    expect(&r, 0, IPR_DUPLICATE_IDENTICAL, 1, 0);
}

static void test_short_extends(void **state)
{
    import(*state, GAME(RICH, "*", "1. e4 e5 2. Nf3"));
    const struct ipr_ingest_result r = import(*state, GAME(RICH, "*", PLIES_30));

    expect(&r, 0, IPR_DUPLICATE_EXTENDS, 1, 1);
    assert_int_equal(ipr_db_test_int("SELECT plies FROM game"), 30);
    assert_true(ipr_db_test_int("SELECT stem FROM game") != 0);
}

static void test_spelling(void **state)
{
    import(*state, GAME(RICH, "1/2-1/2", PLIES_30));
    const struct ipr_ingest_result r =
        import(*state, GAME("[Event \"WCh\"]\n[Date \"1972.??.??\"]\n[White \"Fischer, R\"]\n"
                            "[Black \"Spassky, B\"]\n[ECO \"C95\"]\n",
                            "1/2-1/2", PLIES_30));

    expect(&r, 0, IPR_DUPLICATE_SPELLING, 1, 1);
    assert_string_equal(ipr_db_test_sql("SELECT tags ->> 'ECO' || ' ' || (tags ->> 'White') FROM"
                                        " game"),
                        "C95 Fischer, Robert J");
}

/* Two identities that people made one person of: nothing in the names would say so. */
static void test_merged(void **state)
{
#define LONGER  "[Date \"1972\"]\n[White \"Bobby\"]\n[Black \"Spassky, Boris V\"]\n"
#define SHORTER "[Date \"1972\"]\n" PLAYERS
    import(*state, GAME(LONGER, "*", PLIES_30) GAME(PLAYERS, "*", "1. c4"));
    ipr_db_test_sql("UPDATE player SET merged_into = (SELECT id FROM player WHERE name LIKE 'Fi%')"
                    " WHERE name = 'Bobby'");
    struct ipr_ingest_result r = import(*state, GAME(SHORTER, "*", PLIES_24));
    expect(&r, 0, IPR_DUPLICATE_CONTAINED, 1, 0);
    r = import(*state, GAME(SHORTER, "*", PLIES_30));
    expect(&r, 0, IPR_DUPLICATE_IDENTICAL, 1, 0);
}

/* The same two, the same opening, the same year: other games. */
static void test_different(void **state)
{
    static const char text[] =
        GAME("[Date \"1972.08.27\"]\n[Round \"20\"]\n" PLAYERS, "1/2-1/2", PLIES_24)
            GAME("[Date \"1972.08.29\"]\n[Round \"21\"]\n" PLAYERS, "1/2-1/2", PLIES_24)
                GAME("[Date \"1972\"]\n[Round \"1\"]\n" PLAYERS, "1-0", PLIES_30) GAME(
                    "[White \"Spassky, Boris V\"]\n[Black \"Fischer, Robert J\"]\n", "*", PLIES_24);
    const struct ipr_ingest_result r = import(*state, text);

    expect(&r, 4, IPR_DUPLICATE_IDENTICAL, 0, 0);
}

/* A file within itself: longer, shorter and equal versions in one upload. */
static void test_within_upload(void **state)
{
    static const char text[] = GAME(POOR, "*", PLIES_24) GAME(RICH, "*", PLIES_30)
        GAME(POOR, "*", PLIES_24) GAME(RICH, "1/2-1/2", PLIES_30);
    struct ipr_db_fixture *f = *state;
    struct ipr_db_duplicate *rows = NULL;
    size_t n = 0;
    const struct ipr_ingest_result r = import(f, text);

    assert_int_equal(r.imported, 1);
    assert_ok(ipr_db_duplicates(f->db, r.upload_id, 0, 10, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 3);
    assert_int_equal(rows[0].kind, IPR_DUPLICATE_EXTENDS);
    assert_int_equal(rows[1].kind, IPR_DUPLICATE_CONTAINED);
    assert_int_equal(rows[2].kind, IPR_DUPLICATE_IDENTICAL);
    assert_true(rows[0].improved && !rows[1].improved && rows[2].improved);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(rows[i].game, i + 2);
        assert_int_equal(rows[i].kept, ipr_db_test_int("SELECT id FROM game"));
    }
    assert_string_equal(ipr_db_test_sql("SELECT concat_ws(' ', plies, result, ordinal) FROM game"),
                        "30 3 1");
    assert_ok(ipr_db_duplicates(f->db, r.upload_id, 3, 10, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
}

static void test_twice(void **state)
{
    static const char text[] = GAME(RICH, "1/2-1/2", PLIES_30) GAME(PLAYERS, "*", "")
        GAME("", "*", "1. d4") GAME("[White \"A\"]\n", "1-0", "1. c4 c5");
    struct ipr_ingest_result r = import(*state, text);

    assert_int_equal(r.imported, 4);
    r = import(*state, text);
    /* Without moves, or with few and without a day or an event, nothing says that two are one. */
    assert_int_equal(r.imported, 3);
    assert_int_equal(r.duplicates[IPR_DUPLICATE_IDENTICAL], 1);
}

/* ---- judged games -----------------------------------------------------------------------------
 */

static const char nothing_left[] =
    "SELECT (SELECT count(*) FROM turn) + (SELECT count(*) FROM judged_side)"
    " + (SELECT coalesce(sum(abs(games) + abs(turns) + abs(counted) + abs(at_0) + abs(at_30)), 0)"
    "    FROM player_year)"
    " + (SELECT coalesce(sum(abs(games) + abs(turns)), 0) FROM player_total)"
    " + (SELECT coalesce(sum(abs(games) + abs(sides) + abs(turns)), 0) FROM judge_total)";

/* Judges the only game there is, both sides. */
static enum ipr_code judge_all(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct ipr_db_fixture *f = arg;
    struct ipr_judge judge = ipr_sample_judge();
    struct ipr_db_game game;
    int32_t judge_id = 0;
    enum ipr_code rc = ipr_db_judge_ensure(db, &judge, &judge_id, err);

    judge.first_move = 1;
    if (rc == IPR_OK)
        rc = ipr_db_game_get(db, 1, &f->mem, &game, err);
    if (rc != IPR_OK)
        return rc;
    const struct ipr_judged_game judged = ipr_sample_judgement(&f->mem, &judge, &game, 7);
    return ipr_db_sides_store(db, judge_id, &game, &judged, 3, &ipr_sample_work, NULL, err);
}

static void judge_game(struct ipr_db_fixture *f)
{
    const struct ipr_judge judge = ipr_sample_judge();
    bool fresh;

    assert_ok(ipr_db_definition_add(f->db, &judge, "test", &fresh, &f->err), &f->err);
    assert_ok(ipr_db_tx(f->db, judge_all, f, &f->err), &f->err);
    assert_true(ipr_db_test_int("SELECT count(*) FROM turn") > 10);
}

/* Judgements of the shorter version go, and with them what they counted for; the game is judged
 * again by whoever had judged it or is at it, if it can judge here: nobody knows how the judge of
 * an import searches. */
static void test_extends_judged(void **state)
{
    struct ipr_db_fixture *f = *state;

    import(f, GAME("[Date \"1972\"]\n" PLAYERS, "*", PLIES_24));
    judge_game(f);
    ipr_db_test_sql("INSERT INTO job (game_id, judge, state, lease_token, attempts)"
                    " VALUES (1, 'deep', 'leased', 7, 1), (1, 'theirs', 'leased', 7, 1)");
    const struct ipr_ingest_result r = import(f, GAME(RICH, "1/2-1/2", PLIES_30));
    expect(&r, 0, IPR_DUPLICATE_EXTENDS, 1, 1);
    assert_int_equal(ipr_db_test_int(nothing_left), 0);
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(concat_ws(' ', judge, state, game_id,"
                                        " lease_token), ';' ORDER BY judge) FROM job"),
                        "deep ready 1;sample ready 1");
}

/* What is known of the day moves a judged game to its year, judgements and all. */
static void test_dated_judged(void **state)
{
    struct ipr_db_fixture *f = *state;

    import(f, GAME(POOR, "*", PLIES_24));
    judge_game(f);
    const int64_t turns = ipr_db_test_int("SELECT count(*) FROM turn");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player_year WHERE year <> 0"), 0);
    const struct ipr_ingest_result r = import(f, GAME(RICH, "1/2-1/2", PLIES_24));
    expect(&r, 0, IPR_DUPLICATE_IDENTICAL, 1, 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM turn"), turns);
    assert_int_equal(
        ipr_db_test_int("SELECT sum(turns) FROM player_year WHERE year = 1972 AND games = 1"),
        turns);
    assert_int_equal(ipr_db_test_int("SELECT sum(turns) FROM player_total"), turns);
    assert_int_equal(ipr_db_test_int("SELECT sum(games) FROM judge_total"), 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
}

/* ---- who played -------------------------------------------------------------------------------
 */

#define WHITE_ID(id) "[WhiteFideId \"" id "\"]\n"
#define BLACK_ID(id) "[BlackFideId \"" id "\"]\n"

/* Who plays the only game, by name and FIDE id; the tag; whose the judged turns are. */
static const char who_plays[] =
    "SELECT concat_ws('|', w.name, coalesce(w.fide_id, 0), b.name, coalesce(b.fide_id, 0),"
    " tags ->> 'WhiteFideId', (SELECT string_agg(p.name || ' ' || coalesce(p.fide_id, 0), ', '"
    "  ORDER BY p.name) FROM player_total AS t JOIN player AS p ON p.id = t.player_id"
    "  WHERE t.games <> 0 AND t.turns <> 0))"
    " FROM game JOIN player AS w ON w.id = white_id JOIN player AS b ON b.id = black_id";

/* Both orders of arrival come out alike, whether what came first was judged meanwhile or not. */
static void check_order(struct ipr_db_fixture *f, const char *first, const char *second, bool judge,
                        const char *who)
{
    import(f, first);
    if (judge)
        judge_game(f);
    const struct ipr_ingest_result r = import(f, second);
    assert_int_equal(r.imported, 0);
    assert_int_equal(r.duplicates[IPR_DUPLICATE_SPELLING], 1);
    assert_int_equal(r.conflicting, 0);
    assert_string_equal(ipr_db_test_sql(who_plays), who);
}

#define NO_IDS GAME(RICH, "1/2-1/2", PLIES_24)
#define IDS    GAME(RICH WHITE_ID("77770001") BLACK_ID("77770002"), "*", PLIES_24)
#define BY_ID  "Fischer, Robert J|77770001|Spassky, Boris V|77770002|77770001"
#define TOTALS "|Fischer, Robert J 77770001, Spassky, Boris V 77770002"

static void test_id_second(void **state)
{
    check_order(*state, NO_IDS, IDS, false, BY_ID);
}

static void test_id_first(void **state)
{
    check_order(*state, IDS, NO_IDS, false, BY_ID);
}

static void test_id_second_judged(void **state)
{
    check_order(*state, NO_IDS, IDS, true, BY_ID TOTALS);
    assert_int_equal(ipr_db_test_int("SELECT sum(games) FROM player_year"), 2);
    /* Nothing new in either any more; the next game so tagged is theirs. */
    const struct ipr_ingest_result r = import(
        *state, NO_IDS IDS GAME("[White \"A\"]\n[Black \"Fischer, R\"]\n" BLACK_ID("77770001"), "*",
                                "1. d4"));
    assert_int_equal(r.duplicate, 2);
    assert_int_equal(r.improved, 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game AS g JOIN player AS p ON p.id IN"
                                     " (g.white_id, g.black_id) WHERE p.fide_id = 77770001"),
                     2);
}

static void test_id_first_judged(void **state)
{
    check_order(*state, IDS, NO_IDS, true, BY_ID TOTALS);
}

/* Of one file, too: what is new in it moves before it is stored. */
static void test_id_within_upload(void **state)
{
    const struct ipr_ingest_result r = import(*state, NO_IDS IDS NO_IDS);

    expect(&r, 1, IPR_DUPLICATE_SPELLING, 2, 1);
    assert_string_equal(ipr_db_test_sql(who_plays), BY_ID);
}

#define UNNAMED                                                                                    \
    GAME("[Event \"World Championship 28th\"]\n[Date \"1972.08.27\"]\n[White \"?\"]\n"             \
         "[Black \"Spassky, Boris V\"]\n",                                                         \
         "*", PLIES_24)
#define NAMES  "Fischer, Robert J|0|Spassky, Boris V|0"
#define JUDGED "|Fischer, Robert J 0, Spassky, Boris V 0"

static void test_name_second(void **state)
{
    check_order(*state, UNNAMED, NO_IDS, true, NAMES JUDGED);
    assert_string_equal(ipr_db_test_sql("SELECT tags ->> 'White' FROM game"), "Fischer, Robert J");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
}

static void test_name_first(void **state)
{
    check_order(*state, NO_IDS, UNNAMED, true, NAMES JUDGED);
}

static void test_no_names(void **state)
{
    check_order(*state,
                GAME("[Event \"World Championship 28th\"]\n[Date \"1972.08.27\"]\n", "*", PLIES_24),
                NO_IDS, true, NAMES JUDGED);
}

/* Two FIDE ids of one player: nothing of the second is taken, and the report says so. One that
 * another name has is set `aside` before, and told among the errors. */
static void check_clash(struct ipr_db_fixture *f, const char *first, const char *second,
                        const char *tag, bool aside)
{
    struct ipr_db_duplicate *rows = NULL;
    size_t n = 0;

    import(f,
           GAME("[White \"Carlsen, Magnus\"]\n[Black \"A\"]\n" WHITE_ID("1503014"), "*", "1. d4"));
    ipr_db_test_sql("DELETE FROM game");
    import(f, first);
    const char *before =
        ipr_arena_strndup(&f->mem, ipr_db_test_sql(who_plays), strlen(ipr_db_test_sql(who_plays)));
    const struct ipr_ingest_result r = import(f, second);
    assert_int_equal(r.imported, 0);
    assert_int_equal(r.duplicates[aside ? IPR_DUPLICATE_IDENTICAL : IPR_DUPLICATE_SPELLING], 1);
    assert_int_equal(r.improved, 0);
    assert_int_equal(r.conflicting, !aside);
    assert_int_equal(
        ipr_db_test_int("SELECT count(*) FROM upload_error WHERE type = 'fide_id_set_aside'"),
        aside);
    assert_string_equal(ipr_db_test_sql(who_plays), before);
    assert_string_equal(ipr_db_test_sql("SELECT coalesce(tags ->> 'WhiteFideId', '') FROM game"),
                        tag);
    assert_ok(ipr_db_duplicates(f->db, r.upload_id, 0, 10, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
    assert_int_equal(rows[0].conflicts, aside ? 0 : IPR_CONFLICT_WHITE_FIDE_ID);
}

#define CARLSENS GAME(RICH WHITE_ID("1503014"), "1/2-1/2", PLIES_24)

static void test_clash_second(void **state)
{
    check_clash(*state, NO_IDS, CARLSENS, "", true);
}

static void test_clash_first(void **state)
{
    check_clash(*state, CARLSENS, NO_IDS, "1503014", true);
}

static void test_clash_ids(void **state)
{
    check_clash(*state, GAME(RICH WHITE_ID("77770001"), "1/2-1/2", PLIES_24),
                GAME(RICH WHITE_ID("77770009"), "1/2-1/2", PLIES_24), "77770001", false);
}

/* What a person moved an import does not move, nor between two that a person told apart. */
static void test_decided(void **state)
{
    import(*state, NO_IDS);
    ipr_db_test_sql("INSERT INTO identity_change (kind, player_id, other_id, made_by)"
                    " SELECT 'split', b.id, w.id, 'x' FROM player AS w, player AS b"
                    " WHERE w.name LIKE 'Fi%' AND b.name LIKE 'Sp%'");
    ipr_db_test_sql("INSERT INTO identity_change_side SELECT c.id, g.id, 0, c.player_id"
                    " FROM identity_change AS c, game AS g");
    struct ipr_ingest_result r = import(*state, IDS);
    assert_int_equal(r.conflicting, 1);
    assert_string_equal(ipr_db_test_sql(who_plays),
                        "Fischer, Robert J|0|Spassky, Boris V|77770002");
    ipr_db_test_sql("UPDATE identity_change SET undone = now(), undone_by = 'x'");
    assert_string_equal(ipr_db_test_sql("SELECT count(*) FROM player WHERE fide_id = 77770001"),
                        "0"); /* it has no game */
    ipr_db_test_sql("INSERT INTO player (fide_id, name, name_key)"
                    " SELECT 77770001, name, name_key FROM player WHERE name LIKE 'Fi%'");
    ipr_db_test_sql("INSERT INTO identity_change (kind, player_id, other_id, made_by)"
                    " SELECT 'distinct', a.id, b.id, 'x' FROM player AS a, player AS b"
                    " WHERE a.name LIKE 'Fi%' AND b.name LIKE 'Fi%' AND a.fide_id IS NULL"
                    " AND b.fide_id IS NOT NULL");
    r = import(*state, IDS);
    assert_int_equal(r.conflicting, 1);
    ipr_db_test_sql("UPDATE identity_change SET undone = now(), undone_by = 'x'");
    r = import(*state, IDS);
    assert_int_equal(r.conflicting, 0);
    assert_string_equal(ipr_db_test_sql(who_plays), BY_ID);
}

static enum ipr_code move_late(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct ipr_db_fixture *f = arg;
    struct ipr_db_new_game *g = NULL;
    size_t n = 0;
    enum ipr_code rc = ipr_db_games_load(db, (const int64_t[]){ 1 }, 1, &f->mem, &g, &n, err);

    if (rc != IPR_OK)
        return rc;
    assert_int_equal(n, 1);
    ipr_db_test_sql("INSERT INTO player (name, name_key) VALUES ('Third', 'third'), ('Fourth',"
                    " 'fourth')");
    ipr_db_test_sql("UPDATE game SET white_id = (SELECT id FROM player WHERE name = 'Third')");
    g->white_id.id = g->black_id.id =
        (int32_t)ipr_db_test_int("SELECT id FROM player WHERE name = 'Fourth'");
    return ipr_db_game_change(db, 0, g, false, err);
}

/* Between an import's look at a game and its change somebody may have split a player. */
static void test_moved_meanwhile(void **state)
{
    struct ipr_db_fixture *f = *state;

    import(f, NO_IDS);
    assert_ok(ipr_db_tx(f->db, move_late, f, &f->err), &f->err);
    assert_string_equal(ipr_db_test_sql(who_plays), "Third|0|Fourth|0");
}

static void test_conflicts(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_view view = { .db = f->db, .mem = &f->mem };
    json_t *seen = NULL;

    import(f, GAME(RICH, "1-0", PLIES_24));
    const struct ipr_ingest_result r =
        import(f, GAME("[Date \"1972.08.27\"]\n" PLAYERS "[WhiteElo \"2780\"]\n", "0-1",
                       "1. e4 (1. d4 d5 (1... Nf6) 2. c4) " PLIES_24_ON));
    expect(&r, 0, IPR_DUPLICATE_IDENTICAL, 1, 0);
    assert_int_equal(r.conflicting, 1);
    assert_int_equal(r.variations, 2);
    assert_ok(ipr_view_upload(&view, &(struct ipr_upload_request){ .upload = r.upload_id }, &seen,
                              &f->err),
              &f->err);
    assert_int_equal(json_integer_value(json_object_get(seen, "variations")), 2);
    json_t *conflicts =
        json_object_get(json_array_get(json_object_get(seen, "duplicates"), 0), "conflicts");
    assert_int_equal(json_array_size(conflicts), 2);
    assert_string_equal(json_string_value(json_array_get(conflicts, 0)), "result");
    assert_string_equal(json_string_value(json_array_get(conflicts, 1)), "white_elo");
    json_decref(seen);
}

/* One FIDE id on both sides is refused, and the others live. */
static void test_same_player(void **state)
{
    static const char text[] =
        GAME("[White \"A, A\"]\n[Black \"B\"]\n" WHITE_ID("7") BLACK_ID("7"), "*", PLIES_24) NO_IDS;
    const struct ipr_ingest_result r = import(*state, text);

    assert_int_equal(r.imported, 1);
    assert_int_equal(r.rejected, 1);
    assert_string_equal(
        ipr_db_test_sql("SELECT concat_ws(' ', game, line, type) FROM upload_error"),
        "1 1 same_player");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_identical),       TEST(test_contained),        TEST(test_extends),
        TEST(test_short_extends),   TEST(test_spelling),         TEST(test_merged),
        TEST(test_different),       TEST(test_within_upload),    TEST(test_twice),
        TEST(test_id_second),       TEST(test_id_first),         TEST(test_id_second_judged),
        TEST(test_id_first_judged), TEST(test_id_within_upload), TEST(test_name_second),
        TEST(test_name_first),      TEST(test_no_names),         TEST(test_clash_second),
        TEST(test_clash_first),     TEST(test_clash_ids),        TEST(test_decided),
        TEST(test_moved_meanwhile), TEST(test_conflicts),        TEST(test_same_player),
        TEST(test_extends_judged),  TEST(test_dated_judged),
    };

    ipr_sentences_sample();
    return cmocka_run_group_tests_name("duplicates", tests, NULL, NULL);
}
