#include "ipr_test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "db/db.h"
#include "db/jobs.h"
#include "ingest/ingest.h"
#include "ingest/unpack.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_pack_test.h"

#define GAME(white, black, year, moves)                                                            \
    "[Event \"Test\"]\n[Date \"" year ".01.02\"]\n[White \"" white "\"]\n[Black \"" black          \
    "\"]\n[Result \"*\"]\n\n" moves " *\n\n"

/* Accepted, illegal, accepted in Latin-1, the first again in another spelling, accepted. */
#define FIVE                                                                                       \
    GAME("Fischer, Robert J.", "Tal, Mikhail", "1959", "1. e4 c5 2. Nf3")                          \
    GAME("Geller, Efim", "Keres, Paul", "1962", "1. d4 Nf6 2. Bb5")                                \
    GAME("Nov\xe1k", "Tal, Mikhail", "1960", "1. c4")                                              \
    GAME("fischer,  robert j", "TAL,MIKHAIL", "1959", "1.e4 c5 2.Nf3")                             \
    GAME("Tal, Mikhail", "Fischer, Robert J.", "1960", "1. e4 e6")

static struct ipr_db_pool *pool;

static int setup(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;

    if (ipr_db_test_setup(state) != 0)
        return -1;
    assert_ok(ipr_db_pool_open(*state, 2, &pool, &err), &err);
    return 0;
}

static int teardown(void **state)
{
    ipr_db_pool_close(&pool);
    return ipr_db_test_teardown(state);
}

/* Every test starts from nothing. */
static int wipe(void **state)
{
    (void)state;
    (void)ipr_db_test_sql("SET client_min_messages = warning; TRUNCATE upload, game, judge, "
                          "judge_total CASCADE; DELETE FROM player WHERE id <> 0; "
                          "DELETE FROM event WHERE id <> 0");
    return 0;
}

/* And leaves totals that a recount gives. */
static int totals(void **state)
{
    (void)state;
    ipr_sample_totals_hold();
    return 0;
}

static const struct ipr_ingest_options plain = {
    .source = "test.pgn", .priority = 5, .owner = "local", .max_bytes = 1 << 28
};

static enum ipr_code try(int fd, const struct ipr_ingest_options *options,
                         struct ipr_ingest_result *r, struct ipr_err *err)
{
    struct ipr_db *db = NULL;

    assert_true(fd >= 0);
    assert_ok(ipr_db_lease(pool, &db, err), err);
    const enum ipr_code rc = ipr_ingest_fd(db, fd, options, r, err);
    ipr_db_return(&db);
    close(fd);
    return rc;
}

static struct ipr_ingest_result import(int fd, const struct ipr_ingest_options *options)
{
    struct ipr_ingest_result r = { 0 };
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(try(fd, options, &r, &err), &err);
    return r;
}

static struct ipr_ingest_result import_text(const char *text)
{
    return import(ipr_pack_plain(text, strlen(text)), &plain);
}

static void expect_counts(const struct ipr_ingest_result *r, int read, int imported, int duplicate,
                          int rejected)
{
    assert_int_equal(r->games_read, read);
    assert_int_equal(r->imported, imported);
    assert_int_equal(r->duplicate, duplicate);
    assert_int_equal(r->rejected, rejected);
}

static void expect_nothing(int fd, int64_t max_bytes, enum ipr_code code, const char *type)
{
    struct ipr_ingest_options options = plain;
    struct ipr_ingest_result r = { .upload_id = -1 };
    struct ipr_err err = IPR_ERR_INIT;

    options.max_bytes = max_bytes;
    assert_int_equal(try(fd, &options, &r, &err), code);
    assert_string_equal(err.type, type);
    assert_int_equal(r.upload_id, -1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM upload"), 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game"), 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player WHERE id <> 0"), 0);
}

/* ---- PGN --------------------------------------------------------------------------------------
 */

