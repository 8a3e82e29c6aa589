/* The judge that rates, and its sums of strength after an upgrade. */
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

struct choice {
    struct ipr_db_judge_row *rows; /* [n] those that have analysed most first */
    size_t n;
    const struct ipr_db_judge_row *judge; /* NULL: none can rate */
    size_t able;                          /* those that could */
};

static bool choice_is_own(const struct ipr_db_judge_row *row)
{
    return ipr_strength_engine_is_own(ipr_judge_strength_engine(&row->judge));
}

static void renewal_choose(struct choice *c)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct ipr_db_judge_row *const row = &c->rows[i];

        if (!ipr_judge_may_rate(&row->judge))
            continue;
        c->able++;
        if (c->judge == NULL || (row->games > 0 && choice_is_own(row) && !choice_is_own(c->judge)))
            c->judge = row;
    }
}

/* What others have told counts no longer. */
static enum ipr_code renewal_begin(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct choice *const c = arg;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < c->n; i++)
        if (&c->rows[i] != c->judge && ipr_judge_may_rate(&c->rows[i].judge))
            rc = ipr_db_strength_end(db, c->rows[i].id, err);
    return rc == IPR_OK ? ipr_db_strength_begin(db, c->judge->id, err) : rc;
}

/* 0: none can rate. */
static enum ipr_code renewal_judge(struct ipr_db *db, int32_t *id, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct choice c = { .n = 0 };
    enum ipr_code rc = ipr_db_judge_list(db, &mem, &c.rows, &c.n, err);

    if (rc == IPR_OK)
        renewal_choose(&c);
    *id = c.judge != NULL ? c.judge->id : 0;
    /* A worker that was storing a game when the choice changed has left sums of another. */
    if (*id != 0 && (!c.judge->rates || c.able > 1))
        rc = ipr_db_tx(db, renewal_begin, &c, err);
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
