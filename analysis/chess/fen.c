#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "chess/attacks.h"
#include "chess/quote.h"

static const char fen_letters[] = "pnbrqk";

/* A FEN being read. `at` is the start of the field at hand, for the error's column. */
struct fen {
    struct ipr_pos pos;
    const char *text, *at;
    struct ipr_err *err;
    char quoted[IPR_QUOTE_MAX];
};

static enum ipr_code fen_refuse(const struct fen *f, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static enum ipr_code fen_refuse(const struct fen *f, const char *fmt, ...)
{
    char msg[IPR_ERR_TEXT];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    return ipr_err_at(f->err, IPR_EPARSE, "bad_fen", 1, (uint32_t)(f->at - f->text) + 1, -1, "%s",
                      msg);
}

/* A piece of the text, fit for a message. */
static const char *fen_quoted(struct fen *f, struct ipr_str text)
{
    return ipr_quote(text, f->quoted);
}

static void fen_put_piece(struct ipr_pos *pos, char letter, unsigned sq)
{
    const unsigned piece =
        (unsigned)(strchr(fen_letters, tolower((unsigned char)letter)) - fen_letters);

    pos->by_piece[piece] |= ipr_bit(sq);
    pos->by_colour[letter >= 'a' ? IPR_BLACK : IPR_WHITE] |= ipr_bit(sq);
}

static enum ipr_code read_placement(struct fen *f, struct ipr_str field)
{
    unsigned rank = 7, file = 0;

    for (size_t i = 0; i < field.n; i++) {
        const char c = field.p[i];

        f->at = field.p + i;
        if (c == '/') {
            if (file != 8 || rank == 0)
                return fen_refuse(f, "the placement does not have eight ranks of eight squares");
            file = 0;
            rank--;
        } else if (c >= '1' && c <= '8') {
            file += (unsigned)(c - '0');
        } else if (c != '\0' && strchr("pnbrqkPNBRQK", c) != NULL) {
            if (file < 8)
                fen_put_piece(&f->pos, c, rank * 8 + file);
            file++;
        } else {
            return fen_refuse(f, "'%s' is no piece", fen_quoted(f, (struct ipr_str){ &c, 1 }));
        }
        if (file > 8)
            return fen_refuse(f, "a rank has more than eight squares");
    }
    if (rank != 0 || file != 8)
        return fen_refuse(f, "the placement does not have eight ranks of eight squares");
    return IPR_OK;
}

static enum ipr_code fen_read_turn(struct fen *f, struct ipr_str field)
{
    if (ipr_str_is(field, "w"))
        f->pos.turn = IPR_WHITE;
    else if (ipr_str_is(field, "b"))
        f->pos.turn = IPR_BLACK;
    else
        return fen_refuse(f, "the side to move is '%s', not w or b", fen_quoted(f, field));
    return IPR_OK;
}

/* The rook a castling letter means: the outermost for K and Q, else the one on that file. */
static unsigned castling_rook(const struct ipr_pos *pos, char letter, unsigned colour,
                              unsigned king)
{
    const uint64_t back = colour == IPR_WHITE ? IPR_RANK_1 : IPR_RANK_8;
    const uint64_t rooks = pos->by_piece[IPR_ROOK] & pos->by_colour[colour] & back;
    const uint64_t east = rooks & ~(ipr_bit(king) - 1), west = rooks & (ipr_bit(king) - 1);

    if (letter == 'k')
        return east != 0 ? 63u - (unsigned)__builtin_clzll(east) : IPR_NO_SQUARE;
    if (letter == 'q')
        return west != 0 ? ipr_lowest(west) : IPR_NO_SQUARE;
    const uint64_t rook = rooks & IPR_FILE_A << (letter - 'a');
    return rook != 0 ? ipr_lowest(rook) : IPR_NO_SQUARE;
}

static enum ipr_code read_right(struct fen *f, char c)
{
    const char letter = (char)tolower((unsigned char)c);
    const unsigned colour = c >= 'a' ? IPR_BLACK : IPR_WHITE;
    const unsigned king = ipr_king_square(&f->pos, colour);
    const struct ipr_str letter_text = { &c, 1 };

    if (letter != 'k' && letter != 'q' && (letter < 'a' || letter > 'h'))
        return fen_refuse(f, "'%s' is no castling right", fen_quoted(f, letter_text));
    if (king / 8 != (colour == IPR_WHITE ? 0 : 7))
        return fen_refuse(f, "castling right %s, but the king is not on its first rank",
                          fen_quoted(f, letter_text));
    const unsigned rook = castling_rook(&f->pos, letter, colour, king);
    if (rook == IPR_NO_SQUARE)
        return fen_refuse(f, "castling right %s without a rook in place",
                          fen_quoted(f, letter_text));
    const unsigned right = colour * 2 + (rook > king ? 0 : 1);
    if (f->pos.castling >> right & 1)
        return fen_refuse(f, "castling right %s repeats another", fen_quoted(f, letter_text));
    f->pos.castling = (uint8_t)(f->pos.castling | 1u << right);
    f->pos.rook_from[right] = (uint8_t)rook;
    return IPR_OK;
}

static enum ipr_code fen_read_castling(struct fen *f, struct ipr_str field)
{
    enum ipr_code rc = IPR_OK;

    if (ipr_str_is(field, "-"))
        return IPR_OK;
    for (size_t i = 0; i < field.n && rc == IPR_OK; i++) {
        f->at = field.p + i;
        rc = read_right(f, field.p[i]);
    }
    return rc;
}

static enum ipr_code read_ep(struct fen *f, struct ipr_str field)
{
    const struct ipr_pos *const pos = &f->pos;
    const bool white = pos->turn == IPR_WHITE;

    if (ipr_str_is(field, "-"))
        return IPR_OK;
    if (field.n != 2 || field.p[0] < 'a' || field.p[0] > 'h' || field.p[1] != (white ? '6' : '3'))
        return fen_refuse(f, "the en-passant square cannot be '%s'", fen_quoted(f, field));
    const unsigned target = (unsigned)(field.p[0] - 'a') + (white ? 40 : 16);
    const unsigned pawn = white ? target - 8 : target + 8;
    const unsigned origin = white ? target + 8 : target - 8;
    const uint64_t pawns = pos->by_piece[IPR_PAWN] & pos->by_colour[pos->turn ^ 1];
    if ((pawns & ipr_bit(pawn)) == 0 ||
        (ipr_occupied(pos) & (ipr_bit(target) | ipr_bit(origin))) != 0)
        return fen_refuse(f, "en passant on %s, but no pawn has just passed it",
                          fen_quoted(f, field));
    if (ipr_ep_capturable(pos, target))
        f->pos.ep = (uint8_t)target;
    return IPR_OK;
}

/* Low enough for the 16-bit counters to hold any game that a reader accepts on top. */
#define COUNTER_MAX 9999

static enum ipr_code read_counter(struct fen *f, struct ipr_str field, const char *name,
                                  uint16_t *out)
{
    int64_t v;

    if (!ipr_str_int(field, 0, COUNTER_MAX, &v))
        return fen_refuse(f, "the %s is not a number from 0 to 9999", name);
    *out = (uint16_t)v;
    return IPR_OK;
}

/* More men than a side can have. It also bounds the number of moves: IPR_MAX_MOVES relies on it. */
static enum ipr_code check_men(const struct fen *f, unsigned colour)
{
    static const int at_first[] = { 8, 2, 2, 2, 1 };
    const char *const side = colour == IPR_WHITE ? "White" : "Black";
    const uint64_t own = f->pos.by_colour[colour];
    const int kings = __builtin_popcountll(f->pos.by_piece[IPR_KING] & own);
    const int pawns = __builtin_popcountll(f->pos.by_piece[IPR_PAWN] & own);
    int promoted = 0;

    if (kings != 1)
        return fen_refuse(f, kings == 0 ? "%s has no king" : "%s has more than one king", side);
    if (__builtin_popcountll(own) > 16)
        return fen_refuse(f, "%s has more than 16 men", side);
    if (pawns > 8)
        return fen_refuse(f, "%s has more than 8 pawns", side);
    for (int piece = IPR_KNIGHT; piece <= IPR_QUEEN; piece++) {
        const int n = __builtin_popcountll(f->pos.by_piece[piece] & own);

        promoted += n > at_first[piece] ? n - at_first[piece] : 0;
    }
    if (promoted > 8 - pawns)
        return fen_refuse(f, "%s has more promoted pieces than missing pawns", side);
    return IPR_OK;
}

static enum ipr_code check_board(const struct fen *f)
{
    enum ipr_code rc = check_men(f, IPR_WHITE);

    if (rc == IPR_OK)
        rc = check_men(f, IPR_BLACK);
    if (rc == IPR_OK && (f->pos.by_piece[IPR_PAWN] & (IPR_RANK_1 | IPR_RANK_8)))
        rc = fen_refuse(f, "a pawn stands on the first or last rank");
    return rc;
}

static enum ipr_code fen_check_turn(const struct fen *f)
{
    struct ipr_pos other = f->pos;

    other.turn ^= 1;
    if (ipr_pos_in_check(&other))
        return fen_refuse(f, "%s is in check but not to move",
                          other.turn == IPR_WHITE ? "White" : "Black");
    return IPR_OK;
}

static enum ipr_code read_field(struct fen *f, unsigned i, struct ipr_str field)
{
    enum ipr_code rc;

    f->at = field.p;
    switch (i) {
    case 0:
        rc = read_placement(f, field);
        f->at = field.p;
        return rc == IPR_OK ? check_board(f) : rc;
    case 1:
        rc = fen_read_turn(f, field);
        return rc == IPR_OK ? fen_check_turn(f) : rc;
    case 2:
        return fen_read_castling(f, field);
    case 3:
        return read_ep(f, field);
    case 4:
        return read_counter(f, field, "half-move counter", &f->pos.halfmove);
    case 5:
        return read_counter(f, field, "move number", &f->pos.fullmove);
    default:
        return fen_refuse(f, "text after the sixth field");
    }
}

enum ipr_code ipr_pos_from_fen(struct ipr_pos *out, struct ipr_str fen, struct ipr_err *err)
{
    struct fen f = {
        .pos = { .ep = IPR_NO_SQUARE, .fullmove = 1 }, .text = fen.p, .at = fen.p, .err = err
    };
    struct ipr_str rest = fen, field;
    unsigned n = 0;

    while (ipr_str_word(&rest, &field)) {
        const enum ipr_code rc = read_field(&f, n++, field);

        if (rc != IPR_OK)
            return rc;
    }
    f.at = fen.p + fen.n;
    if (n < 4)
        return fen_refuse(&f,
                          "a FEN has at least four fields: placement, side, castling, "
                          "en passant%s",
                          "");
    if (f.pos.fullmove == 0) /* written by some programs for a position without history */
        f.pos.fullmove = 1;
    f.pos.key = ipr_pos_compute_key(&f.pos);
    *out = f.pos;
    return IPR_OK;
}

static char *write_placement(const struct ipr_pos *pos, char *out)
{
    for (unsigned rank = 8; rank-- > 0;) {
        char empty = '0';

        for (unsigned sq = rank * 8; sq < rank * 8 + 8; sq++) {
            if ((ipr_occupied(pos) & ipr_bit(sq)) == 0) {
                empty++;
                continue;
            }
            const char letter = fen_letters[ipr_piece_at(pos, sq)];
            const bool white = (pos->by_colour[IPR_WHITE] & ipr_bit(sq)) != 0;
            if (empty != '0')
                *out++ = empty;
            empty = '0';
            *out++ = white ? (char)(letter - 'a' + 'A') : letter;
        }
        if (empty != '0')
            *out++ = empty;
        *out++ = rank > 0 ? '/' : ' ';
    }
    return out;
}

static char *write_castling(const struct ipr_pos *pos, char *out)
{
    for (unsigned right = 0; right < 4; right++) {
        const unsigned colour = right / 2;
        char letter = right % 2 == 0 ? 'k' : 'q';

        if ((pos->castling >> right & 1) == 0)
            continue;
        if (castling_rook(pos, letter, colour, ipr_king_square(pos, colour)) !=
            pos->rook_from[right])
            letter = (char)('a' + pos->rook_from[right] % 8);
        *out++ = colour == IPR_WHITE ? (char)(letter - 'a' + 'A') : letter;
    }
    if (pos->castling == 0)
        *out++ = '-';
    return out;
}

size_t ipr_pos_to_fen(const struct ipr_pos *pos, char out[IPR_FEN_MAX])
{
    char castling[5], ep[3] = "-", *end = write_placement(pos, out);

    *write_castling(pos, castling) = '\0';
    if (pos->ep != IPR_NO_SQUARE) {
        ep[0] = (char)('a' + pos->ep % 8);
        ep[1] = (char)('1' + pos->ep / 8);
    }
    end += snprintf(end, (size_t)(out + IPR_FEN_MAX - end), "%c %s %s %u %u",
                    pos->turn == IPR_WHITE ? 'w' : 'b', castling, ep, pos->halfmove, pos->fullmove);
    return (size_t)(end - out);
}
