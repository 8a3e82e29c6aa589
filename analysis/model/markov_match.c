/* Two players' matrices to results: one match by the general method, or a block by the fast one;
 * and the interval of a prediction: replicates of both players' games, a block at a time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/lanes.h"
#include "model/markov_side.h"
#include "stats/logit.h"
#include "stats/resample.h"

/* M = F mirror(S), F lower and mirror(S) upper triangular when v_p <= v_b. */
static void match_product(const double *f, const double *back, size_t n, double *m)
{
    memset(m, 0, n * n * sizeof *m);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            const double x = f[i * n + k];
            if (!(x > 0.0))
                continue;
            for (size_t j = 0; j < n; j++)
                m[i * n + j] += x * back[k * n + j];
        }
    }
}

enum ipr_code ipr_markov_chain_of(const double *f, const double *s, size_t n, size_t zero,
                                  struct ipr_markov_chain *out, struct ipr_err *err)
{
    memcpy(out->white, f, n * n * sizeof *f);
    ipr_markov_mirror(s, n, out->black);
    match_product(f, out->black, n, out->product);
    return ipr_chain_limit(out->product, n, zero, out->stationary, &out->recurrent, err);
}

/* White's win, draw and loss in games of F as White against S as Black. */
static enum ipr_code match_game(const double *f, const double *s, size_t n, size_t zero, double *pi,
                                unsigned *recurrent, struct ipr_markov_outcome *o,
                                struct ipr_err *err)
{
    double back[IPR_MARKOV_CELLS];
    double m[IPR_MARKOV_CELLS];
    enum ipr_code rc;

    ipr_markov_mirror(s, n, back);
    match_product(f, back, n, m);
    rc = ipr_chain_limit(m, n, zero, pi, recurrent, err);
    if (rc != IPR_OK)
        return rc;
    o->win = pi[n - 1];
    o->loss = pi[0];
    o->draw = fmax(0.0, 1.0 - o->win - o->loss);
    o->expected = o->win + o->draw / 2.0;
    return IPR_OK;
}

/*
 * Player 1 as Black without another elimination: if pi F S' = pi then (pi F) S' F = pi F, and
 * S' F mirrored is the chain with the colours exchanged. So Black, in mirrored view, spends its
 * time in pi F. Needs one recurrent class and one matrix a player for both colours.
 */
static struct ipr_markov_outcome match_exchanged(const double *pi, const double *f, size_t n)
{
    struct ipr_markov_outcome o = { 0 };

    for (size_t i = 0; i < n; i++) {
        o.win += pi[i] * f[i * n + n - 1];
        o.loss += pi[i] * f[i * n];
    }
    o.draw = fmax(0.0, 1.0 - o.win - o.loss);
    o.expected = o.win + o.draw / 2.0;
    return o;
}

enum ipr_code ipr_markov_both_colours(const double *const f1[2], const double *const f2[2],
                                      size_t n, size_t zero, struct ipr_markov_both *out,
                                      struct ipr_err *err)
{
    const bool separate = f1[0] != f1[1] || f2[0] != f2[1];
    struct ipr_markov_both b = { .recurrent = { 1, 1 } };
    double pi[IPR_MARKOV_MAX];
    enum ipr_code rc = match_game(f1[0], f2[1], n, zero, pi, &b.recurrent[0], &b.white, err);

    if (rc == IPR_OK && !separate && b.recurrent[0] == 1) {
        b.black = match_exchanged(pi, f1[0], n);
    } else if (rc == IPR_OK) {
        rc = match_game(f2[0], f1[1], n, zero, pi, &b.recurrent[1], &b.black, err);
        b.black = (struct ipr_markov_outcome){ b.black.loss, b.black.draw, b.black.win,
                                               1.0 - b.black.expected };
    }
    if (rc == IPR_OK)
        *out = b;
    return rc;
}

