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

/* ---- cells ---- */

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

    if (!isfinite(x))
        return json_null();
    ipr_number_fixed(x, digits, text);
    const bool above = x > 0.0 && strpbrk(text, "123456789") != NULL;
    return ipr_page_format("%s%s", above ? "+" : "", text);
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

/* "63%". */
static json_t *paper_percent_text(double share, int digits)
{
    return isfinite(share) ? ipr_page_format("%.*f%%", digits, 100.0 * share) : json_null();
}

static json_t *paper_percents_text(const json_t *cell, const char *low, const char *high)
{
    const double from = ipr_json_at(cell, low, NAN), to = ipr_json_at(cell, high, NAN);

    return isfinite(from) && isfinite(to) ? ipr_page_format("%.0f–%.0f%%", 100.0 * from, 100.0 * to)
                                          : json_null();
}

/* Those of a predicted score; the difference is in percentage points. */
static json_t *paper_cell_scores(const json_t *cell)
{
    const double points = 100.0 * ipr_json_at(cell, "difference", NAN);

    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "printed",
                     paper_percent_text(ipr_json_at(cell, "printed", NAN), 0), "ours",
                     paper_percent_text(ipr_json_at(cell, "ours", NAN), 1), "interval",
                     paper_percents_text(cell, "interval.low", "interval.high"), "match",
                     paper_percents_text(cell, "match.interval.low", "match.interval.high"),
                     "difference", paper_signed_text(points, 1));
}

static void paper_put_texts(const json_t *columns, json_t *rows, bool scores)
{
    json_t *column, *row;
    size_t i, k;

    json_array_foreach(columns, k, column) {
        const int digits = (int)ipr_json_at(column, "digits", 0.0);

        json_object_set_new(column, "text",
                            paper_signed_text(ipr_json_at(column, "mean_difference", NAN), digits));
        json_array_foreach(rows, i, row) {
            json_t *cell = json_array_get(json_object_get(row, "cells"), k);

            json_object_set(cell, "title", json_object_get(column, "title"));
            json_object_set_new(cell, "text",
                                scores ? paper_cell_scores(cell) : paper_cell_texts(cell, digits));
        }
    }
}

/* ---- rows and columns that have something ---- */

static bool paper_cell_has(const json_t *cell, const char *member)
{
    return json_is_number(json_object_get(cell, member));
}

/* Cells with a figure of ours or of the paper. */
static size_t paper_cells_filled(const json_t *cells)
{
    const json_t *cell;
    size_t i, n = 0;

    json_array_foreach(cells, i, cell)
        n += paper_cell_has(cell, "ours") || paper_cell_has(cell, "printed");
    return n;
}

static bool paper_cells_have(const json_t *cells, const char *member)
{
    const json_t *cell;
    size_t i;

    json_array_foreach(cells, i, cell) {
        if (paper_cell_has(cell, member))
            return true;
    }
    return false;
}

/* Returns the cells of one column, from top to bottom. New reference. */
static json_t *paper_column_cells(const json_t *rows, size_t column)
{
    json_t *out = json_array();
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
        json_array_append(out, json_array_get(json_object_get(row, "cells"), column));
    return out;
}

/* Adds a name to those that are without a figure for the same reason as the cells. */
static void paper_add_without(json_t *without, const json_t *name, const json_t *cells)
{
    const char *reason = ipr_json_text_at(json_array_get(cells, 0), "reason");
    json_t *known = ipr_json_first(without, "reason", reason);

    if (known == NULL) {
        json_array_append_new(without, json_pack("{s:O, s:s}", "names", name, "reason", reason));
        return;
    }
    json_object_set_new(
        known, "names",
        json_sprintf("%s; %s", ipr_json_text_at(known, "names"), json_string_value(name)));
}

