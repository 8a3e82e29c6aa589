#include "model/trajectory.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/strength_curve.h"
#include "stats/interval.h"

#define ITERATIONS     6
#define ERA_ITERATIONS 4 /* each makes the error ten times smaller */
#define DRAWS          2000

const struct ipr_trajectory_model ipr_trajectory_shipped = {
#include "model/trajectory_shipped.inc"
};

/* A year's level and the rise of the first year: their means, variances and covariance. */
struct trend {
    double level, rise;
    double ll, lr, rr;
};

struct ipr_trajectory_state {
    const struct ipr_trajectory_year *year; /* NULL: without games; only while it is fitted */
    bool played, counts;                    /* has games; enough moves for a peak */
    double share;                           /* of the first year's rise, until the next year */
    double at;                              /* where the curve is taken to be straight */
    struct trend expected;                  /* by the years before */
    struct trend filtered;                  /* and this one */
    struct trend smoothed;                  /* by all years */
    double density;                         /* logarithm, of z given the years before */
    /* level = gain (next level) + by_rise rise + a constant + N(0, gain walk), given all years */
    double gain, by_rise;
    double era;                      /* added to the level for its time */
    double era_x[IPR_STRENGTH_ERAS]; /* its regressors */
};

/* ---- one year ---- */

static struct trend trend_next(const struct ipr_trajectory_model *m, const struct trend *s,
                               double share)
{
    return (struct trend){ .level = s->level + share * s->rise,
                           .rise = s->rise,
                           .ll = s->ll + 2 * share * s->lr + share * share * s->rr + m->walk,
                           .lr = s->lr + share * s->rr,
                           .rr = s->rr };
}

static void state_update(const struct ipr_strength_calibration *c, struct ipr_trajectory_state *s)
{
    const struct trend e = s->expected;

    s->filtered = e;
    s->density = 0;
    if (s->year == NULL)
        return;
    const double slope = ipr_strength_curve_slope(&c->curve, s->at);
    const double surprise = s->year->score / s->year->information -
                            ipr_strength_curve_at(&c->curve, s->at) - slope * (e.level - s->at);
    const double of_z = c->spread.factor * ipr_strength_level(c, s->at) / s->year->information +
                        c->spread.event * s->year->events;
    const double variance = slope * slope * e.ll + of_z;
    const double gain_level = slope * e.ll / variance, gain_rise = slope * e.lr / variance;

    s->density = -.5 * (log(2 * M_PI * variance) + surprise * surprise / variance);
    s->filtered = (struct trend){ .level = e.level + gain_level * surprise,
                                  .rise = e.rise + gain_rise * surprise,
                                  .ll = e.ll - gain_level * gain_level * variance,
                                  .lr = e.lr - gain_level * gain_rise * variance,
                                  .rr = e.rr - gain_rise * gain_rise * variance };
}

/* The level before, given the next one's and the rise, is between what the years up to it say and
 * what the next level says. */
static void state_smooth(const struct ipr_trajectory_model *m, struct ipr_trajectory_state *s)
{
    const struct trend f = s->filtered, n = s[1].smoothed;
    const double by_last = f.lr / f.rr; /* level per rise, of what is known up to this year */
    const double rest = f.ll - by_last * f.lr;
    const double gain = rest / (rest + m->walk), by_rise = (1 - gain) * by_last - gain * s->share;

    s->gain = gain;
    s->by_rise = by_rise;
    s->smoothed = (struct trend){ .level = (1 - gain) * (f.level - by_last * f.rise) +
                                           gain * n.level + by_rise * n.rise,
                                  .rise = n.rise,
                                  .ll = gain * gain * n.ll + 2 * gain * by_rise * n.lr +
                                        by_rise * by_rise * n.rr + gain * m->walk,
                                  .lr = gain * n.lr + by_rise * n.rr,
                                  .rr = n.rr };
}

/* ---- all years ---- */

/* `idle`: years since the last one with games. */
static double rise_share(const struct ipr_trajectory_model *m, size_t year, size_t idle)
{
    return idle < IPR_TRAJECTORY_IDLE ? pow(m->damping, (double)year) : 0;
}

