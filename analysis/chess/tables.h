#ifndef IPR_CHESS_TABLES_H
#define IPR_CHESS_TABLES_H

#include <stdint.h>

/* Constants written by gen/attack_tables.c at build time; internal to analysis/chess. */

struct ipr_magic {
    uint64_t mask;   /* squares whose occupancy matters */
    uint64_t factor; /* (occupied & mask) * factor >> shift is the slot */
    uint32_t shift, offset;
};

extern const struct ipr_magic ipr_rook_magic[64], ipr_bishop_magic[64];
extern const uint64_t ipr_slides[];
extern const uint64_t ipr_white_pawn_attacks[64], ipr_black_pawn_attacks[64];
extern const uint64_t ipr_reach[6 * 64]; /* attacks on an empty board; none for pawns */
extern const uint64_t ipr_between_squares[64 * 64];

/* Zobrist keys: men by (colour * 6 + piece) * 64 + square, castling by colour * 8 + file of the
 * castling rook, en passant by file, side when Black is to move. */
extern const uint64_t ipr_key_man[2 * 6 * 64], ipr_key_castling[16], ipr_key_ep[8];
extern const uint64_t ipr_key_black[1];

#endif