static void test_five(void **state)
{
    (void)state;
    const struct ipr_ingest_result r = import_text(FIVE);

    expect_counts(&r, 5, 3, 1, 1);
    assert_int_equal(r.queued, 0);
    assert_false(r.seen_before);
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(name, ';' ORDER BY id) FROM player "
                                        "WHERE id <> 0"),
                        "Fischer, Robert J.;Nov\xc3\xa1k;Tal, Mikhail");
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(ordinal || ':' || duplicate, ' ' ORDER BY ordinal) "
                        "FROM upload_game"),
        "1:false 3:false 4:true 5:false");
    assert_string_equal(
        ipr_db_test_sql("SELECT concat_ws('|', game, line, ply, type, white, black) FROM "
                        "upload_error"),
        "2|15|2|illegal_move|Geller, Efim|Keres, Paul");
    assert_string_equal(
        ipr_db_test_sql("SELECT concat_ws('|', source, judge, games_read, imported, duplicate, "
                        "rejected, judged) FROM upload"),
        "test.pgn||5|3|1|1|0");
    assert_int_equal(ipr_db_test_int("SELECT bytes FROM upload"), sizeof FIVE - 1);
    assert_string_equal(
        ipr_db_test_sql("SELECT concat_ws('|', g.year, date, e.name, e.year, result, plies, "
                        "tags ->> 'White') FROM game AS g JOIN event AS e ON e.id = event_id WHERE "
                        "tags ->> 'White' LIKE 'N%'"),
        "1960|1960.01.02|Test|1960|0|1|Nov\xc3\xa1k");
}

static void test_same_bytes(void **state)
{
    struct ipr_ingest_options options = plain;
    const struct ipr_ingest_result first = import_text(FIVE), second = import_text(FIVE);

    (void)state;
    assert_true(second.seen_before);
    assert_int_equal(second.upload_id, first.upload_id);
    assert_int_equal(second.games_read, 0);
    options.again = true;
    const struct ipr_ingest_result again = import(ipr_pack_plain(FIVE, sizeof FIVE - 1), &options);
    assert_false(again.seen_before);
    expect_counts(&again, 5, 0, 4, 1);
}

static void test_packed(void **state)
{
    static const char *const filters[] = { "gzip", "zstd", "bzip2" };
    const struct ipr_pack_entry entries[] = { { "one.pgn", FIVE },
                                              { "notes.txt", "none" },
                                              { "two.pgn", FIVE },
                                              { "none.pgn", "\n" },
                                              { "", NULL } };

    (void)state;
    struct ipr_ingest_result r = import_text(FIVE);
    for (size_t i = 0; i < 3; i++) {
        r = import(ipr_pack_filtered(filters[i], FIVE, sizeof FIVE - 1), &plain);
        expect_counts(&r, 5, 0, 4, 1);
    }
    r = import(ipr_pack_zip(entries), &plain);
    expect_counts(&r, 10, 0, 8, 2);
    assert_string_equal(
        ipr_db_test_sql("SELECT split_part(detail, ':', 1) || ' ' || game || ' ' || line FROM "
                        "upload_error ORDER BY upload_id DESC, game DESC"),
        "two.pgn 7 15");
}

/* A spooled body may begin after other bytes of the same file. */
static void test_from_the_middle(void **state)
{
    const int fd = ipr_pack_plain("--boundary\n" FIVE, sizeof FIVE + 10);

    (void)state;
    assert_int_equal(lseek(fd, 11, SEEK_SET), 11);
    const struct ipr_ingest_result r = import(fd, &plain);
    expect_counts(&r, 5, 3, 1, 1);
    assert_true(import_text(FIVE).seen_before);
}

static void sweep(void)
{
    struct ipr_db *db = NULL;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_db_lease(pool, &db, &err), &err);
    assert_ok(ipr_db_jobs_sweep(db, NULL, &err), &err);
    ipr_db_return(&db);
}

