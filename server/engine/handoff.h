#ifndef IPR_ENGINE_HANDOFF_H
#define IPR_ENGINE_HANDOFF_H

#include "core/clock.h"
#include "engine/assignment.h"

/**
 * The hand-off queue between the store thread and the workers of a process: games ready to be
 * analysed one way, games done the other way. Thread-safe; only `take` and `wait` block.
 */
struct ipr_handoff;

struct ipr_handoff *ipr_handoff_new(void);
/** No thread may use it any more, and it must be empty. */
void ipr_handoff_free(struct ipr_handoff **d);

/** From now on workers take no more games, and abandon those they have. */
void ipr_handoff_close(struct ipr_handoff *d);
bool ipr_handoff_closed(const struct ipr_handoff *d);

/* ---- the store thread ---- */

/** Adds a game, which becomes READY. */
void ipr_handoff_put(struct ipr_handoff *d, struct ipr_assignment *a);
/** Takes a game that a worker has returned, the oldest first; NULL when there is none. */
struct ipr_assignment *ipr_handoff_collect(struct ipr_handoff *d);
/** Takes back a game that no worker has taken; NULL when there is none. */
struct ipr_assignment *ipr_handoff_withdraw(struct ipr_handoff *d);
/** How many more games to claim: for workers without one, and for those whose game is nearly done.
 * No game is claimed earlier, so that the last games of a queue go to the first free worker. */
unsigned ipr_handoff_wanted(struct ipr_handoff *d);
/** How many workers are at a confirmation, which they abandon for any other game, and have not been
 * asked to. */
unsigned ipr_handoff_idling(struct ipr_handoff *d);
/** Asks one of them to return it, for a game that was added. */
void ipr_handoff_interrupt(struct ipr_handoff *d);
/** Waits until a game is returned or wanted, a worker leaves or the queue is closed; at most until
 * `until` (ipr_now_ms). Returns at once for such an event since the last call. */
void ipr_handoff_wait(struct ipr_handoff *d, int64_t until);
/** Number of workers that have entered and not left. */
unsigned ipr_handoff_present(struct ipr_handoff *d);

/* ---- a worker ---- */

/** A worker's first and last call. The thread that starts the worker may enter for it. */
void ipr_handoff_enter(struct ipr_handoff *d);
void ipr_handoff_leave(struct ipr_handoff *d);

/** Waits for a game and takes it; it becomes RUNNING. Confirmations come last; of the others a game
 * for the engine at hand (its definition; NULL: none) comes first, then the oldest. NULL when the
 * queue is closed. */
struct ipr_assignment *ipr_handoff_take(struct ipr_handoff *d, const struct ipr_judge *at_hand);
/** Asks for the next game, because the one taken is nearly done. */
void ipr_handoff_prefetch(struct ipr_handoff *d, struct ipr_assignment *a);
/** Returns the game taken, in its new state. */
void ipr_handoff_return(struct ipr_handoff *d, struct ipr_assignment *a);
#endif
