/* Conversations with an engine that succeed. */
#include "session.h"

static void test_game(void **state)
{
    static const char *const lines[] = {
        OPENING,
        "< info string NNUE evaluation using nn-ad9b42354671.nnue enabled",
        "< info depth 1 seldepth 1 multipv 1 score cp 30 nodes 20 pv d2d4",
        "< info depth 1 seldepth 1 multipv 2 score cp 25 nodes 20 pv e2e4",
        "< info depth 2 currmove d2d4 currmovenumber 1",
        "< info depth 2 seldepth 2 multipv 1 score cp 41 lowerbound nodes 50 pv e2e4",
        "< info depth 2 seldepth 2 multipv 1 score cp 40 nodes 60 pv e2e4 e7e5",
        "< info depth 2 seldepth 2 multipv 2 score mate -4 nodes 60 pv c2c4 e7e5",
        "< bestmove e2e4 ponder e7e5",
        "> ucinewgame",
        "> isready",
        "< info depth 9 score cp 3 pv zzzz", /* late words of an engine do not matter */
        "< readyok",
        "> position fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "> go depth 2",
        "< info depth 1 multipv 1 score cp 5 nodes 7 pv d2d4",
        "< info depth 1 multipv 2 score cp 4 nodes 7 pv g1f3",
        "< info depth 2 multipv 1 score cp 3 nodes 9 pv d2d4",
        "< info depth 2 multipv 2 score cp 2 nodes 9 pv b1c3",
        "< bestmove d2d4",
        "> go depth 2 searchmoves g1f3",
        "< info depth 1 multipv 1 score cp -7 nodes 3 pv g1f3",
        "< info depth 2 multipv 1 score cp 8 nodes 4 pv g1f3 b8c6",
        "< bestmove g1f3",
        NULL,
    };
    static const int16_t first[4] = { 25, 40, IPR_SCORE_NONE, -31996 };
    static const int16_t second[6] = { 5, 3, IPR_SCORE_NONE, 2, -7, 8 };
    struct game g;

    (void)state;
    set_up(&g, NULL, "e2e4 e7e5 g1f3", 1);
    assert_int_equal(ipr_session_turns_total(g.s), 2);
    assert_int_equal(ipr_session_ply(g.s), 0);
    assert_null(ipr_session_result(g.s));
    assert_ok(talk(&g, lines), &g.err);
    assert_int_equal(ipr_session_want(g.s), IPR_SESSION_DONE);
    assert_int_equal(ipr_session_turns_done(g.s), 2);
    assert_int_equal(ipr_session_ply(g.s), -1);

    const struct ipr_judged_game *r = ipr_session_result(g.s);
    assert_int_equal(r->n, 2);
    const struct ipr_judged_turn *t = r->turns;
    assert_int_equal(t[0].ply, 0);
    assert_int_equal(t[0].lines, 2);
    assert_int_equal(t[0].played, 0);
    assert_int_equal(t[0].legal, 20);
    assert_int_equal(t[0].nodes, 60);
    assert_memory_equal(t[0].score, first, sizeof first);
    assert_int_equal(t[1].ply, 2);
    assert_int_equal(t[1].lines, 3);
    assert_int_equal(t[1].played, 2);
    assert_int_equal(t[1].moves[2], g.moves[2]);
    assert_int_equal(t[1].nodes, 13);
    assert_memory_equal(t[1].score, second, sizeof second);
    assert_int_equal(ipr_session_line(g.s, IPR_STR("readyok"), &g.err), IPR_EINVAL);
    tear_down(&g);
}

/* After three seconds lists are printed before they are complete, the rest being of the depth
 * before and perhaps changed: what they say of it must not count. */
static void test_partial_lists(void **state)
{
    static const char *const lines[] = {
        OPENING,
        "< info depth 1 multipv 1 score cp 30 nodes 20 pv d2d4",
        "< info depth 1 multipv 2 score cp 25 nodes 20 pv e2e4",
        "< info depth 2 multipv 1 score cp 20 nodes 50 pv e2e4",
        "< info depth 1 multipv 2 score cp 0 nodes 50 pv c2c4",
        "< info depth 2 multipv 1 score cp 40 nodes 60 pv d2d4",
        "< info depth 2 multipv 2 score cp 20 nodes 60 pv e2e4",
        "< bestmove d2d4",
        NULL,
    };
    static const int16_t want[4] = { 30, 40, 25, 20 };
    struct game g;

    (void)state;
    set_up(&g, NULL, "e2e4", 3);
    assert_ok(talk(&g, lines), &g.err);
    assert_memory_equal(ipr_session_result(g.s)->turns[0].score, want, sizeof want);
    tear_down(&g);
}

/* Moves of partial lists that are not in the complete one have no score there: within three seconds
 * they would not have been printed. Former best moves can make a partial list look complete. */