static void test_queue(void **state)
{
    struct ipr_ingest_options options = plain;

    (void)state;
    options.judge = "standard";
    options.priority = 3;
    (void)import_text(GAME("Tal, Mikhail", "Fischer, Robert J.", "1960", "1. e4 e6"));
    struct ipr_ingest_result r = import(ipr_pack_plain(FIVE, sizeof FIVE - 1), &options);
    expect_counts(&r, 5, 2, 2, 1);
    assert_int_equal(r.queued, 3);
    assert_int_equal(
        ipr_db_test_int("SELECT count(*) FROM job WHERE judge = 'standard' AND priority = 3"), 3);
    /* The same bytes once more: nothing is done unless requested; what is queued stays. */
    assert_true(import(ipr_pack_plain(FIVE, sizeof FIVE - 1), &options).seen_before);
    options.again = true;
    r = import(ipr_pack_plain(FIVE, sizeof FIVE - 1), &options);
    assert_false(r.seen_before);
    assert_int_equal(r.queued, 0);
    /* The import does not lock jobs for one side: the sweep adds the other one. */
    ipr_db_test_sql("UPDATE job SET sides = 1");
    r = import(ipr_pack_plain(FIVE, sizeof FIVE - 1), &options);
    assert_int_equal(r.queued, 3);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE sides = 1"), 3);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE xmin IN"
                                     " (SELECT xmin FROM upload)"),
                     0);
    sweep();
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job WHERE sides = 3"), 3);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM job_postponed"), 0);
    options.judge = "deep";
    r = import(ipr_pack_plain(FIVE, sizeof FIVE - 1), &options);
    assert_int_equal(r.queued, 3);
}

#define X50 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

static void test_refused(void **state)
{
    (void)state;
    const struct ipr_ingest_result r = import_text(GAME("A", "B", "1960", "1. e4") GAME(
        "Tal, Mikhail", X50 X50 X50 X50 "\xc3\xa1", "1960", "1. e4"));

    expect_counts(&r, 2, 1, 0, 1);
    assert_string_equal(
        ipr_db_test_sql("SELECT concat_ws(' ', game, type, line) FROM upload_error"),
        "2 name_too_long 9");
    assert_int_equal(ipr_db_test_int("SELECT max(octet_length(black)) FROM upload_error"), 200);
}

/* Who played and what was played may both be unknown: the game is kept and never judged. */
static void test_nobody_nothing(void **state)
{
    struct ipr_ingest_options options = plain;
    static const char text[] = GAME("?", "Tal, Mikhail", "1960", "1. e4") //
        "[Event \"x\"]\n\n1. d4 *\n\n"                                    //
        GAME("Tal, Mikhail", "Keres, Paul", "1960", "");

    (void)state;
    options.judge = "standard";
    const struct ipr_ingest_result r = import(ipr_pack_plain(text, sizeof text - 1), &options);
    expect_counts(&r, 3, 3, 0, 0);
    assert_int_equal(r.queued, 2);
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(concat_ws(' ', ordinal, w.name, b.name, "
                        "plies), '|' ORDER BY g.id) FROM game AS g JOIN player AS w "
                        "ON w.id = white_id JOIN player AS b ON b.id = black_id"),
        "1 ? Tal, Mikhail 1|2 ? ? 1|3 Tal, Mikhail Keres, Paul 0");
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player WHERE id <> 0"), 2);
}

static void test_nul(void **state)
{
    static const char text[] = "[White \"A\0b\"]\n[Black \"B\"]\n[Event \"x\0y\"]\n\n1. e4 *\n";

    (void)state;
    const struct ipr_ingest_result r = import(ipr_pack_plain(text, sizeof text - 1), &plain);
    assert_int_equal(r.games_read, 1);
    assert_int_equal(r.imported + r.rejected, 1);
}

static void test_comment_first(void **state)
{
    (void)state;
    const struct ipr_ingest_result r =
        import_text("{ From the club's files }\n\n" GAME("A", "B", "2001", "1. e4"));

    assert_int_equal(r.imported, 1);
}

