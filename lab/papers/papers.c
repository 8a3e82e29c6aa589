/*
 * What /papers shows: the tables and figures of the papers of static/papers/PAPER.json, made from
 * the database of the settings, which has the samples and the champions, as files that the service
 * answers with. `make papers` is the way to run it.
 *
 *     papers FOLDER
 */
#include <errno.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "db/results.h"
#include "lab/papers/papers.h"
#include "sentence/sentence.h"
#include "stats/interval.h"
#include "view/document.h"
#include "view/json.h"
#include "view/page/format.h"

static const char *const papers[] = { "alliot-2017", "regan-haworth-2011", "di-fatta-2009",
                                      "regan-2019" };

#define PAPERS (sizeof papers / sizeof *papers)

struct papers_work {
    const struct ipr_config *config;
    struct ipr_db *db;
    const char *folder;
    json_t *tables, *figures; /* the list's */
    /* Printed figures of tables of values. */
    double of_values, printed, both, intervals, contained;
};

/* ---- the list ---- */

/* True if fewer intervals contain the printed figure than chance lets expect, at 95 %. */
static bool papers_differ(const struct papers_work *w)
{
    return w->contained / w->intervals < 0.95 - IPR_Z95 * sqrt(0.95 * 0.05 / w->intervals);
}

/* How many figures of tables of values are computed here, and how many of them agree. */
static json_t *papers_finding(const struct papers_work *w)
{
    char agree[200] = "";

    if (w->intervals > 0.0)
        snprintf(agree, sizeof agree,
                 " Of the %.0f with a 95%% interval of ours %.0f are within it, where %.0f are "
                 "expected if both measure the same: they %s by more than chance.",
                 w->intervals, w->contained, round(0.95 * w->intervals),
                 papers_differ(w) ? "differ" : "do not differ");
    return json_sprintf("%zu tables and %zu figures of %zu papers are beside ours. The %.0f tables "
                        "of values print %.0f figures, of which %.0f are computed here, too.%s",
                        json_array_size(w->tables), json_array_size(w->figures), PAPERS,
                        w->of_values, w->printed, w->both, agree);
}

static void papers_count(struct papers_work *w, const json_t *answer)
{
    const json_t *const columns = json_object_get(answer, "columns");

    w->of_values++;
    w->printed += ipr_json_sum(columns, "printed");
    w->both += ipr_json_sum(columns, "both");
    w->intervals += ipr_json_sum(columns, "intervals");
    w->contained += ipr_json_sum(columns, "contained");
}

static void papers_list_table(struct papers_work *w, const char *name, const json_t *answer)
{
    const char *number = ipr_json_text_at(answer, "table");

    if (strcmp(ipr_json_text_at(answer, "form"), "values") == 0)
        papers_count(w, answer);
    json_array_append_new(
        w->tables,
        json_pack("{s:s, s:s, s:O, s:O, s:O, s:O, s:I, s:o, s:o, s:O}", "paper", name, "table",
                  number, "place", json_object_get(answer, "place"), "title",
                  json_object_get(answer, "title"), "source", json_object_get(answer, "source"),
                  "form", json_object_get(answer, "form"), "rows",
                  (json_int_t)json_array_size(json_object_get(answer, "rows")), "href",
                  json_sprintf("/api/v1/papers/%s/%s", name, number), "page",
                  json_sprintf("/papers/%s/%s", name, number), "finding",
                  json_object_get(answer, "finding")));
}

static void papers_list_figure(struct papers_work *w, const char *name, const json_t *answer)
{
    const char *number = ipr_json_text_at(answer, "figure");

    json_array_append_new(w->figures,
                          json_pack("{s:s, s:s, s:O, s:O, s:O, s:O, s:o, s:o}", "paper", name,
                                    "figure", number, "place", json_object_get(answer, "place"),
                                    "title", json_object_get(answer, "title"), "source",
                                    json_object_get(answer, "source"), "kind",
                                    json_object_get(answer, "kind"), "href",
                                    json_sprintf("/api/v1/papers/%s/figures/%s", name, number),
                                    "page", json_sprintf("/papers/%s/figures/%s", name, number)));
}

/* ---- files ---- */

static enum ipr_code papers_write(const char *path, const json_t *answer, struct ipr_err *err)
{
    FILE *file = fopen(path, "w");
    bool ok = file != NULL;

    ok = ok && json_dumpf(answer, file, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) == 0;
    ok = ok && fputc('\n', file) != EOF;
    ok = (file == NULL || fclose(file) == 0) && ok;
    return ok ? IPR_OK : ipr_err_set(err, IPR_EIO, "%s: %s", path, strerror(errno));
}

