#include "model/conformance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/sum.h"

double ipr_loss(const struct ipr_conformance_params *params, int best_cp, int played_cp)
{
    const double v = best_cp / 100.0;
    const double raw = best_cp > played_cp ? (best_cp - played_cp) / 100.0 : 0.0;

    if (params->loss == IPR_LOSS_RAW)
        return raw;
    return raw / (1.0 + v / (v >= 0.0 ? params->k1 : params->k2));
}

unsigned ipr_loss_class(double loss)
{
    double c;

    if (!(loss > 0.0))
        return 0;
    c = fmax(1.0, ceil(10.0 * loss - 1e-8));
    return c >= IPR_LOSS_CLASSES - 1 ? IPR_LOSS_CLASSES - 1 : (unsigned)c;
}

static enum ipr_code conformance_check(const struct ipr_conformance_params *params,
                                       struct ipr_err *err)
{
    if (!(params->k1 > 0.0) || !(params->k2 < 0.0))
        return ipr_err_set(err, IPR_EINVAL, "conformance: k1=%g k2=%g", params->k1, params->k2);
    return IPR_OK;
}

enum ipr_code ipr_conformance(const struct ipr_conformance_params *params,
                              const struct ipr_turn *turns, const size_t *keep, size_t n,
                              struct ipr_conformance *out, struct ipr_err *err)
{
    struct ipr_conformance c;
    double *loss;
    int32_t *game;
    bool *hit;
    enum ipr_code rc;

    rc = conformance_check(params, err);
    if (rc != IPR_OK)
        return rc;
    if (n == 0)
        return ipr_err_set(err, IPR_EDATA, "no turn remains to be compared with the best moves");

    memset(&c, 0, sizeof c);
    c.turns = n;
    loss = ipr_xcalloc(n, sizeof *loss);
    game = ipr_xcalloc(n, sizeof *game);
    hit = ipr_xcalloc(n, sizeof *hit);
    for (size_t i = 0; i < n; i++) {
        const struct ipr_turn *t = &turns[keep != NULL ? keep[i] : i];
        const struct ipr_judged j = ipr_judged(t, params->order);
        loss[i] = ipr_loss(params, j.best_cp, j.played_cp);
        game[i] = t->game;
        hit[i] = loss[i] <= 1e-9;
        c.classes[ipr_loss_class(loss[i])] += 1.0;
    }
    rc = ipr_stats_share(hit, game, n, &c.share_0, err);
    for (size_t i = 0; i < n; i++)
        hit[i] = loss[i] <= 0.30 + 1e-9;
    if (rc == IPR_OK)
        rc = ipr_stats_share(hit, game, n, &c.share_30, err);
    if (rc == IPR_OK) {
        c.mean_loss = ipr_stats_mean(loss, n);
        c.mean_loss_se = ipr_stats_mean_se(loss, game, n, &c.games);
        *out = c;
    }
    free(hit);
    free(game);
    free(loss);
    return rc;
}

enum ipr_code ipr_conformance_shares(const double classes[IPR_LOSS_CLASSES],
                                     double r[IPR_LOSS_CLASSES],
                                     double cumulative[IPR_LOSS_CLASSES], struct ipr_err *err)
{
    double total = 0.0;
    double sum = 0.0;

    for (size_t i = 0; i < IPR_LOSS_CLASSES; i++)
        total += classes[i];
    if (!(total > 0.0))
        return ipr_err_set(err, IPR_EDATA, "there is no turn to take a share of");
    for (size_t i = 0; i < IPR_LOSS_CLASSES; i++) {
        sum += classes[i];
        if (r != NULL)
            r[i] = classes[i] / total;
        if (cumulative != NULL)
            cumulative[i] = sum / total;
    }
    return IPR_OK;
}

enum ipr_code ipr_conformance_accumulated(const struct ipr_conformance_params *params,
                                          const struct ipr_turn *turns, const size_t *keep,
                                          size_t n, int32_t year, double threshold,
                                          struct ipr_share *out, struct ipr_err *err)
{
    int32_t latest = 0; /* year up to `year` */
    size_t used = 0;

    for (size_t i = 0; i < n; i++) {
        const int32_t y = turns[keep != NULL ? keep[i] : i].year;
        if (y <= year && y > latest)
            latest = y;
    }
    enum ipr_code rc = conformance_check(params, err);
    if (rc != IPR_OK)
        return rc;
    if (!(threshold >= 0.0) || !isfinite(threshold))
        return ipr_err_set(err, IPR_EINVAL, "conformance: a loss of %g", threshold);
    if (latest == 0)
        return ipr_err_set(err, IPR_EDATA, "there are no turns up to the year %d", year);
    bool *hit = ipr_xcalloc(n, sizeof *hit);
    double *weight = ipr_xcalloc(n, sizeof *weight);
    int32_t *game = ipr_xcalloc(n, sizeof *game);
    for (size_t i = 0; i < n; i++) {
        const struct ipr_turn *t = &turns[keep != NULL ? keep[i] : i];
        const double w = ipr_year_weight(t->year, latest, params->forgetting);
        if (!(w > 0.0)) /* more than a thousand years ago, too */
            continue;
        const struct ipr_judged j = ipr_judged(t, params->order);
        hit[used] = ipr_loss(params, j.best_cp, j.played_cp) <= threshold + 1e-9;
        weight[used] = w;
        game[used++] = t->game;
    }
    rc = ipr_stats_weighted_share(hit, weight, game, used, out, err);
    free(game);
    free(weight);
    free(hit);
    return rc;
}

double ipr_conformance_score(double q1, double q2, double alpha, double beta)
{
    return fmax(0.0, fmin(1.0, (1.0 + beta * (q1 - q2) + alpha) / 2.0));
}
