#include "chess/position.h"
#include "ipr_test.h"

#define START    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define CASTLING "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"
#define CHESS960 "4k3/8/8/8/8/8/8/1R2KR2 w KQ - 0 1"

/* `want` is how the move is written again, NULL where it is refused. */
static struct row {
    const char *name, *fen, *text, *want, *type;
} rows[] = {
    { "pawn", START, "e2e4", "e2e4", "" },
    { "promotion", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a7a8n", "" },
    { "promotion in capitals", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8Q", "a7a8q", "" },
    { "castling", CASTLING, "e8g8", "e8g8", "" },
    { "castling onto the rook", CASTLING, "e8a8", "e8c8", "" },
    { "Chess960 onto the rook", CHESS960, "e1f1", "e1f1", "" },
    { "Chess960 by destination", CHESS960, "e1g1", "e1f1", "" },
    { "Chess960 long", CHESS960, "e1c1", "e1b1", "" },
    { "illegal", START, "e2e5", NULL, "illegal_move" },
    { "promotion missing", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", NULL, "illegal_move" },
    { "promotion of a knight", START, "g1f3q", NULL, "illegal_move" },
    { "empty square", START, "e4e5", NULL, "illegal_move" },
    { "null move", START, "0000", NULL, "bad_move" },
    { "empty", START, "", NULL, "bad_move" },
    { "short", START, "e2e", NULL, "bad_move" },
    { "long", START, "e2e4qq", NULL, "bad_move" },
    { "promotion letter", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8k", NULL, "bad_move" },
    { "off the board", START, "e2e9", NULL, "bad_move" },
};

static void test_row(void **state)
{
    const struct row *r = *state;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos pos;
    char text[IPR_UCI_MAX];
    ipr_move m = 77;

    assert_ok(ipr_pos_from_fen(&pos, ipr_str_c(r->fen), &err), &err);
    const enum ipr_code rc = ipr_move_from_uci(&pos, ipr_str_c(r->text), &m, &err);
    assert_int_equal(rc, r->want != NULL ? IPR_OK : IPR_EPARSE);
    assert_string_equal(err.type, r->type);
    if (r->want == NULL) {
        assert_int_equal(m, 77); /* untouched */
        return;
    }
    const size_t n = ipr_move_to_uci(&pos, m, text);
    assert_int_equal(n, strlen(text));
    assert_string_equal(text, r->want);
}

int main(void)
{
    enum { N_ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[N_ROWS] = { 0 };

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].name,
                                        .test_func = test_row,
                                        .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("move text", tests, NULL, NULL);
}
