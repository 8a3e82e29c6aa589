#include "engine/store_thread.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/log.h"
#include "core/version.h"
#include "engine/breaker.h"
#include "engine/leases.h"
#include "engine/tablebase.h"

enum {
    POLL_MS = 1000,  /* how often an empty queue or an unavailable database is polled */
    SWEEP_MS = 5000, /* how often this process registers and requeues expired jobs */
    SECOND_US = 1000000
};

struct program {
    const struct ipr_program *is;
    struct ipr_db_queue_cursor cursor;
    struct ipr_breaker breaker;
    struct ipr_backoff backoff;
};

struct ipr_store_thread {
    const struct ipr_job_store *job_store;
    struct ipr_handoff *handoff;
    struct program program[IPR_PROGRAMS_MAX + 1];
    size_t n_programs;
    struct ipr_leases leases;
    struct ipr_db_worker me;
    char *engines; /* of me */
    int64_t poll_at, sweep_at;
    struct ipr_db_clock clock;
};

/* ---- claiming ---- */

/* The queues of the programs that are not in back-off. */
static size_t open_lines(struct ipr_store_thread *c, int upto, struct ipr_db_queue_line *lines)
{
    const int64_t now = ipr_now_ms();
    size_t n = 0;

    for (size_t i = 0; i < c->n_programs; i++) {
        struct program *p = &c->program[i];

        if (ipr_breaker_open(&p->breaker, now))
            continue;
        p->cursor.without = ipr_backoff_names(&p->backoff, now, &p->cursor.n_without);
        p->cursor.upto = upto;
        lines[n++] = (struct ipr_db_queue_line){ p->is->name, &p->cursor };
    }
    return n;
}

static struct program *find_program(struct ipr_store_thread *c, const char *name)
{
    size_t i = 0;

    while (i < c->n_programs && strcmp(c->program[i].is->name, name) != 0)
        i++;
    assert(i < c->n_programs);
    return &c->program[i];
}

/* NULL with IPR_ENOTFOUND when there is no job for any of the programs, of a priority up to `upto`
 * (0: of any). */
static struct ipr_assignment *thread_claim(struct ipr_store_thread *c, int upto, enum ipr_code *rc,
                                           struct ipr_err *err)
{
    struct ipr_db_queue_line lines[IPR_PROGRAMS_MAX + 1];
    const size_t n = open_lines(c, upto, lines);
    struct ipr_db_job job;

    *rc = n > 0 ? ipr_job_store_claim(c->job_store, lines, n, &job, err) : IPR_ENOTFOUND;
    if (*rc != IPR_OK)
        return NULL;
    struct program *p = find_program(c, job.program);
    struct ipr_assignment *a = ipr_assignment_new(&job);
    a->program = p->is->name;
    a->path = p->is->path;
    a->breaker = &p->breaker;
    a->backoff = &p->backoff;
    return a;
}

/* Loads a claimed game and queues it, or finishes it at once. True if it is queued. */
static bool thread_prepare(struct ipr_store_thread *c, struct ipr_assignment *a)
{
    const enum ipr_code rc = ipr_job_store_load(c->job_store, a, &a->why);

    ipr_leases_add(&c->leases, a);
    const bool nothing = a->job.kind == IPR_JOB_CONFIRM && a->confirm == NULL;
    if (rc == IPR_OK && !nothing) {
        ipr_leases_queue(&c->leases, a);
        return true;
    }
    if (rc == IPR_OK || (rc == IPR_ENOTFOUND && a->job.kind == IPR_JOB_CHECK))
        a->state = IPR_ASSIGNMENT_JUDGED; /* nothing is left to do */
    else                                  /* a missing row stays missing */
        a->state = rc == IPR_ERETRY ? IPR_ASSIGNMENT_RETURNED : IPR_ASSIGNMENT_FAILED;
    ipr_leases_finish(&c->leases, a);
    return false;
}

/* Claims for workers that wait first, then for those at confirmations, which are interrupted only
 * once there is another game for them. */
static void claim_wanted(struct ipr_store_thread *c, int64_t now)
{
    const int others = c->job_store->config->confirm_nodes > 0 ? 0 : IPR_PRIORITY_LAST;
    unsigned wanted = ipr_handoff_wanted(c->handoff), idling = ipr_handoff_idling(c->handoff);

    if (ipr_handoff_closed(c->handoff) || now < c->poll_at)
        return;
    while (wanted + idling > 0 && c->leases.n_finished <= (size_t)c->me.threads) {
        struct ipr_err err = IPR_ERR_INIT;
        enum ipr_code rc;
        struct ipr_assignment *a =
            thread_claim(c, wanted > 0 ? others : IPR_PRIORITY_LAST, &rc, &err);

        if (a == NULL) {
            if (rc != IPR_ENOTFOUND)
                ipr_leases_log_error(&c->leases, rc, "claim_failed", 0, &err);
            c->poll_at = now + POLL_MS;
            return;
        }
        if (thread_prepare(c, a) && wanted == 0)
            ipr_handoff_interrupt(c->handoff);
        if (wanted > 0)
            wanted--;
        else
            idling--;
    }
}

