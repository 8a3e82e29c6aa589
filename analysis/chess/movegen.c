#include "chess/attacks.h"

/*
 * Strictly legal moves. Checkers and pins are found first; after that every move written is
 * legal, save en passant, which is so rare that it is simply tried. Each function that depends
 * on the side to move exists once per colour: `us` is a constant when inlined.
 */

#define INLINE static inline __attribute__((always_inline))

struct gen {
    const struct ipr_pos *pos;
    unsigned king;
    uint64_t occ, own, enemy;
    uint64_t checkers;
    uint64_t pinned;
    uint64_t pinners;
};

INLINE ipr_move *emit(ipr_move *out, unsigned from, uint64_t targets)
{
    for (; targets != 0; targets &= targets - 1)
        *out++ = (ipr_move)(from | ipr_lowest(targets) << 6);
    return out;
}

/* Moves of pawns that all came the same way: from = to - step. */
INLINE ipr_move *emit_pawns(ipr_move *out, uint64_t targets, int step)
{
    for (; targets != 0; targets &= targets - 1) {
        const int to = (int)ipr_lowest(targets);

        *out++ = (ipr_move)((to - step) | to << 6);
    }
    return out;
}

INLINE ipr_move *emit_promotions(ipr_move *out, uint64_t targets, int step)
{
    for (; targets != 0; targets &= targets - 1) {
        const int to = (int)ipr_lowest(targets);

        for (int piece = IPR_QUEEN; piece >= IPR_KNIGHT; piece--)
            *out++ = (ipr_move)((to - step) | to << 6 | piece << 12);
    }
    return out;
}

INLINE uint64_t forward(uint64_t b, unsigned us)
{
    return us == IPR_WHITE ? b << 8 : b >> 8;
}

INLINE ipr_move *pawn_moves(const struct gen *g, ipr_move *out, uint64_t pawns, uint64_t target,
                            unsigned us)
{
    const uint64_t last = us == IPR_WHITE ? IPR_RANK_8 : IPR_RANK_1;
    const uint64_t third = us == IPR_WHITE ? IPR_RANK_3 : IPR_RANK_6;
    const int up = us == IPR_WHITE ? 8 : -8;
    const uint64_t free_one = forward(pawns, us) & ~g->occ;
    const uint64_t one = free_one & target;
    const uint64_t two = forward(free_one & third, us) & ~g->occ & target;
    const uint64_t west = forward(pawns & ~IPR_FILE_A, us) >> 1 & g->enemy & target;
    const uint64_t east = forward(pawns & ~IPR_FILE_H, us) << 1 & g->enemy & target;

    out = emit_pawns(out, one & ~last, up);
    out = emit_pawns(out, two, 2 * up);
    out = emit_pawns(out, west & ~last, up - 1);
    out = emit_pawns(out, east & ~last, up + 1);
    if ((one | west | east) & last) {
        out = emit_promotions(out, one & last, up);
        out = emit_promotions(out, west & last, up - 1);
        out = emit_promotions(out, east & last, up + 1);
    }
    return out;
}

INLINE ipr_move *piece_moves(const struct gen *g, ipr_move *out, uint64_t movers, uint64_t target)
{
    const uint64_t *const p = g->pos->by_piece;

    for (uint64_t b = p[IPR_KNIGHT] & movers; b != 0; b &= b - 1)
        out = emit(out, ipr_lowest(b), ipr_reach_of(IPR_KNIGHT, ipr_lowest(b)) & target);
    for (uint64_t b = (p[IPR_BISHOP] | p[IPR_QUEEN]) & movers; b != 0; b &= b - 1)
        out = emit(out, ipr_lowest(b), ipr_bishop_attacks(ipr_lowest(b), g->occ) & target);
    for (uint64_t b = (p[IPR_ROOK] | p[IPR_QUEEN]) & movers; b != 0; b &= b - 1)
        out = emit(out, ipr_lowest(b), ipr_rook_attacks(ipr_lowest(b), g->occ) & target);
    return out;
}

/* A pinned man moves along its pin only, and not at all in check. */
INLINE ipr_move *pinned_moves(const struct gen *g, ipr_move *out, unsigned us)
{
    const uint64_t *const p = g->pos->by_piece;

    for (uint64_t pinners = g->pinners; pinners != 0; pinners &= pinners - 1) {
        const unsigned pinner = ipr_lowest(pinners);
        const uint64_t ray = ipr_between(g->king, pinner) | ipr_bit(pinner);
        const uint64_t man = ray & g->pinned;
        const bool diagonal = (ipr_bishop_attacks(g->king, 0) & ipr_bit(pinner)) != 0;
        const uint64_t sliders = p[IPR_QUEEN] | (diagonal ? p[IPR_BISHOP] : p[IPR_ROOK]);

        if (man & sliders)
            out = emit(out, ipr_lowest(man), ray ^ man);
        else if (man & p[IPR_PAWN])
            out = pawn_moves(g, out, man, ray, us);
    }
    return out;
}

