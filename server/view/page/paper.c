/* The page of a paper's table. */
#include <math.h>
#include <string.h>

#include "base/number.h"
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

/* ---- values ---- */

static json_t *paper_text(double x, int digits)
{
    char text[IPR_NUMBER_TEXT];

    ipr_number_fixed(x, digits, text);
    return isfinite(x) ? json_string(text) : json_null();
}

static json_t *paper_interval_text(double low, double high, int digits)
{
    char from[IPR_NUMBER_TEXT], to[IPR_NUMBER_TEXT];

    ipr_number_fixed(low, digits, from);
    ipr_number_fixed(high, digits, to);
    return isfinite(low) ? ipr_page_format("%s to %s", from, to) : json_null();
}

static json_t *paper_signed_text(double x, int digits)
{
    char text[IPR_NUMBER_TEXT];

    ipr_number_fixed(x, digits, text);
    const bool above = x > 0.0 && strpbrk(text, "123456789") != NULL;
    return isfinite(x) ? ipr_page_format("%s%s", above ? "+" : "", text) : json_null();
}

/* The figures of a cell with the digits of its column. */
static json_t *paper_cell_texts(const json_t *cell, int digits)
{
    const double low = ipr_json_at(cell, "interval.low", NAN);
    const double high = ipr_json_at(cell, "interval.high", NAN);

    return json_pack("{s:o, s:o, s:o, s:o}", "printed",
                     paper_text(ipr_json_at(cell, "printed", NAN), digits), "ours",
                     paper_text(ipr_json_at(cell, "ours", NAN), digits), "interval",
                     paper_interval_text(low, high, digits), "difference",
                     paper_signed_text(ipr_json_at(cell, "difference", NAN), digits));
}

static void paper_put_texts(const json_t *columns, json_t *rows)
{
    json_t *column, *row;
    size_t i, k;

    json_array_foreach(columns, k, column) {
        const int digits = (int)ipr_json_at(column, "digits", 0.0);

        json_object_set_new(column, "text",
                            paper_signed_text(ipr_json_at(column, "mean_difference", NAN), digits));
        json_array_foreach(rows, i, row) {
            json_t *cell = json_array_get(json_object_get(row, "cells"), k);

            json_object_set_new(cell, "text", paper_cell_texts(cell, digits));
        }
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
    if (strcmp(ipr_json_text_at(resource, "form"), "values") == 0)
        paper_put_texts(json_object_get(resource, "columns"), rows);
    json_object_set(page, "pairs", rows); /* within "standings" too, which have rows of their own */
    json_object_set_new(page, "title", json_incref(json_object_get(resource, "title")));
    return true;
}
