#include "db/reports.h"

#include <string.h>

#include "db/pq.h"

/* ---- which data ---- */

static void fill_version(struct ipr_db_row *r, void *out)
{
    *(int64_t *)out = ipr_db_col_i64(r, "version");
}

enum ipr_code ipr_db_data_version(struct ipr_db *db, int32_t judge_id, unsigned times, bool games,
                                  int64_t *version, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, judge_id);
    ipr_db_p_times(&p, times);
    ipr_db_p_text(&p, games ? "t" : "f");
    return ipr_db_one(db, IPR_Q_DATA_VERSION, &p, NULL, sizeof *version, fill_version, version,
                      "version", err);
}

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

static void p_key(struct ipr_db_params *p, const struct ipr_db_report_key *key)
{
    ipr_db_p_text(p, key->kind);
    ipr_db_p_text(p, key->params);
    ipr_db_p_int(p, key->judge_id);
    ipr_db_p_int(p, key->times);
}

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

struct found {
    struct ipr_db_report report;
    bool dusty;
};

static void fill_report(struct ipr_db_row *r, void *out)
{
    struct found *f = out;
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
    struct found f = { .dusty = false };

    p_key(&p, key);
    ipr_db_p_text(&p, with_answer ? "t" : "f");
    enum ipr_code rc =
        ipr_db_one(db, IPR_Q_REPORT_GET, &p, mem, sizeof f, fill_report, &f, "such report", err);
    if (rc == IPR_OK && f.dusty && with_answer) {
        ipr_db_p_int(&p, f.report.id);
        rc = ipr_db_exec(db, IPR_Q_REPORT_USED, &p, NULL, err);
    }
    if (rc == IPR_OK)
        *out = f.report;
    return rc;
}

struct wish {
    const struct ipr_db_report_key *key;
    bool usual;
};

struct room {
    int64_t waiting, of_kind;
};

static void fill_room(struct ipr_db_row *r, void *out)
{
    struct room *room = out;

    room->waiting = ipr_db_col_i64(r, "waiting");
    room->of_kind = ipr_db_col_i64(r, "of_kind");
}

static enum ipr_code check_room(struct ipr_db *db, const char *kind, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    struct room room = { 0 };

    ipr_db_p_text(&p, kind);
    const enum ipr_code rc = ipr_db_one(db, IPR_Q_REPORTS_WAITING, &p, NULL, sizeof room, fill_room,
                                        &room, "numbers", err);
    if (rc == IPR_OK && room.of_kind >= IPR_REPORTS_WAITING_KIND)
        return ipr_err_at(err, IPR_ERETRY, "reports_waiting", 0, 0, -1,
                          "%d reports of this kind wait to be computed already. Ask again when "
                          "some are done.",
                          IPR_REPORTS_WAITING_KIND);
    if (rc == IPR_OK && room.waiting >= IPR_REPORTS_WAITING_MAX)
        return ipr_err_at(err, IPR_ERETRY, "reports_waiting", 0, 0, -1,
                          "%d reports wait to be computed already. Ask again when some are done.",
                          IPR_REPORTS_WAITING_MAX);
    return rc;
}

/* Whether it is there and under way, whoever asked for it meanwhile. */
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

static enum ipr_code add_wish(struct ipr_db *db, const struct wish *w, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    p_key(&p, w->key);
    ipr_db_p_text(&p, w->usual ? "t" : "f");
    enum ipr_code rc = ipr_db_exec(db, IPR_Q_REPORT_WANT, &p, NULL, err);
    if (rc != IPR_OK)
        return rc;
    ipr_db_p_text(&p, w->key->kind);
    ipr_db_p_int(&p, IPR_REPORTS_KEPT_MAX);
    return ipr_db_exec(db, IPR_Q_REPORTS_TRIM, &p, NULL, err);
}

