#ifndef IPR_ENGINE_CONFIRM_H
#define IPR_ENGINE_CONFIRM_H

#include "db/confirmations.h"
#include "db/jobs.h"
#include "engine/process.h"

/**
 * A confirmation (db/jobs.h, IPR_JOB_CONFIRM): the moves of a game that pages speak of, one by one,
 * are searched again, so deeply that what is said is true. Each is searched with more nodes where
 * that disagrees with the stored search and with itself at lower depths (core/confirmed.h). In
 * three steps, as a check (engine/check.h).
 *
 * It is idle work: a worker at it counts as free, and abandons its search for any other job. What
 * is searched by then is stored; the job goes on from there when it is claimed again.
 */
struct ipr_confirm;

/** Step 1, store thread: loads the moves that are left. `game` is borrowed, memory from `mem`.
 * *definition is what to start the engine for, with this limit of nodes. *out NULL when nothing is
 * left: the job is then completed. */
IPR_CHECK enum ipr_code ipr_confirm_load(struct ipr_db *db, const struct ipr_db_game *game,
                                         uint32_t nodes, struct ipr_arena *mem,
                                         struct ipr_confirm **out, struct ipr_judge *definition,
                                         struct ipr_err *err);

/** The same of moves that are given, n of them ascending by ply. */
struct ipr_confirm *ipr_confirm_make(const struct ipr_db_game *game, uint32_t nodes,
                                     const struct ipr_db_unconfirmed *moves, size_t n,
                                     struct ipr_arena *mem);

/** Appends the turns that are confirmed; `out` has room for them. */
void ipr_confirm_settled(const struct ipr_confirm *c, struct ipr_judged_game *out);

/** How many moves it searches. */
size_t ipr_confirm_turns(const struct ipr_confirm *c);
/** How many of them are confirmed. */
size_t ipr_confirm_done(const struct ipr_confirm *c);

/** Step 2, worker: searches them with an engine started for that definition. `tick` and errors as
 * in ipr_engine_judge, the turns being those to confirm; what was searched by then is kept. */
IPR_CHECK enum ipr_code ipr_confirm_run(struct ipr_confirm *c, struct ipr_engine *e,
                                        ipr_engine_tick_fn tick, void *payload,
                                        struct ipr_arena *mem, struct ipr_err *err);

/** Step 3, store thread, in the transaction that ends the job or gives it back: stores what was
 * searched. `c` may be NULL. *left: moves are still to be confirmed, as when the other side was
 * analysed meanwhile. IPR_ENOTFOUND when the game was deleted. */
IPR_CHECK enum ipr_code ipr_confirm_store(struct ipr_db *db, const struct ipr_confirm *c,
                                          const struct ipr_db_game *game, uint32_t nodes,
                                          const char *source, bool *left, struct ipr_err *err);

#endif
