#ifndef IPR_PGN_WRITER_H
#define IPR_PGN_WRITER_H

#include "base/str.h"
#include "chess/position.h"
#include "pgn/reader.h"

enum ipr_pgn_form {
    IPR_PGN_PLAIN,  /* moves alone */
    IPR_PGN_NOTES,  /* with comments, glyphs, [%eval], [%clk], [%emt] */
    IPR_PGN_ALLIOT, /* searches as {value,depth,seldepth,tbhits,time,dmean,(dmax,ddmax)} after the
                       move, those of other moves in variations (Alliot 2017, 2.4) */
};

/** Appends one game in export format: seven-tag roster first (missing ones as "?"), the other
 * tags in the order given, movetext wrapped below 80 columns, result, blank line. */
void ipr_pgn_write(struct ipr_buf *out, const struct ipr_pgn_tag *tags, size_t n_tags,
                   const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                   enum ipr_result result);

/** The same with what the game says beside its moves, in the order of their plies. */
void ipr_pgn_write_notes(struct ipr_buf *out, const struct ipr_pgn_tag *tags, size_t n_tags,
                         const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                         const struct ipr_pgn_note *notes, size_t n_notes, enum ipr_pgn_form form,
                         enum ipr_result result);

#endif
