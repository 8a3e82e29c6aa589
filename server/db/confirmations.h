#ifndef IPR_DB_CONFIRMATIONS_H
#define IPR_DB_CONFIRMATIONS_H

#include "core/confirmed.h"
#include "core/marks.h"
#include "db/games.h"

#include "queries/confirmations.h"

/* Turns that were searched again to be spoken of one by one (core/confirmed.h), in the table
 * confirmation. No rating reads them. */

/** The confirmed turns of a game by one setting, with its judge: the one of that id, or, if it is
 * 0, of those that have confirmed any the one with most nodes; n = 0: none. */
IPR_CHECK enum ipr_code ipr_db_confirmed_by(struct ipr_db *db, int64_t game_id, int32_t judge_id,
                                            struct ipr_arena *mem, struct ipr_judge *judge,
                                            struct ipr_judged_game *out, struct ipr_err *err);

/** The confirmed turns of games, ids ascending: out[n_ids], each turn by the search with most
 * nodes. Those whose search has not settled are left out. */
IPR_CHECK enum ipr_code ipr_db_confirmed_games(struct ipr_db *db, const int64_t *ids, size_t n_ids,
                                               struct ipr_arena *mem, struct ipr_judged_game *out,
                                               struct ipr_err *err);

/** Marks the moves of a game (core/marks.h): marked[n_moves + 1], memory from `mem`.
 * `shown`: NULL, or the turns of the setting that is shown.
 * *waiting: moves that are chosen and not confirmed, of which nothing is said yet. */
IPR_CHECK enum ipr_code ipr_db_marked(struct ipr_db *db, const struct ipr_db_game *game,
                                      const struct ipr_judged_game *shown, struct ipr_arena *mem,
                                      struct ipr_marked **marked, size_t *waiting,
                                      struct ipr_err *err);

/** A move that is left to be confirmed. */
struct ipr_db_unconfirmed {
    struct ipr_judged_turn turn; /* as it counts for the rating */
    bool unsettled;              /* a search of it has been made, and has not settled */
    bool drifts;                 /* core/confirm.h */
};

/** The moves that are chosen and not confirmed by searches of at least `nodes`, ascending by ply;
 * memory from `mem`. */
IPR_CHECK enum ipr_code ipr_db_unconfirmed(struct ipr_db *db, const struct ipr_db_game *game,
                                           uint32_t nodes, struct ipr_arena *mem,
                                           struct ipr_db_unconfirmed **out, size_t *n,
                                           struct ipr_err *err);

/** Queues a game of which anything is left, in the caller's transaction; does nothing where `nodes`
 * is 0. */
IPR_CHECK enum ipr_code ipr_db_confirm_queue(struct ipr_db *db, const struct ipr_db_game *game,
                                             uint32_t nodes, struct ipr_err *err);

/** Stores n turns, ascending, in the caller's transaction; those of the same judge replace others.
 * Locks the game: IPR_ENOTFOUND when it was deleted meanwhile. */
IPR_CHECK enum ipr_code ipr_db_confirm_store(struct ipr_db *db, int32_t judge_id, int64_t game_id,
                                             const char *source,
                                             const struct ipr_confirmed_turn *turns, size_t n,
                                             struct ipr_err *err);

#endif
