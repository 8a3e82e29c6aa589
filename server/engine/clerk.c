#include "engine/clerk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/log.h"
#include "core/version.h"
#include "engine/breaker.h"
#include "engine/tablebase.h"

enum {
    POLL_MS = 1000,     /* an empty queue, or a database that is away, is asked again */
    SWEEP_MS = 5000,    /* and of this process; and games of silent workers are looked for */
    MISSED_MAX = 3,     /* heartbeats in a round, then the database is taken for away */
    STORE_TRIES = 3,    /* of a game that the database refuses for a reason of its own */
    IDENTITIES_MAX = 64 /* judges whose engines this machine remembers */
};

struct program {
    const struct ipr_program *is;
    struct ipr_db_queue_cursor cursor;
    struct ipr_breaker breaker;
};

struct ipr_clerk {
    const struct ipr_ledger *ledger;
    struct ipr_desk *desk;
    struct program program[IPR_PROGRAMS_MAX + 1];
    size_t n_programs, turn;          /* whose turn it is to be asked first */
    struct ipr_assignment **held;     /* all that were claimed and not ended */
    struct ipr_assignment **finished; /* those of them that workers have handed in */
    size_t n_held, n_finished, room;
    size_t beat_from;             /* where the last round of heartbeats ended */
    struct ipr_judge *identities; /* as engines have answered, one for each definition */
    size_t n_identities;
    struct ipr_db_worker me;
    char *engines; /* of me */
    int64_t poll_at, beat_at, sweep_at, settle_at;
};

/* ---- the games held ---- */

static void hold(struct ipr_clerk *c, struct ipr_assignment *a)
{
    if (c->n_held == c->room) {
        c->room = c->room == 0 ? 16 : 2 * c->room;
        c->held = ipr_xrealloc(c->held, c->room, sizeof *c->held);
        c->finished = ipr_xrealloc(c->finished, c->room, sizeof *c->finished);
    }
    c->held[c->n_held++] = a;
}

static void drop(struct ipr_assignment **list, size_t *n, const struct ipr_assignment *a)
{
    size_t i = 0;

    while (i < *n && list[i] != a)
        i++;
    if (i == *n)
        return;
    (*n)--;
    memmove(list + i, list + i + 1, (*n - i) * sizeof *list);
}

static void end(struct ipr_clerk *c, struct ipr_assignment *a)
{
    drop(c->held, &c->n_held, a);
    drop(c->finished, &c->n_finished, a);
    ipr_assignment_free(&a);
}

/* To be settled at once. */
static void finish(struct ipr_clerk *c, struct ipr_assignment *a)
{
    c->finished[c->n_finished++] = a;
    c->settle_at = 0;
}

/* ---- who the engines are ---- */

static void learn(struct ipr_clerk *c, const struct ipr_judge *judge)
{
    size_t i = 0;

    while (i < c->n_identities && strcmp(c->identities[i].name, judge->name) != 0)
        i++;
    if (i == c->n_identities && c->n_identities < IDENTITIES_MAX)
        c->n_identities++;
    if (i < c->n_identities)
        c->identities[i] = *judge;
}

static void recall(const struct ipr_clerk *c, struct ipr_assignment *a)
{
    const size_t n = a->job.kind == IPR_JOB_JUDGE ? c->n_identities : 0;

    for (size_t i = 0; i < n && !a->identified; i++) {
        if (strcmp(c->identities[i].name, a->definition.name) == 0) {
            a->judge = c->identities[i];
            a->identified = true;
        }
    }
}

/* ---- failing programs ---- */

static struct program *program_of(struct ipr_clerk *c, const struct ipr_assignment *a)
{
    for (size_t i = 0; i < c->n_programs; i++)
        if (strcmp(c->program[i].is->path, a->path) == 0)
            return &c->program[i];
    return NULL;
}

static void engine_failed(struct ipr_clerk *c, const struct ipr_assignment *a)
{
    struct program *p = program_of(c, a);
    const int64_t rest = ipr_breaker_failed(&p->breaker, !a->no_engine, ipr_desk_clock());

    c->me.failures++;
    if (rest > 0)
        ipr_log(IPR_LOG_ERROR, "engine_rests", "program=%s failures=%u seconds=%" PRId64,
                p->is->name, p->breaker.failures, rest / 1000);
}

/* ---- what workers hand in ---- */

