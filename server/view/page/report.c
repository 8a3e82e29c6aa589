/* The pages of the reports, and their common parts. */
#include "view/page/page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resource/resource.h"
#include "view/json.h"
#include "view/page/format.h"

static json_t *report_options(const struct ipr_param_def *d, const char *chosen)
{
    json_t *options = json_array();

    for (size_t i = 0; d->words[i] != NULL; i++)
        json_array_append_new(options, json_pack("{s:s, s:b}", "value", d->words[i], "selected",
                                                 strcmp(d->words[i], chosen) == 0));
    return options;
}

/* "fields" of the form that requests the report with other parameters. */
static json_t *report_fields(const struct ipr_resource *r, const json_t *params)
{
    json_t *fields = json_array();

    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++) {
        json_t *const value = json_object_get(params, d->name);

        if (!ipr_param_is_own(d))
            continue;
        json_array_append_new(fields, d->type == IPR_PARAM_CHOICE
                                          ? json_pack("{s:s, s:o}", "name", d->name, "options",
                                                      report_options(d, json_string_value(value)))
                                          : json_pack("{s:s, s:O, s:f, s:f}", "name", d->name,
                                                      "value", value, "low", d->lo, "high", d->hi));
    }
    return fields;
}

static void put_report_state(const json_t *resource, json_t *page)
{
    const json_t *report = json_object_get(resource, "report");
    const bool computed = json_is_string(json_object_get(report, "computed"));
    const bool computing = strcmp(ipr_json_text_at(report, "state"), "computing") == 0;

    json_object_set_new(page, "waiting", json_boolean(computing && !computed));
    json_object_set_new(page, "older",
                        json_boolean(computed && !ipr_json_true_at(report, "current")));
    json_object_set_new(page, "answered",
                        json_boolean(computed && json_object_get(resource, "reason") == NULL));
}

bool ipr_page_report(json_t *resource, json_t *page)
{
    const struct ipr_resource *r = ipr_resource_named(ipr_json_text_at(resource, "report.kind"));

    if (r == NULL)
        return false;
    json_object_set_new(page, "title",
                        json_string(ipr_sentence_word(ipr_words("reports"), r->name)));
    json_object_set_new(page, "fields", report_fields(r, json_object_get(resource, "params")));
    json_object_set_new(page, "some_figures",
                        json_boolean(ipr_json_at(resource, "games.with_moves", 0.0) <
                                     ipr_json_at(resource, "games.counted", 0.0)));
    put_report_state(resource, page);
    return true;
}

/* ---- the comparisons: predictors beside each other, then match by match ---- */

/* In the order of the errors, whose last is no predictor; those that have hardly any prediction
 * apart, each
 * {"predictor", "matches"}. */
static json_t *predictor_list(const json_t *errors, size_t matches, json_t *sparse)
{
    json_t *list = json_array();
    json_t *e;
    size_t i;

    json_array_foreach(errors, i, e) {
        const size_t predicted = (size_t)ipr_json_at(e, "matches", 0.0);

        if (strcmp(ipr_json_text_at(e, "predictor"), "even") == 0)
            continue;
        if (ipr_page_is_sparse(predicted, matches))
            json_array_append(sparse, e);
        else
            json_array_append(list, json_object_get(e, "predictor"));
    }
    return list;
}

/* Adds the errors over the common matches to those over all. */
static void put_common_errors(const json_t *resource)
{
    const json_t *common = json_object_get(json_object_get(resource, "common"), "errors");
    json_t *e;
    size_t i;

    json_array_foreach(json_object_get(resource, "errors"), i, e)
        json_object_set(e, "common", json_array_get(common, i));
}

static void put_points(json_t *match)
{
    const double games = ipr_json_at(match, "games", 0.0);
    const double first = round(2.0 * games * ipr_json_at(match, "score", 0.0)) / 2.0;

    json_object_set_new(match, "points",
                        json_pack("{s:f, s:f}", "first", first, "second", games - first));
}

static void put_match_rows(const json_t *matches, const json_t *predictors)
{
    json_t *match;
    const json_t *name;
    size_t i, k;

    json_array_foreach(matches, i, match) {
        json_t *cells = json_array();

        json_array_foreach(predictors, k, name)
            json_array_append(cells, json_object_get(json_object_get(match, "predictions"),
                                                     json_string_value(name)));
        json_object_set_new(match, "cells", cells);
        put_points(match);
    }
}

/* The matches of the form that requests what they need. */
static void put_needed(const json_t *needs, json_t *page)
{
    const json_t *matches = json_object_get(needs, "matches");

    if (matches == NULL)
        return;
    char *text = json_dumps(matches, JSON_COMPACT);
    json_object_set_new(page, "needed", json_string(text));
    free(text);
}

bool ipr_page_comparisons(json_t *resource, json_t *page)
{
    const json_t *matches = json_object_get(resource, "matches");
    const double left = ipr_json_at(resource, "available", 0.0) - (double)json_array_size(matches);
    json_t *sparse = json_array();
    json_t *predictors =
        predictor_list(json_object_get(resource, "errors"), json_array_size(matches), sparse);

    json_object_set_new(page, "predictors", predictors);
    json_object_set_new(page, "sparse", sparse);
    json_object_set_new(page, "matches", json_integer((json_int_t)json_array_size(matches)));
    if (!ipr_page_report(resource, page))
        return false;
    put_common_errors(resource);
    put_match_rows(matches, predictors);
    put_needed(json_object_get(resource, "needs"), page);
    json_object_set_new(page, "left_out", left > 0.0 ? json_real(left) : json_null());
    return true;
}

/* ---- the royale ---- */

#define SHOWN       20 /* best years in the table; the JSON has more */
#define DRAWN       25 /* player-years in the drawing, as in static/plots/royale.js */
#define MOVES_SHOWN 10 /* links to moves */

