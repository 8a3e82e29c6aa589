/* Games without moves: what is computed from figures is what is computed from the lines they were
 * taken from, and they are stored, completed, moved and deleted like these. */
#include "people.h"

#include <fcntl.h>
#include <unistd.h>

#include "db/analyses.h"
#include "db/deletion.h"
#include "db/games.h"
#include "db/jobs.h"
#include "db/lists.h"
#include "db/strength.h"
#include "ingest/ingest.h"
#include "ipr_pack_test.h"
#include "ipr_view_sample.h"
#include "view/game/game.h"
#include "view/json.h"

#define GAMES 427                /* of the sample */
#define SOME  ((GAMES + 9) / 10) /* every tenth of them */

#define CUBAN "Capablanca, Jose Raul"

static struct ipr_ingest_result import_fd(struct ipr_view_scene *s, int fd, const char *judge)
{
    const struct ipr_ingest_options options = { .source = "test",
                                                .judge = judge,
                                                .priority = 5,
                                                .owner = "local",
                                                .max_bytes = 1 << 28,
                                                .again = true };
    struct ipr_ingest_result r = { 0 };

    assert_true(fd >= 0);
    assert_ok(ipr_ingest_fd(s->db, fd, &options, &r, &s->err), &s->err);
    close(fd);
    return r;
}

static struct ipr_ingest_result import(struct ipr_view_scene *s, const char *text)
{
    return import_fd(s, ipr_pack_plain(text, strlen(text)), NULL);
}

/* The games of the sample that the rating's engine setting has analysed. */
static void import_sample(struct ipr_view_scene *s)
{
    const struct ipr_ingest_result r =
        import_fd(s, open("static/samples/rating.ndjson.zst", O_RDONLY | O_CLOEXEC), NULL);

    assert_int_equal(r.rejected, 0);
    assert_int_equal(r.imported, GAMES);
    s->judge_id = (int32_t)ipr_db_test_int("SELECT id FROM judge");
    assert_ok(ipr_db_judge_get(s->db, s->judge_id, &s->judge, &s->err), &s->err);
}

/* All games as lines, in order; `every` 10 leaves nine of ten out. */
static const char *exported(struct ipr_view_scene *s, bool figures, size_t every)
{
    const struct ipr_db_game_filter all = { .judge_id = s->judge_id };
    struct ipr_buf out = IPR_BUF_INIT;
    int64_t *ids = NULL;
    size_t n = 0;

    assert_ok(ipr_db_game_ids(s->db, &all, 0, 1000, &s->mem, &ids, &n, &s->err), &s->err);
    for (size_t i = 0; i < n; i += every)
        assert_ok(ipr_evaluations_line(s->db, ids[i], s->judge_id, &s->judge, figures, NULL, &out,
                                       &s->err),
                  &s->err);
    const char *const text = ipr_arena_strndup(&s->mem, ipr_buf_c(&out), out.n);
    ipr_buf_release(&out);
    return text;
}

/* Nothing is stored, and ids begin again. */
static void wipe(struct ipr_view_scene *s)
{
    (void)ipr_db_test_sql("SET client_min_messages = warning;"
                          "TRUNCATE upload, game, judge, judge_total RESTART IDENTITY CASCADE;"
                          "DELETE FROM player WHERE id <> 0; DELETE FROM event WHERE id <> 0");
    (void)ipr_db_test_sql("SELECT setval(pg_get_serial_sequence('player', 'id'), 1, false),"
                          " setval(pg_get_serial_sequence('event', 'id'), 1, false)");
    (void)s;
}

/* The sample as figures, and of every tenth game lines and figures. */
static char *all_figures, *some_lines, *some_figures;

static int texts_make(void **state)
{
    if (ipr_view_scene_open(state) != 0)
        return -1;
    import_sample(*state);
    all_figures = strdup(exported(*state, true, 1));
    some_lines = strdup(exported(*state, false, 10));
    some_figures = strdup(exported(*state, true, 10));
    return ipr_view_scene_close(state);
}

