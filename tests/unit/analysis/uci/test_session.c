#include "ipr_test.h"

#include "uci/session.h"

/*
 * Conversations: lines after "> " are what the session sends, lines after "< " what it is fed.
 * The game is 1. e4 e5 2. Nf3, White's turns, two lines to depth 2.
 */
#define OPENING                                                                                    \
    "> setoption name UCI_Chess960 value false", "> ucinewgame", "> isready", "< readyok",         \
        "> position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "> go depth 2"

/* All moves of the start position but 1. d4, and 1. d4 perhaps. */
#define SEARCH_AGAIN(d2d4)                                                                         \
    "> go depth 2 searchmoves a2a3 b2b3 c2c3 d2d3 e2e3 f2f3 g2g3 h2h3 a2a4 b2b4 c2c4" d2d4         \
    " e2e4 f2f4 g2g4 h2h4 b1a3 b1c3 g1f3 g1h3"
#define BUT_D2D4 SEARCH_AGAIN("")

struct game {
    struct ipr_arena mem;
    struct ipr_judge judge;
    struct ipr_pos start;
    ipr_move moves[8];
    size_t n;
    struct ipr_session *s;
    struct ipr_err err;
};

static const struct ipr_judge plain = {
    .multipv = 2, .depth = 2, .hash_mb = 1, .threads = 1, .first_move = 1
};

static void set_up_judge(struct game *g, const struct ipr_judge *judge, const char *fen,
                         const char *moves, unsigned sides, const struct ipr_judged_game *known)
{
    struct ipr_str rest = ipr_str_c(moves), word;
    struct ipr_pos pos;

    *g = (struct game){ .mem = IPR_ARENA_INIT, .err = IPR_ERR_INIT, .judge = *judge };
    ipr_pos_start(&g->start);
    if (fen != NULL)
        assert_ok(ipr_pos_from_fen(&g->start, ipr_str_c(fen), &g->err), &g->err);
    pos = g->start;
    while (ipr_str_word(&rest, &word)) {
        assert_ok(ipr_move_from_uci(&pos, word, &g->moves[g->n], &g->err), &g->err);
        ipr_pos_play(&pos, g->moves[g->n++]);
    }
    assert_ok(ipr_session_new(&g->judge, &g->start, g->moves, g->n, sides, known, &g->mem, &g->s,
                              &g->err),
              &g->err);
}

static void set_up(struct game *g, const char *fen, const char *moves, unsigned sides)
{
    set_up_judge(g, &plain, fen, moves, sides, NULL);
}

static void tear_down(struct game *g)
{
    ipr_arena_release(&g->mem);
}

static enum ipr_code talk(struct game *g, const char *const *lines)
{
    struct ipr_str out = { NULL, 0 };

    for (; *lines != NULL; lines++) {
        const char *line = *lines + 2;
        const size_t n = strlen(line);

        if (**lines == '<') {
            assert_int_equal(out.n, 0); /* all that was sent is in the conversation */
            assert_int_equal(ipr_session_want(g->s), IPR_SESSION_READ);
            const enum ipr_code rc = ipr_session_line(g->s, ipr_str_c(line), &g->err);
            if (rc != IPR_OK)
                return rc;
            continue;
        }
        if (out.n == 0) {
            assert_int_equal(ipr_session_want(g->s), IPR_SESSION_SEND);
            out = ipr_session_out(g->s);
        }
        assert_true(out.n > n);
        assert_memory_equal(out.p, line, n);
        assert_int_equal(out.p[n], '\n');
        out.p += n + 1;
        out.n -= n + 1;
    }
    assert_int_equal(out.n, 0);
    return IPR_OK;
}

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
        "> setoption name UCI_Chess960 value false",
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
        { "< " LONG "nodes -7", "malformed line: \"info depth 1 seldepth 2", " nodes -7\"" },
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
        "> setoption name UCI_Chess960 value false",
        "> ucinewgame",
        "> isready",
        "< readyok",
        "> position fen 4k3/8/8/8/8/8/7R/4K1R1 b - - 1 1 moves e8d8 h2h1",
        "> go depth 2",
        NULL,
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
        "> setoption name UCI_Chess960 value true",
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

