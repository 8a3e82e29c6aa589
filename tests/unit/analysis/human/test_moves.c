/* Where moves are in the policy of a network. */
#include "human/moves.h"

#include <string.h>

#include "ipr_test.h"

static size_t at(const char *fen, const char *uci)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos pos;
    ipr_move m;

    assert_ok(ipr_pos_from_fen(&pos, ipr_str_c(fen), &err), &err);
    assert_ok(ipr_move_from_uci(&pos, ipr_str_c(uci), &m, &err), &err);
    return ipr_human_policy_at(&pos, m);
}

/* Squares from a1, planes as in net.h: north 0 to 6, north-east from 7, east from 14, ... */
static void test_places(void **state)
{
    static const char promotion[] = "1n2k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1",
                      black[] = "r3k2r/8/8/8/8/8/p7/1N2K3 b kq - 0 1";

    (void)state;
    assert_int_equal(at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4"),
                     12 * IPR_NET_POLICY + 1);
    assert_int_equal(at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3"),
                     6 * IPR_NET_POLICY + 63);
    /* Castling is the king's move to the rook. */
    assert_int_equal(at(promotion, "e1g1"), 4 * IPR_NET_POLICY + 14 + 2);
    assert_int_equal(at(promotion, "e1c1"), 4 * IPR_NET_POLICY + 42 + 3);
    /* A knight is what a pawn becomes that has no plane of its own. */
    assert_int_equal(at(promotion, "a7a8n"), 48 * IPR_NET_POLICY);
    assert_int_equal(at(promotion, "a7a8r"), 48 * IPR_NET_POLICY + 67);
    assert_int_equal(at(promotion, "a7a8b"), 48 * IPR_NET_POLICY + 68);
    assert_int_equal(at(promotion, "a7b8q"), 48 * IPR_NET_POLICY + 72);
    /* Black's moves are those of White on the board turned over. */
    assert_int_equal(at(black, "e8g8"), at(promotion, "e1g1"));
    assert_int_equal(at(black, "a2b1q"), at(promotion, "a7b8q"));
    assert_int_equal(at(black, "a8a3"), at(promotion, "a1a6"));
}

/* No two moves of a position have one place. */
static void test_distinct(void **state)
{
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/1P4P1/8/3Q4/4N3/2n5/1p4p1/R3K2R w KQkq - 0 1",
        "r3k2r/1P4P1/8/3Q4/4N3/2n5/1p4p1/R3K2R b KQkq - 0 1",
    };

    (void)state;
    for (size_t k = 0; k < sizeof fens / sizeof *fens; k++) {
        bool seen[64 * IPR_NET_POLICY] = { false };
        struct ipr_err err = IPR_ERR_INIT;
        ipr_move legal[IPR_MAX_MOVES];
        struct ipr_pos pos;

        assert_ok(ipr_pos_from_fen(&pos, ipr_str_c(fens[k]), &err), &err);
        for (size_t i = ipr_pos_legal(&pos, legal); i-- > 0;) {
            const size_t place = ipr_human_policy_at(&pos, legal[i]);

            assert_true(place < 64 * IPR_NET_POLICY && place % IPR_NET_POLICY < 73);
            assert_false(seen[place]);
            seen[place] = true;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_distinct),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
