/* The page of a table: the members marked `page` in server/answers.def. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "lab/papers/papers.h"
#include "view/json.h"
#include "view/page/page.h"

/* ---- percentage points ---- */

static void page_put_points(json_t *list, const char *member)
{
    json_t *one;
    size_t i;

    json_array_foreach(list, i, one)
        json_object_set_new(one, "points", ipr_json_num(100.0 * ipr_json_at(one, member, NAN)));
}

/* The gain of each method with its interval. */
static void page_put_gains(const json_t *columns)
{
    json_t *column;
    size_t i;

    json_array_foreach(columns, i, column) {
        json_t *gain = json_object_get(json_object_get(column, "errors"), "gain");

        if (json_is_object(gain))
            json_object_set_new(
                gain, "points",
                json_pack("{s:o, s:o, s:o}", "estimate",
                          ipr_json_num(100.0 * ipr_json_at(gain, "estimate", NAN)), "low",
                          ipr_json_num(100.0 * ipr_json_at(gain, "interval.low", NAN)), "high",
                          ipr_json_num(100.0 * ipr_json_at(gain, "interval.high", NAN))));
    }
}

/* ---- texts of cells ---- */

static json_t *page_text(double x, int digits)
{
    char text[IPR_NUMBER_TEXT];

    ipr_number_fixed(x, digits, text);
    return isfinite(x) ? json_string(text) : NULL;
}

static json_t *page_interval(double low, double high, int digits)
{
    char from[IPR_NUMBER_TEXT], to[IPR_NUMBER_TEXT];

    ipr_number_fixed(low, digits, from);
    ipr_number_fixed(high, digits, to);
    return isfinite(low) ? ipr_page_format("%s to %s", from, to) : NULL;
}

static json_t *page_signed(double x, int digits)
{
    char text[IPR_NUMBER_TEXT];

    if (!isfinite(x))
        return NULL;
    ipr_number_fixed(x, digits, text);
    const bool above = x > 0.0 && strpbrk(text, "123456789") != NULL;
    return ipr_page_format("%s%s", above ? "+" : "", text);
}

/* The figures of a cell with the digits of its column. */
static json_t *page_cell_figures(const json_t *cell, int digits)
{
    return json_pack("{s:o*, s:o*, s:o*, s:o*}", "printed",
                     page_text(ipr_json_at(cell, "printed", NAN), digits), "ours",
                     page_text(ipr_json_at(cell, "ours", NAN), digits), "interval",
                     page_interval(ipr_json_at(cell, "interval.low", NAN),
                                   ipr_json_at(cell, "interval.high", NAN), digits),
                     "difference", page_signed(ipr_json_at(cell, "difference", NAN), digits));
}

/* "63%". */
static json_t *page_percent(double share, int digits)
{
    return isfinite(share) ? ipr_page_format("%.*f%%", digits, 100.0 * share) : NULL;
}

static json_t *page_percents(const json_t *cell, const char *low, const char *high)
{
    const double from = ipr_json_at(cell, low, NAN), to = ipr_json_at(cell, high, NAN);

    return isfinite(from) && isfinite(to) ? ipr_page_format("%.0f–%.0f%%", 100.0 * from, 100.0 * to)
                                          : NULL;
}

/* Those of a predicted score; the difference is in percentage points. */
static json_t *page_cell_scores(const json_t *cell)
{
    return json_pack("{s:o*, s:o*, s:o*, s:o*, s:o*}", "printed",
                     page_percent(ipr_json_at(cell, "printed", NAN), 0), "ours",
                     page_percent(ipr_json_at(cell, "ours", NAN), 1), "interval",
                     page_percents(cell, "interval.low", "interval.high"), "match",
                     page_percents(cell, "match.interval.low", "match.interval.high"), "difference",
                     page_signed(100.0 * ipr_json_at(cell, "difference", NAN), 1));
}

static json_t *page_cell(const json_t *column, const json_t *cell, bool scores)
{
    json_t *out = scores ? page_cell_scores(cell)
                         : page_cell_figures(cell, (int)ipr_json_at(column, "digits", 0.0));

    json_object_set(out, "title", json_object_get(column, "title"));
    if (json_is_string(json_object_get(cell, "reason")))
        json_object_set(out, "reason", json_object_get(cell, "reason"));
    return out;
}

/* ---- rows and columns that have something ---- */

static bool page_cells_have(const json_t *cells, const char *member)
{
    const json_t *cell;
    size_t i;

    json_array_foreach(cells, i, cell) {
        if (json_object_get(cell, member) != NULL)
            return true;
    }
    return false;
}

