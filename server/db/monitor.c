#include "db/monitor.h"

#include "queries/analyses_inside.h"

enum ipr_code ipr_db_turn_cost(struct ipr_db *db, const char *judge, double *seconds,
                               struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    double *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc = ipr_db_judge_speeds(db, &judge, 1, &mem, &rows, &n, err);

    if (rc == IPR_OK)
        *seconds = rows[0];
    ipr_arena_release(&mem);
    return rc;
}
