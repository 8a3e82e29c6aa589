/* The interval of a prediction: replicates of both players' games, a block at a time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/lanes.h"
#include "model/markov_side.h"
#include "stats/logit.h"
#include "stats/resample.h"

#define WAVE 32 /* blocks of replicates */

/* Sum over the players of 1/(exits from the best class + more). */
static double interval_rarity(const struct ipr_markov_prediction *p, double more)
{
    const struct ipr_markov_evidence *const e[2] = { &p->player1, &p->player2 };
    double sum = 0.0;

    for (int k = 0; k < 2; k++)
        sum += 1.0 / (e[k]->exits_top_effective + more);
    return sum;
}

/* The logarithm of a small count varies more in replicates than in the count: by simulation, as
 * that of a count greater by this. */
#define EXITS_MORE 1.0

static double small_counts(const struct ipr_markov_prediction *p)
{
    const double drawn = interval_rarity(p, 0.0);

    return isfinite(drawn) ? sqrt(interval_rarity(p, EXITS_MORE) / drawn) : 1.0;
}

/*
 * The logits' sd, or E's own carried to that scale, whichever is less. They agree if E's
 * distribution is unimodal. If a class is left so seldom that some replicates never leave it, a few
 * logits are extreme, and their sd depends on how many of these the seed gave; that of E does so
 * much less.
 */
void ipr_markov_interval(double mean, double factor, const double *e, size_t n, double *sd,
                         double *sd_logit, struct ipr_interval *out)
{
    const double held = fmax(0.001, fmin(0.999, mean)); /* as its logit is */
    const double centre = ipr_stats_logit(mean);

    *sd = ipr_stats_sd(NULL, e, n);
    *sd_logit = factor * fmin(ipr_stats_sd(ipr_stats_logit, e, n), *sd / (held * (1.0 - held)));
    out->lo = 1.0 / (1.0 + exp(-(centre - IPR_Z95 * *sd_logit)));
    out->hi = 1.0 / (1.0 + exp(-(centre + IPR_Z95 * *sd_logit)));
    /* If the logit is clamped the estimate itself may be outside. */
    out->lo = fmin(out->lo, mean);
    out->hi = fmax(out->hi, mean);
}

/* Counts how often each game is drawn in each replicate of a block: times (lanes, games). */
static void bootstrap_draw(const struct ipr_markov_side *s, struct ipr_twister *rng, double *times)
{
    memset(times, 0, s->games * IPR_BLOCK * sizeof *times);
    for (size_t lane = 0; lane < IPR_BLOCK; lane++)
        for (size_t k = 0; k < s->n_strata; k++) {
            const struct ipr_stratum *d = &s->strata[k];
            const uint32_t n = (uint32_t)d->games;

            for (size_t g = 0; g < n; g++)
                times[s->drawn[d->first + ipr_twister_below(rng, n)] * IPR_BLOCK + lane] += 1.0;
        }
}

/* Replicates of one player's matrices, of both colours where they are kept separate. A wave of them
 * may be made beside the other player's. */
struct replica {
    const struct ipr_markov_side *side;
    struct ipr_twister rng;
    const double *pool;
    size_t n; /* classes */
    bool separate;
    size_t blocks; /* of the wave */
    double *times;
    double *matrix; /* [WAVE] blocks of one matrix, or two, in lanes */
};

static double *replica_matrix(const struct replica *r, size_t block, bool black)
{
    const size_t at = r->separate ? 2 * block + black : block;

    return r->matrix + at * IPR_MARKOV_CELLS * IPR_BLOCK;
}

static void replica_wave(void *cls)
{
    struct replica *r = cls;

    for (size_t b = 0; b < r->blocks; b++) {
        const struct ipr_markov_side *s = r->side;
        double *const m[2] = { replica_matrix(r, b, false), replica_matrix(r, b, true) };

        for (size_t k = 0; k <= r->separate; k++)
            memset(m[k], 0, r->n * r->n * IPR_BLOCK * sizeof *m[k]);
        bootstrap_draw(s, &r->rng, r->times);
        for (size_t g = 0; g < s->games; g++)
            ipr_lanes_best()->tally(&s->cell[s->start[g]], &s->weight[s->start[g]],
                                    s->start[g + 1] - s->start[g], &r->times[g * IPR_BLOCK], m[0]);
        for (size_t k = 0; k <= r->separate; k++)
            ipr_markov_fill_block(m[k], r->pool, r->n);
    }
}

