#ifndef IPR_CHESS_KIND_H
#define IPR_CHESS_KIND_H

#include "chess/position.h"

/* Kinds of a move, ored; the piece (0 pawn to 5 king) is kind >> 6. */
enum ipr_move_kind {
    IPR_KIND_CAPTURE = 1,
    IPR_KIND_CHECK = 2,
    IPR_KIND_RECAPTURE = 4, /* on the square where the move before captured */
    IPR_KIND_BACK = 8,      /* towards the own first rank */
    IPR_KIND_PROMOTION = 16,
    IPR_KIND_CASTLING = 32
};

/** True if a legal move captures, en passant too. */
bool ipr_move_captures(const struct ipr_pos *pos, ipr_move m);

/**
 * Kinds of a legal move.
 *
 * before     the move that led to the position, IPR_MOVE_NONE at the start
 * captured   whether that one captured
 */
unsigned ipr_move_kinds(const struct ipr_pos *pos, ipr_move before, bool captured, ipr_move m);

/** Pieces of a colour without pawns and king: knights and bishops 3, rooks 5, queens 9. */
unsigned ipr_pos_pieces(const struct ipr_pos *pos, enum ipr_colour colour);

#endif
