#ifndef IPR_ENGINE_TABLEBASE_H
#define IPR_ENGINE_TABLEBASE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "chess/position.h"
#include "db/endgames.h"

/* Syzygy tablebases through Fathom; no other file calls that library. Debian's build has no locks
 * and loads a table at its first use, so every call is made under one mutex. Without tables
 * everything works, too. All calls but open and close are thread-safe. */

/**
 * Opens the tables of a path (SYZYGY_PATH: folders separated by ':'), once for the process; "" or
 * NULL: none. Of two files with the same name the first folder's is used. A path without tables is
 * no error. IPR_EIO names the folder that cannot be read, or the file that is not a complete table
 * (the library would abort the process or read out of bounds later); IPR_EINVAL when open already.
 */
IPR_CHECK enum ipr_code ipr_tablebase_open(const char *path, struct ipr_err *err);
/** No thread may be probing. Does nothing when no tables are open. */
void ipr_tablebase_close(void);

/** Men of the largest tables, kings included; 0 when there are none. */
unsigned ipr_tablebase_men(void);

/** The identity of a set of tables, as stored in a judge: "4 men 70 files 0f3a1b…" (16 digits of
 * the BLAKE2b digest of the sorted names and sizes), "" when there are none. Borrowed until the
 * close. */
const char *ipr_tablebase_identity(void);

/**
 * Win, draw or loss with best play for the side to move, from -2 to 2 (db/endgames.h), and the
 * half-moves to the next capture or pawn move, or to mate: positive when that side wins, negative
 * when it loses; 0 if drawn, mated, or without a table of distances.
 *
 * The value ignores the halfmove clock: a win with |dtz| + pos->halfmove above 100 may be drawn by
 * the fifty-move rule. Distances may be one half-move off, as Syzygy tables store most of them in
 * full moves.
 *
 * Mate, stalemate and insufficient material need no table. IPR_ENOTFOUND: castling rights, too many
 * men, or a table needed is missing.
 */
IPR_CHECK enum ipr_code ipr_tablebase_probe(const struct ipr_pos *pos, int *wdl, int *dtz,
                                            struct ipr_err *err);

/** The size of all tables of such a path together, in bytes: a program that uses them may map as
 * much. 0 when one cannot be read, or there are none. */
uint64_t ipr_tablebase_bytes(const char *path);

/** The values before and after the move played, for every turn of a game that the tables cover on
 * both sides of the move; the moves are legal. Memory from `mem`; n = 0 when there are none. */
void ipr_tablebase_turns(const struct ipr_pos *start, const ipr_move *moves, size_t n_moves,
                         struct ipr_arena *mem, struct ipr_db_endgame_turn **turns, size_t *n);

#endif
