#include "stats/clustered.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stats/sum.h"

struct label {
    int32_t game;
    size_t at;
};

static int by_game(const void *a, const void *b)
{
    const struct label *x = a;
    const struct label *y = b;

    return (x->game > y->game) - (x->game < y->game);
}

size_t ipr_stats_cluster(const int32_t *game, size_t n, uint32_t *index)
{
    struct label *l = ipr_xcalloc(n + 1, sizeof *l);
    size_t clusters = 0;

    for (size_t i = 0; i < n; i++)
        l[i] = (struct label){ game[i], i };
    qsort(l, n, sizeof *l, by_game);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || l[i].game != l[i - 1].game)
            clusters++;
        index[l[i].at] = (uint32_t)(clusters - 1);
    }
    free(l);
    return clusters;
}

/* Sum over the clusters of the square of the sum of u in each. */
static double clustered_squares(const double *u, const int32_t *game, size_t n, size_t *clusters)
{
    uint32_t *cluster = ipr_xcalloc(n + 1, sizeof *cluster);
    double *sum = ipr_xcalloc(n + 1, sizeof *sum);
    struct ipr_sum ss = { 0 };

    *clusters = ipr_stats_cluster(game, n, cluster);
    for (size_t i = 0; i < n; i++)
        sum[cluster[i]] += u[i];
    for (size_t g = 0; g < *clusters; g++)
        ipr_sum_add(&ss, sum[g] * sum[g]);
    free(sum);
    free(cluster);
    return ipr_sum_value(&ss);
}

double ipr_stats_mean_se(const double *x, const int32_t *game, size_t n, size_t *games)
{
    const double mean = ipr_stats_mean(x, n);
    double *u = ipr_xcalloc(n + 1, sizeof *u);
    size_t clusters;

    for (size_t i = 0; i < n; i++)
        u[i] = x[i] - mean;
    const double squares = clustered_squares(u, game, n, &clusters);
    free(u);
    if (games != NULL)
        *games = clusters;
    if (clusters < 2)
        return 0.0;
    return sqrt((double)clusters / (double)(clusters - 1) * squares) / (double)n;
}

double ipr_stats_weighted_mean(const double *x, const double *weight, size_t n, double *influence)
{
    struct ipr_sum sum = { 0 }, total = { 0 };

    for (size_t i = 0; i < n; i++) {
        ipr_sum_add(&sum, weight[i] * x[i]);
        ipr_sum_add(&total, weight[i]);
    }
    const double mean = ipr_sum_value(&sum) / ipr_sum_value(&total);
    for (size_t i = 0; i < n; i++)
        influence[i] = weight[i] * (x[i] - mean) / ipr_sum_value(&total);
    return mean;
}

double ipr_stats_influence_se(const double *influence, const int32_t *cluster, size_t n,
                              size_t clusters)
{
    size_t different;
    const double squares = clustered_squares(influence, cluster, n, &different);

    return sqrt((double)clusters / (double)(clusters - 1) * squares);
}

enum ipr_code ipr_stats_share(const bool *hit, const int32_t *game, size_t n, struct ipr_share *out,
                              struct ipr_err *err)
{
    struct ipr_share s = { .trials = n, .clustered = { 0.0, 1.0 } };
    double *x;
    enum ipr_code rc;
    double var;

    if (n == 0)
        return ipr_err_set(err, IPR_EDATA, "there is no turn to take a share of");
    for (size_t i = 0; i < n; i++)
        s.hits += hit[i];
    s.share = (double)s.hits / (double)n;

