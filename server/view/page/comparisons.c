/* The page of the comparisons: predictors beside each other, then match by match. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "view/json.h"

/* The order of the errors, whose last is no predictor. */
static json_t *predictor_list(const json_t *errors)
{
    json_t *list = json_array();
    const json_t *e;
    size_t i;

    json_array_foreach(errors, i, e) {
        if (strcmp(ipr_json_text_at(e, "predictor"), "even") != 0)
            json_array_append(list, json_object_get(e, "predictor"));
    }
    return list;
}

/* Puts the errors over the common matches beside those over all. */
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

bool ipr_page_comparisons(json_t *resource, json_t *page)
{
    const json_t *matches = json_object_get(resource, "matches");
    const double left = ipr_json_at(resource, "available", 0.0) - (double)json_array_size(matches);
    json_t *predictors = predictor_list(json_object_get(resource, "errors"));

    json_object_set_new(page, "predictors", predictors);
    if (!ipr_page_report(resource, page))
        return false;
    put_common_errors(resource);
    put_match_rows(matches, predictors);
    json_object_set_new(page, "left_out", left > 0.0 ? json_real(left) : json_null());
    return true;
}