static void test_many_errors(void **state)
{
    struct ipr_buf b = IPR_BUF_INIT;

    (void)state;
    for (int i = 0; i < 1100; i++)
        ipr_buf_puts(&b, GAME("A", "B", "2001", "1. e5"));
    const struct ipr_ingest_result r = import(ipr_pack_plain(b.p, b.n), &plain);
    expect_counts(&r, 1100, 0, 0, 1100);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM upload_error"), 1000);
    ipr_buf_release(&b);
}

/* An import that exceeds its time limit stores nothing, and the error says at which line and game.
 */
static void test_too_long(void **state)
{
    struct ipr_ingest_options hasty = plain;
    struct ipr_ingest_result r = { 0 };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf b = IPR_BUF_INIT;

    (void)state;
    for (int i = 0; i < 2500; i++)
        ipr_buf_printf(&b, "[White \"Hasty %d\"]\n[Black \"B\"]\n\n1. e4 *\n\n", i);
    hasty.max_ms = 1;
    assert_int_equal(try(ipr_pack_plain(b.p, b.n), &hasty, &r, &err), IPR_ELIMIT);
    assert_string_equal(err.type, "import_too_long");
    assert_true(err.line % 5000 == 1); /* the first game of a batch */
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game"), 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM upload"), 0);
    hasty.max_ms = 1000000;
    assert_ok(try(ipr_pack_plain(b.p, b.n), &hasty, &r, &err), &err);
    assert_int_equal(r.imported, 2500);
    ipr_buf_release(&b);
}

static void test_samples(void **state)
{
    const char *path = ipr_test_shared("data/samples/world_championships_1886-1985.pgn.bz2");

    (void)state;
    if (path == NULL)
        skip();
    const struct ipr_ingest_result r = import(open(path, O_RDONLY | O_CLOEXEC), &plain);
    assert_int_equal(r.games_read, 685);
    assert_int_equal(r.imported + r.duplicate + r.rejected, 685);
    print_message("%d imported, %d duplicate, %d rejected: %s\n", r.imported, r.duplicate,
                  r.rejected,
                  ipr_db_test_sql("SELECT string_agg(game || ' ' || type || ' ' || white || ' - ' "
                                  "|| black, '; ' ORDER BY game) FROM upload_error"));
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game"), r.imported);
    assert_int_equal(r.rejected, 0);
}

/* Packed files in an archive are among the errors, and counted nowhere else. */
static void test_archive(void **state)
{
    const struct ipr_pack_entry entries[] = {
        { "a.pgn.gz", "\x1f\x8b\x08" }, { "five.pgn", FIVE },     { "b.zip", "" },
        { "note.txt", "hello" },        { "words.pgn", "hello" }, { "", NULL }
    };

    (void)state;
    const struct ipr_ingest_result r = import(ipr_pack_zip(entries), &plain);
    const struct ipr_ingest_result alone = import_text(FIVE);
    assert_int_equal(r.games_read, alone.games_read);
    assert_int_equal(r.imported + r.duplicate, alone.duplicate);
    assert_int_equal(r.rejected, alone.rejected);
    assert_int_equal(r.unread, 3);
    assert_int_equal(r.passed_over, 1);
    assert_int_equal(alone.unread, 0);
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(type || ' ' || split_part(detail, ':', 1), "
                        "'; ' ORDER BY game DESC) FROM upload_error "
                        "WHERE game < 0"),
        "bad_archive a.pgn.gz; bad_archive b.zip; no_games words.pgn");
    assert_int_equal(ipr_db_test_int("SELECT sum(rejected) FROM upload"),
                     ipr_db_test_int("SELECT count(*) FROM upload_error WHERE game > 0"));
}

/* ---- what leaves nothing behind ---------------------------------------------------------------
 */

