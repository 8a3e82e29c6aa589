/* Judges. */
#include "db/judges.h"

#include <string.h>

#include "core/judge_json.h"
#include "view/figure/shape.h"
#include "view/json.h"
#include "view/view.h"

/* All definitions, and all judges with judged games. */
struct judges {
    struct ipr_db_definition *defined;
    size_t n_defined;
    struct ipr_db_judge_row *rows;
    size_t n;
};

/* The judges with a name, with their sums. */
static void judge_identities(const struct judges *all, struct ipr_answer_judge_definition *out,
                             struct ipr_arena *mem)
{
    out->identities.at = ipr_shape_list(IPR_SHAPE_JUDGE_IDENTITY, all->n, mem);
    out->games = out->turns = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct ipr_db_judge_row *const row = &all->rows[i];

        if (strcmp(row->judge.name, out->name) != 0)
            continue;
        struct ipr_answer_judge_identity *const one = &out->identities.at[out->identities.n++];
        json_t *const json = ipr_judge_describe(&row->judge);

        ipr_shape_read(IPR_SHAPE_JUDGE_IDENTITY, json, mem, one);
        json_decref(json);
        one->id = (size_t)row->id;
        out->games += one->games = row->games;
        out->turns += one->turns = row->turns;
    }
}

/* Program of the definition with that name; "" when it is not defined. */
static const char *program_of(const struct judges *all, const char *name)
{
    for (size_t i = 0; i < all->n_defined; i++)
        if (strcmp(all->defined[i].judge.name, name) == 0)
            return all->defined[i].judge.program;
    return "";
}

/* The definition may exclude it; otherwise it depends on the engine, and is null until an engine of
 * that program has answered. */
static int judge_reproducible(const struct judges *all, const struct ipr_judge *defined)
{
    bool answered = false, same = true;

    if (!ipr_judge_is_pure(defined))
        return false;
    for (size_t i = 0; i < all->n; i++) {
        const struct ipr_judge *is = &all->rows[i].judge;

        if (strcmp(program_of(all, is->name), defined->program) != 0)
            continue;
        answered = true;
        same = same && strstr(is->options, IPR_IRREPRODUCIBLE) == NULL;
    }
    return answered ? same : IPR_NULL_FLAG;
}

static void judge_defined(const struct judges *all, const struct ipr_db_definition *d,
                          struct ipr_answer_judge_definition *out, struct ipr_arena *mem)
{
    json_t *const json = ipr_definition_to_json(&d->judge);

    ipr_shape_read(IPR_SHAPE_JUDGE_DEFINITION, json, mem, out);
    json_decref(json);
    out->defined = true;
    out->reproducible = judge_reproducible(all, &d->judge);
    out->built_in = d->built_in;
    out->retired = d->built_in && ipr_judge_retired(d->judge.name);
    out->created_by = d->creator;
    out->created = d->created;
}

static bool judge_is_listed(const struct ipr_list_judge_definition *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->at[i].name, name) == 0)
            return true;
    return false;
}

/* The definition of a name, and the judges with it: another engine, network or set of options is
 * another identity. Names that occur only in imported evaluations are not defined and have only
 * name, sums and identities. */
enum ipr_code ipr_fill_judges(const struct ipr_view *v,
                              const struct ipr_judges_request *p __attribute__((unused)),
                              struct ipr_answer_judges *out, struct ipr_err *err)
{
    struct ipr_list_judge_definition *const list = &out->judges;
    struct judges all = { 0 };

    enum ipr_code rc = ipr_db_definition_list(v->db, v->mem, &all.defined, &all.n_defined, err);
    if (rc == IPR_OK)
        rc = ipr_db_judge_list(v->db, v->mem, &all.rows, &all.n, err);
    if (rc != IPR_OK)
        return rc;
    list->at = ipr_shape_list(IPR_SHAPE_JUDGE_DEFINITION, all.n_defined + all.n, v->mem);
    for (size_t i = 0; i < all.n_defined; i++)
        judge_defined(&all, &all.defined[i], &list->at[list->n++], v->mem);
    for (size_t i = 0; i < all.n; i++)
        if (!judge_is_listed(list, all.rows[i].judge.name)) {
            list->at[list->n].name = all.rows[i].judge.name;
            list->at[list->n++].defined = false;
        }
    for (size_t i = 0; i < list->n; i++)
        judge_identities(&all, &list->at[i], v->mem);
    return IPR_OK;
}

enum ipr_code ipr_view_judge(const struct ipr_view *v, const struct ipr_judge_request *p,
                             json_t **out, struct ipr_err *err)
{
    const struct ipr_judges_request every = IPR_JUDGES_REQUEST_INIT;
    json_t *all = NULL;

    const enum ipr_code rc = ipr_view_judges(v, &every, &all, err);
    if (rc != IPR_OK)
        return rc;
    *out = json_incref(ipr_json_first(json_object_get(all, "judges"), "name", p->name));
    json_decref(all);
    if (*out != NULL)
        return IPR_OK;
    return ipr_err_at(err, IPR_ENOTFOUND, "no_such_judge", 0, 0, -1, "no engine setting \"%.40s\"",
                      p->name);
}
