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

void ipr_page_years(json_t *years, struct ipr_page_years *page, struct ipr_arena *mem)
{
    struct ipr_plot *const plots = ipr_arena_alloc(mem, json_array_size(years) + 1, sizeof *plots);
    double lo = INFINITY, hi = -INFINITY;
    json_t *year;
    size_t i;

    *page = (struct ipr_page_years){ 0 };
    json_array_foreach(years, i, year) {
        plots[i] = year_plot(year);
        ipr_plot_cover(&plots[i], &lo, &hi);
        page->any_extrapolated |= plots[i].extrapolated;
        page->any_beyond |= ipr_plot_beyond(&plots[i]);
        page->pending |= ipr_json_true_at(year, "pending");
        page->any_elo |= isfinite(plots[i].other);
    }
    const struct ipr_axis axis = ipr_axis_elo(lo, hi);
    json_array_foreach(years, i, year)
        ipr_page_put_plot(year, &axis, &plots[i]);
    page->axis = ipr_axis_json(&axis);
}

static bool year_has(const json_t *year, const char *path)
{
    return json_is_number(ipr_json_find(year, path));
}

/* Which columns a player's years have, and the rows that other methods have something to say in. */
static void player_choose_columns(const json_t *years, struct ipr_page_player *page)
{
    json_t *year;
    size_t i;

    page->any_plot = page->any_results = page->any_ipr = page->any_share = false;
    page->others = json_array();
    json_array_foreach(years, i, year) {
        const bool has_ipr = year_has(year, "ipr.estimate");
        const bool has_share = year_has(year, "at_0.share");

        page->any_plot |= json_is_object(ipr_json_find(year, "rating.interval")) || has_ipr;
        page->any_results |= year_has(year, "results_strength.estimate");
        page->any_ipr |= has_ipr;
        page->any_share |= has_share;
        if (has_ipr || has_share)
            json_array_append(page->others, year);
    }
    page->any_other = page->any_ipr || page->any_share;
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

bool ipr_page_players(void *resource, void *out, struct ipr_arena *mem)
{
    json_t *const players = json_object_get(resource, "players");
    struct ipr_page_players *const page = out;
    const json_t *player;
    size_t i;

    if (!json_is_array(players))
        return false;
    ipr_page_years(players, &page->page_years, mem);
    page->any_chance = false;
    json_array_foreach(players, i, player)
        page->any_chance |= json_object_get(player, "first") != NULL;
    return true;
}

bool ipr_page_player(void *resource, void *out, struct ipr_arena *mem)
{
    json_t *const years = json_object_get(resource, "years"), *const not_rated = json_object();
    struct ipr_page_player *const page = out;
    const json_t *year, *games;
    const char *class;
    size_t i;

    page->not_rated = not_rated;
    if (!json_is_array(years))
        return false;
    json_array_foreach(years, i, year) {
        json_object_foreach(json_object_get(year, "not_rated"), class, games) {
            const json_int_t before = json_integer_value(json_object_get(not_rated, class));

            json_object_set_new(not_rated, class, json_integer(before + json_integer_value(games)));
        }
    }
    page->title = ipr_name_spoken(ipr_json_text_at(resource, "name"), mem);
    player_put_strengths(json_object_get(resource, "path"), years);
    ipr_page_years(years, &page->page_years, mem);
    player_choose_columns(years, page);
    page->by_file = strcmp(ipr_json_text_at(resource, "rating.calibration"),
                           ipr_setting_name(IPR_FOR_FILES)) == 0;
    page->some_figures =
        ipr_json_at(resource, "games_with_moves", 0.0) < ipr_json_at(resource, "rating.games", 0.0);
    return true;
}
