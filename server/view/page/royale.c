/* The page of the royale. */
#include "view/page/page.h"

#include <math.h>

#include "view/json.h"

#define SHOWN 20 /* best years in the table; the JSON has more */

static void put_ranking_plots(const json_t *ranking, const struct ipr_axis *axis)
{
    json_t *r;
    size_t i;

    json_array_foreach(ranking, i, r) {
        const struct ipr_plot plot = {
            .estimate = ipr_json_at(r, "expected", NAN),
            .low = ipr_json_at(r, "interval.low", NAN),
            .high = ipr_json_at(r, "interval.high", NAN),
            .other = NAN,
            .name = "mean expected score",
        };
        json_object_set_new(r, "plot", ipr_plot_json(axis, &plot));
    }
}

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

bool ipr_page_royale(json_t *resource, json_t *page)
{
    const struct ipr_axis axis = ipr_axis_share();
    const json_t *best = json_object_get(resource, "best");
    const size_t there = json_array_size(json_object_get(best, "player_years"));
    const size_t n = there < SHOWN ? there : SHOWN;
    const double left = ipr_json_at(best, "players", 0.0) - (double)n;

    if (!ipr_page_report(resource, page))
        return false;
    put_ranking_plots(json_object_get(resource, "ranking"), &axis);
    json_object_set_new(page, "axis", ipr_axis_json(&axis));
    json_object_set_new(page, "rows", best_rows(best, n));
    json_object_set_new(page, "left", left > 0.0 ? json_real(left) : json_null());
    return true;
}
