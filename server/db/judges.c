#include "db/judges.h"

#include <stdio.h>

#include "db/pq.h"

static void fill_judge(struct ipr_db_row *r, void *out)
{
    struct ipr_judge *j = out;
    struct ipr_arena mem = IPR_ARENA_INIT, *outer = r->mem;

    r->mem = &mem; /* its texts are copied into arrays */
    snprintf(j->name, sizeof j->name, "%s", ipr_db_col_text(r, "name"));
    snprintf(j->engine, sizeof j->engine, "%s", ipr_db_col_text(r, "engine"));
    snprintf(j->network, sizeof j->network, "%s", ipr_db_col_text(r, "network"));
    j->multipv = (uint16_t)ipr_db_col_int(r, "multipv", 1, UINT16_MAX);
    j->depth = (uint16_t)ipr_db_col_int(r, "depth", 1, UINT16_MAX);
    j->hash_mb = (uint16_t)ipr_db_col_int(r, "hash_mb", 1, UINT16_MAX);
    j->threads = (uint16_t)ipr_db_col_int(r, "threads", 1, UINT16_MAX);
    j->first_move = (uint16_t)ipr_db_col_int(r, "first_move", 1, UINT16_MAX);
    r->mem = outer;
    ipr_arena_release(&mem);
}

static void fill_row(struct ipr_db_row *r, void *out)
{
    struct ipr_db_judge_row *row = out;

    row->id = ipr_db_col_i32(r, "id");
    fill_judge(r, &row->judge);
}

static void fill_row_counted(struct ipr_db_row *r, void *out)
{
    struct ipr_db_judge_row *row = out;

    fill_row(r, out);
    row->games = ipr_db_col_i64(r, "games");
    row->turns = ipr_db_col_i64(r, "turns");
}

static void settings(struct ipr_db_params *p, const struct ipr_judge *j)
{
    ipr_db_p_text(p, j->name);
    ipr_db_p_text(p, j->engine);
    ipr_db_p_text(p, j->network);
    ipr_db_p_int(p, j->multipv);
    ipr_db_p_int(p, j->depth);
    ipr_db_p_int(p, j->hash_mb);
    ipr_db_p_int(p, j->threads);
    ipr_db_p_int(p, j->first_move);
}

static enum ipr_code find(struct ipr_db *db, const struct ipr_judge *judge, int32_t *id,
                          struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    settings(&p, judge);
    return ipr_db_one(db, IPR_Q_JUDGE_FIND, &p, NULL, sizeof *id, ipr_db_fill_id32, id,
                      "such judge", err);
}

enum ipr_code ipr_db_judge_ensure(struct ipr_db *db, const struct ipr_judge *judge, int32_t *id,
                                  struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    struct ipr_err first = IPR_ERR_INIT;
    enum ipr_code rc = find(db, judge, id, &first);

    if (rc != IPR_ENOTFOUND) {
        if (rc != IPR_OK && err != NULL && err->code == IPR_OK)
            *err = first;
        return rc;
    }
    settings(&p, judge);
    rc = ipr_db_exec(db, IPR_Q_JUDGE_ADD, &p, NULL, err);
    if (rc == IPR_OK)
        rc = find(db, judge, id, err);
    return rc;
}

enum ipr_code ipr_db_judge_get(struct ipr_db *db, int32_t id, struct ipr_judge *out,
                               struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, id);
    return ipr_db_one(db, IPR_Q_JUDGE_GET, &p, NULL, sizeof *out, fill_judge, out, "such judge",
                      err);
}

enum ipr_code ipr_db_judge_by_name(struct ipr_db *db, const char *name, int32_t *id,
                                   struct ipr_judge *out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    struct ipr_db_judge_row row;

    ipr_db_p_text(&p, name);
    const enum ipr_code rc = ipr_db_one(db, IPR_Q_JUDGE_BY_NAME, &p, NULL, sizeof row, fill_row,
                                        &row, "judge of that name has judged anything", err);
    if (rc != IPR_OK)
        return rc;
    *id = row.id;
    if (out != NULL)
        *out = row.judge;
    return IPR_OK;
}

enum ipr_code ipr_db_judge_list(struct ipr_db *db, struct ipr_arena *mem,
                                struct ipr_db_judge_row **rows, size_t *n, struct ipr_err *err)
{
    void *list = NULL;
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_JUDGE_LIST, NULL, mem, sizeof **rows,
                                         fill_row_counted, &list, n, err);

    if (rc == IPR_OK)
        *rows = list;
    return rc;
}
