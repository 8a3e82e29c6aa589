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
    /* A separate statement, so that it sees what was claimed while the first one waited. */
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
