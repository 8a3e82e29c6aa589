#include "core/confirmed.h"

#include <math.h>

#include "model/move_mark.h"

#define AGREE 0.05

double ipr_confirm_loss_at(const struct ipr_judged_turn *t, unsigned depth)
{
    const int16_t *const score = t->score + depth - 1; /* of the first line */
    int best = score[0];

    if (best == IPR_SCORE_NONE || score[(size_t)t->played * t->depth] == IPR_SCORE_NONE)
        return NAN;
    for (size_t i = 1; i < t->lines; i++)
        if (score[i * t->depth] > best) /* NONE is below all */
            best = score[i * t->depth];
    return ipr_points(best) - ipr_points(score[(size_t)t->played * t->depth]);
}

double ipr_confirm_loss(const struct ipr_judged_turn *t)
{
    return ipr_confirm_loss_at(t, t->depth);
}

bool ipr_confirm_agree(double lost, double other)
{
    return fabs(lost - other) <= AGREE;
}

/* ---- stored form ----
 *
 * ply varint, flags u8, depth u8, legal u8, then the turn as if it had been searched to depth 1
 * (ipr_judged_pack). */

enum { BLACK = 1, REPEATED = 2, OPEN = 4 };

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
                             OPEN * t->open));
    ipr_buf_putc(out, (char)t->turn.depth);
    ipr_buf_putc(out, (char)t->turn.legal);
    ipr_judged_pack(&last, out);
}

static enum ipr_code confirm_bad(struct ipr_err *err)
{
    return ipr_err_type(err, IPR_EPARSE, "bad_evaluation", "stored confirmation is malformed");
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
    return IPR_OK;
}

enum ipr_code ipr_confirm_unpack(struct ipr_str packed, struct ipr_arena *mem,
                                 struct ipr_confirmed_turn **out, size_t *n, struct ipr_err *err)
{
    struct ipr_bytes b = { .p = (const unsigned char *)packed.p,
                           .end = (const unsigned char *)packed.p + packed.n };
    /* No turn takes fewer bytes than this. */
    struct ipr_confirmed_turn *turns = ipr_arena_alloc(mem, packed.n / 8 + 1, sizeof *turns);
    enum ipr_code rc = IPR_OK;

    for (*n = 0; rc == IPR_OK && b.p < b.end; (*n)++) {
        rc = confirm_unpack_one(&b, mem, &turns[*n], err);
        if (rc == IPR_OK && *n > 0 && turns[*n].turn.ply <= turns[*n - 1].turn.ply)
            rc = confirm_bad(err);
    }
    *out = turns;
    return rc;
}
