#include "model/covariance.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/covariance_gain.h"
#include "stats/logit.h"

struct ipr_covariance_params ipr_covariance_default(void)
{
    return (struct ipr_covariance_params){
        .score = IPR_COVARIANCE_BOUND, .n0 = 32, .b = 2.4, .a = 1.16, .replicates = 1000, .seed = 1
    };
}

static enum ipr_code covariance_check_params(const struct ipr_covariance_params *p,
                                             struct ipr_err *err)
{
    if (p->n0 > IPR_COVARIANCE_N0_MAX)
        return ipr_err_set(err, IPR_EINVAL, "covariance: n0=%u", p->n0);
    if (p->score == IPR_COVARIANCE_BOUND && p->b >= 0.0 && isfinite(p->b))
        return IPR_OK;
    if (p->score == IPR_COVARIANCE_TANH && p->a > 0.0 && isfinite(p->a))
        return IPR_OK;
    return ipr_err_set(err, IPR_EINVAL, "covariance: score %d b=%g a=%g", (int)p->score, p->b,
                       p->a);
}

static double unit_clamped(double p)
{
    return fmax(0.0, fmin(1.0, p));
}

static void predict_point(const struct ipr_gain *l1, const struct ipr_gain *l2,
                          const struct ipr_covariance_params *params,
                          struct ipr_covariance_prediction *out)
{
    struct ipr_spectrum s;
    double odd;

    ipr_spectrum_sum(l1, l2, params->n0 + 1, &s);
    if (params->score == IPR_COVARIANCE_BOUND) {
        ipr_spectrum_bound(&s, ipr_covariance_bound(params->b), &out->draw, &odd);
        out->outcome_known = true;
        out->win = unit_clamped((1.0 - out->draw) / 2.0 + odd);
        out->loss = unit_clamped((1.0 - out->draw) / 2.0 - odd);
    } else {
        double *g = ipr_xcalloc(s.active + 1, sizeof *g);
        ipr_covariance_score_at(params, s.n, s.j, s.active, g);
        odd = ipr_spectrum_odd(&s, g);
        free(g);
    }
    out->expected = unit_clamped(0.5 + odd);
    ipr_spectrum_release(&s);
}

static double mean_loss(const struct ipr_gain *l)
{
    double sum = 0.0;

    for (unsigned k = 1; k <= l->top; k++)
        sum += l->share[k] * k;
    return sum / 100.0;
}

static enum ipr_code check_player(const struct ipr_covariance_player *player, int number,
                                  bool interval, struct ipr_gain *l,
                                  struct ipr_covariance_evidence *e, struct ipr_err *err)
{
    enum ipr_code rc;

    if (player->n == 0)
        return ipr_err_set(err, IPR_EDATA, "player %d has no moves", number);
    rc = ipr_gain_distribution(player->turns, player->weight, player->n, l, err);
    if (rc != IPR_OK)
        return rc;
    if (interval && l->games == 1)
        return ipr_err_set(err, IPR_EDATA,
                           "player %d has one game only, and one game gives no interval", number);
    *e = (struct ipr_covariance_evidence){ l->turns, l->games, l->clipped, mean_loss(l) };
    return IPR_OK;
}

static void covariance_set_interval(const struct ipr_covariance_player *player1,
                                    const struct ipr_covariance_player *player2,
                                    const struct ipr_gain l[2],
                                    const struct ipr_covariance_params *params,
                                    struct ipr_covariance_prediction *out)
{
    const size_t games = l[0].games < l[1].games ? l[0].games : l[1].games;
    double *e = ipr_xcalloc(params->replicates, sizeof *e);
    struct ipr_logit_interval i;

    ipr_covariance_replicates(player1, player2, &l[0], &l[1], params, e);
    i = ipr_stats_logit_interval(out->expected, e, params->replicates, ipr_stats_quantile95(games));
    out->interval = i.interval;
    out->interval_known = i.known;
    out->sd = i.sd;
    out->sd_logit = i.sd_logit;
    out->replicates = params->replicates;
    free(e);
}

enum ipr_code ipr_covariance_predict(const struct ipr_covariance_player *player1,
                                     const struct ipr_covariance_player *player2,
                                     const struct ipr_covariance_params *params,
                                     struct ipr_covariance_prediction *out, struct ipr_err *err)
{
    struct ipr_covariance_prediction p = { .interval = { 0.0, 1.0 } };
    struct ipr_gain *l = ipr_xcalloc(2, sizeof *l);
    const bool interval = params->replicates > 1;
    enum ipr_code rc = covariance_check_params(params, err);

    if (rc == IPR_OK)
        rc = check_player(player1, 1, interval, &l[0], &p.player1, err);
    if (rc == IPR_OK)
        rc = check_player(player2, 2, interval, &l[1], &p.player2, err);
    if (rc == IPR_OK) {
        predict_point(&l[0], &l[1], params, &p);
        if (interval)
            covariance_set_interval(player1, player2, l, params, &p);
        *out = p;
    }
    free(l);
    return rc;
}