#define START "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define FIRST "> setoption name UCI_Chess960 value false", "> ucinewgame", "> isready", "< readyok"
#define D1                                                                                         \
    "< info depth 1 multipv 1 score cp 30 nodes 20 time 1 pv d2d4",                                \
        "< info depth 1 multipv 2 score cp 25 nodes 20 time 1 pv e2e4"
#define D2A "< info depth 2 multipv 1 score cp 40 nodes 60 time 2 pv d2d4"
#define D2B "< info depth 2 multipv 2 score cp 20 nodes 60 time 2 pv e2e4"
#define D2C "< info depth 2 multipv 2 score cp 20 nodes 60 time 2 pv c2c4"

/* The last depth that is there for every line, exactly, is the turn's; the move played is judged
 * to that depth; any legal best move will do. */
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

/* One "stop" when the rule is satisfied: here at three quarters of the limit, as the engine reports
 * its time. Backwards, cleared once, results ascending. */
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

/* Engines without searchmoves: the position after the move, alone and one ply less deep. Lines
 * that are numbered but not sorted are sorted. */
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

/* Every move by the position after it, in the order of move generation; the best are the lines.
 * After h6g6 Black's answer is forced, and White's turn is what would be searched. */
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

/* Searches with another limit than depth that end when they should not. */
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

#define BOUND "< info depth 2 multipv 1 score cp 20 upperbound pv e2e4", "< bestmove e2e4"
#define ALL   SEARCH_AGAIN(" d2d4")

static struct refusal {
    const char *name;
    const char *lines[24];
} refusals[] = {
    { "best move before the search",
      { "> setoption name UCI_Chess960 value false", "> ucinewgame", "> isready",
        "< bestmove e2e4" } },
    { "illegal root move", { OPENING, "< info depth 1 multipv 1 score cp 30 pv e2e5" } },
    { "garbled root move", { OPENING, "< info depth 1 multipv 1 score cp 30 pv \x01\xff" } },
    { "lines without moves alone",
      { OPENING, "< info depth 2 multipv 1 score cp 30", "< info depth 2 multipv 2 score cp 3 pv",
        "< bestmove e2e4" } },
    { "malformed number", { OPENING, "< info depth x" } },
    { "line number above those asked for",
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

#define ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))

static const struct CMUnitTest single[] = {
    cmocka_unit_test(test_game),         cmocka_unit_test(test_partial_lists),
    cmocka_unit_test(test_bound),        cmocka_unit_test(test_partial_list_is_void),
    cmocka_unit_test(test_moves_sent),   cmocka_unit_test(test_chess960),
    cmocka_unit_test(test_illegal_game), cmocka_unit_test(test_nodes),
    cmocka_unit_test(test_adaptive),     cmocka_unit_test(test_after),
    cmocka_unit_test(test_each),         cmocka_unit_test(test_known),
    cmocka_unit_test(test_no_move),      cmocka_unit_test(test_message),
};

int main(void)
{
    struct CMUnitTest tests[ROWS(single) + ROWS(refusals) + ROWS(early)];
    size_t n = 0;

    for (size_t i = 0; i < ROWS(single); i++)
        tests[n++] = single[i];
    for (size_t i = 0; i < ROWS(refusals); i++)
        tests[n++] = (struct CMUnitTest){ .name = refusals[i].name,
                                          .test_func = test_refusal,
                                          .initial_state = &refusals[i] };
    for (size_t i = 0; i < ROWS(early); i++)
        tests[n++] = (struct CMUnitTest){ .name = early[i].name,
                                          .test_func = test_early,
                                          .initial_state = &early[i] };
    return cmocka_run_group_tests_name("uci/session", tests, NULL, NULL);
}
