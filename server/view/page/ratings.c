/* The report of a player-year or a career: all its ratings. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "core/champions.h"
#include "registry.h"
#include "view/json.h"

/* Draws what the page begins with, beside the Elo that it is compared with, or else the Elo of the
 * games: the rating, or the IPR where there is none. */
static void ratings_draw(const json_t *resource, struct ipr_page_ratings *page)
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
    page->axis = ipr_axis_json(&axis);
    if (shown)
        page->plot = ipr_plot_json(&axis, &plot);
    page->plot_of = plot.name;
    page->elo = elo;
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
static void methods_show(const json_t *resource, struct ipr_page_ratings *page,
                         struct ipr_arena *mem)
{
    page->plotted.at = ipr_arena_alloc(mem, METHODS, sizeof *page->plotted.at);
    page->rows.at = ipr_arena_alloc(mem, METHODS, sizeof *page->rows.at);
    page->shares.at = ipr_arena_alloc(mem, METHODS, sizeof *page->shares.at);
    for (size_t i = 0; i < METHODS; i++) {
        const struct method *m = &methods[i];
        struct ipr_list_page_method *const to = m->scaled != NULL ? &page->rows : &page->shares;
        const json_t *const figure = ipr_json_find(resource, m->path);

        if (m->plot != NULL)
            page->plotted.at[page->plotted.n++] =
                (struct ipr_page_plotted_method){ m->path, m->plot };
        if (m->row != NULL)
            to->at[to->n++] = (struct ipr_page_method){ m->row, m->term,
                                                        json_incref((json_t *)(uintptr_t)figure) };
    }
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

/* Compares the intervals of all: what they have in common, else the names of the two that lie
 * furthest apart. NULL: there are no two. */
static struct ipr_page_agreement *methods_agreement(const json_t *resource, struct ipr_arena *mem)
{
    struct ipr_page_agreement *const out = ipr_arena_alloc(mem, 1, sizeof *out);
    const size_t n = methods_with_interval(resource);
    size_t above = 0, below = 0;

    if (n < 2)
        return NULL;
    for (size_t i = 1; i < METHODS; i++) {
        if (method_end(resource, &methods[i], false) > method_end(resource, &methods[above], false))
            above = i;
        if (method_end(resource, &methods[i], true) < method_end(resource, &methods[below], true))
            below = i;
    }
    out->methods = (int64_t)n;
    out->interval.lo = method_end(resource, &methods[above], false);
    out->interval.hi = method_end(resource, &methods[below], true);
    if (out->interval.lo > out->interval.hi)
        *out = (struct ipr_page_agreement){
            (int64_t)n, methods[above].scaled, methods[below].scaled, { NAN, NAN }
        };
    return out;
}

/* ---- what could not be computed ---- */

static void missing_add(struct ipr_list_page_missing *list, const char *reason, const char *name,
                        struct ipr_arena *mem)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->at[i].reason, reason) == 0) {
            list->at[i].names = ipr_arena_printf(mem, "%s, %s", list->at[i].names, name);
            return;
        }
    list->at[list->n++] = (struct ipr_page_missing){ reason, name };
}

/* Methods without a value, by their reason. */
static struct ipr_list_page_missing methods_missing(const json_t *resource, struct ipr_arena *mem)
{
    struct ipr_list_page_missing list = { ipr_arena_alloc(mem, METHODS, sizeof *list.at), 0 };

    for (size_t i = 0; i < METHODS; i++) {
        const json_t *of = ipr_json_find(resource, methods[i].path);
        const char *reason = ipr_json_text_at(of, "reason");

        if (!methods[i].apart && *reason != '\0' &&
            !json_is_number(json_object_get(of, "estimate")) &&
            !json_is_object(json_object_get(of, "interval")))
            missing_add(&list, reason, methods[i].name, mem);
    }
    return list;
}

/* ---- the page ---- */

/* Moves analysed with the engine setting of the rating; unknown where they are, or all count. */
static int64_t moves_analysed(const json_t *resource)
{
    const json_t *const of = ipr_json_first(json_object_get(resource, "judged_by"), "name",
                                            ipr_json_text_at(resource, "rating.calibration"));
    const double moves = ipr_json_at(of, "turns", 0.0);

    return moves > ipr_json_at(resource, "rating.turns", INFINITY) ? (int64_t)moves : IPR_NO_COUNT;
}

static const char *ratings_title(const json_t *resource, struct ipr_arena *mem)
{
    const double year = ipr_json_at(resource, "year", 0.0);
    const char *const name = ipr_name_spoken(ipr_json_text_at(resource, "player.name"), mem);

    return year != 0.0 ? ipr_arena_printf(mem, "%s, %.0f", name, year)
                       : ipr_arena_printf(mem, "%s, whole career", name);
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

bool ipr_page_player_year(void *resource, void *out, struct ipr_arena *mem)
{
    struct ipr_page_ratings *const page = out;

    if (!json_is_object(json_object_get(resource, "ipr")) ||
        !json_is_object(json_object_get(resource, "elo")))
        return false;
    page->title = ratings_title(resource, mem);
    ratings_draw(resource, page);
    methods_show(resource, page, mem);
    page->agreement = methods_agreement(resource, mem);
    page->all_figures = ipr_json_at(resource, "games_as_figures", 0) >=
                        ipr_json_at(resource, "games_stored", INFINITY);
    page->analysed = moves_analysed(resource);
    page->listed = ipr_json_at(resource, "rating.turns", 0.0) > 0.0;
    page->missing = methods_missing(resource, mem);
    page->opponents_alone = opponents_alone(resource);
    page->other_judges = other_judges(resource);
    return true;
}
