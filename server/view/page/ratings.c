/* The report of a player-year or a career: all its ratings. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "core/champions.h"
#include "registry.h"
#include "view/json.h"

/* Draws what the page begins with, beside the Elo that it is compared with, or else the Elo of the
 * games: the rating, or the IPR where there is none. */
static void ratings_draw(const json_t *resource, json_t *page)
{
    const json_t *const rating = json_object_get(resource, "rating");
    const json_t *const ipr = json_object_get(resource, "ipr");
    const double of_games = ipr_json_at(resource, "elo.estimate", NAN);
    const double elo = ipr_json_at(rating, "surprise.elo", of_games);
    const bool rated = json_is_object(json_object_get(rating, "interval"));
    const bool shown = rated || json_is_number(json_object_get(ipr, "estimate"));
    const struct ipr_plot plot =
        rated ? ipr_plot_of_rating(rating, elo) : ipr_plot_of_ipr(ipr, elo);
    double lo = INFINITY, hi = -INFINITY;

    ipr_plot_cover(&plot, &lo, &hi);
    const struct ipr_axis axis = ipr_axis_elo(lo - 50.0, hi + 50.0);
    json_object_set_new(page, "axis", ipr_axis_json(&axis));
    json_object_set_new(page, "plot", shown ? ipr_plot_json(&axis, &plot) : json_null());
    json_object_set_new(page, "plot_of", json_string(plot.name));
    json_object_set_new(page, "elo", ipr_json_num(elo));
}

/* ---- methods against each other ---- */

/* The figures that the page shows, of server/ratings.def. */
static const struct method {
    const char *path, *name; /* within a list of what is not available */
    const char *scaled;      /* within a sentence, of one with an interval on the Elo scale */
    const char *plot;        /* in the plot of that scale */
    const char *row, *term;  /* in a table, with its term of the glossary */
    bool apart;              /* the page says by itself why it is not available */
} methods[] = { IPR_RATING_VALUES };

#define METHODS (sizeof methods / sizeof *methods)

/* The methods with a row in a table, each with its figure, and those of the plot. */
static void methods_show(json_t *resource, json_t *page)
{
    json_t *plot = json_array(), *rows = json_array(), *shares = json_array();

    for (size_t i = 0; i < METHODS; i++) {
        const struct method *m = &methods[i];

        if (m->plot != NULL)
            json_array_append_new(plot, json_pack("{s:s, s:s}", "path", m->path, "name", m->plot));
        if (m->row != NULL)
            json_array_append_new(m->scaled != NULL ? rows : shares,
                                  json_pack("{s:s, s:s?, s:O?}", "row", m->row, "term", m->term,
                                            "figure", ipr_json_find(resource, m->path)));
    }
    json_object_set_new(page, "plotted", plot);
    json_object_set_new(page, "rows", rows);
    json_object_set_new(page, "shares", shares);
}

/* An end of the interval of a method; open ends are infinite, and so is one of none. */
static double method_end(const json_t *resource, const struct method *m, bool high)
{
    const json_t *interval =
        m->scaled != NULL ? json_object_get(ipr_json_find(resource, m->path), "interval") : NULL;

    return high ? ipr_json_at(interval, "high", INFINITY) : ipr_json_at(interval, "low", -INFINITY);
}

static size_t methods_with_interval(const json_t *resource)
{
    size_t n = 0;

    for (size_t i = 0; i < METHODS; i++)
        n += methods[i].scaled != NULL &&
             json_is_object(json_object_get(ipr_json_find(resource, methods[i].path), "interval"));
    return n;
}

/* Compares the intervals of all: {"methods", "interval"} if they have a value in common, else
 * "above" and "below", the names of the two that lie furthest apart. */
static json_t *methods_agreement(const json_t *resource)
{
    const size_t n = methods_with_interval(resource);
    size_t above = 0, below = 0;

    if (n < 2)
        return json_null();
    for (size_t i = 1; i < METHODS; i++) {
        if (method_end(resource, &methods[i], false) > method_end(resource, &methods[above], false))
            above = i;
        if (method_end(resource, &methods[i], true) < method_end(resource, &methods[below], true))
            below = i;
    }
    const double low = method_end(resource, &methods[above], false);
    const double high = method_end(resource, &methods[below], true);
    if (low > high)
        return json_pack("{s:i, s:s, s:s}", "methods", (int)n, "above", methods[above].scaled,
                         "below", methods[below].scaled);
    return json_pack("{s:i, s:{s:o, s:o}}", "methods", (int)n, "interval", "low", ipr_json_num(low),
                     "high", ipr_json_num(high));
}

/* ---- what could not be computed ---- */

static void missing_add(json_t *list, const char *reason, const char *name)
{
    json_t *const one = ipr_json_first(list, "reason", reason);

    if (one != NULL)
        json_object_set_new(one, "names",
                            ipr_page_format("%s, %s", ipr_json_text_at(one, "names"), name));
    else
        json_array_append_new(list, json_pack("{s:s, s:s}", "reason", reason, "names", name));
}

/* Methods without a value, by their reason: [{"reason", "names"}] */
static json_t *methods_missing(const json_t *resource)
{
    json_t *list = json_array();

    for (size_t i = 0; i < METHODS; i++) {
        const json_t *of = ipr_json_find(resource, methods[i].path);
        const char *reason = ipr_json_text_at(of, "reason");

        if (!methods[i].apart && *reason != '\0' &&
            !json_is_number(json_object_get(of, "estimate")) &&
            !json_is_object(json_object_get(of, "interval")))
            missing_add(list, reason, methods[i].name);
    }
    return list;
}

/* ---- the page ---- */

/* Moves analysed with the engine setting of the rating; null where they are not known or all count.
 */
static json_t *moves_analysed(const json_t *resource)
{
    const json_t *const of = ipr_json_first(json_object_get(resource, "judged_by"), "name",
                                            ipr_json_text_at(resource, "rating.calibration"));
    const double moves = ipr_json_at(of, "turns", 0.0);

    return moves > ipr_json_at(resource, "rating.turns", INFINITY) ? json_integer((json_int_t)moves)
                                                                   : json_null();
}

static json_t *ratings_title(const json_t *resource)
{
    const json_int_t year = json_integer_value(json_object_get(resource, "year"));
    struct ipr_arena mem = IPR_ARENA_INIT;
    const char *name = ipr_name_spoken(ipr_json_text_at(resource, "player.name"), &mem);
    json_t *title = year != 0 ? ipr_page_format("%s, %" JSON_INTEGER_FORMAT, name, year)
                              : ipr_page_format("%s, whole career", name);

    ipr_arena_release(&mem);
    return title;
}

/* True if the player's own moves are analysed with the engine setting of the offer. */
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
    methods_show(resource, page);
    json_object_set_new(page, "agreement", methods_agreement(resource));
    json_object_set_new(page, "all_figures",
                        json_boolean(ipr_json_at(resource, "games_as_figures", 0) >=
                                     ipr_json_at(resource, "games_stored", INFINITY)));
    json_object_set_new(page, "analysed", moves_analysed(resource));
    json_object_set_new(page, "listed",
                        json_boolean(ipr_json_at(resource, "rating.turns", 0.0) > 0.0));
    json_object_set_new(page, "missing", methods_missing(resource));
    json_object_set_new(page, "opponents_alone", json_boolean(opponents_alone(resource)));
    json_object_set_new(page, "other_judges", other_judges(resource));
    return true;
}
