#include "engine/tablebase.h"

#include <limits.h>
#include <stdlib.h>

#include "ipr_tables_test.h"
#include "ipr_test.h"

/*
 * What an ending is worth is from the theory of the endgame (opposition, the wrong bishop,
 * Philidor's queen against rook), and from the rules themselves: a position is worth what the best
 * of its moves is worth.
 */
static struct known {
    const char *name, *fen;
    int wdl;
} known[] = {
    { "bishop and knight mate", "8/8/8/4k3/8/8/8/KBN5 w - - 0 1", 2 },
    { "bishop and knight, the other side", "8/8/8/4k3/8/8/8/KBN5 b - - 0 1", -2 },
    { "two knights do not", "8/8/8/4k3/8/8/8/KNN5 w - - 0 1", 0 },
    { "two bishops do", "8/8/8/4k3/8/8/8/KBB5 w - - 0 1", 2 },
    { "opposition is White's", "8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", -2 },
    { "opposition is Black's", "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", 0 },
    { "king on the sixth, to move", "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", 2 },
    { "king on the sixth, not to move", "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", -2 },
    { "colours changed", "8/8/8/8/4p3/4k3/8/4K3 b - - 0 1", 2 },
    { "rook pawn", "k7/8/K7/P7/8/8/8/8 w - - 0 1", 0 },
    { "out of the square", "8/8/8/7k/P7/8/8/K7 b - - 0 1", -2 },
    { "into the square", "8/8/8/5k2/P7/8/8/7K b - - 0 1", 0 },
    { "wrong bishop", "k7/8/K7/P7/8/8/8/2B5 w - - 0 1", 0 },
    { "right bishop", "k7/8/K7/P7/8/8/8/3B4 w - - 0 1", 2 },
    { "Philidor, to move", "1k6/1r6/2K5/Q7/8/8/8/8 w - - 0 1", 2 },
    { "Philidor, not to move", "1k6/1r6/2K5/Q7/8/8/8/8 b - - 0 1", -2 },
    { "queen against pawn on c7", "8/2P5/1K6/8/8/8/7k/3q4 b - - 0 1", 0 },
    { "queen against pawn on b7", "8/1P6/K7/8/8/8/7k/3q4 b - - 0 1", 2 },
    { "mated", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", -2 },
    { "stalemated", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0 },
    { "bare kings", "7k/8/6K1/8/8/8/8/8 b - - 0 1", 0 },
    { "king and bishop", "7k/8/6K1/8/8/8/8/B7 b - - 0 1", 0 },
    { "promotes", "8/P7/8/8/8/7k/8/K7 w - - 0 1", 2 },
    { "queen takes rook", "8/8/8/8/3k4/8/r7/KQ6 w - - 0 1", 2 },
    { "late in the clock", "8/8/8/4k3/8/8/8/KBN5 w - - 99 120", 2 },
};

static void test_known(void **state)
{
    const struct known *k = *state;
    const struct ipr_pos pos = ipr_tables_position(k->fen);
    struct ipr_err err = IPR_ERR_INIT;
    int wdl = 9, dtz = 999;

    ipr_tables_open();
    assert_ok(ipr_tablebase_probe(&pos, &wdl, &dtz, &err), &err);
    assert_int_equal(wdl, k->wdl);
    /* A distance has the sign of the value; only mate has a value and no distance. */
    ipr_move legal[IPR_MAX_MOVES];
    const int sign = (dtz > 0) - (dtz < 0);
    assert_int_equal(sign, ipr_pos_legal(&pos, legal) == 0 ? 0 : (wdl > 0) - (wdl < 0));
}

static void test_distances(void **state)
{
    static const struct {
        const char *fen;
        int dtz;
    } rows[] = {
        { "8/P7/8/8/8/7k/8/K7 w - - 0 1", 1 },    /* promotes */
        { "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", 1 },  /* mates: Qb8 */
        { "8/8/8/8/3k4/8/1r6/KQ6 w - - 0 1", 1 }, /* takes */
        { "7k/5Q2/5K2/8/8/8/8/8 w - - 0 1", 1 },  /* mates: Qg7 */
        { "8/8/8/8/8/k7/P7/K7 w - - 0 1", 0 },    /* drawn */
    };

    (void)state;
    ipr_tables_open();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ipr_pos pos = ipr_tables_position(rows[i].fen);
        struct ipr_err err = IPR_ERR_INIT;
        int wdl, dtz;

        assert_ok(ipr_tablebase_probe(&pos, &wdl, &dtz, &err), &err);
        assert_int_equal(dtz, rows[i].dtz);
    }
}