/* Once for each, before the database is told. */
static void take_note(struct ipr_clerk *c, struct ipr_assignment *a)
{
    char reason[IPR_REASON_MAX];

    if (a->no_engine)
        ipr_log(IPR_LOG_ERROR, "no_engine", "path=\"%s\" msg=\"%s\"", ipr_log_text(a->path),
                ipr_log_text(a->why.msg));
    if (a->no_engine || a->engine_failed)
        engine_failed(c, a);
    if (a->state == IPR_ASSIGNMENT_FAILED) {
        ipr_assignment_reason(a, reason);
        ipr_log(IPR_LOG_WARN, "game_not_judged", "game=%" PRId64 " attempt=%d msg=\"%s\"",
                a->job.game_id, a->job.attempts, ipr_log_text(reason));
    }
    if (a->state == IPR_ASSIGNMENT_JUDGED)
        ipr_breaker_worked(&program_of(c, a)->breaker);
    if (a->job.kind == IPR_JOB_JUDGE &&
        (a->state == IPR_ASSIGNMENT_JUDGED || a->state == IPR_ASSIGNMENT_IDENTIFIED))
        learn(c, &a->judge);
}

static void count_judged(struct ipr_clerk *c, const struct ipr_assignment *a)
{
    int cached[2];

    ipr_assignment_cached(a, cached);
    if (a->job.kind == IPR_JOB_CHECK) {
        ipr_log(IPR_LOG_INFO, "game_checked", "game=%" PRId64, a->job.game_id);
        return;
    }
    c->me.games++;
    c->me.turns += (int64_t)a->judged.n;
    c->me.cached += cached[0] + cached[1];
    ipr_log(IPR_LOG_INFO, "game_judged", "game=%" PRId64 " judge=%s turns=%zu known=%d",
            a->job.game_id, a->job.judge, a->judged.n, cached[0] + cached[1]);
}

static void lease_lost(struct ipr_clerk *c, const struct ipr_assignment *a)
{
    c->me.leases_lost++;
    ipr_log(IPR_LOG_WARN, a->state == IPR_ASSIGNMENT_JUDGED ? "late_result_refused" : "lease_lost",
            "game=%" PRId64, a->job.game_id);
}

/* False when it is to be tried again. */
static bool stored(struct ipr_clerk *c, struct ipr_assignment *a)
{
    struct ipr_err err = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_ledger_store(c->ledger, a, &err);

    if (rc == IPR_OK) {
        count_judged(c, a);
        return true;
    }
    if (rc == IPR_ECONFLICT) {
        lease_lost(c, a);
        return true;
    }
    if (rc == IPR_ENOTFOUND) { /* and its job with it */
        ipr_log(IPR_LOG_WARN, "game_gone", "game=%" PRId64, a->job.game_id);
        return true;
    }
    ipr_log(IPR_LOG_WARN, "store_retried", "game=%" PRId64 " msg=\"%s\"", a->job.game_id,
            ipr_log_text(err.msg));
    if (rc != IPR_ERETRY && ++a->tries >= STORE_TRIES) {
        a->state = IPR_ASSIGNMENT_FAILED;
        a->why = err;
    }
    return false;
}

/* The same for one that was not judged. A lease that is lost needs no giving back. */
static bool returned(struct ipr_clerk *c, struct ipr_assignment *a)
{
    struct ipr_err err = IPR_ERR_INIT;
    const enum ipr_code rc = a->state == IPR_ASSIGNMENT_FAILED
                                 ? ipr_ledger_fail(c->ledger, a, &err)
                                 : ipr_ledger_release(c->ledger, a, &err);

    if (rc == IPR_ECONFLICT)
        lease_lost(c, a);
    else if (rc != IPR_OK)
        ipr_log(IPR_LOG_WARN, "job_not_returned", "game=%" PRId64 " msg=\"%s\"", a->job.game_id,
                ipr_log_text(err.msg));
    return rc != IPR_ERETRY;
}

static void look_up(struct ipr_clerk *c, struct ipr_assignment *a)
{
    struct ipr_err err = IPR_ERR_INIT;

    if (ipr_ledger_known(c->ledger, a, &err) != IPR_OK) {
        a->known.n = 0; /* then everything is searched */
        ipr_log(IPR_LOG_WARN, "nothing_looked_up", "game=%" PRId64 " msg=\"%s\"", a->job.game_id,
                ipr_log_text(err.msg));
    }
}

/* True when nothing more is to be done about it. */
static bool settled(struct ipr_clerk *c, struct ipr_assignment *a)
{
    if (atomic_load(&a->lost) && a->state != IPR_ASSIGNMENT_JUDGED) {
        lease_lost(c, a);
        return true;
    }
    return a->state == IPR_ASSIGNMENT_JUDGED ? stored(c, a) : returned(c, a);
}

