/* Duplicates among many games: hostile files, imports at one time, equal beginnings. */
#include "db/pq.h"
#include "duplicates.h"

/* Games of one pair that begin alike, as a hostile file has them: each differs in its round. */
static char *same_pair(int n)
{
    struct ipr_buf b = IPR_BUF_INIT;

    for (int i = 0; i < n; i++)
        ipr_buf_printf(&b, "[Date \"1972.08.27\"]\n[Round \"%d\"]\n" PLAYERS "\n%s *\n\n", i + 1,
                       i % 2 == 0 ? PLIES_24 : PLIES_30);
    return ipr_buf_steal(&b);
}

/* Games of as many players. */
static char *many_pairs(int n)
{
    struct ipr_buf b = IPR_BUF_INIT;

    for (int i = 0; i < n; i++)
        ipr_buf_printf(&b, "[White \"Player %d\"]\n[Black \"B\"]\n\n%s *\n\n", i, PLIES_24);
    return ipr_buf_steal(&b);
}

static void test_same_pair(void **state)
{
    char *text = same_pair(3000);
    const struct ipr_ingest_result r = import(*state, text);

    expect(&r, 3000, IPR_DUPLICATE_IDENTICAL, 0, 0);
    free(text);
}

/* Games that imports have read as those of a pair, or to compare them. */
static int64_t rows_read(struct ipr_db_fixture *f)
{
    assert_ok(ipr_db_command(f->db, "SELECT pg_stat_force_next_flush()", &f->err), &f->err);
    return ipr_db_test_int("SELECT sum(idx_tup_fetch) FROM pg_stat_user_indexes"
                           " WHERE indexrelname IN ('game_pair', 'game_pkey')");
}

static int64_t rows_read_for(struct ipr_db_fixture *f, const char *tags, const char *number,
                             const char *moves, int n)
{
    const int64_t before = rows_read(f);
    struct ipr_buf b = IPR_BUF_INIT;

    for (int i = 0; i < n; i++)
        ipr_buf_printf(&b, "%s[%s \"%d\"]\n\n%s *\n\n", tags, number, i + 1, moves);
    const struct ipr_ingest_result r = import(f, ipr_buf_c(&b));
    expect(&r, n, IPR_DUPLICATE_IDENTICAL, 0, 0);
    ipr_buf_release(&b);
    /* Each is read once, to be counted for its players, and one to know where the others begin. */
    return rows_read(f) - before - n - 1;
}

/* Games alike are compared with a limited number of others, which are read once for a batch, and
 * with none where neither day nor event could show that they are one. */
static void test_alike(void **state)
{
    static const struct {
        const char *tags, *moves;
        int limit;          /* games read for a batch of 1000 */
        const char *number; /* the tag in which they differ */
    } kinds[] = {
        { "[Event \"?\"]\n", "1. e4 e5 2. Nf3", 0, "Round" },
        { "[Event \"?\"]\n", "", 0, "Round" },
        { "[White \"Able, A\"]\n", "", 0, "Round" },
        { PLAYERS, "1. e4 e5 2. Nf3", 0, "Round" },
        { "[Event \"A\"]\n", "", 128 + 3 * 32, "Round" },
        { "[Event \"A\"]\n" PLAYERS, "1. e4 e5 2. Nf3", 128 + 3 * 32, "Round" },
        { "[Event \"A\"]\n[Date \"1972.08.27\"]\n" PLAYERS, PLIES_24, 128 + 3 * 32, "Round" },
        { "[Event \"B\"]\n[Date \"1973.08.27\"]\n" PLAYERS, "1. d4 d5 2. c4", 128 + 3 * 32 + 2 * 8,
          "GameId" },
    };
    const int batches = 3;

    /* New statistics in the middle could change plans, and with them what is read. */
    struct ipr_db_fixture *f = *state;
    assert_ok(
        ipr_db_command(f->db, "ALTER TABLE public.game SET (autovacuum_enabled = false)", &f->err),
        &f->err);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const int64_t rows =
            rows_read_for(*state, kinds[k].tags, kinds[k].number, kinds[k].moves, 1000 * batches);

        print_message("  %s%s\n", kinds[k].tags, kinds[k].moves);
        assert_true(rows <= (int64_t)batches * kinds[k].limit);
    }
}

#define INITIALS                                                                                   \
    GAME("[Event \"WCh\"]\n[Date \"1972.??.??\"]\n[White \"Fischer, R\"]\n"                        \
         "[Black \"Spassky, B\"]\n",                                                               \
         "1/2-1/2", PLIES_30)
