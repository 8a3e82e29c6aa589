#include "engine/leases.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/log.h"

enum {
    RETRY_MS = 1000,    /* before a failed write is retried */
    MISSED_MAX = 3,     /* failed heartbeats in a round until the rest are postponed */
    STORE_TRIES = 3,    /* of a game that the database rejects for another reason than an outage */
    IDENTITIES_MAX = 64 /* judges whose engine's identity is remembered */
};

/* ---- the list of jobs ---- */

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

/* To be stored at once. */
static void lease_finish(struct ipr_leases *h, struct ipr_assignment *a)
{
    h->finished[h->n_finished++] = a;
    h->store_at = 0;
}

/* ---- identities of the engines ---- */

/* ---- errors of the database ---- */

void ipr_leases_log_error(struct ipr_leases *h, enum ipr_code rc, const char *event,
                          int64_t game_id, const struct ipr_err *err)
{
    if (rc == IPR_ERETRY)
        ipr_outage_failed(&h->database, event, err->msg, ipr_now_ms());
    else if (game_id != 0)
        ipr_log(IPR_LOG_WARN, event, "game=%" PRId64 " msg=\"%s\"", game_id,
                ipr_log_text(err->msg));
    else
        ipr_log(IPR_LOG_WARN, event, "msg=\"%s\"", ipr_log_text(err->msg));
}

/* ---- outcomes ---- */

/* False for a check or a confirmation that found nothing to do. */
static bool by_engine(const struct ipr_assignment *a)
{
    return a->job.kind == IPR_JOB_JUDGE || a->check != NULL || a->confirm != NULL;
}

static void engine_unable(const struct ipr_assignment *a)
{
    const int64_t rest = ipr_backoff_failed(a->backoff, a->job.judge, ipr_now_ms());

    ipr_log(IPR_LOG_ERROR, "judge_rests", "judge=%s program=%s seconds=%" PRId64, a->job.judge,
            a->program, rest / 1000);
}

static void engine_failed(const struct ipr_assignment *a)
{
    const int64_t rest = ipr_breaker_failed(a->breaker, !a->no_engine, ipr_now_ms());

    if (rest > 0)
        ipr_log(IPR_LOG_ERROR, "engine_rests", "program=%s failures=%u seconds=%" PRId64,
                a->program, a->breaker->failures, rest / 1000);
}

/* Called once per job, before it is stored. */
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
        ipr_backoff_worked(a->backoff, a->job.judge);
    if (a->job.kind == IPR_JOB_JUDGE) {
        size_t i = 0;

        while (i < h->n_identities && strcmp(h->identities[i].name, a->judge.name) != 0)
            i++;
        if (i == h->n_identities && h->n_identities < IDENTITIES_MAX)
            h->n_identities++;
        if (i < h->n_identities)
            h->identities[i] = a->judge;
    }
}

static void count_judged(struct ipr_leases *h, const struct ipr_assignment *a)
{
    if (a->job.kind == IPR_JOB_CHECK) {
        if (!by_engine(a)) /* else the check has logged it */
            ipr_log(IPR_LOG_INFO, "nothing_to_check", "game=%" PRId64, a->job.game_id);
        return;
    }
    if (a->job.kind == IPR_JOB_CONFIRM) {
        ipr_log(IPR_LOG_INFO, "game_confirmed", "game=%" PRId64 " turns=%zu", a->job.game_id,
                a->confirm != NULL ? ipr_confirm_done(a->confirm) : 0);
        return;
    }
    h->tally->games++;
    h->tally->turns += (int64_t)a->judged.n;
    h->tally->cached += (int64_t)a->known.n;
    ipr_log(IPR_LOG_INFO, "game_judged", "game=%" PRId64 " judge=%s turns=%zu known=%zu",
            a->job.game_id, a->job.judge, a->judged.n, a->known.n);
}

static void lease_lost(struct ipr_leases *h, const struct ipr_assignment *a)
{
    h->tally->leases_lost++;
    ipr_log(IPR_LOG_WARN, a->state == IPR_ASSIGNMENT_JUDGED ? "late_result_refused" : "lease_lost",
            "game=%" PRId64, a->job.game_id);
}

/* False when it has to be retried. */
static bool lease_stored(struct ipr_leases *h, struct ipr_assignment *a)
{
    struct ipr_err err = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_job_store_complete(h->job_store, a, &err);

    if (rc == IPR_OK) {
        count_judged(h, a);
        return true;
    }
    if (rc == IPR_ECONFLICT && atomic_load(&a->lost)) {
        lease_lost(h, a);
        return true;
    }
    if (rc == IPR_ENOTFOUND) { /* its job is deleted too */
        ipr_log(IPR_LOG_WARN, "game_gone", "game=%" PRId64, a->job.game_id);
        return true;
    }
    ipr_leases_log_error(h, rc, "store_retried", a->job.game_id, &err);
    if (rc != IPR_ERETRY && ++a->tries >= STORE_TRIES) {
        a->state = IPR_ASSIGNMENT_FAILED;
        a->why = err;
    }
    return false;
}

