/* Tables of player-years and the player's page. */
#include "core/setting.h"
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "core/champions.h"
#include "core/file_evals.h"
#include "core/pools.h"
#include "view/json.h"
#include "view/view.h"

#define FURTHEST 500.0 /* Elo: so much of an interval is drawn on either side of its estimate */

struct ipr_plot ipr_plot_of_ipr(const json_t *ipr, double elo)
{
    return (struct ipr_plot){ .estimate = ipr_json_at(ipr, "estimate", NAN),
                              .low = ipr_json_at(ipr, "interval.low", NAN),
                              .high = ipr_json_at(ipr, "interval.high", NAN),
                              .other = elo,
                              .extrapolated = ipr_json_true_at(ipr, "extrapolated"),
                              .name = "IPR" };
}

struct ipr_plot ipr_plot_of_rating(const json_t *rating, double elo)
{
    const struct ipr_scale *const scale =
        ipr_pool_scale(ipr_pool_named(ipr_json_text_at(rating, "pool")));

    return (struct ipr_plot){ .estimate = ipr_json_at(rating, "estimate", NAN),
                              .low = ipr_json_at(rating, "interval.low", NAN),
                              .high = ipr_json_at(rating, "interval.high", NAN),
                              .other = elo,
                              .name = "Rating",
                              .range = { scale->low, scale->high } };
}

void ipr_plot_cover(const struct ipr_plot *p, double *lo, double *hi)
{
    const double points[] = { p->estimate, fmax(p->low, p->estimate - FURTHEST),
                              fmin(p->high, p->estimate + FURTHEST), p->other };

    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        if (isfinite(points[i])) {
            *lo = fmin(*lo, points[i]);
            *hi = fmax(*hi, points[i]);
        }
}

/* The plot of a player at the peak, or of a year: of the strength, else of what is rated. */
static struct ipr_plot year_plot(const json_t *year)
{
    const json_t *const peak = json_object_get(year, "peak");
    const json_t *const rating = peak != NULL ? peak : json_object_get(year, "rating");
    const json_t *const strength = json_object_get(year, "strength");
    const double elo = ipr_json_at(year, "elo", NAN);

    if (!json_is_object(json_object_get(rating, "interval")) && !json_is_object(strength))
        return ipr_plot_of_ipr(json_object_get(year, "ipr"), elo);
    struct ipr_plot out = ipr_plot_of_rating(rating, elo);
    if (json_is_object(strength)) {
        out.estimate = ipr_json_at(strength, "estimate", NAN);
        out.low = ipr_json_at(strength, "interval.low", NAN);
        out.high = ipr_json_at(strength, "interval.high", NAN);
        out.name = "Strength";
    }
    return out;
}

void ipr_page_years(json_t *years, json_t *page)
{
    double lo = INFINITY, hi = -INFINITY;
    bool extrapolated = false, beyond = false, pending = false, elo = false;
    json_t *year;
    size_t i;

    json_array_foreach(years, i, year) {
        const struct ipr_plot plot = year_plot(year);

        ipr_plot_cover(&plot, &lo, &hi);
        extrapolated |= plot.extrapolated;
        beyond |= ipr_plot_beyond(&plot);
        pending |= ipr_json_true_at(year, "pending");
        elo |= isfinite(plot.other);
    }
    const struct ipr_axis axis = ipr_axis_elo(lo, hi);
    json_array_foreach(years, i, year) {
        const struct ipr_plot plot = year_plot(year);

        json_object_set_new(year, "plot", ipr_plot_json(&axis, &plot));
    }
    json_object_set_new(page, "axis", ipr_axis_json(&axis));
    json_object_set_new(page, "any_extrapolated", json_boolean(extrapolated));
    json_object_set_new(page, "any_beyond", json_boolean(beyond));
    json_object_set_new(page, "any_elo", json_boolean(elo));
    json_object_set_new(page, "pending", json_boolean(pending));
}

static bool year_has(const json_t *year, const char *path)
{
    return json_is_number(ipr_json_find(year, path));
}

/* Which columns a player's years have, and the rows that other methods have something to say in. */
static void player_choose_columns(const json_t *years, json_t *page)
{
    json_t *others = json_array(), *year;
    bool plot = false, results = false, ipr = false, share = false;
    size_t i;

    json_array_foreach(years, i, year) {
        const bool has_ipr = year_has(year, "ipr.estimate");
        const bool has_share = year_has(year, "at_0.share");

        plot |= json_is_object(ipr_json_find(year, "rating.interval")) || has_ipr;
        results |= year_has(year, "results_strength.estimate");
        ipr |= has_ipr;
        share |= has_share;
        if (has_ipr || has_share)
            json_array_append(others, year);
    }
    json_object_set_new(page, "any_plot", json_boolean(plot));
    json_object_set_new(page, "any_results", json_boolean(results));
    json_object_set_new(page, "any_ipr", json_boolean(ipr));
    json_object_set_new(page, "any_share", json_boolean(share));
    json_object_set_new(page, "any_other", json_boolean(ipr || share));
    json_object_set_new(page, "others", others);
}

/* Gives each year of the table its strength. */
static void player_put_strengths(const json_t *path, json_t *years)
{
    json_t *year, *strength;
    size_t i, k;

    json_array_foreach(years, i, year) {
        json_array_foreach(path, k, strength) {
            if (json_equal(json_object_get(year, "year"), json_object_get(strength, "year")))
                json_object_set(year, "strength", strength);
        }
    }
}

bool ipr_page_players(json_t *resource, json_t *page)
{
    json_t *const players = json_object_get(resource, "players");
    const json_t *player;
    bool chance = false;
    size_t i;

    if (!json_is_array(players))
        return false;
    ipr_page_years(players, page);
    json_array_foreach(players, i, player)
        chance = chance || json_object_get(player, "first") != NULL;
    json_object_set_new(page, "any_chance", json_boolean(chance));
    return true;
}

bool ipr_page_player(json_t *resource, json_t *page)
{
    json_t *years = json_object_get(resource, "years"), *not_rated = json_object();
    struct ipr_arena mem = IPR_ARENA_INIT;
    const json_t *year, *games;
    const char *class;
    size_t i;

    json_object_set_new(page, "not_rated", not_rated);
    if (!json_is_array(years))
        return false;
    json_array_foreach(years, i, year) {
        json_object_foreach(json_object_get(year, "not_rated"), class, games) {
            const json_int_t before = json_integer_value(json_object_get(not_rated, class));

            json_object_set_new(not_rated, class, json_integer(before + json_integer_value(games)));
        }
    }
    json_object_set_new(
        page, "title",
        ipr_page_format("%s", ipr_name_spoken(ipr_json_text_at(resource, "name"), &mem)));
    ipr_arena_release(&mem);
    player_put_strengths(json_object_get(resource, "path"), years);
    ipr_page_years(years, page);
    player_choose_columns(years, page);
    json_object_set_new(page, "by_file",
                        json_boolean(strcmp(ipr_json_text_at(resource, "rating.calibration"),
                                            ipr_setting_name(IPR_FOR_FILES)) == 0));
    json_object_set_new(page, "some_figures",
                        json_boolean(ipr_json_at(resource, "games_with_moves", 0.0) <
                                     ipr_json_at(resource, "rating.games", 0.0)));
    return true;
}
