/* Measures whether sides of one Elo have more in common: a player, a year, an event. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/clusters.h"
#include "lab/report.h"

/* Pairs of sides of different games. */
enum level { LEVEL_YEARS, LEVEL_YEAR, LEVEL_EVENT, LEVEL_OTHERS, LEVELS };

static const char *const level_name[LEVELS] = { "one player in different years",
                                                "one player in one year, different events",
                                                "one player in one event",
                                                "different players in one event" };

/* Returns what a pair has in common; LEVELS: nothing, or one game. */
static enum level level_of(const struct bench_side *a, const struct bench_side *b)
{
    if (a->game == b->game)
        return LEVELS;
    if (a->player != b->player)
        return a->event == b->event && a->year == b->year ? LEVEL_OTHERS : LEVELS;
    return a->year != b->year ? LEVEL_YEARS : a->event != b->event ? LEVEL_YEAR : LEVEL_EVENT;
}

/* Sums over the pairs whose first side is `i`, as a cluster of their player or event; returns the
 * number of pairs. */
static size_t level_pairs(const struct bench_report *r, const struct bench_entry *e,
                          enum level level, const bool *take, const double *residual, size_t i,
                          struct bench_cluster *s)
{
    const struct bench_side *side = r->d.side;
    const double w = ipr_strength_weight(&e->model.spread, e->answer[i].information);
    size_t pairs = 0;

    *s = (struct bench_cluster){ level == LEVEL_OTHERS ? side[i].event : side[i].player, 0, 0 };
    for (size_t j = i + 1; take[i] && j < r->d.n_sides; j++) {
        double both;

        if (!take[j] || level_of(&side[i], &side[j]) != level)
            continue;
        both = w * ipr_strength_weight(&e->model.spread, e->answer[j].information);
        s->weight += both;
        s->product += both * residual[i] * residual[j];
        pairs += both > 0;
    }
    return pairs;
}

static json_t *level_row(const struct bench_report *r, const struct bench_entry *e,
                         enum level level, const double *residual)
{
    struct bench_cluster *s = ipr_xcalloc(r->d.n_sides + 1, sizeof *s);
    double weight = 0, covariance = 0, error = 0;
    size_t pairs = 0, n;

    for (size_t i = 0; i < r->d.n_sides; i++)
        pairs += level_pairs(r, e, level, r->take, residual, i, &s[i]);
    n = bench_clusters_merge(s, r->d.n_sides);
    for (size_t i = 0; i < n; i++) {
        weight += s[i].weight;
        covariance += s[i].product;
    }
    covariance /= weight;
    for (size_t i = 0; i < n; i++) {
        const double d = s[i].product - covariance * s[i].weight;

        error += d * d;
    }
    free(s);
    return json_pack("{s:s, s:I, s:o, s:o, s:o}", "of", level_name[level], "pairs",
                     (json_int_t)pairs, "covariance", bench_number(covariance), "standard_error",
                     bench_number(sqrt(error) / weight), "sd",
                     bench_number(copysign(sqrt(fabs(covariance)), covariance)));
}

double bench_event_variance(const struct bench_report *r, const struct bench_entry *e)
{
    double *residual = ipr_xcalloc(r->d.n_sides + 1, sizeof *residual), top = 0, bottom = 0;
    struct bench_cluster *s = ipr_xcalloc(r->d.n_sides + 1, sizeof *s);
    size_t n;

    for (size_t i = 0; i < r->d.n_sides; i++)
        residual[i] = r->fit[i] ? bench_residual_of_year(r, e, i) : 0;
    for (size_t i = 0; i < r->d.n_sides; i++)
        level_pairs(r, e, LEVEL_OTHERS, r->fit, residual, i, &s[i]);
    n = bench_clusters_merge(s, r->d.n_sides);
    for (size_t i = 0; i < n; i++)
        if (s[i].weight > 0) {
            top += s[i].product / sqrt(s[i].weight);
            bottom += sqrt(s[i].weight);
        }
    free(s);
    free(residual);
    return bottom > 0 ? fmax(top / bottom, 0) : 0;
}

json_t *bench_levels(const struct bench_report *r, const struct bench_entry *e)
{
    double *residual = ipr_xcalloc(r->d.n_sides + 1, sizeof *residual);
    json_t *out = json_array();

    for (size_t i = 0; i < r->d.n_sides; i++)
        residual[i] = r->take[i] ? bench_residual_elo(r, e, i) : 0;
    for (size_t level = 0; level < LEVELS; level++)
        json_array_append_new(out, level_row(r, e, (enum level)level, residual));
    free(residual);
    return out;
}
