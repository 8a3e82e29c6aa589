#include "http/answer/report_runner.h"

#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/clock.h"
#include "core/log.h"
#include "db/deletion.h"
#include "db/judges.h"
#include "db/listed_years.h"
#include "db/results.h"
#include "db/uploads.h"
#include "http/base/request.h"
#include "view/report/report.h"

#define LOOK_MS    200 /* polling of a waiting request for reports of other processes */
#define ANALYSE_US ((int64_t)600000000)

struct ipr_report_runner {
    const struct ipr_config *config;
    struct ipr_db_pool *pool;
    struct ipr_db_replica *replica; /* NULL: none */
    struct ipr_import_queue *imports;
    int64_t analysed_us; /* when it last looked at the planner's statistics; 0: never */
    int64_t holder;      /* of the reports that it has claimed */
    pthread_t thread;
    bool running;
    atomic_bool stop;
    /* Protects all members below. */
    pthread_mutex_t lock;
    pthread_cond_t wanted, done;
    bool woken;
    unsigned waiters;
};

static bool runner_work(struct ipr_report_runner *r)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;
    bool worked = false;
    enum ipr_code rc = ipr_db_lease(r->pool, &db, &err);

    if (rc == IPR_OK)
        rc = ipr_report_work(r->config, db, r->replica, r->holder, &r->stop, &worked, &err);
    if (rc == IPR_OK && !worked)
        rc = ipr_db_enter(db, IPR_DB_ALL, &err);
    if (rc == IPR_OK && !worked)
        rc = ipr_import_queue_settle(r->imports, db, &err);
    if (rc == IPR_OK && !worked)
        rc = ipr_db_uploads_settle(db, &worked, &err);
    if (rc == IPR_OK && !worked)
        rc = ipr_db_uploads_count(db, &worked, &err);
    if (rc == IPR_OK)
        rc = ipr_db_enter(db, IPR_DB_LISTED, &err);
    if (rc == IPR_OK && !worked)
        rc = ipr_db_year_lists_work(db, &worked, &err);
    if (rc == IPR_OK && !worked)
        rc = ipr_db_results_fit(db, &worked, &err);
    if (rc == IPR_OK && !worked &&
        (r->analysed_us == 0 || ipr_now_us() - r->analysed_us >= ANALYSE_US)) {
        bool renewed = false;

        r->analysed_us = ipr_now_us();
        rc = ipr_db_turns_analyse(db, &renewed, &err);
    }
    ipr_db_return(&db);
    /* An unavailable database is logged elsewhere. */
    if (rc != IPR_OK)
        ipr_log(rc == IPR_ERETRY ? IPR_LOG_DEBUG : IPR_LOG_ERROR, "report_runner",
                "code=%s msg=\"%s\"", ipr_code_name(rc), ipr_log_text(err.msg));
    return rc == IPR_OK && worked;
}

static void *runner_thread(void *cls)
{
    struct ipr_report_runner *r = cls;

    while (!atomic_load(&r->stop)) {
        const bool worked = runner_work(r);
        const struct timespec until = ipr_clock_time(ipr_now_us() + IPR_REPORT_POLL_MS * 1000);
        int rc = 0;

        pthread_mutex_lock(&r->lock);
        if (worked)
            pthread_cond_broadcast(&r->done);
        /* Else waits for a request, or until the next poll for requests of other processes. */
        while (!worked && !r->woken && !atomic_load(&r->stop) && rc == 0)
            rc = pthread_cond_timedwait(&r->wanted, &r->lock, &until);
        r->woken = r->woken && worked;
        pthread_mutex_unlock(&r->lock);
    }
    return NULL;
}

void ipr_report_runner_wake(struct ipr_report_runner *r)
{
    pthread_mutex_lock(&r->lock);
    r->woken = true;
    pthread_cond_signal(&r->wanted);
    pthread_mutex_unlock(&r->lock);
}

bool ipr_report_runner_may_wait(struct ipr_report_runner *r)
{
    pthread_mutex_lock(&r->lock);
    const bool may = r->waiters < IPR_REPORT_WAITERS && !atomic_load(&r->stop);
    if (may)
        r->waiters++;
    pthread_mutex_unlock(&r->lock);
    return may;
}

void ipr_report_runner_waited(struct ipr_report_runner *r)
{
    pthread_mutex_lock(&r->lock);
    r->waiters--;
    pthread_mutex_unlock(&r->lock);
}

bool ipr_report_runner_wait(struct ipr_report_runner *r, int64_t until_us)
{
    const int64_t now = ipr_now_us(), look = now + LOOK_MS * 1000;
    const struct timespec until = ipr_clock_time(look < until_us ? look : until_us);

    if (now >= until_us || atomic_load(&r->stop))
        return false;
    pthread_mutex_lock(&r->lock);
    (void)pthread_cond_timedwait(&r->done, &r->lock, &until);
    pthread_mutex_unlock(&r->lock);
    return !atomic_load(&r->stop);
}

enum ipr_code ipr_report_runner_start(const struct ipr_config *config, struct ipr_db_pool *pool,
                                      struct ipr_db_replica *replica,
                                      struct ipr_import_queue *imports,
                                      struct ipr_report_runner **out, struct ipr_err *err)
{
    struct ipr_report_runner *r = ipr_xcalloc(1, sizeof *r);

    r->config = config;
    r->pool = pool;
    r->replica = replica;
    r->imports = imports;
    randombytes_buf(&r->holder, sizeof r->holder);
    pthread_mutex_init(&r->lock, NULL);
    ipr_clock_cond_init(&r->wanted);
    ipr_clock_cond_init(&r->done);
    r->running = pthread_create(&r->thread, NULL, runner_thread, r) == 0;
    if (!r->running) {
        ipr_report_runner_free(&r);
        return ipr_err_set(err, IPR_EIO, "cannot start a thread");
    }
    *out = r;
    return IPR_OK;
}

void ipr_report_runner_quiesce(struct ipr_report_runner *r)
{
    pthread_mutex_lock(&r->lock);
    atomic_store(&r->stop, true);
    pthread_cond_broadcast(&r->wanted);
    pthread_cond_broadcast(&r->done);
    pthread_mutex_unlock(&r->lock);
}

void ipr_report_runner_free(struct ipr_report_runner **runner)
{
    struct ipr_report_runner *r = *runner;

    if (r == NULL)
        return;
    ipr_report_runner_quiesce(r);
    if (r->running)
        pthread_join(r->thread, NULL);
    pthread_cond_destroy(&r->wanted);
    pthread_cond_destroy(&r->done);
    pthread_mutex_destroy(&r->lock);
    free(r);
    *runner = NULL;
}
