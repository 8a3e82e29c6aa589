#include "model/regan_prob.h"

#include <math.h>
#include <string.h>

#include "model/regan_set.h"
#include "stats/sum.h"

static enum ipr_code check_domain(double s, double c, struct ipr_err *err)
{
    if (ipr_rh_in_domain(s, c))
        return IPR_OK;
    return ipr_err_set(err, IPR_EINVAL, "regan: s=%g c=%g", s, c);
}

enum ipr_code ipr_rh_probs(const struct ipr_rh_params *params, const struct ipr_turn *turn,
                           double s, double c, struct ipr_rh_probs *out, struct ipr_err *err)
{
    struct ipr_rh_set *set = NULL;
    struct ipr_rh_list list;
    struct ipr_rh_point at;
    struct ipr_rh_moments m;
    enum ipr_code rc = check_domain(s, c, err);
    uint32_t entry = 0;
    unsigned used = 0;

    if (rc == IPR_OK)
        rc = ipr_rh_set_new(params, turn, NULL, 1, &set, err);
    if (rc != IPR_OK)
        return rc;
    ipr_rh_list(params, turn, &list);
    ipr_rh_turn_point(set, 0, log(s), log(c), NAN, false, &at);
    ipr_rh_turn_moments(set, 0, &at, false, &m);

    out->lines = list.lines;
    out->tail = list.tail;
    for (unsigned i = 0; i < list.lines; i++, used++) {
        if (used == set->count[entry]) {
            entry++;
            used = 0;
        }
        out->p[i] = at.p[entry];
    }
    if (list.tail > 0 && used == set->count[entry])
        entry++;
    out->tail_each = list.tail > 0 ? at.p[entry] : 0.0;
    out->played = at.p[set->turns[0].played];
    out->extra = list.extra ? out->played : 0.0;
    out->expected_loss = m.loss;
    out->played_loss = ipr_rh_played_delta(set, 0);
    ipr_rh_set_free(&set);
    return IPR_OK;
}

/* Adds the turn's p_i, i < k, to m_p, and its move played to m_a. */
static void add_positions(const struct ipr_rh_set *set, size_t t, const double *p,
                          struct ipr_rh_aggregates *a)
{
    const struct ipr_rh_turn *turn = &set->turns[t];
    unsigned i = 0;

    for (uint32_t e = 0; e < turn->n && i < a->k; e++)
        for (unsigned m = 0; m < set->count[turn->first + e] && i < a->k; m++)
            a->m_p[i++] += p[e];
    if (turn->position < a->k)
        a->m_a[turn->position] += 1.0;
}

/* Share of the turn that is 'up' at each quantile: all when p_+ <= q, none when p_- >= q. */
static void add_quantiles(const struct ipr_rh_set *set, size_t t, const double *p,
                          struct ipr_rh_aggregates *a)
{
    const struct ipr_rh_turn *turn = &set->turns[t];
    const double own = p[turn->played];
    double below = turn->played_before * own;

    for (uint32_t e = 0; e < turn->played; e++)
        below += set->count[turn->first + e] * p[e];
    for (int i = 0; i < IPR_RH_QUANTILES; i++) {
        const double q = 0.05 * (i + 1);
        if (below + own <= q)
            a->r_q[i] += 1.0;
        else if (below < q)
            a->r_q[i] += (q - below) / own;
    }
}

static void finish(struct ipr_rh_aggregates *a)
{
    const double n = (double)a->turns;

    for (unsigned i = 0; i < a->k; i++) {
        a->m_p[i] /= n;
        a->m_a[i] /= n;
        a->qfit += 1e4 * (a->m_p[i] - a->m_a[i]) * (a->m_p[i] - a->m_a[i]) / a->k;
    }
    for (int i = 0; i < IPR_RH_QUANTILES; i++) {
        a->r_q[i] /= n;
        a->s_score += (a->r_q[i] - 0.05 * (i + 1)) * (a->r_q[i] - 0.05 * (i + 1));
    }
}

enum ipr_code ipr_rh_aggregates(const struct ipr_rh_set *set, double s, double c,
                                struct ipr_rh_aggregates *out, struct ipr_err *err)
{
    enum { MM_P, MM_A, AD_P, AD_A, LOGLIK, VAR_MM, VAR_AD, SUMS };
    struct ipr_sum sum[SUMS] = { 0 };
    const double n = (double)set->n;
    const enum ipr_code rc = check_domain(s, c, err);

    if (rc != IPR_OK)
        return rc;
    memset(out, 0, sizeof *out);
    out->k = set->params.k;
    out->turns = set->n;
    out->games = set->games;
    for (size_t t = 0; t < set->n; t++) {
        const struct ipr_rh_turn *turn = &set->turns[t];
        struct ipr_rh_point at;
        struct ipr_rh_moments m;
        double square = 0.0;

        ipr_rh_turn_point(set, t, log(s), log(c), NAN, false, &at);
        ipr_rh_turn_moments(set, t, &at, false, &m);
        for (uint32_t i = 0; i < turn->n; i++) {
            const double d = set->delta[turn->first + i] - m.loss;
            square += set->count[turn->first + i] * at.p[i] * d * d;
        }
        ipr_sum_add(&sum[MM_P], m.p0);
        ipr_sum_add(&sum[MM_A], turn->position == 0);
        ipr_sum_add(&sum[AD_P], m.loss);
        ipr_sum_add(&sum[AD_A], ipr_rh_played_delta(set, t));
        ipr_sum_add(&sum[LOGLIK], at.log_played);
        ipr_sum_add(&sum[VAR_MM], m.p0 * (1.0 - m.p0));
        ipr_sum_add(&sum[VAR_AD], square);
        add_positions(set, t, at.p, out);
        add_quantiles(set, t, at.p, out);
    }
    out->mm_p = ipr_sum_value(&sum[MM_P]) / n;
    out->mm_a = ipr_sum_value(&sum[MM_A]) / n;
    out->ad_p = ipr_sum_value(&sum[AD_P]) / n;
    out->ad_a = ipr_sum_value(&sum[AD_A]) / n;
    out->loglik = ipr_sum_value(&sum[LOGLIK]);
    out->var_mm = ipr_sum_value(&sum[VAR_MM]) / n / n;
    out->var_ad = ipr_sum_value(&sum[VAR_AD]) / n / n;
    finish(out);
    return IPR_OK;
}

enum ipr_code ipr_rh_ae(const struct ipr_rh_set *set, double s, double c, double *ae,
                        double grad[2], struct ipr_err *err)
{
    struct ipr_sum sum[3] = { 0 };
    const double n = (double)set->n;
    const enum ipr_code rc = check_domain(s, c, err);

    if (rc != IPR_OK)
        return rc;
    for (size_t t = 0; t < set->n; t++) {
        struct ipr_rh_point at;
        struct ipr_rh_moments m;

        ipr_rh_turn_point(set, t, log(s), log(c), NAN, grad != NULL, &at);
        ipr_rh_turn_moments(set, t, &at, grad != NULL, &m);
        ipr_sum_add(&sum[0], m.loss);
        ipr_sum_add(&sum[1], m.dloss[0]);
        ipr_sum_add(&sum[2], m.dloss[1]);
    }
    *ae = ipr_sum_value(&sum[0]) / n;
    if (grad != NULL) {
        grad[0] = ipr_sum_value(&sum[1]) / n;
        grad[1] = ipr_sum_value(&sum[2]) / n;
    }
    return IPR_OK;
}