static void test_partial_list_is_void(void **state)
{
    static const char *const lines[] = {
        "> ucinewgame",
        "> isready",
        "< readyok",
        "> position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "> go depth 3",
        "< info depth 1 multipv 1 score cp 30 nodes 20 pv d2d4",
        "< info depth 1 multipv 2 score cp 25 nodes 20 pv e2e4",
        "< info depth 2 multipv 1 score cp 22 nodes 50 pv e2e4",
        "< info depth 1 multipv 2 score cp 30 nodes 50 pv d2d4",
        "< info depth 2 multipv 1 score cp 21 nodes 52 pv e2e4",
        "< info depth 2 multipv 2 score cp 20 nodes 52 pv g1f3",
        "< info depth 2 multipv 1 score cp 40 nodes 60 pv d2d4",
        "< info depth 2 multipv 2 score cp 35 nodes 60 pv c2c4",
        "< info depth 3 multipv 1 score cp 41 nodes 90 pv d2d4",
        "< info depth 3 multipv 2 score cp 20 nodes 90 pv e2e4",
        "< bestmove d2d4",
        NULL,
    };
    static const int16_t want[6] = { 30, 40, 41, 25, IPR_SCORE_NONE, 20 };
    struct ipr_judge judge = plain;
    struct game g;

    (void)state;
    judge.depth = 3;
    set_up_judge(&g, &judge, NULL, "e2e4", 3, NULL);
    assert_ok(talk(&g, lines), &g.err);
    assert_memory_equal(ipr_session_result(g.s)->turns[0].score, want, sizeof want);
    tear_down(&g);
}

/* The list at the last depth ends with a bound: the exact lines before it count, the other moves
 * are searched again; so is the move played, searched separately. */
static void test_bound(void **state)
{
    static const char *const lines[] = {
        OPENING,
        "< info depth 1 multipv 1 score cp 30 nodes 20 pv d2d4",
        "< info depth 1 multipv 2 score cp 25 nodes 20 pv e2e4",
        "< info depth 2 multipv 1 score cp 40 nodes 60 pv d2d4",
        "< info depth 2 multipv 2 score cp 20 upperbound nodes 60 pv e2e4",
        "< bestmove d2d4",
        BUT_D2D4,
        "< info depth 1 multipv 1 score cp 15 nodes 18 pv c2c4",
        "< info depth 1 multipv 2 score cp 12 nodes 18 pv b1c3",
        "< info depth 2 multipv 1 score cp 18 nodes 30 pv c2c4",
        "< info depth 2 multipv 2 score cp 13 upperbound nodes 30 pv b1c3",
        "< bestmove c2c4",
        "> go depth 2 searchmoves e2e4",
        "< info depth 2 multipv 1 score cp 17 lowerbound nodes 4 pv e2e4",
        "< bestmove e2e4",
        "> go depth 2 searchmoves e2e4",
        "< info depth 2 multipv 1 score cp 14 nodes 5 pv e2e4",
        "< bestmove e2e4",
        NULL,
    };
    static const int16_t want[6] = { 30, 40, 15, 18, IPR_SCORE_NONE, 14 };
    struct game g;

    (void)state;
    set_up(&g, NULL, "e2e4", 1);
    assert_ok(talk(&g, lines), &g.err);
    const struct ipr_judged_turn *t = ipr_session_result(g.s)->turns;
    assert_int_equal(t->lines, 3);
    assert_int_equal(t->played, 2);
    assert_memory_equal(t->score, want, sizeof want);
    assert_int_equal(t->nodes, 60 + 30 + 4 + 5);
    assert_true(t->settled);
    tear_down(&g);
}

/* A line without a move is skipped: Ethereal prints it when all moves failed low. */
static void test_no_move(void **state)
{
    static const char *const lines[] = {
        OPENING,
        "< info depth 1 multipv 1 score cp 30 nodes 20 pv d2d4",
        "< info depth 1 multipv 2 score cp 25 upperbound time 2600 nodes 21 pv ",
        "< info depth 1 multipv 2 score cp 24 nodes 22 pv",
        "< info depth 1 multipv 2 score cp 23 nodes 22",
        "< info depth 1 multipv 2 score cp 22 nodes 23 pv e2e4",
        "< info depth 2 multipv 1 score cp 16 upperbound time 2601 nodes 50 pv ",
        "< info depth 2 multipv 1 score cp 40 nodes 60 pv d2d4",
        "< info depth 2 multipv 2 score cp 20 nodes 60 pv e2e4",
        "< bestmove d2d4",
        NULL,
    };
    static const int16_t want[4] = { 30, 40, 22, 20 };
    struct game g;

    (void)state;
    set_up(&g, NULL, "e2e4", 3);
    assert_ok(talk(&g, lines), &g.err);
    assert_memory_equal(ipr_session_result(g.s)->turns[0].score, want, sizeof want);
    tear_down(&g);
}

