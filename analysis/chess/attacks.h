#ifndef IPR_CHESS_ATTACKS_H
#define IPR_CHESS_ATTACKS_H

/* Bitboard functions of the files of analysis/chess; not for use outside. */

#include "chess/position.h"
#include "chess/tables.h"

enum ipr_piece { IPR_PAWN, IPR_KNIGHT, IPR_BISHOP, IPR_ROOK, IPR_QUEEN, IPR_KING };

#define IPR_NO_SQUARE 64u
#define IPR_FILE_A    UINT64_C(0x0101010101010101)
#define IPR_FILE_H    UINT64_C(0x8080808080808080)
#define IPR_RANK_1    UINT64_C(0x00000000000000FF)
#define IPR_RANK_3    UINT64_C(0x0000000000FF0000)
#define IPR_RANK_6    UINT64_C(0x0000FF0000000000)
#define IPR_RANK_8    UINT64_C(0xFF00000000000000)

static inline uint64_t ipr_bit(unsigned sq)
{
    return UINT64_C(1) << sq;
}

static inline unsigned ipr_lowest(uint64_t b)
{
    return (unsigned)__builtin_ctzll(b);
}

static inline bool ipr_several(uint64_t b)
{
    return (b & (b - 1)) != 0;
}

static inline uint64_t ipr_slide(const struct ipr_magic *m, uint64_t occ)
{
    return ipr_slides[m->offset + ((occ & m->mask) * m->factor >> m->shift)];
}

static inline uint64_t ipr_rook_attacks(unsigned sq, uint64_t occ)
{
    return ipr_slide(&ipr_rook_magic[sq], occ);
}

static inline uint64_t ipr_bishop_attacks(unsigned sq, uint64_t occ)
{
    return ipr_slide(&ipr_bishop_magic[sq], occ);
}

/* Squares a pawn of `colour` on `sq` attacks. */
static inline uint64_t ipr_pawn_attacks(unsigned colour, unsigned sq)
{
    return colour == IPR_WHITE ? ipr_white_pawn_attacks[sq] : ipr_black_pawn_attacks[sq];
}

/* Squares a piece other than a pawn attacks from `sq` on an empty board. */
static inline uint64_t ipr_reach_of(enum ipr_piece piece, unsigned sq)
{
    return ipr_reach[(unsigned)piece * 64 + sq];
}

static inline uint64_t ipr_between(unsigned a, unsigned b)
{
    return ipr_between_squares[a * 64 + b];
}

static inline uint64_t ipr_occupied(const struct ipr_pos *pos)
{
    return pos->by_colour[0] | pos->by_colour[1];
}

static inline unsigned ipr_king_square(const struct ipr_pos *pos, unsigned colour)
{
    return ipr_lowest(pos->by_piece[IPR_KING] & pos->by_colour[colour]);
}

/* Destination of king and rook when castling with right 0..3. */
static inline unsigned ipr_castled_king(unsigned right)
{
    return right / 2 * 56 + (right % 2 == 0 ? 6u : 2u);
}

static inline unsigned ipr_castled_rook(unsigned right)
{
    return right / 2 * 56 + (right % 2 == 0 ? 5u : 3u);
}

/* The piece on an occupied square: its number, bit by bit. No branch to mispredict. */
static inline enum ipr_piece ipr_piece_at(const struct ipr_pos *pos, unsigned sq)
{
    const uint64_t *const p = pos->by_piece;
    const uint64_t ones = p[IPR_KNIGHT] | p[IPR_ROOK] | p[IPR_KING];
    const uint64_t twos = p[IPR_BISHOP] | p[IPR_ROOK];
    const uint64_t fours = p[IPR_QUEEN] | p[IPR_KING];

    return (enum ipr_piece)((ones >> sq & 1) | (twos >> sq & 1) << 1 | (fours >> sq & 1) << 2);
}

/* Returns the men whose path to `sq` is free. They are on lines through it. */
static inline uint64_t ipr_with_free_way(uint64_t men, unsigned sq, uint64_t occ)
{
    uint64_t out = 0;

    for (; men != 0; men &= men - 1) {
        const bool free_way = (ipr_between(sq, ipr_lowest(men)) & occ) == 0;

        out |= men & (0 - men) & (0 - (uint64_t)free_way); /* an unpredictable branch */
    }
    return out;
}

/* True when one of the men `enemy`, who are of the side not to move, attacks `sq` when the
 * squares `occ` are occupied. Sliders are tried one by one: few stand on a line with the square,
 * and the table of what is between is small enough to stay near. */
static inline bool ipr_attacked(const struct ipr_pos *pos, unsigned sq, uint64_t enemy,
                                uint64_t occ)
{
    const uint64_t *const p = pos->by_piece;
    const uint64_t sliders = (ipr_reach_of(IPR_ROOK, sq) & (p[IPR_ROOK] | p[IPR_QUEEN])) |
                             (ipr_reach_of(IPR_BISHOP, sq) & (p[IPR_BISHOP] | p[IPR_QUEEN]));
    const uint64_t near = (ipr_reach_of(IPR_KNIGHT, sq) & p[IPR_KNIGHT]) |
                          (ipr_reach_of(IPR_KING, sq) & p[IPR_KING]) |
                          (ipr_pawn_attacks(pos->turn, sq) & p[IPR_PAWN]);

    return (near & enemy) != 0 || ipr_with_free_way(sliders & enemy, sq, occ) != 0;
}

/* True when the king of the side to move is not attacked after its man, not the king, moved and
 * the men on `taken` went. */
bool ipr_king_safe_after(const struct ipr_pos *pos, unsigned from, unsigned to, uint64_t taken);

/* Returns the men `among` that are of that piece and can legally go to `to`, castling apart. */
uint64_t ipr_movers_to(const struct ipr_pos *pos, enum ipr_piece piece, unsigned to,
                       uint64_t among);

/* True when the side to move can legally capture en passant on `target`. */
bool ipr_ep_capturable(const struct ipr_pos *pos, unsigned target);

/* True when the side to move holds castling right 0..3 and may use it now. */
bool ipr_may_castle(const struct ipr_pos *pos, unsigned right);

/* The legal move from `from` to `to`, castling in either spelling included; IPR_MOVE_NONE if
 * there is none. */
ipr_move ipr_move_meant(const struct ipr_pos *pos, unsigned from, unsigned to, unsigned promotion);

/* The key computed from nothing but the other fields. */
uint64_t ipr_pos_compute_key(const struct ipr_pos *pos);

#endif
