/* Peaks by two halves of every player's games: as they are, and simulated. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/trajectory/trajectory.h"
#include "model/strength_curve.h"
#include "model/strength_shipped.h"

#define DIVISIONS 20

double halves_tau(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++) {
            const double product = (a[i] - a[k]) * (b[i] - b[k]);

            sum += (product > 0) - (product < 0);
        }
    return sum / ((double)n * ((double)n - 1) / 2);
}

static struct ipr_trajectory halves_path(const struct ipr_trajectory_year *year, size_t n)
{
    const struct constants shipped = constants_of(&ipr_trajectory_shipped);

    return constants_path(&shipped, year, n);
}

static struct ipr_trajectory_peak halves_peak(const struct ipr_trajectory_year *year, size_t n)
{
    struct ipr_trajectory t = halves_path(year, n);
    const struct ipr_trajectory_peak p = ipr_trajectory_peak(&t);

    ipr_trajectory_release(&t);
    return p;
}

/* The strength of a year in a path. */
static double halves_truth(const struct ipr_trajectory *t, int year)
{
    return t->point[year - t->first].mean;
}

/*
 * Scores of both halves as the model would have them about a path: the error of an event is that of
 * both halves' games in it, the rest of the error is each half's own.
 *
 * year[2], n[2]   the halves' years, whose scores are replaced
 */
static void halves_simulate(const struct career *c, const bool *const take[2],
                            const struct ipr_trajectory *truth, gsl_rng *rng,
                            struct ipr_trajectory_year *const year[2], const size_t n[2])
{
    const struct ipr_strength_calibration *const m = &ipr_strength_shipped.calibration;
    double event = 0;

    for (unsigned half = 0; half < 2; half++)
        for (size_t k = 0; k < n[half]; k++) {
            struct ipr_trajectory_year *const y = &year[half][k];
            const double elo = halves_truth(truth, y->year);
            const double variance = m->spread.factor * ipr_strength_level(m, elo) * y->information;

            y->score = y->information * ipr_strength_curve_at(&m->curve, elo) +
                       gsl_ran_gaussian_ziggurat(rng, sqrt(variance));
        }
    for (size_t i = 0; i < c->n; i++) {
        const struct career_side *const s = &c->side[i];
        const unsigned half = take[1][i];
        size_t k = 0;

        if (i == 0 || s[-1].year != s->year || s[-1].event != s->event)
            event = gsl_ran_gaussian_ziggurat(rng, sqrt(m->spread.event));
        while (year[half][k].year != s->year)
            k++;
        year[half][k].score += s->information * event;
    }
}

struct halves {
    double tau, squares, elo; /* sums over the divisions */
};

static void halves_note(const struct ipr_trajectory_peak *const peak[2], size_t n,
                        struct halves *to)
{
    double *const mean[2] = { ipr_xcalloc(n, sizeof(double)), ipr_xcalloc(n, sizeof(double)) };

    for (size_t i = 0; i < n; i++) {
        const double d = peak[0][i].at.mean - peak[1][i].at.mean;

        to->squares += pow(d / hypot(peak[0][i].at.sd, peak[1][i].at.sd), 2) / (double)n;
        to->elo += d * d / (double)n;
        for (unsigned half = 0; half < 2; half++)
            mean[half][i] = peak[half][i].at.mean;
    }
    to->tau += halves_tau(mean[0], mean[1], n);
    free(mean[0]);
    free(mean[1]);
}

/* Divides the games of a player at random and puts the peaks of the halves, as they are and as they
 * are simulated, into peak[simulated][half]. */
static void halves_divide(const struct career *c, gsl_rng *rng,
                          struct ipr_trajectory_peak *peak[2][2], size_t at)
{
    bool *const take[2] = { ipr_xcalloc(c->n, sizeof(bool)), ipr_xcalloc(c->n, sizeof(bool)) };
    struct ipr_trajectory_year *const year[2] = { ipr_xcalloc(c->years, sizeof *year[0]),
                                                  ipr_xcalloc(c->years, sizeof *year[1]) };
    const size_t all = career_years(c, NULL, TRAJECTORY_ALWAYS, year[0]);
    struct ipr_trajectory truth = halves_path(year[0], all);
    size_t n[2];

    for (size_t i = 0; i < c->n; i++)
        take[gsl_rng_uniform_int(rng, 2)][i] = true;
    for (unsigned half = 0; half < 2; half++) {
        n[half] = career_years(c, take[half], TRAJECTORY_ALWAYS, year[half]);
        peak[0][half][at] = halves_peak(year[half], n[half]);
    }
    halves_simulate(c, (const bool *const[2]){ take[0], take[1] }, &truth, rng, year, n);
    for (unsigned half = 0; half < 2; half++) {
        peak[1][half][at] = halves_peak(year[half], n[half]);
        free(take[half]);
        free(year[half]);
    }
    ipr_trajectory_release(&truth);
}

static double halves_rms(double sum)
{
    return sqrt(sum / DIVISIONS);
}

void halves_print(const struct careers *c, json_t *out)
{
    struct ipr_trajectory_peak *peak[2][2];
    struct halves h[2] = { 0 };
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);

    for (unsigned k = 0; k < 4; k++)
        peak[k / 2][k % 2] = ipr_xcalloc(c->n, sizeof *peak[0][0]);
    gsl_rng_set(rng, 1);
    for (int k = 0; k < DIVISIONS; k++) {
        for (size_t i = 0; i < c->n; i++)
            halves_divide(&c->career[i], rng, peak, i);
        for (unsigned simulated = 0; simulated < 2; simulated++)
            halves_note((const struct ipr_trajectory_peak *const[2]){ peak[simulated][0],
                                                                      peak[simulated][1] },
                        c->n, &h[simulated]);
    }
    printf(
        "\n## Halves of the games\n\n%d random divisions of the games of each of %zu players.\n\n"
        "| games | difference of the peaks in standard errors, rms | in Elo, rms | Kendall's "
        "tau, mean |\n| --- | ---: | ---: | ---: |\n",
        DIVISIONS, c->n);
    for (unsigned simulated = 0; simulated < 2; simulated++)
        printf("| %s | %.2f | %.0f | %.2f |\n", simulated ? "simulated by the model" : "as played",
               halves_rms(h[simulated].squares), halves_rms(h[simulated].elo),
               h[simulated].tau / DIVISIONS);
    json_object_set_new(out, "halves",
                        json_pack("{s:i, s:f, s:f, s:f, s:f}", "divisions", DIVISIONS, "ratio",
                                  halves_rms(h[0].squares), "ratio_expected",
                                  halves_rms(h[1].squares), "difference", halves_rms(h[0].elo),
                                  "tau", h[0].tau / DIVISIONS));
    gsl_rng_free(rng);
    for (unsigned k = 0; k < 4; k++)
        free(peak[k / 2][k % 2]);
}
