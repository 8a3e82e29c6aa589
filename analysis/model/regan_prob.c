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
    struct ipr_rh_lanes at = { .log_l = { NAN } };
    double p[IPR_BLOCK * IPR_RH_ENTRIES_MAX];
    enum ipr_code rc = check_domain(s, c, err);
    uint32_t entry = 0;
    unsigned used = 0;

    if (rc == IPR_OK)
        rc = ipr_rh_set_new(params, turn, NULL, 1, &set, err);
    if (rc != IPR_OK)
        return rc;
    ipr_rh_list(params, turn, &list);
    ipr_rh_block_at(set, 0, log(s), log(c), IPR_RH_WANT_LOSS, p, &at);

    out->lines = list.lines;
    out->tail = list.tail;
    for (unsigned i = 0; i < list.lines; i++, used++) {
        if (used == set->count[entry]) {
            entry++;
            used = 0;
        }
        out->p[i] = p[IPR_BLOCK * entry];
    }
    if (list.tail > 0 && used == set->count[entry])
        entry++;
    out->tail_each = list.tail > 0 ? p[IPR_BLOCK * entry] : 0.0;
    out->played = at.own[0];
    out->extra = list.extra ? out->played : 0.0;
    out->expected_loss = at.loss[0];
    out->played_loss = ipr_rh_played_delta(set, 0);
    ipr_rh_set_free(&set);
    return IPR_OK;
}

/* Adds the turn's p_i, i < k, to m_p, and its move played to m_a; p is its lane. */
static void add_positions(const struct ipr_rh_set *set, const struct ipr_rh_turn *turn,
                          const double *p, struct ipr_rh_aggregates *a)
{
    unsigned i = 0;

    for (uint32_t e = 0; e < turn->n && i < a->k; e++)
        for (unsigned m = 0; m < set->count[turn->first + e] && i < a->k; m++)
            a->m_p[i++] += p[IPR_BLOCK * e];
    if (turn->position < a->k)
        a->m_a[turn->position] += 1.0;
}

/* sum p (delta - mean)^2 of one turn. */
static double loss_variance(const struct ipr_rh_set *set, const struct ipr_rh_turn *turn,
                            const double *p, double mean)
{
    double square = 0.0;

    for (uint32_t i = 0; i < turn->n; i++) {
        const double d = set->delta[turn->first + i] - mean;
        square += set->count[turn->first + i] * p[IPR_BLOCK * i] * d * d;
    }
    return square;
}

enum { MM_P, MM_A, AD_P, AD_A, LOGLIK, VAR_MM, VAR_AD, SUMS };

static void no_start(struct ipr_rh_lanes *at)
{
    for (int lane = 0; lane < IPR_BLOCK; lane++)
        at->log_l[lane] = NAN;
}

/* Adds one block to the sums. */
static void add_block(const struct ipr_rh_set *set, size_t b, double s, double c,
                      struct ipr_sum sum[SUMS], double *r_q, struct ipr_rh_aggregates *out)
{
    struct ipr_rh_lanes at;
    double p[IPR_BLOCK * IPR_RH_ENTRIES_MAX];
    double present[IPR_BLOCK] = { 0 };

    no_start(&at);
    ipr_rh_block_at(set, b, log(s), log(c), IPR_RH_WANT_LOSS | IPR_RH_WANT_LOG, p, &at);
    for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
        const uint32_t t = set->slot_turn[IPR_BLOCK * b + lane];
        if (t == IPR_RH_NO_TURN)
            continue;
        present[lane] = 1.0;
        ipr_sum_add(&sum[MM_P], at.p0[lane]);
        ipr_sum_add(&sum[MM_A], set->turns[t].position == 0);
        ipr_sum_add(&sum[AD_P], at.loss[lane]);
        ipr_sum_add(&sum[AD_A], ipr_rh_played_delta(set, t));
        ipr_sum_add(&sum[LOGLIK], at.log_own[lane]);
        ipr_sum_add(&sum[VAR_MM], at.p0[lane] * (1.0 - at.p0[lane]));
        ipr_sum_add(&sum[VAR_AD], loss_variance(set, &set->turns[t], p + lane, at.loss[lane]));
        add_positions(set, &set->turns[t], p + lane, out);
    }
    set->lanes->quantiles(&at, present, IPR_RH_QUANTILES, r_q, NULL);
}

enum ipr_code ipr_rh_aggregates(const struct ipr_rh_set *set, double s, double c,
                                struct ipr_rh_aggregates *out, struct ipr_err *err)
{
    struct ipr_sum sum[SUMS] = { 0 };
    double r_q[IPR_BLOCK * IPR_RH_QUANTILES] = { 0 };
    const double n = (double)set->n;
    const enum ipr_code rc = check_domain(s, c, err);

    if (rc != IPR_OK)
        return rc;
    memset(out, 0, sizeof *out);
    out->k = set->params.k;
    out->turns = set->n;
    out->games = set->games;
    for (size_t b = 0; b < set->blocks; b++)
        add_block(set, b, s, c, sum, r_q, out);
    out->mm_p = ipr_sum_value(&sum[MM_P]) / n;
    out->mm_a = ipr_sum_value(&sum[MM_A]) / n;
    out->ad_p = ipr_sum_value(&sum[AD_P]) / n;
    out->ad_a = ipr_sum_value(&sum[AD_A]) / n;
    out->loglik = ipr_sum_value(&sum[LOGLIK]);
    out->var_mm = ipr_sum_value(&sum[VAR_MM]) / n / n;
    out->var_ad = ipr_sum_value(&sum[VAR_AD]) / n / n;
    for (unsigned i = 0; i < out->k; i++) {
        out->m_p[i] /= n;
        out->m_a[i] /= n;
        out->qfit += 1e4 * (out->m_p[i] - out->m_a[i]) * (out->m_p[i] - out->m_a[i]) / out->k;
    }
    for (int i = 0; i < IPR_RH_QUANTILES; i++) {
        for (int lane = 0; lane < IPR_BLOCK; lane++)
            out->r_q[i] += r_q[IPR_BLOCK * i + lane];
        out->r_q[i] /= n;
        out->s_score += (out->r_q[i] - 0.05 * (i + 1)) * (out->r_q[i] - 0.05 * (i + 1));
    }
    return IPR_OK;
}

enum ipr_code ipr_rh_ae(const struct ipr_rh_set *set, double s, double c, double *ae,
                        double grad[2], struct ipr_err *err)
{
    const int want = IPR_RH_WANT_LOSS | (grad != NULL ? IPR_RH_WANT_GRADIENT : 0);
    struct ipr_sum sum[3] = { 0 };
    const double n = (double)set->n;
    const enum ipr_code rc = check_domain(s, c, err);

    if (rc != IPR_OK)
        return rc;
    for (size_t b = 0; b < set->blocks; b++) {
        struct ipr_rh_lanes at;

        no_start(&at);
        ipr_rh_block_at(set, b, log(s), log(c), want, NULL, &at);
        for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
            if (set->slot_turn[IPR_BLOCK * b + lane] == IPR_RH_NO_TURN)
                continue;
            ipr_sum_add(&sum[0], at.loss[lane]);
            for (int k = 0; k < 2 && grad != NULL; k++)
                ipr_sum_add(&sum[1 + k], at.dloss[k][lane]);
        }
    }
    *ae = ipr_sum_value(&sum[0]) / n;
    if (grad != NULL) {
        grad[0] = ipr_sum_value(&sum[1]) / n;
        grad[1] = ipr_sum_value(&sum[2]) / n;
    }
    return IPR_OK;
}
