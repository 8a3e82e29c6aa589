#include "model/score_curve.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stats/clustered.h"
#include "stats/solve.h"
#include "stats/sum.h"

/* All that the likelihood needs: the points won and lost from each evaluation. */
struct tally {
    double v;
    double won, lost;
    double up, down; /* 1/(1 + e^(-b v)) and 1/(1 + e^(b v)) at the fit's b */
};

struct fit {
    struct tally *at;
    size_t n;
    unsigned evaluations;
};

static int by_v(const void *x, const void *y)
{
    const struct tally *a = x;
    const struct tally *b = y;

    return (a->v > b->v) - (a->v < b->v);
}

static void fit_gather(const struct ipr_score_position *x, size_t n, struct fit *f)
{
    f->at = ipr_xcalloc(n, sizeof *f->at);
    for (size_t i = 0; i < n; i++)
        f->at[i] = (struct tally){ .v = x[i].v, .won = x[i].score, .lost = 1.0 - x[i].score };
    qsort(f->at, n, sizeof *f->at, by_v);
    f->n = 0;
    for (size_t i = 0; i < n; i++) {
        const struct tally t = f->at[i];
        struct tally *to = &f->at[f->n];
        if (i > 0 && !(t.v > to[-1].v)) {
            to[-1].won += t.won;
            to[-1].lost += t.lost;
        } else {
            *to = t;
            f->n++;
        }
    }
}

