#ifndef IPR_ENGINE_TABLEBASE_H
#define IPR_ENGINE_TABLEBASE_H

#include <stdint.h>

#include "base/error.h"
#include "chess/position.h"
#include "db/endgames.h"

/* Syzygy tablebases through Fathom, the only user of it. Debian's build has no locks: every call is
 * made under one mutex. No tables at all is a normal state. */

/** Opens the tables of a path (SYZYGY_PATH: folders separated by ':'), once for the process; "" or
 * NULL: none. IPR_EIO naming a folder that cannot be read. A path without tables is no error. */
IPR_CHECK enum ipr_code ipr_tablebase_open(const char *path, struct ipr_err *err);
void ipr_tablebase_close(void);

/** Men of the largest tables, 0 when there are none. */
unsigned ipr_tablebase_men(void);

/** What is told of a set of tables in a judge's identity: "5 men 290 files 0f3a…" (BLAKE2b of the
 * sorted names and sizes), "" when there are none. Borrowed until the close. */
const char *ipr_tablebase_identity(void);

/** Win, draw or loss with best play for the side to move, from -2 to 2 (db/endgames.h), and the
 * half-moves to the next capture or pawn move (0 where drawn or unknown). Any half-move clock;
 * positions with castling rights or too many men are IPR_ENOTFOUND, as are missing tables. */
IPR_CHECK enum ipr_code ipr_tablebase_probe(const struct ipr_pos *pos, int *wdl, int *dtz,
                                            struct ipr_err *err);

/** Truth about the turns of a game that are within reach before and after the move played.
 * Memory from `mem`; n = 0 when there are none. */
void ipr_tablebase_turns(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                         struct ipr_arena *mem, struct ipr_endgame_turn **turns, size_t *n);

#endif