/* Values are those of a fresh clock. */
static void test_the_clock_does_not_count(void **state)
{
    struct ipr_pos pos = ipr_tables_position("8/8/8/4k3/8/8/8/KBN5 w - - 0 1");
    struct ipr_err err = IPR_ERR_INIT;
    int wdl, dtz, late_wdl, late_dtz;

    (void)state;
    ipr_tables_open();
    assert_ok(ipr_tablebase_probe(&pos, &wdl, &dtz, &err), &err);
    assert_true(dtz > 40 && dtz < 70); /* mate in 33 moves at the most */
    pos.halfmove = 99;
    assert_ok(ipr_tablebase_probe(&pos, &late_wdl, &late_dtz, &err), &err);
    assert_int_equal(late_wdl, wdl);
    assert_int_equal(late_dtz, dtz);
}

static void test_out_of_reach(void **state)
{
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/8/2r5/4k3/8/2P5/8/KR6 w - - 0 1", /* five men */
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",    /* may castle */
        "r3k3/8/8/8/8/8/8/4K3 w q - 0 1",    /* the other may */
    };

    (void)state;
    ipr_tables_open();
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        const struct ipr_pos pos = ipr_tables_position(fens[i]);
        int wdl = 7, dtz = 7;

        assert_int_equal(ipr_tablebase_probe(&pos, &wdl, &dtz, NULL), IPR_ENOTFOUND);
        assert_int_equal(wdl, 7);
        assert_int_equal(dtz, 7);
    }
}

/* ---- what must hold of any position -----------------------------------------------------------
 */

/* What a position is worth by what comes after its moves. */
struct by_moves {
    int wdl;       /* of the best move */
    int way[2][2]; /* half-moves to zero: [of moves that lose, win][shortest, longest] */
};

static struct by_moves look_ahead(const struct ipr_pos *pos, const ipr_move *moves, size_t n)
{
    struct by_moves b = { -3, { { INT_MAX, 0 }, { INT_MAX, 0 } } };

    if (n == 0)
        b.wdl = ipr_pos_in_check(pos) ? -2 : 0;
    for (size_t i = 0; i < n; i++) {
        struct ipr_pos next = *pos;
        ipr_move replies[IPR_MAX_MOVES];
        int wdl, dtz;

        ipr_pos_play(&next, moves[i]);
        ipr_tables_probe(&next, &wdl, &dtz);
        b.wdl = -wdl > b.wdl ? -wdl : b.wdl;
        if (wdl == 0)
            continue;
        const bool ends = next.halfmove == 0 || ipr_pos_legal(&next, replies) == 0;
        const int way = ends ? 1 : 1 + abs(dtz);
        int *const range = b.way[wdl < 0];
        range[0] = way < range[0] ? way : range[0];
        range[1] = way > range[1] ? way : range[1];
    }
    return b;
}

/* Returns the value. */
static int check_position(const struct ipr_pos *pos)
{
    ipr_move moves[IPR_MAX_MOVES];
    const size_t n = ipr_pos_legal(pos, moves);
    const struct by_moves b = look_ahead(pos, moves, n);
    char fen[IPR_FEN_MAX];
    int wdl, dtz, want = 0;

    ipr_tables_probe(pos, &wdl, &dtz);
    /* The side that wins goes the short way, the other the long one. */
    if (n > 0 && wdl != 0)
        want = wdl > 0 ? b.way[1][0] : -b.way[0][1];
    ipr_pos_to_fen(pos, fen);
    /* A win that the fifty-move rule spoils needs more than four men. */
    if (wdl != b.wdl || abs(wdl) == 1)
        fail_msg("%s: value %d, by its moves %d", fen, wdl, b.wdl);
    if (abs(dtz - want) > 1 || (dtz > 0) != (want > 0) || (dtz < 0) != (want < 0))
        fail_msg("%s: distance %d, by its moves %d", fen, dtz, want);
    return wdl;
}

static char endings[][5] = {
    "KQkr", "KPk", "KPPk", "KPkp", "KRkp", "KRkb", "KBNk", "KBPk", "kqqK"
};