static void collect(struct ipr_clerk *c)
{
    struct ipr_assignment *a;

    while ((a = ipr_desk_collect(c->desk)) != NULL) {
        take_note(c, a);
        if (a->state == IPR_ASSIGNMENT_IDENTIFIED) {
            look_up(c, a);
            ipr_desk_offer(c->desk, a);
            continue;
        }
        finish(c, a);
    }
    while (ipr_desk_closed(c->desk) && (a = ipr_desk_withdraw(c->desk)) != NULL) {
        a->state = IPR_ASSIGNMENT_RETURNED;
        finish(c, a);
    }
}

/* ---- leases ---- */

/* False when the database did not answer, or somebody holds the job. */
static bool prolonged(struct ipr_clerk *c, struct ipr_assignment *a)
{
    struct ipr_err err = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_ledger_beat(c->ledger, a, &err);

    if (rc == IPR_ECONFLICT)
        atomic_store(&a->lost, true);
    else if (rc != IPR_OK) /* the search goes on: the lease may hold until it is back */
        ipr_log(IPR_LOG_WARN, "heartbeat_missed", "game=%" PRId64 " msg=\"%s\"", a->job.game_id,
                ipr_log_text(err.msg));
    return rc != IPR_ERETRY;
}

/* Goes round, and where it gave up before it goes on: jobs that an import holds must not keep the
 * others waiting. */
static void beat(struct ipr_clerk *c, int64_t now)
{
    unsigned missed = 0;

    if (now < c->beat_at)
        return;
    c->beat_at = now + ipr_ledger_beat_ms(c->ledger);
    for (size_t n = c->n_held; n > 0 && missed < MISSED_MAX; n--) {
        struct ipr_assignment *a = c->held[++c->beat_from % c->n_held];

        if (!atomic_load(&a->lost) && !prolonged(c, a))
            missed++;
    }
}

static void settle(struct ipr_clerk *c, int64_t now)
{
    if (c->n_finished == 0 || now < c->settle_at)
        return;
    for (size_t i = 0; i < c->n_finished;) {
        if (settled(c, c->finished[i]))
            end(c, c->finished[i]);
        else
            i++;
        beat(c, ipr_desk_clock()); /* the database may have taken its time */
    }
    c->settle_at = now + POLL_MS;
}

/* ---- claiming ---- */

static struct ipr_assignment *claim_from(struct ipr_clerk *c, struct program *p, enum ipr_code *rc,
                                         struct ipr_err *err)
{
    struct ipr_db_job job;

    *rc = ipr_ledger_claim(c->ledger, p->is->name, &p->cursor, &job, err);
    if (*rc != IPR_OK)
        return NULL;
    struct ipr_assignment *a = ipr_assignment_new(&job);
    a->path = p->is->path;
    return a;
}

/* From the programs in turn; NULL with IPR_ENOTFOUND when no job is there for any of them. */
static struct ipr_assignment *claim(struct ipr_clerk *c, enum ipr_code *rc, struct ipr_err *err)
{
    const int64_t now = ipr_desk_clock();

    *rc = IPR_ENOTFOUND;
    for (size_t i = 0; i < c->n_programs && *rc == IPR_ENOTFOUND; i++) {
        const size_t at = (c->turn + i) % c->n_programs;
        struct ipr_assignment *a;

        if (ipr_breaker_open(&c->program[at].breaker, now))
            continue;
        ipr_err_clear(err);
        a = claim_from(c, &c->program[at], rc, err);
        if (a != NULL) {
            c->turn = (at + 1) % c->n_programs;
            return a;
        }
    }
    return NULL;
}

/* A game claimed: loaded and laid down, or back at once. */
static void prepare(struct ipr_clerk *c, struct ipr_assignment *a)
{
    const enum ipr_code rc = ipr_ledger_load(c->ledger, a, &a->why);

    hold(c, a);
    if (rc == IPR_OK) {
        recall(c, a);
        if (a->identified)
            look_up(c, a);
        ipr_desk_offer(c->desk, a);
        return;
    }
    if (rc == IPR_ENOTFOUND && a->job.kind == IPR_JOB_CHECK)
        a->state = IPR_ASSIGNMENT_JUDGED; /* there is nothing to check any more */
    else                                  /* what is not there will not be there the next time */
        a->state = rc == IPR_ERETRY ? IPR_ASSIGNMENT_RETURNED : IPR_ASSIGNMENT_FAILED;
    take_note(c, a);
    finish(c, a);
}