/* What is complained of is shown with its end, and up to the move where that is illegal. */
static void test_message(void **state)
{
#define LONG                                                                                       \
    "info depth 1 seldepth 2 multipv 1 score cp 30 time 2642 nodes 1000000000 nps 1000000000 "     \
    "hashfull 1000 tbhits 0 currmove a2a3 string_of_words "
    static const struct {
        const char *line, *start, *end;
    } rows[] = {
        { "< info depth x", "\"info depth x\"", "\"info depth x\"" },
        { "< " LONG "multipv -7", "malformed line: \"info depth 1 seldepth 2", " multipv -7\"" },
        { "< " LONG "pv e2e5 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3",
          "illegal root move: \"info depth 1 seldepth 2", " pv e2e5\"" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const lines[] = { OPENING, rows[i].line, NULL };
        struct game g;

        set_up(&g, NULL, "e2e4", 1);
        assert_int_equal(talk(&g, lines), IPR_EPARSE);
        assert_non_null(strstr(g.err.msg, rows[i].start));
        const size_t n = strlen(g.err.msg), tail = strlen(rows[i].end);
        assert_true(n > tail);
        assert_string_equal(g.err.msg + n - tail, rows[i].end);
        tear_down(&g);
    }
}

/* The moves since the last irreversible one are sent; here that one gave up castling. */
static void test_moves_sent(void **state)
{
    static const char *const lines[] = {
        "> ucinewgame", "> isready",
        "< readyok",    "> position fen 4k3/8/8/8/8/8/7R/4K1R1 b - - 1 1 moves e8d8 h2h1",
        "> go depth 2", NULL,
    };
    struct game g;

    (void)state;
    set_up(&g, "4k3/8/8/8/8/8/7R/4K2R w K - 0 1", "h1g1 e8d8 h2h1 d8e8", 0);
    assert_int_equal(ipr_session_want(g.s), IPR_SESSION_DONE); /* no side, no turn */
    assert_int_equal(ipr_session_result(g.s)->n, 0);
    g.judge.first_move = 2;
    assert_ok(ipr_session_new(&g.judge, &g.start, g.moves, g.n, 2, NULL, &g.mem, &g.s, &g.err),
              &g.err);
    assert_ok(talk(&g, lines), &g.err);
    tear_down(&g);
}

static void test_chess960(void **state)
{
    static const char *const lines[] = {
        "> ucinewgame",
        "> isready",
        "< readyok",
        "> position fen 4k3/8/8/8/8/8/8/4KR2 w K - 0 1",
        "> go depth 2",
        "< info depth 1 multipv 1 score cp 30 nodes 20 pv f1f7",
        "< info depth 1 multipv 2 score cp 25 nodes 20 pv e1e2",
        "< info depth 2 multipv 1 score cp 40 nodes 60 pv f1f7",
        "< info depth 2 multipv 2 score cp 20 nodes 60 pv e1e2",
        "< bestmove f1f7",
        "> go depth 2 searchmoves e1f1",
        NULL,
    };
    struct game g;

    (void)state;
    set_up(&g, "4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1", 1);
    assert_ok(talk(&g, lines), &g.err);
    tear_down(&g);
}

/* Known turns are not searched, and counted as done; the checks are the same. */
static void test_known(void **state)
{
    static const char *const lines[] = { OPENING, D1, D2A, D2B, "< bestmove d2d4", NULL };
    struct ipr_judged_turn turn = { .ply = 0 };
    struct ipr_judged_game known = { &turn, 1 };
    struct game g, again;

    (void)state;
    set_up(&g, NULL, "e2e4", 1);
    assert_ok(talk(&g, lines), &g.err);
    turn = ipr_session_result(g.s)->turns[0];
    set_up_judge(&again, &plain, NULL, "e2e4 e7e5", 1, &known);
    assert_int_equal(ipr_session_want(again.s), IPR_SESSION_DONE);
    assert_int_equal(ipr_session_turns_done(again.s), 1);
    assert_ptr_equal(ipr_session_result(again.s)->turns[0].score, turn.score);
    tear_down(&again);

    turn.depth = 1; /* not this judge's: found out */
    set_up(&again, NULL, "e2e4", 1);
    assert_int_equal(ipr_session_new(&again.judge, &again.start, again.moves, 1, 1, &known,
                                     &again.mem, &again.s, &again.err),
                     IPR_EPARSE);
    tear_down(&again);
    tear_down(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_game),       cmocka_unit_test(test_partial_lists),
        cmocka_unit_test(test_bound),      cmocka_unit_test(test_partial_list_is_void),
        cmocka_unit_test(test_moves_sent), cmocka_unit_test(test_chess960),
        cmocka_unit_test(test_known),      cmocka_unit_test(test_no_move),
        cmocka_unit_test(test_message),
    };

    return cmocka_run_group_tests_name("uci/session", tests, NULL, NULL);
}
