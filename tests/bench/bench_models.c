/*
 * Speed of the models on play simulated at known parameters. One row a task: name, turns, CPU
 * seconds (the least of several runs), instruction set. models.sh makes the
 * table of it.
 */
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "clock.h"
#include "ipr_test_play.h"
#include "model/bayes.h"
#include "model/ipr.h"
#include "model/markov.h"
#include "model/regan_set.h"

struct fitting {
    struct ipr_rh_set *set;
    struct ipr_rh_fit_options options;
    struct ipr_rh_fit fit;
};

static enum ipr_code fit(void *arg, struct ipr_err *err)
{
    struct fitting *f = arg;

    return ipr_rh_fit(f->set, &f->options, &f->fit, err);
}

/* With every instruction set that there is, the fastest last. */
static void bench_fit(gsl_rng *rng, enum ipr_rh_fit_kind kind, const char *name, size_t games,
                      int runs)
{
    const struct ipr_rh_params p = IPR_RH_PARAMS_INIT;
    const struct ipr_test_play_shape shape = { games, 40, 20, 0.0 };
    struct fitting f = { .options = { .kind = kind } };
    const struct ipr_lanes *all[3];
    const size_t sets = ipr_lanes_all(all);
    struct ipr_test_play play;

    ipr_test_play(&p, 0.1, 0.48, &shape, rng, &play);
    if (ipr_rh_set_new(&p, play.turns, NULL, play.n, &f.set, NULL) != IPR_OK)
        exit(1);
    for (size_t k = 0; k < sets; k++) {
        f.set->lanes = all[k];
        printf("%s\t%zu\t%.6f\t%s\n", name, play.n, least(fit, &f, runs), all[k]->name);
    }
    fprintf(stderr, "# %s: s %.6f c %.6f S %.9g, %u starts, %u steps\n", name, f.fit.s, f.fit.c,
            f.fit.s_score, f.fit.starts, f.fit.iterations);
    ipr_rh_set_free(&f.set);
    ipr_test_play_release(&play);
}

struct match {
    struct ipr_markov_player player[2];
    struct ipr_markov_params params;
    struct ipr_markov_prediction out;
};

static enum ipr_code predict(void *arg, struct ipr_err *err)
{
    struct match *m = arg;

    return ipr_markov_predict(&m->player[0], &m->player[1], NULL, &m->params, &m->out, err);
}

static void bench_match(gsl_rng *rng, size_t games, size_t each)
{
    double matrix[2][19 * 19];
    struct ipr_markov_turn *turns[2];
    struct match m = { .params = ipr_markov_default() };

    ipr_test_markov_player(0.22, 0.15, 0.6, matrix[0]);
    ipr_test_markov_player(0.25, 0.15, 0.6, matrix[1]);
    for (int k = 0; k < 2; k++)
        turns[k] = ipr_xcalloc(games * each, sizeof *turns[k]);
    ipr_test_markov_games(matrix[0], matrix[1], games, each, 0, 1972, rng, turns[0], turns[1]);
    for (int k = 0; k < 2; k++)
        m.player[k] = (struct ipr_markov_player){ turns[k], games * each, 1972 };
    m.params.replicates = 1000;
    const double took = least(predict, &m, 9);
    printf("head-to-head with 1,000 bootstrap replicates\t%zu\t%.6f\tfastest\n", games * each,
           took);
    fprintf(stderr, "# match: %.6f [%.6f, %.6f]\n", m.out.mean.expected, m.out.expected.lo,
            m.out.expected.hi);
    for (int k = 0; k < 2; k++)
        free(turns[k]);
}

struct agent {
    struct ipr_bayes_params params;
    const struct ipr_test_play *play;
    struct ipr_bayes_posterior posterior;
};

static enum ipr_code infer(void *arg, struct ipr_err *err)
{
    struct agent *a = arg;

    return ipr_bayes_rate(&a->params, a->play->turns, a->play->n, &a->posterior, err);
}

/* Ten moves a turn, every turn counts; with making the turns ready. */
static void bench_agent(gsl_rng *rng, size_t games)
{
    const struct ipr_rh_params p = IPR_RH_PARAMS_INIT;
    const struct ipr_test_play_shape shape = { games, 40, 20, 0.0 };
    struct ipr_test_play play;
    struct agent a = { .params = ipr_bayes_default(), .play = &play };

    a.params.window.first_move = 1;
    ipr_test_play(&p, 0.1, 0.48, &shape, rng, &play);
    printf("posterior of the reference agent\t%zu\t%.6f\tfastest\n", play.n, least(infer, &a, 9));
    fprintf(stderr, "# agent: c %.9f sd %.9f, %zu events, %u grids, %u evaluations\n",
            a.posterior.mean, a.posterior.sd, a.posterior.events, a.posterior.levels,
            a.posterior.evaluations);
    ipr_test_play_release(&play);
}

int main(void)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_set_error_handler_off();
    gsl_rng_set(rng, 7);
    bench_match(rng, 62, 40);
    bench_fit(rng, IPR_RH_MOMENTS, "moments fit with sandwich errors", 62, 9);
    bench_fit(rng, IPR_RH_PERCENTILE, "percentile fit", 625, 3);
    bench_agent(rng, 755);
    gsl_rng_free(rng);
    return 0;
}
