#include "chess/attacks.h"

static inline bool king_safe_after(const struct ipr_pos *pos, unsigned from, unsigned to,
                                   uint64_t taken)
{
    const uint64_t occ = ((ipr_occupied(pos) ^ ipr_bit(from)) & ~taken) | ipr_bit(to);
    const uint64_t enemy = pos->by_colour[pos->turn ^ 1] & ~taken;

    return !ipr_attacked(pos, ipr_king_square(pos, pos->turn), enemy, occ);
}

bool ipr_king_safe_after(const struct ipr_pos *pos, unsigned from, unsigned to, uint64_t taken)
{
    return king_safe_after(pos, from, to, taken);
}

/* Pawns of the side to move that could reach `to` if nothing were pinned. */
static uint64_t pawns_to(const struct ipr_pos *pos, unsigned to)
{
    const uint64_t pawns = pos->by_piece[IPR_PAWN];
    const uint64_t occ = ipr_occupied(pos), target = ipr_bit(to);
    const bool white = pos->turn == IPR_WHITE;

    if ((occ & target) || to == pos->ep)
        return pawns & ipr_pawn_attacks(pos->turn ^ 1u, to);
    const uint64_t one = white ? target >> 8 : target << 8;
    const uint64_t two = white ? target >> 16 : target << 16;
    const bool double_step = to / 8 == (white ? 3 : 4) && (occ & one) == 0;
    return pawns & (one | (double_step ? two : 0));
}

/* Men of that kind, of either side, that could reach `to` if nothing were pinned. No squares are
 * between squares that are not on a line, so knights and kings are never blocked. */
static inline uint64_t men_to(const struct ipr_pos *pos, enum ipr_piece piece, unsigned to,
                              uint64_t among)
{
    if (piece == IPR_PAWN)
        return pawns_to(pos, to) & among;
    return ipr_with_free_way(pos->by_piece[piece] & ipr_reach_of(piece, to) & among, to,
                             ipr_occupied(pos));
}

uint64_t ipr_movers_to(const struct ipr_pos *pos, enum ipr_piece piece, unsigned to, uint64_t among)
{
    const uint64_t own = pos->by_colour[pos->turn], enemy = pos->by_colour[pos->turn ^ 1];
    uint64_t taken = ipr_bit(to), legal = 0;

    if (own & taken)
        return 0;
    if (piece == IPR_PAWN && to == pos->ep)
        taken = ipr_bit(pos->turn == IPR_WHITE ? to - 8 : to + 8);
    for (uint64_t men = men_to(pos, piece, to, own & among); men != 0; men &= men - 1) {
        const unsigned from = ipr_lowest(men);
        const bool safe = piece == IPR_KING ? !ipr_attacked(pos, to, enemy & ~taken,
                                                            ipr_occupied(pos) ^ ipr_bit(from))
                                            : king_safe_after(pos, from, to, taken);

        if (safe)
            legal |= ipr_bit(from);
    }
    return legal;
}

bool ipr_ep_capturable(const struct ipr_pos *pos, unsigned target)
{
    const unsigned us = pos->turn;
    const uint64_t taken = ipr_bit(us == IPR_WHITE ? target - 8 : target + 8);
    uint64_t pawns =
        ipr_pawn_attacks(us ^ 1, target) & pos->by_piece[IPR_PAWN] & pos->by_colour[us];

    for (; pawns != 0; pawns &= pawns - 1)
        if (king_safe_after(pos, ipr_lowest(pawns), target, taken))
            return true;
    return false;
}

bool ipr_may_castle(const struct ipr_pos *pos, unsigned right)
{
    if ((pos->castling >> right & 1) == 0 || right / 2 != pos->turn)
        return false;

    const unsigned king = ipr_king_square(pos, pos->turn), rook = pos->rook_from[right];
    const unsigned king_to = ipr_castled_king(right), rook_to = ipr_castled_rook(right);
    const uint64_t occ = ipr_occupied(pos) ^ ipr_bit(king) ^ ipr_bit(rook);
    const uint64_t king_path = ipr_between(king, king_to) | ipr_bit(king_to);
    const uint64_t rook_path = ipr_between(rook, rook_to) | ipr_bit(rook_to);

    if (occ & (king_path | rook_path))
        return false;
    /* The castling rook is off the board here. Only where it shields the king's destination
     * from a rook or queen behind it (Chess960) does that matter, and there castling is illegal. */
    for (uint64_t path = king_path | ipr_bit(king); path != 0; path &= path - 1)
        if (ipr_attacked(pos, ipr_lowest(path), pos->by_colour[pos->turn ^ 1], occ))
            return false;
    return true;
}
