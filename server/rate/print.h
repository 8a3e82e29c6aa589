#ifndef IPR_RATE_PRINT_H
#define IPR_RATE_PRINT_H

#include "rate/rows.h"

enum ipr_rate_format { IPR_RATE_TABLE, IPR_RATE_CSV, IPR_RATE_JSON, IPR_RATE_NDJSON, IPR_RATE_PGN };

/** Appends the rows (rate/rows.h); JSON as {"by", "judge", "left_out", "rows"}. PGN: instead of
 * rows the games, whose texts are kept, as ipr_rate_game_pgn writes them.
 */
void ipr_rate_write(enum ipr_rate_format format, const struct ipr_rate_games *games,
                    const json_t *rows, struct ipr_buf *out);

#endif
