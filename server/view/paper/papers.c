/* Papers with tables, and the list of the tables. */
#include "view/paper/paper.h"

#include <math.h>
#include <string.h>

#include "stats/interval.h"
#include "view/document.h"
#include "view/json.h"
#include "view/view.h"

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

/* Printed figures of tables of values. */
struct papers_sums {
    double tables, printed, both, intervals, contained;
};

/* Sets "finding" of a table of values, which takes a fraction of a second. The others take up to
 * many: their pages say what they find. */
static enum ipr_code papers_compute(const struct ipr_view *v, json_t *entry, struct papers_sums *s,
                                    struct ipr_err *err)
{
    struct ipr_paper_table_request ask = IPR_PAPER_TABLE_REQUEST_INIT;
    json_t *answer = NULL;

    json_object_set_new(entry, "finding", json_null());
    if (strcmp(ipr_json_text_at(entry, "form"), "values") != 0)
        return IPR_OK;
    ask.paper = ipr_json_text_at(entry, "paper");
    ask.table = ipr_json_text_at(entry, "table");
    const enum ipr_code rc = ipr_view_paper_table(v, &ask, &answer, err);
    const json_t *const columns = json_object_get(answer, "columns");
    if (rc == IPR_OK) {
        json_object_set(entry, "finding", json_object_get(answer, "finding"));
        s->tables++;
        s->printed += ipr_json_sum(columns, "printed");
        s->both += ipr_json_sum(columns, "both");
        s->intervals += ipr_json_sum(columns, "intervals");
        s->contained += ipr_json_sum(columns, "contained");
    }
    json_decref(answer);
    return rc;
}

/* Whether fewer intervals contain the printed figure than chance lets expect, at 95 %. */
static bool papers_differ(const struct papers_sums *s)
{
    return s->contained / s->intervals < 0.95 - IPR_Z95 * sqrt(0.95 * 0.05 / s->intervals);
}

/* How many figures of tables of values are computed here, and how many of them agree. */
static const char *papers_finding(const struct papers_sums *s, size_t tables, size_t figures,
                                  struct ipr_arena *mem)
{
    const char *agree = "";

    if (s->intervals > 0.0)
        agree = ipr_arena_printf(mem,
                                 " Of the %.0f with a 95%% interval of ours %.0f are within it, "
                                 "where %.0f are expected if both measure the same: they %s by "
                                 "more than chance.",
                                 s->intervals, s->contained, round(0.95 * s->intervals),
                                 papers_differ(s) ? "differ" : "do not differ");
    return ipr_arena_printf(
        mem,
        "%zu tables and %zu figures of %zu papers are beside ours. The %.0f tables of values "
        "print %.0f figures, of which %.0f are computed here, too.%s",
        tables, figures, PAPERS, s->tables, s->printed, s->both, agree);
}

static enum ipr_code papers_add(const struct ipr_view *v, const char *name, const json_t *paper,
                                json_t *list, struct papers_sums *s, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    const json_t *table;
    size_t i;

    json_array_foreach(json_object_get(paper, "tables"), i, table) {
        const char *number = ipr_json_text_at(table, "table");

        if (rc != IPR_OK)
            break;
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:O, s:O, s:O, s:O, s:I, s:s, s:s}", "paper", name, "table",
                      number, "place", json_object_get(table, "place"), "title",
                      json_object_get(table, "title"), "source", json_object_get(paper, "source"),
                      "form", json_object_get(table, "form"), "rows",
                      (json_int_t)json_array_size(json_object_get(table, "rows")), "href",
                      ipr_arena_printf(v->mem, "/api/v1/papers/%s/%s", name, number), "page",
                      ipr_arena_printf(v->mem, "/papers/%s/%s", name, number)));
        rc = papers_compute(v, json_array_get(list, json_array_size(list) - 1), s, err);
    }
    return rc;
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
    struct papers_sums sums = { 0 };
    enum ipr_code rc = IPR_OK;

    (void)p;
    for (size_t i = 0; i < PAPERS && rc == IPR_OK; i++) {
        json_t *paper = NULL;

        rc = paper_read(v, papers[i], &paper, err);
        if (rc == IPR_OK)
            rc = papers_add(v, papers[i], paper, list, &sums, err);
        if (rc == IPR_OK)
            papers_add_figures(v, papers[i], paper, figures);
        json_decref(paper);
    }
    if (rc == IPR_OK)
        *out = json_pack(
            "{s:O, s:O, s:s}", "tables", list, "figures", figures, "finding",
            papers_finding(&sums, json_array_size(list), json_array_size(figures), v->mem));
    json_decref(list);
    json_decref(figures);
    return rc;
}