static int texts_free(void **state)
{
    (void)state;
    free(all_figures);
    free(some_lines);
    free(some_figures);
    return 0;
}

static void import_figures(struct ipr_view_scene *s, const char *text, int games)
{
    assert_int_equal(import(s, text).judged, games);
    s->judge_id = (int32_t)ipr_db_test_int("SELECT id FROM judge");
    assert_ok(ipr_db_judge_get(s->db, s->judge_id, &s->judge, &s->err), &s->err);
}

static const char *text_of(struct ipr_view_scene *s, const char *sql)
{
    const char *const t = ipr_db_test_sql(sql);

    return ipr_arena_strndup(&s->mem, t, strlen(t));
}

/* Every aggregate, by names. */
static const char *aggregates(struct ipr_view_scene *s)
{
    return text_of(
        s, "SELECT string_agg(x, E'\\n' ORDER BY x) FROM ("
           "SELECT concat_ws(' ', 'y', p.name, year, judge_id, time_class, games, turns, counted,"
           " at_0, at_30, strength_moves, strength_score, strength_information) AS x"
           " FROM player_year JOIN player AS p ON p.id = player_id WHERE games <> 0 "
           "UNION ALL SELECT concat_ws(' ', 't', p.name, judge_id, time_class, games, turns,"
           " strength_moves, strength_score, strength_information)"
           " FROM player_total JOIN player AS p ON p.id = player_id WHERE games <> 0 "
           "UNION ALL SELECT concat_ws(' ', 'j', judge_id, time_class, sum(games), sum(sides),"
           " sum(turns)) FROM judge_total GROUP BY judge_id, time_class"
           " HAVING sum(sides) <> 0) AS a");
}

static json_t *ratings(struct ipr_view_scene *s, const char *who, int year)
{
    struct ipr_ratings_request p = IPR_RATINGS_REQUEST_INIT;
    json_t *out = NULL;

    p.player = ipr_db_test_player(who);
    p.year = year;
    p.judge = "rating";
    p.include = IPR_RATINGS_INCLUDE_GAIN;
    assert_ok(ipr_view_ratings(&s->view, &p, &out, &s->err), &s->err);
    return out;
}

static json_t *predictions(struct ipr_view_scene *s)
{
    struct ipr_prediction_request p = IPR_PREDICTION_REQUEST_INIT;
    json_t *out = NULL;

    p.white = (struct ipr_param_side){ .player = ipr_db_test_player(CUBAN), .year = 1927 };
    p.black = (struct ipr_param_side){ .player = ipr_db_test_player("Alekhine, Alexander A"),
                                       .year = 1927 };
    p.judge = "rating";
    p.matrices = true;
    p.replicates = 100;
    assert_ok(ipr_view_prediction(&s->view, &p, &out, &s->err), &s->err);
    return out;
}

static const char *dumped(struct ipr_view_scene *s, const json_t *json)
{
    char *const text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
    const char *const copy = ipr_arena_strndup(&s->mem, text, strlen(text));

    free(text);
    return copy;
}

static const char *member(struct ipr_view_scene *s, const json_t *of, const char *path)
{
    const json_t *const json = ipr_json_find(of, path);

    if (json == NULL)
        fail_msg("no %s in %.2000s", path, dumped(s, of));
    return dumped(s, json);
}