    x = ipr_xcalloc(n, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = hit[i] ? 1.0 : 0.0;
    s.se = ipr_stats_mean_se(x, game, n, &s.games);
    free(x);
    var = s.se * s.se;
    s.n_eff = var > 0.0 ? s.share * (1.0 - s.share) / var : (double)n;
    s.clustered_known = s.games > 1;
    rc = ipr_stats_wilson(s.hits, n, IPR_Z95, &s.wilson, err);
    if (rc == IPR_OK && s.clustered_known)
        rc = ipr_stats_wilson_eff(s.share, s.n_eff, IPR_Z95, &s.clustered, err);
    if (rc == IPR_OK)
        *out = s;
    return rc;
}

/* Sums over trials, and the contribution of each game. */
struct weighted {
    double total, square, hits; /* of the weights */
    uint32_t *cluster;          /* [n] game of each trial, from 0 */
    size_t games;
    double *deviation; /* [games] sum of w (x - p) */
    double *mean;      /* [games] weight of a trial */
    size_t *trials;    /* [games] */
};

static struct weighted weighted_make(const bool *hit, const double *weight, const int32_t *game,
                                     size_t n)
{
    struct weighted s = { .cluster = ipr_xcalloc(n, sizeof *s.cluster) };
    struct ipr_sum total = { 0 }, square = { 0 }, hits = { 0 };

    s.games = ipr_stats_cluster(game, n, s.cluster);
    s.deviation = ipr_xcalloc(s.games, sizeof *s.deviation);
    s.mean = ipr_xcalloc(s.games, sizeof *s.mean);
    s.trials = ipr_xcalloc(s.games, sizeof *s.trials);
    for (size_t i = 0; i < n; i++) {
        ipr_sum_add(&total, weight[i]);
        ipr_sum_add(&square, weight[i] * weight[i]);
        ipr_sum_add(&hits, hit[i] ? weight[i] : 0.0);
        s.mean[s.cluster[i]] += weight[i];
        s.trials[s.cluster[i]]++;
    }
    s.total = ipr_sum_value(&total);
    s.square = ipr_sum_value(&square);
    s.hits = ipr_sum_value(&hits);
    for (size_t g = 0; g < s.games; g++)
        s.mean[g] /= (double)s.trials[g];
    for (size_t i = 0; i < n; i++)
        s.deviation[s.cluster[i]] += weight[i] * ((hit[i] ? 1.0 : 0.0) - s.hits / s.total);
    return s;
}

/* Variance of the share, negative when the effective number of games is too small. */
static double weighted_variance(const struct weighted *s)
{
    struct ipr_sum ss = { 0 }, mean = { 0 }, square = { 0 };

    for (size_t g = 0; g < s->games; g++) {
        ipr_sum_add(&ss, s->deviation[g] * s->deviation[g]);
        ipr_sum_add(&mean, s->mean[g]);
        ipr_sum_add(&square, s->mean[g] * s->mean[g]);
    }
    const double games = ipr_sum_value(&mean) * ipr_sum_value(&mean) / ipr_sum_value(&square);
    /* Rounding may take an ulp from two games that weigh alike. */
    if (games < 2.0 - 1e-9)
        return -1.0;
    return games / (games - 1.0) * ipr_sum_value(&ss) / (s->total * s->total);
}

enum ipr_code ipr_stats_weighted_share(const bool *hit, const double *weight, const int32_t *game,
                                       size_t n, struct ipr_share *out, struct ipr_err *err)
{
    struct ipr_share s = { .trials = n, .clustered = { 0.0, 1.0 } };

    if (n == 0)
        return ipr_err_set(err, IPR_EDATA, "there is no turn to take a share of");
    for (size_t i = 0; i < n; i++) {
        if (!(weight[i] > 0.0) || !isfinite(weight[i]))
            return ipr_err_set(err, IPR_EINVAL, "share: a weight of %g", weight[i]);
        s.hits += hit[i];
    }
    struct weighted w = weighted_make(hit, weight, game, n);
    const double var = weighted_variance(&w);
    const double alone = w.total * w.total / w.square;

    /* A share that differs from 0 or 1 only by rounding counts as 0 or 1. */
    s.share = s.hits == n ? 1.0 : fmin(1.0, w.hits / w.total);
    s.games = w.games;
    s.clustered_known = var >= 0.0;
    s.se = s.hits == 0 || s.hits == n ? 0.0 : sqrt(fmax(0.0, var));
    s.n_eff = s.se > 0.0 ? s.share * (1.0 - s.share) / (s.se * s.se) : alone;
    free(w.trials);
    free(w.mean);
    free(w.deviation);
    free(w.cluster);
    enum ipr_code rc = ipr_stats_wilson_eff(s.share, alone, IPR_Z95, &s.wilson, err);
    if (rc == IPR_OK && s.clustered_known)
        rc = ipr_stats_wilson_eff(s.share, s.n_eff, IPR_Z95, &s.clustered, err);
    if (rc == IPR_OK)
        *out = s;
    return rc;
}
