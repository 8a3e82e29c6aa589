#ifndef IPR_ENGINE_WORKER_H
#define IPR_ENGINE_WORKER_H

#include "core/config.h"
#include "engine/handoff.h"

/**
 * A worker: a thread that owns one engine and judges the games that lie on the desk. It knows
 * nothing of the database, so nothing but the engine keeps it waiting while there are games. An
 * engine is kept while games ask for the same search; a failing one is replaced.
 */
struct ipr_worker {
    const struct ipr_config *config; /* borrowed */
    struct ipr_handoff *desk;        /* borrowed */
    const char *process;             /* its name in the register of workers, and */
    unsigned number;                 /* which of its workers, from 1: for the log; borrowed */
    struct ipr_engine *engine;       /* NULL: none is running */
    struct ipr_judge definition;     /* what it was started for */
};

/** Starts the engine of `path` for a definition, in place of the one at hand unless that will do.
 * Errors as of ipr_engine_start. */
IPR_CHECK enum ipr_code ipr_worker_engine(struct ipr_worker *w, const char *path,
                                          const struct ipr_judge *definition, struct ipr_err *err);

/** The thread (arg: struct ipr_worker): works until the desk is closed, ends the engine, leaves. */
void *ipr_worker_run(void *arg);

#endif
