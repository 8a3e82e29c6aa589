#include "core/strength_turns.h"

#include "chess/kind.h"

/* The model knows no chess, so it has the kinds under names of its own. */
_Static_assert((int)IPR_KIND_CAPTURE == (int)IPR_STRENGTH_CAPTURE &&
                   (int)IPR_KIND_CHECK == (int)IPR_STRENGTH_CHECK &&
                   (int)IPR_KIND_RECAPTURE == (int)IPR_STRENGTH_RECAPTURE &&
                   (int)IPR_KIND_BACK == (int)IPR_STRENGTH_BACK &&
                   (int)IPR_KIND_PROMOTION == (int)IPR_STRENGTH_PROMOTION &&
                   (int)IPR_KIND_CASTLING == (int)IPR_STRENGTH_CASTLING,
               "kinds of moves");

/* A position of the game and the move that led to it. */
struct strength_place {
    struct ipr_pos pos;
    ipr_move before;
    bool captured; /* by that move */
};

static uint16_t place_kind(const struct strength_place *place, ipr_move m)
{
    return (uint16_t)ipr_move_kinds(&place->pos, place->before, place->captured, m);
}

static void turn_scores(const struct ipr_judged_turn *t, unsigned line,
                        int16_t cp[IPR_STRENGTH_DEPTHS])
{
    for (unsigned k = 0; k < IPR_STRENGTH_DEPTHS; k++)
        cp[k] = line < t->lines && k < t->depth ? t->score[(size_t)line * t->depth + k]
                                                : IPR_STRENGTH_NONE;
}

static struct ipr_strength_turn turn_at(const struct strength_place *place,
                                        const struct ipr_judged_turn *t)
{
    const struct ipr_pos *pos = &place->pos;
    const uint64_t own = pos->by_colour[pos->turn], pawns = pos->by_piece[0];
    const bool second = t->legal > 1 && t->lines > 1;
    struct ipr_strength_turn out = {
        .ply = t->ply,
        .legal = t->legal,
        .repeated = t->repeated,
        .check = ipr_pos_in_check(pos),
        .pieces = { (uint8_t)ipr_pos_pieces(pos, pos->turn),
                    (uint8_t)ipr_pos_pieces(pos, 1u - pos->turn) },
        .pawns = { (uint8_t)__builtin_popcountll(own & pawns),
                   (uint8_t)__builtin_popcountll(~own & pawns) },
        .kind = { place_kind(place, t->moves[0]), second ? place_kind(place, t->moves[1]) : 0 },
    };

    turn_scores(t, 0, out.cp[0]);
    turn_scores(t, second ? 1 : t->lines, out.cp[1]);
    turn_scores(t, t->played, out.cp[2]);
    return out;
}

static void place_move(struct strength_place *place, ipr_move move)
{
    place->captured = ipr_move_captures(&place->pos, move);
    place->before = move;
    ipr_pos_play(&place->pos, move);
}

void ipr_side_moves(const struct ipr_pos *start, const ipr_move *moves, size_t n, const int16_t *cp,
                    struct ipr_side_move *out)
{
    struct strength_place place = { .pos = *start, .before = IPR_MOVE_NONE };

    for (size_t ply = 0; ply < n; ply++) {
        out[ply] = (struct ipr_side_move){ .cp = cp[ply + 1],
                                           .kind = place_kind(&place, moves[ply]),
                                           .to = (uint8_t)ipr_move_to(moves[ply]) };
        place_move(&place, moves[ply]);
    }
}

void ipr_strength_turns(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                        const struct ipr_judged_game *judged, struct ipr_strength_turn *out)
{
    struct strength_place place = { .pos = *start, .before = IPR_MOVE_NONE };
    size_t next = 0;

    for (size_t ply = 0; ply < n_moves && next < judged->n; ply++) {
        if (judged->turns[next].ply == ply) {
            out[next] = turn_at(&place, &judged->turns[next]);
            next++;
        }
        place_move(&place, moves[ply]);
    }
}
