/* The page of the comparisons: predictors beside each other, then match by match. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "view/json.h"
#include "view/page/words.h"

static const char *title_of(const char *predictor)
{
    return ipr_words_text(ipr_words("predictors"), predictor);
}

static json_t *error_text(const json_t *e)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "value",
                     ipr_page_share(ipr_json_at(e, "estimate", NAN)), "reason",
                     ipr_json_text(ipr_json_text_at(e, "reason")), "interval",
                     ipr_page_interval_share(json_object_get(e, "interval")), "no_interval",
                     ipr_json_text(ipr_json_text_at(e, "interval_reason")), "matches",
                     ipr_page_count(ipr_json_at(e, "matches", NAN)));
}

static json_t *error_rows(const json_t *resource)
{
    const json_t *common = json_object_get(json_object_get(resource, "common"), "errors");
    json_t *rows = json_array();
    const json_t *e;
    size_t i;

    json_array_foreach(json_object_get(resource, "errors"), i, e)
        json_array_append_new(
            rows, json_pack("{s:s, s:o, s:o}", "name", title_of(ipr_json_text_at(e, "predictor")),
                            "own", error_text(e), "common", error_text(json_array_get(common, i))));
    return rows;
}

static json_t *prediction_cell(const json_t *p)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "expected",
                     ipr_page_share(ipr_json_at(p, "expected", NAN)), "interval",
                     ipr_page_interval_share(json_object_get(p, "interval")), "error",
                     ipr_page_share(ipr_json_at(p, "absolute_error", NAN)), "reason",
                     ipr_json_text(ipr_json_text_at(p, "reason")));
}

/** In the order of the errors, whose last is no predictor. */
static json_t *prediction_cells(const json_t *match, const json_t *errors)
{
    const json_t *predictions = json_object_get(match, "predictions");
    json_t *cells = json_array();

    for (size_t i = 0; i + 1 < json_array_size(errors); i++)
        json_array_append_new(
            cells, prediction_cell(json_object_get(
                       predictions, ipr_json_text_at(json_array_get(errors, i), "predictor"))));
    return cells;
}

static json_t *match_row(const json_t *match, const json_t *errors)
{
    const double score = ipr_json_at(match, "score", NAN), games = ipr_json_at(match, "games", NAN);
    const double unplayed = ipr_json_at(match, "unplayed", 0.0);
    json_t *row =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "event",
                  ipr_json_text(ipr_json_text_at(match, "event.name")), "year",
                  ipr_page_format("%.0f", ipr_json_at(match, "year", 0.0)), "first",
                  ipr_json_text(ipr_json_text_at(match, "first.name")), "second",
                  ipr_json_text(ipr_json_text_at(match, "second.name")), "points",
                  ipr_page_format("%g : %g", score * games, games - score * games), "unplayed",
                  unplayed > 0.0 ? ipr_page_count(unplayed) : json_null(), "score",
                  ipr_page_share(score), "in_sample", ipr_json_true_at(match, "in_sample"));

    json_object_set_new(row, "cells", prediction_cells(match, errors));
    return row;
}

static json_t *head_names(const json_t *errors)
{
    json_t *heads = json_array();

    for (size_t i = 0; i + 1 < json_array_size(errors); i++)
        json_array_append_new(
            heads, json_string(title_of(ipr_json_text_at(json_array_get(errors, i), "predictor"))));
    return heads;
}

/** Where predictions proper can be had. */
static json_t *advice(const json_t *left)
{
    const double without = ipr_json_at(left, "without_match", 0.0);
    const double before = ipr_json_at(left, "year_before", 0.0);

    if (without > 0.0 && before > 0.0)
        return ipr_page_format("For predictions proper ask without the match's own games (there "
                               "is enough left for %.0f of them) or for the year before (for "
                               "%.0f).",
                               without, before);
    if (without > 0.0)
        return ipr_page_format("For predictions proper ask without the match's own games (there "
                               "is enough left for %.0f of them).",
                               without);
    if (before > 0.0)
        return ipr_page_format("For predictions proper ask for the year before (there is enough "
                               "for %.0f of them).",
                               before);
    return json_string("There is too little else of these players for predictions proper.");
}

bool ipr_page_comparisons(json_t *resource, json_t *page)
{
    const json_t *errors = json_object_get(resource, "errors");
    const json_t *matches = json_object_get(resource, "matches");
    const double available = ipr_json_at(resource, "available", 0.0);
    const double in_sample = ipr_json_at(resource, "in_sample", 0.0);
    json_t *rows;
    const json_t *m;
    size_t i;

    if (!ipr_page_report_form(resource, "Comparisons", page))
        return false;
    rows = json_array();
    json_array_foreach(matches, i, m)
        json_array_append_new(rows, match_row(m, errors));
    json_object_set_new(page, "rows", rows);
    json_object_set_new(page, "heads", head_names(errors));
    json_object_set_new(page, "error_rows", error_rows(resource));
    json_object_set_new(
        page, "common",
        ipr_page_plural(ipr_json_at(resource, "common.matches", 0.0), "match", "matches"));
    json_object_set_new(page, "in_sample",
                        in_sample > 0.0
                            ? ipr_page_format("%.0f of %zu", in_sample, json_array_size(matches))
                            : json_null());
    json_object_set_new(page, "advice", advice(json_object_get(resource, "out_of_sample")));
    json_object_set_new(page, "left_out",
                        available > (double)json_array_size(matches)
                            ? ipr_page_count(available - (double)json_array_size(matches))
                            : json_null());
    return true;
}