static void path_filter(struct ipr_trajectory *t, double prior_mean, double prior_sd)
{
    const struct ipr_trajectory_model *const m = &t->model;
    size_t idle = 0;

    t->state[0].expected =
        (struct trend){ .level = prior_mean, .ll = prior_sd * prior_sd, .rr = m->rise * m->rise };
    for (size_t i = 0; i < t->n; i++) {
        if (i > 0)
            t->state[i].expected = trend_next(m, &t->state[i - 1].filtered, t->state[i - 1].share);
        idle = t->state[i].played ? 0 : idle + 1;
        t->state[i].share = rise_share(m, i, idle);
        state_update(t->calibration, &t->state[i]);
    }
    t->state[t->n - 1].smoothed = t->state[t->n - 1].filtered;
    for (size_t i = t->n - 1; i-- > 0;)
        state_smooth(m, &t->state[i]);
}

static double path_within(const struct ipr_strength_curve *c, double elo)
{
    return fmin(fmax(elo, c->elo[0] - IPR_STRENGTH_BEYOND),
                c->elo[c->knots - 1] + IPR_STRENGTH_BEYOND);
}

static struct ipr_trajectory_point path_point(const struct ipr_strength_calibration *c, double mean,
                                              double variance)
{
    const double way = ipr_strength_curve_way(&c->curve);
    const double slope = ipr_strength_curve_slope(&c->curve, mean);
    const double se = ipr_strength_curve_se(&c->curve, mean);
    const double z = ipr_strength_curve_at(&c->curve, mean);
    const double half = way * IPR_Z95 * sqrt(slope * slope * variance + c->spread.player + se * se);

    return (struct ipr_trajectory_point){ .mean = mean,
                                          .sd = sqrt(variance),
                                          .apart =
                                              sqrt(variance + c->spread.player / (slope * slope)),
                                          .lo = ipr_strength_curve_elo(&c->curve, z - half),
                                          .hi = ipr_strength_curve_elo(&c->curve, z + half) };
}

static enum ipr_code years_check(const struct ipr_trajectory_model *m,
                                 const struct ipr_trajectory_year *year, size_t n,
                                 struct ipr_err *err)
{
    if (n == 0)
        return ipr_err_set(err, IPR_EDATA, "a trajectory needs a year");
    if (!(m->walk > 0) || !(m->rise > 0) || !(m->damping > 0) || !(m->damping < 1))
        return ipr_err_set(err, IPR_EINVAL,
                           "walk and rise must be above 0, damping between 0 and 1");
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && year[i].year <= year[i - 1].year)
            return ipr_err_set(err, IPR_EINVAL, "year %d comes after %d", (int)year[i].year,
                               (int)year[i - 1].year);
        if (!(year[i].information > 0))
            return ipr_err_set(err, IPR_EINVAL, "year %d has no information", (int)year[i].year);
    }
    return IPR_OK;
}

enum ipr_code ipr_trajectory_fit(const struct ipr_trajectory_model *model,
                                 const struct ipr_strength_calibration *calibration,
                                 double prior_mean, double prior_sd,
                                 const struct ipr_trajectory_year *year, size_t n,
                                 struct ipr_trajectory *out, struct ipr_err *err)
{
    const enum ipr_code rc = years_check(model, year, n, err);
    double score = 0, information = 0;

    if (rc != IPR_OK)
        return rc;
    *out = (struct ipr_trajectory){ .first = year[0].year,
                                    .n = (size_t)(year[n - 1].year - year[0].year) + 1,
                                    .model = *model,
                                    .calibration = calibration };
    out->point = ipr_xcalloc(out->n, sizeof *out->point);
    out->state = ipr_xcalloc(out->n, sizeof *out->state);
    for (size_t i = 0; i < n; i++) {
        struct ipr_trajectory_state *const s = &out->state[year[i].year - out->first];

        s->year = &year[i];
        s->played = true;
        s->counts = year[i].moves >= IPR_TRAJECTORY_MOVES;
        score += year[i].score;
        information += year[i].information;
    }
    for (size_t i = 0; i < out->n; i++)
        out->state[i].at = ipr_strength_curve_elo(&calibration->curve, score / information);
    for (int k = 0; k < ITERATIONS; k++) {
        path_filter(out, prior_mean, prior_sd);
        for (size_t i = 0; i < out->n; i++)
            out->state[i].at = path_within(&calibration->curve, out->state[i].smoothed.level);
    }
    for (size_t i = 0; i < out->n; i++) {
        out->point[i] =
            path_point(calibration, out->state[i].smoothed.level, out->state[i].smoothed.ll);
        out->state[i].year = NULL;
    }
    return IPR_OK;
}

