#include "model/elo.h"

#include <math.h>

#include "stats/solve.h"
#include "stats/sum.h"

double ipr_elo_expect(double a, double b)
{
    return 1.0 / (1.0 + pow(10.0, (b - a) / 400.0));
}

/* FIDE Handbook B.02, table 8.1.1, for shares 0.50, 0.51, ... 1.00. */
static const int fide_dp[51] = { 0,   7,   14,  21,  29,  36,  43,  50,  57,  65,  72,  80,  87,
                                 95,  102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193,
                                 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336,
                                 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800 };

double ipr_elo_fide_dp(double p)
{
    const long percent = lround(100.0 * fmax(0.0, fmin(1.0, p)));

    return percent >= 50 ? fide_dp[percent - 50] : -fide_dp[50 - percent];
}

struct surplus {
    const double *ratings;
    size_t n;
    double score;
};

static double surplus_at(double rating, void *arg)
{
    const struct surplus *s = arg;
    struct ipr_sum sum = { 0 };

    for (size_t i = 0; i < s->n; i++)
        ipr_sum_add(&sum, ipr_elo_expect(rating, s->ratings[i]));
    return ipr_sum_value(&sum) - s->score;
}

/* sum E(1 - E): the variance of a score without draws. */
static double variance_at(const struct surplus *s, double rating)
{
    struct ipr_sum sum = { 0 };

    for (size_t i = 0; i < s->n; i++)
        ipr_sum_add(&sum,
                    ipr_elo_expect(rating, s->ratings[i]) * ipr_elo_expect(s->ratings[i], rating));
    return ipr_sum_value(&sum);
}

/* Difference between the expectation and the limit that the score allows. */
static double above_score(double rating, void *arg)
{
    const struct surplus *s = arg;

    return surplus_at(rating, arg) - IPR_Z95 * sqrt(variance_at(s, rating));
}

static double below_score(double rating, void *arg)
{
    const struct surplus *s = arg;

    return surplus_at(rating, arg) + IPR_Z95 * sqrt(variance_at(s, rating));
}

/* Error and interval; [lo, hi] is far enough for every end that is not open. */
static enum ipr_code performance_add_interval(struct surplus *s, double lo, double hi,
                                              struct ipr_elo_performance *p, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    if (!p->bounded)
        p->se = 400.0 / log(10.0) / sqrt(variance_at(s, p->rating));
    p->open_lo = !(s->score > 0.0);
    p->open_hi = !(s->score < (double)s->n);
    p->interval = (struct ipr_interval){ p->rating, p->rating };
    if (!p->open_lo)
        rc = ipr_solve_root(below_score, s, lo, hi, 1e-9, &p->interval.lo, err);
    if (rc == IPR_OK && !p->open_hi)
        rc = ipr_solve_root(above_score, s, lo, hi, 1e-9, &p->interval.hi, err);
    if (p->open_lo)
        p->interval.lo = fmin(p->interval.lo, p->interval.hi);
    if (p->open_hi)
        p->interval.hi = fmax(p->interval.lo, p->interval.hi);
    return rc;
}

enum ipr_code ipr_elo_performance(const double *ratings, size_t n, double score,
                                  struct ipr_elo_performance *out, struct ipr_err *err)
{
    struct ipr_elo_performance p = { .games = n, .score = score };
    struct surplus s = { ratings, n, score };
    double lo = INFINITY;
    double hi = -INFINITY;
    enum ipr_code rc = IPR_OK;

    if (n == 0)
        return ipr_err_set(err, IPR_EDATA, "there is no game against a rated opponent");
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(ratings[i]))
            return ipr_err_set(err, IPR_EINVAL, "performance: rating %g", ratings[i]);
        lo = fmin(lo, ratings[i]);
        hi = fmax(hi, ratings[i]);
    }
    if (!(score >= 0.0 && score <= (double)n))
        return ipr_err_set(err, IPR_EINVAL, "performance: %g points of %zu", score, n);

    p.mean_opponent = ipr_stats_mean(ratings, n);
    p.fide = p.mean_opponent + ipr_elo_fide_dp(score / (double)n);
    p.bounded = !(score > 0.0 && score < (double)n);
    if (p.bounded)
        p.rating = p.mean_opponent + (score > 0.0 ? 800.0 : -800.0);
    else /* at a distance of 20000 every expectation is 0 or 1 to 50 digits */
        rc = ipr_solve_root(surplus_at, &s, lo - 20000.0, hi + 20000.0, 1e-9, &p.rating, err);
    if (rc == IPR_OK)
        rc = performance_add_interval(&s, lo - 20000.0, hi + 20000.0, &p, err);
    if (rc == IPR_OK)
        *out = p;
    return rc;
}

enum ipr_code ipr_elo_expected_score(const double *own, const double *opponents, size_t n,
                                     struct ipr_elo_expected *out, struct ipr_err *err)
{
    struct ipr_sum score = { 0 }, variance = { 0 };

    if (n == 0)
        return ipr_err_set(err, IPR_EDATA, "there is no game of two rated players");
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(own[i]) || !isfinite(opponents[i]))
            return ipr_err_set(err, IPR_EINVAL, "expected score: ratings %g and %g", own[i],
                               opponents[i]);
        const double e = ipr_elo_expect(own[i], opponents[i]);

        ipr_sum_add(&score, e);
        ipr_sum_add(&variance, e * ipr_elo_expect(opponents[i], own[i]));
    }
    out->score = ipr_sum_value(&score);
    out->score_sd = sqrt(ipr_sum_value(&variance));
    out->score_interval.lo = fmax(0.0, out->score - IPR_Z95 * out->score_sd);
    out->score_interval.hi = fmin((double)n, out->score + IPR_Z95 * out->score_sd);
    return IPR_OK;
}
