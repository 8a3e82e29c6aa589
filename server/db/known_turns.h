#ifndef IPR_DB_KNOWN_TURNS_H
#define IPR_DB_KNOWN_TURNS_H

#include "db/games.h"
#include "uci/judge.h"

/** 16 bytes for each half-move of a game and one for its end: BLAKE2b-128 of the position after the
 * last irreversible move, as FEN without the number of the move, and the moves since in UCI. The
 * result of a pure judge (ipr_judge_is_pure) depends on nothing else. From `mem`. */
unsigned char (*ipr_db_position_keys(const struct ipr_pos *start, const ipr_move *moves,
                                     size_t n_moves, struct ipr_arena *mem))[16];

/**
 * Keys to store with a judged side, one for each of its first turns, in their order: NULL for a
 * turn in `known`, whose key is stored with the side it was searched for. `known` may be NULL. From
 * `mem`.
 */
const unsigned char **ipr_db_side_keys(const struct ipr_db_game *game,
                                       const struct ipr_judged_game *judged,
                                       const struct ipr_judged_game *known, int colour,
                                       struct ipr_arena *mem, size_t *n);

/**
 * Turns of a game's first 20 moves that the same judge has judged in another game, a listed one or
 * one of its own private upload: same position, same moves since the last irreversible one, and the
 * move played is among the lines or was also searched separately there. Ascending by ply, complete
 * as ipr_session requires, and identical to the result of judging them, including nodes: those of a
 * search that is not needed here are not counted. Empty if the judge is not pure. From `mem`.
 */
IPR_CHECK enum ipr_code ipr_db_turns_known(struct ipr_db *db, int32_t judge_id,
                                           const struct ipr_db_game *game,
                                           const struct ipr_judge *judge, struct ipr_arena *mem,
                                           struct ipr_judged_game *out, struct ipr_err *err);

#endif
