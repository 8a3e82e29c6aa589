#include "lab/methods/boost_fit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/twister.h"

#define BOOST_BINS 64 /* values of a feature that are distinguished */

/* The rows that are used, their features as numbers of bins. */
struct boost_rows {
    size_t n, features;
    uint8_t *bin; /* [features][n]: how many of the feature's edges are below the value */
    float (*edge)[BOOST_BINS - 1];
    size_t *edges;            /* [features] */
    float *residual, *weight; /* [n] */
    uint8_t *leaf;            /* [n], of the tree that grows */
    double ridge;
};

struct boost_sum {
    float residual, weight;
};

struct boost_split {
    double gain;
    uint8_t feature, edge;
};

static int boost_by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

/* Edges that part the known values into bins of about equal size. */
static size_t boost_edges(float *value, size_t n, float edge[BOOST_BINS - 1])
{
    size_t edges = 0;

    qsort(value, n, sizeof *value, boost_by_value);
    for (size_t k = 0; k + 1 < BOOST_BINS && n > 0; k++) {
        const float at = value[k * n / (BOOST_BINS - 1)];

        if ((edges == 0 || at > edge[edges - 1]) && at < value[n - 1])
            edge[edges++] = at;
    }
    return edges;
}

static uint8_t boost_bin(const float *edge, size_t edges, float x)
{
    size_t low = 0, high = edges; /* the edges below x are the first `low` */

    while (low < high) {
        const size_t mid = (low + high) / 2;

        if (x > edge[mid])
            low = mid + 1;
        else
            high = mid;
    }
    return (uint8_t)low;
}

static void boost_rows_bin(struct boost_rows *rows, const struct ipr_boost_data *data,
                           const size_t *at)
{
    float *const value = ipr_xcalloc(rows->n + 1, sizeof *value);

    for (size_t f = 0; f < rows->features; f++) {
        size_t known = 0;

        for (size_t i = 0; i < rows->n; i++) {
            const float x = data->x[at[i] * data->features + f];

            if (!isnan(x))
                value[known++] = x;
        }
        rows->edges[f] = boost_edges(value, known, rows->edge[f]);
        for (size_t i = 0; i < rows->n; i++)
            rows->bin[f * rows->n + i] =
                boost_bin(rows->edge[f], rows->edges[f], data->x[at[i] * data->features + f]);
    }
    free(value);
}

static struct boost_rows boost_rows_make(const struct ipr_boost_data *data, double ridge,
                                         double *mean)
{
    size_t *const at = ipr_xcalloc(data->n + 1, sizeof *at);
    struct boost_rows rows = { .features = data->features };
    double sum = 0, weight = 0;

    for (size_t i = 0; i < data->n; i++)
        if (data->weight[i] > 0) {
            at[rows.n++] = i;
            sum += data->weight[i] * data->y[i];
            weight += data->weight[i];
        }
    *mean = weight > 0 ? sum / weight : 0;
    rows.bin = ipr_xcalloc(rows.n * rows.features + 1, 1);
    rows.edge = ipr_xcalloc(rows.features + 1, sizeof *rows.edge);
    rows.edges = ipr_xcalloc(rows.features + 1, sizeof *rows.edges);
    rows.residual = ipr_xcalloc(rows.n + 1, sizeof *rows.residual);
    rows.weight = ipr_xcalloc(rows.n + 1, sizeof *rows.weight);
    rows.leaf = ipr_xcalloc(rows.n + 1, 1);
    for (size_t i = 0; i < rows.n; i++) {
        rows.residual[i] = (float)(data->y[at[i]] - *mean);
        rows.weight[i] = (float)(data->weight[at[i]] * (double)rows.n / weight);
    }
    rows.ridge = ridge;
    boost_rows_bin(&rows, data, at);
    free(at);
    return rows;
}

static double boost_worth(double residual, double weight, double ridge)
{
    return residual * residual / (weight + ridge);
}

