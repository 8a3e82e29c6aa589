#include "uci/judge.h"

/*
 * version u8, lines u8, depth u8, moves u16 x lines, scores i16 x lines x depth (a line's
 * depths together). Little endian. Version 2 is the same of a turn that was settled.
 */
enum { VERSION = 1, SETTLED = 2, HEAD = 3 };

static void blob_put16(struct ipr_buf *out, uint16_t v)
{
    ipr_buf_putc(out, (char)(v & 0xFF));
    ipr_buf_putc(out, (char)(v >> 8));
}

static uint16_t blob_get16(const char *p)
{
    return (uint16_t)((unsigned char)p[0] | (unsigned char)p[1] << 8);
}

void ipr_judged_pack(const struct ipr_judged_turn *t, struct ipr_buf *out)
{
    ipr_buf_putc(out, t->settled ? SETTLED : VERSION);
    ipr_buf_putc(out, (char)t->lines);
    ipr_buf_putc(out, (char)t->depth);
    for (size_t i = 0; i < t->lines; i++)
        blob_put16(out, t->moves[i]);
    for (size_t i = 0; i < (size_t)t->lines * t->depth; i++)
        blob_put16(out, (uint16_t)t->score[i]);
}

static enum ipr_code blob_bad(struct ipr_err *err, const char *what)
{
    return ipr_err_at(err, IPR_EPARSE, "bad_evaluation", 0, 0, -1, "stored evaluation: %s", what);
}

static bool move_possible(ipr_move m)
{
    const unsigned promotion = m >> 12 & 7U;

    return (m & 63U) != (m >> 6 & 63U) && promotion <= 4 && ((m & 0x8000U) == 0 || promotion == 0);
}

static enum ipr_code blob_check_moves(const ipr_move *moves, size_t n, struct ipr_err *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!move_possible(moves[i]))
            return blob_bad(err, "impossible move");
        for (size_t j = 0; j < i; j++) {
            if (moves[j] == moves[i])
                return blob_bad(err, "move twice");
        }
    }
    return IPR_OK;
}

/* The last line may be a move searched separately, with a higher score than the one before. */
static enum ipr_code blob_check_scores(const struct ipr_judged_turn *t, struct ipr_err *err)
{
    for (size_t i = 0; i < (size_t)t->lines * t->depth; i++) {
        if (t->score[i] != IPR_SCORE_NONE && !ipr_score_valid(t->score[i]))
            return blob_bad(err, "score out of range");
    }
    for (unsigned i = 0; i < t->lines; i++) {
        if (ipr_judged_final(t, i) == IPR_SCORE_NONE)
            return blob_bad(err, "line without a final score");
        if (i > 0 && i + 1U < t->lines && ipr_judged_final(t, i) > ipr_judged_final(t, i - 1))
            return blob_bad(err, "lines not in descending order");
    }
    return IPR_OK;
}

enum ipr_code ipr_judged_unpack(struct ipr_str bytes, struct ipr_arena *mem,
                                struct ipr_judged_turn *out, struct ipr_err *err)
{
    struct ipr_judged_turn t = *out;
    ipr_move *moves;
    int16_t *score;
    enum ipr_code rc;

    if (bytes.n < HEAD || (bytes.p[0] != VERSION && bytes.p[0] != SETTLED))
        return blob_bad(err, "unknown version");
    t.settled = bytes.p[0] == SETTLED;
    t.lines = (unsigned char)bytes.p[1];
    t.depth = (unsigned char)bytes.p[2];
    const size_t cells = (size_t)t.lines * t.depth;
    if (cells == 0 || bytes.n != HEAD + 2 * (t.lines + cells))
        return blob_bad(err, "wrong length");

    moves = ipr_arena_alloc(mem, t.lines, sizeof *moves);
    score = ipr_arena_alloc(mem, cells, sizeof *score);
    for (size_t i = 0; i < t.lines; i++)
        moves[i] = blob_get16(bytes.p + HEAD + 2 * i);
    for (size_t i = 0; i < cells; i++)
        score[i] = (int16_t)blob_get16(bytes.p + HEAD + 2 * (t.lines + i));
    t.moves = moves;
    t.score = score;

    rc = blob_check_moves(moves, t.lines, err);
    if (rc == IPR_OK)
        rc = blob_check_scores(&t, err);
    if (rc == IPR_OK)
        *out = t;
    return rc;
}
