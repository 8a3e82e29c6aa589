/* The page of a paper's table. */
#include <math.h>

#include "view/json.h"
#include "view/page/page.h"

/* The difference in percentage points, or in those of a mean. */
static void paper_put_points(json_t *list, const char *member)
{
    json_t *one;
    size_t i;

    json_array_foreach(list, i, one)
        json_object_set_new(one, "points", ipr_json_num(100.0 * ipr_json_at(one, member, NAN)));
}

/* The gain of each method with its interval, in percentage points. */
static void paper_put_gains(const json_t *columns)
{
    json_t *column;
    size_t i;

    json_array_foreach(columns, i, column) {
        json_t *gain = json_object_get(json_object_get(column, "errors"), "gain");

        if (json_is_object(gain))
            json_object_set_new(gain, "points",
                                json_pack("{s:f, s:f, s:f}", "estimate",
                                          100.0 * ipr_json_at(gain, "estimate", NAN), "low",
                                          100.0 * ipr_json_at(gain, "interval.low", NAN), "high",
                                          100.0 * ipr_json_at(gain, "interval.high", NAN)));
    }
}

bool ipr_page_paper_table(json_t *resource, json_t *page)
{
    json_t *rows = json_object_get(resource, "rows"), *row;
    json_t *standings = json_object_get(resource, "standings");
    size_t i;

    if (!json_is_array(rows))
        return false;
    json_array_foreach(rows, i, row)
        paper_put_points(json_object_get(row, "cells"), "difference");
    paper_put_points(json_object_get(resource, "columns"), "mean_difference");
    paper_put_gains(json_object_get(resource, "columns"));
    paper_put_points(json_object_get(standings, "rows"), "difference");
    json_object_set(page, "pairs", rows); /* within "standings" too, which have rows of their own */
    json_object_set_new(page, "title",
                        ipr_page_format("Table %s: %s", ipr_json_text_at(resource, "table"),
                                        ipr_json_text_at(resource, "title")));
    return true;
}
