/* Predicts the moves of a year from the years before it, with constants fitted to other players. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/trajectory/trajectory.h"
#include "model/hierarchy.h"
#include "model/strength_curve.h"
#include "model/strength_shipped.h"

#define WIDEN_MOST 1e6 /* variance that is added at most [Elo^2] */

static const struct ipr_strength_calibration *const calibration = &ipr_strength_shipped.calibration;

const char *const method_name[METHODS] = {
    [METHOD_PATH] = "level and damped trend",
    [METHOD_LEVEL] = "level alone",
    [METHOD_RAW] = "last year alone",
    [METHOD_CAREER] = "mean of the career",
    [METHOD_FITTED] = "level and damped trend, prior fitted",
    [METHOD_SMOOTHED] = "normal hierarchy, prior fitted",
};

/* ---- estimates ---- */

static double year_variance(const struct ipr_trajectory_year *y, double elo)
{
    return calibration->spread.factor * ipr_strength_level(calibration, elo) / y->information +
           calibration->spread.event * y->events;
}

/* Strength by these moves alone, and its variance. */
static double year_raw(const struct ipr_trajectory_year *y, double *variance)
{
    const double elo = ipr_strength_curve_elo(&calibration->curve, y->score / y->information);
    const double slope = ipr_strength_curve_slope(&calibration->curve, elo);

    *variance = year_variance(y, elo) / (slope * slope);
    return elo;
}

static struct ipr_trajectory_year years_sum(const struct ipr_trajectory_year *year, size_t n)
{
    struct ipr_trajectory_year out = year[n - 1];

    out.score = out.information = out.events = 0;
    for (size_t i = 0; i < n; i++) {
        out.score += year[i].score;
        out.information += year[i].information;
        out.events += year[i].events * year[i].information * year[i].information;
    }
    out.events /= out.information * out.information;
    return out;
}

/* The constants for the players of a part. */
struct part {
    struct constants constants[CONSTANTS_KINDS];
    struct ipr_hierarchy_entry *entry; /* [n] years of the others, and room for one career */
    size_t n;
};

static void part_add(struct part *p, size_t career, const struct ipr_trajectory_year *year,
                     size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double variance;
        const double elo = year_raw(&year[i], &variance);

        p->entry[p->n++] = (struct ipr_hierarchy_entry){
            .player = (int64_t)career, .year = year[i].year, .estimate = elo, .se = sqrt(variance)
        };
    }
}

static struct part part_new(const struct careers *c, size_t number)
{
    struct part p = { .n = 0 };
    size_t room = 0;

    for (enum constants_kind kind = 0; kind < CONSTANTS_KINDS; kind++)
        p.constants[kind] = constants_without(c, number, kind);
    for (size_t i = 0; i < c->n; i++)
        room += c->career[i].years;
    p.entry = ipr_xcalloc(room, sizeof *p.entry);
    for (size_t i = 0; i < c->n; i++) {
        struct ipr_trajectory_year *const year = ipr_xcalloc(c->career[i].years, sizeof *year);

        if (i % TRAJECTORY_PARTS != number)
            part_add(&p, i, year, career_years(&c->career[i], NULL, TRAJECTORY_ALWAYS, year));
        free(year);
    }
    return p;
}

/* By model/hierarchy.h, from the years of the others and those before. */
static void forecast_smoothed(struct forecast *f, const struct part *part,
                              const struct ipr_trajectory_year *year, size_t n)
{
    const struct ipr_hierarchy_params params = { .draws = 400, .seed = 1 };
    struct part p = *part;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_hierarchy h;

    part_add(&p, f->career, year, n);
    if (ipr_hierarchy(p.entry, p.n, &params, &h, &err) != IPR_OK) {
        fprintf(stderr, "trajectory: %s\n", err.msg);
        exit(1);
    }
    f->mean[METHOD_SMOOTHED] = h.rows[p.n - 1].mean;
    f->own[METHOD_SMOOTHED] =
        pow(h.rows[p.n - 1].sd, 2) + pow(h.drift, 2) * (f->year.year - year[n - 1].year);
    ipr_hierarchy_release(&h);
}