void ipr_trajectory_release(struct ipr_trajectory *t)
{
    free(t->point);
    free(t->state);
    *t = (struct ipr_trajectory){ 0 };
}

struct ipr_trajectory *ipr_trajectory_keep(struct ipr_trajectory *t, struct ipr_arena *mem)
{
    struct ipr_trajectory *const out = ipr_arena_alloc(mem, 1, sizeof *out);

    *out = *t;
    out->point = ipr_arena_alloc(mem, t->n, sizeof *t->point);
    out->state = ipr_arena_alloc(mem, t->n, sizeof *t->state);
    memcpy(out->point, t->point, t->n * sizeof *t->point);
    memcpy(out->state, t->state, t->n * sizeof *t->state);
    ipr_trajectory_release(t);
    return out;
}

struct ipr_trajectory_point ipr_trajectory_ahead(const struct ipr_trajectory *t, unsigned years)
{
    struct trend s = t->state[t->n - 1].filtered;

    for (unsigned k = 0; k < years; k++)
        s = trend_next(&t->model, &s, rise_share(&t->model, t->n - 1 + k, k));
    return path_point(t->calibration, s.level, s.ll);
}

double ipr_trajectory_log_density(const struct ipr_trajectory *t)
{
    double sum = 0;

    for (size_t i = 0; i < t->n; i++)
        sum += t->state[i].density;
    return sum;
}

/* ---- for its time ---- */

static struct ipr_trajectory_point point_shift(const struct ipr_trajectory_point *p, double by,
                                               double se)
{
    const double mean = p->mean + by;

    return (struct ipr_trajectory_point){ .mean = mean,
                                          .sd = hypot(p->sd, se),
                                          .apart = hypot(p->apart, se),
                                          .lo = mean - hypot(p->mean - p->lo, IPR_Z95 * se),
                                          .hi = mean + hypot(p->hi - p->mean, IPR_Z95 * se) };
}

void ipr_trajectory_for_its_time(struct ipr_trajectory *t)
{
    for (size_t i = 0; i < t->n; i++) {
        struct ipr_trajectory_state *const s = &t->state[i];
        const int year = t->first + (int)i;

        for (int k = 0; k < ERA_ITERATIONS; k++)
            s->era = -ipr_strength_era_at(t->calibration, s->smoothed.level + s->era, year);
        ipr_strength_era_terms(t->calibration, s->smoothed.level + s->era, year, s->era_x);
        t->point[i] = point_shift(&t->point[i], s->era,
                                  sqrt(ipr_strength_era_variance(&t->calibration->era, s->era_x)));
    }
}

/* ---- sums of years ---- */

struct sum {
    double level, variance; /* of the path */
    double era, era_variance;
};

/* A weighted sum of the levels is known by replacing, from the first year on, each level by the
 * next one and its own noise. weight[t->n] */
static struct sum path_sum(const struct ipr_trajectory *t, const double *weight)
{
    const struct trend *const last = &t->state[t->n - 1].filtered;
    struct sum out = { 0 };
    double x[IPR_STRENGTH_ERAS] = { 0 }, level = 0, rise = 0;

    for (size_t i = 0; i < t->n; i++) {
        const struct ipr_trajectory_state *const s = &t->state[i];

        out.level += weight[i] * s->smoothed.level;
        out.era += weight[i] * s->era;
        for (size_t k = 0; k < IPR_STRENGTH_ERAS; k++)
            x[k] += weight[i] * s->era_x[k];
        level += weight[i];
        if (i + 1 < t->n) {
            out.variance += level * level * s->gain * t->model.walk;
            rise += level * s->by_rise;
            level *= s->gain;
        }
    }
    out.variance += level * level * last->ll + 2 * level * rise * last->lr + rise * rise * last->rr;
    out.era_variance = ipr_strength_era_variance(&t->calibration->era, x);
    return out;
}

