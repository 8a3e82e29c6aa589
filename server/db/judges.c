#include "db/judges.h"

#include <stdio.h>
#include <string.h>

#include "db/pq.h"

static const char *const clears[] = { "position", "game", "remote" };
static const char *const aparts[] = { "searchmoves", "after", "each" };

/* Index of a column's text among `n` names. */
static uint8_t one_of(struct ipr_db_row *r, const char *column, const char *const *names, size_t n)
{
    const char *text = ipr_db_col_text(r, column);

    for (size_t i = 0; i < n; i++)
        if (strcmp(text, names[i]) == 0)
            return (uint8_t)i;
    if (r->rc == IPR_OK)
        r->rc = ipr_err_set(r->err, IPR_EDB, "column %s holds %s", column, text);
    return 0;
}

/* The columns a judge and a definition have in common. */
static void fill_search(struct ipr_db_row *r, struct ipr_judge *j)
{
    snprintf(j->name, sizeof j->name, "%s", ipr_db_col_text(r, "name"));
    j->multipv = (uint16_t)ipr_db_col_int(r, "multipv", 1, UINT16_MAX);
    j->depth = (uint16_t)ipr_db_col_int(r, "depth", 0, UINT16_MAX);
    j->nodes = (uint32_t)ipr_db_col_int(r, "nodes", 0, UINT32_MAX);
    j->time_ms = (uint32_t)ipr_db_col_int(r, "time_ms", 0, UINT32_MAX);
    j->hash_mb = (uint16_t)ipr_db_col_int(r, "hash_mb", 1, UINT16_MAX);
    j->threads = (uint16_t)ipr_db_col_int(r, "threads", 1, UINT16_MAX);
    j->first_move = (uint16_t)ipr_db_col_int(r, "first_move", 1, UINT16_MAX);
    j->clear = one_of(r, "clear", clears, sizeof clears / sizeof *clears);
}

static void fill_identity(struct ipr_db_row *r, struct ipr_judge *j)
{
    fill_search(r, j);
    snprintf(j->engine, sizeof j->engine, "%s", ipr_db_col_text(r, "engine"));
    snprintf(j->network, sizeof j->network, "%s", ipr_db_col_text(r, "network"));
    snprintf(j->options, sizeof j->options, "%s", ipr_db_col_text(r, "options"));
    j->apart = one_of(r, "apart", aparts, sizeof aparts / sizeof *aparts);
    j->tablebases = strstr(j->options, "SyzygyPath=") != NULL;
}

/* Who judges elsewhere has no searchmoves: the one wish that is not in the table. */
static void fill_wishes(struct ipr_db_row *r, struct ipr_judge *j)
{
    fill_search(r, j);
    snprintf(j->program, sizeof j->program, "%s", ipr_db_col_text(r, "program"));
    j->tablebases = ipr_db_col_bool(r, "tablebases");
    j->apart = j->clear == IPR_CLEAR_REMOTE ? IPR_APART_AFTER : IPR_APART_SEARCHMOVES;
}

/* The texts are copied into arrays: what the row lends need not outlive it. */
static void fill_copied(struct ipr_db_row *r, struct ipr_judge *j,
                        void (*fill)(struct ipr_db_row *, struct ipr_judge *))
{
    struct ipr_arena mem = IPR_ARENA_INIT, *outer = r->mem;

    r->mem = &mem;
    fill(r, j);
    r->mem = outer;
    ipr_arena_release(&mem);
}

static void fill_judge(struct ipr_db_row *r, void *out)
{
    fill_copied(r, out, fill_identity);
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

static void judge_params(struct ipr_db_params *p, const struct ipr_judge *j)
{
    ipr_db_p_text(p, j->name);
    ipr_db_p_text(p, j->engine);
    ipr_db_p_text(p, j->network);
    ipr_db_p_int(p, j->multipv);
    ipr_db_p_int(p, j->depth);
    ipr_db_p_int(p, j->hash_mb);
    ipr_db_p_int(p, j->threads);
    ipr_db_p_int(p, j->first_move);
    ipr_db_p_int(p, j->nodes);
    ipr_db_p_int(p, j->time_ms);
    ipr_db_p_text(p, clears[j->clear]);
    ipr_db_p_text(p, aparts[j->apart]);
    ipr_db_p_text(p, j->options);
}

static enum ipr_code judge_find(struct ipr_db *db, const struct ipr_judge *judge, int32_t *id,
                                struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    judge_params(&p, judge);
    return ipr_db_one(db, IPR_Q_JUDGE_FIND, &p, NULL, sizeof *id, ipr_db_fill_id32, id,
                      "no such judge", err);
}

enum ipr_code ipr_db_judge_ensure(struct ipr_db *db, const struct ipr_judge *judge, int32_t *id,
                                  struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    struct ipr_err first = IPR_ERR_INIT;
    enum ipr_code rc = judge_find(db, judge, id, &first);

    if (rc != IPR_ENOTFOUND) {
        if (rc != IPR_OK && err != NULL && err->code == IPR_OK)
            *err = first;
        return rc;
    }
    judge_params(&p, judge);
    rc = ipr_db_exec(db, IPR_Q_JUDGE_ADD, &p, NULL, err);
    if (rc == IPR_OK)
        rc = judge_find(db, judge, id, err);
    return rc;
}

enum ipr_code ipr_db_judge_get(struct ipr_db *db, int32_t id, struct ipr_judge *out,
                               struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, id);
    return ipr_db_one(db, IPR_Q_JUDGE_GET, &p, NULL, sizeof *out, fill_judge, out, "no such judge",
                      err);
}

