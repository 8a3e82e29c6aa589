#ifndef IPR_PGN_WRITER_H
#define IPR_PGN_WRITER_H

#include "base/str.h"
#include "chess/position.h"
#include "pgn/reader.h"

/** Appends one game in export format: seven-tag roster first (missing ones as "?"), the other
 * tags in the order given, movetext wrapped below 80 columns, result, blank line. */
void ipr_pgn_write(struct ipr_buf *out, const struct ipr_pgn_tag *tags, size_t n_tags,
                   const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                   enum ipr_result result);

#endif
