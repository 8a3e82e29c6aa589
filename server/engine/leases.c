#include "engine/leases.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/log.h"

enum {
    RETRY_MS = 1000,    /* what the database did not take is offered again */
    MISSED_MAX = 3,     /* heartbeats in a round, then the database is taken for away */
    STORE_TRIES = 3,    /* of a game that the database refuses for a reason of its own */
    IDENTITIES_MAX = 64 /* judges whose engines this machine remembers */
};

/* ---- the games held ---- */

void ipr_leases_add(struct ipr_leases *h, struct ipr_assignment *a)
{
    if (h->n == h->room) {
        h->room = h->room == 0 ? 16 : 2 * h->room;
        h->all = ipr_xrealloc(h->all, h->room, sizeof *h->all);
        h->finished = ipr_xrealloc(h->finished, h->room, sizeof *h->finished);
    }
    h->all[h->n++] = a;
}

static void list_drop(struct ipr_assignment **list, size_t *n, const struct ipr_assignment *a)
{
    size_t i = 0;

    while (i < *n && list[i] != a)
        i++;
    if (i == *n)
        return;
    (*n)--;
    memmove(list + i, list + i + 1, (*n - i) * sizeof *list);
}

static void lease_end(struct ipr_leases *h, struct ipr_assignment *a)
{
    list_drop(h->all, &h->n, a);
    list_drop(h->finished, &h->n_finished, a);
    ipr_assignment_free(&a);
}

/* To be settled at once. */
static void lease_finish(struct ipr_leases *h, struct ipr_assignment *a)
{
    h->finished[h->n_finished++] = a;
    h->settle_at = 0;
}

/* ---- who the engines are ---- */

static void judge_learn(struct ipr_leases *h, const struct ipr_judge *judge)
{
    size_t i = 0;

    while (i < h->n_identities && strcmp(h->identities[i].name, judge->name) != 0)
        i++;
    if (i == h->n_identities && h->n_identities < IDENTITIES_MAX)
        h->n_identities++;
    if (i < h->n_identities)
        h->identities[i] = *judge;
}

static void lease_recall(const struct ipr_leases *h, struct ipr_assignment *a)
{
    const size_t n = a->job.kind == IPR_JOB_JUDGE ? h->n_identities : 0;

    for (size_t i = 0; i < n && !a->identified; i++) {
        if (strcmp(h->identities[i].name, a->definition.name) == 0) {
            a->judge = h->identities[i];
            a->identified = true;
        }
    }
}

/* ---- what the database does not take ---- */

void ipr_leases_refused(struct ipr_leases *h, enum ipr_code rc, const char *event, int64_t game_id,
                        const struct ipr_err *err)
{
    if (rc == IPR_ERETRY)
        ipr_outage_failed(&h->database, event, err->msg, ipr_handoff_clock());
    else if (game_id != 0)
        ipr_log(IPR_LOG_WARN, event, "game=%" PRId64 " msg=\"%s\"", game_id,
                ipr_log_text(err->msg));
    else
        ipr_log(IPR_LOG_WARN, event, "msg=\"%s\"", ipr_log_text(err->msg));
}

/* ---- what workers hand in ---- */

/* Whether an engine had to do with it: a check may find nothing to check. */
static bool by_engine(const struct ipr_assignment *a)
{
    return a->job.kind == IPR_JOB_JUDGE || a->check != NULL;
}

static void engine_unable(const struct ipr_assignment *a)
{
    const int64_t rest = ipr_backoff_failed(a->resting, a->job.judge, ipr_handoff_clock());

    ipr_log(IPR_LOG_ERROR, "judge_rests", "judge=%s program=%s seconds=%" PRId64, a->job.judge,
            a->program, rest / 1000);
}

static void engine_failed(const struct ipr_assignment *a)
{
    const int64_t rest = ipr_breaker_failed(a->breaker, !a->no_engine, ipr_handoff_clock());

    if (rest > 0)
        ipr_log(IPR_LOG_ERROR, "engine_rests", "program=%s failures=%u seconds=%" PRId64,
                a->program, a->breaker->failures, rest / 1000);
}

