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

struct settled_several {
    const int64_t *games;
    size_t n;
};

static enum ipr_code settle_several(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct settled_several *s = arg;

    return ipr_db_strength_settle(db, s->games, s->n, err);
}

enum ipr_code ipr_db_strength_renew(struct ipr_db *db, unsigned *n, struct ipr_err *err)
{
    enum { AT_ONCE = 200 };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_judge_row *rows = NULL;
    size_t judges = 0, rating = 0, shared = AT_ONCE;
    int64_t *games = NULL, after = 0;
    enum ipr_code rc = ipr_db_judge_list(db, &mem, &rows, &judges, err);

    *n = 0;
    for (size_t i = 0; rc == IPR_OK && i < judges; i++)
        rc = ipr_db_judge_equate(db, rows[i].id, ipr_judge_equation(&rows[i].judge, &mem), err);
    for (size_t i = 0; rc == IPR_OK && i < judges; i++)
        if (ipr_judge_may_rate(&rows[i].judge)) {
            struct renewal r = { .judge_id = rows[i].id };
            bool found = true;

            rating++;
            while (rc == IPR_OK && found) {
                rc = ipr_db_strength_stale(db, r.judge_id, IPR_STRENGTH_SUMS_VERSION, r.game_id,
                                           &found, &r.game_id, err);
                if (rc == IPR_OK && found) {
                    rc = ipr_db_tx(db, renewal_game, &r, err);
                    ++*n;
                }
            }
        }
    /* Also of games whose sums are not stale: which side counts may have become another by an
     * equation, or by what was stored while the equations were not yet set. */
    while (rc == IPR_OK && rating > 1 && shared == AT_ONCE) {
        rc = ipr_db_strength_shared(db, after, AT_ONCE, &mem, &games, &shared, err);
        if (rc == IPR_OK && shared > 0) {
            after = games[shared - 1];
            rc = ipr_db_tx(db, settle_several, &(struct settled_several){ games, shared }, err);
        }
    }
    ipr_arena_release(&mem);
    return rc;
}
