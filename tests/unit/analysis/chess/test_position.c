#include "chess/attacks.h"
#include "chess/san.h"
#include "ipr_test.h"

/* Properties that hold along seeded random games. */

static struct row {
    const char *name, *fen;
    unsigned games;
} rows[] = {
    { "start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 60 },
    { "castling", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 40 },
    { "promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 40 },
    { "pawns", "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 60 },
    { "many queens", "4k3/8/8/8/8/8/8/QQQQKQQQ w - - 0 1", 20 },
    { "Chess960", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 40 },
    { "Chess960 castling", "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w KQkq - 0 1", 40 },
};

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void check_fen(const struct ipr_pos *pos)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos read;
    char fen[IPR_FEN_MAX], again[IPR_FEN_MAX];

    ipr_pos_to_fen(pos, fen);
    assert_ok(ipr_pos_from_fen(&read, ipr_str_c(fen), &err), &err);
    ipr_pos_to_fen(&read, again);
    assert_string_equal(fen, again);
    assert_int_equal(read.key, pos->key);
}

/* Every legal move reads back from its SAN and from its UCI text, and no two share one. */
static void check_texts(const struct ipr_pos *pos, const ipr_move *list, size_t n)
{
    char texts[IPR_MAX_MOVES][IPR_SAN_MAX], uci[IPR_UCI_MAX];

    for (size_t i = 0; i < n; i++) {
        struct ipr_err err = IPR_ERR_INIT;
        ipr_move m = IPR_MOVE_NONE;

        ipr_san_write(pos, list[i], texts[i]);
        assert_ok(ipr_san_read(pos, ipr_str_c(texts[i]), &m, &err), &err);
        assert_int_equal(m, list[i]);
        ipr_move_to_uci(pos, list[i], uci);
        assert_ok(ipr_move_from_uci(pos, ipr_str_c(uci), &m, &err), &err);
        assert_int_equal(m, list[i]);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(texts[i], texts[k]);
    }
}

/* The list has exactly the moves that are legal when asked about one by one: the generator and
 * the look from the destination share no code but en passant and castling. */
static void check_completeness(const struct ipr_pos *pos, const ipr_move *list, size_t n)
{
    static bool listed[65536];

    for (size_t i = 0; i < n; i++)
        listed[list[i]] = true;
    for (unsigned m = 0; m < 65536; m++)
        if (ipr_pos_is_legal(pos, (ipr_move)m) != listed[m])
            fail_msg("move %04x is %s the list", m, listed[m] ? "in" : "not in");
    for (size_t i = 0; i < n; i++)
        listed[list[i]] = false;
}

static void check_play(const struct ipr_pos *before, ipr_move m, const struct ipr_pos *after)
{
    const bool gone = before->castling != after->castling;

    assert_int_equal(after->key, ipr_pos_compute_key(after));
    assert_int_equal(after->by_colour[0] & after->by_colour[1], 0);
    if (after->halfmove == 0 || gone)
        assert_true(ipr_pos_irreversible(before, m));
    else
        assert_false(ipr_pos_irreversible(before, m));
}

static void test_random_games(void **state)
{
    const struct row *r = *state;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos start;
    uint32_t seed = 1;

    assert_ok(ipr_pos_from_fen(&start, ipr_str_c(r->fen), &err), &err);
    for (unsigned game = 0; game < r->games; game++) {
        struct ipr_pos pos = start;

        for (unsigned ply = 0; ply < 120; ply++) {
            ipr_move list[IPR_MAX_MOVES];
            const size_t n = ipr_pos_legal(&pos, list);
            const struct ipr_pos before = pos;

            if (n == 0)
                break;
            check_fen(&pos);
            check_texts(&pos, list, n);
            if (ply % 16 == game % 16)
                check_completeness(&pos, list, n);
            const ipr_move m = list[next_random(&seed) % n];
            ipr_pos_play(&pos, m);
            check_play(&before, m, &pos);
        }
    }
}

static struct ipr_pos after(const char *const *moves)
{
    struct ipr_pos pos;

    ipr_pos_start(&pos);
    for (; *moves != NULL; moves++) {
        struct ipr_err err = IPR_ERR_INIT;
        ipr_move m;

        assert_ok(ipr_san_read(&pos, ipr_str_c(*moves), &m, &err), &err);
        ipr_pos_play(&pos, m);
    }
    return pos;
}

#define AFTER(...) after((const char *const[]){ __VA_ARGS__, NULL })

static void test_transposition(void **state)
{
    (void)state;
    assert_int_equal(AFTER("d4", "d5", "c4").key, AFTER("c4", "d5", "d4").key);
    assert_int_equal(AFTER("Nf3", "Nf6", "Ng1", "Ng8").key, AFTER("Nc3", "Nc6", "Nb1", "Nb8").key);
}

static void test_key_tells_apart(void **state)
{
    (void)state;
    /* rights */
    assert_int_not_equal(AFTER("e4", "e5", "Ke2", "Ke7", "Ke1", "Ke8").key, AFTER("e4", "e5").key);
    /* a real en-passant chance: e5xd6 is legal at first only */
    assert_int_not_equal(AFTER("e4", "a6", "e5", "d5").key,
                         AFTER("e4", "a6", "e5", "d5", "Nf3", "Nf6", "Ng1", "Ng8").key);
    /* and one in name only */
    assert_int_equal(AFTER("e4").ep, IPR_NO_SQUARE);
}

static void test_irreversible(void **state)
{
    struct ipr_pos pos = AFTER("e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5");

    (void)state;
    assert_true(ipr_pos_irreversible(&pos, 4 | 7 << 6 | IPR_MOVE_CASTLING));
    assert_true(ipr_pos_irreversible(&pos, 4 | 12 << 6));  /* Ke2 loses the rights */
    assert_true(ipr_pos_irreversible(&pos, 7 | 5 << 6));   /* Rf1 loses one */
    assert_true(ipr_pos_irreversible(&pos, 8 | 16 << 6));  /* a3 */
    assert_true(ipr_pos_irreversible(&pos, 21 | 36 << 6)); /* Nxe5 */
    assert_false(ipr_pos_irreversible(&pos, 1 | 18 << 6)); /* Nc3 */
}

int main(void)
{
    enum { N_ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[N_ROWS + 3] = {
        [N_ROWS] = cmocka_unit_test(test_transposition),
        [N_ROWS + 1] = cmocka_unit_test(test_key_tells_apart),
        [N_ROWS + 2] = cmocka_unit_test(test_irreversible),
    };

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].name,
                                        .test_func = test_random_games,
                                        .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("position", tests, NULL, NULL);
}
