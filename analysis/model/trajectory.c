#include "model/trajectory.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/strength_curve.h"
#include "stats/interval.h"

#define ITERATIONS     6
#define ERA_ITERATIONS 4 /* each makes the error ten times smaller */
#define DRAWS          2000

const struct ipr_trajectory_model ipr_trajectory_shipped = {
#include "model/trajectory_shipped.inc"
};

/* Level and rise: their means, variances and covariance. */
struct trend {
    double level, rise;
    double ll, lr, rr;
};

struct ipr_trajectory_state {
    const struct ipr_trajectory_year *year; /* NULL: without games; only while it is fitted */
    bool played;
    double at;             /* where the curve is taken to be straight */
    struct trend expected; /* by the years before */
    struct trend filtered; /* and this one */
    struct trend smoothed; /* by all years */
    double density;        /* logarithm, of z given the years before */
    double era, era_se;    /* added to the level for its time */
};

/* ---- one year ---- */

static struct trend trend_next(const struct ipr_trajectory_model *m, const struct trend *s)
{
    return (struct trend){ .level = s->level + s->rise,
                           .rise = m->damping * s->rise,
                           .ll = s->ll + 2 * s->lr + s->rr + m->walk,
                           .lr = m->damping * (s->lr + s->rr),
                           .rr = m->damping * m->damping * s->rr };
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

/* The state before, given the next one's. The rise of a year is that of the next one without the
 * damping; the level, given both rises, is between what the years up to it say and what the next
 * level says. */
static void state_smooth(const struct ipr_trajectory_model *m, struct ipr_trajectory_state *s)
{
    const struct trend f = s->filtered, n = s[1].smoothed;
    const double by_rise = f.lr / f.rr; /* level per rise, of what is known up to this year */
    const double rest = f.ll - by_rise * f.lr;
    const double gain = rest / (rest + m->walk);
    /* level = (1 - gain) (f.level + by_rise (rise - f.rise)) + gain (next level - rise) + noise */
    const double per_rise = (1 - gain) * by_rise - gain;
    const double rise = n.rise / m->damping, rr = n.rr / (m->damping * m->damping);
    const double next_by_rise = n.lr / m->damping; /* covariance of the next level and this rise */

    s->smoothed.rise = rise;
    s->smoothed.rr = rr;
    s->smoothed.level =
        (1 - gain) * (f.level - by_rise * f.rise) + gain * n.level + per_rise * rise;
    s->smoothed.lr = gain * next_by_rise + per_rise * rr;
    s->smoothed.ll = gain * gain * n.ll + 2 * gain * per_rise * next_by_rise +
                     per_rise * per_rise * rr + gain * m->walk;
}

/* ---- all years ---- */

static void path_filter(struct ipr_trajectory *t, double prior_mean, double prior_sd)
{
    const struct ipr_trajectory_model *const m = &t->model;

    t->state[0].expected =
        (struct trend){ .level = prior_mean, .ll = prior_sd * prior_sd, .rr = m->rise * m->rise };
    for (size_t i = 0; i < t->n; i++) {
        if (i > 0)
            t->state[i].expected = trend_next(m, &t->state[i - 1].filtered);
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

struct ipr_trajectory_point ipr_trajectory_ahead(const struct ipr_trajectory *t, unsigned years)
{
    struct trend s = t->state[t->n - 1].filtered;

    for (unsigned k = 0; k < years; k++)
        s = trend_next(&t->model, &s);
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
        s->era_se = ipr_strength_era_se(t->calibration, s->smoothed.level + s->era, year);
        t->point[i] = point_shift(&t->point[i], s->era, s->era_se);
    }
}

/* ---- the peak ---- */

/* Three years running, of which those with games count. */
struct window {
    size_t from, to; /* the first and the last with games */
};

struct windows {
    struct window *of;
    size_t n;
};

struct window_mean {
    double level, era, era_se;
};

/* At least `least` of the years from i on have games, and the first of them has. */
static bool window_at(const struct ipr_trajectory *t, size_t i, size_t least, struct window *out)
{
    size_t played = 0;

    *out = (struct window){ i, i };
    for (size_t k = i; k < i + IPR_TRAJECTORY_PEAK_YEARS && k < t->n; k++)
        if (t->state[k].played) {
            played++;
            out->to = k;
        }
    return t->state[i].played && played >= least;
}

static void windows_find(const struct ipr_trajectory *t, struct windows *w)
{
    w->of = ipr_xcalloc(t->n, sizeof *w->of);
    w->n = 0;
    for (size_t least = 2; w->n == 0; least--)
        for (size_t i = 0; i < t->n; i++)
            w->n += window_at(t, i, least, &w->of[w->n]);
}

/* The mean of its years. */
static struct window_mean window_mean(const struct ipr_trajectory *t, const struct window *w,
                                      const double *level)
{
    struct window_mean sum = { 0 };
    double years = 0;

    for (size_t k = w->from; k <= w->to; k++)
        if (t->state[k].played) {
            sum.level += level[k];
            sum.era += t->state[k].era;
            sum.era_se += t->state[k].era_se;
            years++;
        }
    return (struct window_mean){ sum.level / years, sum.era / years, sum.era_se / years };
}

/* The highest mean of any of them, with the era. */
static double windows_best(const struct ipr_trajectory *t, const struct windows *w,
                           const double *level, size_t *best)
{
    double highest = -INFINITY;

    for (size_t i = 0; i < w->n; i++) {
        const struct window_mean m = window_mean(t, &w->of[i], level);

        if (m.level + m.era > highest) {
            highest = m.level + m.era;
            *best = i;
        }
    }
    return highest;
}

/* A path given all games, backwards (state_smooth). */
static void path_draw(const struct ipr_trajectory *t, gsl_rng *rng, double *level)
{
    const struct trend *f = &t->state[t->n - 1].filtered;
    double rise = f->rise + gsl_ran_gaussian_ziggurat(rng, sqrt(f->rr));
    const double by_last = f->lr / f->rr;

    level[t->n - 1] = f->level + by_last * (rise - f->rise) +
                      gsl_ran_gaussian_ziggurat(rng, sqrt(f->ll - by_last * f->lr));
    for (size_t i = t->n - 1; i-- > 0;) {
        f = &t->state[i].filtered;
        const double by_rise = f->lr / f->rr, rest = f->ll - by_rise * f->lr;
        const double gain = rest / (rest + t->model.walk);

        rise /= t->model.damping;
        level[i] = (1 - gain) * (f->level + by_rise * (rise - f->rise)) +
                   gain * (level[i + 1] - rise) +
                   gsl_ran_gaussian_ziggurat(rng, sqrt(gain * t->model.walk));
    }
}

/* Its sd is that of the eras alone. */
static struct ipr_trajectory_rise rise_find(const struct ipr_trajectory *t)
{
    struct ipr_trajectory_rise out = { .mean = NAN, .sd = NAN };

    for (size_t i = 0; i + IPR_TRAJECTORY_RISE_YEARS < t->n; i++) {
        const size_t k = i + IPR_TRAJECTORY_RISE_YEARS;
        const double rise = t->point[k].mean - t->point[i].mean;

        if (t->state[i].played && t->state[k].played && !(rise <= out.mean))
            out =
                (struct ipr_trajectory_rise){ .from = t->first + (int32_t)i,
                                              .to = t->first + (int32_t)k,
                                              .mean = rise,
                                              .sd = hypot(t->state[i].era_se, t->state[k].era_se) };
    }
    return out;
}

struct ipr_trajectory_peak ipr_trajectory_peak(const struct ipr_trajectory *t)
{
    struct ipr_trajectory_peak out = { .rise = rise_find(t) };
    const size_t from = isfinite(out.rise.mean) ? (size_t)(out.rise.from - t->first) : 0;
    const size_t to = isfinite(out.rise.mean) ? (size_t)(out.rise.to - t->first) : 0;
    double *const level = ipr_xcalloc(t->n, sizeof *level);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    double sum = 0, squares = 0, rises = 0;
    struct windows w;
    size_t best = 0, any;

    windows_find(t, &w);
    for (size_t i = 0; i < t->n; i++)
        level[i] = t->state[i].smoothed.level;
    const double about = windows_best(t, &w, level, &best), rise = level[to] - level[from];
    const struct window_mean of = window_mean(t, &w.of[best], level);

    out.from = t->first + (int32_t)w.of[best].from;
    out.to = t->first + (int32_t)w.of[best].to;
    gsl_rng_set(rng, 1);
    for (int k = 0; k < DRAWS; k++) {
        path_draw(t, rng, level);
        const double e = windows_best(t, &w, level, &any) - about;

        sum += e;
        squares += e * e;
        rises += pow(level[to] - level[from] - rise, 2);
    }
    const double variance = squares / DRAWS - sum / DRAWS * (sum / DRAWS);
    const struct ipr_trajectory_point as_played =
        path_point(t->calibration, of.level + sum / DRAWS, variance);

    out.at = point_shift(&as_played, of.era, of.era_se);
    out.rise.sd = hypot(out.rise.sd, sqrt(rises / DRAWS));
    gsl_rng_free(rng);
    free(w.of);
    free(level);
    return out;
}
