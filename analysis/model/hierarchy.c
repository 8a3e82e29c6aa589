#include "model/hierarchy.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

/* Steps of tau and drift: a first grid finds where the posterior is, a second covers that. */
enum { STEPS = 28 };

/* Natural logarithm of the density, below its maximum, that is left out of the second grid. */
#define NEGLIGIBLE_WEIGHT 12.0

struct ipr_hierarchy_params ipr_hierarchy_default(void)
{
    return (struct ipr_hierarchy_params){ .draws = 2000, .seed = 1 };
}

/* One entry, sorted by player and year. Of the filter: theta given this and earlier years is
 * N(level + mu share, variance). */
struct hierarchy_step {
    struct ipr_hierarchy_entry of;
    size_t at;  /* in the caller's order */
    double gap; /* years since the player's last one; 0 in his first */
    double level, share, variance;
    double theta;
};

/* One pair of tau and drift. */
struct cell {
    double tau, drift;
    double log_density, weight;
    double mu, mu_sd; /* given the two */
};

struct hierarchy_model {
    struct hierarchy_step *steps;
    size_t n;
    bool careers; /* a player has several years */
    double scale;
    struct cell cells[STEPS * STEPS];
    size_t n_cells;
};

/* ---- the filter ---- */

struct moments {
    double one_one, one_y, y_y, log_variance;
};

/* One step; what is unknown at a player's first year is `prior`, N(mu, prior). */
static void hierarchy_filter_step(struct hierarchy_step *s, double prior, double drift,
                                  struct moments *sum)
{
    const bool first = s->gap <= 0.0;
    const struct hierarchy_step *last = first ? s : s - 1;
    const double level = first ? 0.0 : last->level;
    const double share = first ? 1.0 : last->share;
    const double before = first ? prior : last->variance + drift * drift * s->gap;
    const double f = before + s->of.se * s->of.se;
    const double v = s->of.estimate - level, gain = before / f;

    sum->one_one += share * share / f;
    sum->one_y += share * v / f;
    sum->y_y += v * v / f;
    sum->log_variance += log(f);
    s->level = level + gain * v;
    s->share = share * (1.0 - gain);
    s->variance = before * (1.0 - gain);
}

/* Density of the estimates given the cell's tau and drift, mu integrated; leaves the filter's
 * states in the steps. */
static void hierarchy_filter(struct hierarchy_model *m, struct cell *c)
{
    struct moments sum = { 0 };

    for (size_t i = 0; i < m->n; i++)
        hierarchy_filter_step(&m->steps[i], c->tau * c->tau, c->drift, &sum);
    c->mu = sum.one_y / sum.one_one;
    c->mu_sd = 1.0 / sqrt(sum.one_one);
    c->log_density = -0.5 * (sum.log_variance + sum.y_y - sum.one_y * c->mu + log(sum.one_one));
}

/* theta from the last year back to the first; without rng their means. */
static void hierarchy_backwards(struct hierarchy_model *m, const struct cell *c, double mu,
                                gsl_rng *rng)
{
    for (size_t i = m->n; i-- > 0;) {
        struct hierarchy_step *s = &m->steps[i];
        double mean = s->level + mu * s->share, variance = s->variance;

        if (i + 1 < m->n && s[1].gap > 0.0) {
            const double gain = variance / (variance + c->drift * c->drift * s[1].gap);

            mean += gain * (s[1].theta - mean);
            variance *= 1.0 - gain;
        }
        s->theta = mean + (rng != NULL ? gsl_ran_gaussian_ziggurat(rng, sqrt(variance)) : 0.0);
    }
}

/* ---- the posterior of tau and drift ---- */

struct range {
    double lo, hi;
};

static double range_mid(struct range r, size_t k, size_t steps)
{
    return r.lo + (r.hi - r.lo) * ((double)k + 0.5) / (double)steps;
}

static void hierarchy_lay_grid(struct hierarchy_model *m, struct range tau, struct range drift)
{
    const size_t drifts = m->careers ? STEPS : 1;
    double most = -INFINITY, total = 0.0;

    m->n_cells = 0;
    for (size_t i = 0; i < STEPS; i++)
        for (size_t j = 0; j < drifts; j++) {
            struct cell *c = &m->cells[m->n_cells++];

            *c = (struct cell){ .tau = range_mid(tau, i, STEPS),
                                .drift = m->careers ? range_mid(drift, j, drifts) : 0.0 };
            hierarchy_filter(m, c);
            most = fmax(most, c->log_density);
        }
    for (size_t k = 0; k < m->n_cells; k++)
        total += m->cells[k].weight = exp(m->cells[k].log_density - most);
    for (size_t k = 0; k < m->n_cells; k++)
        m->cells[k].weight /= total;
}

/* The part of a range, by half a step more at either end, in which `of` lies. */
static void range_include(struct range *r, double of, double step)
{
    r->lo = fmin(r->lo, fmax(0.0, of - step));
    r->hi = fmax(r->hi, of + step);
}

