#ifndef IPR_ENGINE_WORKER_H
#define IPR_ENGINE_WORKER_H

#include "core/config.h"
#include "engine/handoff.h"

/**
 * A worker: a thread that owns one engine and judges games from the hand-off queue. It does not use
 * the database, so it waits only for its engine while there are games. The engine is reused while
 * games need the same search; a failing one is replaced.
 */
struct ipr_worker {
    const struct ipr_config *config; /* borrowed */
    struct ipr_handoff *handoff;     /* borrowed */
    const char *process;             /* its name in the register of workers; borrowed */
    unsigned number;                 /* of this worker in the process, from 1; for the log */
    struct ipr_engine *engine;       /* NULL: none is running */
    struct ipr_judge definition;     /* that the engine was started for */
};

/** Starts the engine `path` for a definition, unless the one at hand already fits. Errors as in
 * ipr_engine_start. */
IPR_CHECK enum ipr_code ipr_worker_engine(struct ipr_worker *w, const char *path,
                                          const struct ipr_judge *definition, struct ipr_err *err);

/** The thread (arg: struct ipr_worker): runs until the queue is closed, then stops the engine. */
void *ipr_worker_run(void *arg);

#endif
