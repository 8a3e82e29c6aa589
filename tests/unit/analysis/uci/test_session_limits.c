/* Searches by nodes and time, and of the move played separately. */
#include "session.h"

#define START "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define FIRST "> ucinewgame", "> isready", "< readyok"

/* The depth of the turn is the last one with an exact score for every line. The move played is
 * searched to that depth. Any legal move is accepted as the best one. */
static void test_nodes(void **state)
{
    static const char *const lines[] = {
        FIRST,
        "> " START,
        "> go nodes 500 depth 60",
        D1,
        D2A,
        D2C,
        "< info depth 3 multipv 1 score cp 99 nodes 300 pv g1f3",
        "< info depth 3 multipv 2 score cp 90 lowerbound nodes 400 pv d2d4",
        "< info depth 2 multipv 2 score cp 7 nodes 501 pv d2d4",
        "< bestmove g1f3",
        "> go depth 2 searchmoves e2e4",
        "< info depth 1 multipv 1 score cp -7 nodes 3 pv e2e4",
        "< info depth 2 multipv 1 score cp 8 nodes 4 pv e2e4",
        "< bestmove e2e4",
        NULL,
    };
    static const int16_t want[6] = { 30, 40, IPR_SCORE_NONE, 20, -7, 8 };
    const struct ipr_judge judge = {
        .multipv = 2, .nodes = 500, .hash_mb = 1, .threads = 1, .first_move = 1
    };
    struct game g;

    (void)state;
    set_up_judge(&g, &judge, NULL, "e2e4", 1, NULL);
    assert_ok(talk(&g, lines), &g.err);
    const struct ipr_judged_turn *t = ipr_session_result(g.s)->turns;
    assert_int_equal(t->depth, 2);
    assert_int_equal(t->lines, 3);
    assert_int_equal(t->nodes, 505);
    assert_memory_equal(t->score, want, sizeof want);
    tear_down(&g);
}

/* Sends one "stop" when the rule is satisfied, here at three quarters of the limit by the time that
 * the engine reports. Searches backwards and clears the hash once; results are in ascending order.
 */
static void test_adaptive(void **state)
{
    static const char *const lines[] = {
        FIRST,
        "> position fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "> go movetime 1000 depth 60",
        "< info depth 1 multipv 1 score cp 30 time 1 pv d2d4",
        "< info depth 1 multipv 2 score cp 25 time 1 pv b1c3",
        "< info depth 2 multipv 1 score cp 40 time 800 pv d2d4",
        "< info depth 2 multipv 2 score cp 20 time 801 pv g1f3",
        "> stop",
        "< info depth 3 multipv 1 score cp 44 time 900 pv d2d4",
        "< info depth 2 multipv 2 score cp 20 time 900 pv g1f3",
        "< bestmove d2d4",
        "> " START,
        "> go movetime 1000 depth 60",
        "< info depth 1 multipv 1 score cp 31 time 750 pv e2e4",
        "< info depth 1 multipv 2 score cp 25 time 750 pv d2d4",
        "> stop",
        "< info depth 2 multipv 1 score cp 32 time 760 pv e2e4",
        "< info depth 2 multipv 2 score cp 26 time 760 pv d2d4",
        "< bestmove e2e4",
        NULL,
    };
    const struct ipr_judge judge = { .multipv = 2,
                                     .time_ms = 1000,
                                     .hash_mb = 1,
                                     .threads = 1,
                                     .first_move = 1,
                                     .clear = IPR_CLEAR_GAME };
    struct game g;

    (void)state;
    set_up_judge(&g, &judge, NULL, "e2e4 e7e5 g1f3", 1, NULL);
    assert_int_equal(ipr_session_ply(g.s), 2);
    assert_ok(talk(&g, lines), &g.err);
    const struct ipr_judged_game *r = ipr_session_result(g.s);
    assert_int_equal(r->n, 2);
    assert_int_equal(r->turns[0].ply, 0);
    assert_int_equal(r->turns[0].depth, 2);
    assert_int_equal(ipr_judged_final(&r->turns[0], 0), 32);
    assert_int_equal(r->turns[1].ply, 2);
    assert_int_equal(r->turns[1].depth, 2);
    assert_int_equal(ipr_judged_final(&r->turns[1], 1), 20);
    tear_down(&g);
}

