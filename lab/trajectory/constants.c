/* The constants of strength over time, by maximum likelihood. */
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/trajectory/trajectory.h"
#include "model/strength_shipped.h"

#define NO_RISE    .01 /* standard deviation of the first year's change of a local level [Elo] */
#define ITERATIONS 1000
#define SIZE       1e-4 /* of the simplex at the end */

struct search {
    const struct careers *careers;
    const bool *take;
};

struct constants constants_of(const struct ipr_trajectory_model *m)
{
    return (struct constants){ .model = *m,
                               .prior_mean = ipr_strength_shipped.prior_mean,
                               .prior_sd = ipr_strength_shipped.prior_sd };
}

struct ipr_trajectory constants_path(const struct constants *k,
                                     const struct ipr_trajectory_year *year, size_t n)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_trajectory t;

    if (ipr_trajectory_fit(&k->model, &ipr_strength_shipped.calibration, k->prior_mean, k->prior_sd,
                           year, n, &t, &err) != IPR_OK) {
        fprintf(stderr, "trajectory: %s\n", err.msg);
        exit(1);
    }
    return t;
}

double constants_log_density(const struct careers *c, const bool *take, const struct constants *k)
{
    double sum = 0;

    for (size_t i = 0; i < c->n; i++) {
        if (take != NULL && !take[i])
            continue;
        struct ipr_trajectory_year *const year = ipr_xcalloc(c->career[i].years, sizeof *year);
        struct ipr_trajectory t =
            constants_path(k, year, career_years(&c->career[i], NULL, TRAJECTORY_ALWAYS, year));

        sum += ipr_trajectory_log_density(&t);
        ipr_trajectory_release(&t);
        free(year);
    }
    return sum;
}

/* Logarithms of walk and rise, logit of the damping, mean and logarithm of the sd of the prior. */
static struct constants constants_at(const gsl_vector *x)
{
    struct constants k = constants_of(&(struct ipr_trajectory_model){
        .walk = exp(gsl_vector_get(x, 0)), .rise = NO_RISE, .damping = .9 });

    if (x->size > 1) {
        k.model.rise = exp(gsl_vector_get(x, 1));
        k.model.damping = fmin(1 / (1 + exp(-gsl_vector_get(x, 2))), .999);
    }
    if (x->size > 3) {
        k.prior_mean = 100 * gsl_vector_get(x, 3);
        k.prior_sd = exp(gsl_vector_get(x, 4));
    }
    return k;
}

static double constants_loss(const gsl_vector *x, void *of)
{
    const struct search *const o = of;
    const struct constants k = constants_at(x);

    return -constants_log_density(o->careers, o->take, &k);
}

struct constants constants_fit(const struct careers *c, const bool *take, enum constants_kind kind)
{
    static const double start[] = { 6, 4, 1, 20, 6 };
    static const size_t number[CONSTANTS_KINDS] = { 1, 3, 5 };
    const size_t n = number[kind];
    struct search of = { .careers = c, .take = take };
    gsl_multimin_function f = { .f = constants_loss, .n = n, .params = &of };
    gsl_multimin_fminimizer *const s =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, n);
    gsl_vector *const x = gsl_vector_alloc(n), *const step = gsl_vector_alloc(n);

    for (size_t i = 0; i < n; i++)
        gsl_vector_set(x, i, start[i]);
    gsl_vector_set_all(step, 1);
    gsl_multimin_fminimizer_set(s, &f, x, step);
    for (int i = 0; i < ITERATIONS && gsl_multimin_fminimizer_size(s) > SIZE; i++)
        if (gsl_multimin_fminimizer_iterate(s) != GSL_SUCCESS)
            break;
    const struct constants k = constants_at(s->x);
    gsl_multimin_fminimizer_free(s);
    gsl_vector_free(x);
    gsl_vector_free(step);
    return k;
}

struct constants constants_without(const struct careers *c, size_t part, enum constants_kind kind)
{
    bool *const take = ipr_xcalloc(c->n, sizeof *take);

    for (size_t i = 0; i < c->n; i++)
        take[i] = i % TRAJECTORY_PARTS != part;
    const struct constants k = constants_fit(c, take, kind);
    free(take);
    return k;
}

static void constants_print_row(const char *of, const struct constants *k)
{
    printf("| %s | %.0f | ", of, k->model.walk);
    if (k->model.rise > NO_RISE)
        printf("%.0f | %.2f | ", k->model.rise, k->model.damping);
    else
        printf("– | – | ");
    printf("%.0f ± %.0f | ", k->prior_mean, k->prior_sd);
}

void constants_print(const struct careers *c)
{
    static const char *const name[CONSTANTS_KINDS] = { "all, level alone",
                                                       "all, level and damped trend",
                                                       "all, the same and its prior" };

    puts("\n## Constants\n\n| fitted to | walk, Elo² a year | rise, Elo | damping | prior of the "
         "first year, Elo | log likelihood |\n| --- | ---: | ---: | ---: | ---: | ---: |");
    for (enum constants_kind kind = 0; kind < CONSTANTS_KINDS; kind++) {
        const struct constants k = constants_fit(c, NULL, kind);

        constants_print_row(name[kind], &k);
        printf("%.1f |\n", constants_log_density(c, NULL, &k));
    }
    for (size_t part = 0; part < TRAJECTORY_PARTS; part++) {
        const struct constants k = constants_without(c, part, CONSTANTS_TREND);
        char of[32];

        snprintf(of, sizeof of, "without part %zu", part + 1);
        constants_print_row(of, &k);
        puts("|");
    }
}