/* All that needs no moves. Complexity does: without lines no move has an indicator. */
static void test_same_as_lines(void **state)
{
    static const char *const same[] = { "rating", "conformance",       "gain",
                                        "elo",    "moves_and_results", "player" };
    struct ipr_view_scene *s = *state;
    const char *want[sizeof same / sizeof *same];

    import_sample(s);
    const char *const sums = aggregates(s);
    json_t *r = ratings(s, CUBAN, 1927), *p = predictions(s);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        want[i] = member(s, r, same[i]);
    const char *const predicted = member(s, p, "predictions");
    assert_true(ipr_json_at(r, "complexity.stability.turns", NAN) > 100);
    assert_true(ipr_json_at(p, "predictions.markov.expected", NAN) > 0);
    assert_true(ipr_json_at(p, "predictions.covariance.expected", NAN) > 0);
    assert_true(ipr_json_at(p, "predictions.conformance.expected", NAN) > 0);
    json_decref(r);
    json_decref(p);

    wipe(s);
    const struct ipr_ingest_result in = import(s, all_figures);
    assert_int_equal(in.rejected, 0);
    assert_int_equal(in.imported, GAMES);
    assert_int_equal(in.judged, GAMES);
    assert_int_equal(ipr_db_test_int("SELECT sum(octet_length(moves)) FROM game"), 0);
    assert_int_equal(ipr_db_test_int("SELECT sum(octet_length(lines)) FROM side_turns"), 0);
    assert_string_equal(aggregates(s), sums);
    assert_consistent();
    r = ratings(s, CUBAN, 1927);
    p = predictions(s);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_string_equal(member(s, r, same[i]), want[i]);
    assert_string_equal(member(s, p, "predictions"), predicted);
    assert_true(isnan(ipr_json_at(r, "complexity.stability.mean", NAN)));
    assert_true(ipr_json_at(r, "complexity.depth_time.turns", NAN) < 0.5);
    assert_true(ipr_json_at(r, "complexity.stability.without", NAN) > 100);
    assert_true(ipr_json_at(r, "games_as_figures", NAN) > 33.5);
    assert_string_equal(
        member(s, json_array_get(json_object_get(r, "game_list"), 0), "moves_stored"), "false");
    json_decref(r);
    json_decref(p);

    /* What is exported again is the same, whether figures were requested or there is no more. */
    assert_string_equal(exported(s, true, 1), all_figures);
    assert_string_equal(exported(s, false, 1), all_figures);
}

/* The same file again, and a set in which a game occurs twice, change nothing. */
static void test_again(void **state)
{
    struct ipr_view_scene *s = *state;
    const char *const twice = ipr_arena_printf(&s->mem, "%s%s", some_figures, some_figures);

    import_figures(s, some_figures, SOME);
    const char *const sums = aggregates(s);
    struct ipr_ingest_result r = import(s, some_figures);
    assert_int_equal(r.imported, 0);
    assert_int_equal(r.duplicates[IPR_DUPLICATE_IDENTICAL], SOME);
    assert_string_equal(aggregates(s), sums);
    wipe(s);
    r = import(s, twice);
    assert_int_equal(r.imported, SOME);
    assert_int_equal(r.duplicates[IPR_DUPLICATE_IDENTICAL], SOME);
    assert_string_equal(aggregates(s), sums);
    assert_consistent();
}

/* Lines of games that have figures complete them, with the ratings that these lacked; figures of
 * games that have lines add nothing. */
static void test_completed(void **state)
{
    struct ipr_view_scene *s = *state;

    import_figures(s, some_figures, SOME);
    const char *const sums = aggregates(s);
    (void)ipr_db_test_sql("UPDATE judged_side SET strength_version = 0, strength_score = 0,"
                          " strength_information = 0, strength_moves = 0");
    (void)ipr_db_test_sql("UPDATE player_year SET strength_score = 0, strength_information = 0,"
                          " strength_moves = 0");
    (void)ipr_db_test_sql("UPDATE player_total SET strength_score = 0, strength_information = 0,"
                          " strength_moves = 0");
    const struct ipr_ingest_result r = import(s, some_lines);
    assert_int_equal(r.imported, 0);
    assert_int_equal(r.improved, SOME);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM side_turns WHERE second_cp IS NOT NULL"
                                     " OR lines = ''"),
                     0);
    assert_string_equal(aggregates(s), sums);
    assert_string_equal(exported(s, true, 1), some_figures);
    import(s, some_figures);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM side_turns WHERE second_cp IS NOT NULL"),
                     0);
    assert_string_equal(aggregates(s), sums);
    assert_consistent();
}