/* The same for a job that was not judged. A lost lease need not be released. */
static bool lease_returned(struct ipr_leases *h, struct ipr_assignment *a)
{
    struct ipr_err err = IPR_ERR_INIT;
    const enum ipr_code rc = a->state == IPR_ASSIGNMENT_FAILED
                                 ? ipr_job_store_fail(h->job_store, a, &err)
                                 : ipr_job_store_release(h->job_store, a, &err);

    if (rc == IPR_ECONFLICT)
        lease_lost(h, a);
    else if (rc != IPR_OK)
        ipr_leases_log_error(h, rc, "job_not_returned", a->job.game_id, &err);
    return rc != IPR_ERETRY;
}

static void lease_look_up(struct ipr_leases *h, struct ipr_assignment *a)
{
    struct ipr_err err = IPR_ERR_INIT;

    const enum ipr_code rc = ipr_job_store_known_turns(h->job_store, a, &err);
    if (rc != IPR_OK) {
        a->known.n = 0; /* then every turn is searched */
        ipr_leases_log_error(h, rc, "nothing_looked_up", a->job.game_id, &err);
    }
}

/* True when the job is stored or released. */
static bool lease_resolved(struct ipr_leases *h, struct ipr_assignment *a)
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

    while ((a = ipr_handoff_collect(h->handoff)) != NULL) {
        lease_note_outcome(h, a);
        if (a->state == IPR_ASSIGNMENT_IDENTIFIED) {
            lease_look_up(h, a);
            ipr_handoff_put(h->handoff, a);
            continue;
        }
        lease_finish(h, a);
    }
    while (ipr_handoff_closed(h->handoff) && (a = ipr_handoff_withdraw(h->handoff)) != NULL) {
        a->state = IPR_ASSIGNMENT_RETURNED;
        lease_finish(h, a);
    }
}

void ipr_leases_queue(struct ipr_leases *h, struct ipr_assignment *a)
{
    const size_t n = a->job.kind == IPR_JOB_JUDGE ? h->n_identities : 0;

    for (size_t i = 0; i < n && !a->identified; i++) {
        if (strcmp(h->identities[i].name, a->definition.name) == 0) {
            a->judge = h->identities[i];
            a->identified = true;
        }
    }
    if (a->identified)
        lease_look_up(h, a);
    ipr_handoff_put(h->handoff, a);
}

void ipr_leases_finish(struct ipr_leases *h, struct ipr_assignment *a)
{
    lease_note_outcome(h, a);
    lease_finish(h, a);
}

/* ---- leases ---- */

/* False when the database did not answer, or another process holds the job. */
static bool lease_renewed(struct ipr_leases *h, struct ipr_assignment *a)
{
    struct ipr_err err = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_job_store_renew(h->job_store, a, &err);

    /* The search continues: the lease may last until the database is back. */
    if (rc != IPR_OK && !atomic_load(&a->lost))
        ipr_leases_log_error(h, rc, "heartbeat_missed", a->job.game_id, &err);
    return rc != IPR_ERETRY;
}

/* A round starts where the last one stopped: jobs locked by an import must not delay the others. */
void ipr_leases_renew(struct ipr_leases *h, int64_t now)
{
    unsigned missed = 0;

    if (now < h->renew_at)
        return;
    h->renew_at = now + ipr_job_store_renew_ms(h->job_store);
    for (size_t n = h->n; n > 0 && missed < MISSED_MAX; n--) {
        struct ipr_assignment *a = h->all[++h->renew_from % h->n];

        if (!atomic_load(&a->lost) && !lease_renewed(h, a))
            missed++;
    }
}

void ipr_leases_store(struct ipr_leases *h, int64_t now)
{
    if (h->n_finished == 0 || now < h->store_at)
        return;
    for (size_t i = 0; i < h->n_finished;) {
        if (lease_resolved(h, h->finished[i]))
            lease_end(h, h->finished[i]);
        else
            i++;
        ipr_leases_renew(h, ipr_now_ms()); /* storing may have taken long */
    }
    h->store_at = now + RETRY_MS;
}

/* ---- life cycle ---- */

void ipr_leases_init(struct ipr_leases *h, const struct ipr_job_store *job_store,
                     struct ipr_handoff *handoff, struct ipr_db_worker *tally)
{
    *h = (struct ipr_leases){ .job_store = job_store,
                              .handoff = handoff,
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
