#ifndef IPR_ENGINE_STORE_THREAD_H
#define IPR_ENGINE_STORE_THREAD_H

#include "engine/handoff.h"
#include "engine/job_store.h"
#include "engine/programs.h"

/**
 * The clerk of a fleet: one thread that does all talking to the database, so that workers never
 * wait for it. It claims games (of the programs this machine has, in the order of the queue) as
 * workers want them, loads them, looks up what is known of their turns, prolongs the leases, stores
 * what is judged, each game in one transaction, and returns what is not. It also sweeps up after
 * other processes that have fallen silent, and tells the register of workers what this one has
 * done.
 *
 * While the database is away, games under way go on and finished ones wait, no more than there are
 * workers; a result whose lease was lost meanwhile is refused by the database. A program whose
 * engine cannot be started, or dies again and again, is left alone for a while, longer each time;
 * so is a judge that its program cannot be set up for.
 */
struct ipr_store_thread;

/** Everything is borrowed until ipr_store_thread_free. `threads`: workers at the desk; with 0 it
 * only sweeps. */
struct ipr_store_thread *ipr_store_thread_new(const struct ipr_job_store *ledger,
                                              struct ipr_handoff *desk,
                                              const struct ipr_programs *programs,
                                              unsigned threads);
void ipr_store_thread_free(struct ipr_store_thread **c);

/** The thread (arg: struct ipr_store_thread): works until the desk is closed and all workers have
 * left, then gives back what is left. */
void *ipr_store_thread_run(void *arg);

#endif
