/*
 * The royale by distributions of losses. The score of a pair is a sum over frequencies (see
 * covariance_spectrum.h) that is linear in the other's phi^n, so that the mean of the scores
 * against many is the score against the mean of their phi^n.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/covariance_gain.h"
#include "model/royale_field.h"

/* |phi^n| of a pair, and chances of S to leave the circle, below this do not matter. */
#define ROYALE_FLOOR 1e-6

struct covariance {
    const struct ipr_royale_field *field;
    unsigned copies;
    size_t points; /* of the circle */
    size_t count;  /* frequencies */
    uint32_t *j;
    double *score; /* [count] what Im phi^n counts at them */
    double *root;  /* [2 points] */
    double *power; /* [rows][2 count] phi^n */
    double *mean;  /* [2 count] of the rows' */
    double *games; /* [games of the row][2 count] sums over the turns */
};

static unsigned turn_bin(const struct covariance *c, const struct ipr_markov_turn *t)
{
    return ipr_gain_bin(ipr_loss(&c->field->params->losses, t->best_cp, t->played_cp));
}

static enum ipr_code own_distribution(const struct covariance *c, size_t i, struct ipr_gain *out,
                                      struct ipr_err *err)
{
    const struct ipr_royale_own *own = &c->field->own[i];
    struct ipr_gain_turn *turns = ipr_xcalloc(own->n, sizeof *turns);

    for (size_t k = 0; k < own->n; k++)
        turns[k] =
            (struct ipr_gain_turn){ own->turns[k].game, (uint16_t)turn_bin(c, &own->turns[k]) };
    const enum ipr_code rc = ipr_gain_distribution(turns, NULL, own->n, out, err);
    free(turns);
    return rc;
}

/* The same with earlier years, as the predictor has it. */
static enum ipr_code entry_distribution(const struct covariance *c, size_t i, struct ipr_gain *out,
                                        struct ipr_err *err)
{
    const struct ipr_royale_entry *e = &c->field->entries[i];
    struct ipr_gain_turn *turns = ipr_xcalloc(e->n + 1, sizeof *turns);
    double *weight = ipr_xcalloc(e->n + 1, sizeof *weight);
    size_t n = 0;

    for (size_t k = 0; k < e->n; k++) {
        weight[n] = ipr_year_weight(e->turns[k].year, e->year, c->field->params->losses.forgetting);
        if (weight[n] > 0.0)
            turns[n++] =
                (struct ipr_gain_turn){ e->turns[k].game, (uint16_t)turn_bin(c, &e->turns[k]) };
    }
    const enum ipr_code rc = ipr_gain_distribution(turns, weight, n, out, err);
    free(turns);
    free(weight);
    return rc;
}

/* ---- the frequencies ---- */

static double gain_mean(const struct ipr_gain *l, double *variance)
{
    double mean = 0.0, squares = 0.0;

    for (unsigned k = 1; k <= l->top; k++) {
        mean += l->share[k] * k;
        squares += l->share[k] * k * k;
    }
    *variance = squares - mean * mean;
    return mean;
}

/* A circle on which the largest sums have room, and the frequencies that matter to the row whose
 * losses vary least, as |phi| is nearest to 1 there: both of a pair have at most the root. */
static void covariance_choose(struct covariance *c, const struct ipr_gain *worst,
                              const struct ipr_gain *best, const struct ipr_gain *narrow)
{
    static const double none[] = { 1.0 };
    struct ipr_spectrum s;

    c->points = ipr_spectrum_size(worst, best, c->copies, ROYALE_FLOOR);
    ipr_spectrum_init(&s, c->points);
    ipr_spectrum_fill(&s, narrow->share, narrow->top, none, 0, c->copies, sqrt(ROYALE_FLOOR));
    c->count = s.active;
    c->j = ipr_xcalloc(c->count + 1, sizeof *c->j);
    c->score = ipr_xcalloc(c->count + 1, sizeof *c->score);
    memcpy(c->j, s.j, c->count * sizeof *c->j);
    ipr_covariance_score_at(&c->field->params->covariance, c->points, c->j, c->count, c->score);
    c->root = ipr_xcalloc(2 * c->points, sizeof *c->root);
    for (size_t k = 0; k < c->points; k++) {
        const double angle = 2.0 * M_PI * (double)k / (double)c->points;

        c->root[2 * k] = cos(angle);
        c->root[2 * k + 1] = -sin(angle);
    }
    ipr_spectrum_release(&s);
}

/* Adds weight exp(-i t bin) at every frequency. */
static void covariance_add(const struct covariance *c, unsigned bin, double weight, double *to)
{
    for (size_t k = 0; k < c->count; k++) {
        const double *r = &c->root[2 * ((size_t)c->j[k] * bin & (c->points - 1))];

        to[2 * k] += weight * r[0];
        to[2 * k + 1] += weight * r[1];
    }
}

/* ---- every row against every other ---- */

static double covariance_between(const struct covariance *c, const double *first,
                                 const double *second)
{
    double sum = 0.0;

    for (size_t k = 0; k < c->count; k++)
        sum += c->score[k] * (second[2 * k + 1] * first[2 * k] - second[2 * k] * first[2 * k + 1]);
    return fmax(0.0, fmin(1.0, 0.5 - 4.0 / (double)c->points * sum));
}

/* phi^n of a distribution. */
static void covariance_power(const struct covariance *c, const struct ipr_gain *gain, double *power)
{
    memset(power, 0, 2 * c->count * sizeof *power);
    for (unsigned bin = 0; bin <= gain->top; bin++)
        if (gain->share[bin] > 0.0)
            covariance_add(c, bin, gain->share[bin], power);
    for (size_t k = 0; k < c->count; k++)
        ipr_spectrum_power(&power[2 * k], &power[2 * k + 1], c->copies);
}

