/* The computation of reports: the next queued one is computed and stored. */
#include "view/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/log.h"
#include "db/replica.h"
#include "db/reports.h"
#include "view/json.h"

/* One being computed. */
struct report_work {
    const struct ipr_view *v;
    struct ipr_db_replica *replica; /* NULL: none */
    struct ipr_db_report_job job;
    const struct ipr_report_kind *kind;
    json_t *params;
    char calibration[128]; /* digest */
    int64_t data;
};

/* If the data are not sufficient, that is the answer. */
static enum ipr_code work_compute(struct report_work *w, const struct ipr_view_context *c,
                                  json_t **out, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    enum ipr_code rc = IPR_EDATA;
    json_t *answer = NULL;

    if (c->judge_id)
        rc = w->kind->compute(c, w->params, &answer, &why);
    else
        (void)ipr_err_set(&why, rc, "%s", c->reason);
    if (rc == IPR_EDATA || rc == IPR_ENOCONV)
        answer = json_pack("{s:s}", "reason", why.msg);
    else if (rc != IPR_OK)
        return ipr_err_at(err, rc, why.type, 0, 0, -1, "%s", why.msg);
    ipr_report_add_provenance(c, w->kind, w->params, answer);
    *out = answer;
    return IPR_OK;
}

static enum ipr_code work_within_snapshot(struct report_work *w, json_t **out, struct ipr_err *err)
{
    const struct ipr_db_report_key *key = &w->job.key;
    struct ipr_view_context c;
    char judge[16];

    snprintf(judge, sizeof judge, "%d", (int)key->judge_id);
    enum ipr_code rc =
        ipr_db_data_version(w->v->db, key->judge_id, key->times, w->kind->games, &w->data, err);
    if (rc == IPR_OK)
        rc = ipr_setting_for(w->v, IPR_FOR_LINES, &(struct ipr_setting_scope){ .judge = judge }, &c,
                             err);
    if (rc != IPR_OK)
        return rc;
    snprintf(w->calibration, sizeof w->calibration, "%s", ipr_report_calibration(&c, w->kind));
    rc = work_compute(w, &c, out, err);
    ipr_view_context_close(&c);
    return rc;
}

static enum ipr_code work_compute_from(struct report_work *w, struct ipr_db *db, json_t **out,
                                       struct ipr_err *err)
{
    const struct ipr_view *own = w->v;
    struct ipr_view named = *own;

    named.db = db;
    named.calibration = json_string_value(json_object_get(w->params, "calibration"));
    enum ipr_code rc = ipr_db_snapshot_begin(db, err);
    ipr_db_interruptible(db, own->stop);
    w->v = &named;
    if (rc == IPR_OK)
        rc = work_within_snapshot(w, out, err);
    w->v = own;
    ipr_db_interruptible(db, NULL);
    ipr_db_snapshot_end(db);
    return rc;
}

static enum ipr_code work_data(const struct report_work *w, struct ipr_db *db, int64_t *data,
                               struct ipr_err *err)
{
    const struct ipr_db_report_key *key = &w->job.key;

    return ipr_db_data_version(db, key->judge_id, key->times, w->kind->games, data, err);
}

/* The replica, if it has the data of the primary, so that the answer is current; else NULL. */
static struct ipr_db *work_replica(struct report_work *w)
{
    struct ipr_db *db = w->replica != NULL ? ipr_db_replica_lease(w->replica) : NULL;
    struct ipr_err err = IPR_ERR_INIT;
    int64_t here = 0, there = 0;

    if (db == NULL)
        return NULL;
    enum ipr_code rc = work_data(w, w->v->db, &here, &err);
    if (rc == IPR_OK)
        rc = work_data(w, db, &there, &err);
    if (rc == IPR_OK && here == there)
        return db;
    ipr_db_return(&db);
    if (rc == IPR_OK)
        ipr_db_replica_count(w->replica, IPR_REPLICA_BEHIND);
    else
        ipr_db_replica_failed(w->replica, &err);
    return NULL;
}

