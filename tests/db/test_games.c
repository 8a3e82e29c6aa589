#include "db/games.h"
#include "db/lists.h"

#include "base/mem.h"
#include "db/players.h"
#include "db/uploads.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

static void test_roundtrip(void **state)
{
    static const char fen[] = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    struct ipr_db_fixture *f = *state;
    struct ipr_db_new_game g[2] = {
        ipr_sample_game(&f->mem, 2, "a \"b\" \\c {d}", "NULL", 1999, 60),
        ipr_sample_game(&f->mem, 3, "x", "y", 0, 0),
    };
    struct ipr_db_game got = { 0 };

    g[1].start_fen = fen;
    ipr_sample_store(f->db, g, 2, "");
    assert_ok(ipr_db_game_get(f->db, g[0].id, &f->mem, &got, &f->err), &f->err);
    assert_string_equal(got.white, "a \"b\" \\c {d}");
    assert_string_equal(got.black, "NULL");
    assert_string_equal(got.event, g[0].event);
    assert_string_equal(got.tags_json, g[0].tags_json); /* order of the tags kept */
    assert_int_equal(got.year, 1999);
    assert_int_equal(got.white_elo, 2402);
    assert_int_equal(got.result, g[0].result);
    assert_int_equal(got.n_moves, g[0].n_moves);
    assert_memory_equal(got.moves, g[0].moves, g[0].n_moves * sizeof *g[0].moves);
    assert_false(got.custom_start);

    assert_ok(ipr_db_game_get(f->db, g[1].id, &f->mem, &got, &f->err), &f->err);
    assert_int_equal(got.white_elo, 0);
    assert_int_equal(got.n_moves, 0);
    assert_true(got.custom_start);
    assert_int_equal(got.start.turn, IPR_BLACK);

    assert_int_equal(ipr_db_game_get(f->db, 999999, &f->mem, &got, &f->err), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
}

static void test_filter(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_new_game g[6];
    int64_t *ids = NULL;
    size_t n = 0;

    for (unsigned i = 0; i < 6; i++) {
        g[i] = ipr_sample_game(&f->mem, i + 100, i < 3 ? "a" : "b", "c", 2000 + (int)i % 2, 10);
        if (i == 5)
            g[i].tags_json = "{\"Milepost\":\"2600\"}";
    }
    ipr_sample_store(f->db, g, 6, "");
    const int32_t a = (int32_t)ipr_db_test_int("SELECT id FROM player WHERE name = 'a'");
    const struct ipr_db_game_filter filters[] = {
        { 0 },
        { .from = 2001, .to = 2001 },
        { .player = a },
        { .event_name = "Odd" },
        { .tag = "Milepost" },
        { .judge_id = 1 },
        { .event_name = "Odd", .from = 2001, .player = a },
    };
    const size_t want[] = { 6, 3, 3, 3, 1, 0, 1 };

    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        assert_ok(ipr_db_game_ids(f->db, &filters[i], 0, 100, &f->mem, &ids, &n, &f->err), &f->err);
        assert_int_equal(n, want[i]);
    }
    assert_ok(ipr_db_game_ids(f->db, &filters[0], 0, 100, &f->mem, &ids, &n, &f->err), &f->err);
    for (size_t i = 1; i < n; i++)
        assert_true(ids[i] > ids[i - 1]);
}

static void test_many(void **state)
{
    struct ipr_db_fixture *f = *state;
    const size_t n = 2500;
    struct ipr_db_new_game *g = ipr_arena_alloc(&f->mem, n, sizeof *g);

    for (unsigned i = 0; i < n; i++)
        g[i] = ipr_sample_game(&f->mem, i + 1, ipr_arena_printf(&f->mem, "white %u", i % 50),
                               ipr_arena_printf(&f->mem, "black %u", i % 70), 2010, 30);
    ipr_sample_store(f->db, g, n, "");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game"), n);
    for (size_t i = 1; i < n; i++)
        assert_true(g[i].id > g[i - 1].id);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player WHERE id <> 0"), 120);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM event WHERE id <> 0"), 2);
}

static void test_invalid(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, 1, "a", "b", 20000, 3);
    struct ipr_db_new_game *each = &g;

    assert_int_equal(ipr_db_games_insert(f->db, 1, &each, 1, &f->err), IPR_EINVAL);
    ipr_err_clear(&f->err);
}