/* ---- register of workers ---- */

static void thread_sweep(struct ipr_store_thread *c, int64_t now)
{
    struct ipr_err err = IPR_ERR_INIT, unheard = IPR_ERR_INIT;
    int32_t expired = 0;
    enum ipr_code here = IPR_OK;

    if (now < c->sweep_at)
        return;
    c->sweep_at = now + SWEEP_MS;
    /* The clock comes before the leases, which are compared with it. */
    enum ipr_code rc = ipr_job_store_clock(c->job_store, &c->clock, &err);
    if (rc == IPR_OK && c->clock.back_us > SECOND_US)
        ipr_log(IPR_LOG_WARN, "clock_went_back", "seconds=%" PRId64, c->clock.back_us / SECOND_US);
    if (rc == IPR_OK)
        rc = ipr_job_store_sweep(c->job_store, &expired, &err);
    if (rc == IPR_OK && expired > 0)
        ipr_log(IPR_LOG_WARN, "leases_expired", "jobs=%" PRId32, expired);
    if (rc != IPR_OK)
        ipr_leases_log_error(&c->leases, rc, "sweep_failed", 0, &err);
    /* Even if the sweep failed: a process that does not register counts as gone. */
    if (c->me.threads > 0)
        here = ipr_job_store_register(c->job_store, &c->me, &unheard);
    if (here != IPR_OK)
        ipr_leases_log_error(&c->leases, here, "not_registered", 0, &unheard);
    if (rc == IPR_OK && here == IPR_OK)
        ipr_outage_worked(&c->leases.database, ipr_now_ms());
}

/* The time of the next periodic task. */
static int64_t next_due(const struct ipr_store_thread *c, int64_t now)
{
    int64_t next = c->sweep_at;

    if (c->poll_at > now && c->poll_at < next &&
        ipr_handoff_wanted(c->handoff) + ipr_handoff_idling(c->handoff) > 0)
        next = c->poll_at;
    if (c->leases.n > 0 && c->leases.renew_at < next)
        next = c->leases.renew_at;
    if (c->leases.n_finished > 0 && c->leases.store_at < next)
        next = c->leases.store_at;
    return next;
}

/* ---- life cycle ---- */

struct ipr_store_thread *ipr_store_thread_new(const struct ipr_job_store *job_store,
                                              struct ipr_handoff *handoff,
                                              const struct ipr_programs *programs, unsigned threads)
{
    struct ipr_store_thread *c = ipr_xcalloc(1, sizeof *c);

    c->job_store = job_store;
    c->handoff = handoff;
    c->n_programs = programs->n;
    for (size_t i = 0; i < programs->n; i++)
        c->program[i].is = &programs->program[i];
    ipr_leases_init(&c->leases, job_store, handoff, &c->me);
    struct ipr_buf engines = IPR_BUF_INIT;
    for (size_t i = 0; i < c->n_programs; i++)
        ipr_buf_printf(&engines, "%s%s", i > 0 ? " " : "", c->program[i].is->name);
    c->engines = ipr_buf_steal(&engines);
    c->me = (struct ipr_db_worker){ .name = job_store->name,
                                    .version = IPR_VERSION,
                                    .engines = c->engines,
                                    .tablebases = (int)ipr_tablebase_men(),
                                    .threads = (int)threads };
    return c;
}

void ipr_store_thread_free(struct ipr_store_thread **c)
{
    if (*c == NULL)
        return;
    ipr_leases_release(&(*c)->leases);
    for (size_t i = 0; i < (*c)->n_programs; i++)
        ipr_backoff_release(&(*c)->program[i].backoff);
    free((*c)->engines);
    free(*c);
    *c = NULL;
}

void *ipr_store_thread_run(void *arg)
{
    struct ipr_store_thread *c = arg;
    bool last;

    ipr_log_context(c->me.name);
    do {
        /* First, so that games returned by workers that leave are collected below. */
        last = ipr_handoff_closed(c->handoff) && ipr_handoff_present(c->handoff) == 0;
        ipr_leases_collect(&c->leases);
        ipr_leases_store(&c->leases, ipr_now_ms());
        ipr_leases_renew(&c->leases, ipr_now_ms());
        /* Own leases first: after an outage they may be as old as those of dead processes. */
        thread_sweep(c, ipr_now_ms());
        claim_wanted(c, ipr_now_ms());
        if (!last)
            ipr_handoff_wait(c->handoff, next_due(c, ipr_now_ms()));
    } while (!last);
    struct ipr_err err = IPR_ERR_INIT;
    if (c->me.threads > 0 && ipr_job_store_leave(c->job_store, &err) != IPR_OK)
        ipr_log(IPR_LOG_WARN, "not_signed_off", "msg=\"%s\"", ipr_log_text(err.msg));
    return NULL;
}
