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
    POLL_MS = 1000, /* an empty queue, or a database that is away, is asked again */
    SWEEP_MS = 5000 /* how often this process is heard of, and silent ones are looked for */
};

struct program {
    const struct ipr_program *is;
    struct ipr_db_queue_cursor cursor;
    struct ipr_breaker breaker;
    struct ipr_backoff resting;
};

struct ipr_store_thread {
    const struct ipr_job_store *ledger;
    struct ipr_handoff *desk;
    struct program program[IPR_PROGRAMS_MAX + 1];
    size_t n_programs;
    struct ipr_leases held;
    struct ipr_db_worker me;
    char *engines; /* of me */
    int64_t poll_at, sweep_at;
};

/* ---- claiming ---- */

/* The queues of the programs that are not at rest. */
static size_t open_lines(struct ipr_store_thread *c, struct ipr_db_queue_line *lines)
{
    const int64_t now = ipr_handoff_clock();
    size_t n = 0;

    for (size_t i = 0; i < c->n_programs; i++) {
        struct program *p = &c->program[i];

        if (ipr_breaker_open(&p->breaker, now))
            continue;
        p->cursor.without = ipr_backoff_names(&p->resting, now, &p->cursor.n_without);
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

/* NULL with IPR_ENOTFOUND when no job is there for any of the programs. */
static struct ipr_assignment *thread_claim(struct ipr_store_thread *c, enum ipr_code *rc,
                                           struct ipr_err *err)
{
    struct ipr_db_queue_line lines[IPR_PROGRAMS_MAX + 1];
    const size_t n = open_lines(c, lines);
    struct ipr_db_job job;

    *rc = n > 0 ? ipr_job_store_claim(c->ledger, lines, n, &job, err) : IPR_ENOTFOUND;
    if (*rc != IPR_OK)
        return NULL;
    struct program *p = find_program(c, job.program);
    struct ipr_assignment *a = ipr_assignment_new(&job);
    a->program = p->is->name;
    a->path = p->is->path;
    a->breaker = &p->breaker;
    a->resting = &p->resting;
    return a;
}

/* A game claimed: loaded and laid down, or back at once. */
static void thread_prepare(struct ipr_store_thread *c, struct ipr_assignment *a)
{
    const enum ipr_code rc = ipr_job_store_load(c->ledger, a, &a->why);

    ipr_leases_add(&c->held, a);
    if (rc == IPR_OK) {
        ipr_leases_lay_down(&c->held, a);
        return;
    }
    if (rc == IPR_ENOTFOUND && a->job.kind == IPR_JOB_CHECK)
        a->state = IPR_ASSIGNMENT_JUDGED; /* there is nothing to check any more */
    else                                  /* what is not there will not be there the next time */
        a->state = rc == IPR_ERETRY ? IPR_ASSIGNMENT_RETURNED : IPR_ASSIGNMENT_FAILED;
    ipr_leases_finish(&c->held, a);
}

static void claim_wanted(struct ipr_store_thread *c, int64_t now)
{
    unsigned wanted = ipr_handoff_wanted(c->desk);

    if (ipr_handoff_closed(c->desk) || now < c->poll_at)
        return;
    while (wanted > 0 && c->held.n_finished <= (size_t)c->me.threads) {
        struct ipr_err err = IPR_ERR_INIT;
        enum ipr_code rc;
        struct ipr_assignment *a = thread_claim(c, &rc, &err);

        if (a == NULL) {
            if (rc != IPR_ENOTFOUND)
                ipr_leases_refused(&c->held, rc, "claim_failed", 0, &err);
            c->poll_at = now + POLL_MS;
            return;
        }
        thread_prepare(c, a);
        wanted--;
    }
}

/* ---- the process among others ---- */

static void thread_sweep(struct ipr_store_thread *c, int64_t now)
{
    struct ipr_err err = IPR_ERR_INIT, unheard = IPR_ERR_INIT;
    int32_t expired = 0;
    enum ipr_code here = IPR_OK;

    if (now < c->sweep_at)
        return;
    c->sweep_at = now + SWEEP_MS;
    enum ipr_code rc = ipr_job_store_sweep(c->ledger, &expired, &err);
    if (rc == IPR_OK && expired > 0)
        ipr_log(IPR_LOG_WARN, "leases_expired", "jobs=%" PRId32, expired);
    if (rc != IPR_OK)
        ipr_leases_refused(&c->held, rc, "sweep_failed", 0, &err);
    /* Whatever the sweep met: who is not heard of is passed over. */
    if (c->me.threads > 0)
        here = ipr_job_store_register(c->ledger, &c->me, &unheard);
    if (here != IPR_OK)
        ipr_leases_refused(&c->held, here, "not_registered", 0, &unheard);
    if (rc == IPR_OK && here == IPR_OK)
        ipr_outage_worked(&c->held.database, ipr_handoff_clock());
}

/* When the clerk has something to do even if nobody tells it so. */
static int64_t next_due(const struct ipr_store_thread *c, int64_t now)
{
    int64_t next = c->sweep_at;

    if (c->poll_at > now && c->poll_at < next && ipr_handoff_wanted(c->desk) > 0)
        next = c->poll_at;
    if (c->held.n > 0 && c->held.beat_at < next)
        next = c->held.beat_at;
    if (c->held.n_finished > 0 && c->held.settle_at < next)
        next = c->held.settle_at;
    return next;
}

/* ---- from start to end ---- */

static void thread_introduce(struct ipr_store_thread *c, const struct ipr_job_store *ledger,
                             unsigned threads)
{
    struct ipr_buf engines = IPR_BUF_INIT;

    for (size_t i = 0; i < c->n_programs; i++)
        ipr_buf_printf(&engines, "%s%s", i > 0 ? " " : "", c->program[i].is->name);
    c->engines = ipr_buf_steal(&engines);
    c->me = (struct ipr_db_worker){ .name = ledger->name,
                                    .version = IPR_VERSION,
                                    .engines = c->engines,
                                    .tablebases = (int)ipr_tablebase_men(),
                                    .threads = (int)threads };
}

struct ipr_store_thread *ipr_store_thread_new(const struct ipr_job_store *ledger,
                                              struct ipr_handoff *desk,
                                              const struct ipr_programs *programs, unsigned threads)
{
    struct ipr_store_thread *c = ipr_xcalloc(1, sizeof *c);

    c->ledger = ledger;
    c->desk = desk;
    c->n_programs = programs->n;
    for (size_t i = 0; i < programs->n; i++)
        c->program[i].is = &programs->program[i];
    ipr_leases_init(&c->held, ledger, desk, &c->me);
    thread_introduce(c, ledger, threads);
    return c;
}

void ipr_store_thread_free(struct ipr_store_thread **c)
{
    if (*c == NULL)
        return;
    ipr_leases_release(&(*c)->held);
    for (size_t i = 0; i < (*c)->n_programs; i++)
        ipr_backoff_release(&(*c)->program[i].resting);
    free((*c)->engines);
    free(*c);
    *c = NULL;
}

static void thread_leave(struct ipr_store_thread *c)
{
    struct ipr_err err = IPR_ERR_INIT;

    if (c->me.threads > 0 && ipr_job_store_leave(c->ledger, &err) != IPR_OK)
        ipr_log(IPR_LOG_WARN, "not_signed_off", "msg=\"%s\"", ipr_log_text(err.msg));
}

void *ipr_store_thread_run(void *arg)
{
    struct ipr_store_thread *c = arg;
    bool last;

    ipr_log_context(c->me.name);
    do {
        /* Before the rest, so that what workers hand in on leaving is seen to. */
        last = ipr_handoff_closed(c->desk) && ipr_handoff_present(c->desk) == 0;
        ipr_leases_collect(&c->held);
        ipr_leases_settle(&c->held, ipr_handoff_clock());
        ipr_leases_beat(&c->held, ipr_handoff_clock());
        /* Own games first: after an outage their leases may be as old as those of the silent. */
        thread_sweep(c, ipr_handoff_clock());
        claim_wanted(c, ipr_handoff_clock());
        if (!last)
            ipr_handoff_wait(c->desk, next_due(c, ipr_handoff_clock()));
    } while (!last);
    thread_leave(c);
    return NULL;
}
