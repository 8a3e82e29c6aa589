#include "model/royale.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "model/elo.h"
#include "model/markov_side.h"
#include "model/royale_field.h"
#include "stats/logit.h"
#include "stats/resample.h"
#include "stats/sum.h"

/* Logits in one point of Elo. */
#define ELO_LOGIT (M_LN10 / 400.0)

struct ipr_royale_params ipr_royale_default(enum ipr_royale_method method)
{
    struct ipr_royale_params p = { .method = method,
                                   .classes = ipr_markov_classes_19(),
                                   .conformance = ipr_acs_default(),
                                   .covariance = ipr_covariance_default(),
                                   .losses = IPR_CONFORMANCE_INIT,
                                   .replicates = 200,
                                   .splits = 20,
                                   .posterior = ipr_hierarchy_default(),
                                   .seed = 1 };

    p.losses.forgetting = 0.0;
    return p;
}

static double logit_score(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/* ---- the entries ---- */

/* Everything of one royale. */
struct play {
    const struct ipr_royale_params *params;
    struct ipr_royale_entry *entries; /* sorted */
    struct ipr_royale_own *own;
    struct ipr_royale_field field;
    const struct ipr_royale_predictor *predictor; /* NULL: ratings */
    void *state;
    size_t most_games;
    double *half; /* [splits][2][n] scores of halves */
    struct ipr_royale r;
};

static int entries_by_career(const void *a, const void *b)
{
    const struct ipr_royale_entry *x = a;
    const struct ipr_royale_entry *y = b;

    if (x->player != y->player)
        return x->player < y->player ? -1 : 1;
    return (x->year > y->year) - (x->year < y->year);
}

static int turns_by_game(const void *a, const void *b)
{
    const struct ipr_markov_turn *x = a;
    const struct ipr_markov_turn *y = b;

    return (x->game > y->game) - (x->game < y->game);
}

/* The turns of the entry's year by game. */
static void own_fill(const struct ipr_royale_entry *e, struct ipr_royale_own *own)
{
    for (size_t i = 0; i < e->n; i++)
        own->n += e->turns[i].year == e->year;
    own->turns = ipr_xcalloc(own->n + 1, sizeof *own->turns);
    own->start = ipr_xcalloc(own->n + 1, sizeof *own->start);
    own->n = 0;
    for (size_t i = 0; i < e->n; i++)
        if (e->turns[i].year == e->year)
            own->turns[own->n++] = e->turns[i];
    qsort(own->turns, own->n, sizeof *own->turns, turns_by_game);
    for (size_t i = 0; i < own->n; i++)
        if (i == 0 || own->turns[i].game != own->turns[i - 1].game)
            own->start[own->games++] = i;
    own->start[own->games] = own->n;
}

static enum ipr_code play_check(const struct play *p, size_t i, struct ipr_err *err)
{
    const struct ipr_royale_entry *e = &p->entries[i];
    const bool rated = p->params->method == IPR_ROYALE_RATING;

    if ((i > 0 && entries_by_career(e - 1, e) == 0) || e->year < 1 ||
        (rated && !isfinite(e->rating)))
        return ipr_err_set(err, IPR_EINVAL, "royale: year %d of player %lld", (int)e->year,
                           (long long)e->player);
    if (!rated && p->own[i].n == 0)
        return ipr_err_set(err, IPR_EDATA, "royale: no moves of player %lld in %d",
                           (long long)e->player, (int)e->year);
    return IPR_OK;
}

static enum ipr_code play_enter(struct play *p, const struct ipr_royale_entry *entries, size_t n,
                                struct ipr_err *err)
{
    const struct ipr_royale_params *params = p->params;
    enum ipr_code rc = IPR_OK;

    if (n < 2)
        return ipr_err_set(err, IPR_EDATA, "a royale needs two player-years, there are %zu", n);
    if (params->replicates < 2 || params->splits < 1)
        return ipr_err_set(err, IPR_EINVAL, "royale: %u replicates, %u splits", params->replicates,
                           params->splits);
    memcpy(p->entries, entries, n * sizeof *entries);
    qsort(p->entries, n, sizeof *p->entries, entries_by_career);
    for (size_t i = 0; i < n && rc == IPR_OK; i++) {
        const struct ipr_royale_entry *e = &p->entries[i];

        own_fill(e, &p->own[i]);
        p->most_games = p->own[i].games > p->most_games ? p->own[i].games : p->most_games;
        p->r.rows[i] = (struct ipr_royale_row){ .player = e->player,
                                                .year = e->year,
                                                .turns = p->own[i].n,
                                                .games = p->own[i].games,
                                                .own_se = NAN };
        rc = play_check(p, i, err);
    }
    return rc;
}

/* ---- each row's own strength, its error, and its halves ---- */

/* One block of replicates of row i into e[IPR_BLOCK]. */
static enum ipr_code play_score(struct play *p, size_t i, const double *times, double *e,
                                struct ipr_err *err)
{
    return p->predictor->score(p->state, i, times, e, err);
}

static enum ipr_code play_resample(struct play *p, size_t i, gsl_rng *rng, double *times,
                                   struct ipr_err *err)
{
    const size_t games = p->own[i].games, replicates = p->params->replicates;
    double *e = ipr_xcalloc(replicates + IPR_BLOCK, sizeof *e), sd;
    struct ipr_royale_row *row = &p->r.rows[i];
    struct ipr_interval unused;
    enum ipr_code rc = IPR_OK;

    for (size_t b = 0; b < replicates && rc == IPR_OK; b += IPR_BLOCK) {
        memset(times, 0, games * IPR_BLOCK * sizeof *times);
        for (size_t lane = 0; lane < IPR_BLOCK; lane++)
            for (size_t g = 0; g < games; g++)
                times[gsl_rng_uniform_int(rng, games) * IPR_BLOCK + lane] += 1.0;
        rc = play_score(p, i, times, &e[b], err);
    }
    ipr_markov_interval(row->own, 1.0, e, replicates, &sd, &row->own_se, &unused);
    row->own_se *= sqrt((double)games / (double)(games - 1));
    if (!(row->own_se > 1e-9) || row->never_left) /* no replicate differs from another */
        row->own_se = NAN;
    free(e);
    return rc;
}

/* Half of the games in even lanes, the others in odd ones; each pair of lanes has another split. */
static void halves_draw(gsl_rng *rng, size_t games, size_t *order, double *times)
{
    for (size_t g = 0; g < games; g++)
        order[g] = g;
    for (size_t lane = 0; lane < IPR_BLOCK; lane += 2) {
        gsl_ran_shuffle(rng, order, games, sizeof *order);
        for (size_t k = 0; k < games; k++) {
            times[order[k] * IPR_BLOCK + lane] = k < games / 2;
            times[order[k] * IPR_BLOCK + lane + 1] = k >= games / 2;
        }
    }
}

static enum ipr_code play_halves(struct play *p, size_t i, gsl_rng *rng, double *times,
                                 struct ipr_err *err)
{
    const size_t n = p->r.n, games = p->own[i].games, splits = p->params->splits;
    size_t *order = ipr_xcalloc(games, sizeof *order);
    enum ipr_code rc = IPR_OK;

    for (size_t s = 0; s < splits && rc == IPR_OK; s += IPR_BLOCK / 2) {
        double e[IPR_BLOCK];

        halves_draw(rng, games, order, times);
        rc = play_score(p, i, times, e, err);
        for (size_t lane = 0; rc == IPR_OK && lane < IPR_BLOCK && s + lane / 2 < splits; lane++)
            p->half[((s + lane / 2) * 2 + lane % 2) * n + i] = e[lane];
    }
    free(order);
    return rc;
}

static enum ipr_code play_row(struct play *p, size_t i, gsl_rng *rng, double *times,
                              struct ipr_err *err)
{
    double e[IPR_BLOCK];
    enum ipr_code rc;

    p->predictor->enter(p->state, i);
    for (size_t k = 0; k < p->own[i].games * IPR_BLOCK; k++)
        times[k] = 1.0;
    rc = play_score(p, i, times, e, err);
    p->r.rows[i].own = e[0];
    if (rc == IPR_OK && p->own[i].games > 1)
        rc = play_resample(p, i, rng, times, err);
    if (rc == IPR_OK && p->own[i].games > 1)
        rc = play_halves(p, i, rng, times, err);
    return rc;
}

static enum ipr_code play_rows(struct play *p, struct ipr_err *err)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *times = ipr_xcalloc(p->most_games, IPR_BLOCK * sizeof *times);
    enum ipr_code rc = p->predictor->open(&p->field, &p->state, err);

    for (size_t i = 0; i < p->r.n && rc == IPR_OK; i++) {
        /* Draws depend on the player and the year, not on who else takes part. */
        const uint64_t who =
            ipr_mix64((uint64_t)p->entries[i].player) + (uint64_t)p->entries[i].year;

        gsl_rng_set(rng, (unsigned long)(ipr_mix64(p->params->seed ^ who) & 0xffffffffU));
        rc = play_row(p, i, rng, times, err);
    }
    if (p->state != NULL)
        p->predictor->close(p->state);
    free(times);
    gsl_rng_free(rng);
    return rc;
}

