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

double halves_order(double first, double second)
{
    return (first * second > 0) - (first * second < 0);
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

/* Means over the divisions. */
struct halves {
    double *ratio, *elo; /* [n] squares of the difference of a player's peaks, in standard errors,
                            in Elo */
    double *order;       /* [n * n] 1 for pairs in the same order by both halves, -1 for others */
    size_t n;
};

static struct halves halves_new(size_t n)
{
    return (struct halves){ ipr_xcalloc(n, sizeof(double)), ipr_xcalloc(n, sizeof(double)),
                            ipr_xcalloc(n * n, sizeof(double)), n };
}

static void halves_free(struct halves *h)
{
    free(h->ratio);
    free(h->elo);
    free(h->order);
}

static void halves_note(const struct ipr_trajectory_peak *const peak[2], struct halves *to)
{
    for (size_t i = 0; i < to->n; i++) {
        const struct ipr_trajectory_point *const a = &peak[0][i].at, *const b = &peak[1][i].at;

        to->ratio[i] += pow((a->mean - b->mean) / hypot(a->sd, b->sd), 2) / DIVISIONS;
        to->elo[i] += pow(a->mean - b->mean, 2) / DIVISIONS;
        for (size_t k = 0; k < to->n; k++)
            to->order[i * to->n + k] +=
                halves_order(a->mean - peak[0][k].at.mean, b->mean - peak[1][k].at.mean) /
                DIVISIONS;
    }
}

/* Kendall's tau of the players who are drawn; two draws of one player are no pair. */
static double halves_tau(const double *times, void *of)
{
    const struct halves *const h = of;
    double sum = 0, pairs = 0;

    for (size_t i = 0; i < h->n; i++)
        for (size_t k = 0; k < i; k++) {
            sum += times[i] * times[k] * h->order[i * h->n + k];
            pairs += times[i] * times[k];
        }
    return sum / pairs;
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

static void halves_add(json_t *out, const char *name, const char *interval, struct measure m)
{
    json_object_set_new(out, name, json_real(m.mean));
    json_object_set_new(out, interval, measure_interval(&m));
}

static struct measure halves_rms(const double *square, size_t n)
{
    size_t *const own = ipr_xcalloc(n, sizeof *own);

    for (size_t i = 0; i < n; i++)
        own[i] = i;
    const struct measure m = measure_root(measure_mean(square, own, n, n));
    free(own);
    return m;
}

static void halves_tell(struct halves *h, bool simulated, json_t *out)
{
    const struct measure ratio = halves_rms(h->ratio, h->n), elo = halves_rms(h->elo, h->n);
    const struct measure tau = measure_players(halves_tau, h, h->n);

    printf("| %s | %.2f | %.2f to %.2f | %.0f | %.0f to %.0f | %.2f | %.2f to %.2f |\n",
           simulated ? "simulated by the model" : "as played", ratio.mean, ratio.lo, ratio.hi,
           elo.mean, elo.lo, elo.hi, tau.mean, tau.lo, tau.hi);
    if (simulated) {
        json_object_set_new(out, "ratio_expected", json_real(ratio.mean));
        return;
    }
    halves_add(out, "ratio", "ratio_interval", ratio);
    halves_add(out, "difference", "difference_interval", elo);
    halves_add(out, "tau", "tau_interval", tau);
}

void halves_print(const struct careers *c, json_t *out)
{
    json_t *const told = json_pack("{s:i}", "divisions", DIVISIONS);
    struct halves h[2] = { halves_new(c->n), halves_new(c->n) };
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_trajectory_peak *peak[2][2];

    for (unsigned k = 0; k < 4; k++)
        peak[k / 2][k % 2] = ipr_xcalloc(c->n, sizeof *peak[0][0]);
    gsl_rng_set(rng, 1);
    for (int k = 0; k < DIVISIONS; k++) {
        for (size_t i = 0; i < c->n; i++)
            halves_divide(&c->career[i], rng, peak, i);
        for (unsigned simulated = 0; simulated < 2; simulated++)
            halves_note((const struct ipr_trajectory_peak *const[2]){ peak[simulated][0],
                                                                      peak[simulated][1] },
                        &h[simulated]);
    }
    printf("\n## Halves of the games\n\n%d random divisions of the games of each of %zu players, "
           "who are resampled for the 95 %% intervals.\n\n"
           "| games | difference of the peaks in standard errors, rms | 95 %% interval | in Elo, "
           "rms | 95 %% interval | Kendall's tau, mean | 95 %% interval |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
           DIVISIONS, c->n);
    for (unsigned simulated = 0; simulated < 2; simulated++)
        halves_tell(&h[simulated], simulated, told);
    json_object_set_new(out, "halves", told);
    gsl_rng_free(rng);
    for (unsigned k = 0; k < 4; k++)
        free(peak[k / 2][k % 2]);
    for (unsigned k = 0; k < 2; k++)
        halves_free(&h[k]);
}
