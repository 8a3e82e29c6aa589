#include "chess/attacks.h"

enum ipr_piece ipr_piece_at(const struct ipr_pos *pos, unsigned sq)
{
    unsigned piece = 0;

    /* Exactly one board has the bit, so the sum is its index; no branch to mispredict. */
    for (unsigned p = 1; p < 6; p++)
        piece += p * (unsigned)(pos->by_piece[p] >> sq & 1);
    return (enum ipr_piece)piece;
}

uint64_t ipr_piece_attacks(enum ipr_piece piece, unsigned sq, uint64_t occ)
{
    switch (piece) {
    case IPR_KNIGHT:
        return ipr_knight_attacks[sq];
    case IPR_BISHOP:
        return ipr_bishop_attacks(sq, occ);
    case IPR_ROOK:
        return ipr_rook_attacks(sq, occ);
    case IPR_QUEEN:
        return ipr_rook_attacks(sq, occ) | ipr_bishop_attacks(sq, occ);
    case IPR_KING:
        return ipr_king_attacks[sq];
    case IPR_PAWN:
        break;
    }
    return 0;
}

uint64_t ipr_attackers(const struct ipr_pos *pos, unsigned sq, uint64_t occ)
{
    const uint64_t *const p = pos->by_piece;
    const uint64_t queens = p[IPR_QUEEN];

    return (ipr_rook_attacks(sq, occ) & (p[IPR_ROOK] | queens)) |
           (ipr_bishop_attacks(sq, occ) & (p[IPR_BISHOP] | queens)) |
           (ipr_knight_attacks[sq] & p[IPR_KNIGHT]) | (ipr_king_attacks[sq] & p[IPR_KING]) |
           (ipr_white_pawn_attacks[sq] & p[IPR_PAWN] & pos->by_colour[IPR_BLACK]) |
           (ipr_black_pawn_attacks[sq] & p[IPR_PAWN] & pos->by_colour[IPR_WHITE]);
}

bool ipr_king_safe_after(const struct ipr_pos *pos, unsigned from, unsigned to, uint64_t taken)
{
    const uint64_t occ = ((ipr_occupied(pos) ^ ipr_bit(from)) & ~taken) | ipr_bit(to);
    const uint64_t enemy = pos->by_colour[pos->turn ^ 1] & ~taken;

    return (ipr_attackers(pos, ipr_king_square(pos, pos->turn), occ) & enemy) == 0;
}

bool ipr_ep_capturable(const struct ipr_pos *pos, unsigned target)
{
    const unsigned us = pos->turn;
    const uint64_t taken = ipr_bit(us == IPR_WHITE ? target - 8 : target + 8);
    uint64_t pawns =
        ipr_pawn_attacks(us ^ 1, target) & pos->by_piece[IPR_PAWN] & pos->by_colour[us];

    for (; pawns != 0; pawns &= pawns - 1)
        if (ipr_king_safe_after(pos, ipr_lowest(pawns), target, taken))
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
        if (ipr_attackers(pos, ipr_lowest(path), occ) & pos->by_colour[pos->turn ^ 1])
            return false;
    return true;
}
