#ifndef IPR_TEST_PGN_WRITER_H
#define IPR_TEST_PGN_WRITER_H

#include "pgn/writer.h"

#include "ipr_test.h"

#define TAG(n, v)                                                                                  \
    {                                                                                              \
        { n, sizeof n - 1 },                                                                       \
        {                                                                                          \
            v, sizeof v - 1                                                                        \
        }                                                                                          \
    }

/* A file that is read and written again. */
struct copy {
    enum ipr_pgn_form form;
    struct ipr_buf out;
    size_t games;
};

static inline enum ipr_code write_again(void *payload, const struct ipr_pgn_game *g,
                                        struct ipr_err *err)
{
    struct copy *const copy = payload;

    (void)err;
    if (g->error.code == IPR_OK) {
        copy->games++;
        ipr_pgn_write_notes(&copy->out, g->tags, g->n_tags, &g->start, g->moves, g->n_moves,
                            g->notes, g->n_notes, copy->form, g->result);
    }
    return IPR_OK;
}

static inline struct copy copy_of(struct ipr_str pgn, enum ipr_pgn_form form)
{
    const struct ipr_pgn_limits limits = { .notes = true };
    struct copy copy = { .form = form, .out = IPR_BUF_INIT };
    struct ipr_pgn_reader *r = ipr_pgn_reader_new(&limits, write_again, &copy);
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_pgn_reader_feed(r, pgn.p, pgn.n, &err), &err);
    assert_ok(ipr_pgn_reader_finish(r, &err), &err);
    ipr_pgn_reader_free(&r);
    return copy;
}

static inline struct ipr_str text_of(const struct ipr_buf *b)
{
    return (struct ipr_str){ b->p, b->n };
}

#endif
