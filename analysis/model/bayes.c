#include "model/bayes.h"

#include <gsl/gsl_chebyshev.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/clustered.h"
#include "stats/lanes.h"
#include "stats/sum.h"

#define DIFFERENCES (2 * IPR_CP_LIMIT + 1) /* whole centipawns between two evaluations */
#define FIRST_STEP  0.1
#define FINE_ENOUGH 20.0 /* steps in a standard deviation */
#define NEGLIGIBLE  40.0 /* ln of the maximum over a density that is left out */
#define SERIES      32   /* order of the Chebyshev series */

/*
 * An event is the list of y = ln((v_max - v_i + kappa)/kappa), 0 for the best move: p_i is
 * e^(-c y_i) over the sum of these. As evaluations are whole centipawns there are at most
 * DIFFERENCES different y, so each c needs their powers once and the lists only add them up.
 */
struct ipr_bayes_events {
    struct ipr_bayes_params params;
    size_t n, games;
    uint16_t *list;   /* all events' moves but the first, as indexes into y */
    uint8_t *moves;   /* [n] how many of them */
    uint16_t *played; /* [n] index into y */
    uint32_t *game;   /* [n] 0 .. games - 1 */
    double *y;        /* [distinct], then zeros up to whole vectors */
    size_t distinct;
    double played_sum; /* of y */
    struct ipr_window_counts counts;
    size_t short_lists;
};

struct ipr_bayes_params ipr_bayes_default(void)
{
    return (struct ipr_bayes_params){ .window = ipr_window_default(IPR_WINDOW_BAYES),
                                      .kappa = 0.1,
                                      .c_max = 10.0 };
}

static unsigned top_of(const struct ipr_bayes_params *p)
{
    return p->window.top > 0 && p->window.top < UINT8_MAX ? p->window.top : UINT8_MAX;
}

/* The list of one turn as differences in centipawns; returns its length with the first move. */
static uint8_t fill_list(const struct ipr_turn *t, unsigned top, uint16_t *list, uint16_t *played)
{
    const unsigned n = t->lines < top ? t->lines : top;
    const int best = ipr_cp_clamp(t->cp[0]);
    int v = best;

    *played = 0;
    for (unsigned i = 1; i < n; i++) {
        const int cp = ipr_cp_clamp(t->cp[i]);
        v = cp < v ? cp : v;
        list[i - 1] = (uint16_t)(best - v);
        if (i == t->played)
            *played = list[i - 1];
    }
    return (uint8_t)(n - 1);
}

/* Differences in centipawns to indexes into a table of those that occur. */
static void events_compact(struct ipr_bayes_events *e, size_t listed)
{
    uint16_t index[DIFFERENCES] = { 0 };
    bool seen[DIFFERENCES] = { true };

    for (size_t i = 0; i < listed; i++)
        seen[e->list[i]] = true;
    e->y = ipr_xcalloc(DIFFERENCES + IPR_LANES, sizeof *e->y);
    for (size_t d = 0; d < DIFFERENCES; d++) {
        if (!seen[d])
            continue;
        index[d] = (uint16_t)e->distinct;
        e->y[e->distinct++] = log1p((double)d / (100.0 * e->params.kappa));
    }
    for (size_t i = 0; i < listed; i++)
        e->list[i] = index[e->list[i]];
    for (size_t i = 0; i < e->n; i++)
        e->played[i] = index[e->played[i]];
}

static void events_take_turns(struct ipr_bayes_events *e, const struct ipr_turn *turns,
                              const size_t *keep, size_t kept)
{
    const unsigned top = top_of(&e->params);
    int32_t *label = ipr_xcalloc(kept, sizeof *label);
    struct ipr_sum sum = { 0 };
    size_t listed = 0;

    for (size_t k = 0; k < kept; k++) {
        const struct ipr_turn *t = &turns[keep[k]];
        e->moves[k] = fill_list(t, top, e->list + listed, &e->played[k]);
        listed += e->moves[k];
        label[k] = t->game;
    }
    e->games = ipr_stats_cluster(label, kept, e->game);
    free(label);
    events_compact(e, listed);
    for (size_t k = 0; k < kept; k++)
        ipr_sum_add(&sum, e->y[e->played[k]]);
    e->played_sum = ipr_sum_value(&sum);
}