static enum ipr_code papers_folder(const char *path, struct ipr_err *err)
{
    if (mkdir(path, 0755) == 0 || errno == EEXIST)
        return IPR_OK;
    return ipr_err_set(err, IPR_EIO, "%s: %s", path, strerror(errno));
}

typedef enum ipr_code papers_make_fn(const struct ipr_view *v, const json_t *paper,
                                     const json_t *def, json_t **out, struct ipr_err *err);
typedef void papers_list_fn(struct papers_work *w, const char *name, const json_t *answer);

/* Makes what a paper has of one kind, each in memory of its own, as files
 * FOLDER/PAPER/KINDNAME.json. */
static enum ipr_code papers_make(struct papers_work *w, const json_t *paper, const char *kind,
                                 papers_make_fn *make, papers_list_fn *list, struct ipr_err *err)
{
    const char *const name = ipr_json_text_at(paper, "paper");
    enum ipr_code rc = IPR_OK;
    const json_t *def;
    char kinds[16];
    size_t i;

    snprintf(kinds, sizeof kinds, "%ss", kind);
    json_array_foreach(json_object_get(paper, kinds), i, def) {
        char path[512];
        struct ipr_arena mem = IPR_ARENA_INIT;
        const struct ipr_view v = { .config = w->config, .db = w->db, .mem = &mem };
        json_t *answer = NULL;

        if (rc == IPR_OK)
            rc = make(&v, paper, def, &answer, err);
        snprintf(path, sizeof path, "%s/%s/%s-%s.json", w->folder, name, kind,
                 ipr_json_text_at(def, kind));
        if (rc == IPR_OK)
            rc = papers_write(path, answer, err);
        if (rc == IPR_OK)
            list(w, name, answer);
        json_decref(answer);
        ipr_arena_release(&mem);
    }
    return rc;
}

static enum ipr_code papers_make_paper(struct papers_work *w, const char *name, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const struct ipr_view v = { .config = w->config, .db = w->db, .mem = &mem };
    json_t *paper = NULL;

    enum ipr_code rc =
        ipr_view_document(&v, ipr_arena_printf(&mem, "papers/%s.json", name), &paper, err);
    if (rc == IPR_OK)
        rc = papers_folder(ipr_arena_printf(&mem, "%s/%s", w->folder, name), err);
    if (rc == IPR_OK)
        rc = papers_make(w, paper, "table", ipr_paper_make_table, papers_list_table, err);
    if (rc == IPR_OK)
        rc = papers_make(w, paper, "figure", ipr_paper_make_figure, papers_list_figure, err);
    json_decref(paper);
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code papers_make_all(struct papers_work *w, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    char path[512];

    w->tables = json_array();
    w->figures = json_array();
    for (size_t i = 0; i < PAPERS && rc == IPR_OK; i++)
        rc = papers_make_paper(w, papers[i], err);
    json_t *list = json_pack("{s:o, s:o, s:o}", "tables", w->tables, "figures", w->figures,
                             "finding", papers_finding(w));
    snprintf(path, sizeof path, "%s/list.json", w->folder);
    if (rc == IPR_OK)
        rc = papers_write(path, list, err);
    json_decref(list);
    return rc;
}

static enum ipr_code papers_run(int argc, char **argv, struct ipr_err *err)
{
    struct ipr_db_pool *pool = NULL;
    struct ipr_config config;
    struct ipr_args args;
    struct papers_work w = { .config = &config };
    bool fitted = false;
    enum ipr_code rc = ipr_config_read(argc, argv, NULL, &config, &args, err);

    if (rc == IPR_OK && args.n != 1)
        rc = ipr_err_set(err, IPR_EPARSE, "usage: papers FOLDER");
    if (rc == IPR_OK)
        rc = ipr_sentences_load("templates", ipr_page_formatters, err);
    if (rc == IPR_OK)
        rc = ipr_db_pool_open(config.database_url, 1, &pool, err);
    if (rc == IPR_OK)
        rc = ipr_db_lease(pool, &w.db, err);
    if (rc == IPR_OK)
        rc = ipr_db_results_fit(w.db, &fitted, err); /* as a service does in the background */
    if (rc == IPR_OK) {
        w.folder = args.words[0];
        rc = papers_make_all(&w, err);
    }
    ipr_db_return(&w.db);
    ipr_db_pool_close(&pool);
    return rc;
}

int main(int argc, char **argv)
{
    struct ipr_err err = IPR_ERR_INIT;

    json_object_seed(0);
    gsl_set_error_handler_off();
    if (sodium_init() < 0)
        return 1;
    const enum ipr_code rc = papers_run(argc, argv, &err);
    if (rc != IPR_OK)
        fprintf(stderr, "papers: %s\n", err.msg);
    return rc == IPR_OK ? 0 : 1;
}