#define FEW "1. e4 e5 2. Nf3"

/* Games of one file in batches of their own: of those before an import knows most without asking.
 */
static const struct apart {
    const char *name;
    const char *game[3]; /* the last may be NULL */
    enum ipr_duplicate kind[2];
} aparts[] = {
    { "identical, dated later",
      { GAME(POOR, "*", PLIES_24), GAME(RICH, "1/2-1/2", PLIES_24) },
      { IPR_DUPLICATE_IDENTICAL } },
    { "identical, dated before",
      { GAME(RICH, "1/2-1/2", PLIES_24), GAME(POOR, "*", PLIES_24) },
      { IPR_DUPLICATE_IDENTICAL } },
    { "contained",
      { GAME(RICH, "1/2-1/2", PLIES_30), GAME(POOR, "*", PLIES_24) },
      { IPR_DUPLICATE_CONTAINED } },
    { "too short for a stem, contained",
      { GAME(RICH, "1/2-1/2", PLIES_30), GAME(RICH, "*", FEW) },
      { IPR_DUPLICATE_CONTAINED } },
    { "too short for a stem, extended",
      { GAME(RICH, "*", FEW), GAME(RICH, "1/2-1/2", PLIES_30) },
      { IPR_DUPLICATE_EXTENDS } },
    { "of other spelling",
      { GAME(RICH, "1/2-1/2", PLIES_30), INITIALS },
      { IPR_DUPLICATE_SPELLING } },
    { "of other spelling, with the moves that another one brought",
      { GAME(RICH, "*", PLIES_24), GAME(RICH, "1/2-1/2", PLIES_30), INITIALS },
      { IPR_DUPLICATE_EXTENDS, IPR_DUPLICATE_SPELLING } },
    { "of other spelling, with the year that another one brought",
      { GAME(POOR, "1/2-1/2", PLIES_30), GAME(RICH, "1/2-1/2", PLIES_30), INITIALS },
      { IPR_DUPLICATE_IDENTICAL, IPR_DUPLICATE_SPELLING } },
    { "contained, of the identity that another one brought",
      { GAME(RICH, "1/2-1/2", PLIES_30),
        GAME(RICH "[WhiteFideId \"7\"]\n[BlackFideId \"8\"]\n", "1/2-1/2", PLIES_30),
        GAME(RICH "[WhiteFideId \"7\"]\n[BlackFideId \"8\"]\n", "*", PLIES_24) },
      { IPR_DUPLICATE_SPELLING, IPR_DUPLICATE_CONTAINED } },
};

/* More games than a batch has, none like the others or those of the table. */
static void add_others(struct ipr_buf *b, int from)
{
    for (int i = from; i < from + 1000; i++)
        ipr_buf_printf(b, "[White \"Player %d\"]\n[Black \"B\"]\n\n1. a3 h6 *\n\n", i);
}

static void test_batches_apart(void **state)
{
    struct ipr_db_fixture *f = *state;

    for (size_t k = 0; k < sizeof aparts / sizeof *aparts; k++) {
        const struct apart *a = &aparts[k];
        struct ipr_buf text = IPR_BUF_INIT;
        int wanted[IPR_DUPLICATE_NONE] = { 0 }, n = 0;

        print_message("  %s\n", a->name);
        for (; n < 3 && a->game[n] != NULL; n++) {
            ipr_buf_puts(&text, a->game[n]);
            add_others(&text, 1000 * n);
            if (n > 0)
                wanted[a->kind[n - 1]]++;
        }
        const struct ipr_ingest_result r = import(f, ipr_buf_c(&text));
        assert_int_equal(r.imported, 1000 * n + 1);
        for (int kind = 0; kind < IPR_DUPLICATE_NONE; kind++)
            assert_int_equal(r.duplicates[kind], wanted[kind]);
        ipr_buf_release(&text);
        ipr_db_test_sql(
            "DELETE FROM game; DELETE FROM upload; DELETE FROM spelling; DELETE FROM surname;"
            " DELETE FROM player WHERE id <> 0");
    }
}

struct importer {
    struct ipr_db_pool *pool;
    const char *text;
    enum ipr_code rc;
    struct ipr_ingest_result result;
};

