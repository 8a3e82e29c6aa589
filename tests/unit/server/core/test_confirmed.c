#include "ipr_test.h"

#include <math.h>

#include "core/confirmed.h"

#define DEPTH 3

static const ipr_move moves[] = { 1 << 6, 2 << 6, 3 << 6 };

/* Three lines, of which the last was searched apart; only the last depth counts. */
static struct ipr_confirmed_turn turn(unsigned ply, int16_t best, int16_t played, int16_t *score)
{
    for (unsigned i = 0; i < 3 * DEPTH; i++)
        score[i] = (int16_t)i;
    score[DEPTH - 1] = best;
    score[2 * DEPTH - 1] = (int16_t)(best - 10);
    score[3 * DEPTH - 1] = played;
    return (struct ipr_confirmed_turn){ .turn = { .ply = (uint16_t)ply,
                                                  .mover = (uint8_t)(ply & 1),
                                                  .depth = DEPTH,
                                                  .lines = 3,
                                                  .played = 2,
                                                  .legal = 30,
                                                  .repeated = ply == 300,
                                                  .nodes = 4000123,
                                                  .moves = moves,
                                                  .score = score,
                                                  .apart_nodes = 123,
                                                  .line = moves,
                                                  .n_line = ply == 300 ? 3 : 0 },
                                        .open = ply == 17 };
}

static void test_stored_form(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_buf packed = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_confirmed_turn *out = NULL, in[2];
    int16_t score[2][3 * DEPTH];
    size_t n = 0;

    (void)state;
    in[0] = turn(17, 50, -120, score[0]);
    in[1] = turn(300, 31997, 31990, score[1]);
    ipr_confirm_pack(&in[0], &packed);
    ipr_confirm_pack(&in[1], &packed);
    const struct ipr_str all = { ipr_buf_c(&packed), packed.n };
    assert_ok(ipr_confirm_unpack(all, &mem, &out, &n, &err), &err);
    assert_int_equal(n, 2);
    for (size_t i = 0; i < n; i++) {
        const struct ipr_judged_turn *a = &in[i].turn, *b = &out[i].turn;

        assert_int_equal(out[i].open, in[i].open);
        assert_int_equal(b->ply, a->ply);
        assert_int_equal(b->mover, a->mover);
        assert_int_equal(b->depth, DEPTH);
        assert_int_equal(b->legal, 30);
        assert_int_equal(b->played, 2);
        assert_int_equal(b->repeated, a->repeated);
        assert_int_equal(b->nodes, a->nodes);
        assert_int_equal(b->apart_nodes, 123);
        assert_memory_equal(b->moves, moves, sizeof moves);
        assert_int_equal(b->n_line, a->n_line);
        if (a->n_line > 0)
            assert_memory_equal(b->line, moves, sizeof moves);
        for (unsigned k = 0; k < 3; k++) {
            assert_int_equal(ipr_judged_final(b, k), ipr_judged_final(a, k));
            assert_int_equal(b->score[k * DEPTH], IPR_SCORE_NONE);
        }
        assert_close(ipr_confirm_loss(b), ipr_confirm_loss(a), 1e-12);
    }
    /* None of its beginnings is a stored form but the first turn alone; nor is another order. */
    size_t whole = 0;
    for (size_t k = 0; k < all.n; k++)
        whole += ipr_confirm_unpack((struct ipr_str){ all.p, k }, &mem, &out, &n, NULL) == IPR_OK;
    assert_int_equal(whole, 2);
    ipr_confirm_pack(&in[0], &packed);
    assert_int_equal(
        ipr_confirm_unpack((struct ipr_str){ ipr_buf_c(&packed), packed.n }, &mem, &out, &n, NULL),
        IPR_EPARSE);
    ipr_buf_release(&packed);
    ipr_arena_release(&mem);
}

static void test_loss(void **state)
{
    int16_t score[3 * DEPTH];
    struct ipr_confirmed_turn t = turn(17, 0, -100, score);

    (void)state;
    assert_close(ipr_confirm_loss(&t.turn), 0.207, 0.002);
    t = turn(17, 0, 40, score); /* the move played is the best of all when searched apart */
    assert_close(ipr_confirm_loss(&t.turn), 0.0, 1e-12);
    assert_close(ipr_confirm_gain(&t.turn), -0.088, 0.002);
    t.turn.lines = 1;
    t.turn.played = 0;
    assert_true(isnan(ipr_confirm_gain(&t.turn)));
    assert_close(ipr_confirm_loss(&t.turn), 0.0, 1e-12);
}

/* By the last three depths: the middle one counts, and says at what depth. */
static void test_settling(void **state)
{
    static const struct {
        int16_t own[DEPTH]; /* the best of the others is at 0 */
        bool settled;
        unsigned depth;
    } rows[] = {
        { { -60, -60, -60 }, true, 3 },
        { { -100, -75, -80 }, true, 3 },
        { { -90, -100, -160 }, false, 2 }, /* of .19, .21 and .31 points: no mark is sure */
        { { -100, -110, -130 }, true, 2 }, /* .21, .23 and .26: the same mark */
        { { 0, 10, -60 }, false, 1 },
        { { -40, -39, -40 }, false, 3 }, /* .088: marked, but a single search is not sure of it */
        { { -50, -51, -50 }, true, 3 },  /* .108 */
        { { -20, -21, -20 }, true, 3 },  /* .044 */
        { { 90, 10, 40 }, false, 3 },
        { { 0, IPR_SCORE_NONE, -60 }, true, 3 },
    };
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int16_t score[2 * DEPTH] = { 0 };
        struct ipr_judged_turn t = {
            .depth = DEPTH, .lines = 2, .played = 1, .legal = 30, .moves = moves, .score = score
        };

        memcpy(score + DEPTH, rows[i].own, sizeof rows[i].own);
        assert_int_equal(ipr_confirm_settle(&t, &mem), rows[i].settled);
        assert_int_equal(t.depth, rows[i].depth);
        assert_int_equal(ipr_judged_final(&t, t.played), rows[i].own[rows[i].depth - 1]);
        assert_int_equal(ipr_judged_final(&t, !t.played), 0);
        assert_true(ipr_judged_final(&t, 0) >= ipr_judged_final(&t, 1));
        assert_int_equal(t.moves[t.played], moves[1]);
    }
    ipr_arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stored_form),
        cmocka_unit_test(test_loss),
        cmocka_unit_test(test_settling),
    };
    return cmocka_run_group_tests_name("confirm", tests, NULL, NULL);
}
