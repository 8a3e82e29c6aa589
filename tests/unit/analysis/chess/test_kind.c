/* Kinds of moves and the pieces of a colour. */
#include <string.h>

#include "chess/kind.h"
#include "ipr_test.h"

static unsigned kinds(const char *fen, const char *before, bool captured, const char *move)
{
    struct ipr_err err = IPR_ERR_INIT;
    ipr_move m, led = IPR_MOVE_NONE;
    struct ipr_pos pos;

    assert_ok(ipr_pos_from_fen(&pos, (struct ipr_str){ fen, strlen(fen) }, &err), &err);
    if (before != NULL)
        led = (ipr_move)((before[0] - 'a' + (before[1] - '1') * 8) << 6);
    assert_ok(ipr_move_from_uci(&pos, (struct ipr_str){ move, strlen(move) }, &m, &err), &err);
    return ipr_move_kinds(&pos, led, captured, m);
}

static void test_kinds(void **state)
{
    static const char *const middle = "r3k2r/1P6/8/3pP3/8/2n5/3Q4/R3K2R w KQkq d6 0 1";

    (void)state;
    assert_int_equal(kinds(middle, NULL, false, "e5d6"), IPR_KIND_CAPTURE);
    assert_int_equal(kinds(middle, NULL, false, "e5e6"), 0);
    assert_int_equal(kinds(middle, "c3", false, "d2c3"), IPR_KIND_CAPTURE | 4 << 6);
    assert_int_equal(kinds(middle, "c3", true, "d2c3"),
                     IPR_KIND_CAPTURE | IPR_KIND_RECAPTURE | 4 << 6);
    assert_int_equal(kinds(middle, "d5", true, "d2c3"), IPR_KIND_CAPTURE | 4 << 6);
    assert_int_equal(kinds(middle, NULL, false, "d2d1"), IPR_KIND_BACK | 4 << 6);
    assert_int_equal(kinds(middle, NULL, false, "b7b8q"), IPR_KIND_CHECK | IPR_KIND_PROMOTION);
    assert_int_equal(kinds(middle, NULL, false, "b7a8n"), IPR_KIND_CAPTURE | IPR_KIND_PROMOTION);
    assert_int_equal(kinds(middle, NULL, false, "e1g1"), IPR_KIND_CASTLING | 5 << 6);
    assert_int_equal(kinds(middle, NULL, false, "h1h8"),
                     IPR_KIND_CAPTURE | IPR_KIND_CHECK | 3 << 6);
    assert_int_equal(kinds("4k3/8/8/8/8/5b2/8/4K3 b - - 0 1", NULL, false, "f3h5"),
                     IPR_KIND_BACK | 2 << 6);
}

static void test_pieces(void **state)
{
    struct ipr_pos pos;

    (void)state;
    ipr_pos_start(&pos);
    assert_int_equal(ipr_pos_pieces(&pos, IPR_WHITE), 31);
    assert_int_equal(ipr_pos_pieces(&pos, IPR_BLACK), 31);
    pos.by_colour[IPR_BLACK] &= ~pos.by_piece[4];
    assert_int_equal(ipr_pos_pieces(&pos, IPR_BLACK), 22);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_pieces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
