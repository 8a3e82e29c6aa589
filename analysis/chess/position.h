#ifndef IPR_CHESS_POSITION_H
#define IPR_CHESS_POSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

enum ipr_colour { IPR_WHITE = 0, IPR_BLACK = 1 };

/** "w" or "b", as in FEN. */
static inline const char *ipr_colour_letter(int colour)
{
    return colour == IPR_WHITE ? "w" : "b";
}

/* Squares are 0..63, a1 = 0, b1 = 1, h8 = 63. */

/**
 * A move in 16 bits: from 0..5, to 6..11, promotion 12..14 (0 none, 1 knight, 2 bishop, 3 rook,
 * 4 queen), bit 15 castling, whose `to` is then the square of the castling rook. The value is
 * stored in the database as it is. 0 is no move.
 */
typedef uint16_t ipr_move;
#define IPR_MOVE_NONE     ((ipr_move)0)
#define IPR_MOVE_CASTLING ((ipr_move)0x8000)
#define IPR_MAX_MOVES     256 /* no position that FEN reading lets in has more than 218 */
#define IPR_FEN_MAX       112
#define IPR_SAN_MAX       12
#define IPR_UCI_MAX       6

static inline unsigned ipr_move_from(ipr_move m)
{
    return m & 63u;
}

static inline unsigned ipr_move_to(ipr_move m)
{
    return m >> 6 & 63u;
}

static inline unsigned ipr_move_promotion(ipr_move m)
{
    return m >> 12 & 7u;
}

/** A position of standard chess (or Chess960 castling rights); plain data, copy with =. */
struct ipr_pos {
    uint64_t by_piece[6]; /* pawn, knight, bishop, rook, queen, king: both colours */
    uint64_t by_colour[2];
    uint64_t key;         /* Zobrist: placement, side, castling rights, capturable en passant */
    uint8_t castling;     /* bit 0 K, 1 Q, 2 k, 3 q */
    uint8_t rook_from[4]; /* castling rook squares for those bits; meaningless without the bit */
    uint8_t ep;           /* en-passant target square if a capture there is legal, else 64 */
    uint8_t turn;         /* enum ipr_colour */
    uint16_t halfmove;    /* plies since the last capture or pawn move */
    uint16_t fullmove;    /* 1-based */
};

void ipr_pos_start(struct ipr_pos *pos);

/** Reads a FEN. IPR_EPARSE (type "bad_fen") when malformed or impossible: kings, side not to
 * move in check, pawns on the first or last rank, rights without king or rook in place. */
IPR_CHECK enum ipr_code ipr_pos_from_fen(struct ipr_pos *out, struct ipr_str fen,
                                         struct ipr_err *err);
/** Writes the FEN, terminated; returns its length. X-FEN castling letters. */
size_t ipr_pos_to_fen(const struct ipr_pos *pos, char out[IPR_FEN_MAX]);

/** All legal moves, in a fixed order that depends on the position alone. Returns their number. */
size_t ipr_pos_legal(const struct ipr_pos *pos, ipr_move out[IPR_MAX_MOVES]);
bool ipr_pos_is_legal(const struct ipr_pos *pos, ipr_move m);
bool ipr_pos_in_check(const struct ipr_pos *pos);

/** Number of the move after `ply` half-moves from `start`. */
int ipr_pos_number(const struct ipr_pos *start, unsigned ply);

/** Plays a legal move. Undefined for any other. */
void ipr_pos_play(struct ipr_pos *pos, ipr_move m);

/** True when `m` resets the fifty-move counter or loses castling rights, so that no earlier
 * position can occur again. */
bool ipr_pos_irreversible(const struct ipr_pos *pos, ipr_move m);

/** UCI text ("e2e4", "a7a8q", castling "e1g1" where king and rook stand as in standard chess,
 * king-takes-rook otherwise). Reading accepts both castling spellings and only legal moves:
 * IPR_EPARSE with type "illegal_move" or "bad_move". */
size_t ipr_move_to_uci(const struct ipr_pos *pos, ipr_move m, char out[IPR_UCI_MAX]);
IPR_CHECK enum ipr_code ipr_move_from_uci(const struct ipr_pos *pos, struct ipr_str text,
                                          ipr_move *out, struct ipr_err *err);

#endif
