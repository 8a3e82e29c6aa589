/* The page of the royale. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "view/json.h"

#define SHOWN 20 /* best years in the table; the JSON has more */

/* "Fischer 1971": what stands before the comma. */
static json_t *short_name(const json_t *player_year)
{
    const char *name = ipr_json_text_at(player_year, "player.name");

    return ipr_page_format("%.*s %.0f", (int)strcspn(name, ","), name,
                           ipr_json_at(player_year, "year", 0.0));
}

static json_t *ranking_row(const json_t *r, const struct ipr_axis *axis)
{
    const double year = ipr_json_at(r, "year", 0.0), id = ipr_json_at(r, "player.id", 0.0);
    const struct ipr_plot plot = {
        .estimate = ipr_json_at(r, "expected", NAN),
        .low = ipr_json_at(r, "interval.low", NAN),
        .high = ipr_json_at(r, "interval.high", NAN),
        .other = NAN,
        .name = "mean expected score",
    };
    json_t *row = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "rank", ipr_page_count(ipr_json_at(r, "rank", 0.0)),
        "name", ipr_json_text(ipr_json_text_at(r, "player.name")), "year",
        ipr_page_format("%.0f", year), "href", ipr_page_format("/players/%.0f/%.0f", id, year),
        "expected", ipr_page_share(plot.estimate), "interval",
        ipr_page_interval_share(json_object_get(r, "interval")), "plot",
        ipr_plot_json(axis, &plot));

    json_object_set_new(row, "odds",
                        ipr_page_format("%.0f–%.0f–%.0f", ipr_json_at(r, "favoured", 0.0),
                                        ipr_json_at(r, "even", 0.0),
                                        ipr_json_at(r, "unfavoured", 0.0)));
    json_object_set_new(row, "turns", ipr_page_count(ipr_json_at(r, "turns", 0.0)));
    json_object_set_new(row, "best", json_boolean(ipr_json_true_at(r, "best")));
    return row;
}

static json_t *ranking_rows(const json_t *ranking, const struct ipr_axis *axis)
{
    json_t *rows = json_array();
    const json_t *r;
    size_t i;

    json_array_foreach(ranking, i, r)
        json_array_append_new(rows, ranking_row(r, axis));
    return rows;
}

static double at(const json_t *table, size_t i, size_t j)
{
    const json_t *value = json_array_get(json_array_get(table, i), j);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static json_t *side_text(const json_t *player_year)
{
    return ipr_page_format("%.0f:%.0f", ipr_json_at(player_year, "player.id", 0.0),
                           ipr_json_at(player_year, "year", 0.0));
}

static json_t *pair_href(const json_t *a, const json_t *b, const char *more)
{
    json_t *white = side_text(a), *black = side_text(b);
    json_t *out = ipr_page_format("/compare?white=%s&black=%s%s", json_string_value(white),
                                  json_string_value(black), more);

    json_decref(white);
    json_decref(black);
    return out;
}

static json_t *cell(const json_t *best, size_t i, size_t j, const char *more)
{
    const json_t *years = json_object_get(best, "player_years");
    const double e = at(json_object_get(best, "expected"), i, j);
    const double low = at(json_object_get(best, "low"), i, j);
    const double high = at(json_object_get(best, "high"), i, j);

    if (!isfinite(e))
        return json_pack("{s:n, s:n, s:n}", "href", "expected", "range");
    return json_pack("{s:o, s:o, s:o}", "href",
                     pair_href(json_array_get(years, i), json_array_get(years, j), more),
                     "expected", ipr_page_format("%.0f", 100.0 * e), "range",
                     isfinite(low) ? ipr_page_format("%.0f–%.0f", 100.0 * low, 100.0 * high)
                                   : json_null());
}

/* {"columns": [name], "rows": [{"name", "cells"}], "left": how many more there are} */
static json_t *best_page(const json_t *best, const char *more)
{
    const json_t *years = json_object_get(best, "player_years");
    const double all = ipr_json_at(best, "players", 0.0);
    const size_t there = json_array_size(years), n = there < SHOWN ? there : SHOWN;
    json_t *columns = json_array(), *rows = json_array();

    for (size_t i = 0; i < n; i++) {
        json_t *cells = json_array();

        for (size_t j = 0; j < n; j++)
            json_array_append_new(cells, cell(best, i, j, more));
        json_array_append_new(columns, short_name(json_array_get(years, i)));
        json_array_append_new(
            rows,
            json_pack("{s:o, s:o}", "name", short_name(json_array_get(years, i)), "cells", cells));
    }
    return json_pack("{s:o, s:o, s:o}", "columns", columns, "rows", rows, "left",
                     all > (double)n ? ipr_page_count(all - (double)n) : json_null());
}

static void add_counts(const json_t *resource, json_t *page)
{
    const double left_out = ipr_json_at(resource, "left_out", 0.0);

    json_object_set_new(
        page, "active",
        ipr_page_plural(ipr_json_at(resource, "active", 0.0), "player-year", "player-years"));
    json_object_set_new(page, "active_turns",
                        ipr_page_count(ipr_json_at(resource, "active_turns", 0.0)));
    json_object_set_new(page, "inactive", ipr_page_count(ipr_json_at(resource, "inactive", 0.0)));
    json_object_set_new(page, "left_out", left_out > 0.0 ? ipr_page_count(left_out) : json_null());
    json_object_set_new(
        page, "used",
        ipr_page_plural(ipr_json_at(resource, "provenance.turns", 0.0), "turn", "turns"));
    json_object_set_new(
        page, "games",
        ipr_page_plural(ipr_json_at(resource, "provenance.games", 0.0), "game", "games"));
    json_object_set_new(
        page, "royales",
        ipr_page_count(ipr_json_at(resource, "provenance.replicated_royales", 0.0)));
}

bool ipr_page_royale(json_t *resource, json_t *page)
{
    const struct ipr_axis axis = ipr_axis_share();

    if (!ipr_page_report_form(resource, "Battle royale", page))
        return false;
    json_t *times = ipr_page_times_query(json_object_get(resource, "time_classes"), "&");
    json_t *more = ipr_page_format("&judge=%.0f%s", ipr_json_at(resource, "judge.id", 0.0),
                                   json_string_value(times));
    json_object_set_new(page, "rows", ranking_rows(json_object_get(resource, "ranking"), &axis));
    json_object_set_new(page, "axis", ipr_axis_json(&axis));
    json_object_set_new(page, "best",
                        best_page(json_object_get(resource, "best"), json_string_value(more)));
    add_counts(resource, page);
    json_decref(times);
    json_decref(more);
    return true;
}
