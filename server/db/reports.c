#include "db/reports.h"

#include <string.h>

#include "queries/reports_inside.h"

enum ipr_code ipr_db_snapshot_begin(struct ipr_db *db, struct ipr_err *err)
{
    enum ipr_code rc = ipr_db_command(db, "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", err);

    /* Between two statements a model may have to be fitted. */
    if (rc == IPR_OK)
        rc = ipr_db_command(db, "SET LOCAL idle_in_transaction_session_timeout = '10min'", err);
    return rc;
}

void ipr_db_snapshot_end(struct ipr_db *db)
{
    if (PQtransactionStatus(db->conn) != PQTRANS_IDLE)
        ipr_db_rollback(db); /* nothing was written */
}

/* ---- asking ---- */

static enum ipr_db_report_state read_state(struct ipr_db_row *r)
{
    static const char *const names[] = { [IPR_REPORT_WANTED] = "wanted",
                                         [IPR_REPORT_RUNNING] = "running",
                                         [IPR_REPORT_KEPT] = "kept",
                                         [IPR_REPORT_FAILED] = "failed" };
    const char *text = ipr_db_col_text(r, "state");

    for (size_t i = 0; r->rc == IPR_OK && i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0)
            return (enum ipr_db_report_state)i;
    if (r->rc == IPR_OK)
        r->rc = ipr_err_set(r->err, IPR_EDB, "a report is in an unknown state");
    return IPR_REPORT_FAILED;
}

struct report_found {
    struct ipr_db_report report;
    bool dusty;
};

static void report_fill(struct ipr_db_row *r, void *out)
{
    struct report_found *f = out;
    struct ipr_db_report *o = &f->report;

    o->id = ipr_db_col_i64(r, "id");
    o->state = read_state(r);
    o->rested = ipr_db_col_bool(r, "rested");
    o->error = ipr_db_col_text_or(r, "error", "");
    o->answered = ipr_db_col_bool(r, "answered");
    f->dusty = ipr_db_col_bool(r, "dusty");
    o->answer = ipr_db_col_text_or(r, "answer", "");
    o->calibration = ipr_db_col_text_or(r, "calibration", "");
    o->computed = ipr_db_col_text_or(r, "computed", "");
    if (!o->answered)
        return;
    o->data = ipr_db_col_i64(r, "data");
    o->version = ipr_db_col_i32(r, "version");
    o->seconds = ipr_db_col_double(r, "seconds");
}

enum ipr_code ipr_db_report_get(struct ipr_db *db, const struct ipr_db_report_key *key,
                                bool with_answer, struct ipr_arena *mem, struct ipr_db_report *out,
                                struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    struct report_found f = { .dusty = false };

    ipr_db_p_text(&p, key->kind);
    ipr_db_p_text(&p, key->params);
    ipr_db_p_int(&p, key->judge_id);
    ipr_db_p_int(&p, key->times);
    ipr_db_p_bool(&p, with_answer);
    enum ipr_code rc =
        ipr_db_one(db, IPR_Q_REPORT_GET, &p, mem, sizeof f, report_fill, &f, "no such report", err);
    if (rc == IPR_OK && f.dusty && with_answer)
        rc = ipr_db_report_used(db, f.report.id, err);
    if (rc == IPR_OK)
        *out = f.report;
    return rc;
}

struct report_wish {
    const struct ipr_db_report_key *key;
    bool usual;
};

static enum ipr_code check_room(struct ipr_db *db, const char *kind, struct ipr_err *err)
{
    int64_t waiting = 0, of_kind = 0;
    const enum ipr_code rc = ipr_db_reports_waiting(db, kind, &waiting, &of_kind, err);

    if (rc == IPR_OK && of_kind >= IPR_REPORTS_WAITING_KIND)
        return ipr_err_at(err, IPR_ERETRY, "reports_waiting", 0, 0, -1,
                          "%d reports of this kind wait to be computed already. Ask again when "
                          "some are done.",
                          IPR_REPORTS_WAITING_KIND);
    if (rc == IPR_OK && waiting >= IPR_REPORTS_WAITING_MAX)
        return ipr_err_at(err, IPR_ERETRY, "reports_waiting", 0, 0, -1,
                          "%d reports wait to be computed already. Ask again when some are done.",
                          IPR_REPORTS_WAITING_MAX);
    return rc;
}

/* Whether it is there and queued or running, meanwhile perhaps for another request. */
static enum ipr_code under_way(struct ipr_db *db, const struct ipr_db_report_key *key, bool *is,
                               struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err none = IPR_ERR_INIT;
    struct ipr_db_report r;
    enum ipr_code rc = ipr_db_report_get(db, key, false, &mem, &r, &none);

    *is = rc == IPR_OK && (r.state == IPR_REPORT_WANTED || r.state == IPR_REPORT_RUNNING);
    ipr_arena_release(&mem);
    if (rc == IPR_OK || rc == IPR_ENOTFOUND)
        return IPR_OK;
    return ipr_err_set(err, rc, "%s", none.msg);
}

static enum ipr_code add_wish(struct ipr_db *db, const struct report_wish *w, struct ipr_err *err)
{
    const enum ipr_code rc = ipr_db_report_queue(db, w->key, w->usual, err);

    return rc == IPR_OK ? ipr_db_reports_trim(db, w->key->kind, err) : rc;
}

static enum ipr_code report_want_locked(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct report_wish *w = arg;
    bool done = false;
    enum ipr_code rc = ipr_db_reports_lock(db, err);

    if (rc == IPR_OK)
        rc = under_way(db, w->key, &done, err);
    if (rc == IPR_OK && !done && !w->usual)
        rc = check_room(db, w->key->kind, err);
    if (rc == IPR_OK && !done)
        rc = add_wish(db, w, err);
    return rc;
}

enum ipr_code ipr_db_report_want(struct ipr_db *db, const struct ipr_db_report_key *key, bool usual,
                                 struct ipr_err *err)
{
    struct report_wish w = { key, usual };

    return ipr_db_tx(db, report_want_locked, &w, err);
}

/* ---- computing ---- */

static void report_fill_job(struct ipr_db_row *r, void *out)
{
    *(struct ipr_db_report_job *)out = (struct ipr_db_report_job){
        .id = ipr_db_col_i64(r, "id"),
        .token = ipr_db_col_i64(r, "token"),
        .key = { .kind = ipr_db_col_text(r, "kind"),
                 .params = ipr_db_col_text(r, "params"),
                 .judge_id = ipr_db_col_i32(r, "judge_id"),
                 .times = (unsigned)ipr_db_col_int(r, "time_classes", 1, INT16_MAX) },
        .attempts = ipr_db_col_i32(r, "attempts"),
    };
}

enum ipr_code ipr_db_report_claim(struct ipr_db *db, struct ipr_arena *mem,
                                  struct ipr_db_report_job *out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    const enum ipr_code rc = ipr_db_reports_give_up(db, err);

    if (rc != IPR_OK)
        return rc;
    ipr_db_p_int(&p, IPR_REPORT_LEASE_S);
    return ipr_db_one(db, IPR_Q_REPORT_CLAIM, &p, mem, sizeof *out, report_fill_job, out,
                      "no report to compute", err);
}

enum ipr_code ipr_db_report_keep(struct ipr_db *db, const struct ipr_db_report_job *job,
                                 const struct ipr_db_report_answer *answer, bool *kept,
                                 struct ipr_err *err)
{
    int64_t rows = 0;
    const enum ipr_code rc = ipr_db_report_store(db, job, answer, &rows, err);

    if (rc == IPR_OK)
        *kept = rows == 1;
    return rc;
}
