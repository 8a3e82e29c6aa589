#include "engine/fleet.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/log.h"
#include "engine/process.h"
#include "engine/store_thread.h"
#include "engine/tablebase.h"
#include "engine/worker.h"

struct ipr_fleet {
    struct ipr_job_store ledger;
    struct ipr_programs programs;
    struct ipr_arena mem; /* holds their paths */
    struct ipr_handoff *desk;
    struct ipr_store_thread *clerk;
    struct ipr_worker *workers;
    pthread_t *threads;
    unsigned size, n; /* workers, and those whose threads were started */
    pthread_t clerk_thread;
    bool clerk_started;
};

/* The default judge's engine is the first worker's, so that one that does not work stops the start,
 * and one that does is not started for nothing. */
static enum ipr_code first_engine(struct ipr_fleet *f, struct ipr_err *err)
{
    const char *name = f->ledger.config->judge;
    struct ipr_worker *w = &f->workers[0];
    struct ipr_judge definition;
    enum ipr_code rc = ipr_job_store_definition(&f->ledger, name, &definition, err);

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
    if (rc == IPR_OK)
        ipr_log(IPR_LOG_INFO, "engine_found", "path=%s name=\"%s\" network=%s", path,
                ipr_log_text(ipr_engine_name(w->engine)), ipr_engine_network(w->engine));
    return rc;
}

static enum ipr_code fleet_find_engines(struct ipr_fleet *f, struct ipr_err *err)
{
    const struct ipr_config *c = f->ledger.config;
    enum ipr_code rc = ipr_programs_read(c->stockfish_path, c->engines, &f->mem, &f->programs, err);

    if (rc == IPR_OK)
        rc = ipr_tablebase_open(c->syzygy_path, err);
    return rc == IPR_OK ? first_engine(f, err) : rc;
}

static enum ipr_code start_clerk(struct ipr_fleet *f, unsigned workers, struct ipr_err *err)
{
    f->clerk = ipr_store_thread_new(&f->ledger, f->desk, &f->programs, workers);
    f->clerk_started = pthread_create(&f->clerk_thread, NULL, ipr_store_thread_run, f->clerk) == 0;
    return f->clerk_started ? IPR_OK : ipr_err_set(err, IPR_EIO, "cannot start the clerk's thread");
}

static enum ipr_code start_worker(struct ipr_fleet *f, struct ipr_err *err)
{
    ipr_handoff_enter(f->desk);
    if (pthread_create(&f->threads[f->n], NULL, ipr_worker_run, &f->workers[f->n]) != 0) {
        ipr_handoff_leave(f->desk);
        return ipr_err_set(err, IPR_EIO, "cannot start worker thread %u", f->n + 1);
    }
    f->n++;
    return IPR_OK;
}

enum ipr_code ipr_fleet_start(const struct ipr_config *config, unsigned workers,
                              struct ipr_fleet **out, struct ipr_err *err)
{
    struct ipr_fleet *f = ipr_xcalloc(1, sizeof *f);

    f->desk = ipr_handoff_new();
    f->size = workers;
    f->workers = ipr_xcalloc(workers, sizeof *f->workers);
    f->threads = ipr_xcalloc(workers, sizeof *f->threads);
    for (unsigned i = 0; i < workers; i++)
        f->workers[i] = (struct ipr_worker){
            .config = config, .desk = f->desk, .process = f->ledger.name, .number = i + 1
        };
    enum ipr_code rc = ipr_job_store_open(&f->ledger, config, err);
    if (rc == IPR_OK && workers > 0)
        rc = fleet_find_engines(f, err);
    if (rc == IPR_OK)
        rc = start_clerk(f, workers, err);
    while (rc == IPR_OK && f->n < workers)
        rc = start_worker(f, err);
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
    ipr_handoff_close(f->desk);
    for (unsigned i = 0; i < f->n; i++)
        pthread_join(f->threads[i], NULL);
    if (f->clerk_started)
        pthread_join(f->clerk_thread, NULL);
    if (f->n == 0 && f->size > 0)
        ipr_engine_stop(&f->workers[0].engine); /* no thread has had it */
    ipr_store_thread_free(&f->clerk);
    ipr_handoff_free(&f->desk);
    ipr_job_store_close(&f->ledger);
    ipr_tablebase_close();
    ipr_arena_release(&f->mem);
    free(f->workers);
    free(f->threads);
    free(f);
    *fleet = NULL;
}