/* ---- moves that come later ---- */

#define JUDGE                                                                                      \
    "{\"name\":\"tiny\",\"engine\":\"Test 1\",\"network\":\"\",\"multipv\":2,"                     \
    "\"limit\":{\"depth\":2},\"threads\":1,\"hash_mb\":1,\"clear\":\"position\",\"first_move\":1}"
#define TAGS                                                                                       \
    "[Event \"Short\"]\n[Date \"1950.01.02\"]\n[Round \"1\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n"
#define MOVES_14 "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6"
#define PGN      TAGS "[Result \"1-0\"]\n\n" MOVES_14 " 1-0\n\n"

static const char *repeated(struct ipr_view_scene *s, const char *value, size_t n)
{
    struct ipr_buf b = IPR_BUF_INIT;

    for (size_t i = 0; i < n; i++)
        ipr_buf_printf(&b, "%s%s", i == 0 ? "" : ",", value);
    const char *const text = ipr_arena_strndup(&s->mem, ipr_buf_c(&b), b.n);
    ipr_buf_release(&b);
    return text;
}

/* Figures of White's moves of a game with that key. */
static const char *figures_of(struct ipr_view_scene *s, const char *event, size_t plies,
                              int64_t key)
{
    const size_t n = (plies + 1) / 2;

    return ipr_arena_printf(
        &s->mem,
        "{\"tags\":{\"Event\":\"%s\",\"Date\":\"1950.01.02\",\"Round\":\"1\",\"White\":\"Ann\","
        "\"Black\":\"Bob\"},\"result\":\"1-0\",\"moves\":{\"plies\":%zu,\"key\":\"%016llx\"},"
        "\"judge\":" JUDGE ",\"figures\":[{\"mover\":\"w\",\"best\":[%s],\"second\":[%s],"
        "\"played\":[%s],\"legal\":[%s]}]}\n",
        event, plies, (unsigned long long)key, repeated(s, "40", n), repeated(s, "20", n),
        repeated(s, "30", n), repeated(s, "25", n));
}

/* Of games of `MOVES_14`, before and after its moves: short, so that few moves prove little. */
static int64_t key_of_pgn(struct ipr_view_scene *s)
{
    import(s, PGN);
    const int64_t key = ipr_db_test_int("SELECT moves_key FROM game");
    wipe(s);
    return key;
}

static void test_moves_later(void **state)
{
    struct ipr_view_scene *s = *state;
    const int64_t key = key_of_pgn(s);
    struct ipr_db_deletion gone;

    import(s, figures_of(s, "Short", 14, key));
    struct ipr_ingest_result r = import_fd(s, ipr_pack_plain(PGN, strlen(PGN)), "rating");
    assert_int_equal(r.imported, 0);
    assert_int_equal(r.improved, 1);
    assert_int_equal(r.duplicates[IPR_DUPLICATE_IDENTICAL], 1);
    assert_int_equal(r.queued, 1); /* by another engine setting than that of the figures */
    assert_int_equal(ipr_db_test_int("SELECT octet_length(moves) FROM game"), 28);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM side_turns WHERE lines = ''"), 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game WHERE stem = 0"), 0);
    const struct ipr_ingest_result again = import_fd(s, ipr_pack_plain(PGN, strlen(PGN)), "rating");
    assert_int_equal(again.queued, 0);
    assert_int_equal(again.improved, 0);
    assert_consistent();

    /* Without that upload the game has its figures again, no moves, and nothing to analyse. */
    assert_ok(ipr_db_upload_delete(s->db, again.upload_id, 0, &gone, &s->err), &s->err);
    assert_ok(ipr_db_upload_delete(s->db, r.upload_id, 0, &gone, &s->err), &s->err);
    assert_int_equal(ipr_db_test_int("SELECT octet_length(moves) FROM game"), 0);
    assert_int_equal(ipr_db_test_int("SELECT plies FROM game"), 14);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM side_turns WHERE lines = ''"), 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
    assert_consistent();
}

