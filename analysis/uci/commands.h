#ifndef IPR_UCI_COMMANDS_H
#define IPR_UCI_COMMANDS_H

#include "chess/position.h"
#include "uci/judge.h"

/** The text of what is sent to an engine, in memory of a fixed size: ipr_uci_text_size is enough
 * for what one wait of a session needs. */
struct ipr_uci_text {
    char *p;
    size_t n, size;
};

/** Bytes for a game of so many moves. */
size_t ipr_uci_text_size(size_t n_moves);
void ipr_uci_put(struct ipr_uci_text *out, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/** True if castling cannot be written as in standard chess: kings or rooks with rights stand
 * elsewhere. Such games need an engine's UCI_Chess960. */
bool ipr_uci_is_chess960(const struct ipr_pos *start);

/** "position fen ... moves ..." with its newline: `base`, then `n` moves, then `more` further. */
void ipr_uci_put_position(struct ipr_uci_text *out, bool chess960, const struct ipr_pos *base,
                          const ipr_move *moves, size_t n, const ipr_move *more, size_t n_more);

/** "go ..." of a search over all moves by the judge's limit, with its newline. Whatever the limit,
 * the search ends at IPR_DEPTH_MAX. */
void ipr_uci_put_go(struct ipr_uci_text *out, const struct ipr_judge *judge);

/** "go nodes N", and "searchmoves M ..." of the moves `only`. */
void ipr_uci_put_go_nodes(struct ipr_uci_text *out, uint32_t nodes, bool chess960,
                          const struct ipr_pos *pos, const ipr_move *only, size_t n_only);

/** "go depth D", and "searchmoves M ..." of the moves `only`, if any. */
void ipr_uci_put_go_depth(struct ipr_uci_text *out, unsigned depth, bool chess960,
                          const struct ipr_pos *pos, const ipr_move *only, size_t n_only);

#endif
