#include "db/reports.h"

#include "queries/reports_inside.h"

enum ipr_code ipr_db_snapshot_begin(struct ipr_db *db, struct ipr_err *err)
{
    enum ipr_code rc = ipr_db_command(db, "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", err);

    /* A model may have to be fitted between two statements. */
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

enum ipr_code ipr_db_report_get(struct ipr_db *db, const struct ipr_db_report_key *key,
                                bool with_answer, struct ipr_arena *mem, struct ipr_db_report *out,
                                struct ipr_err *err)
{
    struct ipr_db_found_report f;
    bool found = false;
    enum ipr_code rc = ipr_db_report_find(db, key, with_answer, mem, &found, &f, err);

    if (rc == IPR_OK && !found)
        rc = ipr_err_set(err, IPR_ENOTFOUND, "no such report");
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
        return ipr_err_type(err, IPR_ERETRY, "reports_waiting",
                            "%d reports of this kind wait to be computed already. Ask again when "
                            "some are done.",
                            IPR_REPORTS_WAITING_KIND);
    if (rc == IPR_OK && waiting >= IPR_REPORTS_WAITING_MAX)
        return ipr_err_type(err, IPR_ERETRY, "reports_waiting",
                            "%d reports wait to be computed already. Ask again when some are done.",
                            IPR_REPORTS_WAITING_MAX);
    return rc;
}

static enum ipr_code report_want_locked(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct report_wish *w = arg;
    bool done = false;
    enum ipr_code rc = ipr_db_reports_lock(db, err);

    if (rc == IPR_OK) {
        /* It may be queued or running for another request by now. */
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_db_found_report f;
        bool found = false;

        rc = ipr_db_report_find(db, w->key, false, &mem, &found, &f, err);
        done =
            found && (f.report.state == IPR_REPORT_WANTED || f.report.state == IPR_REPORT_RUNNING);
        ipr_arena_release(&mem);
    }
    if (rc == IPR_OK && !done && !w->usual)
        rc = check_room(db, w->key->kind, err);
    if (rc == IPR_OK && !done) {
        rc = ipr_db_report_queue(db, w->key, w->usual, err);
        if (rc == IPR_OK)
            rc = ipr_db_reports_trim(db, w->key->kind, err);
    }
    return rc;
}

enum ipr_code ipr_db_report_want(struct ipr_db *db, const struct ipr_db_report_key *key, bool usual,
                                 struct ipr_err *err)
{
    struct report_wish w = { key, usual };

    return ipr_db_tx(db, report_want_locked, &w, err);
}

/* ---- computing ---- */

enum ipr_code ipr_db_report_claim(struct ipr_db *db, int64_t holder, struct ipr_arena *mem,
                                  struct ipr_db_report_job *out, struct ipr_err *err)
{
    const enum ipr_code rc = ipr_db_reports_give_up(db, holder, err);

    return rc == IPR_OK ? ipr_db_report_next(db, holder, mem, out, err) : rc;
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
