#ifndef IPR_ENGINE_DESK_H
#define IPR_ENGINE_DESK_H

#include "engine/assignment.h"

/**
 * The desk across which one clerk and some workers hand games to each other. All functions may be
 * called by any thread; none waits but `take` and `wait`.
 */
struct ipr_desk;

struct ipr_desk *ipr_desk_new(void);
/** When no thread uses it any more, and nothing lies on it. */
void ipr_desk_free(struct ipr_desk **d);

/** From now on workers take nothing more, and what they do is to be abandoned. */
void ipr_desk_close(struct ipr_desk *d);
bool ipr_desk_closed(const struct ipr_desk *d);

/** Milliseconds of the clock that `wait` goes by: monotonic. */
int64_t ipr_desk_clock(void);

/* ---- the clerk ---- */

/** Lays down a game that is READY. */
void ipr_desk_offer(struct ipr_desk *d, struct ipr_assignment *a);
/** Takes one that a worker has handed in, the oldest first; NULL when there is none. */
struct ipr_assignment *ipr_desk_collect(struct ipr_desk *d);
/** Takes back one that no worker has taken; NULL when there is none. */
struct ipr_assignment *ipr_desk_withdraw(struct ipr_desk *d);
/** How many more games are wanted: by workers without one, and by those that are near the end of
 * theirs. Fetched no earlier, so that the last games of a queue go to whoever is free first. */
unsigned ipr_desk_wanted(struct ipr_desk *d);
/** Waits until something was handed in, more is wanted, a worker has left or the desk was closed
 * since the last return; at most until `until`. */
void ipr_desk_wait(struct ipr_desk *d, int64_t until);
/** Workers that have entered and not left. */
unsigned ipr_desk_present(struct ipr_desk *d);

/* ---- a worker ---- */

/** The worker's first and last word. Entering may be done by whoever starts it. */
void ipr_desk_enter(struct ipr_desk *d);
void ipr_desk_leave(struct ipr_desk *d);

/** Waits for a game and takes it, RUNNING: the first that the engine at hand (its definition; NULL:
 * none) is set up for, else the first. NULL when the desk is closed. */
struct ipr_assignment *ipr_desk_take(struct ipr_desk *d, const struct ipr_judge *at_hand);
/** Says that the game taken is near its end. */
void ipr_desk_near_end(struct ipr_desk *d, struct ipr_assignment *a);
/** Gives back the game taken, in another state. */
void ipr_desk_hand_in(struct ipr_desk *d, struct ipr_assignment *a);
#endif