/* The best edge of a feature: one question for all the leaves of the level. */
static struct boost_split boost_split_at(const struct boost_rows *rows, size_t feature,
                                         size_t leaves)
{
    struct boost_sum sum[IPR_BOOST_LEAVES / 2][BOOST_BINS],
        all[IPR_BOOST_LEAVES / 2] = { 0 }, low[IPR_BOOST_LEAVES / 2] = { 0 };
    const uint8_t *const bin = rows->bin + feature * rows->n;
    struct boost_split best = { .gain = -1, .feature = (uint8_t)feature };

    memset(sum, 0, leaves * sizeof *sum);
    for (size_t i = 0; i < rows->n; i++) {
        struct boost_sum *const s = &sum[rows->leaf[i]][bin[i]];

        s->residual += rows->weight[i] * rows->residual[i];
        s->weight += rows->weight[i];
    }
    for (size_t l = 0; l < leaves; l++)
        for (size_t b = 0; b <= rows->edges[feature]; b++) {
            all[l].residual += sum[l][b].residual;
            all[l].weight += sum[l][b].weight;
        }
    for (size_t b = 0; b < rows->edges[feature]; b++) {
        double gain = 0;

        for (size_t l = 0; l < leaves; l++) {
            low[l].residual += sum[l][b].residual;
            low[l].weight += sum[l][b].weight;
            gain += boost_worth((double)low[l].residual, (double)low[l].weight, rows->ridge) +
                    boost_worth((double)(all[l].residual - low[l].residual),
                                (double)(all[l].weight - low[l].weight), rows->ridge);
        }
        if (gain > best.gain) {
            best.gain = gain;
            best.edge = (uint8_t)b;
        }
    }
    return best;
}

static void boost_grow(struct boost_rows *rows, const struct ipr_boost_options *o,
                       struct ipr_twister *rng, struct ipr_boost_tree *tree)
{
    const uint32_t taken = (uint32_t)ceil(o->features * 4096);
    double residual[IPR_BOOST_LEAVES] = { 0 }, weight[IPR_BOOST_LEAVES] = { 0 };
    bool chosen[256];

    for (size_t f = 0; f < rows->features; f++)
        chosen[f] = ipr_twister_below(rng, 4096) < taken && rows->edges[f] > 0;
    memset(rows->leaf, 0, rows->n);
    *tree = (struct ipr_boost_tree){ .threshold = { 0 } };
    for (unsigned k = 0; k < IPR_BOOST_DEPTH; k++) {
        struct boost_split best = { .gain = -1 };

        for (size_t f = 0; f < rows->features; f++) {
            const struct boost_split s = chosen[f] ? boost_split_at(rows, f, (size_t)1 << k) : best;

            if (s.gain > best.gain)
                best = s;
        }
        if (best.gain < 0)
            continue; /* no feature was chosen: all answers are no */
        tree->feature[k] = best.feature;
        tree->threshold[k] = rows->edge[best.feature][best.edge];
        for (size_t i = 0; i < rows->n; i++)
            rows->leaf[i] |= (uint8_t)((rows->bin[best.feature * rows->n + i] > best.edge) << k);
    }
    for (size_t i = 0; i < rows->n; i++) {
        residual[rows->leaf[i]] += (double)(rows->weight[i] * rows->residual[i]);
        weight[rows->leaf[i]] += (double)rows->weight[i];
    }
    for (size_t l = 0; l < IPR_BOOST_LEAVES; l++)
        tree->leaf[l] = (float)(o->rate * residual[l] / (weight[l] + o->ridge));
    for (size_t i = 0; i < rows->n; i++)
        rows->residual[i] -= tree->leaf[rows->leaf[i]];
}

void ipr_boost_fit(const struct ipr_boost_data *data, const struct ipr_boost_options *options,
                   struct ipr_boost_tree *tree, struct ipr_boost *out)
{
    struct boost_rows rows = boost_rows_make(data, options->ridge, &out->mean);
    struct ipr_twister rng;

    ipr_twister_seed(&rng, (uint32_t)options->seed);
    for (size_t t = 0; t < options->trees; t++)
        boost_grow(&rows, options, &rng, &tree[t]);
    out->n = options->trees;
    out->tree = tree;
    free(rows.bin);
    free(rows.edge);
    free(rows.edges);
    free(rows.residual);
    free(rows.weight);
    free(rows.leaf);
}
