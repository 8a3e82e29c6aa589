/* Papers with tables, and the list of the tables. */
#include "view/paper/paper.h"

#include <string.h>

#include "view/document.h"
#include "view/json.h"

static const char *const papers[] = { "alliot-2017", "regan-haworth-2011", "di-fatta-2009",
                                      "regan-2019" };

#define PAPERS (sizeof papers / sizeof *papers)

static enum ipr_code paper_read(const struct ipr_view *v, const char *name, json_t **out,
                                struct ipr_err *err)
{
    return ipr_view_document(v, ipr_arena_printf(v->mem, "papers/%s.json", name), out, err);
}

enum ipr_code ipr_paper_load(const struct ipr_view *v, const char *name, json_t **out,
                             struct ipr_err *err)
{
    for (size_t i = 0; i < PAPERS; i++)
        if (strcmp(papers[i], name) == 0)
            return paper_read(v, papers[i], out, err);
    return ipr_err_set(err, IPR_ENOTFOUND, "no tables of a paper \"%.40s\"", name);
}

const json_t *ipr_paper_find(const json_t *paper, const char *list, const char *key,
                             const char *name)
{
    const json_t *one;
    size_t i;

    json_array_foreach(json_object_get(paper, list), i, one) {
        if (strcmp(ipr_json_text_at(one, key), name) == 0)
            return one;
    }
    return NULL;
}

static void papers_add(const struct ipr_view *v, const char *name, const json_t *paper,
                       json_t *list)
{
    const json_t *table;
    size_t i;

    json_array_foreach(json_object_get(paper, "tables"), i, table) {
        const char *number = ipr_json_text_at(table, "table");

        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:O, s:O, s:O, s:O, s:I, s:s, s:s}", "paper", name, "table",
                      number, "place", json_object_get(table, "place"), "title",
                      json_object_get(table, "title"), "source", json_object_get(paper, "source"),
                      "form", json_object_get(table, "form"), "rows",
                      (json_int_t)json_array_size(json_object_get(table, "rows")), "href",
                      ipr_arena_printf(v->mem, "/api/v1/papers/%s/%s", name, number), "page",
                      ipr_arena_printf(v->mem, "/papers/%s/%s", name, number)));
    }
}

static void papers_add_figures(const struct ipr_view *v, const char *name, const json_t *paper,
                               json_t *list)
{
    const json_t *figure;
    size_t i;

    json_array_foreach(json_object_get(paper, "figures"), i, figure) {
        const char *number = ipr_json_text_at(figure, "figure");

        json_array_append_new(
            list,
            json_pack("{s:s, s:O, s:O, s:O, s:O, s:O, s:s, s:s}", "paper", name, "figure",
                      json_object_get(figure, "figure"), "place", json_object_get(figure, "place"),
                      "title", json_object_get(figure, "title"), "source",
                      json_object_get(paper, "source"), "kind", json_object_get(figure, "kind"),
                      "href",
                      ipr_arena_printf(v->mem, "/api/v1/papers/%s/figures/%s", name, number),
                      "page", ipr_arena_printf(v->mem, "/papers/%s/figures/%s", name, number)));
    }
}

enum ipr_code ipr_view_papers(const struct ipr_view *v, const struct ipr_paper_tables_request *p,
                              json_t **out, struct ipr_err *err)
{
    json_t *list = json_array(), *figures = json_array();
    enum ipr_code rc = IPR_OK;

    (void)p;
    for (size_t i = 0; i < PAPERS && rc == IPR_OK; i++) {
        json_t *paper = NULL;

        rc = paper_read(v, papers[i], &paper, err);
        if (rc == IPR_OK) {
            papers_add(v, papers[i], paper, list);
            papers_add_figures(v, papers[i], paper, figures);
        }
        json_decref(paper);
    }
    if (rc == IPR_OK)
        *out = json_pack("{s:O, s:O}", "tables", list, "figures", figures);
    json_decref(list);
    json_decref(figures);
    return rc;
}