static double curve_logistic(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

double ipr_score_curve_at(double a, double b, double v)
{
    return a + (1.0 - 2.0 * a) * curve_logistic(b * v);
}

static void set_b(struct fit *f, double b)
{
    for (size_t i = 0; i < f->n; i++) {
        f->at[i].up = curve_logistic(b * f->at[i].v);
        f->at[i].down = curve_logistic(-b * f->at[i].v);
    }
}

/* p_v and 1 - p_v = p_(-v), which loses no digits next to 1. */
static double p_of(const struct tally *t, double a)
{
    return a + (1.0 - 2.0 * a) * t->up;
}

static double q_of(const struct tally *t, double a)
{
    return a + (1.0 - 2.0 * a) * t->down;
}

static double fit_log_likelihood(const struct fit *f, double a)
{
    struct ipr_sum sum = { 0 };

    for (size_t i = 0; i < f->n; i++) {
        const struct tally *t = &f->at[i];
        if (t->won > 0.0)
            ipr_sum_add(&sum, t->won * log(p_of(t, a)));
        if (t->lost > 0.0)
            ipr_sum_add(&sum, t->lost * log(q_of(t, a)));
    }
    return ipr_sum_value(&sum);
}

/* Derivative of the log likelihood by a, which falls with a. */
static double fit_slope_at(double a, void *arg)
{
    const struct fit *f = arg;
    struct ipr_sum sum = { 0 };

    for (size_t i = 0; i < f->n; i++) {
        const struct tally *t = &f->at[i];
        ipr_sum_add(&sum, (t->down - t->up) * (t->won / p_of(t, a) - t->lost / q_of(t, a)));
    }
    return ipr_sum_value(&sum);
}

/* The best a at the fit's b: 0 or 1/2 when the likelihood falls or rises all the way. */
static double best_a(struct fit *f)
{
    double a = 0.0;

    if (!(fit_slope_at(0.0, f) > 0.0))
        return 0.0;
    if (!(fit_slope_at(0.5, f) < 0.0) ||
        ipr_solve_root(fit_slope_at, f, 0.0, 0.5, 1e-13, &a, NULL) != IPR_OK)
        return 0.5;
    return a;
}

/* Minus the profile likelihood at ln b. */
static double fit_profile(double log_b, void *arg)
{
    struct fit *f = arg;

    f->evaluations++;
    set_b(f, exp(log_b));
    return -fit_log_likelihood(f, best_a(f));
}

/* Derivative of the profile likelihood by ln b: that of the likelihood, as a is at its best. */
static double profile_slope(double log_b, void *arg)
{
    struct fit *f = arg;
    const double b = exp(log_b);
    struct ipr_sum sum = { 0 };
    double a;

    set_b(f, b);
    a = best_a(f);
    for (size_t i = 0; i < f->n; i++) {
        const struct tally *t = &f->at[i];
        ipr_sum_add(&sum, t->up * t->down * t->v * (t->won / p_of(t, a) - t->lost / q_of(t, a)));
    }
    return (1.0 - 2.0 * a) * b * ipr_sum_value(&sum);
}

/* ln b of the maximum. */
static enum ipr_code best_b(struct fit *f, double flat, double *log_b, struct ipr_err *err)
{
    const double lo = log(1e-3);
    const double hi = log(IPR_SCORE_CURVE_B_MAX);
    double x = lo;
    double fine;
    double least;
    const enum ipr_code rc = ipr_solve_min1(fit_profile, f, lo, hi, 1e-5, &x, err);

    if (rc != IPR_OK)
        return rc;
    least = fit_profile(x, f);
    /* `flat` is the likelihood of b = 0; a difference due to rounding is no rise. */
    if (!(x > lo) || !(-least > flat + 1e-9 * (1.0 + fabs(flat))))
        return ipr_err_set(err, IPR_EDATA, "the scores do not rise with the evaluation");
    /* One evaluation alone, either side of 0, leaves a and b undetermined: that is a step too. */
    if (fit_profile(hi, f) <= least + 1e-6)
        return ipr_err_set(err, IPR_EDATA,
                           "a jump at an evaluation of 0 fits the scores as well as a curve");
    /* A minimum is determined to half the digits, the root of its slope to all of them. */
    if (ipr_solve_root(profile_slope, f, x - 1e-3, x + 1e-3, 1e-12, &fine, NULL) == IPR_OK)
        x = fine;
    *log_b = x;
    return IPR_OK;
}

/* Score (by a, by b) of one position, and its share of minus the Hessian: aa, ab, bb. */
static void position_score_at(const struct ipr_score_position *x, double a, double b, double u[2],
                              double h[3])
{
    const double p = ipr_score_curve_at(a, b, x->v);
    const double q = ipr_score_curve_at(a, b, -x->v);
    const double s = curve_logistic(b * x->v);
    const double r = curve_logistic(-b * x->v);
    const double pa = r - s;
    const double pb = (1.0 - 2.0 * a) * s * r * x->v;
    const double pab = -2.0 * s * r * x->v;
    const double pbb = pb * x->v * (r - s);
    const double first = x->score / p - (1.0 - x->score) / q;
    const double second = x->score / (p * p) + (1.0 - x->score) / (q * q);

    u[0] = first * pa;
    u[1] = first * pb;
    h[0] = second * pa * pa;
    h[1] = second * pa * pb - first * pab;
    h[2] = second * pb * pb - first * pbb;
}

/* V = H^-1 B H^-T over (a, b), or over b alone at the bound; aa, ab, bb. False if H is singular. */
static bool curve_sandwich(const double h[3], const double m[3], bool at_bound, double v[3])
{
    const double det = h[0] * h[2] - h[1] * h[1];

    v[0] = v[1] = v[2] = 0.0;
    if (at_bound) {
        if (!(h[2] > 0.0))
            return false;
        v[2] = m[2] / h[2] / h[2];
        return true;
    }
    if (!(h[0] > 0.0) || !(det > 1e-12 * h[0] * h[2]))
        return false;
    /* Rows of the inverse. */
    const double ra[2] = { h[2] / det, -h[1] / det };
    const double rb[2] = { -h[1] / det, h[0] / det };
    v[0] = ra[0] * ra[0] * m[0] + 2.0 * ra[0] * ra[1] * m[1] + ra[1] * ra[1] * m[2];
    v[1] = ra[0] * rb[0] * m[0] + (ra[0] * rb[1] + ra[1] * rb[0]) * m[1] + ra[1] * rb[1] * m[2];
    v[2] = rb[0] * rb[0] * m[0] + 2.0 * rb[0] * rb[1] * m[1] + rb[1] * rb[1] * m[2];
    return true;
}

static void curve_add_errors(const struct ipr_score_position *x, size_t n,
                             struct ipr_score_curve *c)
{
    int32_t *label = ipr_xcalloc(n, sizeof *label);
    uint32_t *cluster = ipr_xcalloc(n, sizeof *cluster);

    for (size_t i = 0; i < n; i++)
        label[i] = x[i].game;
    c->games = ipr_stats_cluster(label, n, cluster);
    free(label);
    struct ipr_sum *u = ipr_xcalloc(2 * c->games, sizeof *u);
    struct ipr_sum hessian[3] = { { 0 } };
    struct ipr_sum meat[3] = { { 0 } };
    const double factor = c->games > 1 ? (double)c->games / (double)(c->games - 1) : 0.0;
    double h[3];
    double m[3];
    double v[3];

    for (size_t i = 0; i < n; i++) {
        double own[2];
        position_score_at(&x[i], c->a, c->b, own, h);
        for (size_t k = 0; k < 2; k++)
            ipr_sum_add(&u[2 * cluster[i] + k], own[k]);
        for (size_t k = 0; k < 3; k++)
            ipr_sum_add(&hessian[k], h[k]);
    }
    for (size_t g = 0; g < c->games; g++) {
        const double ua = ipr_sum_value(&u[2 * g]);
        const double ub = ipr_sum_value(&u[2 * g + 1]);
        ipr_sum_add(&meat[0], ua * ua);
        ipr_sum_add(&meat[1], ua * ub);
        ipr_sum_add(&meat[2], ub * ub);
    }
    for (size_t k = 0; k < 3; k++) {
        h[k] = ipr_sum_value(&hessian[k]);
        m[k] = factor * ipr_sum_value(&meat[k]);
    }
    free(u);
    free(cluster);
    c->errors_known = c->games > 1 && curve_sandwich(h, m, c->a_at_bound, v);
    if (!c->errors_known)
        return;
    c->se_a = sqrt(fmax(0.0, v[0]));
    c->cov_ab = v[1];
    c->se_b = sqrt(fmax(0.0, v[2]));
    const double t = ipr_stats_quantile95(c->games);

    c->b_interval = (struct ipr_interval){ fmax(0.0, c->b - t * c->se_b), c->b + t * c->se_b };
    if (!c->a_at_bound)
        c->a_interval =
            (struct ipr_interval){ fmax(0.0, c->a - t * c->se_a), fmin(0.5, c->a + t * c->se_a) };
}

static enum ipr_code positions_check(const struct ipr_score_position *x, size_t n,
                                     struct ipr_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i].v) <= 10.0) || !(x[i].score >= 0.0 && x[i].score <= 1.0))
            return ipr_err_set(err, IPR_EINVAL, "score curve: v=%g score=%g", x[i].v, x[i].score);
    return IPR_OK;
}

