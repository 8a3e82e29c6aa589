#include "chess/kind.h"

bool ipr_move_captures(const struct ipr_pos *pos, ipr_move m)
{
    const unsigned from = ipr_move_from(m), to = ipr_move_to(m);

    if ((m & IPR_MOVE_CASTLING) != 0)
        return false;
    return (pos->by_colour[1 - pos->turn] >> to & 1) != 0 ||
           ((pos->by_piece[0] >> from & 1) != 0 && to == pos->ep);
}

static unsigned kind_piece(const struct ipr_pos *pos, unsigned square)
{
    unsigned piece = 0;

    while (piece < 5 && (pos->by_piece[piece] >> square & 1) == 0)
        piece++;
    return piece;
}

unsigned ipr_move_kinds(const struct ipr_pos *pos, ipr_move before, bool captured, ipr_move m)
{
    const unsigned from = ipr_move_from(m), to = ipr_move_to(m);
    const bool captures = ipr_move_captures(pos, m), castling = (m & IPR_MOVE_CASTLING) != 0;
    const bool back = pos->turn == IPR_WHITE ? to / 8 < from / 8 : to / 8 > from / 8;
    struct ipr_pos after = *pos;
    unsigned kind = kind_piece(pos, from) << 6;

    ipr_pos_play(&after, m);
    kind |= captures ? IPR_KIND_CAPTURE : 0;
    kind |= ipr_pos_in_check(&after) ? IPR_KIND_CHECK : 0;
    kind |= captures && captured && to == ipr_move_to(before) ? IPR_KIND_RECAPTURE : 0;
    kind |= back ? IPR_KIND_BACK : 0;
    kind |= ipr_move_promotion(m) != 0 ? IPR_KIND_PROMOTION : 0;
    return kind | (castling ? IPR_KIND_CASTLING : 0);
}

unsigned ipr_pos_pieces(const struct ipr_pos *pos, enum ipr_colour colour)
{
    static const unsigned worth[] = { 0, 3, 3, 5, 9 };
    unsigned sum = 0;

    for (size_t piece = 1; piece < 5; piece++)
        sum += worth[piece] *
               (unsigned)__builtin_popcountll(pos->by_colour[colour] & pos->by_piece[piece]);
    return sum;
}
