/* The page of a paper's figure: the texts of its points, and the rows of a heat map. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "view/json.h"
#include "view/page/page.h"

/* Decimals of each unit, and what follows the number. */
static const struct figure_unit {
    const char *unit;
    double times;
    int digits;
    const char *suffix;
} figure_units[] = {
    { "share", 100.0, 1, "%" }, { "pawns", 1.0, 2, "" }, { "probability", 1.0, 2, "" },
    { "ratio", 1.0, 2, "" },    { "plies", 1.0, 1, "" }, { "density", 1.0, 2, "" },
    { "", 1.0, 0, "" },
};

static json_t *figure_text(double x, const char *unit)
{
    const struct figure_unit *u = figure_units;

    if (!isfinite(x))
        return json_null();
    while (*u->unit != '\0' && strcmp(u->unit, unit) != 0)
        u++;
    char text[IPR_NUMBER_TEXT];
    ipr_number_fixed(u->times * x, u->digits, text);
    return ipr_page_format("%s%s", text, u->suffix);
}

static json_t *figure_interval_text(const json_t *of, const char *unit)
{
    const json_t *interval = json_object_get(of, "interval");

    if (!json_is_object(interval))
        return json_null();
    json_t *low = figure_text(ipr_json_at(interval, "low", NAN), unit);
    json_t *high = figure_text(ipr_json_at(interval, "high", NAN), unit);
    json_t *out = ipr_page_format("%s to %s", json_string_value(low), json_string_value(high));
    json_decref(low);
    json_decref(high);
    return out;
}

static void figure_put_text(json_t *of, const char *member, const char *unit)
{
    char name[32];

    snprintf(name, sizeof name, "%s_text", member);
    json_object_set_new(of, name, figure_text(ipr_json_at(of, member, NAN), unit));
}

static void figure_put_texts(const json_t *resource, json_t *points)
{
    json_t *point;
    size_t i;

    json_array_foreach(points, i, point) {
        const char *unit = ipr_json_text_at(resource, "y.unit");

        figure_put_text(point, "x", ipr_json_text_at(resource, "x.unit"));
        figure_put_text(point, "y", unit);
        figure_put_text(point, "value", ipr_json_text_at(resource, "value.unit"));
        json_object_set_new(point, "interval_text", figure_interval_text(point, unit));
    }
}

static void figure_put_constants(json_t *constants)
{
    json_t *one;
    size_t i;

    json_array_foreach(constants, i, one) {
        const char *unit = ipr_json_text_at(one, "unit");

        figure_put_text(one, "printed", unit);
        figure_put_text(one, "ours", unit);
        json_object_set_new(one, "interval_text", figure_interval_text(one, unit));
    }
}

/* Cells come row by row. */
static json_t *figure_rows(json_t *points)
{
    json_t *rows = json_array(), *row = NULL, *point;
    double y = NAN;
    size_t i;

    json_array_foreach(points, i, point) {
        if (ipr_json_at(point, "y", NAN) != y) {
            row = json_pack("{s:O, s:[]}", "y_text", json_object_get(point, "y_text"), "cells");
            json_array_append_new(rows, row);
            y = ipr_json_at(point, "y", NAN);
        }
        json_array_append(json_object_get(row, "cells"), point);
    }
    return rows;
}

/* "rows", and "heads": the cells of the first one. */
static void figure_put_rows(json_t *series)
{
    json_t *rows = figure_rows(json_object_get(series, "points"));
    json_t *first = json_object_get(json_array_get(rows, 0), "cells");

    if (first != NULL)
        json_object_set(series, "heads", first);
    json_object_set_new(series, "rows", rows);
}

bool ipr_page_paper_figure(json_t *resource, json_t *page)
{
    json_t *all = json_object_get(resource, "series"), *series;
    size_t i;

    if (!json_is_array(all))
        return false;
    json_array_foreach(all, i, series) {
        json_t *points = json_object_get(series, "points");

        figure_put_texts(resource, points);
        if (strcmp(ipr_json_text_at(resource, "kind"), "heat") == 0)
            figure_put_rows(series);
    }
    figure_put_constants(json_object_get(resource, "constants"));
    json_object_set(page, "title", json_object_get(resource, "title"));
    return true;
}
