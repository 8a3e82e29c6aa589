#include "chess/san.h"

#include <stdio.h>
#include <string.h>

#include "chess/attacks.h"
#include "chess/quote.h"

static const char san_letters[] = "PNBRQK";
static const char *const piece_names[] = { "pawn", "knight", "bishop", "rook", "queen", "king" };

#define ANY_PIECE 6u
#define NOT_GIVEN 8u

/* The parts of a token, independent of the position. */
struct san {
    unsigned piece;                /* enum ipr_piece, or ANY_PIECE: both squares were given */
    unsigned from_file, from_rank; /* NOT_GIVEN, or 0..7 */
    unsigned to;
    unsigned promotion; /* 0, or enum ipr_piece */
    unsigned castling;  /* 0, or the number of O's */
    bool capture;
};

/* ---- Writing ---- */

static char *write_origin(const struct ipr_pos *pos, ipr_move m, enum ipr_piece piece, char *out)
{
    const unsigned from = ipr_move_from(m), to = ipr_move_to(m);
    const uint64_t others = ipr_movers_to(pos, piece, to, ~ipr_bit(from));
    const bool file_shared = (others & IPR_FILE_A << from % 8) != 0;
    const bool rank_shared = (others & IPR_RANK_1 << (from & 56u)) != 0;

    if (others != 0 && (!file_shared || rank_shared))
        *out++ = (char)('a' + from % 8);
    if (file_shared)
        *out++ = (char)('1' + from / 8);
    return out;
}

static char *write_plain(const struct ipr_pos *pos, ipr_move m, char *out)
{
    const unsigned from = ipr_move_from(m), to = ipr_move_to(m), promotion = ipr_move_promotion(m);
    const enum ipr_piece piece = ipr_piece_at(pos, from);
    const bool capture =
        (ipr_occupied(pos) & ipr_bit(to)) != 0 || (piece == IPR_PAWN && to == pos->ep);

    if (piece != IPR_PAWN) {
        *out++ = san_letters[piece];
        if (piece != IPR_KING)
            out = write_origin(pos, m, piece, out);
    } else if (capture) {
        *out++ = (char)('a' + from % 8);
    }
    if (capture)
        *out++ = 'x';
    *out++ = (char)('a' + to % 8);
    *out++ = (char)('1' + to / 8);
    if (promotion != 0) {
        *out++ = '=';
        *out++ = san_letters[promotion];
    }
    return out;
}

size_t ipr_san_write(const struct ipr_pos *pos, ipr_move m, char out[IPR_SAN_MAX])
{
    struct ipr_pos after = *pos;
    ipr_move list[IPR_MAX_MOVES];
    char *end = out;

    if (m & IPR_MOVE_CASTLING) {
        const char *const text = ipr_move_to(m) > ipr_move_from(m) ? "O-O" : "O-O-O";

        memcpy(end, text, strlen(text));
        end += strlen(text);
    } else {
        end = write_plain(pos, m, end);
    }
    ipr_pos_play(&after, m);
    if (ipr_pos_in_check(&after))
        *end++ = ipr_pos_legal(&after, list) == 0 ? '#' : '+';
    *end = '\0';
    return (size_t)(end - out);
}

/* ---- Reading the token ---- */

/* Check marks, annotations and "e.p." at the end are redundant. */
static struct ipr_str without_suffix(struct ipr_str t)
{
    while (t.n > 0 && (t.p[t.n - 1] == '+' || t.p[t.n - 1] == '#' || t.p[t.n - 1] == '!' ||
                       t.p[t.n - 1] == '?'))
        t.n--;
    if (t.n > 4 && memcmp(t.p + t.n - 4, "e.p.", 4) == 0)
        t.n -= 4;
    else if (t.n > 2 && memcmp(t.p + t.n - 2, "ep", 2) == 0)
        t.n -= 2;
    return t;
}

/* O-O, 0-0, o-o and the long ones: the number of O's, or 0. The token is not empty. */
static unsigned castling_ohs(struct ipr_str t)
{
    if ((t.p[0] != 'O' && t.p[0] != '0' && t.p[0] != 'o') || (t.n != 3 && t.n != 5))
        return 0;
    for (size_t i = 0; i < t.n; i++)
        if (i % 2 == 0 ? t.p[i] != t.p[0] : t.p[i] != '-')
            return 0;
    return (unsigned)t.n / 2 + 1;
}

/* Piece letters, each plus one. Lower case too, save b, which is a file. */
static const unsigned char letter_piece[256] = {
    ['P'] = IPR_PAWN + 1, ['N'] = IPR_KNIGHT + 1, ['n'] = IPR_KNIGHT + 1, ['B'] = IPR_BISHOP + 1,
    ['R'] = IPR_ROOK + 1, ['r'] = IPR_ROOK + 1,   ['Q'] = IPR_QUEEN + 1,  ['q'] = IPR_QUEEN + 1,
    ['K'] = IPR_KING + 1, ['k'] = IPR_KING + 1,
};

