/* The page of a figure: the texts of its points, and the rows of a heat map. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "lab/papers/papers.h"
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
        return NULL;
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
        return NULL;
    json_t *low = figure_text(ipr_json_at(interval, "low", NAN), unit);
    json_t *high = figure_text(ipr_json_at(interval, "high", NAN), unit);
    json_t *out = ipr_page_format("%s to %s", json_string_value(low), json_string_value(high));
    json_decref(low);
    json_decref(high);
    return out;
}

/* Text that is not there is not set. */
static void figure_set(json_t *of, const char *name, json_t *text)
{
    if (text != NULL)
        json_object_set_new(of, name, text);
}

static void figure_put_points(const json_t *answer, json_t *points)
{
    const char *const x = ipr_json_text_at(answer, "x.unit"), *const y = ipr_json_text_at(answer,
                                                                                          "y.unit");
    json_t *point;
    size_t i;

    json_array_foreach(points, i, point) {
        figure_set(point, "x_text", figure_text(ipr_json_at(point, "x", NAN), x));
        figure_set(point, "y_text", figure_text(ipr_json_at(point, "y", NAN), y));
        figure_set(point, "interval_text", figure_interval_text(point, y));
    }
}

static void figure_put_constants(json_t *constants)
{
    json_t *one;
    size_t i;

    json_array_foreach(constants, i, one) {
        const char *unit = ipr_json_text_at(one, "unit");

        figure_set(one, "printed_text", figure_text(ipr_json_at(one, "printed", NAN), unit));
        figure_set(one, "ours_text", figure_text(ipr_json_at(one, "ours", NAN), unit));
        figure_set(one, "interval_text", figure_interval_text(one, unit));
    }
}

/* "rows", whose cells come row by row, and "heads", over those of the first. */
static void figure_put_rows(const json_t *answer, json_t *series)
{
    json_t *rows = json_array(), *heads = json_array(), *row = NULL, *point;
    double y = NAN;
    size_t i;

    json_array_foreach(json_object_get(series, "points"), i, point) {
        json_t *value =
            figure_text(ipr_json_at(point, "value", NAN), ipr_json_text_at(answer, "value.unit"));

        if (ipr_json_at(point, "y", NAN) != y) {
            y = ipr_json_at(point, "y", NAN);
            row = json_pack("{s:o, s:[]}", "head",
                            figure_text(y, ipr_json_text_at(answer, "y.unit")), "cells");
            json_array_append_new(rows, row);
        }
        if (json_array_size(rows) == 1)
            json_array_append_new(heads, figure_text(ipr_json_at(point, "x", NAN),
                                                     ipr_json_text_at(answer, "x.unit")));
        json_array_append_new(json_object_get(row, "cells"),
                              value != NULL ? value : json_string(""));
    }
    json_object_set_new(series, "heads", heads);
    json_object_set_new(series, "rows", rows);
}

void ipr_paper_figure_page(json_t *answer)
{
    const bool heat = strcmp(ipr_json_text_at(answer, "kind"), "heat") == 0;
    json_t *series;
    size_t i;

    json_array_foreach(json_object_get(answer, "series"), i, series) {
        if (heat)
            figure_put_rows(answer, series);
        else
            figure_put_points(answer, json_object_get(series, "points"));
    }
    figure_put_constants(json_object_get(answer, "constants"));
}
