#ifndef IPR_MODEL_LANES_KERNEL_H
#define IPR_MODEL_LANES_KERNEL_H

/* Bodies of struct ipr_lanes, compiled for each width by lanes_2.c, lanes_4.c and lanes_8.c. */

#include <math.h>

#include "model/gth.h"
#include "model/lanes.h"
#include "stats/lanes.h"

#define BEYOND_REACH 680.0 /* ln(1/y) from which L would be below 1e-300 */

/* Runs over the groups of IPR_LANES that make a block. */
#define EACH_GROUP(at) for (size_t at = 0; at < IPR_BLOCK; at += IPR_LANES)

static void lanes_curve(const double *log_delta, size_t n, double log_s, double c, bool gradient,
                        const struct ipr_curves *out)
{
    for (size_t i = 0; i < n * IPR_BLOCK; i += IPR_LANES) {
        /* z is clipped at e^300, so that exp does not overflow. */
        const ipr_v log_z = v_min(c * (v_load(&log_delta[i]) - log_s), v_all(300.0));
        const ipr_v z = v_exp(log_z);

        v_store(&out->g[i], z);
        if (gradient) {
            v_store(&out->ds[i], -c * z);
            v_store(&out->dc[i], z * log_z);
        }
    }
}

/* A group of lists being solved; see solve(). */
struct group {
    const float *count;
    size_t n;
    double *p, *w; /* w holds 1/y until the end */
};

/* sums over all moves but the first of p, p u and p u^2, where u = L/y and p = e^-u. */
struct pass {
    ipr_v others, first, second;
};

static inline struct pass pass_at(const struct group *k, ipr_v l)
{
    const ipr_v p0 = v_exp(-l);
    const ipr_v tied = (v_widen(k->count) - 1.0) * p0;
    struct pass s = { tied, tied * l, tied * l * l };

    v_store(k->p, p0);
    for (size_t i = 1; i < k->n; i++) {
        const ipr_v u = v_min(l * v_load(&k->w[i * IPR_BLOCK]), v_all(750.0));
        const ipr_v p = v_exp(-u);
        const ipr_v cp = v_widen(&k->count[i * IPR_BLOCK]) * p;
        v_store(&k->p[i * IPR_BLOCK], p);
        s.others += cp;
        s.first += cp * u;
        s.second += cp * u * u;
    }
    return s;
}

/*
 * Step of Halley's method on h(x) = ln(others) - ln(1 - p_0), x = ln L, and the sign of h. Far
 * from the root 2 q (1 + q^2/3 + q^4/5), q = (others - rest)/(others + rest), is less than the
 * logarithm: the step is shorter, never in the wrong direction.
 */
static inline ipr_v step_at(const struct pass *s, ipr_v l, ipr_v p0, ipr_vi *above)
{
    const ipr_v rest = v_one_less_exp(l);
    const ipr_v q = (s->others - rest) / (s->others + rest);
    const ipr_v qq = q * q;
    const ipr_v h = 2.0 * q * (1.0 + qq * (1.0 / 3.0 + qq * 0.2));
    const ipr_v a = s->first / s->others;
    const ipr_v b = l * p0 / rest;
    const ipr_v slope = -a - b;
    const ipr_v bend = (s->second - s->first) / s->others - a * a - b * (1.0 - l) + b * b;
    const ipr_v newton = -h / slope;
    const ipr_v bent = 0.5 * newton * bend / slope; /* Halley divides Newton's step by 1 + this */

    *above = h > 0.0;
    return newton / (1.0 + v_if(v_abs(bent) < 0.5, bent, (ipr_v){ 0 }));
}

/* p and u at x + dx from those at x, to second order; |dx| <= 1e-5. */
static inline void group_finish(const struct group *k, ipr_v l, ipr_v dx, ipr_vi within)
{
    const ipr_v e = dx + 0.5 * dx * dx;

    for (size_t i = 0; i < k->n; i++) {
        const ipr_v u = i == 0 ? l : v_min(l * v_load(&k->w[i * IPR_BLOCK]), v_all(750.0));
        const ipr_v ue = u * e;
        const ipr_v p = v_load(&k->p[i * IPR_BLOCK]) * (1.0 - ue + 0.5 * ue * ue);
        const ipr_v kept = v_if(within, p, v_all(i == 0 ? 1.0 : 0.0));
        v_store(&k->p[i * IPR_BLOCK], kept);
        v_store(&k->w[i * IPR_BLOCK], v_if(within, p * (u + ue), (ipr_v){ 0 }));
    }
}

