/* The distribution of the losses, the basis of the covariance predictor. */
#include "view/rating/rate.h"

#include "model/gain.h"

/* The losses that occur, ascending. */
static void gain_bins(const struct ipr_gain *g, struct ipr_arena *mem, struct ipr_figure_gain *out)
{
    struct ipr_figure_gain_bin *bins = ipr_arena_alloc(mem, g->top + 1, sizeof *bins);

    for (unsigned bin = 0; bin <= g->top; bin++)
        if (g->share[bin] > 0.0)
            bins[out->distribution.n++] =
                (struct ipr_figure_gain_bin){ bin / 100.0, g->share[bin] };
    out->distribution.at = bins;
    out->clipped = g->clipped;
}

static enum ipr_code gain_compute(const struct ipr_material *m, size_t n, struct ipr_gain *out,
                                  struct ipr_err *err)
{
    const struct ipr_conformance_params raw = IPR_CONFORMANCE_INIT;
    struct ipr_gain_turn *turns = ipr_arena_alloc(m->context->v->mem, n, sizeof *turns);

    const enum ipr_code rc = ipr_gain_turns(&raw, m->t->turns, m->keep, n, turns, err);
    return rc == IPR_OK ? ipr_gain_distribution(turns, NULL, n, out, err) : rc;
}

/* A distribution is no estimate and has no interval; the interval of its mean is in the
 * conformance. */
enum ipr_code ipr_rate_gain(const struct ipr_material *m, struct ipr_figure_ratings *out,
                            struct ipr_err *err)
{
    struct ipr_figure_gain *figure = ipr_shape_new(IPR_SHAPE_GAIN, m->context->v->mem);
    struct ipr_rate_turns t;
    struct ipr_gain gain;
    enum ipr_code rc = IPR_OK;

    ipr_rate_select(m, IPR_METHOD_GAIN, ipr_window_default(IPR_WINDOW_CONFORMANCE), &t);
    figure->group = ipr_figure_group(&t.from, t.reason);
    out->gain = figure;
    if (t.reason == NULL)
        rc = gain_compute(m, t.n, &gain, err);
    if (t.reason == NULL && rc == IPR_OK)
        gain_bins(&gain, m->context->v->mem, figure);
    return rc;
}
