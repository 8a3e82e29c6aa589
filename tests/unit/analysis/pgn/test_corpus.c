#include <stdio.h>
#include <stdlib.h>

#include "ipr_test.h"
#include "pgn/reader.h"

/*
 * Real games of the shared folder: every one must be accepted. Numbers of games are those of
 * champions/SUMMARY.tsv, else of the "[Event " lines (mileposts/TABLE.tsv counts games before
 * some were taken out, and says more).
 */
static struct row {
    const char *path;
    unsigned games;
} rows[] = {
    { "data/samples/world_championships_1886-1985.pgn.bz2", 685 },
    { "data/champions/Steinitz.pgn.zst", 541 },
    { "data/champions/Lasker.pgn.zst", 503 },
    { "data/champions/Capablanca.pgn.zst", 563 },
    { "data/champions/Alekhine.pgn.zst", 1077 },
    { "data/champions/Euwe.pgn.zst", 1125 },
    { "data/champions/Botvinnik.pgn.zst", 880 },
    { "data/champions/Smyslov.pgn.zst", 2553 },
    { "data/champions/Tal.pgn.zst", 2315 },
    { "data/champions/Petrosian.pgn.zst", 1842 },
    { "data/champions/Spassky.pgn.zst", 2176 },
    { "data/champions/Fischer.pgn.zst", 738 },
    { "data/champions/Karpov.pgn.zst", 2211 },
    { "data/champions/Kasparov.pgn.zst", 1249 },
    { "data/champions/Kramnik.pgn.zst", 1740 },
    { "data/champions/Anand.pgn.zst", 2107 },
    { "data/champions/Topalov.pgn.zst", 1634 },
    { "data/champions/Carlsen.pgn.zst", 1668 },
    { "data/champions/Khalifman.pgn.zst", 2019 },
    { "data/champions/Ponomariov.pgn.zst", 1478 },
    { "data/champions/Kasimdzhanov.pgn.zst", 1258 },
    { "data/mileposts/E1600.pgn", 6 },
    { "data/mileposts/E1700.pgn", 21 },
    { "data/mileposts/E1800.pgn", 37 },
    { "data/mileposts/E1900.pgn", 34 },
    { "data/mileposts/E2000.pgn", 62 },
    { "data/mileposts/E2100.pgn", 143 },
    { "data/mileposts/E2200.pgn", 376 },
    { "data/mileposts/E2300.pgn", 640 },
    { "data/mileposts/E2400.pgn", 549 },
    { "data/mileposts/E2500.pgn", 643 },
    { "data/mileposts/E2600.pgn", 684 },
    { "data/mileposts/E2700.pgn", 525 },
    { "data/mileposts/E2750.pgn", 721 },
    { "data/mileposts_onesided/O1600.pgn", 91 },
    { "data/mileposts_onesided/O1700.pgn", 190 },
    { "data/mileposts_onesided/O1800.pgn", 310 },
    { "data/mileposts_onesided/O1900.pgn", 361 },
    { "data/mileposts_onesided/O2000.pgn", 367 },
    { "data/mileposts_onesided/O2100.pgn", 682 },
    { "data/mileposts_onesided/O2200.pgn", 685 },
    { "data/mileposts_onesided/O2300.pgn", 745 },
    { "data/mileposts_onesided/O2400.pgn", 790 },
    { "data/wch/1935-Euwe-Alekhine.pgn", 30 },
    { "data/wch/1937-Alekhine-Euwe.pgn", 25 },
    { "data/wch/1957-Smyslov-Botvinnik.pgn", 22 },
    { "data/wch/1958-Botvinnik-Smyslov.pgn", 23 },
    { "data/wch/1961-Botvinnik-Tal.pgn", 21 },
    { "data/wch/1963-Petrosian-Botvinnik.pgn", 22 },
    { "data/wch/1966-Petrosian-Spassky.pgn", 24 },
    { "data/wch/1969-Spassky-Petrosian.pgn", 23 },
    { "data/wch/1972-Fischer-Spassky.pgn", 21 },
    { "data/wch/1985-Kasparov-Karpov.pgn", 24 },
    { "data/wch/1986-Kasparov-Karpov.pgn", 24 },
    { "data/wch/1987-Kasparov-Karpov.pgn", 24 },
    { "data/wch/1990-Kasparov-Karpov.pgn", 24 },
    { "data/wch/1995-Kasparov-Anand.pgn", 18 },
    { "data/wch/2000-Kramnik-Kasparov.pgn", 15 },
    { "data/wch/2008-Anand-Kramnik.pgn", 11 },
    { "data/wch/2013-Carlsen-Anand.pgn", 10 },
};

static enum ipr_code count(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    unsigned *const games = payload;

    (void)err;
    ++*games;
    if (g->error.code != IPR_OK)
        print_error("game %u: line %u, column %u: %s: %s\n", g->index, g->error.line,
                    g->error.column, g->error.type, g->error.msg);
    assert_int_equal(g->error.code, IPR_OK);
    return IPR_OK;
}

static const char *unpacker(const char *path)
{
    const char *const dot = strrchr(path, '.');

    if (strcmp(dot, ".zst") == 0)
        return "zstdcat";
    return strcmp(dot, ".bz2") == 0 ? "bzcat" : "cat";
}

static void test_file(void **state)
{
    const struct row *r = *state;
    const char *const path = ipr_test_shared(r->path);
    struct ipr_err err = IPR_ERR_INIT;
    unsigned games = 0;
    char command[640];
    static char bytes[65536];

    if (path == NULL)
        skip();
    snprintf(command, sizeof command, "%s '%s'", unpacker(path), path);
    FILE *const f = popen(command, "r");
    assert_non_null(f);
    struct ipr_pgn_reader *reader = ipr_pgn_reader_new(NULL, count, &games);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, f)) > 0;)
        assert_ok(ipr_pgn_reader_feed(reader, bytes, n, &err), &err);
    assert_ok(ipr_pgn_reader_finish(reader, &err), &err);
    ipr_pgn_reader_free(&reader);
    assert_int_equal(pclose(f), 0);
    assert_int_equal(games, r->games);
}

int main(void)
{
    enum { N_ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[N_ROWS] = { 0 };

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].path,
                                        .test_func = test_file,
                                        .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("pgn corpus", tests, NULL, NULL);
}
