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

static json_t *per_cent(double x)
{
    return ipr_page_format("%.2f%%", x);
}

json_t *ipr_axis_json(const struct ipr_axis *a)
{
    const double step = step_for(a->hi - a->lo);
    json_t *ticks = json_array();

    for (int i = 0; i < TICKS_MAX; i++) {
        const double value = a->lo + i * step;
        if (value > a->hi + step / 1000.0)
            break;
        json_array_append_new(ticks, json_pack("{s:o, s:o}", "x", per_cent(ipr_axis_x(a, value)),
                                               "label", ipr_page_format("%.0f", round(value))));
    }
    return json_pack("{s:o}", "ticks", ticks);
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

static json_t *plot_label(const struct ipr_plot *p)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    char text[300] = "";
    int n = 0;

    if (isfinite(p->estimate))
        n = snprintf(text, sizeof text, "%.100s %.0f", p->name, p->estimate);
    if (isfinite(p->low) && isfinite(p->high))
        n += snprintf(text + n, sizeof text - (size_t)n, "%s95%% interval %s", n ? ", " : "",
                      ipr_wording_interval(p->estimate, p->low, p->high, &mem));
    ipr_arena_release(&mem);
    if (plot_hollow(p))
        n += snprintf(text + n, sizeof text - (size_t)n, ", outside the calibrated range");
    if (isfinite(p->other))
        snprintf(text + n, sizeof text - (size_t)n, "%sElo %.0f", n ? ", " : "", p->other);
    return ipr_page_format("%s", text);
}

/* The part of a bar between two values, {"x", "width"}; null: there is none. */
static json_t *plot_part(const struct ipr_axis *a, double from, double to)
{
    const double x = ipr_axis_x(a, from), width = ipr_axis_x(a, to) - x;

    return from < to && width > 0.0
               ? json_pack("{s:o, s:o}", "x", per_cent(x), "width", per_cent(width))
               : json_null();
}

/* "x" and "width" of the bar as far as it is within the calibrated range, and what is outside. */
static void plot_add_bar(const struct ipr_axis *a, const struct ipr_plot *p, json_t *out)
{
    static const char *const members[] = {
        "x", "width", "end", "start", "beyond_low", "beyond_high"
    };
    const bool ranged = plot_ranged(p);
    const double low = ranged ? fmin(fmax(p->low, p->range[0]), p->range[1]) : p->low;
    const double high = ranged ? fmax(fmin(p->high, p->range[1]), p->range[0]) : p->high;
    const double x = ipr_axis_x(a, low);

    if (isnan(p->low) || isnan(p->high)) {
        for (size_t i = 0; i < sizeof members / sizeof *members; i++)
            json_object_set_new(out, members[i], json_null());
        return;
    }
    json_object_set_new(out, "x", per_cent(x));
    json_object_set_new(out, "width", per_cent(ipr_axis_x(a, high) - x));
    json_object_set_new(out, "end", per_cent(ipr_axis_x(a, p->high)));
    json_object_set_new(out, "start", per_cent(ipr_axis_x(a, p->low)));
    json_object_set_new(out, "beyond_low", plot_part(a, p->low, low));
    json_object_set_new(out, "beyond_high", plot_part(a, high, p->high));
}

json_t *ipr_plot_json(const struct ipr_axis *a, const struct ipr_plot *p)
{
    json_t *out = json_object();
    const double mark = p->estimate;
    const bool bar = !isnan(p->low) && !isnan(p->high);

    if (!isfinite(mark) && !isfinite(p->other) && !bar) {
        json_decref(out);
        return json_null();
    }
    json_object_set_new(out, "label", plot_label(p));
    plot_add_bar(a, p, out);
    json_object_set_new(out, "mark", isfinite(mark) ? per_cent(ipr_axis_x(a, mark)) : json_null());
    json_object_set_new(out, "other",
                        isfinite(p->other) ? per_cent(ipr_axis_x(a, p->other)) : json_null());
    json_object_set_new(out, "extrapolated", json_boolean(p->extrapolated));
    json_object_set_new(out, "hollow", json_boolean(plot_hollow(p)));
    json_object_set_new(out, "cut_low", json_boolean(bar && p->low < a->lo));
    json_object_set_new(out, "cut_high", json_boolean(bar && p->high > a->hi));
    return out;
}
