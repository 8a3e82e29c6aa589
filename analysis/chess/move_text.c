#include <string.h>

#include "chess/attacks.h"
#include "chess/quote.h"

static void write_square(unsigned sq, char *out)
{
    out[0] = (char)('a' + sq % 8);
    out[1] = (char)('1' + sq / 8);
}

static unsigned read_square(const char *p)
{
    if (p[0] < 'a' || p[0] > 'h' || p[1] < '1' || p[1] > '8')
        return IPR_NO_SQUARE;
    return (unsigned)(p[0] - 'a') + (unsigned)(p[1] - '1') * 8;
}

size_t ipr_move_to_uci(const struct ipr_pos *pos, ipr_move m, char out[IPR_UCI_MAX])
{
    const unsigned from = ipr_move_from(m), promotion = ipr_move_promotion(m);
    unsigned to = ipr_move_to(m);
    size_t n = 4;

    /* With king and rook in their places of standard chess: by the square the king goes to. */
    if ((m & IPR_MOVE_CASTLING) && (from % 8 == 4 && (to % 8 == 0 || to % 8 == 7)))
        to = ipr_castled_king(pos->turn * 2u + (to > from ? 0 : 1));
    write_square(from, out);
    write_square(to, out + 2);
    if (promotion != 0)
        out[n++] = "?nbrq"[promotion];
    out[n] = '\0';
    return n;
}

/* The castling move spelt by king and destination, or by king and own rook; else none. */
static ipr_move castling_meant(const struct ipr_pos *pos, unsigned from, unsigned to)
{
    if (from != ipr_king_square(pos, pos->turn))
        return IPR_MOVE_NONE;
    for (unsigned right = pos->turn * 2u; right < pos->turn * 2u + 2; right++) {
        const unsigned rook = pos->rook_from[right];

        if (ipr_may_castle(pos, right) && (to == rook || to == ipr_castled_king(right)))
            return (ipr_move)(from | rook << 6 | IPR_MOVE_CASTLING);
    }
    return IPR_MOVE_NONE;
}

ipr_move ipr_move_meant(const struct ipr_pos *pos, unsigned from, unsigned to, unsigned promotion)
{
    const ipr_move plain = (ipr_move)(from | to << 6 | promotion << 12);

    if (ipr_pos_is_legal(pos, plain))
        return plain;
    return promotion == 0 ? castling_meant(pos, from, to) : IPR_MOVE_NONE;
}

enum ipr_code ipr_move_from_uci(const struct ipr_pos *pos, struct ipr_str text, ipr_move *out,
                                struct ipr_err *err)
{
    static const char letters[] = "nbrqNBRQ";
    char quoted[IPR_QUOTE_MAX];
    const unsigned from = text.n >= 4 ? read_square(text.p) : IPR_NO_SQUARE;
    const unsigned to = text.n >= 4 ? read_square(text.p + 2) : IPR_NO_SQUARE;
    const char *const letter = text.n == 5 ? memchr(letters, text.p[4], 8) : NULL;

    if (from == IPR_NO_SQUARE || to == IPR_NO_SQUARE || text.n > 5 ||
        (text.n == 5 && letter == NULL))
        return ipr_err_at(err, IPR_EPARSE, "bad_move", 0, 0, -1, "'%s' is not a move in UCI text",
                          ipr_quote(text, quoted));
    const unsigned promotion = letter != NULL ? (unsigned)(letter - letters) % 4 + 1 : 0;
    const ipr_move m = ipr_move_meant(pos, from, to, promotion);
    if (m == IPR_MOVE_NONE)
        return ipr_err_at(err, IPR_EPARSE, "illegal_move", 0, 0, -1, "%s is not legal here",
                          ipr_quote(text, quoted));
    *out = m;
    return IPR_OK;
}