static void test_value_is_that_of_the_best_move(void **state)
{
    const char *const men = *state;
    unsigned seen[5] = { 0 };

    ipr_tables_open();
    ipr_tables_seed(88172645463325252U);
    for (unsigned i = 0; i < 150;) {
        struct ipr_pos pos;

        if (!ipr_tables_random(men, &pos))
            continue;
        seen[check_position(&pos) + 2]++;
        i++;
    }
    /* The sample has something to tell. */
    assert_true((seen[0] > 0) + (seen[2] > 0) + (seen[4] > 0) >= 2);
}

/* Positions with an en-passant capture, some of which are worth something else without it. */
static void test_en_passant(void **state)
{
    unsigned checked = 0, decided = 0;

    (void)state;
    ipr_tables_open();
    ipr_tables_seed(362436069U);
    while (checked < 100) {
        struct ipr_pos pos, without;
        int wdl, dtz, wdl_without, dtz_without;
        ipr_move moves[IPR_MAX_MOVES];

        if (!ipr_tables_random("KPkp", &pos))
            continue;
        const size_t n = ipr_pos_legal(&pos, moves);
        struct ipr_pos next = pos;
        for (size_t i = 0; i < n && next.ep >= 64; i++) {
            next = pos;
            ipr_pos_play(&next, moves[i]);
        }
        if (next.ep >= 64)
            continue;
        (void)check_position(&next);
        without = next;
        without.ep = 64;
        ipr_tables_probe(&next, &wdl, &dtz);
        ipr_tables_probe(&without, &wdl_without, &dtz_without);
        decided += wdl != wdl_without;
        checked++;
    }
    assert_true(decided > 0);
}

/* The moves of the least distance mate bishop and knight's king, or queen's against rook, as soon
 * as the tables say, whatever the other does. */
static void test_the_way_to_mate(void **state)
{
    (void)state;
    ipr_tables_open();
    ipr_tables_seed(521288629U);
    for (unsigned games = 0; games < 12;) {
        struct ipr_pos pos;
        ipr_move moves[IPR_MAX_MOVES];
        int wdl, dtz, plies = 0;
        size_t n;

        if (!ipr_tables_random("KBNk", &pos) || pos.turn != IPR_WHITE)
            continue;
        ipr_tables_probe(&pos, &wdl, &dtz);
        if (wdl != 2)
            continue;
        const int promised = dtz;
        while ((n = ipr_pos_legal(&pos, moves)) > 0) {
            struct ipr_pos best = pos;

            ipr_pos_play(&best, moves[ipr_tables_below((unsigned)n)]);
            for (size_t i = 0; i < n && pos.turn == IPR_WHITE; i++) {
                struct ipr_pos next = pos;
                int next_wdl, next_dtz;

                ipr_pos_play(&next, moves[i]);
                ipr_tables_probe(&next, &next_wdl, &next_dtz);
                ipr_tables_probe(&best, &wdl, &dtz);
                if (next_wdl == -2 && (wdl != -2 || next_dtz > dtz))
                    best = next;
            }
            pos = best;
            plies++;
            assert_true(plies <= promised + 1);
        }
        assert_true(ipr_pos_in_check(&pos));
        assert_int_equal(pos.turn, IPR_BLACK);
        games++;
    }
}

#define TEST(name) cmocka_unit_test_teardown(name, ipr_tables_close)
#define N_KNOWN    (sizeof known / sizeof known[0])
#define N_ENDINGS  (sizeof endings / sizeof endings[0])

int main(void)
{
    static const struct CMUnitTest fixed[] = {
        TEST(test_distances),  TEST(test_the_clock_does_not_count), TEST(test_out_of_reach),
        TEST(test_en_passant), TEST(test_the_way_to_mate),
    };
    struct CMUnitTest tests[sizeof fixed / sizeof fixed[0] + N_KNOWN + N_ENDINGS];
    size_t n = 0;

    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        tests[n++] = fixed[i];
    for (size_t i = 0; i < N_KNOWN; i++)
        tests[n++] =
            (struct CMUnitTest){ known[i].name, test_known, NULL, ipr_tables_close, &known[i] };
    for (size_t i = 0; i < N_ENDINGS; i++)
        tests[n++] = (struct CMUnitTest){ endings[i], test_value_is_that_of_the_best_move, NULL,
                                          ipr_tables_close, endings[i] };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
