#include "chess/position.h"
#include "ipr_test.h"

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

/* `want` is what is written again; NULL: the same text. */
static struct good {
    const char *name, *fen, *want;
} good[] = {
    { "start", START " w KQkq - 0 1", NULL },
    { "black to move", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", NULL },
    { "ep without capturer is dropped",
      "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
      "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" },
    { "ep that can be captured", "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
      NULL },
    { "ep pinned along the rank", "8/8/8/8/k2pP2Q/8/8/4K3 b - e3 0 1",
      "8/8/8/8/k2pP2Q/8/8/4K3 b - - 0 1" },
    { "ep pinned on a diagonal", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", NULL },
    { "no counters", START " w KQkq -", START " w KQkq - 0 1" },
    { "half-move counter alone", START " w KQkq - 7", START " w KQkq - 7 1" },
    { "move number 0", START " w KQkq - 0 0", START " w KQkq - 0 1" },
    { "large counters", "4k3/8/8/8/8/8/8/4K3 w - - 9999 9999", NULL },
    { "white space around", "  4k3/8/8/8/8/8/8/4K3\tw  -  -  0  1 ",
      "4k3/8/8/8/8/8/8/4K3 w - - 0 1" },
    { "some rights", "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", NULL },
    { "Shredder letters", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
      "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1" },
    { "Chess960 outer rooks", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
      "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9" },
    { "Chess960 inner rook", "4k3/8/8/8/8/8/8/4KRR1 w F - 0 1", NULL },
    { "X-FEN means the outermost", "4k3/8/8/8/8/8/8/4KRR1 w G - 0 1",
      "4k3/8/8/8/8/8/8/4KRR1 w K - 0 1" },
};

static void test_good(void **state)
{
    const struct good *r = *state;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos pos, again;
    char text[IPR_FEN_MAX];

    assert_ok(ipr_pos_from_fen(&pos, ipr_str_c(r->fen), &err), &err);
    const size_t n = ipr_pos_to_fen(&pos, text);
    assert_int_equal(n, strlen(text));
    assert_string_equal(text, r->want != NULL ? r->want : r->fen);
    assert_ok(ipr_pos_from_fen(&again, ipr_str_c(text), &err), &err);
    assert_int_equal(again.key, pos.key);
}

static struct bad {
    const char *name, *fen, *msg;
    unsigned column;
} bad[] = {
    { "empty", "", "a FEN has at least four fields: placement, side, castling, en passant", 1 },
    { "three fields", START " w KQkq",
      "a FEN has at least four fields: placement, side, castling, en passant", 51 },
    { "seven fields", START " w KQkq - 0 1 x", "text after the sixth field", 58 },
    { "seven ranks", "4k3/8/8/8/8/8/4K3 w - - 0 1",
      "the placement does not have eight ranks of eight squares", 17 },
    { "nine ranks", "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1",
      "the placement does not have eight ranks of eight squares", 18 },
    { "short rank", "4k3/7/8/8/8/8/8/4K3 w - - 0 1",
      "the placement does not have eight ranks of eight squares", 6 },
    { "long rank", "4k3/8/8/8/8/8/8/4K4 w - - 0 1", "a rank has more than eight squares", 19 },
    { "very long rank", "4k3ppppppppp/8/8/8/8/8/8/4K3 w - - 0 1",
      "a rank has more than eight squares", 4 },
    { "digit 9", "4k3/9/8/8/8/8/8/4K3 w - - 0 1", "'9' is no piece", 5 },
    { "letter", "4k3/8/8/8/8/8/8/4X3 w - - 0 1", "'X' is no piece", 18 },
    { "byte that is not ASCII",
      "4k3/8/8/8/8/8/8/4\xE9"
      "3 w - - 0 1",
      "'U+00E9' is no piece", 18 },
    { "no white king", "4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king", 1 },
    { "two black kings", "4k2k/8/8/8/8/8/8/4K3 w - - 0 1", "Black has more than one king", 1 },
    { "17 men", "4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1", "White has more than 16 men", 1 },
    { "nine pawns", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "White has more than 8 pawns", 1 },
    { "too many queens", "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
      "White has more promoted pieces than missing pawns", 1 },
    { "pawn on the last rank", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
      "a pawn stands on the first or last rank", 1 },
    { "pawn on the first rank", "4k3/8/8/8/8/8/8/p3K3 w - - 0 1",
      "a pawn stands on the first or last rank", 1 },
    { "side", START " W KQkq - 0 1", "the side to move is 'W', not w or b", 45 },
    { "not to move in check", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "Black is in check but not to move",
      22 },
    { "kings touch", "8/8/8/8/8/8/4k3/4K3 w - - 0 1", "Black is in check but not to move", 21 },
    { "right without rook", "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1",
      "castling right Q without a rook in place", 25 },
    { "right with the king away", "4k3/8/8/8/8/8/4K3/7R w K - 0 1",
      "castling right K, but the king is not on its first rank", 24 },
    { "Shredder letter without rook", "4k3/8/8/8/8/8/8/4K2R w G - 0 1",
      "castling right G without a rook in place", 24 },
    { "right twice", "4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling right K repeats another", 25 },
    { "two rooks on one side", "4k3/8/8/8/8/8/8/4K1RR w HG - 0 1",
      "castling right G repeats another", 26 },
    { "castling letter", START " w KQkx - 0 1", "'x' is no castling right", 50 },
    { "ep text", START " w KQkq e9 0 1", "the en-passant square cannot be 'e9'", 52 },
    { "ep rank of the wrong side", "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e6 0 1",
      "the en-passant square cannot be 'e6'", 55 },
    { "ep without pawn", START " w KQkq e6 0 1", "en passant on e6, but no pawn has just passed it",
      52 },
    { "ep with origin occupied", "4k3/3p4/8/3p4/8/8/8/4K3 w - d6 0 1",
      "en passant on d6, but no pawn has just passed it", 29 },
    { "negative counter", START " w KQkq - -1 1",
      "the half-move counter is not a number from 0 to 9999", 54 },
    { "large move number", START " w KQkq - 0 10000",
      "the move number is not a number from 0 to 9999", 56 },
};

static void test_bad(void **state)
{
    const struct bad *r = *state;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos pos = { .key = 42 };

    assert_int_equal(ipr_pos_from_fen(&pos, ipr_str_c(r->fen), &err), IPR_EPARSE);
    assert_string_equal(err.msg, r->msg);
    assert_string_equal(err.type, "bad_fen");
    assert_int_equal(err.column, r->column);
    assert_int_equal(pos.key, 42); /* untouched */
}

static void test_start(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos made, read;

    (void)state;
    ipr_pos_start(&made);
    assert_ok(ipr_pos_from_fen(&read, IPR_STR(START " w KQkq - 0 1"), &err), &err);
    assert_memory_equal(&made, &read, sizeof made);
}

int main(void)
{
    enum { N_GOOD = sizeof good / sizeof *good, N_BAD = sizeof bad / sizeof *bad };
    struct CMUnitTest tests[N_GOOD + N_BAD + 1] = { [N_GOOD + N_BAD] =
                                                        cmocka_unit_test(test_start) };

    for (size_t i = 0; i < N_GOOD; i++)
        tests[i] = (struct CMUnitTest){ .name = good[i].name,
                                        .test_func = test_good,
                                        .initial_state = &good[i] };
    for (size_t i = 0; i < N_BAD; i++)
        tests[N_GOOD + i] = (struct CMUnitTest){ .name = bad[i].name,
                                                 .test_func = test_bad,
                                                 .initial_state = &bad[i] };
    return cmocka_run_group_tests_name("fen", tests, NULL, NULL);
}