/* For engines without searchmoves it searches the position after the move, with one line and one
 * ply less. Lines that the engine numbers but does not sort are sorted. */
static void test_after(void **state)
{
    static const char *const lines[] = {
        FIRST,
        "> setoption name MultiPV value 2",
        "> " START,
        "> go depth 2",
        D1,
        D2A,
        "< info depth 2 multipv 2 score cp 45 nodes 60 pv c2c4",
        "< bestmove d2d4",
        "> ucinewgame",
        "> isready",
        "< readyok",
        "> setoption name MultiPV value 1",
        "> " START " moves e2e4",
        "> go depth 1",
        "< info depth 1 multipv 1 score mate -3 nodes 5 pv e7e5",
        "< bestmove e7e5",
        "> ucinewgame",
        "> isready",
        "< readyok",
        "> setoption name MultiPV value 2",
        "> position fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "> go depth 2",
        "< info depth 2 multipv 1 score cp 3 nodes 9 pv g1f3",
        "< info depth 2 multipv 2 score cp 2 nodes 9 pv b1c3",
        "< bestmove g1f3",
        NULL,
    };
    static const int16_t want[6] = { IPR_SCORE_NONE, 45, 30, 40, IPR_SCORE_NONE, 31996 };
    struct ipr_judge judge = plain;
    struct game g;

    (void)state;
    judge.apart = IPR_APART_AFTER;
    set_up_judge(&g, &judge, NULL, "e2e4 e7e5 g1f3", 1, NULL);
    assert_ok(talk(&g, lines), &g.err);
    const struct ipr_judged_turn *t = ipr_session_result(g.s)->turns;
    assert_int_equal(t->lines, 3);
    assert_int_equal(t->played, 2);
    assert_int_equal(t->nodes, 65);
    assert_memory_equal(t->score, want, sizeof want);
    tear_down(&g);
}

/* Searches the position after every move, in the order of move generation; the best moves become
 * the lines. After h6g6 Black's reply is forced, so the position after that reply is searched. */
static void test_each(void **state)
{
    static const char *const lines[] = {
        FIRST,
        "> position fen 7k/8/7K/8/8/8/8/8 w - - 0 1 moves h6g5",
        "> go depth 1",
        "< info depth 1 multipv 1 score cp -3 nodes 2 pv h8g7",
        "< bestmove h8g7",
        "> position fen 7k/8/7K/8/8/8/8/8 w - - 0 1 moves h6h5",
        "> go depth 1",
        "< info depth 1 score cp -6 nodes 2 pv h8h7",
        "< bestmove h8h7",
        "> position fen 7k/8/7K/8/8/8/8/8 w - - 0 1 moves h6g6 h8g8",
        "> go depth 1",
        "< info depth 1 score cp 0 nodes 2 pv g6f6",
        "< bestmove g6f6",
        NULL,
    };
    struct ipr_judge judge = plain;
    struct game g;

    (void)state;
    judge.apart = IPR_APART_EACH;
    set_up_judge(&g, &judge, "7k/8/7K/8/8/8/8/8 w - - 0 1", "h6g6", 1, NULL);
    assert_ok(talk(&g, lines), &g.err);
    const struct ipr_judged_turn *t = ipr_session_result(g.s)->turns;
    assert_int_equal(t->legal, 3);
    assert_int_equal(t->lines, 3);
    assert_int_equal(t->played, 2);
    assert_int_equal(ipr_judged_final(t, 0), 6);
    assert_int_equal(ipr_judged_final(t, 1), 3);
    assert_int_equal(ipr_judged_final(t, 2), 0);
    assert_int_equal(t->nodes, 6);
    tear_down(&g);
}

#define ALONE "7k/8/7K/8/8/8/8/8 w - - 0 1"

static const struct ipr_judge each_line = {
    .multipv = 2, .nodes = 500, .hash_mb = 1, .threads = 1, .first_move = 1, .apart = IPR_APART_LINE
};

/* The move played with half the nodes, then all others with all; of these the best after each
 * depth, whichever it is, and the last depths of both searches side by side. */