static void test_uploads(void **state)
{
    static const unsigned char digest[32] = { 1, 2, 3 }, other[32] = { 9 };
    struct ipr_db_fixture *f = *state;
    struct ipr_db_new_game g[3];
    struct ipr_db_upload u = { 0 }, *list = NULL;
    struct ipr_db_upload_error *errors = NULL;
    struct ipr_db_upload_player *players = NULL;
    int64_t id = 0;
    size_t n = 0;

    for (unsigned i = 0; i < 3; i++)
        g[i] = ipr_sample_game(&f->mem, i + 1, i < 2 ? "p" : "q", "r", 2001, 20);
    const int64_t upload = ipr_sample_store(f->db, g, 3, "standard");
    const struct ipr_db_upload_error bad = { .game = 4,
                                             .line = 17,
                                             .column = 3,
                                             .ply = -1,
                                             .type = "illegal_move",
                                             .detail = "Ke9 \xc3\xa9",
                                             .white = "w",
                                             .black = "" };
    assert_ok(ipr_db_upload_error_add(f->db, upload, &bad, &f->err), &f->err);
    assert_ok(ipr_db_upload_error_add(f->db, upload, &bad, &f->err), &f->err);
    u = (struct ipr_db_upload){ .id = upload, .games_read = 4, .imported = 3, .rejected = 1 };
    ipr_db_test_sql("UPDATE upload SET state = 'importing'");
    assert_int_equal(ipr_db_upload_by_digest(f->db, digest, &id, &f->err), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
    assert_ok(ipr_db_upload_end(f->db, &u, &f->err), &f->err);
    /* Once: by then it may have been cancelled. */
    assert_int_equal(ipr_db_upload_end(f->db, &u, &f->err), IPR_ECONFLICT);
    assert_string_equal(f->err.type, "upload_cancelled");
    ipr_err_clear(&f->err);

    assert_ok(ipr_db_upload_get(f->db, upload, &f->mem, &u, &f->err), &f->err);
    assert_int_equal(u.games_read, 4);
    assert_int_equal(u.imported, 3);
    assert_int_equal(u.rejected, 1);
    assert_int_equal(u.bytes, 1234);
    assert_string_equal(u.judge, "standard");
    assert_int_equal(strlen(u.created), strlen("2024-01-01T00:00:00Z"));
    assert_int_equal(u.queued + u.running + u.analysed + u.failed, 0);

    assert_ok(ipr_db_upload_errors(f->db, upload, &f->mem, &errors, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
    assert_int_equal(errors[0].line, 17);
    assert_int_equal(errors[0].ply, -1);
    assert_string_equal(errors[0].detail, bad.detail);

    assert_ok(ipr_db_upload_players(f->db, upload, 10, &f->mem, &players, &n, &f->err), &f->err);
    assert_int_equal(n, 3);
    assert_string_equal(players[0].name, "r");
    assert_int_equal(players[0].games, 3);
    assert_int_equal(players[0].year, 2001);

    assert_ok(ipr_db_upload_by_digest(f->db, digest, &id, &f->err), &f->err);
    assert_int_equal(id, upload);
    assert_int_equal(ipr_db_upload_by_digest(f->db, other, &id, &f->err), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
    assert_ok(ipr_db_upload_list(f->db, INT64_MAX, 10, &f->mem, &list, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
    assert_int_equal(list[0].id, upload);
    assert_int_equal(ipr_db_upload_get(f->db, 0, &f->mem, &u, &f->err), IPR_ENOTFOUND);
    ipr_err_clear(&f->err);
}

/* A game sent twice in one upload counts once; a claimed one runs; a failed one is listed. */
static void test_upload_progress(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_new_game g[3];
    struct ipr_db_upload u = { 0 };
    struct ipr_db_failed_job *failed = NULL;
    size_t n = 0;

    for (unsigned i = 0; i < 3; i++)
        g[i] = ipr_sample_game(&f->mem, i + 1, "p", "q", 2001, 20);
    const int64_t upload = ipr_sample_store(f->db, g, 3, "standard");
    ipr_db_test_sql("INSERT INTO upload_duplicate (upload_id, ordinal, game_id, kind, improved)"
                    " SELECT upload_id, 4, id, 0, false FROM game ORDER BY id LIMIT 1");
    ipr_db_test_sql("INSERT INTO job (game_id, judge, upload_id)"
                    " SELECT id, 'standard', upload_id FROM game");
    ipr_db_test_sql("INSERT INTO job (game_id, judge, upload_id)"
                    " SELECT id, 'deep', upload_id FROM game");
    ipr_db_test_sql("UPDATE job SET state = 'leased', turns_done = 3, turns_total = 9"
                    " WHERE id = (SELECT min(id) FROM job)");
    ipr_db_test_sql("UPDATE job SET state = 'failed', last_error = 'why' WHERE id ="
                    " (SELECT max(id) FROM job WHERE judge = 'standard')");
    assert_ok(ipr_db_upload_get(f->db, upload, &f->mem, &u, &f->err), &f->err);
    assert_int_equal(u.queued, 1);
    assert_int_equal(u.running, 1);
    assert_int_equal(u.failed, 1);
    assert_int_equal(u.turns_done, 3);
    assert_int_equal(u.turns_total, 9); /* the one that waits has no estimate here */
    assert_ok(ipr_db_upload_failed(f->db, upload, &f->mem, &failed, &n, &f->err), &f->err);
    assert_int_equal(n, 1);
    assert_string_equal(failed[0].reason, "why");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_roundtrip), WITH_DB(test_filter),  WITH_DB(test_many),
        WITH_DB(test_invalid),   WITH_DB(test_uploads), WITH_DB(test_upload_progress),
    };

    return cmocka_run_group_tests_name("games", tests, NULL, NULL);
}
