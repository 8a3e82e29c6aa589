/* Two players' matrices to results: one match by the general method, or a block by the fast one. */
#include <math.h>
#include <string.h>

#include "model/lanes.h"
#include "model/markov_side.h"

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
