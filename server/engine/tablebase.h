#ifndef IPR_ENGINE_TABLEBASE_H
#define IPR_ENGINE_TABLEBASE_H

#include <stddef.h>

#include "base/error.h"
#include "base/mem.h"
#include "chess/position.h"
#include "db/endgames.h"

/* Syzygy tablebases through Fathom, of which this is the only user. Debian's build of it has no
 * locks and loads tables when they are first asked for: every call is made under one mutex. No
 * tables at all is a normal state. All calls but open and close are thread-safe. */

/**
 * Opens the tables of a path (SYZYGY_PATH: folders separated by ':'), once for the process; "" or
 * NULL: none. Of two files of one name the first folder's counts. A path without tables is no
 * error. IPR_EIO names the folder that cannot be read, or the file that is no whole table (the
 * library would end the process or read beside it later); IPR_EINVAL when open already.
 */
IPR_CHECK enum ipr_code ipr_tablebase_open(const char *path, struct ipr_err *err);
/** Nobody may be probing. Nothing happens when none are open. */
void ipr_tablebase_close(void);

/** Men of the largest tables, kings included; 0 when there are none. */
unsigned ipr_tablebase_men(void);

/** What is told of a set of tables in a judge's identity: "4 men 70 files 0f3a1b…" (16 digits of
 * the BLAKE2b digest of the sorted names and sizes), "" when there are none. Borrowed until the
 * close. */
const char *ipr_tablebase_identity(void);

/**
 * Win, draw or loss with best play for the side to move, from -2 to 2 (db/endgames.h), and the
 * half-moves to the next capture or pawn move, or to mate: positive when that side wins, negative
 * when it loses; 0 where drawn, mated, or the table of distances is missing.
 *
 * The value is that of the position with a fresh clock: moves made without capture or pawn move
 * before it do not count. So a win of which |dtz| + pos->halfmove is above 100 may be claimed a
 * draw. Distances may be one half-move off, as Syzygy tables store most of them in full moves.
 *
 * Mate, stalemate and insufficient material are told by the rules. IPR_ENOTFOUND: castling rights,
 * too many men, or a table is missing that is needed.
 */
IPR_CHECK enum ipr_code ipr_tablebase_probe(const struct ipr_pos *pos, int *wdl, int *dtz,
                                            struct ipr_err *err);

/** Truth about the turns of a game that are within reach before and after the move played; the
 * moves are legal. Memory from `mem`; n = 0 when there are none. */
void ipr_tablebase_turns(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                         struct ipr_arena *mem, struct ipr_db_endgame_turn **turns, size_t *n);

#endif