/* ---- ratings ---- */

static void play_ratings(struct play *p)
{
    const size_t n = p->r.n;
    double mean = 0.0;

    for (size_t i = 0; i < n; i++)
        mean += p->entries[i].rating / (double)n;
    for (size_t i = 0; i < n; i++) {
        const struct ipr_royale_entry *e = &p->entries[i];

        p->r.rows[i].own = ipr_elo_expect(e->rating - mean, 0.0);
        if (e->rating_se > 0.0)
            p->r.rows[i].own_se = e->rating_se * ELO_LOGIT;
        for (size_t j = 0; j < n; j++)
            p->field.pair[i * n + j] = ipr_elo_expect(e->rating - p->entries[j].rating, 0.0);
    }
}

/* Halves as they would come: theta of the posterior, errors sqrt(2) as large. */
static void play_simulate_halves(struct play *p)
{
    const size_t n = p->r.n;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, (unsigned long)p->params->seed);
    for (size_t s = 0; s < p->params->splits; s++)
        for (size_t i = 0; i < n; i++) {
            const struct ipr_royale_row *row = &p->r.rows[i];
            const double theta =
                row->posterior.mean + gsl_ran_gaussian_ziggurat(rng, row->posterior.sd);

            for (size_t k = 0; k < 2; k++)
                p->half[(s * 2 + k) * n + i] =
                    theta + gsl_ran_gaussian_ziggurat(rng, row->own_se * M_SQRT2);
        }
    gsl_rng_free(rng);
    p->r.tau_simulated = true;
}

