#ifndef IPR_ENGINE_HANDOFF_H
#define IPR_ENGINE_HANDOFF_H

#include "engine/assignment.h"

/**
 * The desk across which one clerk and some workers hand games to each other. All functions may be
 * called by any thread; none waits but `take` and `wait`.
 */
struct ipr_handoff;

struct ipr_handoff *ipr_handoff_new(void);
/** When no thread uses it any more, and nothing lies on it. */
void ipr_handoff_free(struct ipr_handoff **d);

/** From now on workers take nothing more, and what they do is to be abandoned. */
void ipr_handoff_close(struct ipr_handoff *d);
bool ipr_handoff_closed(const struct ipr_handoff *d);

/** Milliseconds of the clock that `wait` goes by: monotonic. */
int64_t ipr_handoff_clock(void);

/* ---- the clerk ---- */

/** Lays down a game that is READY. */
void ipr_handoff_offer(struct ipr_handoff *d, struct ipr_assignment *a);
/** Takes one that a worker has handed in, the oldest first; NULL when there is none. */
struct ipr_assignment *ipr_handoff_collect(struct ipr_handoff *d);
/** Takes back one that no worker has taken; NULL when there is none. */
struct ipr_assignment *ipr_handoff_withdraw(struct ipr_handoff *d);
/** How many more games are wanted: by workers without one, and by those that are near the end of
 * theirs. Fetched no earlier, so that the last games of a queue go to whoever is free first. */
unsigned ipr_handoff_wanted(struct ipr_handoff *d);
/** Waits until something was handed in, more is wanted, a worker has left or the desk was closed
 * since the last return; at most until `until`. */
void ipr_handoff_wait(struct ipr_handoff *d, int64_t until);
/** Workers that have entered and not left. */
unsigned ipr_handoff_present(struct ipr_handoff *d);

/* ---- a worker ---- */

/** The worker's first and last word. Entering may be done by whoever starts it. */
void ipr_handoff_enter(struct ipr_handoff *d);
void ipr_handoff_leave(struct ipr_handoff *d);

/** Waits for a game and takes it, RUNNING: the first that the engine at hand (its definition; NULL:
 * none) is set up for, else the first. NULL when the desk is closed. */
struct ipr_assignment *ipr_handoff_take(struct ipr_handoff *d, const struct ipr_judge *at_hand);
/** Says that the game taken is near its end. */
void ipr_handoff_near_end(struct ipr_handoff *d, struct ipr_assignment *a);
/** Gives back the game taken, in another state. */
void ipr_handoff_hand_in(struct ipr_handoff *d, struct ipr_assignment *a);
#endif