static void test_nothing(void **state)
{
    const struct ipr_pack_entry entries[] = { { "readme.txt", FIVE }, { "", NULL } };
    char packed[4096];
    const int whole = ipr_pack_filtered("gzip", FIVE, sizeof FIVE - 1);
    const ssize_t n = read(whole, packed, sizeof packed);

    (void)state;
    close(whole);
    assert_true(n > 100);
    expect_nothing(ipr_pack_plain("", 0), 1 << 20, IPR_EPARSE, "empty_body");
    expect_nothing(ipr_pack_plain("\xef\xbb\xbf \n", 5), 1 << 20, IPR_EPARSE, "no_games");
    expect_nothing(ipr_pack_plain("just a text\n", 12), 1 << 20, IPR_EPARSE, "no_games");
    expect_nothing(ipr_pack_plain("\xff\xfe[\0W\0", 6), 1 << 20, IPR_EPARSE, "unknown_encoding");
    expect_nothing(ipr_pack_zip(entries), 1 << 20, IPR_EPARSE, "no_games");
    expect_nothing(ipr_pack_plain(packed, (size_t)n - 20), 1 << 20, IPR_EPARSE, "bad_archive");
    expect_nothing(ipr_pack_plain(FIVE, sizeof FIVE - 1), 400, IPR_ELIMIT, "too_large");
}

static void test_bomb(void **state)
{
    struct ipr_buf b = IPR_BUF_INIT;

    (void)state;
    ipr_buf_puts(&b, FIVE);
    while (b.n < 3 << 20)
        ipr_buf_puts(&b, "                                                                \n");
    expect_nothing(ipr_pack_filtered("zstd", b.p, b.n), 1 << 28, IPR_ELIMIT, "too_large");
    ipr_buf_release(&b);
}

/* 2200 different games: three batches. */
static int many_games(void)
{
    struct ipr_buf b = IPR_BUF_INIT;

    for (int i = 0; i < 2200; i++)
        ipr_buf_printf(&b, "[White \"Player %d\"]\n[Black \"B\"]\n[Date \"2001\"]\n\n1. e4 *\n\n",
                       i);
    const int fd = ipr_pack_plain(b.p, b.n);
    ipr_buf_release(&b);
    return fd;
}

static void on_second_batch(const char *what)
{
    struct ipr_buf sql = IPR_BUF_INIT;

    ipr_buf_printf(&sql,
                   "CREATE FUNCTION trip() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                   "IF (SELECT count(*) FROM game) > 1000 THEN %s; END IF; RETURN NULL; END $$; "
                   "CREATE TRIGGER trip AFTER INSERT ON game EXECUTE FUNCTION trip()",
                   what);
    (void)ipr_db_test_sql(ipr_buf_c(&sql));
    ipr_buf_release(&sql);
}

static void test_connection_lost(void **state)
{
    struct ipr_ingest_result r = { .upload_id = -1 };
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    on_second_batch("PERFORM pg_terminate_backend(pg_backend_pid())");
    const enum ipr_code rc = try(many_games(), &plain, &r, &err);
    assert_true(rc == IPR_EDB || rc == IPR_ERETRY);
    assert_int_equal(r.upload_id, -1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game"), 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM upload"), 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player WHERE id <> 0"), 0);
    (void)ipr_db_test_sql("SET client_min_messages = warning; DROP FUNCTION trip CASCADE");
    r = import(many_games(), &plain);
    expect_counts(&r, 2200, 2200, 0, 0);
}

/* A conflict with another transaction: the whole is read once more, and counted once. */
static void test_conflict(void **state)
{
    (void)state;
    (void)ipr_db_test_sql("CREATE SEQUENCE tries");
    on_second_batch("IF nextval('tries') = 1 THEN RAISE SQLSTATE '40001'; END IF");
    const struct ipr_ingest_result r = import(many_games(), &plain);
    expect_counts(&r, 2200, 2200, 0, 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM upload"), 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game"), 2200);
    assert_true(ipr_db_test_int("SELECT last_value FROM tries") > 1);
    (void)ipr_db_test_sql(
        "SET client_min_messages = warning; DROP FUNCTION trip CASCADE; DROP SEQUENCE tries");
}

