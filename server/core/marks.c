#include "core/marks.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "chess/kind.h"
#include "core/confirm.h"
#include "core/confirmed.h"

const struct ipr_judged_turn *ipr_judged_turn_at(const struct ipr_judged_game *judged, unsigned ply)
{
    for (size_t i = 0; i < judged->n; i++)
        if (judged->turns[i].ply == ply)
            return &judged->turns[i];
    return NULL;
}

/* ---- marks ---- */

/* A move that needs no finding: few others are legal, it takes back, or it mates. */
static bool mark_is_plain(const struct ipr_judged_turn *by, unsigned kinds)
{
    int mate = 0;

    return by->legal < IPR_MARK_FOUND_LEGAL || (kinds & IPR_KIND_RECAPTURE) != 0 ||
           (ipr_score_is_mate(ipr_judged_final(by, by->played), &mate) && mate > 0);
}

static enum ipr_mark mark_of(const struct ipr_judged_turn *by, const struct ipr_judged_turn *t,
                             unsigned kinds, bool sacrifice)
{
    const double gain = ipr_confirm_gain(by);

    if (isnan(gain))
        return IPR_MARK_NONE;
    const enum ipr_mark mark =
        ipr_mark_of(fmax(gain, 0), -gain, t != NULL && ipr_turn_hidden(t), sacrifice);
    return mark >= IPR_MARK_FOUND && mark_is_plain(by, kinds) ? IPR_MARK_NONE : mark;
}

/* ---- the expected score, position by position ---- */

/* The positions after half-move `ply`, which is confirmed, up to the next one that is. What a short
 * search sees quite differently is another matter, such as a draw that nobody claimed. */
static void mark_carry(struct ipr_marked *out, size_t ply, size_t n_moves)
{
    const double after = ipr_confirm_white(out[ply].by, 0);
    const double sign = out[ply + 1].white > after ? 1 : -1;

    for (size_t k = 1; k <= IPR_CONFIRM_WINDOW && ply + k <= n_moves; k++) {
        struct ipr_marked *const m = &out[ply + k];

        if (m->by != NULL || (k > 1 && !(sign * (m->white - after) > 0 &&
                                         sign * (m->white - after) <= IPR_CONFIRM_BLIND)))
            break;
        m->white = after;
    }
}

void ipr_mark_moves(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                    const struct ipr_judged_game *judged, const struct ipr_judged_game *shown,
                    const struct ipr_judged_game *confirmed, struct ipr_marked *out)
{
    bool *const given = ipr_xcalloc(n_moves + 1, sizeof *given);
    struct ipr_pos pos = *start;
    ipr_move before = IPR_MOVE_NONE;
    bool captured = false;

    ipr_confirm_sacrifices(start, moves, n_moves, given);
    out[n_moves] = (struct ipr_marked){ .lost = NAN, .white = NAN };
    for (size_t ply = 0; ply < n_moves; ply++) {
        const struct ipr_judged_turn *const t = ipr_judged_turn_at(judged, (unsigned)ply);
        const struct ipr_judged_turn *const by = ipr_judged_turn_at(confirmed, (unsigned)ply);
        const struct ipr_judged_turn *from = by != NULL ? by : t;

        if (from == NULL)
            from = ipr_judged_turn_at(shown, (unsigned)ply);
        out[ply] = (struct ipr_marked){ .by = by, .lost = NAN, .white = NAN };
        if (by != NULL)
            out[ply].mark =
                mark_of(by, t, ipr_move_kinds(&pos, before, captured, moves[ply]), given[ply]);
        if (from != NULL) {
            out[ply].lost = from->legal < 2 ? 0 : ipr_confirm_loss(from);
            out[ply].white = ipr_confirm_white(from, ipr_confirm_loss(from));
            if (ply + 1 == n_moves)
                out[n_moves].white = ipr_confirm_white(from, 0);
        }
        before = moves[ply];
        captured = ipr_move_captures(&pos, moves[ply]);
        ipr_pos_play(&pos, moves[ply]);
    }
    for (size_t ply = 0; ply < n_moves; ply++)
        if (out[ply].by != NULL)
            mark_carry(out, ply, n_moves);
    free(given);
}

struct ipr_turning ipr_marked_turning(const struct ipr_marked *marked, size_t n_moves,
                                      enum ipr_colour start, enum ipr_result result)
{
    const bool white = result == IPR_WHITE_WINS;
    double *const expected = ipr_xcalloc(n_moves + 1, sizeof *expected);
    double *const lost = ipr_xcalloc(n_moves + 1, sizeof *lost);
    struct ipr_turning turning = { IPR_TURNING_NONE, 0, 0 };

    for (size_t i = 0; i <= n_moves; i++) {
        const bool black = ((size_t)start + i) % 2 != 0;

        expected[i] = white ? marked[i].white : 1 - marked[i].white;
        lost[i] = black != white ? NAN : fmax(marked[i].lost, 0); /* 0 where it is unknown */
    }
    if (white || result == IPR_BLACK_WINS)
        turning = ipr_turning_of(expected, lost, n_moves);
    free(expected);
    free(lost);
    return turning;
}
