#include "core/confirmed.h"

#include <math.h>
#include <string.h>

#include "model/move_mark.h"

#define SETTLE_DEPTHS 3
#define SETTLE_WITHIN 0.05

/* The best of the other moves less the move played, after a depth. NAN: one of them has no score.
 */
static double confirm_gain_at(const struct ipr_judged_turn *t, unsigned depth)
{
    int best = IPR_SCORE_NONE;

    for (unsigned i = 0; i < t->lines; i++)
        if (i != t->played && t->score[(size_t)i * t->depth + depth - 1] > best)
            best = t->score[(size_t)i * t->depth + depth - 1];
    const int16_t own = t->score[(size_t)t->played * t->depth + depth - 1];
    return best == IPR_SCORE_NONE || own == IPR_SCORE_NONE ? NAN
                                                           : ipr_points(best) - ipr_points(own);
}

double ipr_confirm_gain(const struct ipr_judged_turn *t)
{
    return confirm_gain_at(t, t->depth);
}

double ipr_confirm_loss(const struct ipr_judged_turn *t)
{
    return t->lines > 1 ? fmax(ipr_confirm_gain(t), 0) : 0;
}

static enum ipr_mark gain_mark(double gain)
{
    return ipr_mark_of(fmax(gain, 0), -gain, true, false);
}

static bool settle_between(double x, double a, double b)
{
    return (a <= x && x <= b) || (b <= x && x <= a);
}

/* Drops the scores above a depth; the line that is better there comes first. */
static void confirm_cut(struct ipr_judged_turn *t, unsigned depth, struct ipr_arena *mem)
{
    int16_t *const score = ipr_arena_alloc(mem, 2 * (size_t)depth, sizeof *score);
    ipr_move *const moves = ipr_arena_alloc(mem, 2, sizeof *moves);
    const unsigned first = t->score[depth - 1] < t->score[t->depth + depth - 1];

    for (unsigned i = 0; i < 2; i++) {
        const unsigned from = i ^ first;

        moves[i] = t->moves[from];
        memcpy(score + (size_t)i * depth, t->score + (size_t)from * t->depth,
               depth * sizeof *score);
    }
    t->moves = moves;
    t->score = score;
    t->played ^= (uint8_t)first;
    t->depth = (uint8_t)depth;
}

bool ipr_confirm_settle(struct ipr_judged_turn *t, struct ipr_arena *mem)
{
    double gain[SETTLE_DEPTHS];
    unsigned middle = 0;

    if (t->lines != 2 || t->depth < SETTLE_DEPTHS)
        return true;
    for (unsigned i = 0; i < SETTLE_DEPTHS; i++) {
        gain[i] = confirm_gain_at(t, t->depth - i);
        if (isnan(gain[i]))
            return true;
    }
    const double low = fmin(fmin(gain[0], gain[1]), gain[2]);
    const double high = fmax(fmax(gain[0], gain[1]), gain[2]);
    while (!settle_between(gain[middle], gain[(middle + 1) % 3], gain[(middle + 2) % 3]))
        middle++;
    confirm_cut(t, t->depth - middle, mem);
    const bool clear = gain[middle] < IPR_MARK_INACCURACY_AT || gain[middle] >= IPR_CONFIRM_CLEAR;
    return clear && (high - low <= SETTLE_WITHIN || gain_mark(low) == gain_mark(high));
}

/* ---- stored form ----
 *
 * ply varint, flags u8, depth u8, legal u8, then the turn as if it had been searched to depth 1
 * (ipr_judged_pack); with LINE its number of moves u8, and these, varints. */

enum { BLACK = 1, REPEATED = 2, OPEN = 4, LINE = 8 };

