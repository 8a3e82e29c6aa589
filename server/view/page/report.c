/* The pages of the reports, and their common parts. */
#include "view/page/page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resource/resource.h"
#include "view/json.h"
#include "view/page/format.h"

static struct ipr_list_page_option report_options(const struct ipr_param_def *d, const char *chosen,
                                                  struct ipr_arena *mem)
{
    struct ipr_list_page_option options = { NULL, 0 };

    while (d->words[options.n] != NULL)
        options.n++;
    options.at = ipr_arena_alloc(mem, options.n, sizeof *options.at);
    for (size_t i = 0; i < options.n; i++)
        options.at[i] = (struct ipr_page_option){ d->words[i], strcmp(d->words[i], chosen) == 0 };
    return options;
}

/* Fields of the form that requests the report with other parameters. */
static struct ipr_list_page_field report_fields(const struct ipr_resource *r, const json_t *params,
                                                struct ipr_arena *mem)
{
    struct ipr_list_page_field fields = { NULL, 0 };
    size_t n = 0;

    while (r->params[n].name != NULL)
        n++;
    fields.at = ipr_shape_list(IPR_SHAPE_PAGE_FIELD, n, mem);
    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++) {
        struct ipr_page_field *const field = &fields.at[fields.n];
        json_t *const value = json_object_get(params, d->name);

        if (!ipr_param_is_own(d))
            continue;
        fields.n++;
        field->name = d->name;
        if (d->type == IPR_PARAM_CHOICE) {
            field->options = report_options(d, json_string_value(value), mem);
            continue;
        }
        field->value = json_incref(value);
        field->low = d->lo;
        field->high = d->hi;
    }
    return fields;
}

bool ipr_page_report(void *resource, void *out, struct ipr_arena *mem)
{
    const struct ipr_resource *r = ipr_resource_named(ipr_json_text_at(resource, "report.kind"));
    const bool computed = json_is_string(ipr_json_find(resource, "report.computed"));
    struct ipr_page_report *const page = out;

    if (r == NULL)
        return false;
    page->title = ipr_sentence_word(ipr_words("reports"), r->name);
    page->fields = report_fields(r, json_object_get(resource, "params"), mem);
    page->some_figures = ipr_json_at(resource, "games.with_moves", 0.0) <
                         ipr_json_at(resource, "games.counted", 0.0);
    page->waiting =
        !computed && strcmp(ipr_json_text_at(resource, "report.state"), "computing") == 0;
    page->older = computed && !ipr_json_true_at(resource, "report.current");
    page->answered = computed && json_object_get(resource, "reason") == NULL;
    return true;
}

/* ---- the comparisons: predictors beside each other, then match by match ---- */

/* In the order of the errors, whose last is no predictor; those that have hardly any prediction
 * apart. */
static void predictors_put(const json_t *errors, struct ipr_page_comparisons *page,
                           struct ipr_arena *mem)
{
    json_t *e;
    size_t i;

    page->predictors.at = ipr_arena_alloc(mem, json_array_size(errors) + 1, sizeof(char *));
    page->sparse = json_array();
    json_array_foreach(errors, i, e) {
        const size_t predicted = (size_t)ipr_json_at(e, "matches", 0.0);
        const char *const name = ipr_json_text_at(e, "predictor");

        if (strcmp(name, "even") == 0)
            continue;
        if (ipr_page_is_sparse(predicted, (size_t)page->matches))
            json_array_append(page->sparse, e);
        else
            page->predictors.at[page->predictors.n++] = name;
    }
}

/* Adds the errors over the common matches to those over all. */
static void errors_put_common(const json_t *resource)
{
    const json_t *common = ipr_json_find(resource, "common.errors");
    json_t *e;
    size_t i;

    json_array_foreach(json_object_get(resource, "errors"), i, e)
        ipr_page_put(e, IPR_SHAPE_PAGE_ERRORS,
                     &(struct ipr_page_errors){ json_incref(json_array_get(common, i)) });
}

