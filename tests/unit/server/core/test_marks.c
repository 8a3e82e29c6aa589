/* What is said of the moves of a game, by searches that are given here. */
#include "core/marks.h"

#include <math.h>

#include "core/confirm.h"
#include "ipr_test.h"

#define MOVES 16

struct game {
    struct ipr_pos start;
    ipr_move moves[MOVES], line[MOVES][2];
    size_t n;
    struct ipr_judged_turn turns[MOVES];
    struct ipr_judged_turn deep[MOVES];
    size_t n_deep;
    int16_t shallow[MOVES][2 * IPR_MARK_FOUND_DEPTH + 4], score[MOVES][2];
};

/* All moves are analysed, at equality; the glance preferred another one to each of them. */
static void game_init(struct game *g, const char *const *played, size_t n)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos pos;

    *g = (struct game){ .n = n };
    ipr_pos_start(&g->start);
    pos = g->start;
    for (size_t i = 0; i < n; i++) {
        const unsigned depth = IPR_MARK_FOUND_DEPTH + 1;
        ipr_move legal[IPR_MAX_MOVES];
        const size_t n_legal = ipr_pos_legal(&pos, legal);

        assert_ok(ipr_move_from_uci(&pos, (struct ipr_str){ played[i], 4 }, &g->moves[i], &err),
                  &err);
        g->line[i][0] = g->moves[i];
        g->line[i][1] = legal[legal[0] == g->moves[i]];
        g->shallow[i][IPR_MARK_FOUND_DEPTH - 1] = -100;
        g->turns[i] = (struct ipr_judged_turn){ .ply = (uint16_t)i,
                                                .mover = (uint8_t)pos.turn,
                                                .depth = (uint8_t)depth,
                                                .lines = 2,
                                                .legal = (uint8_t)n_legal,
                                                .moves = g->line[i],
                                                .score = g->shallow[i] };
        ipr_pos_play(&pos, g->moves[i]);
    }
}

/* The next one that is confirmed, with centipawns of the mover. */
static void deep(struct game *g, size_t ply, int16_t own, int16_t others)
{
    struct ipr_judged_turn *const t = &g->deep[g->n_deep++];

    *t = g->turns[ply];
    g->score[ply][0] = own;
    g->score[ply][1] = others;
    t->depth = 1;
    t->score = g->score[ply];
}

static void mark(struct game *g, struct ipr_marked *out)
{
    const struct ipr_judged_game judged = { g->turns, g->n }, confirmed = { g->deep, g->n_deep };

    ipr_mark_moves(&g->start, g->moves, g->n, &judged, &judged, &confirmed, out);
}

/* The bishop takes a pawn on f7, and is taken. */
static const char *const legal_mate[] = { "e2e4", "e7e5", "g1f3", "d7d6", "f1c4", "c8g4", "b1c3",
                                          "g7g6", "f3e5", "g4d1", "c4f7", "e8e7", "c3d5" };
#define LEGAL_MATE (sizeof legal_mate / sizeof *legal_mate)

