/* Output that is refused from an engine, and games that a session refuses. */
#include "session.h"

#define BOUND "< info depth 2 multipv 1 score cp 20 upperbound pv e2e4", "< bestmove e2e4"
#define ALL   SEARCH_AGAIN(" d2d4")

static struct refusal {
    const char *name;
    const char *lines[24];
} refusals[] = {

    { "best move before the search", { "> ucinewgame", "> isready", "< bestmove e2e4" } },
    { "illegal root move", { OPENING, "< info depth 1 multipv 1 score cp 30 pv e2e5" } },
    { "garbled root move", { OPENING, "< info depth 1 multipv 1 score cp 30 pv \x01\xff" } },
    { "lines without moves alone",
      { OPENING, "< info depth 2 multipv 1 score cp 30", "< info depth 2 multipv 2 score cp 3 pv",
        "< bestmove e2e4" } },
    { "malformed number", { OPENING, "< info depth x" } },
    { "line number above those requested",
      { OPENING, "< info depth 1 multipv 1 score cp 3 pv e2e4",
        "< info depth 1 multipv 3 score cp 2 pv d2d4" } },
    { "mate in 247", { OPENING, "< info depth 1 multipv 1 score mate 247 pv e2e4" } },
    { "mate in 0", { OPENING, "< info depth 1 multipv 1 score mate 0 pv e2e4" } },
    { "score beyond all", { OPENING, "< info depth 1 multipv 1 score cp -20001 pv e2e4" } },
    { "no lines at all", { OPENING, "< bestmove e2e4" } },
    { "depth not reached", { OPENING, D1, "< bestmove d2d4" } },
    { "line missing", { OPENING, D1, D2A, "< bestmove d2d4" } },
    { "only bounds, again and again", { OPENING, D1, BOUND, ALL, BOUND, ALL, BOUND, ALL, BOUND } },
    { "a move that was not to be searched again",
      { OPENING, D1, D2A, "< info depth 2 multipv 2 score cp 20 upperbound pv e2e4",
        "< bestmove d2d4", BUT_D2D4, "< info depth 2 multipv 1 score cp 3 pv d2d4" } },
    { "two lines, one move",
      { OPENING, D1, D2A, "< info depth 2 multipv 2 score cp 20 pv d2d4", "< bestmove d2d4" } },
    { "no best move", { OPENING, D1, D2A, D2B, "< bestmove" } },
    { "best move (none)", { OPENING, D1, D2A, D2B, "< bestmove (none)" } },
    { "illegal best move", { OPENING, D1, D2A, D2B, "< bestmove e2e5" } },
    { "best move of another line", { OPENING, D1, D2A, D2B, "< bestmove e2e4" } },
    { "other move than searched for",
      { OPENING, D1, D2A, D2C, "< bestmove d2d4", "> go depth 2 searchmoves e2e4",
        "< info depth 1 multipv 1 score cp 3 pv d2d4" } },
    { "second search without a line",
      { OPENING, D1, D2A, D2C, "< bestmove d2d4", "> go depth 2 searchmoves e2e4",
        "< bestmove e2e4" } },
    { "second search with other best move",
      { OPENING, D1, D2A, D2C, "< bestmove d2d4", "> go depth 2 searchmoves e2e4",
        "< info depth 2 multipv 1 score cp 3 pv e2e4", "< bestmove d2d4" } },
};

static void test_refusal(void **state)
{
    const struct refusal *r = *state;
    struct game g;

    set_up(&g, NULL, "e2e4", 1);
    assert_int_equal(talk(&g, r->lines), IPR_EPARSE);
    assert_string_equal(g.err.type, "engine_protocol");
    assert_int_equal(g.err.ply, 0);
    assert_null(ipr_session_result(g.s));
    assert_int_equal(ipr_session_line(g.s, IPR_STR("readyok"), NULL), IPR_EINVAL);
    tear_down(&g);
}

static void test_illegal_game(void **state)
{
    struct game g;

    (void)state;
    set_up(&g, NULL, "e2e4 e7e5", 3);
    g.moves[1] = g.moves[0];
    assert_int_equal(
        ipr_session_new(&g.judge, &g.start, g.moves, g.n, 3, NULL, &g.mem, &g.s, &g.err),
        IPR_EINVAL);
    assert_int_equal(g.err.ply, 1);
    g.judge.multipv = 255;
    assert_int_equal(ipr_session_new(&g.judge, &g.start, g.moves, 1, 3, NULL, &g.mem, &g.s, NULL),
                     IPR_EINVAL);
    tear_down(&g);
}

static const struct CMUnitTest single[] = {
    cmocka_unit_test(test_illegal_game),
};

int main(void)
{
    struct CMUnitTest tests[ROWS(single) + ROWS(refusals)];
    size_t n = 0;

    for (size_t i = 0; i < ROWS(single); i++)
        tests[n++] = single[i];
    for (size_t i = 0; i < ROWS(refusals); i++)
        tests[n++] = (struct CMUnitTest){ .name = refusals[i].name,
                                          .test_func = test_refusal,
                                          .initial_state = &refusals[i] };
    return cmocka_run_group_tests_name("uci/session_refused", tests, NULL, NULL);
}
