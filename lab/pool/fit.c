/* The estimator of a pool: trees and openings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/methods/boost_fit.h"
#include "lab/methods/strength_sides.h"
#include "lab/pool/pool.h"
#include "stats/resample.h"

#define FIT_SHRINK 20 /* games of the mean that are added to an opening's */
#define FIT_LEAST  10 /* games of an opening in a table */

static const struct ipr_boost_options fit_options = {
    .trees = POOL_TREES, .rate = .06, .ridge = 20, .features = .2, .seed = 1
};

/* ---- openings ---- */

struct fit_seen {
    uint32_t key;
    float above; /* the mean, Elo */
};

static int fit_by_key(const void *a, const void *b)
{
    const struct fit_seen *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

/* Openings of the sides that are taken, but those of one part of the players. */
static size_t fit_openings(const struct pool_sides *s, const bool *take, double mean, unsigned but,
                           struct ipr_side_opening *out)
{
    struct fit_seen *const seen = ipr_xcalloc(s->n * IPR_SIDE_OPENINGS + 1, sizeof *seen);
    size_t n = 0, openings = 0;

    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; take[i] && k < IPR_SIDE_OPENINGS; k++)
            if (s->features[i].opening[k] != 0 && pool_fold(s->player[i] ^ 1) != but)
                seen[n++] =
                    (struct fit_seen){ s->features[i].opening[k], (float)(s->rating[i] - mean) };
    qsort(seen, n, sizeof *seen, fit_by_key);
    for (size_t i = 0, end; i < n; i = end) {
        double sum = 0;

        for (end = i; end < n && seen[end].key == seen[i].key; end++)
            sum += (double)seen[end].above;
        if (end - i >= FIT_LEAST && openings < POOL_OPENINGS)
            out[openings++] =
                (struct ipr_side_opening){ seen[i].key,
                                           (float)(sum / ((double)(end - i) + FIT_SHRINK)) };
    }
    free(seen);
    return openings;
}

double pool_mean(const struct pool_sides *s, const bool *take)
{
    double sum = 0, n = 0;

    for (size_t i = 0; i < s->n; i++)
        if (take[i]) {
            sum += s->rating[i];
            n++;
        }
    return sum / n;
}

void pool_fit(struct pool_sides *s, const bool *take, struct pool_model *m)
{
    const double mean = pool_mean(s, take);
    double *const weight = ipr_xcalloc(s->n + 1, sizeof *weight);
    float(*const x)[IPR_SIDE_FEATURES] = ipr_xcalloc(s->n + 1, sizeof *x);

    /* The trees learn from scores by the openings of others: a player's own would be known too
     * well. */
    for (unsigned part = 0; part < POOL_FOLDS; part++) {
        const size_t n = fit_openings(s, take, mean, part, m->opening);

        for (size_t i = 0; i < s->n; i++)
            if (take[i] && pool_fold(s->player[i] ^ 1) == part)
                ipr_side_look_up(m->opening, n, &s->features[i]);
    }
    for (size_t i = 0; i < s->n; i++) {
        memcpy(x[i], s->features[i].x, sizeof x[i]);
        weight[i] = take[i];
    }
    m->model.openings = fit_openings(s, take, mean, POOL_FOLDS, m->opening);
    m->model.opening = m->opening;
    const struct ipr_boost_data data = { s->n, IPR_SIDE_FEATURES, x[0], s->rating, weight };

    ipr_boost_fit(&data, &fit_options, m->tree, &m->model.boost);
    free(x);
    free(weight);
}

void pool_held_out(struct pool_sides *s, double mean)
{
    struct pool_model *const m = ipr_xcalloc(1, sizeof *m);
    bool *const take = ipr_xcalloc(s->n + 1, sizeof *take);

    for (unsigned fold = 0; fold < POOL_FOLDS; fold++) {
        for (size_t i = 0; i < s->n; i++)
            take[i] = pool_fold(s->player[i]) != fold && pool_fold(s->opponent[i]) != fold;
        pool_fit(s, take, m);
        for (size_t i = 0; i < s->n; i++)
            if (pool_fold(s->player[i]) == fold) {
                ipr_side_look_up(m->opening, m->model.openings, &s->features[i]);
                s->score[i] = ipr_side_score(mean, ipr_boost_at(&m->model.boost, s->features[i].x));
            }
    }
    free(take);
    free(m);
}

/* ---- calibration ---- */

void pool_calibrate(const struct pool_sides *s, const bool *take, const double *knot, size_t knots,
                    struct pool_scale *out)
{
    struct ipr_strength_side *const side = ipr_xcalloc(s->n + 1, sizeof *side);
    double square = 0, n = 0;

    if (s->standard != NULL) {
        pool_shift(s, take, out);
        free(side);
        return;
    }
    *out = (struct pool_scale){ .prior_mean = pool_mean(s, take),
                                .calibration.spread.player = s->between };
    out->calibration.curve.knots = knots;
    memcpy(out->calibration.curve.elo, knot, knots * sizeof *knot);
    for (size_t i = 0; i < s->n; i++)
        side[i] = (struct ipr_strength_side){ .player = s->player[i],
                                              .elo = s->rating[i],
                                              .z = s->score[i].score / s->score[i].information,
                                              .information = s->score[i].information };
    ipr_strength_calibrate_levels(side, take, s->n, &out->calibration);
    for (size_t i = 0; i < s->n; i++)
        if (take[i]) {
            square += pow(s->rating[i] - out->prior_mean, 2);
            n++;
        }
    out->prior_sd = sqrt(square / n);
    free(side);
}
