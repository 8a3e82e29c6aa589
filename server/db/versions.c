#include "db/versions.h"

#include "db/pq.h"

static void fill_version(struct ipr_db_row *r, void *out)
{
    *(const char **)out = ipr_db_col_text(r, "version");
}

enum ipr_code ipr_db_version(struct ipr_db *db, enum ipr_db_version of, int64_t id,
                             struct ipr_arena *mem, const char **out, struct ipr_err *err)
{
    static const enum ipr_query queries[] = {
        [IPR_VERSION_SNAPSHOT] = IPR_Q_SNAPSHOT_VERSION,
        [IPR_VERSION_STORE] = IPR_Q_STORE_VERSION,
        [IPR_VERSION_PLAYER] = IPR_Q_PLAYER_VERSION,
        [IPR_VERSION_EVENT] = IPR_Q_EVENT_VERSION,
        [IPR_VERSION_GAME] = IPR_Q_GAME_VERSION,
        [IPR_VERSION_JUDGES] = IPR_Q_JUDGES_VERSION,
        [IPR_VERSION_QUEUE] = IPR_Q_QUEUE_VERSION,
    };
    struct ipr_db_params p = { 0 };

    if (of == IPR_VERSION_PLAYER || of == IPR_VERSION_EVENT || of == IPR_VERSION_GAME)
        ipr_db_p_int(&p, id);
    return ipr_db_one(db, queries[of], &p, mem, sizeof *out, fill_version, out, "version", err);
}