static unsigned piece_of(char letter)
{
    const unsigned piece = letter_piece[(unsigned char)letter];

    return piece != 0 ? piece - 1 : ANY_PIECE;
}

static inline size_t read_file_rank(struct ipr_str t, size_t i, unsigned *file, unsigned *rank)
{
    if (i < t.n && t.p[i] >= 'a' && t.p[i] <= 'h')
        *file = (unsigned)(t.p[i++] - 'a');
    if (i < t.n && t.p[i] >= '1' && t.p[i] <= '8')
        *rank = (unsigned)(t.p[i++] - '1');
    return i;
}

/* "=Q", "Q", "(Q)", "/Q", in either case; the end of the token must follow. */
static bool read_promotion(struct ipr_str t, size_t i, struct san *out)
{
    bool bracket = false;

    if (i < t.n && (t.p[i] == '=' || t.p[i] == '/' || t.p[i] == '('))
        bracket = t.p[i++] == '(';
    if (i >= t.n)
        return false;
    const char upper = (char)(t.p[i] >= 'a' ? t.p[i] - 'a' + 'A' : t.p[i]);
    out->promotion = piece_of(upper);
    i += bracket ? 2 : 1;
    if (bracket && (i > t.n || t.p[i - 1] != ')'))
        return false;
    return i == t.n && out->promotion >= IPR_KNIGHT && out->promotion <= IPR_QUEEN;
}

/* Reads "e4", "exd5", "Nf3", "Nxf3", "Nbd2", "R1xe2", as nearly every token is. False for all
 * others, which san_read_token reads. */
static inline bool read_plain(struct ipr_str t, struct san *out)
{
    if (t.n < 2 || t.n > 5)
        return false;
    const unsigned file = (unsigned)(unsigned char)t.p[t.n - 2] - 'a';
    const unsigned rank = (unsigned)(unsigned char)t.p[t.n - 1] - '1';
    const unsigned letter = letter_piece[(unsigned char)t.p[0]];
    size_t n = t.n - 2; /* bytes before the square */

    if (file > 7 || rank > 7)
        return false;
    *out = (struct san){ .from_file = NOT_GIVEN, .from_rank = NOT_GIVEN, .to = rank * 8 + file };
    out->capture = n > 0 && t.p[n - 1] == 'x';
    n -= out->capture;
    out->piece = letter != 0 ? letter - 1 : IPR_PAWN;
    const size_t i = letter != 0;
    if (n == i)
        return out->piece != IPR_PAWN || !out->capture;
    const unsigned from_file = (unsigned)(unsigned char)t.p[i] - 'a';
    const unsigned from_rank = (unsigned)(unsigned char)t.p[i] - '1';
    if (n != i + 1 || (from_file > 7 && (from_rank > 7 || letter == 0)))
        return false;
    out->from_file = from_file <= 7 ? from_file : NOT_GIVEN;
    out->from_rank = from_rank <= 7 ? from_rank : NOT_GIVEN;
    return true;
}

static bool san_read_token(struct ipr_str t, struct san *out)
{
    unsigned file = NOT_GIVEN, rank = NOT_GIVEN;
    size_t i = 0;

    *out = (struct san){ .piece = ANY_PIECE, .from_file = NOT_GIVEN, .from_rank = NOT_GIVEN };
    if (t.n == 0)
        return false;
    out->castling = castling_ohs(t);
    if (out->castling != 0)
        return true;
    out->piece = piece_of(t.p[0]);
    const bool lettered = out->piece != ANY_PIECE;
    i = lettered;
    i = read_file_rank(t, i, &out->from_file, &out->from_rank);
    const bool separated = i < t.n && (t.p[i] == 'x' || t.p[i] == ':' || t.p[i] == '-');
    if (separated)
        out->capture = t.p[i++] != '-';
    i = read_file_rank(t, i, &file, &rank);
    if (file == NOT_GIVEN && rank == NOT_GIVEN && !separated) { /* one square: where to */
        file = out->from_file;
        rank = out->from_rank;
        out->from_file = out->from_rank = NOT_GIVEN;
    }
    if (file == NOT_GIVEN || rank == NOT_GIVEN)
        return false;
    if (!lettered && (out->from_file == NOT_GIVEN || out->from_rank == NOT_GIVEN))
        out->piece = IPR_PAWN;
    out->to = rank * 8 + file;
    return i == t.n || read_promotion(t, i, out);
}

