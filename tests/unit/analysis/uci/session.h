#ifndef IPR_TEST_UCI_SESSION_H
#define IPR_TEST_UCI_SESSION_H

#include "ipr_test.h"
#include "uci/session.h"

#define ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))

/*
 * Conversations: the session sends lines that begin with "> " and receives those that begin with
 * "< ". The game is 1. e4 e5 2. Nf3; White's turns are searched with two lines to depth 2.
 */
#define OPENING                                                                                    \
    "> ucinewgame", "> isready", "< readyok",                                                      \
        "> position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "> go depth 2"

/* All moves of the start position but 1. d4, which is the argument " d2d4" or "". */
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

static inline void set_up_judge(struct game *g, const struct ipr_judge *judge, const char *fen,
                                const char *moves, unsigned sides,
                                const struct ipr_judged_game *known)
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

static inline void set_up(struct game *g, const char *fen, const char *moves, unsigned sides)
{
    set_up_judge(g, &plain, fen, moves, sides, NULL);
}

static inline void tear_down(struct game *g)
{
    ipr_arena_release(&g->mem);
}

static inline enum ipr_code talk(struct game *g, const char *const *lines)
{
    struct ipr_str out = { NULL, 0 };

    for (; *lines != NULL; lines++) {
        const char *line = *lines + 2;
        const size_t n = strlen(line);

        if (**lines == '<') {
            assert_int_equal(out.n, 0); /* nothing was sent that is not in the conversation */
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

#define D1                                                                                         \
    "< info depth 1 multipv 1 score cp 30 nodes 20 time 1 pv d2d4",                                \
        "< info depth 1 multipv 2 score cp 25 nodes 20 time 1 pv e2e4"

#define D2A "< info depth 2 multipv 1 score cp 40 nodes 60 time 2 pv d2d4"

#define D2B "< info depth 2 multipv 2 score cp 20 nodes 60 time 2 pv e2e4"

#define D2C "< info depth 2 multipv 2 score cp 20 nodes 60 time 2 pv c2c4"

#endif