static void *import_main(void *arg)
{
    struct importer *im = arg;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;
    const int fd = ipr_pack_plain(im->text, strlen(im->text));

    im->rc = ipr_db_lease(im->pool, &db, &err);
    if (im->rc == IPR_OK)
        im->rc = ipr_ingest_fd(db, fd, &plain, &im->result, &err);
    ipr_db_return(&db);
    close(fd);
    return NULL;
}

/* Two uploads of the same games at one time: each game is stored once. */
static void test_at_once(void **state)
{
    struct ipr_db_fixture *f = *state;
    char *text = many_pairs(1500);
    struct importer im[2] = { { .pool = f->pool, .text = text },
                              { .pool = f->pool, .text = text } };
    pthread_t thread[2];

    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, import_main, &im[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(im[0].rc, IPR_OK);
    assert_int_equal(im[1].rc, IPR_OK);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game"), 1500);
    assert_int_equal(im[0].result.imported + im[1].result.imported, 1500);
    assert_int_equal(im[0].result.duplicate + im[1].result.duplicate, 1500);
    free(text);
}

static enum ipr_code while_importing(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct ipr_db_fixture *f = arg;
    struct ipr_ingest_options options = plain;
    struct ipr_ingest_result r = { .upload_id = -1 };
    struct ipr_db_fixture other = { .pool = f->pool };
    const enum ipr_code rc = ipr_db_import_begin(db, 0, err);

    if (rc != IPR_OK)
        return rc;
    options.wait_s = 1;
    assert_ok(ipr_db_lease(f->pool, &other.db, &other.err), &other.err);
    assert_int_equal(try(&other, GAME(RICH, "*", PLIES_24), &options, &r), IPR_ERETRY);
    assert_string_equal(other.err.type, "import_running");
    assert_int_equal(r.upload_id, -1);
    ipr_db_return(&other.db);
    return IPR_OK;
}

static void test_one_waits(void **state)
{
    struct ipr_db_fixture *f = *state;

    assert_ok(ipr_db_tx(f->db, while_importing, f, &f->err), &f->err);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM upload"), 0);
    assert_int_equal(import(f, GAME(RICH, "*", PLIES_24)).imported, 1);
}

/* The importing process dies after the second batch is in the table: nothing of it remains. */
static void test_killed(void **state)
{
    struct ipr_db_fixture *f = *state;
    char *text = same_pair(2500);

    ipr_db_test_sql("CREATE FUNCTION rest() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                    " IF (SELECT count(*) FROM game) > 1000 THEN PERFORM pg_sleep(2); END IF;"
                    " RETURN NULL; END $$;"
                    "CREATE TRIGGER rest AFTER INSERT ON game EXECUTE FUNCTION rest()");
    const pid_t child = fork();
    if (child == 0) {
        struct importer im = { .text = text };
        struct ipr_err err = IPR_ERR_INIT;

        if (ipr_db_pool_open(f->url, 1, &im.pool, &err) == IPR_OK)
            import_main(&im);
        _exit(0);
    }
    assert_true(child > 0);
    while (ipr_db_test_int("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") ==
           0)
        assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    while (ipr_db_test_int("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") >
           0)
        usleep(50000);
    ipr_db_test_sql("DROP FUNCTION rest CASCADE");
    assert_string_equal(ipr_db_test_sql("SELECT concat_ws(' ', (SELECT count(*) FROM game), (SELECT"
                                        " count(*) FROM upload), (SELECT count(*) FROM player WHERE"
                                        " id <> 0), (SELECT count(*) FROM upload_duplicate))"),
                        "0 0 0 0");
    assert_int_equal(import(f, text).imported, 2500);
    free(text);
}

/* The same few moves on each of sixty days, then once more with another tag. */
static void test_short_draws(void **state)
{
    struct ipr_buf text[2] = { IPR_BUF_INIT, IPR_BUF_INIT };

    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 60; i++)
            ipr_buf_printf(&text[k],
                           "[Event \"Friends\"]\n[Date \"1930.%02d.%02d\"]\n" PLAYERS
                           "%s[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nf3 Nf6 1/2-1/2\n\n",
                           i / 28 + 1, i % 28 + 1, k == 0 ? "" : "[ECO \"C42\"]\n");
    struct ipr_ingest_result r = import(*state, ipr_buf_c(&text[0]));
    expect(&r, 60, IPR_DUPLICATE_IDENTICAL, 0, 0);
    r = import(*state, ipr_buf_c(&text[1]));
    expect(&r, 0, IPR_DUPLICATE_IDENTICAL, 60, 60);
    assert_int_equal(ipr_db_test_int("SELECT count(DISTINCT date) FROM game"), 60);
    ipr_buf_release(&text[0]);
    ipr_buf_release(&text[1]);
}