/* Longer than any move with figurines for letters. */
#define FIGURINE_MAX 24

/* Figurines, U+2654 to U+265F, mean the same in every language: read as letters. False when there
 * is none. */
static bool read_figurines(struct ipr_str t, struct san *out)
{
    char letters[FIGURINE_MAX];
    size_t n = 0;
    bool any = false;

    if (t.n > FIGURINE_MAX)
        return false;
    for (size_t i = 0; i < t.n; i++) {
        const unsigned char *const c = (const unsigned char *)t.p + i;
        const bool figurine =
            t.n - i > 2 && c[0] == 0xE2 && c[1] == 0x99 && c[2] >= 0x94 && c[2] <= 0x9F;

        letters[n++] = figurine ? "KQRBNP"[(c[2] - 0x94) % 6] : t.p[i];
        i += figurine ? 2 : 0;
        any |= figurine;
    }
    return any && san_read_token((struct ipr_str){ letters, n }, out);
}

/* ---- Failing in words ---- */

#define LIST_MAX 160 /* bytes of moves in a message */

/* Legal moves of a kind as SAN, those in `from` only, to a square unless that is IPR_NO_SQUARE. */
static void list_moves(const struct ipr_pos *pos, unsigned piece, uint64_t from, unsigned to,
                       char out[LIST_MAX + 8])
{
    ipr_move list[IPR_MAX_MOVES];
    char san[IPR_SAN_MAX];
    const size_t n_moves = ipr_pos_legal(pos, list);
    size_t n = 0;

    for (size_t i = 0; i < n_moves; i++) {
        if (!(piece == ANY_PIECE || ipr_piece_at(pos, ipr_move_from(list[i])) == piece) ||
            (from & ipr_bit(ipr_move_from(list[i]))) == 0 ||
            (to != IPR_NO_SQUARE && ipr_move_to(list[i]) != to))
            continue;
        const size_t length = ipr_san_write(pos, list[i], san);
        if (n + length + 2 > LIST_MAX) {
            memcpy(out + n, ", ...", 6);
            return;
        }
        if (n > 0) {
            out[n++] = ',';
            out[n++] = ' ';
        }
        memcpy(out + n, san, length);
        n += length;
    }
    out[n] = '\0';
}

static enum ipr_code san_fail(struct ipr_err *err, const char *type, const char *msg)
{
    return ipr_err_at(err, IPR_EPARSE, type, 0, 0, -1, "%s", msg);
}

/* `what` is wrong, and this is what would be right. */
static enum ipr_code fail_with_legal(const struct ipr_pos *pos, const char *type, const char *what,
                                     unsigned piece, struct ipr_err *err)
{
    const char *const kind = piece == ANY_PIECE ? "legal" : piece_names[piece];
    char moves[LIST_MAX + 8], msg[IPR_ERR_TEXT];
    ipr_move list[IPR_MAX_MOVES];

    list_moves(pos, piece, UINT64_MAX, IPR_NO_SQUARE, moves);
    if (ipr_pos_legal(pos, list) == 0)
        snprintf(msg, sizeof msg, "%s; the game has ended by %s", what,
                 ipr_pos_in_check(pos) ? "checkmate" : "stalemate");
    else if (moves[0] == '\0')
        snprintf(msg, sizeof msg, "%s; no %s can move", what, kind);
    else
        snprintf(msg, sizeof msg, "%s; %s moves%s: %s", what, kind,
                 piece == ANY_PIECE ? "" : " that are", moves);
    return san_fail(err, type, msg);
}

#define WHAT_MAX (IPR_QUOTE_MAX + 24)

static enum ipr_code fail_bad(const struct ipr_pos *pos, struct ipr_str text, struct ipr_err *err)
{
    char quoted[IPR_QUOTE_MAX], what[WHAT_MAX];

    if (err == NULL || err->code != IPR_OK)
        return IPR_EPARSE;
    snprintf(what, sizeof what, "'%s' is not a move", ipr_quote(text, quoted));
    return fail_with_legal(pos, "bad_move", what, ANY_PIECE, err);
}

static enum ipr_code fail_illegal(const struct ipr_pos *pos, struct ipr_str text, unsigned piece,
                                  struct ipr_err *err)
{
    char quoted[IPR_QUOTE_MAX], what[WHAT_MAX];

    if (err == NULL || err->code != IPR_OK)
        return IPR_EPARSE;
    snprintf(what, sizeof what, "%s is not legal here", ipr_quote(text, quoted));
    return fail_with_legal(pos, "illegal_move", what, piece, err);
}

