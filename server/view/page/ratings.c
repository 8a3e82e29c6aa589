/* The report of a player-year or a career: all its ratings. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "view/json.h"

/* The rating and the IPR, on one axis. */
static void ratings_draw(const json_t *resource, json_t *page)
{
    const json_t *const rating = json_object_get(resource, "rating");
    const struct ipr_plot first =
        ipr_plot_of_rating(rating, ipr_json_at(rating, "surprise.elo", NAN));
    const struct ipr_plot plot = ipr_plot_of_ipr(json_object_get(resource, "ipr"),
                                                 ipr_json_at(resource, "elo.estimate", NAN));
    double lo = INFINITY, hi = -INFINITY;

    ipr_plot_cover(&first, &lo, &hi);
    ipr_plot_cover(&plot, &lo, &hi);
    const struct ipr_axis axis = ipr_axis_elo(lo - 50.0, hi + 50.0);
    json_object_set_new(page, "axis", ipr_axis_json(&axis));
    json_object_set_new(page, "rating_plot", ipr_plot_json(&axis, &first));
    json_object_set_new(page, "plot", ipr_plot_json(&axis, &plot));
}

static json_t *ratings_title(const json_t *resource)
{
    const json_int_t year = json_integer_value(json_object_get(resource, "year"));
    const char *name = ipr_json_text_at(resource, "player.name");

    return year != 0 ? ipr_page_format("%s, %" JSON_INTEGER_FORMAT, name, year)
                     : ipr_page_format("%s, whole career", name);
}

/* Whether the player's own moves are analysed with the engine setting of the offer. */
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
    json_object_set_new(page, "title", ratings_title(resource));
    ratings_draw(resource, page);
    json_object_set_new(page, "opponents_alone", json_boolean(opponents_alone(resource)));
    json_object_set_new(page, "other_judges", other_judges(resource));
    return true;
}