/* 1/y into w; ln(1/y) of the move that is nearest to the first. */
static inline ipr_v open_group(const struct group *k, const double *g)
{
    ipr_v least = v_if(v_widen(k->count) > 1.0, (ipr_v){ 0 }, v_all(INFINITY));

    for (size_t i = 1; i < k->n; i++) {
        const ipr_v gi = v_load(&g[i * IPR_BLOCK]);
        v_store(&k->w[i * IPR_BLOCK], v_exp(v_min(gi, v_all(700.0))));
        least = v_if(v_widen(&k->count[i * IPR_BLOCK]) > 0.0, v_min(least, gi), least);
    }
    return least;
}

/* An upper bound of ln(1 + t), t >= 0: the lowest of some of its tangents. */
static inline ipr_v above_log(ipr_v t)
{
    const ipr_v low = v_min(t, 0.1931471806 + t / 2.0);
    const ipr_v high = v_min(1.2044415417 + t / 8.0, 3.1745080834 + t / 64.0);

    return v_min(low, v_min(high, 5.2402777 + t / 512.0));
}

/* Each lane stops after its own last step, so that it does not depend on its neighbours. */
static inline void solve_group(const struct group *k, const double *g, const double *log_log_moves,
                               double *log_l)
{
    const ipr_v least = open_group(k, g);
    const ipr_vi within = least < BEYOND_REACH;
    const ipr_v near = v_if(within, least, (ipr_v){ 0 });
    const ipr_v most = v_load(log_log_moves); /* ln ln of the number of moves */
    const ipr_v t = near + v_exp(most);
    const ipr_v start = v_load(log_l);
    /* At lo the nearest move alone is more likely than 1 - p_0; at hi all of them are less. */
    ipr_v lo = -near - 0.7;
    ipr_v hi = v_min(most + 1e-9, above_log(t) - near);
    ipr_v x = v_if((start > lo) & (start < hi), start, 0.5 * (lo + hi));
    ipr_v last = { 0 };
    ipr_vi done = ~within;
    ipr_v l = v_exp(x);

    for (int i = 0; i < 200; i++) {
        const struct pass s = pass_at(k, l);
        ipr_vi above;
        const ipr_v dx = step_at(&s, l, v_load(k->p), &above);
        const ipr_vi settled = ~done & (v_abs(dx) <= 1e-5);
        ipr_v next = x + dx;

        last = v_if(settled, dx, last);
        done |= settled;
        if (!v_any(~done))
            break;
        lo = v_if(above, x, lo);
        hi = v_if(above, hi, x);
        next = v_if((next > lo) & (next < hi), next, 0.5 * (lo + hi));
        x = v_if(done, x, next);
        l = v_exp(x);
    }
    group_finish(k, l, last, within);
    v_store(log_l, v_if(within, x + last, v_all(-INFINITY)));
}

static void lanes_solve(const double *g, const float *count, const double *log_log_moves, size_t n,
                        double *log_l, double *p, double *w)
{
    EACH_GROUP(at)
    {
        const struct group k = { &count[at], n, &p[at], &w[at] };

        solve_group(&k, &g[at], &log_log_moves[at], &log_l[at]);
    }
}

static void lanes_normalise(const double *g, const float *count, size_t n, double *log_l, double *p,
                            double *w)
{
    EACH_GROUP(at)
    {
        ipr_v total = { 0 };

        for (size_t i = 0; i < n; i++) {
            const ipr_v y = v_exp(-v_load(&g[i * IPR_BLOCK + at]));
            v_store(&p[i * IPR_BLOCK + at], y);
            total += v_widen(&count[i * IPR_BLOCK + at]) * y;
        }
        for (size_t i = 0; i < n; i++) {
            const ipr_v y = v_load(&p[i * IPR_BLOCK + at]) / total;
            v_store(&p[i * IPR_BLOCK + at], y);
            v_store(&w[i * IPR_BLOCK + at], y);
        }
        for (size_t lane = at; lane < at + IPR_LANES; lane++)
            log_l[lane] = -log(p[lane]);
    }
}

/* Sums over one group's lists of x_i: as listed, before the move played, times delta. */
struct totals {
    ipr_v below, loss;
};