/* Applies the window, then drops turns without a list of the best moves; returns how many stay. */
static size_t select_turns(struct ipr_bayes_events *e, const struct ipr_turn *turns, size_t n,
                           size_t *keep, size_t *listed)
{
    const unsigned top = top_of(&e->params);
    const size_t within = ipr_window_select(&e->params.window, turns, n, keep, &e->counts);
    size_t kept = 0;

    *listed = 0;
    for (size_t k = 0; k < within; k++) {
        const struct ipr_turn *t = &turns[keep[k]];
        if (t->lines < top && t->lines < t->legal) { /* the judge does not show the best `top` */
            e->short_lists++;
            e->counts.excluded[IPR_EXCLUDED_UNJUDGED]++;
        } else {
            keep[kept++] = keep[k];
            *listed += t->lines;
        }
    }
    e->counts.used = kept;
    return kept;
}

enum ipr_code ipr_bayes_events_new(const struct ipr_bayes_params *params,
                                   const struct ipr_turn *turns, size_t n,
                                   struct ipr_bayes_events **out, struct ipr_err *err)
{
    struct ipr_bayes_events *e;
    size_t listed;
    size_t *keep;

    if (!(params->kappa > 0.0) || !isfinite(params->kappa) || !(params->c_max > 0.0) ||
        !(params->c_max <= 100.0))
        return ipr_err_set(err, IPR_EINVAL, "bayes: kappa=%g c_max=%g", params->kappa,
                           params->c_max);
    e = ipr_xcalloc(1, sizeof *e);
    e->params = *params;
    keep = ipr_xcalloc(n + 1, sizeof *keep);
    e->n = select_turns(e, turns, n, keep, &listed);
    e->list = ipr_xcalloc(listed + 1, sizeof *e->list);
    e->moves = ipr_xcalloc(e->n + 1, sizeof *e->moves);
    e->played = ipr_xcalloc(e->n + 1, sizeof *e->played);
    e->game = ipr_xcalloc(e->n + 1, sizeof *e->game);
    if (e->n > 0)
        events_take_turns(e, turns, keep, e->n);
    free(keep);
    if (e->n == 0) {
        ipr_bayes_events_free(&e);
        return ipr_err_set(err, IPR_EDATA, "no turn remains to infer the reference agent from");
    }
    *out = e;
    return IPR_OK;
}

void ipr_bayes_events_free(struct ipr_bayes_events **e)
{
    if (*e == NULL)
        return;
    free((*e)->list);
    free((*e)->moves);
    free((*e)->played);
    free((*e)->game);
    free((*e)->y);
    free(*e);
    *e = NULL;
}

/* e^(-c y) for every y; w has room for whole vectors. */
static void events_powers(const struct ipr_bayes_events *e, double c, double *w)
{
    for (size_t i = 0; i < e->distinct; i += IPR_LANES)
        v_store(&w[i], v_exp(-c * v_load(&e->y[i])));
}

double ipr_bayes_log_likelihood(const struct ipr_bayes_events *e, double c)
{
    enum { TOGETHER = 100 }; /* sums are at most 255: their product stays below 1e241 */
    double w[DIFFERENCES + IPR_LANES];
    const uint16_t *list = e->list;
    struct ipr_sum logs = { 0 };

    events_powers(e, c, w);
    for (size_t from = 0; from < e->n; from += TOGETHER) {
        const size_t to = e->n - from < TOGETHER ? e->n : from + TOGETHER;
        double product = 1.0;
        for (size_t k = from; k < to; k++) {
            const size_t moves = e->moves[k];
            double sum = 1.0;
            for (size_t i = 0; i < moves; i++)
                sum += w[list[i]];
            list += moves;
            product *= sum;
        }
        ipr_sum_add(&logs, log(product));
    }
    return -c * e->played_sum - ipr_sum_value(&logs);
}

