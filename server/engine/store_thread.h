#ifndef IPR_ENGINE_STORE_THREAD_H
#define IPR_ENGINE_STORE_THREAD_H

#include "engine/handoff.h"
#include "engine/job_store.h"
#include "engine/programs.h"

/**
 * The store thread of a fleet: the only thread that uses the database, so that workers never wait
 * for it. It claims games (for the programs of this machine, in the order of the queue) when
 * workers need them, loads them, looks up known turns, renews the leases, stores judged games, each
 * in one transaction, and releases the others. It also requeues jobs of processes whose leases
 * expired, and updates this process's row in the register of workers.
 *
 * While the database is unavailable, running games continue and finished ones wait, at most as many
 * as there are workers; the database rejects a result whose lease was lost meanwhile. A program
 * whose engine fails to start, or crashes repeatedly, is not used for a while, longer each time; so
 * is a judge that its program cannot be configured for.
 */
struct ipr_store_thread;

/** All arguments are borrowed until ipr_store_thread_free. `threads`: number of workers; with 0 it
 * only requeues expired jobs. */
struct ipr_store_thread *ipr_store_thread_new(const struct ipr_job_store *job_store,
                                              struct ipr_handoff *handoff,
                                              const struct ipr_programs *programs,
                                              unsigned threads);
void ipr_store_thread_free(struct ipr_store_thread **c);

/** The thread (arg: struct ipr_store_thread): runs until the queue is closed and all workers have
 * left, then releases the remaining jobs. */
void *ipr_store_thread_run(void *arg);

#endif