static void replicas_wave(struct replica r[2], size_t blocks,
                          const struct ipr_markov_params *params)
{
    r[0].blocks = r[1].blocks = blocks;
    if (params->both != NULL) {
        params->both(replica_wave, &r[0], &r[1]);
        return;
    }
    replica_wave(&r[0]);
    replica_wave(&r[1]);
}

static void replica_init(struct replica *r, const struct ipr_markov_side *s, const double *pool,
                         const struct ipr_markov_params *params)
{
    const bool separate = params->separate_colours;

    *r = (struct replica){
        .side = s,
        .pool = pool,
        .n = params->classes.n,
        .separate = separate,
        .times = ipr_xcalloc(s->games, IPR_BLOCK * sizeof *r->times),
        .matrix = ipr_xcalloc((1 + separate) * (size_t)IPR_MARKOV_CELLS,
                              WAVE * IPR_BLOCK * sizeof *r->matrix),
    };
}

static void replica_release(struct replica *r)
{
    free(r->times);
    free(r->matrix);
}

/* Expected scores of player 1, both colours averaged, of replicates of both players' games. */
static enum ipr_code markov_replicates(const struct ipr_markov_side *s1,
                                       const struct ipr_markov_side *s2, const double *pool,
                                       const struct ipr_markov_params *params, double *e,
                                       struct ipr_err *err)
{
    const size_t blocks = (params->replicates + IPR_BLOCK - 1) / IPR_BLOCK;
    const size_t zero = ipr_markov_class(&params->classes, 0);
    const bool triangular = s1->triangular && s2->triangular;
    struct replica r[2];
    double white[IPR_BLOCK] = { 0 };
    double black[IPR_BLOCK] = { 0 };
    enum ipr_code rc = IPR_OK;

    replica_init(&r[0], s1, pool, params);
    replica_init(&r[1], s2, pool, params);
    ipr_resample_streams(params->seed, s1->digest, s2->digest, &r[0].rng, &r[1].rng);
    for (size_t b = 0; b < blocks && rc == IPR_OK; b++) {
        const size_t at = b % WAVE;

        if (at == 0)
            replicas_wave(r, blocks - b < WAVE ? blocks - b : WAVE, params);
        rc = ipr_markov_block((const double *[2]){ replica_matrix(&r[0], at, false),
                                                   replica_matrix(&r[0], at, true) },
                              (const double *[2]){ replica_matrix(&r[1], at, false),
                                                   replica_matrix(&r[1], at, true) },
                              params->classes.n, zero, triangular, white, black, err);
        for (size_t i = 0; i < IPR_BLOCK && b * IPR_BLOCK + i < params->replicates; i++)
            e[b * IPR_BLOCK + i] = 0.5 * (white[i] + black[i]);
    }
    replica_release(&r[0]);
    replica_release(&r[1]);
    return rc;
}

enum ipr_code ipr_markov_bootstrap(const struct ipr_markov_side *s1,
                                   const struct ipr_markov_side *s2, const double *pool,
                                   const struct ipr_markov_params *params,
                                   struct ipr_markov_prediction *out, struct ipr_err *err)
{
    double *e = ipr_xcalloc(params->replicates, sizeof *e);
    const enum ipr_code rc = markov_replicates(s1, s2, pool, params, e, err);

    if (rc == IPR_OK) {
        ipr_markov_interval(out->mean.expected, small_counts(out), e, params->replicates, &out->sd,
                            &out->sd_logit, &out->expected);
        /* A player who never left the best class, or never was in it, has the pool's row, which
         * does not vary: how often the player would leave it is not known. */
        out->interval_known = out->player1.exits_top != 0 && out->player2.exits_top != 0;
        if (!out->interval_known)
            out->expected = (struct ipr_interval){ 0.0, 1.0 };
        out->replicates = params->replicates;
    }
    free(e);
    return rc;
}