static void claim_wanted(struct ipr_clerk *c, int64_t now)
{
    unsigned wanted = ipr_desk_wanted(c->desk);

    if (ipr_desk_closed(c->desk) || now < c->poll_at)
        return;
    while (wanted > 0 && c->n_finished <= (size_t)c->me.threads) {
        struct ipr_err err = IPR_ERR_INIT;
        enum ipr_code rc;
        struct ipr_assignment *a = claim(c, &rc, &err);

        if (a == NULL) {
            if (rc != IPR_ENOTFOUND)
                ipr_log(IPR_LOG_WARN, "claim_failed", "msg=\"%s\"", ipr_log_text(err.msg));
            c->poll_at = now + POLL_MS;
            return;
        }
        prepare(c, a);
        wanted--;
    }
}

/* ---- the process among others ---- */

static void sweep(struct ipr_clerk *c, int64_t now)
{
    struct ipr_err err = IPR_ERR_INIT;
    int32_t expired = 0;

    if (now < c->sweep_at)
        return;
    c->sweep_at = now + SWEEP_MS;
    enum ipr_code rc = ipr_ledger_sweep(c->ledger, &expired, &err);
    if (rc == IPR_OK && expired > 0)
        ipr_log(IPR_LOG_WARN, "leases_expired", "jobs=%" PRId32, expired);
    if (rc == IPR_OK && c->me.threads > 0)
        rc = ipr_ledger_register(c->ledger, &c->me, &err);
    if (rc != IPR_OK)
        ipr_log(IPR_LOG_WARN, "sweep_failed", "msg=\"%s\"", ipr_log_text(err.msg));
}

/* When the clerk has something to do even if nobody tells it so. */
static int64_t next_due(const struct ipr_clerk *c, int64_t now)
{
    int64_t next = c->sweep_at;

    if (c->poll_at > now && c->poll_at < next && ipr_desk_wanted(c->desk) > 0)
        next = c->poll_at;
    if (c->n_held > 0 && c->beat_at < next)
        next = c->beat_at;
    if (c->n_finished > 0 && c->settle_at < next)
        next = c->settle_at;
    return next;
}

/* ---- from start to end ---- */

static void introduce(struct ipr_clerk *c, const struct ipr_ledger *ledger, unsigned threads)
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

struct ipr_clerk *ipr_clerk_new(const struct ipr_ledger *ledger, struct ipr_desk *desk,
                                const struct ipr_programs *programs, unsigned threads)
{
    struct ipr_clerk *c = ipr_xcalloc(1, sizeof *c);

    c->ledger = ledger;
    c->desk = desk;
    c->n_programs = programs->n;
    for (size_t i = 0; i < programs->n; i++)
        c->program[i].is = &programs->program[i];
    c->identities = ipr_xcalloc(IDENTITIES_MAX, sizeof *c->identities);
    introduce(c, ledger, threads);
    return c;
}

void ipr_clerk_free(struct ipr_clerk **c)
{
    if (*c == NULL)
        return;
    while ((*c)->n_held > 0)
        end(*c, (*c)->held[0]);
    free((*c)->held);
    free((*c)->finished);
    free((*c)->identities);
    free((*c)->engines);
    free(*c);
    *c = NULL;
}

static void leave(struct ipr_clerk *c)
{
    struct ipr_err err = IPR_ERR_INIT;

    if (c->me.threads > 0 && ipr_ledger_leave(c->ledger, &err) != IPR_OK)
        ipr_log(IPR_LOG_WARN, "not_signed_off", "msg=\"%s\"", ipr_log_text(err.msg));
}

void *ipr_clerk_run(void *arg)
{
    struct ipr_clerk *c = arg;
    bool last;

    ipr_log_context("clerk");
    do {
        /* Before the rest, so that what workers hand in on leaving is seen to. */
        last = ipr_desk_closed(c->desk) && ipr_desk_present(c->desk) == 0;
        collect(c);
        settle(c, ipr_desk_clock());
        beat(c, ipr_desk_clock());
        /* Own games first: after an outage their leases may be as old as those of the silent. */
        sweep(c, ipr_desk_clock());
        claim_wanted(c, ipr_desk_clock());
        if (!last)
            ipr_desk_wait(c->desk, next_due(c, ipr_desk_clock()));
    } while (!last);
    leave(c);
    return NULL;
}