/* ---- the order ---- */

static double sign_of(double x)
{
    return (x > 0.0) - (x < 0.0);
}

/* Kendall's tau of the rows whose error is known. */
static double play_kendall(const struct play *p, const double *a, const double *b)
{
    double sum = 0.0, pairs = 0.0;

    for (size_t i = 0; i < p->r.n; i++)
        for (size_t j = 0; j < i; j++) {
            if (!(p->r.rows[i].own_se > 0.0) || !(p->r.rows[j].own_se > 0.0))
                continue;
            sum += sign_of(a[i] - a[j]) * sign_of(b[i] - b[j]);
            pairs += 1.0;
        }
    return sum / pairs;
}

static void play_correlate(struct play *p)
{
    const size_t splits = p->params->splits;
    double sum = 0.0, squares = 0.0;

    for (size_t s = 0; s < splits; s++) {
        const double *half = &p->half[s * 2 * p->r.n];
        const double tau = play_kendall(p, half, half + p->r.n);

        sum += tau;
        squares += tau * tau;
    }
    p->r.tau = sum / (double)splits;
    p->r.tau_sd = sqrt(fmax(0.0, squares / (double)splits - p->r.tau * p->r.tau));
}

static enum ipr_code play_posterior(struct play *p, struct ipr_err *err)
{
    struct ipr_royale *r = &p->r;
    struct ipr_hierarchy_entry *known = ipr_xcalloc(r->n, sizeof *known);
    enum ipr_code rc = IPR_OK;
    size_t n = 0;

    r->tau = r->tau_sd = NAN;
    for (size_t i = 0; i < r->n; i++) {
        struct ipr_royale_row *row = &r->rows[i];

        row->posterior =
            (struct ipr_hierarchy_row){ .mean = NAN, .sd = NAN, .interval = { NAN, NAN } };
        if (row->own_se > 0.0)
            known[n++] = (struct ipr_hierarchy_entry){ row->player, row->year,
                                                       ipr_stats_logit(row->own), row->own_se };
    }
    if (n >= 2)
        rc = ipr_hierarchy(known, n, &p->params->posterior, &r->posterior, err);
    free(known);
    if (rc != IPR_OK || n < 2)
        return rc;
    r->compared = n;
    n = 0;
    for (size_t i = 0; i < r->n; i++)
        if (r->rows[i].own_se > 0.0)
            r->rows[i].posterior = r->posterior.rows[n++];
    ipr_hierarchy_release(&(struct ipr_hierarchy){ .rows = r->posterior.rows });
    r->posterior.rows = NULL;
    if (p->predictor == NULL)
        play_simulate_halves(p);
    play_correlate(p);
    r->verdict = r->tau >= IPR_ROYALE_TAU_LEAST ? IPR_ROYALE_ORDERED : IPR_ROYALE_DISORDERED;
    if (!r->posterior.distinct)
        r->verdict = IPR_ROYALE_SAME;
    return IPR_OK;
}