enum ipr_code ipr_score_curve(const struct ipr_score_position *x, size_t n,
                              struct ipr_score_curve *out, struct ipr_err *err)
{
    struct ipr_score_curve c = { .positions = n };
    struct fit f = { 0 };
    double log_b = 0.0;
    enum ipr_code rc = positions_check(x, n, err);

    if (rc != IPR_OK)
        return rc;
    if (n == 0)
        return ipr_err_set(err, IPR_EDATA, "there is no position to take scores from");
    fit_gather(x, n, &f);
    rc = best_b(&f, (double)n * log(0.5), &log_b, err);
    if (rc == IPR_OK) {
        c.b = exp(log_b);
        set_b(&f, c.b);
        c.a = best_a(&f);
        c.a_at_bound = !(c.a > 0.0);
        c.log_likelihood = fit_log_likelihood(&f, c.a);
        c.distinct = f.n;
        c.evaluations = f.evaluations;
        curve_add_errors(x, n, &c);
        *out = c;
    }
    free(f.at);
    return rc;
}

/* Bins to either side of the middle one: half a width is its own. */
static size_t bin_of(double v, double width, unsigned each)
{
    const double k = fmin(ceil(fabs(v) / width - 0.5 - 1e-9), (double)each);

    if (!(k > 0.0))
        return each;
    return v > 0.0 ? each + (size_t)k : each - (size_t)k;
}

struct binned {
    size_t bin;
    struct ipr_score_position x;
};

static int by_bin(const void *a, const void *b)
{
    const struct binned *x = a;
    const struct binned *y = b;

    return (x->bin > y->bin) - (x->bin < y->bin);
}

static bool bin_interval(const struct ipr_score_bin *bin, struct ipr_interval *out)
{
    const double p = fmin(1.0, fmax(0.0, bin->score));
    double trials = (double)bin->games;

    if (bin->se_known)
        trials = fmin(trials, p * (1.0 - p) / (bin->se * bin->se));
    return ipr_stats_wilson_eff(p, trials, ipr_stats_quantile95(bin->games), out, NULL) == IPR_OK;
}

static void fill_bin(const struct binned *x, size_t n, struct ipr_score_bin *bin)
{
    double *score = ipr_xcalloc(n, sizeof *score);
    int32_t *game = ipr_xcalloc(n, sizeof *game);
    struct ipr_sum v = { 0 };

    for (size_t i = 0; i < n; i++) {
        ipr_sum_add(&v, x[i].x.v);
        score[i] = x[i].x.score;
        game[i] = x[i].x.game;
    }
    bin->positions = n;
    bin->v = ipr_sum_value(&v) / (double)n;
    bin->score = ipr_stats_mean(score, n);
    bin->se = ipr_stats_mean_se(score, game, n, &bin->games);
    bin->se_known = bin->games > 1 && bin->se > 1e-12;
    if (!bin->se_known)
        bin->se = 0.0;
    bin->interval_known = bin->games > 1 && bin_interval(bin, &bin->interval);
    free(game);
    free(score);
}

enum ipr_code ipr_score_bins(const struct ipr_score_position *x, size_t n, double width,
                             unsigned each, struct ipr_score_bin *bins, struct ipr_err *err)
{
    struct binned *b;
    enum ipr_code rc = positions_check(x, n, err);

    if (rc == IPR_OK && (!(width > 0.0) || !isfinite(width)))
        rc = ipr_err_set(err, IPR_EINVAL, "score bins: width=%g", width);
    if (rc != IPR_OK)
        return rc;
    b = ipr_xcalloc(n + 1, sizeof *b);
    for (size_t i = 0; i < n; i++)
        b[i] = (struct binned){ bin_of(x[i].v, width, each), x[i] };
    qsort(b, n, sizeof *b, by_bin);
    for (size_t k = 0, from = 0, to; k < IPR_SCORE_BINS(each); k++, from = to) {
        const double middle = ((double)k - (double)each) * width;
        bins[k] = (struct ipr_score_bin){ .lo = middle - width / 2.0,
                                          .hi = middle + width / 2.0,
                                          .v = middle,
                                          .interval = { 0.0, 1.0 } };
        if (k == 0)
            bins[k].lo = -INFINITY;
        if (k == 2 * (size_t)each)
            bins[k].hi = INFINITY;
        for (to = from; to < n && b[to].bin == k; to++)
            ;
        if (to > from)
            fill_bin(&b[from], to - from, &bins[k]);
    }
    free(b);
    return IPR_OK;
}