static bool year_within(const struct ipr_trajectory *t, size_t i, struct ipr_trajectory_span s)
{
    const int32_t year = t->first + (int32_t)i;

    return t->state[i].played && year >= s.from && year <= s.to;
}

/* The years of a span that have enough moves; all with games where none has. Adds their weights,
 * `by` together. False: there are none. */
static bool span_weigh(const struct ipr_trajectory *t, struct ipr_trajectory_span s, double by,
                       double *weight)
{
    double played = 0, counted = 0;

    for (size_t i = 0; i < t->n; i++)
        if (year_within(t, i, s)) {
            played++;
            counted += t->state[i].counts;
        }
    for (size_t i = 0; i < t->n; i++)
        if (year_within(t, i, s) && (t->state[i].counts || counted == 0))
            weight[i] += by / (counted > 0 ? counted : played);
    return played > 0;
}

struct ipr_trajectory_point ipr_trajectory_mean(const struct ipr_trajectory *t,
                                                struct ipr_trajectory_span s)
{
    double *const weight = ipr_xcalloc(t->n, sizeof *weight);
    struct ipr_trajectory_point out = { NAN, NAN, NAN, NAN, NAN };

    if (span_weigh(t, s, 1, weight)) {
        const struct sum sum = path_sum(t, weight);
        const struct ipr_trajectory_point p = path_point(t->calibration, sum.level, sum.variance);

        out = point_shift(&p, sum.era, sqrt(sum.era_variance));
    }
    free(weight);
    return out;
}

struct ipr_trajectory_change ipr_trajectory_change(const struct ipr_trajectory *t,
                                                   struct ipr_trajectory_span from,
                                                   struct ipr_trajectory_span to)
{
    double *const weight = ipr_xcalloc(t->n, sizeof *weight);
    struct ipr_trajectory_change out = { NAN, NAN };

    if (span_weigh(t, from, -1, weight) && span_weigh(t, to, 1, weight)) {
        const struct sum sum = path_sum(t, weight);

        out = (struct ipr_trajectory_change){ sum.level + sum.era,
                                              sqrt(sum.variance + sum.era_variance) };
    }
    free(weight);
    return out;
}

/* ---- the peak ---- */

/* Three years running, of which those with enough moves count. */
struct window {
    size_t from, to; /* the first and the last that count */
};

struct windows {
    struct window *of;
    size_t n;
    bool thin; /* no year has enough moves: those with games count */
};

static bool window_counts(const struct ipr_trajectory *t, const struct windows *w, size_t i)
{
    return w->thin ? t->state[i].played : t->state[i].counts;
}

/* At least `least` of the years from i on count, and the first of them does. */
static bool window_at(const struct ipr_trajectory *t, const struct windows *w, size_t i,
                      size_t least, struct window *out)
{
    size_t counted = 0;

    *out = (struct window){ i, i };
    for (size_t k = i; k < i + IPR_TRAJECTORY_PEAK_YEARS && k < t->n; k++)
        if (window_counts(t, w, k)) {
            counted++;
            out->to = k;
        }
    return window_counts(t, w, i) && counted >= least;
}

/* They have two years that count, else one. */
static struct windows windows_find(const struct ipr_trajectory *t)
{
    struct windows w = { .of = ipr_xcalloc(t->n, sizeof *w.of), .thin = true };

    for (size_t i = 0; i < t->n; i++)
        w.thin = w.thin && !t->state[i].counts;
    for (size_t least = 2; w.n == 0; least--)
        for (size_t i = 0; i < t->n; i++)
            w.n += window_at(t, &w, i, least, &w.of[w.n]);
    return w;
}

static double window_mean(const struct ipr_trajectory *t, const struct windows *w,
                          const struct window *of, const double *level)
{
    double sum = 0, years = 0;

    for (size_t k = of->from; k <= of->to; k++)
        if (window_counts(t, w, k)) {
            sum += level[k] + t->state[k].era;
            years++;
        }
    return sum / years;
}

/* The one with the highest mean. */
static struct window windows_best(const struct ipr_trajectory *t, const struct windows *w,
                                  const double *level)
{
    double highest = -INFINITY;
    struct window best = w->of[0];

    for (size_t i = 0; i < w->n; i++) {
        const double mean = window_mean(t, w, &w->of[i], level);

        if (mean > highest) {
            highest = mean;
            best = w->of[i];
        }
    }
    return best;
}