static void matches_put(const json_t *matches, const struct ipr_list_text *predictors)
{
    json_t *match;
    size_t i;

    json_array_foreach(matches, i, match) {
        const double games = ipr_json_at(match, "games", 0.0);
        const double first = round(2.0 * games * ipr_json_at(match, "score", 0.0)) / 2.0;
        const struct ipr_page_match own = { json_array(), { first, games - first } };

        for (size_t k = 0; k < predictors->n; k++)
            json_array_append(own.cells, json_object_get(json_object_get(match, "predictions"),
                                                         predictors->at[k]));
        ipr_page_put(match, IPR_SHAPE_PAGE_MATCH, &own);
    }
}

bool ipr_page_comparisons(void *resource, void *out, struct ipr_arena *mem)
{
    const json_t *const matches = json_object_get(resource, "matches");
    const json_t *const needed = ipr_json_find(resource, "needs.matches");
    struct ipr_page_comparisons *const page = out;

    page->matches = (int64_t)json_array_size(matches);
    const int64_t left = (int64_t)ipr_json_at(resource, "available", 0.0) - page->matches;
    predictors_put(json_object_get(resource, "errors"), page, mem);
    if (!ipr_page_report(resource, &page->page_report, mem))
        return false;
    errors_put_common(resource);
    matches_put(matches, &page->predictors);
    if (needed != NULL) {
        char *const text = json_dumps(needed, JSON_COMPACT);

        page->needed = ipr_arena_printf(mem, "%s", text);
        free(text);
    }
    if (left > 0)
        page->left_out = left;
    return true;
}

/* ---- the royale ---- */

#define SHOWN       20 /* best years in the table; the JSON has more */
#define DRAWN       25 /* player-years in the drawing, as in static/plots/royale.js */
#define MOVES_SHOWN 10 /* links to moves */

