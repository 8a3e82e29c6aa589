#include "db/listed_years.h"

#include <math.h>

#include "db/strength.h"
#include "queries/listed_years_inside.h"

#define RATED_AT_ONCE 2000

struct year_list {
    int32_t judge_id, id;
    unsigned times;
};

static enum ipr_code years_rate_some(struct ipr_db *db, size_t *n, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_listed_strength *rows = NULL;

    enum ipr_code rc = ipr_db_listed_years_unrated(db, RATED_AT_ONCE, &mem, &rows, n, err);
    for (size_t i = 0; rc == IPR_OK && i < *n; i++)
        rows[i].estimate = llround(IPR_STRENGTH_UNIT *
                                   ipr_strength_of_stored(rows[i].score, rows[i].information).mean);
    if (rc == IPR_OK)
        rc = ipr_db_listed_years_rate(db, rows, *n, err);
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code year_list_begin(struct ipr_db *db, struct year_list *l, struct ipr_err *err)
{
    enum ipr_code rc =
        ipr_db_year_list_add(db, l->judge_id, l->times, IPR_STRENGTH_VERSION, &l->id, err);

    if (rc == IPR_OK)
        rc = ipr_db_year_list_empty(db, l->id, err);
    return rc == IPR_OK ? ipr_db_year_list_fill(db, l->id, err) : rc;
}

static enum ipr_code year_list_renew(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct year_list *l = arg;
    bool found = true, current = false;
    size_t n = 1;

    enum ipr_code rc = ipr_db_year_lists_lock(db, err);
    if (rc == IPR_OK)
        rc = ipr_db_year_lists_renew(db, err);
    if (rc == IPR_OK)
        rc = ipr_db_year_list_get(db, l->judge_id, l->times, IPR_STRENGTH_VERSION, &found, &l->id,
                                  &current, err);
    if (rc == IPR_OK && !found)
        rc = year_list_begin(db, l, err);
    if (rc == IPR_OK)
        rc = ipr_db_year_list_requested(db, l->id, err);
    while (rc == IPR_OK && n > 0)
        rc = years_rate_some(db, &n, err);
    return rc == IPR_OK && !found ? ipr_db_year_lists_analyse(db, err) : rc;
}

enum ipr_code ipr_db_year_list(struct ipr_db *db, int32_t judge_id, unsigned times, int32_t *id,
                               struct ipr_err *err)
{
    struct year_list l = { .judge_id = judge_id, .times = times };
    bool found = false, current = false;

    enum ipr_code rc = ipr_db_year_list_get(db, judge_id, times, IPR_STRENGTH_VERSION, &found,
                                            &l.id, &current, err);
    if (rc == IPR_OK && !(found && current))
        rc = ipr_db_within(db, year_list_renew, &l, err);
    *id = l.id;
    return rc;
}