static struct ipr_trajectory_span span_of(const struct ipr_trajectory *t, struct window w)
{
    return (struct ipr_trajectory_span){ t->first + (int32_t)w.from, t->first + (int32_t)w.to };
}

static struct ipr_trajectory_rise rise_find(const struct ipr_trajectory *t)
{
    struct ipr_trajectory_rise out = { .by = { NAN, NAN } };
    size_t best = t->n;
    double most = -INFINITY;

    for (size_t i = 0; i + IPR_TRAJECTORY_RISE_YEARS < t->n; i++) {
        const size_t k = i + IPR_TRAJECTORY_RISE_YEARS;
        const double rise = t->point[k].mean - t->point[i].mean;

        if (t->state[i].counts && t->state[k].counts && rise > most) {
            most = rise;
            best = i;
        }
    }
    if (best == t->n)
        return out;
    out.from = t->first + (int32_t)best;
    out.to = out.from + IPR_TRAJECTORY_RISE_YEARS;
    out.by = ipr_trajectory_change(t, (struct ipr_trajectory_span){ out.from, out.from },
                                   (struct ipr_trajectory_span){ out.to, out.to });
    return out;
}

struct ipr_trajectory_peak ipr_trajectory_peak(const struct ipr_trajectory *t)
{
    struct ipr_trajectory_peak out = { .rise = rise_find(t) };
    double *const level = ipr_xcalloc(t->n, sizeof *level);
    const struct windows w = windows_find(t);

    for (size_t i = 0; i < t->n; i++)
        level[i] = t->state[i].smoothed.level;
    out.years = span_of(t, windows_best(t, &w, level));
    out.at = ipr_trajectory_mean(t, out.years);
    free(w.of);
    free(level);
    return out;
}

void ipr_trajectory_carried(const struct ipr_trajectory *t, bool *carried)
{
    const struct windows w = windows_find(t);

    for (size_t i = 0; i < t->n; i++)
        carried[i] = true;
    for (size_t i = 0; i < w.n; i++)
        for (size_t k = w.of[i].from; k <= w.of[i].to; k++)
            carried[k] = false;
    free(w.of);
}

/* ---- the years of the peak ---- */

/* A path given all games, backwards (state_smooth). */
static void path_draw(const struct ipr_trajectory *t, gsl_rng *rng, double *level)
{
    const struct trend *f = &t->state[t->n - 1].filtered;
    const double off = gsl_ran_gaussian_ziggurat(rng, sqrt(f->rr)), by_last = f->lr / f->rr;
    double above = by_last * off + gsl_ran_gaussian_ziggurat(rng, sqrt(f->ll - by_last * f->lr));

    level[t->n - 1] = f->level + above;
    for (size_t i = t->n - 1; i-- > 0;) {
        const struct ipr_trajectory_state *const s = &t->state[i];

        above = s->gain * above + s->by_rise * off +
                gsl_ran_gaussian_ziggurat(rng, sqrt(s->gain * t->model.walk));
        level[i] = s->smoothed.level + above;
    }
}

/* The first year with more than so many draws up to it. */
static size_t draws_quantile(const unsigned *draws, size_t n, double share)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += draws[i];
        if (sum > share * DRAWS)
            return i;
    }
    return n - 1;
}

struct ipr_trajectory_span ipr_trajectory_peak_within(const struct ipr_trajectory *t)
{
    double *const level = ipr_xcalloc(t->n, sizeof *level);
    unsigned *const from = ipr_xcalloc(2 * t->n, sizeof *from), *const to = from + t->n;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    const struct windows w = windows_find(t);

    gsl_rng_set(rng, 1);
    for (int k = 0; k < DRAWS; k++) {
        path_draw(t, rng, level);
        const struct window best = windows_best(t, &w, level);

        from[best.from]++;
        to[best.to]++;
    }
    const struct window within = { draws_quantile(from, t->n, .025),
                                   draws_quantile(to, t->n, .975) };
    gsl_rng_free(rng);
    free(w.of);
    free(from);
    free(level);
    return span_of(t, within);
}
