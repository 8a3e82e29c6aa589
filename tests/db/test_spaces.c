/* Sessions see what is listed, or one private upload, or all (db/db.h). */
#include "db/deletion.h"
#include "db/events.h"
#include "db/players.h"
#include "duplicates.h"

#define GAMES                                                                                      \
    GAME(RICH "[WhiteFideId \"2500001\"]\n", "1-0", PLIES_30)                                      \
    GAME("[Event \"Elsewhere\"]\n[Date \"1971.01.02\"]\n[Round \"1\"]\n" PLAYERS                   \
         "[WhiteFideId \"2500001\"]\n",                                                            \
         "0-1", PLIES_24)

/* Everything that lists and ratings of listed games are made of. */
static const char *listed_rows(struct ipr_db_fixture *f)
{
    static const char *const tables[] = { "upload",      "player",       "event",
                                          "game",        "spelling",     "surname",
                                          "player_year", "player_total", "player_turns",
                                          "judged_side", "judge_total",  "player_games" };
    const char *all = ipr_db_test_sql("SELECT sum(transactions)::text || ' '"
                                      " || (SELECT count(*) FROM changed_year) FROM game_change");

    all = ipr_arena_printf(&f->mem, "%s", all);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        all = ipr_arena_printf(
            &f->mem, "%s %s", all,
            ipr_db_test_sql(ipr_arena_printf(&f->mem,
                                             "SELECT md5(coalesce(string_agg(t::text, ' ' ORDER BY "
                                             "t::text), '')) FROM listed.%s AS t",
                                             tables[i])));
    return all;
}

/* The same games as a private upload with a key of its own. */
static struct ipr_ingest_result import_privately(struct ipr_db_fixture *f, char key)
{
    struct ipr_ingest_options o = plain;
    struct ipr_ingest_result r = { 0 };
    unsigned char digest[32] = { 0 };
    const char keys[32] = { key };
    int64_t id = 0;

    assert_ok(ipr_db_private_id(f->db, &id, &f->err), &f->err);
    assert_true(id >= IPR_DB_PRIVATE_FROM);
    assert_ok(ipr_db_enter(f->db, ipr_db_space_of(id), &f->err), &f->err);
    assert_ok(ipr_db_upload_begin(f->db, "mine", digest, 1, "quick", "ann",
                                  (struct ipr_str){ keys, sizeof keys }, &o.upload_id, &f->err),
              &f->err);
    assert_int_equal(o.upload_id, id);
    o.judge = "quick";
    assert_ok(try(f, GAMES, &o, &r), &f->err);
    return r;
}

static int players_found(struct ipr_db_fixture *f)
{
    struct ipr_db_player *rows = NULL;
    size_t n = 0;

    assert_ok(ipr_db_player_list(f->db, "fischer", 1, -1, 0, 10, NULL, &f->mem, &rows, &n, &f->err),
              &f->err);
    return (int)n;
}