static void hierarchy_grid(struct hierarchy_model *m)
{
    const struct range none = { INFINITY, 0.0 };
    const struct range all[2] = { { 0.0, 3.0 * m->scale }, { 0.0, m->scale } };
    struct range tau = none, drift = none;
    double most = 0.0;

    hierarchy_lay_grid(m, all[0], all[1]);
    for (size_t k = 0; k < m->n_cells; k++)
        most = fmax(most, m->cells[k].weight);
    for (size_t k = 0; k < m->n_cells; k++) {
        if (m->cells[k].weight < most * exp(-NEGLIGIBLE_WEIGHT))
            continue;
        range_include(&tau, m->cells[k].tau, 0.5 * all[0].hi / STEPS);
        range_include(&drift, m->cells[k].drift, 0.5 * all[1].hi / STEPS);
    }
    hierarchy_lay_grid(m, tau, drift);
}

/* ---- draws ---- */

/* Draws by entry: theta[n][draws] and its rank. */
struct drawn {
    size_t draws;
    float *theta;
    uint16_t *rank;
    struct ipr_placed *placed; /* [n] by theta */
    double *sorted;            /* [draws] */
};

/* The player's best year of a draw. */
static void hierarchy_note_best_years(const struct hierarchy_model *m, double share,
                                      struct ipr_hierarchy_row *rows)
{
    for (size_t i = 0, best = 0; i < m->n; i++) {
        if (m->steps[i].gap <= 0.0 || m->steps[i].theta > m->steps[best].theta)
            best = i;
        if (i + 1 == m->n || m->steps[i + 1].gap <= 0.0)
            rows[m->steps[best].at].best_year += share;
    }
}

static void hierarchy_note_draw(const struct hierarchy_model *m, size_t d, struct drawn *to,
                                struct ipr_hierarchy_row *rows)
{
    const double share = 1.0 / (double)to->draws;

    for (size_t i = 0; i < m->n; i++) {
        const size_t at = m->steps[i].at;

        to->placed[i] = (struct ipr_placed){ m->steps[i].theta, at };
        to->theta[at * to->draws + d] = (float)m->steps[i].theta;
    }
    qsort(to->placed, m->n, sizeof *to->placed, ipr_compare_placed);
    for (size_t k = 0; k < m->n; k++)
        to->rank[to->placed[k].row * to->draws + d] = (uint16_t)(k + 1);
    rows[to->placed[0].row].best += share;
    hierarchy_note_best_years(m, share, rows);
}

/* Cells in turn, each with as many draws as its weight: the filter of a cell runs once. */
static void hierarchy_draw(struct hierarchy_model *m, gsl_rng *rng, struct drawn *to,
                           struct ipr_hierarchy *out)
{
    double up_to = 0.0;
    size_t d = 0;

    for (size_t k = 0; k < m->n_cells; k++) {
        struct cell *c = &m->cells[k];

        up_to += c->weight;
        hierarchy_filter(m, c);
        hierarchy_backwards(m, c, c->mu, NULL);
        for (size_t i = 0; i < m->n; i++)
            out->rows[m->steps[i].at].mean += c->weight * m->steps[i].theta;
        out->mu += c->weight * c->mu;
        out->tau += c->weight * c->tau;
        out->drift += c->weight * c->drift;
        for (;
             d < to->draws && ((double)d + 0.5 < up_to * (double)to->draws || k + 1 == m->n_cells);
             d++) {
            hierarchy_backwards(m, c, c->mu + gsl_ran_gaussian_ziggurat(rng, c->mu_sd), rng);
            hierarchy_note_draw(m, d, to, out->rows);
        }
    }
}

/* The least of the sorted values that `share` of them do not exceed. */
static double value_at(const double *sorted, size_t n, double share)
{
    return sorted[(size_t)ceil(share * (double)n) - 1];
}

/* The least rank that `share` of the draws do not exceed. */
static size_t rank_at(const uint16_t *rank, size_t draws, size_t n, double share)
{
    size_t *count = ipr_xcalloc(n + 1, sizeof *count), at = 0, sum = 0;

    for (size_t d = 0; d < draws; d++)
        count[rank[d]]++;
    while ((double)sum < share * (double)draws)
        sum += count[++at];
    free(count);
    return at;
}

static void hierarchy_sum_up(const struct drawn *from, size_t n, size_t i,
                             struct ipr_hierarchy_row *row)
{
    const size_t draws = from->draws;
    double squares = 0.0;

    for (size_t d = 0; d < draws; d++) {
        from->sorted[d] = (double)from->theta[i * draws + d];
        squares += (from->sorted[d] - row->mean) * (from->sorted[d] - row->mean);
    }
    row->sd = sqrt(squares / (double)draws);
    qsort(from->sorted, draws, sizeof *from->sorted, ipr_compare_double);
    row->interval = (struct ipr_interval){ value_at(from->sorted, draws, 0.025),
                                           value_at(from->sorted, draws, 0.975) };
    row->rank_low = rank_at(&from->rank[i * draws], draws, n, 0.025);
    row->rank_high = rank_at(&from->rank[i * draws], draws, n, 0.975);
}

