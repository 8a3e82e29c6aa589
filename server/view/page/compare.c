/* The comparison of two player-years. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "core/champions.h"
#include "sentence/sentence.h"
#include "stats/interval.h"
#include "view/json.h"
#include "view/wording.h"

#define ERA_YEARS 5   /* between which the scale of Elo can have changed */
#define REACH     3.0 /* standard errors that a density is drawn to */
#define TICKS     16
#define GAMES     4 /* by links */

/* ---- the bar ---- */

static struct ipr_page_duel_bar *duel_bar(const struct ipr_figure_game_chances *c,
                                          struct ipr_arena *mem)
{
    const struct ipr_figure_outcome *const w = c->as_white, *const b = c->as_black;
    struct ipr_page_duel_bar *const out = ipr_arena_alloc(mem, 1, sizeof *out);
    const bool known = isfinite(c->interval.lo);

    if (w == NULL || b == NULL || !isfinite(w->win + b->win))
        return NULL;
    *out = (struct ipr_page_duel_bar){ .first = c->expected,
                                       .second = 1.0 - c->expected,
                                       .win = (w->win + b->win) / 2.0,
                                       .draw = (w->draw + b->draw) / 2.0,
                                       .loss = (w->loss + b->loss) / 2.0,
                                       .low = known ? c->interval.lo : c->expected };
    out->high = known ? c->interval.hi : c->expected;
    out->drawn = 1.0 - (round(100.0 * out->win) + round(100.0 * out->loss)) / 100.0;
    return out;
}

/* ---- strengths in the years ---- */

static const char *duel_name(const struct ipr_figure_side *s, struct ipr_arena *mem)
{
    return ipr_arena_printf(mem, "%s %zu", ipr_wording_surname(s->player.name, false, mem),
                            s->year);
}

static double bell_se(const struct ipr_figure_path_year *s)
{
    return (s->interval.hi - s->interval.lo) / 2.0 / IPR_Z95;
}

/* The narrower of both is of the full height, the higher one named on the right. */
static struct ipr_page_bell bell_of(const struct ipr_axis *a, const struct ipr_figure_side *side,
                                    const struct ipr_figure_side *other, struct ipr_arena *mem)
{
    const double mean = side->strength->estimate, se = bell_se(side->strength);
    const double x = ipr_axis_x(a, mean - REACH * se);

    return (struct ipr_page_bell){ .name = duel_name(side, mem),
                                   .x = x,
                                   .width = ipr_axis_x(a, mean + REACH * se) - x,
                                   .height = 100.0 * fmin(1.0, bell_se(other->strength) / se),
                                   .mean = ipr_axis_x(a, mean),
                                   .anchor = mean < other->strength->estimate ? "end" : "start" };
}

static struct ipr_page_bells *duel_bells(const struct ipr_figure_side *a,
                                         const struct ipr_figure_side *b, struct ipr_arena *mem)
{
    struct ipr_page_bells *const out = ipr_arena_alloc(mem, 1, sizeof *out);

    if (a->strength == NULL || b->strength == NULL)
        return NULL;
    const double first = a->strength->estimate, second = b->strength->estimate;
    const double left = REACH * bell_se(a->strength), right = REACH * bell_se(b->strength);
    const struct ipr_axis axis =
        ipr_axis_elo(fmin(first - left, second - right), fmax(first + left, second + right));

    *out = (struct ipr_page_bells){ ipr_axis_json(&axis),
                                    { ipr_arena_alloc(mem, 2, sizeof *out->of.at), 2 } };
    out->of.at[0] = bell_of(&axis, a, b, mem);
    out->of.at[1] = bell_of(&axis, b, a, mem);
    return out;
}

/* ---- careers ---- */

struct careers_frame {
    struct ipr_axis years, strengths;
};

static struct careers_frame careers_frame(const json_t *careers)
{
    struct careers_frame f = { { INFINITY, -INFINITY }, { INFINITY, -INFINITY } };
    const json_t *path, *year;
    size_t i, k;

    json_array_foreach(careers, i, path)
        json_array_foreach(path, k, year) {
            const double at = ipr_json_at(year, "year", NAN);
            const double strength = ipr_json_at(year, "estimate", NAN);

            f.years = (struct ipr_axis){ fmin(f.years.lo, at), fmax(f.years.hi, at) };
            f.strengths =
                (struct ipr_axis){ fmin(f.strengths.lo, strength), fmax(f.strengths.hi, strength) };
        }
    f.strengths = ipr_axis_elo(f.strengths.lo, f.strengths.hi);
    return f;
}

static struct ipr_page_career career_of(const struct careers_frame *f, const json_t *path,
                                        const struct ipr_figure_side *side, struct ipr_arena *mem)
{
    struct ipr_page_career out = { .name = duel_name(side, mem), .x = NAN, .y = NAN };
    struct ipr_buf line = IPR_BUF_INIT;
    const json_t *year;
    size_t i;

    json_array_foreach(path, i, year) {
        const double at = ipr_json_at(year, "year", NAN), x = ipr_axis_x(&f->years, at);
        const double y = 100.0 - ipr_axis_x(&f->strengths, ipr_json_at(year, "estimate", NAN));

        ipr_buf_printf(&line, "%s%.2f %.2f", i == 0 ? "M" : "L", x, y);
        if (at == (double)side->year) {
            out.x = x;
            out.y = y;
        }
    }
    out.line = ipr_arena_strndup(mem, ipr_buf_c(&line), line.n);
    ipr_buf_release(&line);
    return out;
}