static inline struct totals totals_of(const struct ipr_rh_block *b, size_t at, const double *x,
                                      int want)
{
    struct totals s = { { 0 }, { 0 } };

    for (size_t i = 0, j = at; i < b->n; i++, j += IPR_BLOCK) {
        const ipr_v v = v_load(&x[j]);
        s.below += v_widen(&b->before[j]) * v;
        if (want & IPR_RH_WANT_LOSS)
            s.loss += v_widen(&b->count[j]) * v * v_load(&b->delta[j]);
    }
    return s;
}

/* dp_i = -w_i (dG_i - mean dG), the mean weighted with count and w; into d (lanes). */
static inline ipr_v block_derive(const struct ipr_rh_block *b, size_t at, const double *dg,
                                 const double *w, double *d)
{
    ipr_v total = { 0 };
    ipr_v sum = { 0 };
    ipr_v mean;

    for (size_t i = 0, j = at; i < b->n; i++, j += IPR_BLOCK) {
        const ipr_v cw = v_widen(&b->count[j]) * v_load(&w[j]);
        total += cw;
        sum += cw * v_load(&dg[j]);
    }
    mean = v_if(total > 0.0, sum / v_if(total > 0.0, total, v_all(1.0)), (ipr_v){ 0 });
    for (size_t i = 0, j = at; i < b->n; i++, j += IPR_BLOCK)
        v_store(&d[j], v_load(&w[j]) * (mean - v_load(&dg[j])));
    return -mean;
}

static void lanes_sums(const struct ipr_rh_block *block, const struct ipr_curves *curves,
                       const double *p, const double *w, int want, struct ipr_rh_lanes *out)
{
    double *const dg[2] = { curves->ds, curves->dc };

    EACH_GROUP(at)
    {
        const struct totals s = totals_of(block, at, p, want);
        v_store(&out->p0[at], v_load(&p[at]));
        v_store(&out->below[at], s.below);
        v_store(&out->loss[at], s.loss);
        for (int k = 0; k < 2 && (want & IPR_RH_WANT_GRADIENT); k++) {
            struct totals d;
            v_store(&out->dlog_l[k][at], block_derive(block, at, dg[k], w, dg[k]));
            d = totals_of(block, at, dg[k], want);
            v_store(&out->dp0[k][at], v_load(&dg[k][at]));
            v_store(&out->dbelow[k][at], d.below);
            v_store(&out->dloss[k][at], d.loss);
        }
    }
    for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
        const size_t own = block->played[lane] * (size_t)IPR_BLOCK + lane;
        out->own[lane] = p[own];
        for (int k = 0; k < 2 && (want & IPR_RH_WANT_GRADIENT); k++)
            out->down[k][lane] = dg[k][own];
    }
}

/* Up: all of the turn when p_+ <= q, none when p_- >= q, else the part of it below q. */
static void lanes_quantiles(const struct ipr_rh_lanes *at, const double *weight, size_t quantiles,
                            double *r, double *jac)
{
    EACH_GROUP(g)
    {
        const ipr_v own = v_load(&at->own[g]);
        const ipr_v below = v_load(&at->below[g]);
        const ipr_v upto = below + own;
        const ipr_v wt = v_load(&weight[g]);
        const ipr_v inverse = 1.0 / v_max(own, v_all(1e-300));

        for (size_t i = 0; i < quantiles; i++) {
            const double q = 0.05 * (double)(i + 1);
            const ipr_vi straddles = (below < q) & (upto > q);
            const ipr_v part = v_if(straddles, (q - below) * inverse, (ipr_v){ 0 });
            const ipr_v up = v_if(upto <= q, v_all(1.0), part);
            double *sum = &r[IPR_BLOCK * i + g];

            v_store(sum, v_load(sum) + wt * up);
            for (size_t k = 0; k < 2 && jac != NULL; k++) {
                const ipr_v d = v_load(&at->dbelow[k][g]) + part * v_load(&at->down[k][g]);
                double *to = &jac[IPR_BLOCK * (2 * i + k) + g];
                v_store(to, v_load(to) - v_if(straddles, wt * d * inverse, (ipr_v){ 0 }));
            }
        }
    }
}

static void lanes_tally(const uint16_t *cell, const double *weight, size_t n, const double *times,
                        double *counts)
{
    EACH_GROUP(at)
    {
        const ipr_v t = v_load(&times[at]);

        for (size_t i = 0; i < n; i++) {
            double *to = &counts[(size_t)cell[i] * IPR_BLOCK + at];
            v_store(to, v_load(to) + weight[i] * t);
        }
    }
}