static double square_at(const json_t *best, const char *square, size_t i, size_t j)
{
    const json_t *const value = json_array_get(json_array_get(json_object_get(best, square), i), j);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* The first n against each other. */
static struct ipr_list_page_best best_rows(const json_t *best, size_t n, struct ipr_arena *mem)
{
    const json_t *const years = json_object_get(best, "player_years");
    struct ipr_list_page_best rows = { ipr_arena_alloc(mem, n + 1, sizeof *rows.at), n };

    for (size_t i = 0; i < n; i++) {
        rows.at[i].first = json_incref(json_array_get(years, i));
        rows.at[i].cells =
            (struct ipr_list_page_best_cell){ ipr_arena_alloc(mem, n, sizeof *rows.at[i].cells.at),
                                              n };
        for (size_t j = 0; j < n; j++)
            rows.at[i].cells.at[j] = (struct ipr_page_best_cell){
                json_incref(json_array_get(years, j)), square_at(best, "expected", i, j),
                square_at(best, "low", i, j), square_at(best, "high", i, j)
            };
    }
    return rows;
}

/* The first player-years of the ranking, of how many only figures are stored, and how many have a
 * rank interval that shares a rank with that of the first. */
static void royale_put_ranking(const json_t *ranking, struct ipr_page_royale *page)
{
    json_t *const top = json_array_get(ranking, 0), *row;
    const double high = ipr_json_at(top, "rank_high", -1.0);
    size_t i;

    page->first = json_array();
    page->without_moves = page->neighbours = 0;
    json_array_foreach(ranking, i, row) {
        page->without_moves += !(ipr_json_at(row, "games_with_moves", 0.0) > 0.0);
        page->neighbours += i > 0 && ipr_json_at(row, "rank_low", INFINITY) <= high;
        if (i < MOVES_SHOWN)
            json_array_append(page->first, row);
    }
    if (high > 0.0)
        page->top = json_incref(top);
    page->drawn = i < DRAWN ? (int64_t)i : DRAWN;
}

bool ipr_page_royale(void *resource, void *out, struct ipr_arena *mem)
{
    const json_t *const best = json_object_get(resource, "best");
    const char *const verdict = ipr_json_text_at(resource, "order.verdict");
    const size_t there = json_array_size(json_object_get(best, "player_years"));
    const size_t n = there < SHOWN ? there : SHOWN;
    const int64_t left = (int64_t)ipr_json_at(best, "players", 0.0) - (int64_t)n;
    struct ipr_page_royale *const page = out;

    if (!ipr_page_report(resource, &page->page_report, mem))
        return false;
    page->ordered = strcmp(verdict, "ordered") == 0;
    page->disordered = strcmp(verdict, "disordered") == 0;
    page->same = strcmp(verdict, "same") == 0;
    page->no_errors = strcmp(verdict, "no_errors") == 0;
    page->by_elo = strcmp(ipr_json_text_at(resource, "compared_by.predictor"), "elo") == 0;
    page->rows = best_rows(best, n, mem);
    royale_put_ranking(json_object_get(resource, "ranking"), page);
    if (left > 0)
        page->left = left;
    return true;
}

/* ---- tables that show a part of what their plots show ---- */

/* Axes of n0 and b of the covariance report, and of the losses of the conformance report. */
#define EVERY_N0   8
#define EVERY_B    4
#define EVERY_LOSS 10

/* Every `step`th element. */
static json_t *sample_of(const json_t *list, size_t step)
{
    json_t *out = json_array();

    for (size_t i = 0; i < json_array_size(list); i += step)
        json_array_append(out, json_array_get(list, i));
    return out;
}

/* Points of the curves of all forms of the loss at the same x, side by side. */
static struct ipr_list_page_curve_row curve_rows(json_t *forms, struct ipr_arena *mem)
{
    struct ipr_list_page_curve_row rows = { NULL, 0 };
    const char *name;
    json_t *form;

    json_object_foreach(forms, name, form) {
        const json_t *curve = json_object_get(form, "curve");

        if (rows.at == NULL)
            rows.at = ipr_arena_alloc(mem, json_array_size(curve) + 1, sizeof *rows.at);
        for (size_t i = 0; i * EVERY_LOSS < json_array_size(curve); i++) {
            if (i == rows.n)
                rows.at[rows.n++].cells = json_array();
            json_array_append(rows.at[i].cells, json_array_get(curve, i * EVERY_LOSS));
        }
    }
    return rows;
}

bool ipr_page_report_conformance(void *resource, void *out, struct ipr_arena *mem)
{
    struct ipr_page_conformance *const page = out;

    page->curve_rows = curve_rows(json_object_get(resource, "forms"), mem);
    return ipr_page_report(resource, &page->page_report, mem);
}

bool ipr_page_report_covariance(void *resource, void *out, struct ipr_arena *mem)
{
    const json_t *const n0 = json_object_get(resource, "n0");
    struct ipr_page_covariance *const page = out;

    page->columns = sample_of(json_object_get(resource, "b"), EVERY_B);
    page->rows.at = ipr_arena_alloc(mem, json_array_size(n0) + 1, sizeof *page->rows.at);
    for (size_t i = 0; i < json_array_size(n0); i += EVERY_N0)
        page->rows.at[page->rows.n++] = (struct ipr_page_surface_row){
            json_incref(json_array_get(n0, i)),
            sample_of(json_array_get(json_object_get(resource, "rho"), i), EVERY_B)
        };
    return ipr_page_report(resource, &page->page_report, mem);
}

/* In a row "page" would hide that of the page: its address becomes "link". */
bool ipr_page_reports(void *resource, void *page __attribute__((unused)),
                      struct ipr_arena *mem __attribute__((unused)))
{
    json_t *reports = json_object_get(resource, "reports"), *one;
    size_t i;

    json_array_foreach(reports, i, one) {
        const struct ipr_resource *r = ipr_resource_of_page(ipr_json_text_at(one, "kind"));
        const struct ipr_page_report_link own = {
            ipr_json_text_at(one, "page"), r != NULL && ipr_resource_param(r, "calibration") != NULL
        };

        ipr_page_put(one, IPR_SHAPE_PAGE_REPORT_LINK, &own);
        json_object_del(one, "page");
    }
    return json_is_array(reports);
}