/* ---- interchange ------------------------------------------------------------------------------
 */

static int open_evaluations(const char *name)
{
    const char *path = ipr_test_shared(name);

    if (path == NULL)
        skip();
    return open(path, O_RDONLY | O_CLOEXEC);
}

static void test_judged(void **state)
{
    struct ipr_ingest_options options = plain;

    (void)state;
    struct ipr_ingest_result r =
        import(open_evaluations("data/evaluations/wcc-1921.ndjson.zst"), &plain);
    expect_counts(&r, 14, 14, 0, 0);
    assert_int_equal(r.judged, 14);
    assert_string_equal(
        ipr_db_test_sql("SELECT concat_ws('|', name, engine, network, depth) FROM judge"),
        "standard|Stockfish 15.1|nn-ad9b42354671.nnue|10");
    assert_int_equal(
        ipr_db_test_int("SELECT count(*) FROM judged_side WHERE source = 'import:local' "
                        "AND imported AND upload_id IS NOT NULL"),
        28);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM turn"), 916);
    assert_int_equal(ipr_db_test_int("SELECT judged FROM upload"), 14);

    options.judge = "standard";
    options.again = true;
    r = import(open_evaluations("data/evaluations/wcc-1921.ndjson.zst"), &options);
    expect_counts(&r, 14, 0, 14, 0);
    assert_int_equal(r.queued, 0);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judged_side"), 28);
}

/* The game whose promotion lost its piece is rejected; its neighbours are stored. */
static void test_lost_promotion(void **state)
{
#define PROMOTION(white, move)                                                                     \
    "{\"tags\":{\"White\":\"" white "\",\"Black\":\"B\",\"SetUp\":\"1\","                          \
    "\"FEN\":\"4k3/P7/8/8/8/8/8/4K2R w K - 0 40\"},\"result\":\"1-0\",\"moves\":\"" move           \
    " e8d7 e1g1\",\"judge\":\"standard\",\"turns\":[]}\n"
    (void)state;
    const struct ipr_ingest_result r =
        import_text(PROMOTION("C", "a7a8q") PROMOTION("D", "a7a8") PROMOTION("E", "a7a8r"));

    expect_counts(&r, 3, 2, 0, 1);
    assert_string_equal(
        ipr_db_test_sql("SELECT concat_ws('|', game, line, type, detail, white) FROM upload_error"),
        "2|2|illegal_move|Move 40 of White, a7a8, is not legal.|D");
}

/* One side of each game came judged: the other side remains to be done. */
static void test_one_side(void **state)
{
    struct ipr_ingest_options options = plain;

    (void)state;
    options.judge = "standard";
    const struct ipr_ingest_result r =
        import(open_evaluations("data/evaluations/player-year-Fischer-1971.ndjson.zst"), &options);
    assert_int_equal(r.games_read, 22);
    assert_int_equal(r.judged, r.imported);
    assert_int_equal(r.queued, r.imported);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judged_side"), r.imported);
}

/* The first line of a file of judged games, its judge given by name alone. */
static char *line_with_judge_name(const char *path)
{
    static char bytes[1 << 18];
    const struct ipr_unpack_limits limits = { .max_bytes = 1 << 28 };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_unpack *u = NULL;
    struct ipr_buf b = IPR_BUF_INIT;
    const char *name = NULL;
    size_t n = 0;
    const int fd = open_evaluations(path);

    assert_ok(ipr_unpack_open(fd, 0, &limits, &u, &err), &err);
    assert_ok(ipr_unpack_next(u, &name, &err), &err);
    assert_ok(ipr_unpack_read(u, bytes, sizeof bytes - 1, &n, &err), &err);
    ipr_unpack_close(&u);
    close(fd);
    const char *judge = strstr(bytes, "\"judge\":"), *turns = strstr(bytes, ",\"turns\":");
    const char *end = strchr(bytes, '\n');
    assert_true(judge != NULL && turns != NULL && end != NULL);
    ipr_buf_add(&b, bytes, (size_t)(judge - bytes));
    ipr_buf_puts(&b, "\"judge\":\"standard\"");
    ipr_buf_add(&b, turns, (size_t)(end - turns));
    return ipr_buf_steal(&b);
}