/* The king leaves its square empty behind it: sliders see through. */
INLINE ipr_move *king_moves(const struct gen *g, ipr_move *out, unsigned us)
{
    const uint64_t *const p = g->pos->by_piece;
    const uint64_t occ = g->occ ^ ipr_bit(g->king);
    const uint64_t rooks = (p[IPR_ROOK] | p[IPR_QUEEN]) & g->enemy;
    const uint64_t bishops = (p[IPR_BISHOP] | p[IPR_QUEEN]) & g->enemy;
    const uint64_t pawns = forward(p[IPR_PAWN] & g->enemy, us ^ 1);
    uint64_t safe = ipr_reach_of(IPR_KING, g->king) & ~g->own;

    safe &= ~((pawns & ~IPR_FILE_A) >> 1 | (pawns & ~IPR_FILE_H) << 1);
    safe &= ~ipr_reach_of(IPR_KING, ipr_lowest(p[IPR_KING] & g->enemy));
    for (; safe != 0; safe &= safe - 1) {
        const unsigned to = ipr_lowest(safe);

        if ((ipr_reach_of(IPR_KNIGHT, to) & p[IPR_KNIGHT] & g->enemy) == 0 &&
            (ipr_rook_attacks(to, occ) & rooks) == 0 &&
            (ipr_bishop_attacks(to, occ) & bishops) == 0)
            *out++ = (ipr_move)(g->king | to << 6);
    }
    return out;
}

static ipr_move *castling_moves(const struct gen *g, ipr_move *out)
{
    for (unsigned right = g->pos->turn * 2u; right < g->pos->turn * 2u + 2; right++)
        if (ipr_may_castle(g->pos, right))
            *out++ =
                (ipr_move)(g->king | (unsigned)g->pos->rook_from[right] << 6 | IPR_MOVE_CASTLING);
    return out;
}

static ipr_move *ep_moves(const struct gen *g, ipr_move *out)
{
    const unsigned us = g->pos->turn, target = g->pos->ep;
    const uint64_t taken = ipr_bit(us == IPR_WHITE ? target - 8 : target + 8);
    uint64_t pawns = ipr_pawn_attacks(us ^ 1, target) & g->pos->by_piece[IPR_PAWN] & g->own;

    for (; pawns != 0; pawns &= pawns - 1)
        if (ipr_king_safe_after(g->pos, ipr_lowest(pawns), target, taken))
            out = emit(out, ipr_lowest(pawns), ipr_bit(target));
    return out;
}

/* Looks outward from the king through its own men: a slider with nothing between gives check,
 * one with a single man between pins it. */
INLINE struct gen look(const struct ipr_pos *pos, unsigned us)
{
    const uint64_t *const p = pos->by_piece;
    struct gen g = { .pos = pos,
                     .king = ipr_king_square(pos, us),
                     .own = pos->by_colour[us],
                     .enemy = pos->by_colour[us ^ 1] };
    uint64_t snipers;

    g.occ = g.own | g.enemy;
    g.checkers = g.enemy & ((ipr_pawn_attacks(us, g.king) & p[IPR_PAWN]) |
                            (ipr_reach_of(IPR_KNIGHT, g.king) & p[IPR_KNIGHT]));
    snipers = g.enemy & ((ipr_rook_attacks(g.king, g.enemy) & (p[IPR_ROOK] | p[IPR_QUEEN])) |
                         (ipr_bishop_attacks(g.king, g.enemy) & (p[IPR_BISHOP] | p[IPR_QUEEN])));
    for (; snipers != 0; snipers &= snipers - 1) {
        const uint64_t sniper = snipers & (0 - snipers);
        const uint64_t between = ipr_between(g.king, ipr_lowest(snipers)) & g.occ;

        if (between == 0) {
            g.checkers |= sniper;
        } else if (!ipr_several(between)) {
            g.pinned |= between;
            g.pinners |= sniper;
        }
    }
    return g;
}

INLINE size_t generate(const struct ipr_pos *pos, ipr_move *list, unsigned us)
{
    const struct gen g = look(pos, us);
    const uint64_t movers = g.own & ~g.pinned;
    ipr_move *out = king_moves(&g, list, us);
    uint64_t target = ~g.own;

    if (ipr_several(g.checkers))
        return (size_t)(out - list);
    if (g.checkers != 0)
        target &= g.checkers | ipr_between(g.king, ipr_lowest(g.checkers));
    out = pawn_moves(&g, out, pos->by_piece[IPR_PAWN] & movers, target, us);
    out = piece_moves(&g, out, movers, target);
    if (pos->ep != IPR_NO_SQUARE)
        out = ep_moves(&g, out);
    if (g.checkers == 0) {
        if (g.pinners != 0)
            out = pinned_moves(&g, out, us);
        if (pos->castling != 0)
            out = castling_moves(&g, out);
    }
    return (size_t)(out - list);
}

size_t ipr_pos_legal(const struct ipr_pos *pos, ipr_move out[IPR_MAX_MOVES])
{
    return pos->turn == IPR_WHITE ? generate(pos, out, IPR_WHITE) : generate(pos, out, IPR_BLACK);
}

static bool is_castling(const struct ipr_pos *pos, unsigned king, unsigned rook)
{
    if (king != ipr_king_square(pos, pos->turn))
        return false;
    for (unsigned right = pos->turn * 2u; right < pos->turn * 2u + 2; right++)
        if (pos->rook_from[right] == rook && ipr_may_castle(pos, right))
            return true;
    return false;
}

/* Does not build the list: most moves are tested one at a time. */
bool ipr_pos_is_legal(const struct ipr_pos *pos, ipr_move m)
{
    const unsigned from = ipr_move_from(m), to = ipr_move_to(m), promotion = ipr_move_promotion(m);

    if (m & IPR_MOVE_CASTLING)
        return promotion == 0 && is_castling(pos, from, to);
    if ((pos->by_colour[pos->turn] & ipr_bit(from)) == 0 || promotion > IPR_QUEEN ||
        ((pos->by_piece[IPR_PAWN] & ipr_bit(from)) != 0 && (to < 8 || to >= 56)) !=
            (promotion != 0))
        return false;
    return ipr_movers_to(pos, ipr_piece_at(pos, from), to, ipr_bit(from)) != 0;
}