/* One lane of a block's matrix. */
static void lane_of(const double *block, size_t n, size_t lane, double *out)
{
    for (size_t i = 0; i < n * n; i++)
        out[i] = block[i * IPR_BLOCK + lane];
}

/* A lane by the general method. */
static enum ipr_code match_general(const double *const m1[2], const double *const m2[2], size_t n,
                                   size_t zero, size_t lane, double *white, double *black,
                                   struct ipr_err *err)
{
    double own[4][IPR_MARKOV_CELLS];
    const double *f1[2] = { own[0], own[m1[0] == m1[1] ? 0 : 1] };
    const double *f2[2] = { own[2], own[m2[0] == m2[1] ? 2 : 3] };
    struct ipr_markov_both b;
    enum ipr_code rc;

    for (size_t k = 0; k < 2; k++) {
        lane_of(m1[k], n, lane, own[k]);
        lane_of(m2[k], n, lane, own[2 + k]);
    }
    rc = ipr_markov_both_colours(f1, f2, n, zero, &b, err);
    if (rc == IPR_OK) {
        *white = b.white.expected;
        *black = b.black.expected;
    }
    return rc;
}

enum ipr_code ipr_markov_block(const double *const m1[2], const double *const m2[2], size_t n,
                               size_t zero, bool triangular, double *white, double *black,
                               struct ipr_err *err)
{
    enum { ALL = (1U << IPR_BLOCK) - 1U };
    const struct ipr_lanes *lanes = ipr_lanes_best();
    const bool separate = m1[0] != m1[1] || m2[0] != m2[1];
    double ends[2][4 * IPR_BLOCK];
    unsigned left = ALL;

    if (triangular)
        left = lanes->chain(m1[0], m2[1], n, ends[0]);
    if (triangular && separate)
        left |= lanes->chain(m2[0], m1[1], n, ends[1]);
    for (size_t i = 0; i < IPR_BLOCK; i++) {
        const double *e = &ends[0][i];
        if ((left >> i) & 1U) {
            const enum ipr_code rc = match_general(m1, m2, n, zero, i, &white[i], &black[i], err);
            if (rc != IPR_OK)
                return rc;
            continue;
        }
        /* 1/2 (1 + win - loss) */
        white[i] = 0.5 + 0.5 * (e[IPR_BLOCK] - e[0]);
        black[i] = 0.5 + 0.5 * (separate ? ends[1][i] - ends[1][IPR_BLOCK + i]
                                         : e[3 * IPR_BLOCK] - e[2 * IPR_BLOCK]);
    }
    return IPR_OK;
}

unsigned ipr_markov_fill(const double *counts, const double *pool, size_t n, double *matrix)
{
    unsigned empty = 0;

    for (size_t i = 0; i < n; i++) {
        const double *row = &counts[i * n];
        double total = 0.0;
        for (size_t j = 0; j < n; j++)
            total += row[j];
        if (!(total > 0.0)) {
            empty++;
            for (size_t j = 0; j < n && pool != NULL; j++)
                total += pool[i * n + j];
            row = total > 0.0 ? &pool[i * n] : NULL;
        }
        for (size_t j = 0; j < n; j++)
            matrix[i * n + j] = row != NULL ? row[j] / total : (double)(i == j);
    }
    return empty;
}

void ipr_markov_fill_block(double *counts, const double *pool, size_t n)
{
    if (ipr_lanes_best()->rows(counts, n) == 0)
        return;
    for (size_t i = 0; i < n; i++) {
        double total = 0.0;
        for (size_t j = 0; j < n && pool != NULL; j++)
            total += pool[i * n + j];
        for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
            double *row = &counts[i * n * IPR_BLOCK + lane];
            double sum = 0.0;
            for (size_t j = 0; j < n; j++)
                sum += row[j * IPR_BLOCK];
            for (size_t j = 0; j < n && !(sum > 0.0); j++)
                row[j * IPR_BLOCK] = total > 0.0 ? pool[i * n + j] / total : (double)(i == j);
        }
    }
}

/* ---- the interval ---- */

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
