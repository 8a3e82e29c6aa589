/* The distribution of the losses: what the covariance predictor is made of. */
#include "view/rating/rate.h"

#include "model/gain.h"
#include "view/json.h"

/** [{"loss" [pawns], "share"}] of the losses that occur, ascending. */
static json_t *distribution_json(const struct ipr_gain *g)
{
    json_t *out = json_array();

    for (unsigned bin = 0; bin <= g->top; bin++)
        if (g->share[bin] > 0.0)
            json_array_append_new(out, json_pack("{s:o, s:o}", "loss", ipr_json_num(bin / 100.0),
                                                 "share", ipr_json_num(g->share[bin])));
    return out;
}

static enum ipr_code gain_of(const struct ipr_material *m, size_t n, struct ipr_gain *out,
                             struct ipr_err *err)
{
    const struct ipr_conformance_params raw = IPR_CONFORMANCE_INIT;
    struct ipr_gain_turn *turns = ipr_arena_alloc(m->context->v->mem, n, sizeof *turns);

    const enum ipr_code rc = ipr_gain_turns(&raw, m->t->turns, m->keep, n, turns, err);
    return rc == IPR_OK ? ipr_gain_distribution(turns, n, out, err) : rc;
}

/**
 * {"distribution": [{"loss" [pawns], "share"}] of the raw losses by centipawn, "clipped": turns
 * that lost 10.00 or more and stand there, provenance} or null and "reason". A distribution is no
 * estimate: it has no interval; that of its mean is the conformance's.
 */
enum ipr_code ipr_rate_gain(const struct ipr_material *m, json_t **out, struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    struct ipr_window_counts counts;
    struct ipr_gain gain;

    const size_t n = ipr_window_select(&window, m->t->turns, m->t->n, m->keep, &counts);
    struct ipr_provenance from = { .context = m->context,
                                   .method = IPR_METHOD_GAIN,
                                   .window = &window,
                                   .counts = &counts,
                                   .turns = n,
                                   .games = ipr_rate_games(m->t->turns, m->keep, n),
                                   .converged = true };
    if (n < IPR_VIEW_MIN_TURNS) {
        from.converged = false;
        *out = ipr_rate_too_few(m, &from);
        json_object_set_new(*out, "distribution", json_null());
        return IPR_OK;
    }
    const enum ipr_code rc = gain_of(m, n, &gain, err);
    if (rc != IPR_OK)
        return rc;
    *out = json_pack("{s:o, s:I}", "distribution", distribution_json(&gain), "clipped",
                     (json_int_t)gain.clipped);
    ipr_estimate_provenance(*out, &from);
    return IPR_OK;
}
