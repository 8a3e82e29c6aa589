#include "model/gth.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* States that each state can reach, itself included, as bit sets. */
static void gth_reach(const double *p, size_t n, uint32_t *r)
{
    for (size_t i = 0; i < n; i++) {
        r[i] = UINT32_C(1) << i;
        for (size_t j = 0; j < n; j++)
            if (p[i * n + j] > 0.0)
                r[i] |= UINT32_C(1) << j;
    }
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            if ((r[i] >> k) & 1U)
                r[i] |= r[k];
}

/*
 * Recurrent classes as bit sets: i is recurrent when all it can reach can reach it back. Returns
 * their number.
 */
static unsigned recurrent_classes(const double *p, size_t n, uint32_t *classes)
{
    uint32_t r[IPR_CHAIN_MAX];
    uint32_t seen = 0;
    unsigned count = 0;

    gth_reach(p, n, r);
    for (size_t i = 0; i < n; i++) {
        bool closed = true;
        if ((seen >> i) & 1U)
            continue;
        for (size_t j = 0; j < n && closed; j++)
            if ((r[i] >> j) & 1U)
                closed = (r[j] >> i) & 1U;
        if (closed) {
            classes[count++] = r[i];
            seen |= r[i];
        }
    }
    return count;
}

/* Eliminates state `k` from the working matrix: its incoming probability is passed on to its
 * successors. */
static void gth_censor(double *a, size_t n, const size_t *left, size_t m, size_t k)
{
    double out = 0.0;

    for (size_t j = 0; j < m; j++)
        out += a[k * n + left[j]];
    if (!(out > 0.0))
        return;
    for (size_t i = 0; i < m; i++) {
        double *row = &a[left[i] * n];
        const double f = row[k] / out;
        if (!(f > 0.0))
            continue;
        for (size_t j = 0; j < m; j++)
            row[left[j]] += f * a[k * n + left[j]];
        row[k] = f; /* kept for the back substitution */
    }
}

/* Stationary vector of one recurrent class, written to the class's entries of pi. */
static void gth_stationary(const double *p, size_t n, uint32_t class, double weight, double *pi)
{
    double a[IPR_CHAIN_MAX * IPR_CHAIN_MAX];
    size_t state[IPR_CHAIN_MAX] = { 0 };
    size_t m = 0;
    double total = 0.0;

    for (size_t i = 0; i < n; i++)
        if ((class >> i) & 1U)
            state[m++] = i;
    memcpy(a, p, n * n * sizeof *a);
    for (size_t k = m; k-- > 1;)
        gth_censor(a, n, state, k, state[k]);
    pi[state[0]] = 1.0;
    total = 1.0;
    for (size_t k = 1; k < m; k++) {
        double x = 0.0;
        for (size_t i = 0; i < k; i++)
            x += pi[state[i]] * a[state[i] * n + state[k]];
        pi[state[k]] = x;
        total += x;
    }
    for (size_t k = 0; k < m; k++)
        pi[state[k]] *= weight / total;
}

/* Probability that the chain from `start` (transient) ends in each of the classes. */
static void gth_absorption(const double *p, size_t n, size_t start, const uint32_t *classes,
                           unsigned count, double *probability)
{
    double a[IPR_CHAIN_MAX * IPR_CHAIN_MAX];
    size_t left[IPR_CHAIN_MAX];
    uint32_t recurrent = 0;
    double total = 0.0;

    for (unsigned c = 0; c < count; c++)
        recurrent |= classes[c];
    memcpy(a, p, n * n * sizeof *a);
    for (size_t k = 0; k < n; k++) {
        size_t m = 0;
        if (k == start || ((recurrent >> k) & 1U))
            continue;
        /* Only rows and columns that are still needed: those not eliminated, and recurrent ones. */
        for (size_t i = 0; i < n; i++)
            if (i > k || i == start || ((recurrent >> i) & 1U))
                left[m++] = i;
        gth_censor(a, n, left, m, k);
    }
    for (unsigned c = 0; c < count; c++) {
        probability[c] = 0.0;
        for (size_t j = 0; j < n; j++)
            if ((classes[c] >> j) & 1U)
                probability[c] += a[start * n + j];
        total += probability[c];
    }
    for (unsigned c = 0; c < count; c++)
        probability[c] /= total;
}

static bool gth_valid(const double *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++) {
            if (!(p[i * n + j] >= 0.0))
                return false;
            sum += p[i * n + j];
        }
        if (!(fabs(sum - 1.0) <= 1e-9))
            return false;
    }
    return true;
}

enum ipr_code ipr_chain_limit(const double *p, size_t n, size_t start, double *pi,
                              unsigned *recurrent, struct ipr_err *err)
{
    uint32_t classes[IPR_CHAIN_MAX];
    double probability[IPR_CHAIN_MAX] = { 1.0 };
    unsigned count;

    if (n == 0 || n > IPR_CHAIN_MAX || start >= n)
        return ipr_err_set(err, IPR_EINVAL, "chain of %zu states from %zu", n, start);
    if (!gth_valid(p, n))
        return ipr_err_set(err, IPR_EINVAL, "chain: rows must be probabilities");

    count = recurrent_classes(p, n, classes);
    if (count > 1) {
        bool inside = false;
        for (unsigned c = 0; c < count; c++) {
            probability[c] = (classes[c] >> start) & 1U ? 1.0 : 0.0;
            inside = inside || ((classes[c] >> start) & 1U);
        }
        if (!inside)
            gth_absorption(p, n, start, classes, count, probability);
    }
    for (size_t i = 0; i < n; i++)
        pi[i] = 0.0;
    for (unsigned c = 0; c < count; c++)
        if (probability[c] > 0.0)
            gth_stationary(p, n, classes[c], probability[c], pi);
    if (recurrent != NULL)
        *recurrent = count;
    return IPR_OK;
}
