/* Time of the model. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "lab/trajectory/trajectory.h"
#include "model/strength_curve.h"
#include "model/strength_shipped.h"

#define SPEED_CAREERS 5000
#define SPEED_YEARS   10

static double speed_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void speed_print(void)
{
    const struct ipr_strength_curve *const c = &ipr_strength_shipped.calibration.curve;
    struct ipr_trajectory_year(*const year)[SPEED_YEARS] = ipr_xcalloc(SPEED_CAREERS, sizeof *year);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);

    const struct constants shipped = constants_of(&ipr_trajectory_shipped);

    gsl_rng_set(rng, 1);
    for (size_t i = 0; i < SPEED_CAREERS; i++) {
        double elo = 2000 + 300 * gsl_ran_ugaussian(rng);

        for (int k = 0; k < SPEED_YEARS; k++) {
            const double information = 5 + 20 * gsl_rng_uniform(rng);
            const double z =
                ipr_strength_curve_at(c, elo) + gsl_ran_ugaussian(rng) / sqrt(information);

            year[i][k] = (struct ipr_trajectory_year){ .year = 2000 + k,
                                                       .score = z * information,
                                                       .information = information,
                                                       .events = .2,
                                                       .moves = 200 };
            elo += 40 * gsl_ran_ugaussian(rng);
        }
    }
    const double start = speed_now();
    double sum = 0;

    for (size_t i = 0; i < SPEED_CAREERS; i++) {
        struct ipr_trajectory t = constants_path(&shipped, year[i], SPEED_YEARS);

        sum += ipr_trajectory_peak(&t).at.mean;
        ipr_trajectory_release(&t);
    }
    const double seconds = speed_now() - start;
    fprintf(stderr,
            "%d careers of %d years with their peaks (mean %.0f): %.1f s, %.2f ms for one career\n",
            SPEED_CAREERS, SPEED_YEARS, sum / SPEED_CAREERS, seconds,
            1000 * seconds / SPEED_CAREERS);
    gsl_rng_free(rng);
    free(year);
}
