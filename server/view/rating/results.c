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
    const struct ipr_figure_results_short out = { s->elo, s->se, results_interval(s->elo, s->se),
                                                  (size_t)s->games, (size_t)s->component };

    return s->games > 0 ? ipr_shape_copy(IPR_SHAPE_RESULTS_SHORT, &out, mem) : NULL;
}

static struct ipr_figure_results_scale *
results_scale_figure(const struct ipr_db_results_strength *s, struct ipr_arena *mem)
{
    const struct ipr_results_scale *shipped = &ipr_results_shipped.scale;
    struct ipr_figure_results_scale out = {
        shipped->offset, shipped->residual, IPR_UNKNOWN, 1971, 1979, shipped->drift
    };

    if (s->ratings > 0) {
        out.offset = s->offset_elo;
        out.residual = s->residual;
        out.ratings = (size_t)s->ratings;
        out.from = (size_t)s->from_year;
        out.to = out.from + IPR_RESULTS_SPAN - 1;
    }
    return ipr_shape_copy(IPR_SHAPE_RESULTS_SCALE, &out, mem);
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

enum ipr_code ipr_results_strength(const struct ipr_view_context *c, int32_t person, int year,
                                   struct ipr_figure_results_strength **out, struct ipr_err *err)
{
    struct ipr_figure_results_strength *f = ipr_shape_new(IPR_SHAPE_RESULTS_STRENGTH, c->v->mem);
    struct ipr_view_context own = { .v = c->v }; /* neither judge nor calibration */
    struct ipr_provenance from = { .context = &own, .method = IPR_METHOD_WHR, .converged = true };
    struct ipr_db_results_strength *s = NULL;
    double elo, se;
    size_t n = 0;
    const enum ipr_code rc =
        ipr_db_results_of_person(c->v->db, person, year, c->v->mem, &s, &n, err);

    if (rc != IPR_OK)
        return rc;
    *out = f;
    if (n == 0) {
        f->figure = ipr_figure_none(&from, "no game of classical or unknown time control with a "
                                           "known year and result, or not computed yet");
        return IPR_OK;
    }
    results_mean(s, n, &elo, &se, &from.games);
    f->figure = ipr_figure(elo, se, results_interval(elo, se), &from);
    f->component = (size_t)s->component;
    f->scale = results_scale_figure(s, c->v->mem);
    return IPR_OK;
}
