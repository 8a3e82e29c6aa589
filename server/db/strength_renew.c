/* Sums of strength after an upgrade. */
#include "db/judges.h"
#include "db/strength.h"
#include "queries/strength_inside.h"

struct renewal {
    int64_t game_id;
    int32_t judge_id;
};

static enum ipr_code renewal_game(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct renewal *r = arg;

    return ipr_db_strength_renew_game(db, r->game_id, r->judge_id, err);
}

/* At most one stored judge has this engine and search; 0: none has. */
static enum ipr_code renewal_judge(struct ipr_db *db, int32_t *id, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_judge_row *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc = ipr_db_judge_list(db, &mem, &rows, &n, err);

    *id = 0;
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        if (ipr_judge_tells_strength(&rows[i].judge))
            *id = rows[i].id;
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_strength_renew(struct ipr_db *db, unsigned *n, struct ipr_err *err)
{
    struct renewal r = { 0 };
    bool found = true;
    enum ipr_code rc = renewal_judge(db, &r.judge_id, err);

    *n = 0;
    while (rc == IPR_OK && r.judge_id != 0 && found) {
        rc = ipr_db_strength_stale(db, r.judge_id, IPR_STRENGTH_SUMS_VERSION, r.game_id, &found,
                                   &r.game_id, err);
        if (rc == IPR_OK && found) {
            rc = ipr_db_tx(db, renewal_game, &r, err);
            ++*n;
        }
    }
    return rc;
}