/* Once for each, before the database is told. */
static void lease_note_outcome(struct ipr_leases *h, struct ipr_assignment *a)
{
    char reason[IPR_REASON_MAX];

    if (a->no_engine)
        ipr_log(IPR_LOG_ERROR, "no_engine", "path=\"%s\" msg=\"%s\"", ipr_log_text(a->path),
                ipr_log_text(a->why.msg));
    h->tally->failures += a->no_engine || a->engine_failed || a->engine_unable;
    if (a->no_engine || a->engine_failed)
        engine_failed(a);
    if (a->engine_unable)
        engine_unable(a);
    if (a->state == IPR_ASSIGNMENT_FAILED) {
        ipr_assignment_reason(a, reason);
        ipr_log(IPR_LOG_WARN, "game_not_judged", "game=%" PRId64 " attempt=%d msg=\"%s\"",
                a->job.game_id, a->job.attempts, ipr_log_text(reason));
    }
    if (a->state != IPR_ASSIGNMENT_JUDGED && a->state != IPR_ASSIGNMENT_IDENTIFIED)
        return;
    if (a->state == IPR_ASSIGNMENT_JUDGED && by_engine(a))
        ipr_breaker_worked(a->breaker);
    if (by_engine(a))
        ipr_backoff_worked(a->resting, a->job.judge);
    if (a->job.kind == IPR_JOB_JUDGE)
        judge_learn(h, &a->judge);
}

static void count_judged(struct ipr_leases *h, const struct ipr_assignment *a)
{
    int cached[2];

    ipr_assignment_cached(a, cached);
    if (a->job.kind == IPR_JOB_CHECK) {
        if (!by_engine(a)) /* else the check has told */
            ipr_log(IPR_LOG_INFO, "nothing_to_check", "game=%" PRId64, a->job.game_id);
        return;
    }
    h->tally->games++;
    h->tally->turns += (int64_t)a->judged.n;
    h->tally->cached += cached[0] + cached[1];
    ipr_log(IPR_LOG_INFO, "game_judged", "game=%" PRId64 " judge=%s turns=%zu known=%d",
            a->job.game_id, a->job.judge, a->judged.n, cached[0] + cached[1]);
}

static void lease_lost(struct ipr_leases *h, const struct ipr_assignment *a)
{
    h->tally->leases_lost++;
    ipr_log(IPR_LOG_WARN, a->state == IPR_ASSIGNMENT_JUDGED ? "late_result_refused" : "lease_lost",
            "game=%" PRId64, a->job.game_id);
}

/* False when it is to be tried again. */
static bool lease_stored(struct ipr_leases *h, struct ipr_assignment *a)
{
    struct ipr_err err = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_job_store_store(h->ledger, a, &err);

    if (rc == IPR_OK) {
        count_judged(h, a);
        return true;
    }
    if (rc == IPR_ECONFLICT && atomic_load(&a->lost)) {
        lease_lost(h, a);
        return true;
    }
    if (rc == IPR_ENOTFOUND) { /* and its job with it */
        ipr_log(IPR_LOG_WARN, "game_gone", "game=%" PRId64, a->job.game_id);
        return true;
    }
    ipr_leases_refused(h, rc, "store_retried", a->job.game_id, &err);
    if (rc != IPR_ERETRY && ++a->tries >= STORE_TRIES) {
        a->state = IPR_ASSIGNMENT_FAILED;
        a->why = err;
    }
    return false;
}

/* The same for one that was not judged. A lease that is lost needs no giving back. */
static bool lease_returned(struct ipr_leases *h, struct ipr_assignment *a)
{
    struct ipr_err err = IPR_ERR_INIT;
    const enum ipr_code rc = a->state == IPR_ASSIGNMENT_FAILED
                                 ? ipr_job_store_fail(h->ledger, a, &err)
                                 : ipr_job_store_release(h->ledger, a, &err);

    if (rc == IPR_ECONFLICT)
        lease_lost(h, a);
    else if (rc != IPR_OK)
        ipr_leases_refused(h, rc, "job_not_returned", a->job.game_id, &err);
    return rc != IPR_ERETRY;
}

