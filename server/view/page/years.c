/* Tables of player-years and the player's page. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "view/json.h"
#include "view/view.h"

struct ipr_plot ipr_plot_of_ipr(const json_t *ipr, double elo)
{
    return (struct ipr_plot){ .estimate = ipr_json_at(ipr, "estimate", NAN),
                              .low = ipr_json_at(ipr, "interval.low", NAN),
                              .high = ipr_json_at(ipr, "interval.high", NAN),
                              .other = elo,
                              .extrapolated = ipr_json_true_at(ipr, "extrapolated"),
                              .name = "IPR" };
}

void ipr_plot_cover(const struct ipr_plot *p, double *lo, double *hi)
{
    const double points[] = { p->estimate, fmax(p->low, p->estimate - 500.0),
                              fmin(p->high, p->estimate + 500.0), p->other };

    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        if (isfinite(points[i])) {
            *lo = fmin(*lo, points[i]);
            *hi = fmax(*hi, points[i]);
        }
}

static json_t *row_json(const json_t *y, const json_t *player, const struct ipr_axis *axis)
{
    const json_t *ipr = json_object_get(y, "ipr");
    const struct ipr_plot plot = ipr_plot_of_ipr(ipr, ipr_json_at(y, "elo", NAN));
    const json_int_t id = json_integer_value(json_object_get(player, "id"));
    const json_int_t year = json_integer_value(json_object_get(y, "year"));
    json_t *row = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o}", "name", ipr_json_text(ipr_json_text_at(player, "name")),
        "year", ipr_json_known(year), "href", year ? ipr_page_year_href(id, year) : json_null(),
        "turns", ipr_page_count(ipr_json_at(ipr, "turns", ipr_json_at(y, "counted", NAN))), "games",
        ipr_page_count(ipr_json_at(ipr, "games", ipr_json_at(y, "games_judged", NAN))), "elo",
        ipr_page_whole(plot.other));

    json_object_set_new(row, "ipr", ipr_page_whole(plot.estimate));
    json_object_set_new(row, "interval", ipr_page_interval(json_object_get(ipr, "interval")));
    json_object_set_new(row, "extrapolated", json_boolean(plot.extrapolated));
    json_object_set_new(row, "reason",
                        isfinite(plot.estimate) ? json_null()
                                                : ipr_json_text(ipr_json_text_at(ipr, "reason")));
    json_object_set_new(row, "at_0", ipr_page_share(ipr_json_at(y, "at_0.share", NAN)));
    json_object_set_new(row, "at_30", ipr_page_share(ipr_json_at(y, "at_30.share", NAN)));
    json_object_set_new(row, "plot", ipr_plot_json(axis, &plot));
    json_object_set_new(row, "not_rated", ipr_page_not_rated(json_object_get(y, "not_rated")));
    return row;
}

void ipr_page_years(const json_t *years, const json_t *player, json_t *page)
{
    double lo = INFINITY, hi = -INFINITY;
    bool extrapolated = false, pending = false, elo = false;
    json_t *rows = json_array();
    const json_t *y;
    size_t i;

    json_array_foreach(years, i, y) {
        const struct ipr_plot plot =
            ipr_plot_of_ipr(json_object_get(y, "ipr"), ipr_json_at(y, "elo", NAN));
        ipr_plot_cover(&plot, &lo, &hi);
        extrapolated |= plot.extrapolated;
        pending |= ipr_json_true_at(y, "pending");
        elo |= isfinite(plot.other);
    }
    const struct ipr_axis axis = ipr_axis_elo(lo, hi);
    json_array_foreach(years, i, y)
        json_array_append_new(rows,
                              row_json(y, player ? player : json_object_get(y, "player"), &axis));
    json_object_set_new(page, "rows", rows);
    json_object_set_new(page, "axis", ipr_axis_json(&axis));
    json_object_set_new(page, "any_extrapolated", json_boolean(extrapolated));
    json_object_set_new(page, "any_elo", json_boolean(elo));
    json_object_set_new(page, "pending", json_boolean(pending));
}

/** FIDE id and the spellings that differ from the name shown, as a sentence. */
static json_t *identity_text(const json_t *resource)
{
    const json_t *spellings = json_object_get(resource, "spellings");
    const double fide = ipr_json_at(resource, "fide_id", NAN);
    const char *name = ipr_json_text_at(resource, "name"), *before = "Also spelled ";
    struct ipr_buf text = IPR_BUF_INIT;

    if (isfinite(fide))
        ipr_buf_printf(&text, "FIDE id %.0f. ", fide);
    for (size_t i = 0; i < json_array_size(spellings); i++) {
        const char *one = json_string_value(json_array_get(spellings, i));

        if (strcmp(one, name) == 0)
            continue;
        ipr_buf_printf(&text, "%s“%s”", before, one);
        before = ", ";
    }
    json_t *out = text.n > 0 ? json_string(ipr_buf_c(&text)) : json_null();
    ipr_buf_release(&text);
    return out;
}

bool ipr_page_player(json_t *resource, json_t *page)
{
    const json_int_t id = json_integer_value(json_object_get(resource, "id"));
    const json_t *years = json_object_get(resource, "years");

    if (!json_is_array(years))
        return false;
    json_t *times = ipr_page_times_query(json_object_get(resource, "time_classes"), "?");
    json_t *href =
        ipr_page_format("/api/v1/players/%" JSON_INTEGER_FORMAT "%s", id, json_string_value(times));
    ipr_page_head(page, ipr_json_text_at(resource, "name"), json_string_value(href));
    json_decref(times);
    json_decref(href);
    json_t *events = ipr_page_format("/api/v1/players/%" JSON_INTEGER_FORMAT "/events", id);
    ipr_page_judging(json_object_get(resource, "judging"), json_string_value(events), page);
    json_decref(events);
    ipr_page_years(years, resource, page);
    json_object_set_new(page, "games",
                        ipr_page_plural(ipr_json_at(resource, "games", NAN), "game", "games"));
    json_object_set_new(
        page, "turns",
        ipr_page_plural(ipr_json_at(resource, "turns", NAN), "judged turn", "judged turns"));
    json_object_set_new(page, "span", ipr_page_span(resource));
    json_object_set_new(page, "identity", identity_text(resource));
    json_t *members = json_incref(json_object_get(resource, "members"));
    json_object_set_new(page, "has_members", json_boolean(json_array_size(members) > 0));
    json_object_set_new(page, "member_rows", members ? members : json_array());
    json_object_set_new(page, "times", ipr_page_times(json_object_get(resource, "time_classes")));
    json_object_set_new(page, "judge", ipr_page_judge(json_object_get(resource, "judge")));
    json_object_set_new(page, "calibration",
                        ipr_json_text(ipr_json_text_at(resource, "calibration.name")));
    return true;
}