static void test_marks(void **state)
{
    struct ipr_marked m[MOVES + 1];
    struct game g;

    (void)state;
    game_init(&g, legal_mate, LEGAL_MATE);
    /* The short search says that a move loses a pawn: a number, no mark. */
    g.shallow[5][IPR_MARK_FOUND_DEPTH] = -100;
    mark(&g, m);
    assert_int_equal(m[5].mark, IPR_MARK_NONE);
    assert_null(m[5].by);
    assert_close(m[5].lost, 0.207, 0.002);
    assert_close(m[5].white, 0.5, 1e-9);

    deep(&g, 5, -45, 0);     /* .098 */
    deep(&g, 7, -400, -50);  /* 7…g6? */
    deep(&g, 8, 300, 0);     /* 8.Nxe5 gives the queen away */
    deep(&g, 10, 31998, 30); /* a mate: it need not be found */
    deep(&g, 11, -31999, 0); /* the only legal move */
    mark(&g, m);
    assert_int_equal(m[5].mark, IPR_MARK_INACCURACY);
    assert_close(m[5].lost, 0.098, 0.002);
    assert_int_equal(m[7].mark, IPR_MARK_BLUNDER);
    assert_int_equal(m[8].mark, IPR_MARK_BRILLIANT);
    assert_int_equal(m[10].mark, IPR_MARK_NONE);
    assert_ptr_equal(m[8].by, &g.deep[2]);

    /* Where the glance saw it, it is no find; nor where the others are as good. */
    g.shallow[8][IPR_MARK_FOUND_DEPTH - 1] = 0;
    mark(&g, m);
    assert_int_equal(m[8].mark, IPR_MARK_NONE);
    g.shallow[8][IPR_MARK_FOUND_DEPTH - 1] = -100;
    g.score[8][1] = 280;
    mark(&g, m);
    assert_int_equal(m[8].mark, IPR_MARK_NONE);
}

static void test_recapture(void **state)
{
    static const char *const exchange[] = { "e2e4", "d7d5", "e4d5", "d8d5" };
    struct ipr_marked m[MOVES + 1];
    struct game g;

    (void)state;
    game_init(&g, exchange, 4);
    deep(&g, 2, 100, 0);
    deep(&g, 3, 0, -150);
    mark(&g, m);
    assert_int_equal(m[2].mark, IPR_MARK_FOUND); /* takes */
    assert_int_equal(m[3].mark, IPR_MARK_NONE);  /* takes back */
}

/* The stored search is blind to what a deep one sees, up to the sixth half-move. */
static void test_expected(void **state)
{
    struct ipr_marked m[MOVES + 1];
    struct game g;

    (void)state;
    game_init(&g, legal_mate, LEGAL_MATE);
    deep(&g, 1, -50, 0);
    for (size_t i = 6; i < g.n; i++) {
        const int16_t white = (int16_t)(i < 8 ? 80 : 200);

        for (size_t k = 0; k < 2; k++)
            g.shallow[i][k * (IPR_MARK_FOUND_DEPTH + 1) + IPR_MARK_FOUND_DEPTH] =
                (int16_t)(g.turns[i].mover == IPR_WHITE ? white : -white);
    }
    mark(&g, m);
    assert_close(m[1].white, 0.5, 1e-9);
    for (size_t i = 2; i < 6; i++)
        assert_close(m[i].white, 1 - ipr_points(-50), 1e-9);
    assert_close(m[6].white, ipr_points(80), 1e-9);
    assert_close(m[g.n].white, ipr_points(200), 1e-9);

    const struct ipr_turning t = ipr_marked_turning(m, g.n, IPR_WHITE, IPR_WHITE_WINS);
    assert_int_equal(t.kind, IPR_TURNING_AT_MOVE);
    assert_int_equal(t.to, 1);
    assert_int_equal(ipr_marked_turning(m, g.n, IPR_WHITE, IPR_BLACK_WINS).kind, IPR_TURNING_NONE);
    assert_int_equal(ipr_marked_turning(m, g.n, IPR_WHITE, IPR_DRAW).kind, IPR_TURNING_NONE);
}

static void test_not_analysed(void **state)
{
    const struct ipr_judged_game none = { NULL, 0 };
    struct ipr_marked m[MOVES + 1];
    struct game g;

    (void)state;
    game_init(&g, legal_mate, LEGAL_MATE);
    ipr_mark_moves(&g.start, g.moves, g.n, &none, &none, &none, m);
    for (size_t i = 0; i <= g.n; i++)
        assert_true(isnan(m[i].white) && isnan(m[i].lost) && m[i].mark == IPR_MARK_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_marks),
                                        cmocka_unit_test(test_recapture),
                                        cmocka_unit_test(test_expected),
                                        cmocka_unit_test(test_not_analysed) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
