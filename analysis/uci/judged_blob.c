#include "uci/judge.h"

/*
 * version u8, lines u8, depth u8, played u8, nodes and apart_nodes varint, moves u16 x lines,
 * scores varint x lines x depth (all depths of a line, then the next line): 0 for no score, else
 * 1 + the zigzag encoding of the difference from the previous score, which usually fits a byte.
 * Little endian, varints as LEB128. Version 4 has the same format and marks a settled turn.
 *
 * Versions 1 and 2 come from databases that once had a row for each turn: version, lines, depth,
 * moves, scores i16; a migration appended played u8 and both node counts as i64, big endian.
 */
enum { ROW = 1, ROW_SETTLED = 2, VERSION = 3, SETTLED = 4 };

static enum ipr_code blob_bad(struct ipr_err *err, const char *what)
{
    return ipr_err_at(err, IPR_EPARSE, "bad_evaluation", 0, 0, -1, "stored evaluation: %s", what);
}

/* ---- numbers ---- */

static uint64_t blob_get_bytes(struct ipr_bytes *b, unsigned n, bool big)
{
    uint64_t v = 0;

    if (b->end - b->p < (ptrdiff_t)n) {
        b->bad = true;
        return 0;
    }
    for (unsigned i = 0; i < n; i++)
        v = big ? v << 8 | b->p[i] : v | (uint64_t)b->p[i] << 8 * i;
    b->p += n;
    return v;
}

static void blob_put_score(struct ipr_buf *out, int16_t score, int *before)
{
    const int d = score - *before;

    if (score == IPR_SCORE_NONE) {
        ipr_buf_putc(out, 0);
        return;
    }
    ipr_buf_put_varint(out, 1u + (d < 0 ? 2u * (unsigned)-d - 1 : 2u * (unsigned)d));
    *before = score;
}

static int16_t blob_get_score(struct ipr_bytes *b, int *before)
{
    const uint64_t v = ipr_bytes_varint(b, UINT64_MAX);

    if (v == 0)
        return IPR_SCORE_NONE;
    const int64_t half = (int64_t)((v - 1) >> 1), d = (v - 1) & 1 ? -half - 1 : half;
    if (d < INT16_MIN - *before || d > INT16_MAX - *before || *before + d == IPR_SCORE_NONE) {
        b->bad = true;
        return IPR_SCORE_NONE;
    }
    *before += (int)d;
    return (int16_t)*before;
}

/* ---- a turn ---- */

void ipr_judged_pack(const struct ipr_judged_turn *t, struct ipr_buf *out)
{
    int before = 0;

    ipr_buf_putc(out, t->settled ? SETTLED : VERSION);
    ipr_buf_putc(out, (char)t->lines);
    ipr_buf_putc(out, (char)t->depth);
    ipr_buf_putc(out, (char)t->played);
    ipr_buf_put_varint(out, t->nodes);
    ipr_buf_put_varint(out, t->apart_nodes);
    for (size_t i = 0; i < t->lines; i++) {
        ipr_buf_putc(out, (char)(t->moves[i] & 255));
        ipr_buf_putc(out, (char)(t->moves[i] >> 8));
    }
    for (size_t i = 0; i < (size_t)t->lines * t->depth; i++)
        blob_put_score(out, t->score[i], &before);
}

static enum ipr_code blob_check_moves(const ipr_move *moves, size_t n, struct ipr_err *err)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned promotion = moves[i] >> 12 & 7U;

        if ((moves[i] & 63U) == (moves[i] >> 6 & 63U) || promotion > 4 ||
            ((moves[i] & 0x8000U) != 0 && promotion != 0))
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

/* Reads moves and scores after their counts. Each score takes at least a byte, so a count beyond
 * the bytes left is refused before memory is allocated. */
static void blob_get_lines(struct ipr_bytes *b, bool row, struct ipr_arena *mem,
                           struct ipr_judged_turn *t)
{
    const size_t cells = (size_t)t->lines * t->depth;
    int before = 0;

    if (b->bad || (size_t)(b->end - b->p) < 2u * t->lines + cells) {
        b->bad = true;
        return;
    }
    ipr_move *moves = ipr_arena_alloc(mem, t->lines, sizeof *moves);
    int16_t *score = ipr_arena_alloc(mem, cells, sizeof *score);

    for (size_t i = 0; i < t->lines; i++)
        moves[i] = (ipr_move)blob_get_bytes(b, 2, false);
    for (size_t i = 0; i < cells; i++)
        score[i] = row ? (int16_t)blob_get_bytes(b, 2, false) : blob_get_score(b, &before);
    t->moves = moves;
    t->score = score;
}

static void blob_get_effort(struct ipr_bytes *b, bool row, struct ipr_judged_turn *t)
{
    t->played = (uint8_t)blob_get_bytes(b, 1, false);
    t->nodes = row ? blob_get_bytes(b, 8, true) : ipr_bytes_varint(b, UINT64_MAX);
    t->apart_nodes = row ? blob_get_bytes(b, 8, true) : ipr_bytes_varint(b, UINT64_MAX);
}

enum ipr_code ipr_judged_unpack(struct ipr_str *rest, struct ipr_arena *mem,
                                struct ipr_judged_turn *out, struct ipr_err *err)
{
    const unsigned char *p = (const unsigned char *)rest->p;
    struct ipr_bytes b = { p, p + rest->n, false };
    const uint64_t version = blob_get_bytes(&b, 1, false);
    const bool row = version == ROW || version == ROW_SETTLED;
    struct ipr_judged_turn t = *out;

    if (version < ROW || version > SETTLED)
        return blob_bad(err, "unknown version");
    t.settled = version == SETTLED || version == ROW_SETTLED;
    t.lines = (uint8_t)blob_get_bytes(&b, 1, false);
    t.depth = (uint8_t)blob_get_bytes(&b, 1, false);
    if (!row)
        blob_get_effort(&b, row, &t);
    blob_get_lines(&b, row, mem, &t);
    if (row)
        blob_get_effort(&b, row, &t);
    if (b.bad || t.lines == 0 || t.depth == 0)
        return blob_bad(err, "wrong length");
    if (t.played >= t.lines)
        return blob_bad(err, "the move played has no line");

    enum ipr_code rc = blob_check_moves(t.moves, t.lines, err);
    if (rc == IPR_OK)
        rc = blob_check_scores(&t, err);
    if (rc == IPR_OK) {
        *out = t;
        *rest = (struct ipr_str){ (const char *)b.p, (size_t)(b.end - b.p) };
    }
    return rc;
}