/* Every so many years, or Elo from the bottom to the top. */
static struct ipr_list_page_tick career_ticks(const struct ipr_axis *a, double step, bool upwards,
                                              struct ipr_arena *mem)
{
    struct ipr_list_page_tick out = { ipr_arena_alloc(mem, TICKS, sizeof *out.at), 0 };

    for (double v = step * ceil(a->lo / step); v <= a->hi && out.n < TICKS; v += step) {
        const double at = ipr_axis_x(a, v);

        out.at[out.n++] = (struct ipr_page_tick){ upwards ? 100.0 - at : at, v };
    }
    return out;
}

static struct ipr_page_careers *duel_careers(const json_t *careers, const struct ipr_figure_side *a,
                                             const struct ipr_figure_side *b, struct ipr_arena *mem)
{
    const struct careers_frame f = careers_frame(careers);
    const double years = f.years.hi - f.years.lo, strengths = f.strengths.hi - f.strengths.lo;
    struct ipr_page_careers *const out = ipr_arena_alloc(mem, 1, sizeof *out);

    if (!(years > 0.0))
        return NULL;
    out->years = career_ticks(&f.years, years > 40.0 ? 20.0 : 10.0, false, mem);
    out->levels = career_ticks(&f.strengths, strengths > 1000.0 ? 500.0 : 200.0, true, mem);
    out->of = (struct ipr_list_page_career){ ipr_arena_alloc(mem, 2, sizeof *out->of.at), 2 };
    out->of.at[0] = career_of(&f, json_array_get(careers, 0), a, mem);
    out->of.at[1] = career_of(&f, json_array_get(careers, 1), b, mem);
    return out;
}

/* ---- games of the two ---- */

/* Counts them, and leaves the latest for links. */
static const char *duel_met(json_t *games, const struct ipr_figure_side *a,
                            const struct ipr_figure_side *b, struct ipr_arena *mem)
{
    struct ipr_compare_met_slots slots = { .first = a->player.name, .second = b->player.name };
    const json_t *game;
    size_t i;

    json_array_foreach(games, i, game) {
        const bool white = ipr_json_at(game, "white.id", 0.0) == (double)a->player.id;
        const char *const result = ipr_json_text_at(game, "result");

        slots.games += strcmp(result, "*") != 0;
        slots.draws += strcmp(result, "1/2-1/2") == 0;
        slots.wins += strcmp(result, white ? "1-0" : "0-1") == 0;
    }
    while (json_array_size(games) > GAMES)
        json_array_remove(games, json_array_size(games) - 1);
    slots.losses = slots.games - slots.wins - slots.draws;
    return slots.games > 0.0 ? ipr_say_compare_met(IPR_COMPARE_MET_PLAYED, &slots, mem) : NULL;
}

bool ipr_page_compare(json_t *resource, json_t *page)
{
    const json_t *const prediction = json_object_get(resource, "prediction");
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_figure_head_to_head *const head = ipr_shape_new(IPR_SHAPE_HEAD_TO_HEAD, &mem);
    const struct ipr_figure_side *const a = &head->white, *const b = &head->black;
    const char *key;
    json_t *p;

    if (json_is_object(prediction)) {
        ipr_shape_read(IPR_SHAPE_HEAD_TO_HEAD, prediction, &mem, head);
        const struct ipr_page_duel out = {
            .title =
                ipr_arena_printf(&mem, "%s %zu and %s %zu", ipr_name_spoken(a->player.name, &mem),
                                 a->year, ipr_name_spoken(b->player.name, &mem), b->year),
            .eras = fabs((double)a->year - (double)b->year) >= ERA_YEARS,
            .same = a->player.id == b->player.id,
            .moves_second = 1.0 - head->by_moves.expected,
            .any_extrapolated = (a->ipr != NULL && a->ipr->extrapolated > 0) ||
                                (b->ipr != NULL && b->ipr->extrapolated > 0),
            .bar = duel_bar(&head->chances, &mem),
            .bells = duel_bells(a, b, &mem),
            .careers = duel_careers(json_object_get(resource, "careers"), a, b, &mem),
            .met = duel_met(json_object_get(json_object_get(resource, "met"), "games"), a, b, &mem)
        };

        json_object_update_new(page, ipr_shape_page_json(IPR_SHAPE_PAGE_DUEL, &out));
    }
    json_object_foreach(json_object_get(prediction, "predictions"), key, p) {
        json_object_set_new(p, "forgets",
                            json_boolean(ipr_json_find(p, "params.forgetting") != NULL));
    }
    ipr_arena_release(&mem);
    return true;
}