/* The other way round: figures of a short game that is stored with its moves. */
static void test_moves_earlier(void **state)
{
    struct ipr_view_scene *s = *state;
    const int64_t key = key_of_pgn(s);

    import(s, PGN);
    struct ipr_ingest_result r = import(s, figures_of(s, "Short", 14, key));
    assert_int_equal(r.imported, 0);
    assert_int_equal(r.duplicates[IPR_DUPLICATE_IDENTICAL], 1);
    assert_int_equal(r.judged, 1);
    assert_int_equal(ipr_db_test_int("SELECT octet_length(moves) FROM game"), 28);
    assert_int_equal(ipr_db_test_int("SELECT sum(turns) FROM judged_side"), 7);
    /* Another game of the two: its key differs. */
    r = import(s, figures_of(s, "Other", 14, key + 1));
    assert_int_equal(r.imported, 1);
    assert_consistent();
}

/* Evaluations of the moves leave with them, and so do jobs of other engine settings. */
static void test_lines_leave(void **state)
{
    struct ipr_view_scene *s = *state;
    const int64_t key = key_of_pgn(s);
    struct ipr_db_deletion gone;
    struct ipr_db_game game;

    import(s, figures_of(s, "Short", 14, key));
    const struct ipr_ingest_result r = import_fd(s, ipr_pack_plain(PGN, strlen(PGN)), "standard");
    const int64_t id = ipr_db_test_int("SELECT id FROM game");
    const struct ipr_judge judge = ipr_sample_judge();
    assert_ok(ipr_db_game_get(s->db, id, &s->mem, &game, &s->err), &s->err);
    const struct ipr_judged_game judged = ipr_sample_judgement(&s->mem, &judge, &game, 3);
    ipr_sample_judged(s->db, ipr_sample_judge_id(s->db), &game, &judged, 3);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judged_side"), 3);
    assert_ok(ipr_db_upload_delete(s->db, r.upload_id, 0, &gone, &s->err), &s->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judged_side"), 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
    assert_consistent();
}

/* No job is ever queued for a game without moves, by whatever way. */
static void test_never_queued(void **state)
{
    struct ipr_view_scene *s = *state;
    int32_t queued = 0;

    const char *const text = figures_of(s, "Short", 14, 77);
    const struct ipr_ingest_result r = import_fd(s, ipr_pack_plain(text, strlen(text)), "rating");
    const int64_t id = ipr_db_test_int("SELECT id FROM game");
    assert_int_equal(r.queued, 0);
    assert_ok(ipr_db_jobs_enqueue(s->db, &id, 1, "rating", 5, "me", &queued, &s->err), &s->err);
    assert_int_equal(queued, 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
}

/* A plan counts what figures brought, and nothing that cannot be analysed without moves. */
static void test_planned(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_db_planned n = { 0 };

    import(s, figures_of(s, "Short", 14, 77));
    (void)ipr_db_test_sql("UPDATE judge SET name = 'rating'");
    const int32_t ids[] = { ipr_db_test_player("Ann"), ipr_db_test_player("Bob") };
    const struct ipr_db_span spans[] = { { .player = ids[0] }, { .player = ids[1] } };
    const struct ipr_db_plan both = { .spans = spans, .n_spans = 2, .own = true },
                             bob = { .spans = spans + 1, .n_spans = 1, .own = true };

    assert_ok(ipr_db_analyses_queue(s->db, &both, "rating", 5, "x", false, &n, &s->err), &s->err);
    assert_int_equal(n.games, 1);
    assert_int_equal(n.there, 1);
    assert_int_equal(n.turns, n.turns_there);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job"), 0);
    assert_int_equal(ipr_db_analyses_queue(s->db, &bob, "rating", 5, "x", false, &n, &s->err),
                     IPR_ENOTFOUND);
    ipr_err_clear(&s->err);
}

/* What is shown of such a game: that its moves are not stored, and who analysed it. */
static void test_shown(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_game_request p = IPR_GAME_REQUEST_INIT;
    struct ipr_buf pgn = IPR_BUF_INIT;
    json_t *out = NULL;

    import_figures(s, some_figures, SOME);
    p.game = ipr_db_test_int("SELECT min(id) FROM game");
    assert_ok(ipr_view_game(&s->view, &p, &out, &s->err), &s->err);
    assert_string_equal(member(s, out, "moves_stored"), "false");
    assert_string_equal(member(s, out, "moves"), "[]");
    assert_string_equal(member(s, out, "turns"), "[]");
    assert_string_equal(member(s, out, "final_state"), "null");
    assert_true(ipr_json_at(out, "plies", NAN) > 20);
    assert_true(ipr_json_at(out, "ratings.white.turns", NAN) > 5);
    const json_t *const by = json_array_get(json_object_get(out, "judged_by"), 0);
    assert_string_equal(member(s, by, "lines"), "false");
    assert_true(ipr_json_at(by, "turns", NAN) > 5);
    json_decref(out);

    assert_int_equal(ipr_view_game_pgn(&s->view, &p, &pgn, &s->err), IPR_ECONFLICT);
    assert_string_equal(s->err.type, "moves_not_stored");
    assert_int_equal(pgn.n, 0);
    ipr_err_clear(&s->err);
    ipr_buf_release(&pgn);
}

/* ---- whose they are ---- */

static void test_people(void **state)
{
    struct ipr_view_scene *s = *state;
    struct ipr_db_split split = into("elder");
    int64_t change = 0, merge = 0;
    struct ipr_db_deletion gone;

    const struct ipr_ingest_result r = import(s, all_figures);
    const char *const before = aggregates(s);
    const int32_t cuban = ipr_db_test_player(CUBAN);

    split.from = 1800, split.to = 1925;
    assert_ok(ipr_db_split(s->db, cuban, &split, "me", &change, &s->err), &s->err);
    assert_consistent();
    assert_true(ipr_db_test_int("SELECT sum(strength_moves) FROM player_total JOIN player ON"
                                " id = player_id WHERE name = 'elder'") > 100);
    assert_ok(ipr_db_merge(s->db, ipr_db_test_player("elder"), cuban, true, "me", &merge, &s->err),
              &s->err);
    assert_consistent();
    assert_ok(ipr_db_identity_undo(s->db, merge, "me", &s->err), &s->err);
    assert_ok(ipr_db_identity_undo(s->db, change, "me", &s->err), &s->err);
    assert_string_equal(aggregates(s), before);

    assert_ok(ipr_db_upload_delete(s->db, r.upload_id, 0, &gone, &s->err), &s->err);
    assert_int_equal(gone.games, GAMES);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game"), 0);
    assert_string_equal(aggregates(s), "");
    assert_int_equal(ipr_db_test_int("SELECT coalesce(sum(abs(strength_score)) + sum(turns), 0)"
                                     " FROM player_total"),
                     0);
}

/* ---- ratings ---- */

static const char *of_version_999(struct ipr_view_scene *s)
{
    struct ipr_buf other = IPR_BUF_INIT;

    for (const char *p = some_figures; *p != '\0';) {
        const char *const end = strstr(p, "\"version\":");

        if (end == NULL) {
            ipr_buf_puts(&other, p);
            break;
        }
        ipr_buf_add(&other, p, (size_t)(end - p));
        ipr_buf_puts(&other, "\"version\":999");
        p = strchr(end, ',');
    }
    const char *const text = ipr_arena_strndup(&s->mem, ipr_buf_c(&other), other.n);
    ipr_buf_release(&other);
    return text;
}

/* Sums of another version of the estimate are not stored: the sides count, their ratings do not.
 * Nothing here can compute them again. */
static void test_other_version(void **state)
{
    struct ipr_view_scene *s = *state;
    unsigned n = 0;

    import_figures(s, of_version_999(s), SOME);
    assert_int_equal(ipr_db_test_int("SELECT sum(strength_version) + sum(strength_moves)"
                                     " FROM judged_side"),
                     0);
    assert_true(ipr_db_test_int("SELECT sum(turns) FROM player_total") > 1000);
    assert_int_equal(ipr_db_test_int("SELECT sum(strength_moves) FROM player_total"), 0);
    assert_int_equal(ipr_db_test_int("SELECT sum(strength_moves) FROM player_year"), 0);
    assert_null(strstr(exported(s, true, 1), "\"rating\":{"));

    assert_ok(ipr_db_strength_renew(s->db, &n, &s->err), &s->err);
    assert_int_equal(n, 0);
    assert_int_equal(ipr_db_test_int("SELECT sum(strength_version) FROM judged_side"), 0);
}

/* A set of this version rates what an older one could not, or rated otherwise; none of another
 * version takes that away. */
static void test_rated_again(void **state)
{
    struct ipr_view_scene *s = *state;

    import_figures(s, some_figures, SOME);
    const char *const sums = aggregates(s);
    wipe(s);
    import_figures(s, of_version_999(s), SOME);
    assert_string_not_equal(aggregates(s), sums);
    import_figures(s, some_figures, SOME);
    assert_string_equal(aggregates(s), sums);

    wipe(s);
    import_figures(s, some_figures, SOME);
    (void)ipr_db_test_sql("UPDATE judged_side SET strength_version = 7,"
                          " strength_score = 2 * strength_score, strength_moves = 0");
    (void)ipr_db_test_sql("UPDATE player_year SET strength_score = 2 * strength_score,"
                          " strength_moves = 0");
    (void)ipr_db_test_sql("UPDATE player_total SET strength_score = 2 * strength_score,"
                          " strength_moves = 0");
    import_figures(s, of_version_999(s), SOME);
    assert_string_not_equal(aggregates(s), sums);
    import_figures(s, some_figures, SOME);
    assert_string_equal(aggregates(s), sums);
    assert_string_equal(exported(s, true, 1), some_figures);
    assert_consistent();
}

static const char *first_line_after(const char *text, int n)
{
    for (; n > 0; n--)
        text = strchr(text, '\n') + 1;
    return text;
}

/* After an upgrade of the estimate games with lines are rated anew; those with figures alone keep
 * what they came with. */
static void test_renewed(void **state)
{
    struct ipr_view_scene *s = *state;
    unsigned n = 0;

    const size_t four = (size_t)(first_line_after(some_lines, 4) - some_lines);

    import_figures(s, some_figures, SOME);
    import(s, ipr_arena_strndup(&s->mem, some_lines, four));
    const char *const before = aggregates(s);
    (void)ipr_db_test_sql("UPDATE judged_side SET strength_version = 7");
    assert_ok(ipr_db_strength_renew(s->db, &n, &s->err), &s->err);
    assert_int_equal(n, 4);
    assert_int_equal(
        ipr_db_test_int("SELECT count(*) FROM judged_side WHERE strength_version <> 7"), 8);
    assert_string_equal(aggregates(s), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_VIEW(test_same_as_lines), WITH_VIEW(test_again),         WITH_VIEW(test_completed),
        WITH_VIEW(test_moves_later),   WITH_VIEW(test_moves_earlier), WITH_VIEW(test_lines_leave),
        WITH_VIEW(test_never_queued),  WITH_VIEW(test_shown),         WITH_VIEW(test_people),
        WITH_VIEW(test_other_version), WITH_VIEW(test_renewed),       WITH_VIEW(test_rated_again),
        WITH_VIEW(test_planned),
    };

    return cmocka_run_group_tests_name("figure sets", tests, texts_make, texts_free);
}
