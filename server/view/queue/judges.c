/* Judges. */
#include "db/judges.h"

#include <string.h>

#include "core/judge_json.h"
#include "view/json.h"
#include "view/view.h"

static json_t *identity_json(const struct ipr_db_judge_row *row)
{
    json_t *out = ipr_judge_describe(&row->judge);

    json_object_set_new(out, "id", json_integer(row->id));
    json_object_set_new(out, "games", json_integer(row->games));
    json_object_set_new(out, "turns", json_integer(row->turns));
    return out;
}

/* The judges with a name, with their sums. */
static void add_judge_identities(const char *name, const struct ipr_db_judge_row *rows, size_t n,
                                 json_t *out)
{
    json_t *list = json_array();
    int64_t games = 0, turns = 0;

    for (size_t i = 0; i < n; i++) {
        if (strcmp(rows[i].judge.name, name) != 0)
            continue;
        json_array_append_new(list, identity_json(&rows[i]));
        games += rows[i].games;
        turns += rows[i].turns;
    }
    json_object_set_new(out, "games", json_integer(games));
    json_object_set_new(out, "turns", json_integer(turns));
    json_object_set_new(out, "identities", list);
}

/* All definitions, and all judges with judged games. */
struct judges {
    struct ipr_db_definition *defined;
    size_t n_defined;
    struct ipr_db_judge_row *rows;
    size_t n;
};

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
static json_t *reproducible_json(const struct judges *all, const struct ipr_judge *defined)
{
    bool answered = false, same = true;

    if (!ipr_judge_is_pure(defined))
        return json_false();
    for (size_t i = 0; i < all->n; i++) {
        const struct ipr_judge *is = &all->rows[i].judge;

        if (strcmp(program_of(all, is->name), defined->program) != 0)
            continue;
        answered = true;
        same = same && strstr(is->options, IPR_IRREPRODUCIBLE) == NULL;
    }
    return answered ? json_boolean(same) : json_null();
}

static json_t *definition_json(const struct judges *all, const struct ipr_db_definition *d)
{
    json_t *out = ipr_definition_to_json(&d->judge);

    json_object_set_new(out, "defined", json_true());
    json_object_set_new(out, "reproducible", reproducible_json(all, &d->judge));
    json_object_set_new(out, "built_in", json_boolean(d->built_in));
    json_object_set_new(out, "retired",
                        json_boolean(d->built_in && ipr_judge_retired(d->judge.name)));
    json_object_set_new(out, "created_by", ipr_json_text(d->creator));
    json_object_set_new(out, "created", ipr_json_text(d->created));
    return out;
}

/* The definition of a name, and the judges with it: another engine, network or set of options is
 * another identity. Names that occur only in imported evaluations are not defined and have only
 * name, sums and identities. */
enum ipr_code ipr_view_judges(const struct ipr_view *v, const struct ipr_judges_request *p,
                              json_t **out, struct ipr_err *err)
{
    struct judges all = { 0 };

    (void)p;
    enum ipr_code rc = ipr_db_definition_list(v->db, v->mem, &all.defined, &all.n_defined, err);
    if (rc == IPR_OK)
        rc = ipr_db_judge_list(v->db, v->mem, &all.rows, &all.n, err);
    if (rc != IPR_OK)
        return rc;
    json_t *list = json_array();
    for (size_t i = 0; i < all.n_defined; i++)
        json_array_append_new(list, definition_json(&all, &all.defined[i]));
    for (size_t i = 0; i < all.n; i++)
        if (ipr_json_first(list, "name", all.rows[i].judge.name) == NULL)
            json_array_append_new(
                list, json_pack("{s:s, s:b}", "name", all.rows[i].judge.name, "defined", 0));
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *one = json_array_get(list, i);
        add_judge_identities(ipr_json_text_at(one, "name"), all.rows, all.n, one);
    }
    *out = json_pack("{s:o}", "judges", list);
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