static enum ipr_code want(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct wish *w = arg;
    bool done = false;
    enum ipr_code rc = ipr_db_exec(db, IPR_Q_REPORTS_LOCK, NULL, NULL, err);

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
    struct wish w = { key, usual };

    return ipr_db_tx(db, want, &w, err);
}

/* ---- computing ---- */

static void fill_job(struct ipr_db_row *r, void *out)
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

    ipr_db_p_int(&p, IPR_REPORT_ATTEMPTS);
    const enum ipr_code rc = ipr_db_exec(db, IPR_Q_REPORTS_GIVE_UP, &p, NULL, err);
    if (rc != IPR_OK)
        return rc;
    ipr_db_p_int(&p, IPR_REPORT_LEASE_S);
    return ipr_db_one(db, IPR_Q_REPORT_CLAIM, &p, mem, sizeof *out, fill_job, out,
                      "report to compute", err);
}

static void p_lease(struct ipr_db_params *p, const struct ipr_db_report_job *job)
{
    ipr_db_p_int(p, job->id);
    ipr_db_p_int(p, job->token);
}

enum ipr_code ipr_db_report_keep(struct ipr_db *db, const struct ipr_db_report_job *job,
                                 const struct ipr_db_report_answer *answer, bool *kept,
                                 struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    int64_t rows = 0;

    p_lease(&p, job);
    ipr_db_p_text(&p, answer->json);
    ipr_db_p_int(&p, answer->data);
    ipr_db_p_text(&p, answer->calibration);
    ipr_db_p_int(&p, answer->version);
    ipr_db_p_int(&p, answer->ms);
    const enum ipr_code rc = ipr_db_exec_count(db, IPR_Q_REPORT_KEEP, &p, &rows, err);
    if (rc == IPR_OK)
        *kept = rows == 1;
    return rc;
}

enum ipr_code ipr_db_report_fail(struct ipr_db *db, const struct ipr_db_report_job *job,
                                 const char *why, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    p_lease(&p, job);
    ipr_db_p_text(&p, why);
    ipr_db_p_int(&p, IPR_REPORT_ATTEMPTS);
    return ipr_db_exec(db, IPR_Q_REPORT_FAIL, &p, NULL, err);
}

enum ipr_code ipr_db_report_release(struct ipr_db *db, const struct ipr_db_report_job *job,
                                    struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    p_lease(&p, job);
    return ipr_db_exec(db, IPR_Q_REPORT_RELEASE, &p, NULL, err);
}

/* ---- the royale ---- */

static void fill_field(struct ipr_db_row *r, void *out)
{
    struct ipr_db_royale_field *f = out;

    f->years = ipr_db_col_i32(r, "years");
    f->active = ipr_db_col_i32(r, "active");
    f->least = ipr_db_col_i32(r, "least");
}

enum ipr_code ipr_db_royale_field(struct ipr_db *db, int32_t judge_id, unsigned times, int active,
                                  int limit, struct ipr_db_royale_field *out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, judge_id);
    ipr_db_p_times(&p, times);
    ipr_db_p_int(&p, active);
    ipr_db_p_int(&p, limit);
    return ipr_db_one(db, IPR_Q_ROYALE_FIELD, &p, NULL, sizeof *out, fill_field, out, "field", err);
}

static void fill_player(struct ipr_db_row *r, void *out)
{
    struct ipr_db_royale_player *p = out;

    p->id = ipr_db_col_i32(r, "id");
    p->name = ipr_db_col_text(r, "name");
}

enum ipr_code ipr_db_royale_players(struct ipr_db *db, int32_t judge_id, unsigned times, int active,
                                    struct ipr_arena *mem, struct ipr_db_royale_player **rows,
                                    size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, judge_id);
    ipr_db_p_times(&p, times);
    ipr_db_p_int(&p, active);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_ROYALE_PLAYERS, &p, mem, sizeof **rows, fill_player, &list, n, err);
    if (rc == IPR_OK)
        *rows = list;
    return rc;
}
