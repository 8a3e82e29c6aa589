#include "model/gain.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stats/clustered.h"

unsigned ipr_gain_bin(double loss)
{
    const double bin = floor(100.0 * loss + 0.5 + 1e-7);

    if (!(bin > 0.0))
        return 0;
    return bin >= IPR_GAIN_BINS - 1 ? IPR_GAIN_BINS - 1 : (unsigned)bin;
}

enum ipr_code ipr_gain_turns(const struct ipr_conformance_params *params,
                             const struct ipr_turn *turns, const size_t *keep, size_t n,
                             struct ipr_gain_turn *out, struct ipr_err *err)
{
    if (!(params->k1 > 0.0) || !(params->k2 < 0.0))
        return ipr_err_set(err, IPR_EINVAL, "gain: k1=%g k2=%g", params->k1, params->k2);
    for (size_t i = 0; i < n; i++) {
        const struct ipr_turn *t = &turns[keep != NULL ? keep[i] : i];
        const struct ipr_judged j = ipr_judged(t, params->order);
        const double loss = ipr_loss(params, j.best_cp, j.played_cp);
        out[i] = (struct ipr_gain_turn){ t->game, (uint16_t)ipr_gain_bin(loss) };
    }
    return IPR_OK;
}

enum ipr_code ipr_gain_distribution(const struct ipr_gain_turn *turns, const double *weight,
                                    size_t n, struct ipr_gain *out, struct ipr_err *err)
{
    struct ipr_gain g = { .turns = n };
    double total = 0.0;

    if (n == 0)
        return ipr_err_set(err, IPR_EDATA, "there are no moves whose losses could be counted");
    for (size_t i = 0; i < n; i++) {
        if (turns[i].bin >= IPR_GAIN_BINS)
            return ipr_err_set(err, IPR_EINVAL, "gain: a loss of %u cp", turns[i].bin);
        const double w = weight != NULL ? weight[i] : 1.0;
        g.share[turns[i].bin] += w;
        total += w;
        g.clipped += turns[i].bin == IPR_GAIN_BINS - 1;
        if (turns[i].bin > g.top)
            g.top = turns[i].bin;
    }
    for (size_t k = 0; k <= g.top; k++)
        g.share[k] /= total;
    int32_t *game = ipr_xcalloc(n, sizeof *game);
    uint32_t *index = ipr_xcalloc(n, sizeof *index);
    for (size_t i = 0; i < n; i++)
        game[i] = turns[i].game;
    g.games = ipr_stats_cluster(game, n, index);
    free(index);
    free(game);
    *out = g;
    return IPR_OK;
}
