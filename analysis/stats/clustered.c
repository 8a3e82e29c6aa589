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

double ipr_stats_mean_se(const double *x, const int32_t *game, size_t n, size_t *games)
{
    const double mean = ipr_stats_mean(x, n);
    uint32_t *cluster = ipr_xcalloc(n + 1, sizeof *cluster);
    const size_t clusters = ipr_stats_cluster(game, n, cluster);
    double *u = ipr_xcalloc(clusters + 1, sizeof *u);
    struct ipr_sum ss = { 0 };

    for (size_t i = 0; i < n; i++)
        u[cluster[i]] += x[i] - mean;
    for (size_t g = 0; g < clusters; g++)
        ipr_sum_add(&ss, u[g] * u[g]);
    free(u);
    free(cluster);
    if (games != NULL)
        *games = clusters;
    if (clusters < 2)
        return 0.0;
    return sqrt((double)clusters / (double)(clusters - 1) * ipr_sum_value(&ss)) / (double)n;
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