enum ipr_code ipr_db_judge_by_name(struct ipr_db *db, const char *name, int32_t *id,
                                   struct ipr_judge *out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    struct ipr_db_judge_row row;

    ipr_db_p_text(&p, name);
    const enum ipr_code rc = ipr_db_one(db, IPR_Q_JUDGE_BY_NAME, &p, NULL, sizeof row, fill_row,
                                        &row, "no judge of that name has judged anything", err);
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

/* ---- definitions ------------------------------------------------------------------------------
 */

static void fill_definition(struct ipr_db_row *r, void *out)
{
    fill_copied(r, out, fill_wishes);
}

static void fill_definition_row(struct ipr_db_row *r, void *out)
{
    struct ipr_db_definition *d = out;

    fill_definition(r, &d->judge);
    d->built_in = ipr_db_col_bool(r, "built_in");
    d->creator = ipr_db_col_text(r, "creator");
    d->created = ipr_db_col_text(r, "created");
}

static enum ipr_code add_definition(struct ipr_db *db, const struct ipr_judge *j, bool built_in,
                                    const char *creator, int64_t *added, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    if (!ipr_judge_valid(j))
        return ipr_err_set(err, IPR_EINVAL, "settings of judge %s", j->name);
    ipr_db_p_text(&p, j->name);
    ipr_db_p_text(&p, j->program);
    ipr_db_p_int(&p, j->multipv);
    ipr_db_p_int(&p, j->depth);
    ipr_db_p_int(&p, j->hash_mb);
    ipr_db_p_int(&p, j->threads);
    ipr_db_p_int(&p, j->first_move);
    ipr_db_p_int(&p, j->nodes);
    ipr_db_p_int(&p, j->time_ms);
    ipr_db_p_text(&p, clears[j->clear]);
    ipr_db_p_text(&p, j->tablebases ? "t" : "f");
    ipr_db_p_text(&p, built_in ? "t" : "f");
    ipr_db_p_text(&p, creator);
    return ipr_db_exec_count(db, IPR_Q_DEFINITION_ADD, &p, added, err);
}

enum ipr_code ipr_db_definitions_ensure(struct ipr_db *db, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    const struct ipr_judge *j;
    int64_t added;

    for (size_t i = 0; rc == IPR_OK && (j = ipr_judge_builtin_at(i)) != NULL; i++)
        rc = add_definition(db, j, true, "", &added, err);
    return rc;
}

enum ipr_code ipr_db_definition_get(struct ipr_db *db, const char *name, struct ipr_judge *out,
                                    struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;
    size_t n = 0;
    struct ipr_arena mem = IPR_ARENA_INIT;

    ipr_db_p_text(&p, name);
    enum ipr_code rc = ipr_db_list(db, IPR_Q_DEFINITION_GET, &p, &mem, sizeof *out, fill_definition,
                                   &list, &n, err);
    if (rc == IPR_OK && n == 0)
        rc = ipr_err_at(err, IPR_ENOTFOUND, "no_such_judge", 0, 0, -1, "no judge is named \"%s\"",
                        name);
    else if (rc == IPR_OK)
        *out = *(const struct ipr_judge *)list;
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_definition_add(struct ipr_db *db, const struct ipr_judge *judge,
                                    const char *creator, bool *fresh, struct ipr_err *err)
{
    struct ipr_judge there;
    int64_t added = 0;
    enum ipr_code rc = add_definition(db, judge, false, creator, &added, err);

    *fresh = rc == IPR_OK && added > 0;
    if (rc != IPR_OK || *fresh)
        return rc;
    rc = ipr_db_definition_get(db, judge->name, &there, err);
    if (rc != IPR_OK)
        return rc;
    if (strcmp(there.program, judge->program) != 0 || !ipr_judge_same_search(&there, judge))
        return ipr_err_at(err, IPR_ECONFLICT, "judge_exists", 0, 0, -1,
                          "a judge named \"%s\" searches otherwise", judge->name);
    return IPR_OK;
}

enum ipr_code ipr_db_definition_list(struct ipr_db *db, struct ipr_arena *mem,
                                     struct ipr_db_definition **rows, size_t *n,
                                     struct ipr_err *err)
{
    void *list = NULL;
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_DEFINITION_LIST, NULL, mem, sizeof **rows,
                                         fill_definition_row, &list, n, err);

    if (rc == IPR_OK)
        *rows = list;
    return rc;
}
