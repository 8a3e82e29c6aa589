#include "chess/san.h"
#include "ipr_test.h"

#define START    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define CASTLING "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
#define KNIGHTS  "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"
#define CAPTURES "4k3/P7/8/3pP3/2P5/8/8/4K1N1 w - d6 0 1"
#define QUEENS   "1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1"

/* `uci` is the move meant; `san` is how it is written, NULL where `text` is that already. */
static struct good {
    const char *name, *fen, *text, *uci, *san;
} good[] = {
    { "pawn", START, "e4", "e2e4", NULL },
    { "pawn one step", START, "e3", "e2e3", NULL },
    { "knight", START, "Nf3", "g1f3", NULL },
    { "superfluous check mark", START, "Nf3+", "g1f3", "Nf3" },
    { "superfluous mate mark", START, "Nf3#", "g1f3", "Nf3" },
    { "suffixes", START, "Nf3!?", "g1f3", "Nf3" },
    { "mark and suffix", START, "Nf3+!!", "g1f3", "Nf3" },
    { "UCI text", START, "g1f3", "g1f3", "Nf3" },
    { "long algebraic", START, "Ng1-f3", "g1f3", "Nf3" },
    { "long algebraic pawn", START, "e2-e4", "e2e4", "e4" },
    { "needless file", START, "Ngf3", "g1f3", "Nf3" },
    { "needless rank", START, "N1f3", "g1f3", "Nf3" },
    { "needless square", START, "Ng1f3", "g1f3", "Nf3" },
    { "pawn letter", START, "Pe4", "e2e4", "e4" },
    { "castling", CASTLING, "O-O", "e1g1", NULL },
    { "long castling", CASTLING, "O-O-O", "e1c1", NULL },
    { "zeros", CASTLING, "0-0", "e1g1", "O-O" },
    { "long zeros", CASTLING, "0-0-0!", "e1c1", "O-O-O" },
    { "castling as king move", CASTLING, "e1g1", "e1g1", "O-O" },
    { "castling as king takes rook", CASTLING, "e1a1", "e1c1", "O-O-O" },
    { "castling as K move", CASTLING, "Ke1-g1", "e1g1", "O-O" },
    { "castling with check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O+", "e1g1", NULL },
    { "file tells", KNIGHTS, "Nbd2", "b1d2", NULL },
    { "other file tells", KNIGHTS, "Nfd2", "f3d2", NULL },
    { "rank suffices on reading", KNIGHTS, "N1d2", "b1d2", "Nbd2" },
    { "rank tells", "4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "R1a3", "a1a3", NULL },
    { "square tells", QUEENS, "Qh4e1", "h4e1", NULL },
    { "pinned knight does not count", "4k3/8/8/8/4r3/8/4N3/1N2K3 w - - 0 1", "Nc3", "b1c3", NULL },
    { "capture", CAPTURES, "cxd5", "c4d5", NULL },
    { "capture without x", CAPTURES, "cd5", "c4d5", "cxd5" },
    { "capture with colon", CAPTURES, "c:d5", "c4d5", "cxd5" },
    { "capture with whole square", CAPTURES, "c4xd5", "c4d5", "cxd5" },
    { "capture without the file", "4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1", "xd5", "c4d5", "cxd5" },
    { "en passant", CAPTURES, "exd6", "e5d6", NULL },
    { "en passant said so", CAPTURES, "exd6e.p.", "e5d6", "exd6" },
    { "en passant in short", CAPTURES, "ed6ep", "e5d6", "exd6" },
    { "promotion", CAPTURES, "a8=N", "a7a8n", NULL },
    { "promotion with check", CAPTURES, "a8=Q+", "a7a8q", NULL },
    { "promotion without =", CAPTURES, "a8R", "a7a8r", "a8=R+" },
    { "promotion in brackets", CAPTURES, "a8(B)", "a7a8b", "a8=B" },
    { "promotion after a stroke", CAPTURES, "a8/N", "a7a8n", "a8=N" },
    { "promotion in lower case", CAPTURES, "a8=n", "a7a8n", "a8=N" },
    { "promotion in UCI text", CAPTURES, "a7a8q", "a7a8q", "a8=Q+" },
    { "capture and promotion", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q+", "a7b8q", NULL },
    { "mate", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8#", "a1a8", NULL },
    { "bishop is not the b file", "4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1", "bxc4", "b3c4", NULL },
    { "and the other way", "4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1", "Bxc4", "d3c4", NULL },
    { "capture and promotion, long", "3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7xd8=Q+", "e7d8q",
      "exd8=Q+" },
    { "piece in lower case", START, "nf3", "g1f3", "Nf3" },
    { "rook in lower case", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "ra8+", "a1a8", "Ra8+" },
    { "figurine", START,
      "\xE2\x99\x98"
      "f3",
      "g1f3", "Nf3" },
    { "black figurine", START,
      "\xE2\x99\x9E"
      "f3",
      "g1f3", "Nf3" },
    { "figurine of a pawn", START,
      "\xE2\x99\x99"
      "e4",
      "e2e4", "e4" },
    { "promotion to a figurine", CAPTURES, "a8=\xE2\x99\x95+", "a7a8q", "a8=Q+" },
    { "mixed case castling", CASTLING, "o-o", "e1g1", "O-O" },
    { "Chess960 castling in place", "4k3/8/8/8/8/8/8/5RKR w KQ - 0 1", "O-O-O", "g1f1", NULL },
    { "Chess960 king step", "4k3/8/8/8/8/8/8/1R3K1R w KQ - 0 1", "f1g1", "f1g1", "Kg1" },
};

static struct ipr_pos position(const char *fen)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos pos;

    assert_ok(ipr_pos_from_fen(&pos, ipr_str_c(fen), &err), &err);
    return pos;
}

static void test_good(void **state)
{
    const struct good *r = *state;
    const struct ipr_pos pos = position(r->fen);
    struct ipr_err err = IPR_ERR_INIT;
    char uci[IPR_UCI_MAX], san[IPR_SAN_MAX];
    ipr_move m;

    assert_ok(ipr_san_read(&pos, ipr_str_c(r->text), &m, &err), &err);
    ipr_move_to_uci(&pos, m, uci);
    assert_string_equal(uci, r->uci);
    const size_t n = ipr_san_write(&pos, m, san);
    assert_int_equal(n, strlen(san));
    assert_string_equal(san, r->san != NULL ? r->san : r->text);
}

#define START_MOVES                                                                                \
    "a3, b3, c3, d3, e3, f3, g3, h3, a4, b4, c4, d4, e4, f4, g4, h4, Na3, Nc3, Nf3, Nh3"
#define CASTLING_MOVES                                                                             \
    "Kd1, Kf1, Kd2, Ke2, Kf2, Rb1, Rc1, Rd1, Ra2, Ra3, Ra4, Ra5, Ra6, Ra7, Rxa8+, Rf1, Rg1, Rh2, " \
    "Rh3, Rh4, Rh5, Rh6, Rh7, Rxh8+, O-O, O-O-O"

static struct bad {
    const char *name, *fen, *text, *type, *msg;
} bad[] = {
    { "empty", START, "", "bad_move", "'' is not a move; legal moves: " START_MOVES },
    { "word", START, "hello", "bad_move", "'hello' is not a move; legal moves: " START_MOVES },
    { "check mark alone", START, "+", "bad_move", "'+' is not a move; legal moves: " START_MOVES },
    { "piece alone", START, "N", "bad_move", "'N' is not a move; legal moves: " START_MOVES },
    { "half a square", START, "Nf", "bad_move", "'Nf' is not a move; legal moves: " START_MOVES },
    { "trailing hyphen", START, "e4-", "bad_move",
      "'e4-' is not a move; legal moves: " START_MOVES },
    { "trailing letter", START, "e4x", "bad_move",
      "'e4x' is not a move; legal moves: " START_MOVES },
    { "promotion to king", CAPTURES, "a8=K", "bad_move",
      "'a8=K' is not a move; legal moves: Kd1, Kf1, Kd2, Ke2, Kf2, c5, e6, cxd5, a8=Q+, a8=R+, "
      "a8=B, a8=N, Ne2, Nf3, Nh3, exd6" },
    { "four O's", CASTLING, "O-O-O-O", "bad_move",
      "'O-O-O-O' is not a move; legal moves: " CASTLING_MOVES },
    { "mixed O's", CASTLING, "O-0", "bad_move",
      "'O-0' is not a move; legal moves: " CASTLING_MOVES },
    { "bytes", START,
      "\xC3\xA9"
      "4",
      "bad_move", "'U+00E94' is not a move; legal moves: " START_MOVES },
    { "long", START, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "bad_move",
      "'aaaaaaaaaaaaaaaaaaaaaaaa...' is not a move; legal moves: " START_MOVES },
    { "out of reach", KNIGHTS, "Nf6", "illegal_move",
      "Nf6 is not legal here; knight moves that are: Nbd2, Na3, Nc3, Ng1, Nfd2, Nh2, Nd4, Nh4, "
      "Ne5, Ng5" },
    { "no such man", KNIGHTS, "Qd4", "illegal_move", "Qd4 is not legal here; no queen can move" },
    { "nothing to capture", START, "Nxf3", "illegal_move",
      "Nxf3 is not legal here; knight moves that are: Na3, Nc3, Nf3, Nh3" },
    { "pawn capture of nothing", START, "exd3", "illegal_move", NULL },
    { "pawn capture unsaid", CAPTURES, "d5", "illegal_move", NULL },
    { "castling without right", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", "illegal_move",
      "O-O is not legal here; king moves that are: Kd1, Kf1, Kd2, Ke2, Kf2" },
    { "castling through check", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "illegal_move",
      "O-O is not legal here; king moves that are: Kd1, Kd2, Ke2" },
    { "pinned", "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", "Nc3", "illegal_move",
      "Nc3 is not legal here; no knight can move" },
    { "promotion of a piece", KNIGHTS, "Nd2=Q", "illegal_move", NULL },
    { "promotion too early", START, "e4=Q", "illegal_move", NULL },
    { "empty square moves", START, "e5e6", "illegal_move",
      "e5e6 is not legal here; legal moves: " START_MOVES },
    { "after mate", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "Kh8", "illegal_move",
      "Kh8 is not legal here; the game has ended by checkmate" },
    { "after stalemate", "7k/8/6Q1/8/8/8/8/4K3 b - - 0 1", "Kg8", "illegal_move",
      "Kg8 is not legal here; the game has ended by stalemate" },
    { "not a move after mate", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "x", "bad_move",
      "'x' is not a move; the game has ended by checkmate" },
    { "German knight", START, "Sf3", "bad_move", "'Sf3' is not a move; legal moves: " START_MOVES },
    { "lower-case b is the file", "4k3/8/8/8/2p5/3B4/8/4K3 w - - 0 1", "bxc4", "illegal_move",
      "bxc4 is not legal here; no pawn can move" },
    { "figurine that cannot", START,
      "\xE2\x99\x95"
      "d4",
      "illegal_move", "U+2655d4 is not legal here; no queen can move" },
    { "figurines in a row", START,
      "\xE2\x99\x95\xE2\x99\x95"
      "d4",
      "bad_move", "'U+2655U+2655d4' is not a move; legal moves: " START_MOVES },
    { "ambiguous", KNIGHTS, "Nd2", "ambiguous_move", "Nd2 is ambiguous; it could be Nbd2, Nfd2" },
    { "promotion unsaid", CAPTURES, "a8", "ambiguous_move",
      "a8 is ambiguous; it could be a8=Q+, a8=R+, a8=B, a8=N" },
};

static void test_bad(void **state)
{
    const struct bad *r = *state;
    const struct ipr_pos pos = position(r->fen);
    struct ipr_err err = IPR_ERR_INIT;
    ipr_move m = 77;

    assert_int_equal(ipr_san_read(&pos, ipr_str_c(r->text), &m, &err), IPR_EPARSE);
    assert_string_equal(err.type, r->type);
    if (r->msg != NULL)
        assert_string_equal(err.msg, r->msg);
    assert_int_equal(m, 77); /* untouched */
    assert_int_equal(ipr_san_read(&pos, ipr_str_c(r->text), &m, NULL), IPR_EPARSE);
}

/* A list that would not fit is cut at a move. */
static void test_long_list(void **state)
{
    const struct ipr_pos pos = position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    struct ipr_err err = IPR_ERR_INIT;
    ipr_move m;

    (void)state;
    assert_int_equal(ipr_san_read(&pos, IPR_STR("Qa1"), &m, &err), IPR_EPARSE);
    assert_true(strlen(err.msg) < IPR_ERR_TEXT - 1);
    assert_string_equal(err.msg + strlen(err.msg) - 5, ", ...");
}

int main(void)
{
    enum { N_GOOD = sizeof good / sizeof *good, N_BAD = sizeof bad / sizeof *bad };
    struct CMUnitTest tests[N_GOOD + N_BAD + 1] = { [N_GOOD + N_BAD] =
                                                        cmocka_unit_test(test_long_list) };

    for (size_t i = 0; i < N_GOOD; i++)
        tests[i] = (struct CMUnitTest){ .name = good[i].name,
                                        .test_func = test_good,
                                        .initial_state = &good[i] };
    for (size_t i = 0; i < N_BAD; i++)
        tests[N_GOOD + i] = (struct CMUnitTest){ .name = bad[i].name,
                                                 .test_func = test_bad,
                                                 .initial_state = &bad[i] };
    return cmocka_run_group_tests_name("san", tests, NULL, NULL);
}