/* Derivative of the log likelihood by c, summed by game into u[games], and minus the second. */
static void events_score_at(const struct ipr_bayes_events *e, double c, double *u,
                            double *information)
{
    double w[DIFFERENCES + IPR_LANES];
    const uint16_t *list = e->list;
    struct ipr_sum info = { 0 };

    events_powers(e, c, w);
    memset(u, 0, e->games * sizeof *u);
    for (size_t k = 0; k < e->n; k++) {
        double total = 1.0;
        double first = 0.0;
        double second = 0.0;
        for (size_t i = 0; i < e->moves[k]; i++, list++) {
            const double y = e->y[*list];
            total += w[*list];
            first += w[*list] * y;
            second += w[*list] * y * y;
        }
        first /= total;
        u[e->game[k]] += first - e->y[e->played[k]];
        ipr_sum_add(&info, fmax(0.0, second / total - first * first));
    }
    *information = ipr_sum_value(&info);
}

/* Log density on a grid lo, lo + step, ... lo + n step. */
struct grid {
    double lo, step;
    size_t n;      /* steps */
    double *log_l; /* [n + 1]; -infinity where it is negligible */
    unsigned evaluations;
    gsl_cheb_series *series; /* of the log likelihood, once it has converged on a grid's range */
};

static double grid_c(const struct grid *g, size_t i)
{
    return g->lo + (double)i * g->step;
}

static double grid_evaluate(const struct ipr_bayes_events *e, struct grid *g, size_t i)
{
    if (isnan(g->log_l[i])) {
        g->log_l[i] = ipr_bayes_log_likelihood(e, grid_c(g, i));
        g->evaluations++;
    }
    return g->log_l[i];
}

