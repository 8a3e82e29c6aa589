/* Geometry of the drawings: positions in per cent, so that one drawing fits every width. */
#include "view/page/page.h"

#include <math.h>
#include <stdio.h>

#include "view/wording.h"

#define EDGE      4.0 /* per cent on both sides */
#define WIDEST    2400.0
#define TICKS_MAX 16

/* Distance of ticks: about six over the span. */
static double step_for(double span)
{
    static const double steps[] = { 20.0, 50.0, 100.0, 200.0, 500.0 };

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (span <= 7.0 * steps[i])
            return steps[i];
    return 500.0;
}

struct ipr_axis ipr_axis_elo(double lo, double hi)
{
    if (!(lo <= hi))
        return (struct ipr_axis){ 2000.0, 3000.0 };
    if (hi - lo > WIDEST) {
        const double middle = (lo + hi) / 2.0;
        lo = middle - WIDEST / 2.0;
        hi = middle + WIDEST / 2.0;
    }
    if (hi - lo < 100.0) {
        lo -= 50.0;
        hi += 50.0;
    }
    struct ipr_axis a = { lo, hi };
    double step = step_for(hi - lo), before;
    do { /* the ends may take it over the span of a step */
        before = step;
        a = (struct ipr_axis){ step * floor(lo / step), step * ceil(hi / step) };
        step = step_for(a.hi - a.lo);
    } while (step > before);
    return a;
}

double ipr_axis_x(const struct ipr_axis *a, double value)
{
    const double t = (value - a->lo) / (a->hi - a->lo);
    return EDGE + (100.0 - 2.0 * EDGE) * fmin(1.0, fmax(0.0, t));
}

const char *ipr_page_per_cent(double x, struct ipr_arena *mem)
{
    return ipr_arena_printf(mem, "%.2f%%", x);
}

json_t *ipr_axis_json(const struct ipr_axis *a)
{
    const double step = step_for(a->hi - a->lo);
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_page_axis_tick ticks[TICKS_MAX];
    struct ipr_page_axis out = { { ticks, 0 } };

    for (; out.ticks.n < TICKS_MAX; out.ticks.n++) {
        const double value = a->lo + (double)out.ticks.n * step;

        if (value > a->hi + step / 1000.0)
            break;
        ticks[out.ticks.n] =
            (struct ipr_page_axis_tick){ ipr_page_per_cent(ipr_axis_x(a, value), &mem),
                                         ipr_arena_printf(&mem, "%.0f", round(value)) };
    }
    json_t *const json = ipr_shape_page_json(IPR_SHAPE_PAGE_AXIS, &out);
    ipr_arena_release(&mem);
    return json;
}

static bool plot_ranged(const struct ipr_plot *p)
{
    return p->range[0] < p->range[1];
}

/* True if the value is outside the calibrated range. */
static bool plot_hollow(const struct ipr_plot *p)
{
    return p->extrapolated ||
           (plot_ranged(p) && (p->estimate < p->range[0] || p->estimate > p->range[1]));
}

bool ipr_plot_beyond(const struct ipr_plot *p)
{
    return plot_hollow(p) || (plot_ranged(p) && (p->low < p->range[0] || p->high > p->range[1]));
}

static const char *plot_label(const struct ipr_plot *p, struct ipr_arena *mem)
{
    const char *text = "";

    if (isfinite(p->estimate))
        text = ipr_arena_printf(mem, "%s %.0f", p->name, p->estimate);
    if (isfinite(p->low) && isfinite(p->high))
        text = ipr_arena_printf(mem, "%s%s95%% interval %s", text, *text != '\0' ? ", " : "",
                                ipr_wording_interval(p->estimate, p->low, p->high, mem));
    if (plot_hollow(p))
        text = ipr_arena_printf(mem, "%s, outside the calibrated range", text);
    if (isfinite(p->other))
        text = ipr_arena_printf(mem, "%s%sElo %.0f", text, *text != '\0' ? ", " : "", p->other);
    return text;
}

/* The part of a bar between two values. NULL: there is none. */
static struct ipr_page_plot_part *plot_part(const struct ipr_axis *a, double from, double to,
                                            struct ipr_arena *mem)
{
    const double x = ipr_axis_x(a, from), width = ipr_axis_x(a, to) - x;
    struct ipr_page_plot_part *const out = ipr_arena_alloc(mem, 1, sizeof *out);

    *out = (struct ipr_page_plot_part){ ipr_page_per_cent(x, mem), ipr_page_per_cent(width, mem) };
    return from < to && width > 0.0 ? out : NULL;
}

/* The bar as far as it is within the calibrated range, and what is outside. */
static void plot_add_bar(const struct ipr_axis *a, const struct ipr_plot *p, struct ipr_arena *mem,
                         struct ipr_page_plot *out)
{
    const bool ranged = plot_ranged(p);
    const double low = ranged ? fmin(fmax(p->low, p->range[0]), p->range[1]) : p->low;
    const double high = ranged ? fmax(fmin(p->high, p->range[1]), p->range[0]) : p->high;
    const double x = ipr_axis_x(a, low);

    out->x = ipr_page_per_cent(x, mem);
    out->width = ipr_page_per_cent(ipr_axis_x(a, high) - x, mem);
    out->end = ipr_page_per_cent(ipr_axis_x(a, p->high), mem);
    out->start = ipr_page_per_cent(ipr_axis_x(a, p->low), mem);
    out->beyond_low = plot_part(a, p->low, low, mem);
    out->beyond_high = plot_part(a, high, p->high, mem);
    out->cut_low = p->low < a->lo;
    out->cut_high = p->high > a->hi;
}

json_t *ipr_plot_json(const struct ipr_axis *a, const struct ipr_plot *p)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_page_plot out = { .extrapolated = p->extrapolated, .hollow = plot_hollow(p) };
    const bool bar = !isnan(p->low) && !isnan(p->high);

    if (!isfinite(p->estimate) && !isfinite(p->other) && !bar)
        return json_null();
    out.label = plot_label(p, &mem);
    if (bar)
        plot_add_bar(a, p, &mem, &out);
    if (isfinite(p->estimate))
        out.mark = ipr_page_per_cent(ipr_axis_x(a, p->estimate), &mem);
    if (isfinite(p->other))
        out.other = ipr_page_per_cent(ipr_axis_x(a, p->other), &mem);
    json_t *const json = ipr_shape_page_json(IPR_SHAPE_PAGE_PLOT, &out);
    ipr_arena_release(&mem);
    return json;
}

void ipr_page_put_plot(json_t *row, const struct ipr_axis *a, const struct ipr_plot *p)
{
    const struct ipr_page_plotted plotted = { ipr_plot_json(a, p) };

    ipr_page_put(row, IPR_SHAPE_PAGE_PLOTTED, &plotted);
}
