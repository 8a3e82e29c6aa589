/* Strength from results, as the background fit has stored it. */
#include <math.h>

#include "model/results_shipped.h"
#include "stats/interval.h"
#include "view/rating/rate.h"

static struct ipr_interval results_interval(double elo, double se)
{
    return (struct ipr_interval){ elo - IPR_Z95 * se, elo + IPR_Z95 * se };
}

struct ipr_figure_results_short *ipr_results_short(const struct ipr_db_results_strength *s,
                                                   struct ipr_arena *mem)
{
    const double se = hypot(s->se, fmax(s->scale_se, 0));
    const struct ipr_figure_results_short out = { s->elo,
                                                  se,
                                                  results_interval(s->elo, se),
                                                  s->se,
                                                  s->scale_se < 0,
                                                  (size_t)s->games,
                                                  (size_t)s->component };

    return s->games > 0 ? ipr_shape_copy(IPR_SHAPE_RESULTS_SHORT, &out, mem) : NULL;
}

static struct ipr_figure_results_scale *results_scale_figure(const struct ipr_results_place *at,
                                                             struct ipr_arena *mem)
{
    struct ipr_figure_results_scale *out = ipr_shape_new(IPR_SHAPE_RESULTS_SCALE, mem);
    const struct ipr_whr_scale_options *o = &ipr_results_shipped.scale;
    const struct ipr_whr_scale *s = &at->scale;

    out->drift = o->drift;
    if (!ipr_whr_scaled(s, o)) {
        out->reason =
            ipr_say_reason_results(IPR_REASON_RESULTS_FEW_ELO,
                                   &(struct ipr_reason_results_slots){
                                       .years = (double)o->ratings, .players = (double)o->players },
                                   mem);
        return out;
    }
    out->standard_error = ipr_whr_place_se(s, &at->place, o);
    out->from = (size_t)s->from;
    out->to = (size_t)s->to;
    out->ratings = s->ratings;
    out->players = s->players;
    return out;
}

/* Mean of the years, weighted by games. The years are a Markov chain, so the covariance of two is
 * the product of the regressions of each on the one before: `tail` is the covariance of a year with
 * the weighted sum of the later ones. */
static void results_mean(const struct ipr_db_results_strength *s, size_t n, double *elo, double *se,
                         size_t *games)
{
    double sum = 0, variance = 0, total = 0, tail = 0;

    for (size_t k = n; k-- > 0;) {
        const double next = k + 1 < n ? s[k + 1].se * s[k + 1].se : 1;

        if (k + 1 < n)
            tail = s[k].covariance / next * (s[k + 1].games * next + tail);
        variance += s[k].games * (s[k].games * s[k].se * s[k].se + 2 * tail);
        sum += s[k].games * s[k].elo;
        total += s[k].games;
    }
    *elo = sum / total;
    *se = sqrt(variance) / total;
    *games = (size_t)total;
}

/* Where the mean of the years is on the scale. */
static struct ipr_whr_place results_place(const struct ipr_whr_scale *scale,
                                          const struct ipr_db_results_strength *s, size_t n,
                                          double games)
{
    struct ipr_whr_place out = { 0, 0 };

    for (size_t k = 0; k < n; k++) {
        const struct ipr_whr_place year = ipr_whr_place(scale, s[k].year);

        out.before += s[k].games / games * year.before;
        out.after += s[k].games / games * year.after;
    }
    return out;
}

static void strength_fill(const struct ipr_results_place *at, double elo,
                          const struct ipr_provenance *from, int32_t component,
                          struct ipr_arena *mem, struct ipr_figure_results_strength *out)
{
    const struct ipr_whr_scale_options *o = &ipr_results_shipped.scale;
    const double scale =
        ipr_whr_scaled(&at->scale, o) ? ipr_whr_place_se(&at->scale, &at->place, o) : 0;
    const double se = hypot(at->relative_error, scale);

    out->figure = ipr_figure(elo, se, results_interval(elo, se), from);
    out->relative_error = at->relative_error;
    out->component = (size_t)component;
    out->scale = results_scale_figure(at, mem);
}

enum ipr_code ipr_results_strength(const struct ipr_view_context *c, int32_t person, int year,
                                   struct ipr_figure_results_strength **out,
                                   struct ipr_results_place *at, struct ipr_err *err)
{
    struct ipr_figure_results_strength *f = ipr_shape_new(IPR_SHAPE_RESULTS_STRENGTH, c->v->mem);
    struct ipr_view_context own = { .v = c->v,
                                    .pool = c->pool }; /* neither judge nor calibration */
    struct ipr_provenance from = { .context = &own,
                                   .method = IPR_METHOD_WHOLE_HISTORY,
                                   .converged = true };
    struct ipr_db_results_strength *s = NULL;
    double elo;
    size_t n = 0;
    enum ipr_code rc = ipr_db_results_of_person(c->v->db, person, year, c->v->mem, &s, &n, err);

    if (rc == IPR_OK && n > 0)
        rc = ipr_db_results_scale(c->v->db, s->component, &at->scale, err);
    if (rc != IPR_OK)
        return rc;
    *out = f;
    if (n == 0) {
        f->figure = ipr_figure_none(
            &from, ipr_say_reason_results(IPR_REASON_RESULTS_NO_GAME,
                                          &(struct ipr_reason_results_slots){
                                              .games = ipr_results_shipped.scale.games },
                                          c->v->mem));
        return IPR_OK;
    }
    results_mean(s, n, &elo, &at->relative_error, &from.games);
    at->place = results_place(&at->scale, s, n, (double)from.games);
    strength_fill(at, elo, &from, s->component, c->v->mem, f);
    return IPR_OK;
}