static void test_line(void **state)
{
    static const char *const lines[] = {
        FIRST,
        "> position fen " ALONE,
        "> go nodes 250 depth 60 searchmoves h6g6",
        "< info depth 1 score cp -7 nodes 9 pv h6g6",
        "< info depth 2 score cp 8 nodes 260 pv h6g6",
        "< bestmove h6g6",
        "> go nodes 500 depth 60 searchmoves h6g5 h6h5",
        "< info depth 1 score cp 5 nodes 20 pv h6h5",
        "< info depth 2 score cp 9 nodes 90 pv h6h5",
        "< info depth 3 score cp 12 nodes 510 pv h6g5",
        "< bestmove h6g5",
        NULL,
    };
    static const int16_t want[4] = { 9, 12, -7, 8 };
    struct game g;

    (void)state;
    set_up_judge(&g, &each_line, ALONE, "h6g6", 1, NULL);
    assert_ok(talk(&g, lines), &g.err);
    const struct ipr_judged_turn *t = ipr_session_result(g.s)->turns;
    assert_int_equal(t->depth, 2);
    assert_int_equal(t->lines, 2);
    assert_int_equal(t->played, 1);
    assert_memory_equal(t->score, want, sizeof want);
    assert_int_equal(t->nodes, 770);
    assert_int_equal(t->apart_nodes, 510);
    tear_down(&g);
}

/* The second search has all the nodes and another move. */
static void test_line_refused(void **state)
{
    static const char *const last[][2] = {
        { "< info depth 1 score cp 5 nodes 499 pv h6h5", "< bestmove h6h5" },
        { "< info depth 1 score cp 5 nodes 500 pv h6g6", "< bestmove h6g6" },
    };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const char *const lines[] = { FIRST,
                                      "> position fen " ALONE,
                                      "> go nodes 250 depth 60 searchmoves h6g6",
                                      "< info depth 1 score cp -7 nodes 250 pv h6g6",
                                      "< bestmove h6g6",
                                      "> go nodes 500 depth 60 searchmoves h6g5 h6h5",
                                      last[i][0],
                                      last[i][1],
                                      NULL };
        struct game g;

        set_up_judge(&g, &each_line, ALONE, "h6g6", 1, NULL);
        assert_int_equal(talk(&g, lines), IPR_EPARSE);
        assert_string_equal(g.err.type, "engine_protocol");
        tear_down(&g);
    }
}

/* Searches with a limit other than depth that end too early. */
static struct early {
    const char *name;
    uint32_t nodes, time_ms;
    const char *line;
} early[] = {

    { "nodes: too few", 500, 0, "< info depth 1 nodes 499" },
    { "time: too short", 0, 1000, "< info depth 1 nodes 9 time 249" },
};

static void test_early(void **state)
{
    const struct early *e = *state;
    const struct ipr_judge judge = { .multipv = 2,
                                     .nodes = e->nodes,
                                     .time_ms = e->time_ms,
                                     .hash_mb = 1,
                                     .threads = 1,
                                     .first_move = 1 };
    const char *const lines[] = {
        FIRST, "> " START, e->nodes > 0 ? "> go nodes 500 depth 60" : "> go movetime 1000 depth 60",
        D1,    e->line,    "< bestmove d2d4",
        NULL
    };
    struct game g;

    set_up_judge(&g, &judge, NULL, "e2e4", 1, NULL);
    assert_int_equal(talk(&g, lines), IPR_EPARSE);
    assert_string_equal(g.err.type, "engine_protocol");
    tear_down(&g);
}

static const struct CMUnitTest single[] = {
    cmocka_unit_test(test_nodes),        cmocka_unit_test(test_line),
    cmocka_unit_test(test_line_refused), cmocka_unit_test(test_adaptive),
    cmocka_unit_test(test_after),        cmocka_unit_test(test_each),
};

int main(void)
{
    struct CMUnitTest tests[ROWS(single) + ROWS(early)];
    size_t n = 0;

    for (size_t i = 0; i < ROWS(single); i++)
        tests[n++] = single[i];
    for (size_t i = 0; i < ROWS(early); i++)
        tests[n++] = (struct CMUnitTest){ .name = early[i].name,
                                          .test_func = test_early,
                                          .initial_state = &early[i] };
    return cmocka_run_group_tests_name("uci/session_limits", tests, NULL, NULL);
}
