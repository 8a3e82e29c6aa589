#include "core/confirm.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "chess/kind.h"
#include "core/confirmed.h"
#include "model/move_mark.h"

/* A half-move of the game. Expected scores are White's, NAN where the position is not analysed. */
struct confirm_place {
    const struct ipr_judged_turn *turn, *confirmed;
    double before, after;
    int material; /* before it, White's less Black's, in pawns */
    int sign;     /* 1: White moves, -1: Black */
    bool captures;
};

static int confirm_material(const struct ipr_pos *pos)
{
    const uint64_t pawns = pos->by_piece[0];

    return (int)ipr_pos_pieces(pos, IPR_WHITE) - (int)ipr_pos_pieces(pos, IPR_BLACK) +
           __builtin_popcountll(pawns & pos->by_colour[IPR_WHITE]) -
           __builtin_popcountll(pawns & pos->by_colour[IPR_BLACK]);
}

static double confirm_points(const struct ipr_judged_turn *t, unsigned line)
{
    return ipr_points(ipr_judged_final(t, line));
}

bool ipr_turn_hidden(const struct ipr_judged_turn *t)
{
    const unsigned at = IPR_MARK_FOUND_DEPTH - 1u;

    if (t->depth <= at + 1)
        return false;
    const int16_t own = t->score[t->played * t->depth + at];
    for (unsigned i = 0; i < t->lines && own != IPR_SCORE_NONE; i++) {
        const int16_t other = t->score[i * t->depth + at];

        if (other != IPR_SCORE_NONE &&
            ipr_points(other) - ipr_points(own) >= IPR_MARK_FOUND_SHALLOW)
            return true;
    }
    return false;
}

static void confirm_places(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                           const struct ipr_judged_game *judged, struct confirm_place *place)
{
    struct ipr_pos pos = *start;
    size_t next = 0;

    for (size_t ply = 0; ply < n_moves; ply++) {
        struct confirm_place *const p = &place[ply];
        const bool black = pos.turn == IPR_BLACK;

        *p = (struct confirm_place){ .before = NAN, .after = NAN, .sign = black ? -1 : 1 };
        p->material = confirm_material(&pos);
        p->captures = ipr_move_captures(&pos, moves[ply]);
        if (next < judged->n && judged->turns[next].ply == ply) {
            p->turn = &judged->turns[next++];
            p->after = confirm_points(p->turn, p->turn->played);
            p->before = p->after + ipr_confirm_loss(p->turn);
            if (black) {
                p->before = 1 - p->before;
                p->after = 1 - p->after;
            }
        }
        ipr_pos_play(&pos, moves[ply]);
    }
    place[n_moves] = (struct confirm_place){ .before = NAN, .material = confirm_material(&pos) };
}

static bool confirm_given(const struct confirm_place *p, size_t left)
{
    return left >= 3 && p->sign * (p[2].material - p->material) <= -IPR_CONFIRM_GIVEN &&
           p->sign * (p[3].material - p->material) <= -IPR_CONFIRM_GIVEN;
}

static bool confirm_swings(const struct confirm_place *p)
{
    return p->sign * (p[1].before - p->after) <= -IPR_CONFIRM_SWING;
}

/* True if the evaluation leaps before this move, and back again before the next one. */
static bool confirm_leaps(const struct confirm_place *p, size_t ply)
{
    const double from = ply > 0 ? p->before - p[-1].before : 0, to = p->before - p[1].before;

    return fmin(fabs(from), fabs(to)) >= IPR_CONFIRM_SWING && from * to > 0;
}

static bool confirm_drifts(const struct confirm_place *p, size_t left)
{
    double sum = 0;

    for (size_t k = 0; k < IPR_CONFIRM_WINDOW && k < left; k++) {
        sum += p->sign * (p[k + 1].before - p[k].after);
        if (sum <= -IPR_CONFIRM_DRIFT)
            return true;
    }
    return false;
}

/* True if every other move loses so much that the one played may be called found. */
static bool confirm_only(const struct ipr_judged_turn *t)
{
    const double best = confirm_points(t, t->played) + ipr_confirm_loss(t);

    for (unsigned i = 0; i < t->lines; i++)
        if (i != t->played && best - confirm_points(t, i) < IPR_MARK_FOUND_NEXT)
            return false;
    return true;
}

/* The first of consecutive moves of a player that drift, and every capture among them. */
static bool confirm_begins_drift(const struct confirm_place *p, size_t ply, size_t left)
{
    return confirm_drifts(p, left) && (p->captures || ply < 2 || !confirm_drifts(p - 2, left + 2));
}

double ipr_confirm_white(const struct ipr_judged_turn *t, double loss)
{
    return fabs((t->mover == IPR_BLACK) - confirm_points(t, t->played) - loss);
}

/* True if a deep search of the next move says something else of the position after this one, or
 * one of the move before something quite else of the position before it. */
static bool confirm_contradicted(const struct confirm_place *p, size_t ply)
{
    const struct ipr_judged_turn *const next = p[1].confirmed;
    const struct ipr_judged_turn *const last = ply > 0 ? p[-1].confirmed : NULL;

    return p->confirmed == NULL &&
           ((next != NULL && fabs(ipr_confirm_white(next, ipr_confirm_loss(next)) - p->after) >=
                                 IPR_CONFIRM_SWING) ||
            (last != NULL && fabs(ipr_confirm_white(last, 0) - p->before) > IPR_CONFIRM_BLIND));
}

static bool confirm_wanted(const struct confirm_place *p, size_t ply, size_t left)
{
    return ipr_confirm_loss(p->turn) >= IPR_CONFIRM_LOSS || confirm_given(p, left) ||
           confirm_swings(p) || confirm_leaps(p, ply) ||
           (confirm_only(p->turn) && ipr_turn_hidden(p->turn));
}

void ipr_confirm_sacrifices(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                            bool *given)
{
    struct confirm_place *const place = ipr_xcalloc(n_moves + 1, sizeof *place);

    confirm_places(start, moves, n_moves, &(const struct ipr_judged_game){ NULL, 0 }, place);
    for (size_t ply = 0; ply < n_moves; ply++)
        given[ply] = confirm_given(&place[ply], n_moves - ply);
    free(place);
}

size_t ipr_confirm_select(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                          const struct ipr_judged_game *judged,
                          const struct ipr_judged_game *confirmed, struct ipr_confirm_choice *out)
{
    struct confirm_place *const place = ipr_xcalloc(n_moves + 1, sizeof *place);
    size_t n = 0;

    confirm_places(start, moves, n_moves, judged, place);
    for (size_t i = 0; i < confirmed->n && confirmed->turns[i].ply < n_moves; i++)
        place[confirmed->turns[i].ply].confirmed = &confirmed->turns[i];
    for (size_t ply = 0; ply < n_moves; ply++) {
        const struct confirm_place *const p = &place[ply];

        if (p->turn == NULL || p->turn->legal < 2)
            continue;
        const bool drifts =
            confirm_begins_drift(p, ply, n_moves - ply) || confirm_contradicted(p, ply);
        if (drifts || confirm_wanted(p, ply, n_moves - ply))
            out[n++] = (struct ipr_confirm_choice){ (uint16_t)ply, drifts };
    }
    free(place);
    return n;
}
