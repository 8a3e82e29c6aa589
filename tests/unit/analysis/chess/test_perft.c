#include <stdio.h>
#include <stdlib.h>

#include "ipr_test.h"
#include "perft.h"

/* Counts that every engine agrees on; the six are known as positions 1 to 6. */
static struct row {
    const char *name, *fen;
    unsigned depth;
    uint64_t nodes;
} rows[] = {
    { "start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4865609 },
    { "castling and pins", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
      4, 4085603 },
    { "en-passant pins", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11030083 },
    { "promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5,
      15833292 },
    { "promotions mirrored", "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 4,
      422333 },
    { "check by discovery", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4,
      2103487 },
    { "middle game", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4,
      3894594 },
    { "218 moves", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 1, 218 },
    { "depth 0", "8/8/8/8/8/5k2/8/4K3 w - - 0 1", 0, 1 },
};

static void test_count(void **state)
{
    const struct row *r = *state;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos pos;

    assert_ok(ipr_pos_from_fen(&pos, ipr_str_c(r->fen), &err), &err);
    assert_int_equal(perft(&pos, r->depth), r->nodes);
}

/* Suites of the shared folder: "FEN ;D1 20 ;D2 400 ...". Depths above the bound are left to
 * the bench. */
#define MAX_NODES 300000

static struct suite {
    const char *name;
    unsigned lines;
} suites[] = { { "data/perft/standard.epd", 128 }, { "data/perft/fischer.epd", 960 } };

static void check_depth(const struct ipr_pos *pos, const char *fen, const char *field)
{
    char *end;
    const unsigned depth = (unsigned)strtoul(field + 1, &end, 10);
    const uint64_t want = strtoull(end, NULL, 10);

    if (want > MAX_NODES)
        return;
    const uint64_t got = perft(pos, depth);
    if (got != want)
        print_error("%s: depth %u: %llu, not %llu\n", fen, depth, (unsigned long long)got,
                    (unsigned long long)want);
    assert_int_equal(got, want);
}

static void test_suite(void **state)
{
    const struct suite *s = *state;
    const char *const path = ipr_test_shared(s->name);
    char line[512], *save;
    unsigned lines = 0;

    if (path == NULL)
        skip();
    FILE *const f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_pos pos;
        const char *const fen = strtok_r(line, ";", &save);

        assert_ok(ipr_pos_from_fen(&pos, ipr_str_c(fen), &err), &err);
        for (const char *field; (field = strtok_r(NULL, ";", &save)) != NULL;)
            check_depth(&pos, fen, field);
        lines++;
    }
    fclose(f);
    assert_int_equal(lines, s->lines);
}

int main(void)
{
    enum { N_ROWS = sizeof rows / sizeof *rows, N_SUITES = sizeof suites / sizeof *suites };
    struct CMUnitTest tests[N_ROWS + N_SUITES] = { 0 };

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].name,
                                        .test_func = test_count,
                                        .initial_state = &rows[i] };
    for (size_t i = 0; i < N_SUITES; i++)
        tests[N_ROWS + i] = (struct CMUnitTest){ .name = suites[i].name,
                                                 .test_func = test_suite,
                                                 .initial_state = &suites[i] };
    return cmocka_run_group_tests_name("perft", tests, NULL, NULL);
}
