/* The judges that rate, and their sums of strength after an upgrade. */
#include "db/judges.h"
#include "db/strength.h"
#include "queries/judges_inside.h"
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

static enum ipr_code renewal_judge(struct ipr_db *db, int32_t judge_id, unsigned *n,
                                   struct ipr_err *err)
{
    struct renewal r = { .judge_id = judge_id };
    enum ipr_code rc = IPR_OK;
    bool found = true;

    while (rc == IPR_OK && found) {
        rc = ipr_db_strength_stale(db, judge_id, IPR_STRENGTH_SUMS_VERSION, r.game_id, &found,
                                   &r.game_id, err);
        if (rc == IPR_OK && found) {
            rc = ipr_db_tx(db, renewal_game, &r, err);
            ++*n;
        }
    }
    return rc;
}

enum ipr_code ipr_db_strength_renew(struct ipr_db *db, unsigned *n, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_judge_row *rows = NULL;
    size_t judges = 0;
    enum ipr_code rc = ipr_db_judge_list(db, &mem, &rows, &judges, err);

    *n = 0;
    for (size_t i = 0; rc == IPR_OK && i < judges; i++)
        rc = ipr_db_judge_equate(db, rows[i].id, ipr_judge_equation(&rows[i].judge, &mem), err);
    for (size_t i = 0; rc == IPR_OK && i < judges; i++)
        if (ipr_judge_may_rate(&rows[i].judge))
            rc = renewal_judge(db, rows[i].id, n, err);
    ipr_arena_release(&mem);
    return rc;
}