static inline unsigned bits_of(ipr_vi mask, size_t at)
{
    unsigned bits = 0;

    for (size_t i = 0; i < IPR_LANES; i++)
        bits |= mask[i] != 0 ? 1U << (at + i) : 0U;
    return bits;
}

static unsigned lanes_rows(double *counts, size_t n)
{
    unsigned empty = 0;

    EACH_GROUP(at)
    for (size_t i = 0; i < n; i++) {
        double *row = &counts[i * n * IPR_BLOCK + at];
        ipr_v total = { 0 };
        ipr_vi none;
        for (size_t j = 0; j < n; j++)
            total += v_load(&row[j * IPR_BLOCK]);
        none = ~(total > 0.0);
        if (v_any(none))
            empty |= bits_of(none, at);
        total = v_if(none, v_all(1.0), total);
        for (size_t j = 0; j < n; j++)
            v_store(&row[j * IPR_BLOCK], v_load(&row[j * IPR_BLOCK]) / total);
    }
    return empty;
}

/* M = F mirror(S), both products of triangles, for one group into m[n * n]. */
static inline void lanes_multiply(const double *f, const double *s, size_t n, ipr_v *m)
{
    for (size_t i = 0; i < n; i++) {
        ipr_v *row = &m[i * n];

        for (size_t j = 0; j < n; j++)
            row[j] = (ipr_v){ 0 };
        for (size_t k = 0; k <= i; k++) {
            const ipr_v x = v_load(&f[(i * n + k) * IPR_BLOCK]);
            const double *back = &s[(n * n - 1 - k * n) * IPR_BLOCK]; /* mirror(k, 0) */
            for (size_t j = k; j < n; j++)
                row[j] += x * v_load(back - j * IPR_BLOCK);
        }
    }
}

/* Grassmann, Taksar and Heyman's elimination; a mask of lanes where a state leads to none below. */
static inline ipr_vi lanes_eliminate(ipr_v *m, size_t n, ipr_v *pi)
{
    ipr_vi stuck = { 0 };
    ipr_v total = v_all(1.0);

    for (size_t k = n; k-- > 1;) {
        const ipr_v *from = &m[k * n];
        ipr_v out = { 0 };
        for (size_t j = 0; j < k; j++)
            out += from[j];
        stuck |= ~(out > 0.0);
        out = 1.0 / v_if(out > 0.0, out, v_all(1.0));
        for (size_t i = 0; i < k; i++) {
            const ipr_v x = m[i * n + k] * out;
            for (size_t j = 0; j < k; j++)
                m[i * n + j] += x * from[j];
            m[i * n + k] = x;
        }
    }
    pi[0] = v_all(1.0);
    for (size_t k = 1; k < n; k++) {
        ipr_v x = { 0 };
        for (size_t i = 0; i < k; i++)
            x += pi[i] * m[i * n + k];
        pi[k] = x;
        total += x;
    }
    total = 1.0 / total;
    for (size_t k = 0; k < n; k++)
        pi[k] *= total;
    return stuck;
}

static unsigned lanes_chain(const double *f, const double *s, size_t n, double *ends)
{
    unsigned stuck = 0;

    EACH_GROUP(at)
    {
        ipr_v m[IPR_CHAIN_MAX * IPR_CHAIN_MAX];
        ipr_v pi[IPR_CHAIN_MAX];
        ipr_v lost = { 0 };
        ipr_vi none;

        lanes_multiply(&f[at], &s[at], n, m);
        none = lanes_eliminate(m, n, pi);
        if (v_any(none))
            stuck |= bits_of(none, at);
        for (size_t i = 0; i < n; i++)
            lost += pi[i] * v_load(&f[i * n * IPR_BLOCK + at]);
        v_store(&ends[at], pi[0]);
        v_store(&ends[IPR_BLOCK + at], pi[n - 1]);
        v_store(&ends[2 * IPR_BLOCK + at], lost);
        v_store(&ends[3 * IPR_BLOCK + at],
                pi[n - 1] * v_load(&f[(n * n - 1) * IPR_BLOCK + at])); /* F is triangular */
    }
    return stuck;
}

#define IPR_LANES_TABLE(label)                                                                     \
    {                                                                                              \
        .name = label, .curve = lanes_curve, .solve = lanes_solve, .normalise = lanes_normalise,   \
        .sums = lanes_sums, .quantiles = lanes_quantiles, .tally = lanes_tally,                    \
        .rows = lanes_rows, .chain = lanes_chain                                                   \
    }

#endif
