#include "model/conformance_predict.h"

#include <math.h>

struct ipr_acs_params ipr_acs_default(void)
{
    const struct ipr_conformance_params loss = IPR_CONFORMANCE_INIT;
    struct ipr_acs_params p = { loss, 0.30, IPR_ACS_ALPHA, IPR_ACS_BETA };

    p.loss.loss = IPR_LOSS_WEIGHTED;
    return p;
}

static enum ipr_code acs_accumulate(const struct ipr_acs_player *p, int number,
                                    const struct ipr_acs_params *params, struct ipr_share *out,
                                    struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_conformance_accumulated(&params->loss, p->turns, p->keep, p->n,
                                                         p->year, params->threshold, out, &why);

    if (rc == IPR_EDATA)
        return ipr_err_set(err, rc, "player %d has no moves up to the year %d", number, p->year);
    return rc == IPR_OK ? rc : ipr_err_set(err, rc, "%s", why.msg);
}

/* Mean of both colours; it rises with the difference. */
static double mean_score(const struct ipr_acs_params *params, double q1, double q2)
{
    return (ipr_conformance_score(q1, q2, params->alpha, params->beta) +
            ipr_conformance_score(q1, q2, -params->alpha, params->beta)) /
           2.0;
}

static void acs_add_interval(struct ipr_acs_prediction *p, const struct ipr_acs_params *params)
{
    const struct ipr_share *a = &p->q1, *b = &p->q2;

    p->interval = (struct ipr_interval){ 0.0, 1.0 };
    p->interval_known = a->clustered_known && b->clustered_known;
    if (!p->interval_known)
        return;
    const double r = ipr_stats_quantile95(a->games < b->games ? a->games : b->games) / IPR_Z95;
    const double down = r * hypot(a->share - a->clustered.lo, b->clustered.hi - b->share);
    const double up = r * hypot(a->clustered.hi - a->share, b->share - b->clustered.lo);
    p->interval.lo = mean_score(params, a->share - down, b->share);
    p->interval.hi = mean_score(params, a->share + up, b->share);
    p->se = params->beta / 2.0 * hypot(a->se, b->se);
}

enum ipr_code ipr_acs_predict(const struct ipr_acs_player *player1,
                              const struct ipr_acs_player *player2,
                              const struct ipr_acs_params *params, struct ipr_acs_prediction *out,
                              struct ipr_err *err)
{
    struct ipr_acs_prediction p = { .se = 0.0 };

    if (!(params->beta > 0.0) || !isfinite(params->beta) || !isfinite(params->alpha))
        return ipr_err_set(err, IPR_EINVAL, "acs: alpha=%g beta=%g", params->alpha, params->beta);
    enum ipr_code rc = acs_accumulate(player1, 1, params, &p.q1, err);
    if (rc == IPR_OK)
        rc = acs_accumulate(player2, 2, params, &p.q2, err);
    if (rc != IPR_OK)
        return rc;
    p.as_white = ipr_conformance_score(p.q1.share, p.q2.share, params->alpha, params->beta);
    p.as_black = ipr_conformance_score(p.q1.share, p.q2.share, -params->alpha, params->beta);
    p.expected = mean_score(params, p.q1.share, p.q2.share);
    acs_add_interval(&p, params);
    *out = p;
    return IPR_OK;
}