/* The highest point of the grid; the log likelihood is concave. */
static size_t grid_climb(const struct ipr_bayes_events *e, struct grid *g)
{
    size_t lo = 0;
    size_t hi = g->n;

    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (grid_evaluate(e, g, mid + 1) > grid_evaluate(e, g, mid))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Fills the grid from the highest point outwards until the density is negligible, as it is further
 * out. */
static void fill_direct(const struct ipr_bayes_events *e, struct grid *g)
{
    size_t peak;
    double floor;

    for (size_t i = 0; i <= g->n; i++)
        g->log_l[i] = NAN;
    peak = grid_climb(e, g);
    floor = grid_evaluate(e, g, peak) - NEGLIGIBLE;
    for (size_t i = peak; i < g->n && grid_evaluate(e, g, i + 1) >= floor;)
        i++;
    for (size_t i = peak; i > 0 && grid_evaluate(e, g, i - 1) >= floor;)
        i--;
    for (size_t i = 0; i <= g->n; i++)
        if (isnan(g->log_l[i]) || g->log_l[i] < floor)
            g->log_l[i] = -INFINITY;
}

struct series {
    const struct ipr_bayes_events *e;
    unsigned evaluations;
};

static double series_at(double c, void *arg)
{
    struct series *s = arg;

    s->evaluations++;
    return ipr_bayes_log_likelihood(s->e, c);
}

/* The Chebyshev series over the grid's range; NULL when its last terms are not negligible. */
static gsl_cheb_series *grid_expand(const struct ipr_bayes_events *e, struct grid *g)
{
    gsl_cheb_series *cheb = gsl_cheb_alloc(SERIES);
    struct series s = { e, 0 };
    gsl_function f = { series_at, &s };
    const double *term;
    double tail = 0.0;

    if (cheb == NULL)
        return NULL;
    gsl_cheb_init(cheb, &f, g->lo, grid_c(g, g->n));
    g->evaluations += s.evaluations;
    term = gsl_cheb_coeffs(cheb);
    for (size_t i = SERIES - 4; i <= SERIES; i++)
        tail += fabs(term[i]);
    if (tail <= 1e-9 + 1e-14 * fabs(term[0])) /* the second is what rounding leaves */
        return cheb;
    gsl_cheb_free(cheb);
    return NULL;
}

/* A finer grid lies within the one before, so a series that has converged serves all of them. */
static void fill_grid(const struct ipr_bayes_events *e, struct grid *g)
{
    /* Over the whole prior it does not converge. */
    if (g->series == NULL && g->n > SERIES && g->step < FIRST_STEP / 2.0)
        g->series = grid_expand(e, g);
    if (g->series == NULL) {
        fill_direct(e, g);
        return;
    }
    for (size_t i = 0; i <= g->n; i++)
        g->log_l[i] = gsl_cheb_eval(g->series, grid_c(g, i));
}

/* Densities over the highest one into p[n + 1], halved at the ends (trapezoidal rule). */
static void grid_densities(const struct grid *g, double *p)
{
    double most = -INFINITY;

    for (size_t i = 0; i <= g->n; i++)
        most = fmax(most, g->log_l[i]);
    for (size_t i = 0; i <= g->n; i++)
        p[i] = exp(g->log_l[i] - most) * (i == 0 || i == g->n ? 0.5 : 1.0);
}

static void grid_moments(const struct grid *g, const double *p, double *mean, double *sd)
{
    struct ipr_sum total = { 0 };
    struct ipr_sum first = { 0 };
    struct ipr_sum second = { 0 };

    for (size_t i = 0; i <= g->n; i++) {
        ipr_sum_add(&total, p[i]);
        ipr_sum_add(&first, p[i] * (double)i);
    }
    const double centre = ipr_sum_value(&first) / ipr_sum_value(&total);
    for (size_t i = 0; i <= g->n; i++)
        ipr_sum_add(&second, p[i] * ((double)i - centre) * ((double)i - centre));
    *mean = g->lo + centre * g->step;
    *sd = sqrt(ipr_sum_value(&second) / ipr_sum_value(&total)) * g->step;
}

/* c with the share q of the posterior below it, straight lines between the grid's points. */
static double grid_quantile(const struct grid *g, const double *p, double q)
{
    double total = 0.0;
    double below = 0.0;

    for (size_t i = 0; i <= g->n; i++)
        total += p[i];
    for (size_t i = 0; i < g->n; i++) {
        /* Inside the range each point gives half of its weight to either side. */
        const double left = i == 0 ? p[0] : p[i] / 2.0;
        const double right = i + 1 == g->n ? p[g->n] : p[i + 1] / 2.0;
        const double cell = left + right;
        if (below + cell >= q * total)
            return grid_c(g, i) + (cell > 0.0 ? (q * total - below) / cell : 0.0) * g->step;
        below += cell;
    }
    return grid_c(g, g->n);
}

/* The next grid: where the density counts and one step more, finer. */
static void grid_narrow(struct grid *g, double sd, double c_max)
{
    const double step = fmax(sd / (1.25 * FINE_ENOUGH), g->step / 10.0);
    double most = -INFINITY;
    size_t first = 0;
    size_t last = g->n;
    double lo;
    double hi;

    for (size_t i = 0; i <= g->n; i++)
        most = fmax(most, g->log_l[i]);
    while (g->log_l[first] < most - NEGLIGIBLE)
        first++;
    while (g->log_l[last] < most - NEGLIGIBLE)
        last--;
    lo = first > 0 ? grid_c(g, first - 1) : g->lo;
    hi = last < g->n ? grid_c(g, last + 1) : fmin(c_max, grid_c(g, g->n));
    g->n = (size_t)ceil((hi - lo) / step);
    g->lo = lo;
    g->step = (hi - lo) / (double)g->n;
    free(g->log_l);
    g->log_l = ipr_xcalloc(g->n + 1, sizeof *g->log_l);
}

/* Refines until the step is fine enough; false after too many grids. */
static bool grid_refine(const struct ipr_bayes_events *e, struct grid *g,
                        struct ipr_bayes_posterior *out)
{
    for (out->levels = 1; out->levels <= 60; out->levels++) {
        double *p = ipr_xcalloc(g->n + 1, sizeof *p);
        bool fine;
        fill_grid(e, g);
        grid_densities(g, p);
        grid_moments(g, p, &out->mean, &out->sd);
        fine = g->step <= out->sd / FINE_ENOUGH;
        if (fine)
            out->interval =
                (struct ipr_interval){ grid_quantile(g, p, 0.025), grid_quantile(g, p, 0.975) };
        free(p);
        if (fine)
            return true;
        grid_narrow(g, out->sd, e->params.c_max);
    }
    return false;
}

/* The mode from the grid's highest point by Newton's method, and the sandwich variance there. */
static void add_mode(const struct ipr_bayes_events *e, const struct grid *g,
                     struct ipr_bayes_posterior *out)
{
    double *u = ipr_xcalloc(e->games, sizeof *u);
    struct ipr_sum squares = { 0 };
    double information = 0.0;
    size_t peak = 0;

    for (size_t i = 1; i <= g->n; i++)
        if (g->log_l[i] > g->log_l[peak])
            peak = i;
    out->mode = grid_c(g, peak);
    for (int i = 0; i < 100; i++) {
        double sum = 0.0;
        double next;
        events_score_at(e, out->mode, u, &information);
        for (size_t k = 0; k < e->games; k++)
            sum += u[k];
        if (!(information > 0.0))
            break;
        next = fmax(0.0, fmin(e->params.c_max, out->mode + sum / information));
        if (fabs(next - out->mode) <= 1e-12 * (1.0 + next))
            break;
        out->mode = next;
    }
    out->clustered_known =
        e->games > 1 && information > 0.0 && out->mode > 0.0 && out->mode < e->params.c_max;
    for (size_t k = 0; k < e->games; k++)
        ipr_sum_add(&squares, u[k] * u[k]);
    if (out->clustered_known)
        out->clustered_se =
            sqrt((double)e->games / (double)(e->games - 1) * ipr_sum_value(&squares)) / information;
    free(u);
}

enum ipr_code ipr_bayes_posterior(const struct ipr_bayes_events *e, struct ipr_bayes_posterior *out,
                                  struct ipr_err *err)
{
    const double c_max = e->params.c_max;
    const size_t steps = (size_t)ceil(c_max / FIRST_STEP - 1e-9);
    struct grid g = { .lo = 0.0, .n = steps < 2 ? 2 : steps };
    struct ipr_bayes_posterior r = {
        .events = e->n, .games = e->games, .counts = e->counts, .short_lists = e->short_lists
    };
    bool converged;

    g.step = c_max / (double)g.n;
    g.log_l = ipr_xcalloc(g.n + 1, sizeof *g.log_l);
    converged = grid_refine(e, &g, &r);
    if (converged) {
        add_mode(e, &g, &r);
        const double most = ipr_bayes_log_likelihood(e, r.mode);
        r.at_bound = ipr_bayes_log_likelihood(e, c_max) > most + log(1e-3);
        r.at_zero = ipr_bayes_log_likelihood(e, 0.0) > most + log(1e-3);
        r.step = g.step;
        r.evaluations = g.evaluations + 3;
        *out = r;
    }
    free(g.log_l);
    if (g.series != NULL)
        gsl_cheb_free(g.series);
    if (!converged)
        return ipr_err_set(err, IPR_ENOCONV, "the grid of c does not become fine enough");
    return IPR_OK;
}

enum ipr_code ipr_bayes_rate(const struct ipr_bayes_params *params, const struct ipr_turn *turns,
                             size_t n, struct ipr_bayes_posterior *out, struct ipr_err *err)
{
    struct ipr_bayes_events *e = NULL;
    enum ipr_code rc = ipr_bayes_events_new(params, turns, n, &e, err);

    if (rc == IPR_OK)
        rc = ipr_bayes_posterior(e, out, err);
    ipr_bayes_events_free(&e);
    return rc;
}