static void test_judge_by_name(void **state)
{
    struct ipr_ingest_options options = plain;
    char *line = line_with_judge_name("data/evaluations/wcc-1921.ndjson.zst");

    (void)state;
    struct ipr_ingest_result r = import_text(line);
    expect_counts(&r, 1, 0, 0, 1);
    assert_string_equal(ipr_db_test_sql("SELECT type FROM upload_error"), "unknown_judge");
    r = import(open_evaluations("data/evaluations/wcc-1972.ndjson.zst"), &plain);
    options.again = true;
    r = import(ipr_pack_plain(line, strlen(line)), &options);
    expect_counts(&r, 1, 1, 0, 0);
    assert_int_equal(r.judged, 1);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM judge"), 1);
    free(line);
}

/* Bad lines are counted and located, good ones between them stored. */
static void test_lines(void **state)
{
    (void)state;
    const struct ipr_ingest_result r = import_text(
        "\xef\xbb\xbf{\"tags\":{\"White\":\"A\",\"Black\":\"B\"},\"result\":\"1-0\",\"moves\":"
        "\"e2e4\","
        "\"judge\":\"standard\",\"turns\":[]}\n"
        "\n"
        "{\"tags\":\n"
        "{\"tags\":{\"White\":\"C\",\"Black\":\"D\"},\"result\":\"1-0\",\"moves\":\"e2e5\"}\r\n"
        "{\"tags\":{\"White\":\"E\",\"Black\":\"F\"},\"result\":\"0-1\",\"moves\":\"d2d4\","
        "\"judge\":\"standard\",\"turns\":[]}");

    expect_counts(&r, 4, 2, 0, 2);
    assert_int_equal(r.judged, 0);
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(concat_ws(' ', game, line, type, white), '|' ORDER BY "
                        "game) FROM upload_error"),
        "2 3 bad_json |3 4 illegal_move C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_five, wipe, totals),
        cmocka_unit_test_setup_teardown(test_same_bytes, wipe, totals),
        cmocka_unit_test_setup_teardown(test_packed, wipe, totals),
        cmocka_unit_test_setup_teardown(test_from_the_middle, wipe, totals),
        cmocka_unit_test_setup_teardown(test_queue, wipe, totals),
        cmocka_unit_test_setup_teardown(test_refused, wipe, totals),
        cmocka_unit_test_setup_teardown(test_nobody_nothing, wipe, totals),
        cmocka_unit_test_setup_teardown(test_nul, wipe, totals),
        cmocka_unit_test_setup_teardown(test_comment_first, wipe, totals),
        cmocka_unit_test_setup_teardown(test_many_errors, wipe, totals),
        cmocka_unit_test_setup_teardown(test_too_long, wipe, totals),
        cmocka_unit_test_setup_teardown(test_samples, wipe, totals),
        cmocka_unit_test_setup_teardown(test_archive, wipe, totals),
        cmocka_unit_test_setup_teardown(test_nothing, wipe, totals),
        cmocka_unit_test_setup_teardown(test_bomb, wipe, totals),
        cmocka_unit_test_setup_teardown(test_connection_lost, wipe, totals),
        cmocka_unit_test_setup_teardown(test_conflict, wipe, totals),
        cmocka_unit_test_setup_teardown(test_judged, wipe, totals),
        cmocka_unit_test_setup_teardown(test_lost_promotion, wipe, totals),
        cmocka_unit_test_setup_teardown(test_one_side, wipe, totals),
        cmocka_unit_test_setup_teardown(test_judge_by_name, wipe, totals),
        cmocka_unit_test_setup_teardown(test_lines, wipe, totals),
    };

    return cmocka_run_group_tests_name("ingest", tests, setup, teardown);
}