static enum ipr_code fail_ambiguous(const struct ipr_pos *pos, struct ipr_str text,
                                    const struct san *san, uint64_t men, struct ipr_err *err)
{
    char quoted[IPR_QUOTE_MAX], moves[LIST_MAX + 8], msg[IPR_ERR_TEXT];

    if (err == NULL || err->code != IPR_OK)
        return IPR_EPARSE;
    list_moves(pos, san->piece, men, san->to, moves);
    snprintf(msg, sizeof msg, "%s is ambiguous; it could be %s", ipr_quote(text, quoted), moves);
    return san_fail(err, "ambiguous_move", msg);
}

/* ---- Reading ---- */

static ipr_move castling_move(const struct ipr_pos *pos, unsigned ohs)
{
    const unsigned right = pos->turn * 2u + (ohs == 2 ? 0 : 1);

    if (!ipr_may_castle(pos, right))
        return IPR_MOVE_NONE;
    return (ipr_move)(ipr_king_square(pos, pos->turn) | (unsigned)pos->rook_from[right] << 6 |
                      IPR_MOVE_CASTLING);
}

/* A pawn move marked as a capture must capture, and one without a file and a mark must not. */
static bool capture_fits(const struct ipr_pos *pos, const struct san *san)
{
    const bool captures = (ipr_occupied(pos) & ipr_bit(san->to)) != 0 ||
                          (san->piece == IPR_PAWN && san->to == pos->ep);

    if (san->piece == IPR_PAWN && captures && !san->capture && san->from_file == NOT_GIVEN)
        return false;
    return captures || !san->capture;
}

static uint64_t men_meant(const struct ipr_pos *pos, const struct san *san)
{
    uint64_t among = UINT64_MAX;

    if (!capture_fits(pos, san))
        return 0;
    if (san->from_file != NOT_GIVEN)
        among = IPR_FILE_A << san->from_file;
    if (san->from_rank != NOT_GIVEN)
        among &= IPR_RANK_1 << san->from_rank * 8;
    return ipr_movers_to(pos, (enum ipr_piece)san->piece, san->to, among);
}

static bool promotion_fits(const struct san *san)
{
    const bool last = san->piece == IPR_PAWN && (san->to < 8 || san->to >= 56);

    return last == (san->promotion != 0);
}

/* Both squares are known: long algebraic or UCI text, where castling may hide as a king move. */
static ipr_move read_long(const struct ipr_pos *pos, const struct san *san)
{
    const unsigned from = san->from_rank * 8 + san->from_file;
    const uint64_t own = pos->by_colour[pos->turn];

    if ((own & ipr_bit(from)) == 0 || !capture_fits(pos, san) ||
        (san->piece != ANY_PIECE && (pos->by_piece[san->piece] & ipr_bit(from)) == 0))
        return IPR_MOVE_NONE;
    return ipr_move_meant(pos, from, san->to, san->promotion);
}

static enum ipr_code read_whole_squares(const struct ipr_pos *pos, struct ipr_str text,
                                        const struct san *san, ipr_move *out, struct ipr_err *err)
{
    const unsigned from = san->from_rank * 8 + san->from_file;
    const ipr_move m = read_long(pos, san);
    unsigned piece = san->piece;

    if (m != IPR_MOVE_NONE) {
        *out = m;
        return IPR_OK;
    }
    if (piece == ANY_PIECE && (ipr_occupied(pos) & ipr_bit(from)) != 0)
        piece = ipr_piece_at(pos, from);
    return fail_illegal(pos, text, piece, err);
}

enum ipr_code ipr_san_read(const struct ipr_pos *pos, struct ipr_str text, ipr_move *out,
                           struct ipr_err *err)
{
    const struct ipr_str token = without_suffix(text);
    struct san san;

    if (!read_plain(token, &san) && !san_read_token(token, &san) && !read_figurines(token, &san))
        return fail_bad(pos, text, err);
    if (san.castling != 0) {
        const ipr_move m = castling_move(pos, san.castling);

        if (m == IPR_MOVE_NONE)
            return fail_illegal(pos, text, IPR_KING, err);
        *out = m;
        return IPR_OK;
    }
    if (san.from_file != NOT_GIVEN && san.from_rank != NOT_GIVEN)
        return read_whole_squares(pos, text, &san, out, err);
    const uint64_t men = men_meant(pos, &san);
    if (men != 0 && san.piece == IPR_PAWN && san.promotion == 0 && !promotion_fits(&san))
        return fail_ambiguous(pos, text, &san, men, err);
    if (men == 0 || !promotion_fits(&san))
        return fail_illegal(pos, text, san.piece, err);
    if (ipr_several(men))
        return fail_ambiguous(pos, text, &san, men, err);
    *out = (ipr_move)(ipr_lowest(men) | san.to << 6 | san.promotion << 12);
    return IPR_OK;
}