/* Pairs are of the rows with earlier years, the mean is of their years alone. */
static void covariance_play(struct covariance *c, const struct ipr_gain *alone,
                            const struct ipr_gain *with)
{
    const size_t n = c->field->n, width = 2 * c->count;
    double *own = ipr_xcalloc(width + 1, sizeof *own);

    for (size_t i = 0; i < n; i++) {
        double *power = &c->power[i * width];

        covariance_power(c, &with[i], power);
        covariance_power(c, &alone[i], own);
        for (size_t k = 0; k < width; k++)
            c->mean[k] += own[k] / (double)n;
        for (size_t j = 0; j < i; j++) {
            const double e = covariance_between(c, power, &c->power[j * width]);

            c->field->pair[i * n + j] = e;
            c->field->pair[j * n + i] = 1.0 - e;
        }
    }
    free(own);
}

static void covariance_close(void *state)
{
    struct covariance *c = state;

    free(c->j);
    free(c->score);
    free(c->root);
    free(c->power);
    free(c->mean);
    free(c->games);
    free(c);
}

/* gains: of the rows' years alone, then with earlier years. */
static void covariance_prepare(struct covariance *c, const struct ipr_gain *gains)
{
    const struct ipr_gain *worst = gains, *best = gains, *narrow = gains;
    double least = INFINITY;

    for (size_t i = 0; i < 2 * c->field->n; i++) {
        double variance, unused;
        const double mean = gain_mean(&gains[i], &variance);

        worst = mean > gain_mean(worst, &unused) ? &gains[i] : worst;
        best = mean < gain_mean(best, &unused) ? &gains[i] : best;
        narrow = variance < least ? &gains[i] : narrow;
        least = fmin(least, variance);
    }
    covariance_choose(c, worst, best, narrow);
    c->power = ipr_xcalloc(c->field->n + 1, 2 * (c->count + 1) * sizeof *c->power);
    c->mean = ipr_xcalloc(2 * (c->count + 1), sizeof *c->mean);
    covariance_play(c, gains, gains + c->field->n);
}

static enum ipr_code covariance_open(const struct ipr_royale_field *field, void **state,
                                     struct ipr_err *err)
{
    const struct ipr_covariance_params *p = &field->params->covariance;
    struct covariance *c = ipr_xcalloc(1, sizeof *c);
    struct ipr_gain *gains = ipr_xcalloc(2 * field->n, sizeof *gains);
    enum ipr_code rc = IPR_OK;

    *c = (struct covariance){ .field = field, .copies = p->n0 + 1 };
    if (p->n0 > IPR_COVARIANCE_N0_MAX || !(p->b >= 0.0) || !(p->a > 0.0))
        rc = ipr_err_set(err, IPR_EINVAL, "royale: parameters of the covariance");
    for (size_t i = 0; i < field->n && rc == IPR_OK; i++) {
        rc = own_distribution(c, i, &gains[i], err);
        if (rc == IPR_OK)
            rc = entry_distribution(c, i, &gains[field->n + i], err);
    }
    if (rc == IPR_OK)
        covariance_prepare(c, gains);
    free(gains);
    *state = c;
    return rc;
}

/* ---- one row's replicates ---- */

static void covariance_enter(void *state, size_t i)
{
    struct covariance *c = state;
    const struct ipr_royale_own *own = &c->field->own[i];
    const size_t width = 2 * c->count;

    free(c->games);
    c->games = ipr_xcalloc(own->games * width + 1, sizeof *c->games);
    for (size_t g = 0; g < own->games; g++)
        for (size_t k = own->start[g]; k < own->start[g + 1]; k++)
            covariance_add(c, turn_bin(c, &own->turns[k]), 1.0, &c->games[g * width]);
}

static void spectrum_add(double *restrict to, const double *restrict from, double weight, size_t n)
{
    for (size_t k = 0; k < n; k++)
        to[k] += weight * from[k];
}

static double covariance_score_lane(const struct covariance *c, const struct ipr_royale_own *own,
                                    const double *times, double *phi)
{
    const size_t width = 2 * c->count;
    double turns = 0.0;

    memset(phi, 0, width * sizeof *phi);
    for (size_t g = 0; g < own->games; g++) {
        const double weight = times[g * IPR_BLOCK];

        turns += weight * (double)(own->start[g + 1] - own->start[g]);
        if (weight > 0.0)
            spectrum_add(phi, &c->games[g * width], weight, width);
    }
    for (size_t k = 0; k < c->count; k++) {
        phi[2 * k] /= turns;
        phi[2 * k + 1] /= turns;
        ipr_spectrum_power(&phi[2 * k], &phi[2 * k + 1], c->copies);
    }
    return covariance_between(c, phi, c->mean);
}

static enum ipr_code covariance_score(void *state, size_t i, const double *times,
                                      double e[IPR_BLOCK], struct ipr_err *err)
{
    const struct covariance *c = state;
    double *phi = ipr_xcalloc(2 * (c->count + 1), sizeof *phi);

    (void)err;
    for (size_t lane = 0; lane < IPR_BLOCK; lane++)
        e[lane] = covariance_score_lane(c, &c->field->own[i], times + lane, phi);
    free(phi);
    return IPR_OK;
}

const struct ipr_royale_predictor ipr_royale_covariance = { covariance_open, covariance_enter,
                                                            covariance_score, covariance_close };