/* True if a column has figures, of ours or of the paper, in more than a few rows. */
static bool page_column_shows(const json_t *rows, size_t column)
{
    const json_t *row;
    size_t i, filled = 0;

    json_array_foreach(rows, i, row) {
        const json_t *cell = json_array_get(json_object_get(row, "cells"), column);

        filled += json_is_number(json_object_get(cell, "ours")) ||
                  json_is_number(json_object_get(cell, "printed"));
    }
    return !ipr_page_is_sparse(filled, json_array_size(rows));
}

/* Adds a name to those that are without a figure for the same reason. */
static void page_add_without(json_t *without, const json_t *name, const char *reason)
{
    json_t *known = ipr_json_first(without, "reason", reason);

    if (known == NULL) {
        json_array_append_new(without, json_pack("{s:O, s:s}", "names", name, "reason", reason));
        return;
    }
    json_object_set_new(
        known, "names",
        json_sprintf("%s; %s", ipr_json_text_at(known, "names"), json_string_value(name)));
}

/* The reason of the first cell of a row that is in the paper alone is said below the table, if all
 * cells have the same. */
static void page_share_reason(const json_t *label, json_t *shown, json_t *without)
{
    const json_t *reason = json_object_get(json_array_get(shown, 0), "reason");
    json_t *cell;
    size_t i;

    if (page_cells_have(shown, "ours") || reason == NULL)
        return;
    json_array_foreach(shown, i, cell) {
        if (!json_equal(json_object_get(cell, "reason"), reason))
            return;
    }
    page_add_without(without, label, json_string_value(reason));
    json_array_foreach(shown, i, cell)
        json_object_del(cell, "reason");
}

/* `shown` of a row of figures, unless it has none: then it is named below the table, as is a row
 * without ours. */
static void page_put_row(const json_t *columns, json_t *row, json_t *without, json_t *without_ours)
{
    const json_t *const cells = json_object_get(row, "cells"), *const label =
                                                                   json_object_get(row, "label");
    json_t *const shown = json_array(), *column;
    size_t k;

    json_array_foreach(columns, k, column) {
        if (json_is_true(json_object_get(column, "shown")))
            json_array_append_new(shown, page_cell(column, json_array_get(cells, k), false));
    }
    if (page_cells_have(shown, "ours") || page_cells_have(shown, "printed")) {
        page_share_reason(label, shown, without_ours);
        json_object_set(row, "shown", shown);
    } else {
        page_add_without(without, label, ipr_json_text_at(json_array_get(cells, 0), "reason"));
    }
    json_decref(shown);
}

/* The table of values shows no row and no column that is empty; these are named below it. */
static void page_put_values(json_t *answer, const json_t *columns, const json_t *rows)
{
    json_t *without = json_array(), *without_ours = json_array(), *column, *row;
    bool some_reasons = false;
    size_t i;

    json_array_foreach(columns, i, column) {
        const double mean = ipr_json_at(column, "mean_difference", NAN);
        json_t *text = page_signed(mean, (int)ipr_json_at(column, "digits", 0.0));
        const bool shown = page_column_shows(rows, i);

        json_object_set_new(column, "shown", json_boolean(shown));
        if (text != NULL)
            json_object_set_new(column, "text", text);
        if (!shown)
            page_add_without(
                without, json_object_get(column, "title"),
                ipr_json_text_at(
                    json_array_get(json_object_get(json_array_get(rows, 0), "cells"), i),
                    "reason"));
    }
    json_array_foreach(rows, i, row) {
        page_put_row(columns, row, without, without_ours);
        some_reasons |= page_cells_have(json_object_get(row, "shown"), "reason");
    }
    json_object_set_new(answer, "some_reasons", json_boolean(some_reasons));
    json_object_set_new(answer, "without", without);
    json_object_set_new(answer, "without_ours", without_ours);
}

static void page_put_scores(const json_t *columns, const json_t *rows)
{
    json_t *row, *cell;
    size_t i, k;

    json_array_foreach(rows, i, row) {
        json_t *shown = json_array();

        json_array_foreach(json_object_get(row, "cells"), k, cell)
            json_array_append_new(shown, page_cell(json_array_get(columns, k), cell, true));
        json_object_set_new(row, "shown", shown);
    }
}

void ipr_paper_page(json_t *answer)
{
    json_t *const columns = json_object_get(answer, "columns");
    json_t *const rows = json_object_get(answer, "rows"), *row;
    const char *const form = ipr_json_text_at(answer, "form");
    size_t i;

    if (strcmp(form, "values") == 0) {
        page_put_values(answer, columns, rows);
    } else if (strcmp(form, "matches") == 0) {
        page_put_scores(columns, rows);
        page_put_points(columns, "mean_difference");
        page_put_gains(columns);
    } else {
        json_array_foreach(rows, i, row)
            page_put_points(json_object_get(row, "cells"), "difference");
        page_put_points(json_object_get(json_object_get(answer, "standings"), "rows"),
                        "difference");
    }
}
