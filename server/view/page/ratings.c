/* The report of a player-year or a career: all its ratings. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "view/json.h"
#include "view/view.h"

/* The rating's own drawing. */
static void ratings_draw(const json_t *resource, json_t *page)
{
    const struct ipr_plot plot = ipr_plot_of_ipr(json_object_get(resource, "ipr"),
                                                 ipr_json_at(resource, "elo.estimate", NAN));
    double lo = INFINITY, hi = -INFINITY;

    ipr_plot_cover(&plot, &lo, &hi);
    const struct ipr_axis axis = ipr_axis_elo(lo - 50.0, hi + 50.0);
    json_object_set_new(page, "axis", ipr_axis_json(&axis));
    json_object_set_new(page, "plot", ipr_plot_json(&axis, &plot));
}

/* What asks for the same again, after another parameter: "&judge=1&time_class=blitz", as far as it
 * is known and not the default. */
static json_t *ratings_query(const json_t *resource)
{
    const double judge = ipr_json_at(resource, "judge.id", NAN);
    json_t *times = ipr_page_times_query(json_object_get(resource, "time_classes"), "&");
    struct ipr_buf query = IPR_BUF_INIT;

    if (isfinite(judge))
        ipr_buf_printf(&query, "&judge=%.0f", judge);
    if (ipr_json_true_at(resource, "ipr.calibration_mismatch"))
        ipr_buf_printf(&query, "&calibration=%s", ipr_json_text_at(resource, "calibration.name"));
    ipr_buf_puts(&query, json_string_value(times));
    json_t *out = json_string(ipr_buf_c(&query));
    json_decref(times);
    ipr_buf_release(&query);
    return out;
}

static void ratings_head(const json_t *resource, json_t *page)
{
    const json_int_t id = json_integer_value(ipr_json_find(resource, "player.id"));
    const json_int_t year = json_integer_value(json_object_get(resource, "year"));
    const char *name = ipr_json_text_at(resource, "player.name");
    json_t *query = ratings_query(resource);
    const char *more = json_string_value(query);
    json_t *title = year != 0 ? ipr_page_format("%s, %" JSON_INTEGER_FORMAT, name, year)
                              : ipr_page_format("%s, whole career", name);
    json_t *href = year != 0
                       ? ipr_page_format("/api/v1/players/%" JSON_INTEGER_FORMAT
                                         "/ratings?year=%" JSON_INTEGER_FORMAT "%s",
                                         id, year, more)
                       : ipr_page_format("/api/v1/players/%" JSON_INTEGER_FORMAT "/ratings%s%s", id,
                                         *more != '\0' ? "?" : "", more + (*more != '\0'));

    ipr_page_head(page, json_string_value(title), json_string_value(href));
    json_object_set_new(
        page, "follow",
        year != 0 ? ipr_page_format("/api/v1/players/%" JSON_INTEGER_FORMAT
                                    "/events?year=%" JSON_INTEGER_FORMAT,
                                    id, year)
                  : ipr_page_format("/api/v1/players/%" JSON_INTEGER_FORMAT "/events", id));
    json_object_set_new(page, "query", query);
    json_decref(title);
    json_decref(href);
}

/* Whether the player's own moves are analysed with the setting of the offer. */
static bool opponents_alone(const json_t *resource)
{
    return ipr_json_at(resource, "games_unjudged", 0.0) < 0.5 &&
           strcmp(ipr_json_text_at(resource, "offer.judge"),
                  ipr_json_text_at(resource, "judge.name")) == 0;
}

/* Engine settings other than the page's that games of this year are analysed with. */
static json_t *other_judges(const json_t *resource)
{
    const json_t *own = ipr_json_find(resource, "judge.id");
    json_t *others = json_array();
    json_t *judge;
    size_t i;

    json_array_foreach(json_object_get(resource, "judged_by"), i, judge) {
        if (!json_equal(json_object_get(judge, "id"), own))
            json_array_append(others, judge);
    }
    return others;
}

bool ipr_page_player_year(json_t *resource, json_t *page)
{
    if (!json_is_object(json_object_get(resource, "ipr")) ||
        !json_is_object(json_object_get(resource, "elo")))
        return false;
    ratings_head(resource, page);
    ratings_draw(resource, page);
    json_object_set_new(page, "opponents_alone", json_boolean(opponents_alone(resource)));
    json_object_set_new(page, "other_judges", other_judges(resource));
    json_object_set_new(page, "min_turns", json_integer(IPR_VIEW_MIN_TURNS));
    return true;
}