static void royale_tally(struct ipr_royale *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct ipr_royale_row *row = &r->rows[i];
        struct ipr_sum sum = { 0 };

        r->pair[i * r->n + i] = 0.5;
        for (size_t j = 0; j < r->n; j++) {
            const double e = r->pair[i * r->n + j];
            if (j == i)
                continue;
            ipr_sum_add(&sum, e);
            /* Equal players are equal up to rounding. */
            row->favoured += e > 0.5 + 1e-12;
            row->unfavoured += e < 0.5 - 1e-12;
        }
        row->even = r->n - 1 - row->favoured - row->unfavoured;
        row->expected = ipr_sum_value(&sum) / (double)(r->n - 1);
        /* Logits to scores; the sd by the slope at the mean. */
        struct ipr_hierarchy_row *h = &row->posterior;
        h->mean = logit_score(h->mean);
        h->sd *= h->mean * (1.0 - h->mean);
        h->interval.lo = logit_score(h->interval.lo);
        h->interval.hi = logit_score(h->interval.hi);
    }
}

static void royale_rank(struct ipr_royale *r)
{
    struct ipr_placed *p = ipr_xcalloc(r->n, sizeof *p);
    size_t best = 0;

    for (size_t i = 0; i < r->n; i++) {
        const struct ipr_royale_row *row = &r->rows[i];

        p[i] = (struct ipr_placed){ row->expected, i };
        if (isfinite(row->posterior.mean)) /* those with a posterior come first */
            p[i].value = 2.0 + row->posterior.mean;
        if (r->rows[i].player != r->rows[best].player)
            best = i;
        if (i == best || p[i].value > p[best].value) {
            r->rows[best].best = false;
            r->rows[i].best = true;
            best = i;
        }
    }
    qsort(p, r->n, sizeof *p, ipr_compare_placed);
    r->ranking = ipr_xcalloc(r->n, sizeof *r->ranking);
    r->best = ipr_xcalloc(r->n, sizeof *r->best);
    for (size_t k = 0; k < r->n; k++) {
        r->ranking[k] = p[k].row;
        r->rows[p[k].row].rank = k + 1;
        if (r->rows[p[k].row].best)
            r->best[r->players++] = p[k].row;
    }
    free(p);
}

void ipr_royale_release(struct ipr_royale *r)
{
    free(r->rows);
    free(r->pair);
    free(r->ranking);
    free(r->best);
    memset(r, 0, sizeof *r);
}

/* ---- the call ---- */

static const struct ipr_royale_predictor *royale_predictor(enum ipr_royale_method method)
{
    static const struct ipr_royale_predictor *const all[] = { &ipr_royale_markov,
                                                              &ipr_royale_covariance,
                                                              &ipr_royale_conformance, NULL };

    return all[method];
}

enum ipr_code ipr_royale(const struct ipr_royale_entry *entries, size_t n,
                         const struct ipr_royale_params *params, struct ipr_royale *out,
                         struct ipr_err *err)
{
    struct play p = { .params = params,
                      .entries = ipr_xcalloc(n + 1, sizeof *p.entries),
                      .own = ipr_xcalloc(n + 1, sizeof *p.own),
                      .predictor = royale_predictor(params->method),
                      .half = ipr_xcalloc(2 * n + 1, params->splits * sizeof *p.half + 1),
                      .r = { .n = n } };

    p.r.rows = ipr_xcalloc(n + 1, sizeof *p.r.rows);
    p.r.pair = ipr_xcalloc(n * n + 1, sizeof *p.r.pair);
    p.field = (struct ipr_royale_field){ params, p.entries, p.own, p.r.rows, n, p.r.pair };
    enum ipr_code rc = play_enter(&p, entries, n, err);
    if (rc == IPR_OK && p.predictor != NULL)
        rc = play_rows(&p, err);
    else if (rc == IPR_OK)
        play_ratings(&p);
    if (rc == IPR_OK)
        rc = play_posterior(&p, err);
    if (rc == IPR_OK) {
        royale_tally(&p.r);
        royale_rank(&p.r);
        *out = p.r;
    }
    for (size_t i = 0; i < p.r.n; i++) {
        free(p.own[i].turns);
        free(p.own[i].start);
    }
    free(p.own);
    free(p.entries);
    free(p.half);
    if (rc != IPR_OK)
        ipr_royale_release(&p.r);
    return rc;
}