/* A row of the paper alone is named with its reason below the table, if its cells have the same. */
static void paper_share_reason(const json_t *row, json_t *cells, json_t *without)
{
    json_t *const reason = json_object_get(json_array_get(cells, 0), "reason"), *cell;
    size_t i;

    if (paper_cells_have(cells, "ours") || !json_is_string(reason))
        return;
    json_array_foreach(cells, i, cell) {
        if (!json_equal(json_object_get(cell, "reason"), reason))
            return;
    }
    paper_add_without(without, json_object_get(row, "label"), cells);
    json_array_foreach(cells, i, cell)
        json_object_set_new(cell, "reason", json_null());
}

/* The row with the cells of columns that are shown; NULL where it has no figure. New reference. */
static json_t *paper_shown_row(json_t *row, const bool *shown, json_t *without_ours)
{
    const json_t *cells = json_object_get(row, "cells");
    json_t *kept = json_array(), *cell;
    size_t k;

    json_array_foreach(cells, k, cell) {
        if (shown[k])
            json_array_append(kept, cell);
    }
    if (!paper_cells_have(kept, "ours") && !paper_cells_have(kept, "printed")) {
        json_decref(kept);
        return NULL;
    }
    json_t *out = json_copy(row);
    json_object_set_new(out, "cells", kept);
    paper_share_reason(row, kept, without_ours);
    return out;
}

/* `shown`: of each column, whether it has figures. */
static json_t *paper_shown_columns(const json_t *columns, const json_t *rows, bool *shown,
                                   json_t *without)
{
    json_t *out = json_array(), *column;
    size_t k;

    json_array_foreach(columns, k, column) {
        json_t *cells = paper_column_cells(rows, k);

        shown[k] = !ipr_page_is_sparse(paper_cells_filled(cells), json_array_size(cells));
        if (shown[k])
            json_array_append(out, column);
        else
            paper_add_without(without, json_object_get(column, "title"), cells);
        json_decref(cells);
    }
    return out;
}

static bool paper_some_players(const json_t *rows)
{
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
        if (json_is_object(json_object_get(row, "player")))
            return true;
    return false;
}

static bool paper_some_reasons(const json_t *rows)
{
    const json_t *row, *cell;
    size_t i, k;

    json_array_foreach(rows, i, row) {
        json_array_foreach(json_object_get(row, "cells"), k, cell) {
            if (json_is_string(json_object_get(cell, "reason")))
                return true;
        }
    }
    return false;
}

#define COLUMNS_MAX 32

/* The table of values shows no row and no column that is empty; these are named below it. */
static void paper_put_values(const json_t *columns, json_t *rows, json_t *page)
{
    bool shown[COLUMNS_MAX] = { false };
    json_t *without = json_array(), *without_ours = json_array(), *kept = json_array(), *row;
    size_t i;

    if (json_array_size(columns) <= COLUMNS_MAX)
        json_object_set_new(page, "columns", paper_shown_columns(columns, rows, shown, without));
    json_array_foreach(rows, i, row) {
        json_t *one = paper_shown_row(row, shown, without_ours);

        if (one != NULL)
            json_array_append_new(kept, one);
        else
            paper_add_without(without, json_object_get(row, "label"),
                              json_object_get(row, "cells"));
    }
    json_object_set_new(page, "some_reasons", json_boolean(paper_some_reasons(kept)));
    json_object_set_new(page, "players", json_boolean(paper_some_players(kept)));
    json_object_set_new(page, "rows", kept);
    json_object_set_new(page, "without", without);
    json_object_set_new(page, "without_ours", without_ours);
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
    const bool values = strcmp(ipr_json_text_at(resource, "form"), "values") == 0;
    paper_put_texts(json_object_get(resource, "columns"), rows, !values);
    if (values)
        paper_put_values(json_object_get(resource, "columns"), rows, page);
    json_object_set(page, "pairs", rows); /* within "standings" too, which have rows of their own */
    json_object_set_new(page, "title", json_incref(json_object_get(resource, "title")));
    return true;
}
