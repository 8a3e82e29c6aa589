#include "engine/fleet.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/log.h"
#include "core/setting.h"
#include "engine/jail.h"
#include "engine/process.h"
#include "engine/store_thread.h"
#include "engine/tablebase.h"
#include "engine/worker.h"

struct ipr_fleet {
    struct ipr_job_store job_store;
    struct ipr_programs programs;
    struct ipr_arena mem; /* holds their paths */
    struct ipr_handoff *handoff;
    struct ipr_store_thread *store_thread;
    struct ipr_worker *workers;
    pthread_t *threads;
    unsigned size, n; /* workers; of these n threads are running */
    pthread_t store_pthread;
    bool storing;
};

/* The first worker starts the default judge's engine: if that cannot be set up for the judge the
 * start fails, and if it can it is already running for the first game. */
static enum ipr_code first_engine(struct ipr_fleet *f, struct ipr_err *err)
{
    const char *name = ipr_setting_queue(f->job_store.config, NULL);
    struct ipr_worker *w = &f->workers[0];
    struct ipr_judge definition;
    enum ipr_code rc = ipr_job_store_definition(&f->job_store, name, &definition, err);

    if (rc == IPR_ENOTFOUND) {
        ipr_err_clear(err);
        return ipr_err_set(err, IPR_EPARSE, "INTRINSIC_JUDGE: no judge is named '%s'", name);
    }
    if (rc != IPR_OK)
        return rc;
    const char *path = ipr_programs_path(&f->programs, definition.program);
    if (path == NULL) {
        ipr_log(IPR_LOG_INFO, "no_default_engine", "judge=%s program=%s", name, definition.program);
        return IPR_OK;
    }
    rc = ipr_worker_engine(w, path, &definition, err);
    /* It died or was killed, perhaps for a reason that passes. */
    if (rc == IPR_EIO || (rc == IPR_EDATA && strcmp(err->type, "engine_died") == 0)) {
        /* The next game starts it again, and rests longer each time that fails (engine/breaker.h).
         */
        ipr_log(IPR_LOG_WARN, "engine_not_started", "path=%s type=%s msg=\"%s\"", path, err->type,
                ipr_log_text(err->msg));
        ipr_err_clear(err);
        return IPR_OK;
    }
    if (rc == IPR_OK)
        ipr_log(IPR_LOG_INFO, "engine_found", "path=%s name=\"%s\" network=%s", path,
                ipr_log_text(ipr_engine_judge_of(w->engine)->engine),
                ipr_engine_judge_of(w->engine)->network);
    return rc;
}

enum ipr_code ipr_fleet_start(const struct ipr_config *config, unsigned workers,
                              struct ipr_fleet **out, struct ipr_err *err)
{
    struct ipr_fleet *f = ipr_xcalloc(1, sizeof *f);

    f->handoff = ipr_handoff_new();
    f->size = workers;
    f->workers = ipr_xcalloc(workers, sizeof *f->workers);
    f->threads = ipr_xcalloc(workers, sizeof *f->threads);
    for (unsigned i = 0; i < workers; i++)
        f->workers[i] = (struct ipr_worker){
            .config = config, .handoff = f->handoff, .process = f->job_store.name, .number = i + 1
        };
    enum ipr_code rc = ipr_job_store_open(&f->job_store, config, err);
    if (rc == IPR_OK && workers > 0) {
        const struct ipr_config *c = f->job_store.config;

        rc = ipr_programs_read(c->stockfish_path, c->engines, &f->mem, &f->programs, err);
        if (rc == IPR_OK)
            rc = ipr_tablebase_open(c->syzygy_path, err);
        if (rc == IPR_OK)
            rc = ipr_jail_open(c->jail, c->engine_files, err);
        if (rc == IPR_OK)
            rc = first_engine(f, err);
    }
    if (rc == IPR_OK) {
        f->store_thread = ipr_store_thread_new(&f->job_store, f->handoff, &f->programs, workers);
        f->storing =
            pthread_create(&f->store_pthread, NULL, ipr_store_thread_run, f->store_thread) == 0;
        rc = f->storing ? IPR_OK : ipr_err_set(err, IPR_EIO, "cannot start the store thread");
    }
    while (rc == IPR_OK && f->n < workers) {
        ipr_handoff_enter(f->handoff);
        if (pthread_create(&f->threads[f->n], NULL, ipr_worker_run, &f->workers[f->n]) == 0) {
            f->n++;
        } else {
            ipr_handoff_leave(f->handoff);
            rc = ipr_err_set(err, IPR_EIO, "cannot start worker thread %u", f->n + 1);
        }
    }
    *out = f;
    if (rc != IPR_OK)
        ipr_fleet_stop(out);
    return rc;
}

void ipr_fleet_stop(struct ipr_fleet **fleet)
{
    struct ipr_fleet *f = *fleet;

    if (f == NULL)
        return;
    ipr_handoff_close(f->handoff);
    for (unsigned i = 0; i < f->n; i++)
        pthread_join(f->threads[i], NULL);
    if (f->storing)
        pthread_join(f->store_pthread, NULL);
    if (f->n == 0 && f->size > 0)
        ipr_engine_stop(&f->workers[0].engine); /* its thread was not started */
    ipr_store_thread_free(&f->store_thread);
    ipr_handoff_free(&f->handoff);
    ipr_job_store_close(&f->job_store);
    ipr_tablebase_close();
    ipr_jail_close();
    ipr_arena_release(&f->mem);
    free(f->workers);
    free(f->threads);
    free(f);
    *fleet = NULL;
}