/* What the search finds, and how often each of the two is there. */
static void test_apart(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_deletion gone;
    struct ipr_db_event event;

    const struct ipr_ingest_result listed = import(f, GAMES);
    assert_int_equal(listed.imported, 2);
    const char *before = listed_rows(f);
    const struct ipr_ingest_result mine = import_privately(f, 'm');
    assert_int_equal(mine.imported, 2);
    assert_int_equal(mine.duplicate, 0);
    assert_int_equal(mine.queued, 2);
    const struct ipr_ingest_result other = import_privately(f, 'o');
    assert_int_equal(other.imported, 2);
    assert_string_equal(listed_rows(f), before);

    /* Each finds its own: a lease begins with what is listed. */
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player WHERE name LIKE 'Fischer%'"), 3);
    assert_int_equal(players_found(f), 1);
    assert_ok(ipr_db_event_get(f->db, (int32_t)ipr_db_test_int("SELECT max(id) FROM event"),
                               &f->mem, &event, &f->err),
              &f->err);
    assert_ok(ipr_db_enter(f->db, mine.upload_id, &f->err), &f->err);
    assert_int_equal(players_found(f), 1);
    assert_int_equal(ipr_db_event_get(f->db, (int32_t)ipr_db_test_int("SELECT max(id) FROM event"),
                                      &f->mem, &event, &f->err),
                     IPR_ENOTFOUND);
    ipr_db_return(&f->db);
    assert_ok(ipr_db_lease(f->pool, &f->db, &f->err), &f->err);
    assert_int_equal(players_found(f), 1);
    assert_int_equal(ipr_db_event_get(f->db, (int32_t)ipr_db_test_int("SELECT max(id) FROM event"),
                                      &f->mem, &event, &f->err),
                     IPR_ENOTFOUND);
    assert_ok(ipr_db_enter(f->db, IPR_DB_ALL, &f->err), &f->err);
    assert_int_equal(players_found(f), 3);

    /* An upload is not there for another one, nor for what is listed. */
    assert_ok(ipr_db_enter(f->db, other.upload_id, &f->err), &f->err);
    assert_int_equal(ipr_db_upload_delete(f->db, mine.upload_id, 5, &gone, &f->err), IPR_ENOTFOUND);
    assert_ok(ipr_db_upload_delete(f->db, other.upload_id, 5, &gone, &f->err), &f->err);
    assert_int_equal(gone.games, 2);
    assert_int_equal(gone.players, 2);
    assert_int_equal(gone.events, 2);
    assert_ok(ipr_db_enter(f->db, mine.upload_id, &f->err), &f->err);
    assert_ok(ipr_db_upload_delete(f->db, mine.upload_id, 5, &gone, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player WHERE space > 0"), 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
    assert_string_equal(listed_rows(f), before);

    /* And the other way round. */
    const struct ipr_ingest_result again = import_privately(f, 'a');
    assert_ok(ipr_db_enter(f->db, IPR_DB_LISTED, &f->err), &f->err);
    assert_ok(ipr_db_upload_delete(f->db, listed.upload_id, 5, &gone, &f->err), &f->err);
    assert_int_equal(gone.games, 2);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game"), 2);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM listed.player"), 1); /* nobody */
    assert_int_equal(again.duplicate, 0);
}

/* A row that a faulty program would put into the wrong space. */
static void test_refused(void **state)
{
    struct ipr_db_fixture *f = *state;

    (void)import(f, GAMES);
    assert_true(ipr_db_test_refused("UPDATE player SET space = 1000000000"));
    assert_true(ipr_db_test_refused(
        "INSERT INTO player (id, name, name_key) VALUES (1000000000, 'x', 'x')"));
    assert_true(
        ipr_db_test_refused("INSERT INTO event (id, name, year) VALUES (1000000000, 'x', 1)"));
    assert_true(ipr_db_test_refused("UPDATE game SET upload_id = 1000000000"));
    assert_true(ipr_db_test_refused("UPDATE upload SET key = 'x'"));
    assert_true(
        ipr_db_test_refused("SET search_path = private, public; SELECT count(*) FROM player"));
}

/* Views have the columns that their tables had when they were made. */
static void test_views(void **state)
{
    (void)state;
    assert_string_equal(
        ipr_db_test_sql(
            "SELECT coalesce(string_agg(concat_ws('.', v.table_schema, v.table_name), ' '), '')"
            " FROM information_schema.tables AS v WHERE v.table_schema IN ('listed', 'private')"
            " AND v.table_name <> 'judge_total' AND ("
            "  SELECT array_agg(c.column_name ORDER BY c.ordinal_position)"
            "  FROM information_schema.columns AS c"
            "  WHERE (c.table_schema, c.table_name) = (v.table_schema, v.table_name)"
            " ) IS DISTINCT FROM ("
            "  SELECT array_agg(c.column_name ORDER BY c.ordinal_position)"
            "  FROM information_schema.columns AS c"
            "  WHERE (c.table_schema, c.table_name) = ('public', v.table_name))"),
        "");
}

int main(void)
{
    const struct CMUnitTest tests[] = { WITH_DB(test_apart), WITH_DB(test_refused),
                                        WITH_DB(test_views) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