static enum ipr_code work_compute_job(struct report_work *w, json_t **out, struct ipr_err *err)
{
    w->kind = ipr_report_kind(w->job.key.kind);
    w->params = json_loads(w->job.key.params, 0, NULL);
    if (w->kind == NULL || w->params == NULL)
        return ipr_err_set(err, IPR_ENOTFOUND, "this version knows no report %s", w->job.key.kind);
    struct ipr_db *replica = work_replica(w);
    struct ipr_err why = IPR_ERR_INIT;
    if (replica == NULL)
        return work_compute_from(w, w->v->db, out, err);
    const enum ipr_code rc = work_compute_from(w, replica, out, &why);
    ipr_db_return(&replica);
    if (rc == IPR_OK) {
        ipr_db_replica_count(w->replica, IPR_REPLICA_ANSWERED);
        return rc;
    }
    if (!ipr_view_go_on(w->v))
        return ipr_err_pass(err, &why);
    ipr_db_replica_failed(w->replica, &why);
    return work_compute_from(w, w->v->db, out, err);
}

static enum ipr_code work_keep(const struct report_work *w, const json_t *answer, int64_t ms,
                               struct ipr_err *err)
{
    char *text = json_dumps(answer, JSON_COMPACT | JSON_REAL_PRECISION(12));
    const struct ipr_db_report_answer a = {
        .json = text,
        .data = w->data,
        .calibration = w->calibration,
        .version = ipr_report_version(w->kind),
        .ms = (int32_t)(ms < INT32_MAX ? ms : INT32_MAX),
    };
    bool kept = false;
    const enum ipr_code rc = ipr_db_report_keep(w->v->db, &w->job, &a, &kept, err);

    if (rc == IPR_OK)
        ipr_log(kept ? IPR_LOG_INFO : IPR_LOG_WARN, kept ? "report" : "report_lease_lost",
                "kind=%s judge=%d data=%lld bytes=%zu ms=%lld", w->kind->name,
                (int)w->job.key.judge_id, (long long)w->data, strlen(text), (long long)ms);
    free(text);
    return rc;
}

static enum ipr_code work_give_back(const struct report_work *w, const struct ipr_err *why,
                                    struct ipr_err *err)
{
    if (!ipr_view_go_on(w->v))
        return ipr_db_report_release(w->v->db, &w->job, err);
    ipr_log(IPR_LOG_ERROR, "report_failed", "kind=%s judge=%d attempt=%d code=%s msg=\"%s\"",
            w->job.key.kind, (int)w->job.key.judge_id, w->job.attempts, ipr_code_name(why->code),
            ipr_log_text(why->msg));
    return ipr_db_report_fail(w->v->db, &w->job, why->msg, err);
}

static enum ipr_code work_once(struct report_work *w, struct ipr_err *err)
{
    const int64_t begun = ipr_now_ms();
    struct ipr_err why = IPR_ERR_INIT;
    json_t *answer = NULL;
    enum ipr_code rc = work_compute_job(w, &answer, &why);

    rc = rc == IPR_OK ? work_keep(w, answer, ipr_now_ms() - begun, err)
                      : work_give_back(w, &why, err);
    json_decref(answer);
    json_decref(w->params);
    return rc;
}

enum ipr_code ipr_report_work(const struct ipr_config *config, struct ipr_db *db,
                              struct ipr_db_replica *replica, int64_t holder,
                              const atomic_bool *stop, bool *worked, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err none_wanted = IPR_ERR_INIT;
    struct ipr_view v = { .config = config, .db = db, .mem = &mem, .snapshot = true, .stop = stop };
    struct report_work w = { .v = &v, .replica = replica };
    enum ipr_code rc = ipr_db_report_claim(db, holder, &mem, &w.job, &none_wanted);

    *worked = rc == IPR_OK;
    if (rc == IPR_OK) {
        v.time_classes = w.job.key.times;
        rc = work_once(&w, err);
    } else if (rc == IPR_ENOTFOUND) {
        rc = IPR_OK;
    } else {
        rc = ipr_err_at(err, rc, none_wanted.type, 0, 0, -1, "%s", none_wanted.msg);
    }
    ipr_arena_release(&mem);
    return rc;
}
