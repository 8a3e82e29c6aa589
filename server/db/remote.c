#include "db/remote.h"

#include "queries/remote_inside.h"

/* ---- keys ---- */

enum ipr_code ipr_db_key_asks(struct ipr_db *db, int32_t key_id, const char *worker, int64_t leases,
                              bool *may, struct ipr_err *err)
{
    int32_t silent = 0;
    int64_t held = 0;
    enum ipr_code rc = ipr_db_key_lock(db, key_id, &silent, err);

    if (rc != IPR_OK)
        return rc;
    /* A statement of its own: it sees what was claimed while the first one waited. */
    rc = ipr_db_key_held(db, worker, &held, err);
    *may = held < (silent < IPR_DB_KEY_SILENCES ? leases : 1);
    return rc;
}

enum ipr_code ipr_db_key_engine(struct ipr_db *db, int32_t key_id, const char *engine, bool *known,
                                bool *may, struct ipr_err *err)
{
    int64_t fresh = 0;
    const enum ipr_code rc = ipr_db_key_engines(db, key_id, engine, known, &fresh, err);

    if (rc == IPR_OK)
        *may = *known || fresh < IPR_DB_KEY_ENGINES;
    return rc;
}

static enum ipr_code change_key(struct ipr_db *db, enum ipr_query query, const char *name,
                                const char *state, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    int64_t rows = 0;

    ipr_db_p_text(&p, name);
    const enum ipr_code rc = ipr_db_exec_count(db, query, &p, &rows, err);
    if (rc == IPR_OK && rows == 0)
        return ipr_err_set(err, IPR_ENOTFOUND, "no %s key is named %s", state, name);
    return rc;
}

enum ipr_code ipr_db_token_resume(struct ipr_db *db, const char *name, struct ipr_err *err)
{
    return change_key(db, IPR_Q_TOKEN_RESUME, name, "suspended", err);
}

enum ipr_code ipr_db_token_suspend(struct ipr_db *db, const char *name, struct ipr_err *err)
{
    return change_key(db, IPR_Q_TOKEN_SUSPEND, name, "good", err);
}

/* ---- what was judged under them ---- */

enum ipr_code ipr_db_lease_of(struct ipr_db *db, const struct ipr_db_job *job, const char *worker,
                              bool *own, int64_t *age_s, struct ipr_err *err)
{
    const enum ipr_code rc = ipr_db_lease_held(db, job, worker, own, age_s, NULL);

    if (rc == IPR_ENOTFOUND)
        return ipr_err_set(err, IPR_ECONFLICT, "the lease is over");
    if (rc != IPR_OK)
        return ipr_err_set(err, rc, "lease of a job");
    return IPR_OK;
}

/* ---- state of the queue for clients ---- */

enum ipr_code ipr_db_status(struct ipr_db *db, const char *program, struct ipr_db_status out[2],
                            struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_status *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc = ipr_db_queue_status(db, program, &mem, &rows, &n, err);

    for (size_t i = 0; rc == IPR_OK && i < 2 && i < n; i++)
        out[i] = rows[i];
    ipr_arena_release(&mem);
    return rc;
}