static void hierarchy_simulate(struct hierarchy_model *m, const struct ipr_hierarchy_params *params,
                               struct ipr_hierarchy *out)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct drawn d = { .draws = params->draws };

    gsl_rng_set(rng, (unsigned long)params->seed);
    d.theta = ipr_xcalloc(m->n, d.draws * sizeof *d.theta);
    d.rank = ipr_xcalloc(m->n, d.draws * sizeof *d.rank);
    d.placed = ipr_xcalloc(m->n, sizeof *d.placed);
    d.sorted = ipr_xcalloc(d.draws, sizeof *d.sorted);
    hierarchy_draw(m, rng, &d, out);
    for (size_t i = 0; i < m->n; i++)
        hierarchy_sum_up(&d, m->n, i, &out->rows[i]);
    free(d.theta);
    free(d.rank);
    free(d.placed);
    free(d.sorted);
    gsl_rng_free(rng);
}

/* ---- whether they differ at all ---- */

static void hierarchy_heterogeneity(const struct ipr_hierarchy_entry *e, size_t n,
                                    struct ipr_hierarchy *out)
{
    double weights = 0.0, sum = 0.0;

    for (size_t i = 0; i < n; i++) {
        weights += 1.0 / (e[i].se * e[i].se);
        sum += e[i].estimate / (e[i].se * e[i].se);
    }
    for (size_t i = 0; i < n; i++)
        out->q += pow((e[i].estimate - sum / weights) / e[i].se, 2.0);
    out->p = gsl_cdf_chisq_Q(out->q, (double)(n - 1));
    out->distinct = out->p < 0.05;
}

/* ---- the call ---- */

static int hierarchy_by_career(const void *a, const void *b)
{
    const struct ipr_hierarchy_entry *x = &((const struct hierarchy_step *)a)->of;
    const struct ipr_hierarchy_entry *y = &((const struct hierarchy_step *)b)->of;

    if (x->player != y->player)
        return x->player < y->player ? -1 : 1;
    return (x->year > y->year) - (x->year < y->year);
}

/* The entries sorted, and what the grid depends on. */
static enum ipr_code hierarchy_prepare(const struct ipr_hierarchy_entry *entries, size_t n,
                                       struct hierarchy_model *m, struct ipr_err *err)
{
    double mean = 0.0, squares = 0.0, errors = 0.0;

    m->n = n;
    for (size_t i = 0; i < n; i++)
        m->steps[i] = (struct hierarchy_step){ .of = entries[i], .at = i };
    qsort(m->steps, n, sizeof *m->steps, hierarchy_by_career);
    for (size_t i = 0; i < n; i++) {
        struct hierarchy_step *s = &m->steps[i];

        if (!isfinite(s->of.estimate) || !isfinite(s->of.se) || !(s->of.se > 0.0) ||
            (i > 0 && hierarchy_by_career(s - 1, s) == 0))
            return ipr_err_set(err, IPR_EINVAL, "year %d of player %lld: twice, or not finite",
                               (int)s->of.year, (long long)s->of.player);
        if (i > 0 && s->of.player == s[-1].of.player)
            s->gap = (double)s->of.year - (double)s[-1].of.year;
        m->careers = m->careers || s->gap > 0.0;
        mean += s->of.estimate / (double)n;
        errors += s->of.se / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        squares += pow(m->steps[i].of.estimate - mean, 2.0);
    m->scale = fmax(errors, sqrt(squares / (double)(n - 1)));
    return IPR_OK;
}

enum ipr_code ipr_hierarchy(const struct ipr_hierarchy_entry *entries, size_t n,
                            const struct ipr_hierarchy_params *params, struct ipr_hierarchy *out,
                            struct ipr_err *err)
{
    if (n < 2)
        return ipr_err_set(err, IPR_EDATA, "an order needs two entries, there are %zu", n);
    if (params->draws < 100 || n > UINT16_MAX)
        return ipr_err_set(err, IPR_EINVAL, "%u draws of %zu entries", params->draws, n);
    struct hierarchy_model *m = ipr_xcalloc(1, sizeof *m);
    struct ipr_hierarchy h = { .n = n };
    size_t apart = 0;

    m->steps = ipr_xcalloc(n, sizeof *m->steps);
    const enum ipr_code rc = hierarchy_prepare(entries, n, m, err);
    if (rc == IPR_OK) {
        h.rows = ipr_xcalloc(n, sizeof *h.rows);
        hierarchy_grid(m);
        hierarchy_simulate(m, params, &h);
        hierarchy_heterogeneity(entries, n, &h);
        for (size_t i = 0; i < h.n; i++)
            for (size_t j = 0; j < h.n; j++)
                apart += h.rows[i].rank_high < h.rows[j].rank_low;
        h.apart = (double)apart / (0.5 * (double)h.n * (double)(h.n - 1));
        *out = h;
    }
    free(m->steps);
    free(m);
    return rc;
}

void ipr_hierarchy_release(struct ipr_hierarchy *h)
{
    free(h->rows);
    memset(h, 0, sizeof *h);
}
