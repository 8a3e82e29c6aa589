#include "uci/commands.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

size_t ipr_uci_text_size(size_t n_moves)
{
    return 256 + IPR_FEN_MAX + (n_moves + IPR_DEPTH_MAX + IPR_MAX_MOVES) * (IPR_UCI_MAX + 1);
}

void ipr_uci_put(struct ipr_uci_text *out, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    const int n = vsnprintf(out->p + out->n, out->size - out->n, fmt, args);
    va_end(args);
    assert(n >= 0 && (size_t)n < out->size - out->n);
    out->n += (size_t)n;
}

bool ipr_uci_is_chess960(const struct ipr_pos *start)
{
    static const uint8_t rook[4] = { 7, 0, 63, 56 };
    static const uint64_t king[2] = { UINT64_C(1) << 4, UINT64_C(1) << 60 };

    for (unsigned i = 0; i < 4; i++) {
        if ((start->castling >> i & 1U) == 0)
            continue;
        if (start->rook_from[i] != rook[i])
            return true;
        if ((start->by_piece[5] & start->by_colour[i / 2]) != king[i / 2])
            return true;
    }
    return false;
}

/* In Chess960 mode engines know castling only as king takes rook. */
static void command_put_move(struct ipr_uci_text *out, bool chess960, const struct ipr_pos *pos,
                             ipr_move m)
{
    char text[IPR_UCI_MAX];

    if (!chess960 || (m & 0x8000U) == 0) {
        ipr_move_to_uci(pos, m, text);
        ipr_uci_put(out, " %s", text);
        return;
    }
    ipr_uci_put(out, " %c%c%c%c", 'a' + (m & 7), '1' + (m >> 3 & 7), 'a' + (m >> 6 & 7),
                '1' + (m >> 9 & 7));
}

static void command_put_moves(struct ipr_uci_text *out, bool chess960, struct ipr_pos *pos,
                              const ipr_move *moves, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        command_put_move(out, chess960, pos, moves[i]);
        ipr_pos_play(pos, moves[i]);
    }
}

void ipr_uci_put_position(struct ipr_uci_text *out, bool chess960, const struct ipr_pos *base,
                          const ipr_move *moves, size_t n, const ipr_move *more, size_t n_more)
{
    struct ipr_pos pos = *base;
    char fen[IPR_FEN_MAX];

    ipr_pos_to_fen(base, fen);
    ipr_uci_put(out, "position fen %s%s", fen, n + n_more > 0 ? " moves" : "");
    command_put_moves(out, chess960, &pos, moves, n);
    command_put_moves(out, chess960, &pos, more, n_more);
    ipr_uci_put(out, "\n");
}

void ipr_uci_put_go(struct ipr_uci_text *out, const struct ipr_judge *judge)
{
    if (judge->depth > 0)
        ipr_uci_put(out, "go depth %u\n", (unsigned)judge->depth);
    else if (judge->nodes > 0)
        ipr_uci_put(out, "go nodes %u depth %u\n", (unsigned)judge->nodes, IPR_DEPTH_MAX);
    else
        ipr_uci_put(out, "go movetime %u depth %u\n", (unsigned)judge->time_ms, IPR_DEPTH_MAX);
}

static void command_put_only(struct ipr_uci_text *out, bool chess960, const struct ipr_pos *pos,
                             const ipr_move *only, size_t n_only)
{
    ipr_uci_put(out, "%s", n_only > 0 ? " searchmoves" : "");
    for (size_t i = 0; i < n_only; i++)
        command_put_move(out, chess960, pos, only[i]);
    ipr_uci_put(out, "\n");
}

void ipr_uci_put_go_nodes(struct ipr_uci_text *out, uint32_t nodes, bool chess960,
                          const struct ipr_pos *pos, const ipr_move *only, size_t n_only)
{
    ipr_uci_put(out, "go nodes %u depth %u", (unsigned)nodes, IPR_DEPTH_MAX);
    command_put_only(out, chess960, pos, only, n_only);
}

void ipr_uci_put_go_depth(struct ipr_uci_text *out, unsigned depth, bool chess960,
                          const struct ipr_pos *pos, const ipr_move *only, size_t n_only)
{
    ipr_uci_put(out, "go depth %u", depth);
    command_put_only(out, chess960, pos, only, n_only);
}
