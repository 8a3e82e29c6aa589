#ifndef IPR_TEST_PGN_READER_H
#define IPR_TEST_PGN_READER_H

#include "pgn/reader.h"

#include "chess/san.h"
#include "ipr_test.h"

/*
 * The reader's output for an input, one line per game: "White tag/moves/result", and for a refused
 * game " !type line:column ply". The output for the whole input is compared as one text.
 */
struct seen {
    struct ipr_buf text;
    uint32_t games;
};

static inline enum ipr_code note(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    struct seen *const seen = payload;
    const struct ipr_str white = ipr_pgn_tag_get(g, "White");
    struct ipr_pos pos = g->start;
    char san[IPR_SAN_MAX];

    (void)err;
    assert_int_equal(g->index, seen->games++);
    ipr_buf_add(&seen->text, white.p, white.n);
    ipr_buf_putc(&seen->text, '/');
    for (size_t i = 0; i < g->n_moves; i++) {
        ipr_san_write(&pos, g->moves[i], san);
        ipr_buf_printf(&seen->text, "%s%s", i > 0 ? " " : "", san);
        ipr_pos_play(&pos, g->moves[i]);
    }
    ipr_buf_printf(&seen->text, "/%s", ipr_result_text(g->result));
    if (g->error.code != IPR_OK)
        ipr_buf_printf(&seen->text, " !%s %u:%u %d", g->error.type, g->error.line, g->error.column,
                       (int)g->error.ply);
    ipr_buf_putc(&seen->text, '\n');
    return IPR_OK;
}

static inline struct seen read_in_pieces(struct ipr_str input, size_t piece,
                                         const struct ipr_pgn_limits *limits, enum ipr_code want)
{
    struct seen seen = { IPR_BUF_INIT, 0 };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pgn_reader *r = ipr_pgn_reader_new(limits, note, &seen);

    for (size_t i = 0; i < input.n; i += piece) {
        const size_t n = input.n - i < piece ? input.n - i : piece;

        assert_ok(ipr_pgn_reader_feed(r, input.p + i, n, &err), &err);
    }
    const enum ipr_code rc = ipr_pgn_reader_finish(r, &err);
    assert_int_equal(rc, want);
    ipr_pgn_reader_free(&r);
    assert_null(r);
    return seen;
}

/* want: NULL if there is no game. */
static inline void expect_games(struct ipr_str input, size_t piece,
                                const struct ipr_pgn_limits *limits, const char *want)
{
    struct seen seen = read_in_pieces(input, piece, limits, want != NULL ? IPR_OK : IPR_EPARSE);

    assert_string_equal(ipr_buf_c(&seen.text), want != NULL ? want : "");
    ipr_buf_release(&seen.text);
}

#endif