void ipr_confirm_pack(const struct ipr_confirmed_turn *t, struct ipr_buf *out)
{
    int16_t final[UINT8_MAX];
    struct ipr_judged_turn last = t->turn;

    for (unsigned i = 0; i < last.lines; i++)
        final[i] = ipr_judged_final(&t->turn, i);
    last.depth = 1;
    last.score = final;
    ipr_buf_put_varint(out, t->turn.ply);
    ipr_buf_putc(out, (char)(BLACK * (t->turn.mover == IPR_BLACK) + REPEATED * t->turn.repeated +
                             OPEN * t->open + LINE * (t->turn.n_line > 0)));
    ipr_buf_putc(out, (char)t->turn.depth);
    ipr_buf_putc(out, (char)t->turn.legal);
    ipr_judged_pack(&last, out);
    if (t->turn.n_line > 0)
        ipr_buf_putc(out, (char)t->turn.n_line);
    for (unsigned i = 0; i < t->turn.n_line; i++)
        ipr_buf_put_varint(out, t->turn.line[i]);
}

static enum ipr_code confirm_bad(struct ipr_err *err)
{
    return ipr_err_type(err, IPR_EPARSE, "bad_evaluation", "stored confirmation is malformed");
}

static enum ipr_code confirm_unpack_line(struct ipr_bytes *b, struct ipr_arena *mem,
                                         struct ipr_confirmed_turn *t, struct ipr_err *err)
{
    ipr_move *const line = ipr_arena_alloc(mem, IPR_LINE_MAX, sizeof *line);
    const uint64_t n = ipr_bytes_varint(b, IPR_LINE_MAX);

    for (uint64_t i = 0; !b->bad && i < n; i++)
        line[i] = (ipr_move)ipr_bytes_varint(b, UINT16_MAX);
    if (b->bad)
        return confirm_bad(err);
    t->turn.line = line;
    t->turn.n_line = (uint8_t)n;
    return IPR_OK;
}

static enum ipr_code confirm_unpack_one(struct ipr_bytes *b, struct ipr_arena *mem,
                                        struct ipr_confirmed_turn *t, struct ipr_err *err)
{
    t->turn.ply = (uint16_t)ipr_bytes_varint(b, UINT16_MAX);
    if (b->bad || b->end - b->p < 3)
        return confirm_bad(err);
    const unsigned flags = b->p[0], depth = b->p[1];
    t->turn.legal = b->p[2];
    struct ipr_str rest = { (const char *)b->p + 3, (size_t)(b->end - b->p) - 3 };
    const enum ipr_code rc = ipr_judged_unpack(&rest, mem, &t->turn, err);

    if (rc != IPR_OK)
        return rc;
    if (t->turn.depth != 1 || depth < 1 || depth > IPR_DEPTH_MAX)
        return confirm_bad(err);
    t->turn.mover = flags & BLACK ? IPR_BLACK : IPR_WHITE;
    t->turn.repeated = (flags & REPEATED) != 0;
    t->open = (flags & OPEN) != 0;
    const size_t cells = (size_t)t->turn.lines * depth;
    int16_t *score = ipr_arena_alloc(mem, cells, sizeof *score);
    for (size_t i = 0; i < cells; i++)
        score[i] = (i + 1) % depth == 0 ? t->turn.score[i / depth] : IPR_SCORE_NONE;
    t->turn.score = score;
    t->turn.depth = (uint8_t)depth;
    b->p = (const unsigned char *)rest.p;
    return flags & LINE ? confirm_unpack_line(b, mem, t, err) : IPR_OK;
}

enum ipr_code ipr_confirm_unpack(struct ipr_str packed, struct ipr_arena *mem,
                                 struct ipr_confirmed_turn **out, size_t *n, struct ipr_err *err)
{
    struct ipr_bytes b = { .p = (const unsigned char *)packed.p,
                           .end = (const unsigned char *)packed.p + packed.n };
    struct ipr_confirmed_turn *turns =
        ipr_arena_alloc(mem, packed.n / IPR_CONFIRM_BYTES + 1, sizeof *turns);
    enum ipr_code rc = IPR_OK;

    for (*n = 0; rc == IPR_OK && b.p < b.end; (*n)++) {
        rc = confirm_unpack_one(&b, mem, &turns[*n], err);
        if (rc == IPR_OK && *n > 0 && turns[*n].turn.ply <= turns[*n - 1].turn.ply)
            rc = confirm_bad(err);
    }
    *out = turns;
    return rc;
}
