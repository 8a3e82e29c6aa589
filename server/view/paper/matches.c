/* The matches of a paper's table, whose predictions are wanted. */
#include "view/paper/matches.h"

#include <string.h>

#include "view/json.h"
#include "view/paper/paper.h"

/* A row of a paper's table as an element of the parameter; without both players in `left_out`. */
static enum ipr_code matches_add_row(const struct ipr_view_context *c, const json_t *paper,
                                     const json_t *row, json_t *list,
                                     struct ipr_list_match_left_out *left_out, struct ipr_err *err)
{
    const char **const name = ipr_arena_alloc(c->v->mem, 2, sizeof *name);
    json_t *year = json_object_get(row, "year");
    int32_t id[2] = { 0, 0 };

    name[0] = ipr_arena_printf(c->v->mem, "%s", ipr_json_text_at(row, "first.name"));
    name[1] = ipr_arena_printf(c->v->mem, "%s", ipr_json_text_at(row, "second.name"));
    enum ipr_code rc = ipr_paper_find_person(c, paper, name[0], &id[0], err);
    if (rc == IPR_OK)
        rc = ipr_paper_find_person(c, paper, name[1], &id[1], err);
    if (rc != IPR_OK)
        return rc;
    if (id[0] != 0 && id[1] != 0)
        json_array_append_new(
            list, json_pack("{s:[i, i], s:O}", "players", (int)id[0], (int)id[1], "year", year));
    else
        left_out->at[left_out->n++] =
            (struct ipr_answer_match_left_out){ { name, 2 }, json_integer_value(year) };
    return IPR_OK;
}

static enum ipr_code matches_add_rows(const struct ipr_view_context *c, const json_t *paper,
                                      const json_t *rows, json_t *list,
                                      struct ipr_list_match_left_out *left_out, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    const json_t *row;
    size_t i;

    left_out->at = ipr_arena_alloc(c->v->mem, json_array_size(rows) + 1, sizeof *left_out->at);
    json_array_foreach(rows, i, row) {
        if (rc == IPR_OK)
            rc = matches_add_row(c, paper, row, list, left_out, err);
    }
    if (rc == IPR_OK && json_array_size(list) == 0)
        rc = ipr_err_set(err, IPR_ENOTFOUND, "there are no games of these players");
    return rc;
}

/* "alliot-2017/5". */
static enum ipr_code matches_of_table(const struct ipr_view *v, const char *judge, const char *text,
                                      json_t *list, struct ipr_list_match_left_out *left_out,
                                      struct ipr_err *err)
{
    const size_t n = strcspn(text, "/");
    struct ipr_view_context c = { 0 };
    json_t *paper = NULL;

    enum ipr_code rc = ipr_paper_load(v, ipr_arena_strndup(v->mem, text, n), &paper, err);
    const json_t *table = ipr_json_first(json_object_get(paper, "tables"), "table",
                                         text[n] == '/' ? text + n + 1 : "");
    if (rc == IPR_OK && strcmp(ipr_json_text_at(table, "form"), "matches") != 0)
        rc = ipr_err_set(err, IPR_ENOTFOUND, "no table of matches \"%.40s\"", text);
    if (rc == IPR_OK)
        rc = ipr_setting_for(v, IPR_FOR_LINES, &(struct ipr_setting_scope){ .judge = judge }, &c,
                             err);
    if (rc == IPR_OK)
        rc = matches_add_rows(&c, paper, json_object_get(table, "rows"), list, left_out, err);
    ipr_view_context_close(&c);
    json_decref(paper);
    return rc;
}

enum ipr_code ipr_paper_plan_matches(const struct ipr_view *v, const char *judge,
                                     const struct ipr_view_matches *matches,
                                     struct ipr_list_match_left_out *left_out,
                                     struct ipr_db_plan *plan, struct ipr_err *err)
{
    const char *text = json_string_value(matches->list);
    struct ipr_view_matches of = *matches;

    if (text == NULL || text[0] == '[')
        return ipr_view_plan_matches(v, matches, plan, err);
    json_t *list = json_array();
    of.list = list;
    enum ipr_code rc = matches_of_table(v, judge, text, list, left_out, err);
    if (rc == IPR_OK)
        rc = ipr_view_plan_matches(v, &of, plan, err);
    json_decref(list);
    return rc;
}