static void lease_look_up(struct ipr_leases *h, struct ipr_assignment *a)
{
    struct ipr_err err = IPR_ERR_INIT;

    const enum ipr_code rc = ipr_job_store_known(h->ledger, a, &err);
    if (rc != IPR_OK) {
        a->known.n = 0; /* then everything is searched */
        ipr_leases_refused(h, rc, "nothing_looked_up", a->job.game_id, &err);
    }
}

/* True when nothing more is to be done about it. */
static bool lease_settled(struct ipr_leases *h, struct ipr_assignment *a)
{
    if (atomic_load(&a->lost) && a->state != IPR_ASSIGNMENT_JUDGED) {
        lease_lost(h, a);
        return true;
    }
    return a->state == IPR_ASSIGNMENT_JUDGED ? lease_stored(h, a) : lease_returned(h, a);
}

void ipr_leases_collect(struct ipr_leases *h)
{
    struct ipr_assignment *a;

    while ((a = ipr_handoff_collect(h->desk)) != NULL) {
        lease_note_outcome(h, a);
        if (a->state == IPR_ASSIGNMENT_IDENTIFIED) {
            lease_look_up(h, a);
            ipr_handoff_offer(h->desk, a);
            continue;
        }
        lease_finish(h, a);
    }
    while (ipr_handoff_closed(h->desk) && (a = ipr_handoff_withdraw(h->desk)) != NULL) {
        a->state = IPR_ASSIGNMENT_RETURNED;
        lease_finish(h, a);
    }
}

void ipr_leases_lay_down(struct ipr_leases *h, struct ipr_assignment *a)
{
    lease_recall(h, a);
    if (a->identified)
        lease_look_up(h, a);
    ipr_handoff_offer(h->desk, a);
}

void ipr_leases_finish(struct ipr_leases *h, struct ipr_assignment *a)
{
    lease_note_outcome(h, a);
    lease_finish(h, a);
}

/* ---- leases ---- */

/* False when the database did not answer, or somebody holds the job. */
static bool lease_renewed(struct ipr_leases *h, struct ipr_assignment *a)
{
    struct ipr_err err = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_job_store_beat(h->ledger, a, &err);

    /* The search goes on: the lease may hold until the database is back. */
    if (rc != IPR_OK && !atomic_load(&a->lost))
        ipr_leases_refused(h, rc, "heartbeat_missed", a->job.game_id, &err);
    return rc != IPR_ERETRY;
}

/* Goes round, and where it gave up before it goes on: jobs that an import holds must not keep the
 * others waiting. */
void ipr_leases_beat(struct ipr_leases *h, int64_t now)
{
    unsigned missed = 0;

    if (now < h->beat_at)
        return;
    h->beat_at = now + ipr_job_store_beat_ms(h->ledger);
    for (size_t n = h->n; n > 0 && missed < MISSED_MAX; n--) {
        struct ipr_assignment *a = h->all[++h->beat_from % h->n];

        if (!atomic_load(&a->lost) && !lease_renewed(h, a))
            missed++;
    }
}

void ipr_leases_settle(struct ipr_leases *h, int64_t now)
{
    if (h->n_finished == 0 || now < h->settle_at)
        return;
    for (size_t i = 0; i < h->n_finished;) {
        if (lease_settled(h, h->finished[i]))
            lease_end(h, h->finished[i]);
        else
            i++;
        ipr_leases_beat(h, ipr_handoff_clock()); /* the database may have taken its time */
    }
    h->settle_at = now + RETRY_MS;
}

/* ---- from start to end ---- */

void ipr_leases_init(struct ipr_leases *h, const struct ipr_job_store *ledger,
                     struct ipr_handoff *desk, struct ipr_db_worker *tally)
{
    *h = (struct ipr_leases){ .ledger = ledger,
                              .desk = desk,
                              .tally = tally,
                              .database = { .begins = "database_silent",
                                            .ends = "database_answers" } };
    h->identities = ipr_xcalloc(IDENTITIES_MAX, sizeof *h->identities);
}

void ipr_leases_release(struct ipr_leases *h)
{
    while (h->n > 0)
        lease_end(h, h->all[0]);
    free(h->all);
    free(h->finished);
    free(h->identities);
}