/* year[n]: those before. */
static void forecast_make(struct forecast *f, const struct part *part,
                          const struct ipr_trajectory_year *year, size_t n)
{
    static const enum method method_of[CONSTANTS_KINDS] = { [CONSTANTS_LEVEL] = METHOD_LEVEL,
                                                            [CONSTANTS_TREND] = METHOD_PATH,
                                                            [CONSTANTS_PRIOR] = METHOD_FITTED };
    const struct ipr_trajectory_year all = years_sum(year, n);

    for (enum constants_kind kind = 0; kind < CONSTANTS_KINDS; kind++) {
        const enum method m = method_of[kind];
        struct ipr_trajectory t = constants_path(&part->constants[kind], year, n);
        const struct ipr_trajectory_point p =
            ipr_trajectory_ahead(&t, (unsigned)(f->year.year - year[n - 1].year));

        f->mean[m] = p.mean;
        f->own[m] = p.sd * p.sd;
        ipr_trajectory_release(&t);
    }
    forecast_smoothed(f, part, year, n);
    f->mean[METHOD_RAW] = year_raw(&year[n - 1], &f->own[METHOD_RAW]);
    f->mean[METHOD_CAREER] = year_raw(&all, &f->own[METHOD_CAREER]);
}

/* ---- variance added to methods that know no change with time ---- */

struct widening {
    const struct forecasts *f;
    size_t without; /* part */
    enum method method;
};

static double widening_loss(double x, void *of)
{
    const struct widening *const w = of;
    double sum = 0;

    for (size_t i = 0; i < w->f->n; i++) {
        const struct forecast *const f = &w->f->forecast[i];

        if (f->moves >= TRAJECTORY_MOVES && f->career % TRAJECTORY_PARTS != w->without)
            sum -= forecast_score(f, w->method, f->own[w->method] + exp(x));
    }
    return sum;
}

static void forecasts_widen(struct forecasts *f, enum method m)
{
    for (size_t part = 0; part < TRAJECTORY_PARTS; part++) {
        struct widening w = { .f = f, .without = part, .method = m };
        const double added = exp(measure_least(widening_loss, &w, 0, log(WIDEN_MOST)));

        for (size_t i = 0; i < f->n; i++)
            if (f->forecast[i].career % TRAJECTORY_PARTS == part)
                f->forecast[i].variance[m] = f->forecast[i].own[m] + added;
    }
}

/* ---- all of them ---- */

static void forecasts_career(struct forecasts *to, const struct part *part, size_t career)
{
    const struct career *const c = &to->careers->career[career];
    struct ipr_trajectory_year *const year = ipr_xcalloc(c->years, sizeof *year);

    for (size_t i = 1; i < career_years(c, NULL, TRAJECTORY_ALWAYS, year); i++) {
        struct forecast f = { .career = career,
                              .year = year[i],
                              .moves = career_moves(c, year[i].year),
                              .last_moves = career_moves(c, year[i - 1].year),
                              .age = year[i].year - year[0].year };

        forecast_make(&f, part, year, i);
        for (enum method m = 0; m < METHODS; m++)
            f.variance[m] = f.own[m];
        to->forecast[to->n++] = f;
    }
    free(year);
}

struct forecasts forecasts_make(const struct careers *c)
{
    struct forecasts out = { .careers = c };
    size_t room = 0;

    for (size_t i = 0; i < c->n; i++)
        room += c->career[i].years;
    out.forecast = ipr_xcalloc(room, sizeof *out.forecast);
    for (size_t number = 0; number < TRAJECTORY_PARTS; number++) {
        struct part part = part_new(c, number);

        for (size_t i = number; i < c->n; i += TRAJECTORY_PARTS)
            forecasts_career(&out, &part, i);
        free(part.entry);
    }
    forecasts_widen(&out, METHOD_RAW);
    forecasts_widen(&out, METHOD_CAREER);
    return out;
}

void forecasts_free(struct forecasts *f)
{
    free(f->forecast);
}

/* ---- one of them against what came ---- */

static double forecast_surprise(const struct forecast *f, enum method m, double variance,
                                double *of)
{
    const struct ipr_strength_curve *const c = &calibration->curve;
    const double slope = ipr_strength_curve_slope(c, f->mean[m]);

    *of = slope * slope * variance + year_variance(&f->year, f->mean[m]);
    return f->year.score / f->year.information - ipr_strength_curve_at(c, f->mean[m]);
}

double forecast_deviation(const struct forecast *f, enum method m)
{
    double variance;
    const double surprise = forecast_surprise(f, m, f->variance[m], &variance);

    return surprise / sqrt(variance);
}

double forecast_score(const struct forecast *f, enum method m, double variance)
{
    double of;
    const double surprise = forecast_surprise(f, m, variance, &of);

    return -.5 * (log(2 * M_PI * of) + surprise * surprise / of);
}

double forecast_error(const struct forecast *f, enum method m, double *noise)
{
    return year_raw(&f->year, noise) - f->mean[m];
}
