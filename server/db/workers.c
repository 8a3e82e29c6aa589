#include "db/workers.h"

#include "db/pq.h"

enum ipr_code ipr_db_worker_beat(struct ipr_db *db, const struct ipr_db_worker *w,
                                 struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_text(&p, w->name);
    ipr_db_p_text(&p, w->version);
    ipr_db_p_text(&p, w->engines);
    ipr_db_p_int(&p, w->tablebases);
    ipr_db_p_int(&p, w->threads);
    ipr_db_p_int(&p, w->games);
    ipr_db_p_int(&p, w->turns);
    ipr_db_p_int(&p, w->cached);
    ipr_db_p_int(&p, w->failures);
    ipr_db_p_int(&p, w->leases_lost);
    return ipr_db_exec(db, IPR_Q_WORKER_BEAT, &p, NULL, err);
}

enum ipr_code ipr_db_worker_leave(struct ipr_db *db, const char *name, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_text(&p, name);
    return ipr_db_exec(db, IPR_Q_WORKER_LEAVE, &p, NULL, err);
}

static void fill_worker(struct ipr_db_row *r, void *out)
{
    struct ipr_db_worker *w = out;

    w->name = ipr_db_col_text(r, "name");
    w->version = ipr_db_col_text(r, "version");
    w->engines = ipr_db_col_text(r, "engines");
    w->started = ipr_db_col_text(r, "started");
    w->tablebases = ipr_db_col_i32(r, "tablebases");
    w->threads = ipr_db_col_i32(r, "threads");
    w->games = ipr_db_col_i64(r, "games");
    w->turns = ipr_db_col_i64(r, "turns");
    w->cached = ipr_db_col_i64(r, "cached");
    w->failures = ipr_db_col_i64(r, "failures");
    w->leases_lost = ipr_db_col_i64(r, "leases_lost");
    w->seen_s = ipr_db_col_double(r, "seen_s");
}

enum ipr_code ipr_db_workers(struct ipr_db *db, struct ipr_arena *mem, struct ipr_db_worker **rows,
                             size_t *n, struct ipr_err *err)
{
    void *list = NULL;
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_WORKER_LIST, NULL, mem, sizeof **rows, fill_worker, &list, n, err);

    if (rc == IPR_OK)
        *rows = list;
    return rc;
}