static json_t *square_at(const json_t *best, const char *square, size_t i, size_t j)
{
    json_t *value = json_array_get(json_array_get(json_object_get(best, square), i), j);

    return value != NULL ? json_incref(value) : json_null();
}

/* [{"first", "cells": [{"second", "expected", "low", "high"}]}] of the first n. */
static json_t *best_rows(const json_t *best, size_t n)
{
    const json_t *years = json_object_get(best, "player_years");
    json_t *rows = json_array();

    for (size_t i = 0; i < n; i++) {
        json_t *cells = json_array();

        for (size_t j = 0; j < n; j++)
            json_array_append_new(cells, json_pack("{s:O, s:o, s:o, s:o}", "second",
                                                   json_array_get(years, j), "expected",
                                                   square_at(best, "expected", i, j), "low",
                                                   square_at(best, "low", i, j), "high",
                                                   square_at(best, "high", i, j)));
        json_array_append_new(
            rows, json_pack("{s:O, s:o}", "first", json_array_get(years, i), "cells", cells));
    }
    return rows;
}

/* The first player-years of the ranking, and of how many only figures are stored. */
static void royale_moves(const json_t *ranking, json_t *page)
{
    json_t *first = json_array(), *row;
    size_t figures = 0, i;

    json_array_foreach(ranking, i, row) {
        figures += !(ipr_json_at(row, "games_with_moves", 0.0) > 0.0);
        if (i < MOVES_SHOWN)
            json_array_append(first, row);
    }
    json_object_set_new(page, "without_moves", json_integer((json_int_t)figures));
    json_object_set_new(page, "first", first);
}

/* The first of the ranking, and how many others have a rank interval with a rank of its own. */
static void royale_first(const json_t *ranking, json_t *page)
{
    const json_t *const first = json_array_get(ranking, 0), *row;
    const double high = ipr_json_at(first, "rank_high", -1.0);
    json_int_t n = 0;
    size_t i;

    json_array_foreach(ranking, i, row)
        n += i > 0 && ipr_json_at(row, "rank_low", INFINITY) <= high;
    if (high > 0.0)
        json_object_set(page, "top", json_array_get(ranking, 0));
    json_object_set_new(page, "neighbours", json_integer(n));
}

bool ipr_page_royale(json_t *resource, json_t *page)
{
    const json_t *best = json_object_get(resource, "best");
    const size_t there = json_array_size(json_object_get(best, "player_years"));
    const size_t n = there < SHOWN ? there : SHOWN;
    const double left = ipr_json_at(best, "players", 0.0) - (double)n;
    const size_t ranked = json_array_size(json_object_get(resource, "ranking"));

    if (!ipr_page_report(resource, page))
        return false;
    json_object_set_new(page, "drawn", json_integer(ranked < DRAWN ? (int)ranked : DRAWN));
    json_object_set_new(page, ipr_json_text_at(resource, "order.verdict"), json_true());
    if (strcmp(ipr_json_text_at(resource, "compared_by.predictor"), "elo") == 0)
        json_object_set_new(page, "by_elo", json_true());
    json_object_set_new(page, "rows", best_rows(best, n));
    royale_moves(json_object_get(resource, "ranking"), page);
    royale_first(json_object_get(resource, "ranking"), page);
    json_object_set_new(page, "left", left > 0.0 ? json_real(left) : json_null());
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
static json_t *curve_rows(json_t *forms)
{
    json_t *rows = json_array(), *form;
    const char *name;

    json_object_foreach(forms, name, form) {
        const json_t *curve = json_object_get(form, "curve");

        for (size_t i = 0; i * EVERY_LOSS < json_array_size(curve); i++) {
            if (i == json_array_size(rows))
                json_array_append_new(rows, json_pack("{s:[]}", "cells"));
            json_array_append(json_object_get(json_array_get(rows, i), "cells"),
                              json_array_get(curve, i * EVERY_LOSS));
        }
    }
    return rows;
}

bool ipr_page_report_conformance(json_t *resource, json_t *page)
{
    if (!ipr_page_report(resource, page))
        return false;
    json_object_set_new(page, "curve_rows", curve_rows(json_object_get(resource, "forms")));
    return true;
}

static json_t *surface_rows(const json_t *resource)
{
    const json_t *n0 = json_object_get(resource, "n0"), *rho = json_object_get(resource, "rho");
    json_t *rows = json_array();

    for (size_t i = 0; i < json_array_size(n0); i += EVERY_N0)
        json_array_append_new(rows, json_pack("{s:O, s:o}", "n0", json_array_get(n0, i), "cells",
                                              sample_of(json_array_get(rho, i), EVERY_B)));
    return rows;
}

bool ipr_page_report_covariance(json_t *resource, json_t *page)
{
    if (!ipr_page_report(resource, page))
        return false;
    json_object_set_new(page, "columns", sample_of(json_object_get(resource, "b"), EVERY_B));
    json_object_set_new(page, "rows", surface_rows(resource));
    return true;
}

/* In a row "page" would hide that of the page: its address becomes "link". */
bool ipr_page_reports(json_t *resource, json_t *page __attribute__((unused)))
{
    json_t *reports = json_object_get(resource, "reports"), *one;
    size_t i;

    json_array_foreach(reports, i, one) {
        const struct ipr_resource *r = ipr_resource_of_page(ipr_json_text_at(one, "kind"));

        json_object_set(one, "link", json_object_get(one, "page"));
        json_object_del(one, "page");
        json_object_set_new(
            one, "calibrated",
            json_boolean(r != NULL && ipr_resource_param(r, "calibration") != NULL));
    }
    return json_is_array(reports);
}