/* Exercises: nobody's, of one event, each from a position of its own. */
static void test_exercises(void **state)
{
    struct ipr_buf text[2] = { IPR_BUF_INIT, IPR_BUF_INIT };
    static const char *const tail[] = { "", "[Annotator \"A\"]\n" };

    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 100; i++)
            ipr_buf_printf(&text[k],
                           "[Event \"Exercises\"]\n[White \"?\"]\n[Black \"?\"]\n%s"
                           "[FEN \"7k/8/8/8/8/8/%dR%d/K7 w - - 0 %d\"]\n\n1. Kb1 Kg8 *\n\n",
                           tail[k], i % 5 + 1, 6 - i % 5, i / 5 + 1);
    struct ipr_ingest_result r = import(*state, ipr_buf_c(&text[0]));
    expect(&r, 100, IPR_DUPLICATE_IDENTICAL, 0, 0);
    r = import(*state, ipr_buf_c(&text[1]));
    expect(&r, 0, IPR_DUPLICATE_IDENTICAL, 100, 100);
    ipr_buf_release(&text[0]);
    ipr_buf_release(&text[1]);
}

/* Games that people moved to somebody else are known when they come again under the old name. */
static void test_split(void **state)
{
    struct ipr_db_fixture *f = *state;
    static const char text[] =
        "[Event \"A\"]\n[Date \"1950.01.01\"]\n[White \"Ivanov, A\"]\n[Black \"Tal, M\"]\n\n"
        "1. e4 e5 1-0\n\n"
        "[Event \"A\"]\n[Date \"1951.01.01\"]\n[White \"Ivanov, A\"]\n[Black \"Tal, "
        "M\"]\n\n" PLIES_24 " 1-0\n\n"
        "[Event \"B\"]\n[Date \"1990.01.01\"]\n[White \"Ivanov, A\"]\n[Black \"Tal, M\"]\n\n"
        "1. d4 d5 1-0\n\n";
    const struct ipr_db_split elder = {
        .name = "Ivanov, Boris", .key = "ivanov,boris", .from = 1950, .to = 1951, .colour = -1
    };

    struct ipr_ingest_result r = import(f, text);
    expect(&r, 3, IPR_DUPLICATE_IDENTICAL, 0, 0);
    const int32_t who =
        (int32_t)ipr_db_test_int("SELECT id FROM player WHERE name_key = 'ivanov,a'");
    assert_ok(ipr_db_split(f->db, who, &elder, "me", NULL, &f->err), &f->err);
    r = import(f, text);
    assert_int_equal(r.imported, 0);
    assert_int_equal(r.duplicate, 3);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM game AS g JOIN player AS p ON p.id = "
                                     "g.white_id WHERE p.name_key = 'ivanov,boris'"),
                     2);
}

/* Blitz: one pair, one day, beginnings alike. */
static void test_server_games(void **state)
{
    static const char text[] =
        "[Event \"Rated Blitz game\"]\n[Site \"https://lichess.org/aaaaaaaa\"]\n"
        "[UTCTime \"10:00:00\"]\n[Date \"2020.01.02\"]\n" PLAYERS "\n1. e4 e5 2. Nf3 1-0\n\n"
        "[Event \"Rated Blitz game\"]\n[Site \"https://lichess.org/bbbbbbbb\"]\n"
        "[UTCTime \"10:05:00\"]\n[Date \"2020.01.02\"]\n" PLAYERS "\n1. e4 e5 2. Nf3 0-1\n\n"
        "[Event \"Rated Blitz game\"]\n[Date \"2020.01.02\"]\n" PLAYERS
        "\n1. e4 e5 2. Nf3 Nc6 1-0\n\n";
    struct ipr_ingest_result r = import(*state, text);

    expect(&r, 3, IPR_DUPLICATE_IDENTICAL, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_same_pair),     TEST(test_alike),     TEST(test_short_draws),
        TEST(test_exercises),     TEST(test_split),     TEST(test_server_games),
        TEST(test_at_once),       TEST(test_one_waits), TEST(test_killed),
        TEST(test_batches_apart),
    };

    return cmocka_run_group_tests_name("duplicates_many", tests, NULL, NULL);
}
