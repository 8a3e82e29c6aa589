#include "chess/position.h"

#include "chess/attacks.h"

void ipr_pos_start(struct ipr_pos *pos)
{
    *pos = (struct ipr_pos){
        .by_piece = { 0x00FF00000000FF00, 0x4200000000000042, 0x2400000000000024,
                      0x8100000000000081, 0x0800000000000008, 0x1000000000000010 },
        .by_colour = { 0x000000000000FFFF, 0xFFFF000000000000 },
        .castling = 15,
        .rook_from = { 7, 0, 63, 56 },
        .ep = IPR_NO_SQUARE,
        .turn = IPR_WHITE,
        .fullmove = 1,
    };
    pos->key = ipr_pos_compute_key(pos);
}

static uint64_t man_key(unsigned colour, unsigned piece, unsigned sq)
{
    return ipr_key_man[(colour * 6 + piece) * 64 + sq];
}

static uint64_t castling_key(const struct ipr_pos *pos, unsigned rights)
{
    uint64_t key = 0;

    for (; rights != 0; rights &= rights - 1) {
        const unsigned right = ipr_lowest(rights);

        key ^= ipr_key_castling[right / 2 * 8 + pos->rook_from[right] % 8];
    }
    return key;
}

uint64_t ipr_pos_compute_key(const struct ipr_pos *pos)
{
    uint64_t key = pos->turn == IPR_BLACK ? ipr_key_black[0] : 0;

    for (unsigned colour = 0; colour < 2; colour++) {
        for (unsigned piece = 0; piece < 6; piece++) {
            uint64_t men = pos->by_piece[piece] & pos->by_colour[colour];

            for (; men != 0; men &= men - 1)
                key ^= man_key(colour, piece, ipr_lowest(men));
        }
    }
    if (pos->ep != IPR_NO_SQUARE)
        key ^= ipr_key_ep[pos->ep % 8];
    return key ^ castling_key(pos, pos->castling);
}

int ipr_pos_number(const struct ipr_pos *start, unsigned ply)
{
    return start->fullmove + (int)(ply + (start->turn != IPR_WHITE)) / 2;
}

bool ipr_pos_in_check(const struct ipr_pos *pos)
{
    const unsigned king = ipr_king_square(pos, pos->turn);

    return ipr_attacked(pos, king, pos->by_colour[pos->turn ^ 1], ipr_occupied(pos));
}

/* Castling rights that end when men leave or enter these squares. */
static unsigned rights_lost(const struct ipr_pos *pos, uint64_t squares)
{
    unsigned lost = 0;

    if (pos->castling == 0 || (squares & (IPR_RANK_1 | IPR_RANK_8)) == 0)
        return 0;
    for (unsigned colour = 0; colour < 2; colour++)
        if (squares & pos->by_piece[IPR_KING] & pos->by_colour[colour])
            lost |= 3u << colour * 2;
    for (unsigned right = 0; right < 4; right++)
        if ((pos->castling >> right & 1) && (squares >> pos->rook_from[right] & 1))
            lost |= 1u << right;
    return lost & pos->castling;
}

static void drop_rights(struct ipr_pos *pos, unsigned lost)
{
    if (lost == 0)
        return;
    pos->key ^= castling_key(pos, lost);
    pos->castling = (uint8_t)(pos->castling & ~lost);
}

static void play_castling(struct ipr_pos *pos, unsigned king, unsigned rook)
{
    const unsigned us = pos->turn;
    const unsigned right = us * 2 + (rook > king ? 0 : 1);
    const unsigned king_to = ipr_castled_king(right), rook_to = ipr_castled_rook(right);
    /* Sums, not ors: in Chess960 a square may be left and entered in one move. */
    const uint64_t kings = ipr_bit(king) ^ ipr_bit(king_to);
    const uint64_t rooks = ipr_bit(rook) ^ ipr_bit(rook_to);

    drop_rights(pos, 3u << us * 2 & pos->castling);
    pos->by_piece[IPR_KING] ^= kings;
    pos->by_piece[IPR_ROOK] ^= rooks;
    pos->by_colour[us] ^= kings ^ rooks;
    pos->key ^= man_key(us, IPR_KING, king) ^ man_key(us, IPR_KING, king_to) ^
                man_key(us, IPR_ROOK, rook) ^ man_key(us, IPR_ROOK, rook_to);
    pos->halfmove++;
}

static void remove_enemy(struct ipr_pos *pos, enum ipr_piece piece, unsigned sq)
{
    pos->by_piece[piece] ^= ipr_bit(sq);
    pos->by_colour[pos->turn ^ 1] ^= ipr_bit(sq);
    pos->key ^= man_key(pos->turn ^ 1u, piece, sq);
}

static void play_ordinary(struct ipr_pos *pos, ipr_move m, unsigned ep)
{
    const unsigned us = pos->turn;
    const unsigned from = ipr_move_from(m), to = ipr_move_to(m), promotion = ipr_move_promotion(m);
    const uint64_t squares = ipr_bit(from) | ipr_bit(to);
    const enum ipr_piece piece = ipr_piece_at(pos, from);
    const unsigned becomes = promotion != 0 ? promotion : piece;

    drop_rights(pos, rights_lost(pos, squares));
    pos->halfmove++;
    if (pos->by_colour[us ^ 1] & ipr_bit(to)) {
        remove_enemy(pos, ipr_piece_at(pos, to), to);
        pos->halfmove = 0;
    }
    pos->by_colour[us] ^= squares;
    pos->by_piece[piece] ^= ipr_bit(from);
    pos->by_piece[becomes] ^= ipr_bit(to);
    pos->key ^= man_key(us, piece, from) ^ man_key(us, becomes, to);
    if (piece == IPR_PAWN) {
        pos->halfmove = 0;
        if (to == ep)
            remove_enemy(pos, IPR_PAWN, us == IPR_WHITE ? to - 8 : to + 8);
    }
}

/* A square behind a pawn that has just moved two steps counts only when a capture is legal. */
static void set_ep(struct ipr_pos *pos, unsigned from, unsigned to)
{
    const unsigned target = (from + to) / 2;

    if ((pos->by_piece[IPR_PAWN] & ipr_bit(to)) == 0 || !ipr_ep_capturable(pos, target))
        return;
    pos->ep = (uint8_t)target;
    pos->key ^= ipr_key_ep[target % 8];
}

void ipr_pos_play(struct ipr_pos *pos, ipr_move m)
{
    const unsigned from = ipr_move_from(m), to = ipr_move_to(m), ep = pos->ep;

    if (ep != IPR_NO_SQUARE) {
        pos->key ^= ipr_key_ep[ep % 8];
        pos->ep = IPR_NO_SQUARE;
    }
    if (m & IPR_MOVE_CASTLING)
        play_castling(pos, from, to);
    else
        play_ordinary(pos, m, ep);
    pos->fullmove = (uint16_t)(pos->fullmove + pos->turn);
    pos->turn ^= 1;
    pos->key ^= ipr_key_black[0];
    if ((from ^ to) == 16 && (m & IPR_MOVE_CASTLING) == 0)
        set_ep(pos, from, to);
}

bool ipr_pos_irreversible(const struct ipr_pos *pos, ipr_move m)
{
    const uint64_t from = ipr_bit(ipr_move_from(m)), to = ipr_bit(ipr_move_to(m));

    return (m & IPR_MOVE_CASTLING) != 0 || (pos->by_piece[IPR_PAWN] & from) != 0 ||
           (pos->by_colour[pos->turn ^ 1] & to) != 0 || rights_lost(pos, from | to) != 0;
}
