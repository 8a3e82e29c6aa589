/* The royale by chains of evaluations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/markov_side.h"
#include "model/royale_field.h"

struct markov {
    const struct ipr_royale_field *field;
    const struct ipr_lanes *lanes;
    const double *pool;
    size_t classes, cells;
    size_t zero;     /* class of 0 */
    bool triangular; /* no matrix has an entry above the diagonal */
    double *mean;    /* lanes, cells: mean of the rows' matrices of their years alone */
    double *matrix;  /* lanes, cells */
    double *ones;
    uint16_t *cell; /* of the turns of the row */
};

static bool matrix_triangular(const double *m, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (m[i * n + j] > 0.0)
                return false;
    return true;
}

static double counts_total(const double *x, size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* ---- every row against every other, as ipr_markov_predict has it ---- */

static void markov_lay(const double *matrix, size_t cells, size_t lane, double *to)
{
    for (size_t k = 0; k < cells; k++)
        to[k * IPR_BLOCK + lane] = matrix[k];
}

/* Row i against the rows from j on; what lies beyond the last row is row i again. */
static enum ipr_code markov_play_block(const struct markov *m, const double *matrices, size_t i,
                                       size_t j, const double *f, double *s, struct ipr_err *err)
{
    const size_t n = m->field->n;
    double white[IPR_BLOCK], black[IPR_BLOCK];
    enum ipr_code rc;

    for (size_t lane = 0; lane < IPR_BLOCK; lane++)
        markov_lay(&matrices[(j + lane < n ? j + lane : i) * m->cells], m->cells, lane, s);
    rc = ipr_markov_block((const double *[]){ f, f }, (const double *[]){ s, s }, m->classes,
                          m->zero, m->triangular, white, black, err);
    for (size_t lane = 0; rc == IPR_OK && lane < IPR_BLOCK && j + lane < n; lane++) {
        m->field->pair[i * n + j + lane] = 0.5 * (white[lane] + black[lane]);
        m->field->pair[(j + lane) * n + i] = 1.0 - 0.5 * (white[lane] + black[lane]);
    }
    return rc;
}

static enum ipr_code markov_play(const struct markov *m, const double *matrices,
                                 struct ipr_err *err)
{
    const size_t n = m->field->n;
    double *f = ipr_xcalloc(2 * m->cells, IPR_BLOCK * sizeof *f);
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; i < n && rc == IPR_OK; i++) {
        for (size_t lane = 0; lane < IPR_BLOCK; lane++)
            markov_lay(&matrices[i * m->cells], m->cells, lane, f);
        for (size_t j = i + 1; j < n && rc == IPR_OK; j += IPR_BLOCK)
            rc = markov_play_block(m, matrices, i, j, f, f + m->cells * IPR_BLOCK, err);
    }
    free(f);
    return rc;
}

/* The matrix of a row with earlier years; that of its year alone becomes part of the mean. */
static void markov_fill_row(struct markov *m, size_t i, double *with)
{
    const struct ipr_royale_entry *e = &m->field->entries[i];
    const struct ipr_royale_own *own = &m->field->own[i];
    const struct ipr_markov_classes *classes = &m->field->params->classes;
    struct ipr_royale_row *row = &m->field->rows[i];
    double counts[IPR_MARKOV_CELLS] = { 0 }, alone[IPR_MARKOV_CELLS];

    ipr_markov_count(classes, e->turns, e->n, e->year, counts);
    row->weight = counts_total(counts, m->cells);
    row->exits_top = counts_total(&counts[(m->classes - 1) * m->classes], m->classes - 1);
    row->empty_rows = ipr_markov_fill(counts, m->pool, m->classes, with);
    memset(counts, 0, sizeof counts);
    ipr_markov_count(classes, own->turns, own->n, 0, counts);
    row->never_left = !(counts_total(&counts[(m->classes - 1) * m->classes], m->classes - 1) > 0.0);
    ipr_markov_fill(counts, m->pool, m->classes, alone);
    for (size_t k = 0; k < m->cells; k++)
        for (size_t lane = 0; lane < IPR_BLOCK; lane++)
            m->mean[k * IPR_BLOCK + lane] += alone[k] / (double)m->field->n;
    m->triangular = m->triangular && matrix_triangular(with, m->classes) &&
                    matrix_triangular(alone, m->classes);
}

static void markov_close(void *state)
{
    struct markov *m = state;

    free(m->mean);
    free(m->matrix);
    free(m->ones);
    free(m->cell);
    free(m);
}

static enum ipr_code markov_open(const struct ipr_royale_field *field, void **state,
                                 struct ipr_err *err)
{
    const struct ipr_markov_classes *classes = &field->params->classes;
    enum ipr_code rc = ipr_markov_classes_check(classes, err);

    if (rc != IPR_OK)
        return rc;
    struct markov *m = ipr_xcalloc(1, sizeof *m);
    const size_t n = classes->n;
    size_t most = 1; /* turns of a row */
    for (size_t i = 0; i < field->n; i++)
        most = field->own[i].n > most ? field->own[i].n : most;
    *m = (struct markov){ .field = field,
                          .lanes = ipr_lanes_best(),
                          .pool = field->params->pool,
                          .classes = n,
                          .cells = n * n,
                          .zero = ipr_markov_class(classes, 0) };
    m->triangular = m->pool == NULL || matrix_triangular(m->pool, n);
    m->mean = ipr_xcalloc(n * n, IPR_BLOCK * sizeof *m->mean);
    m->matrix = ipr_xcalloc(n * n, IPR_BLOCK * sizeof *m->matrix);
    m->ones = ipr_xcalloc(most, sizeof *m->ones);
    m->cell = ipr_xcalloc(most, sizeof *m->cell);
    for (size_t k = 0; k < most; k++)
        m->ones[k] = 1.0;
    double *with = ipr_xcalloc(field->n * n * n, sizeof *with);
    for (size_t i = 0; i < field->n; i++)
        markov_fill_row(m, i, &with[i * n * n]);
    rc = markov_play(m, with, err);
    free(with);
    *state = m;
    return rc;
}

/* ---- one row's replicates against the mean of the field ---- */

static void markov_enter(void *state, size_t i)
{
    struct markov *m = state;
    const struct ipr_markov_classes *classes = &m->field->params->classes;
    const struct ipr_royale_own *own = &m->field->own[i];

    for (size_t k = 0; k < own->n; k++)
        m->cell[k] = (uint16_t)(ipr_markov_class(classes, own->turns[k].best_cp) * m->classes +
                                ipr_markov_class(classes, own->turns[k].played_cp));
}

static enum ipr_code markov_score(void *state, size_t i, const double *times, double e[IPR_BLOCK],
                                  struct ipr_err *err)
{
    struct markov *m = state;
    const struct ipr_royale_own *own = &m->field->own[i];
    double white[IPR_BLOCK], black[IPR_BLOCK];

    memset(m->matrix, 0, m->cells * IPR_BLOCK * sizeof *m->matrix);
    for (size_t g = 0; g < own->games; g++)
        m->lanes->tally(&m->cell[own->start[g]], m->ones, own->start[g + 1] - own->start[g],
                        &times[g * IPR_BLOCK], m->matrix);
    ipr_markov_fill_block(m->matrix, m->pool, m->classes);
    const enum ipr_code rc = ipr_markov_block((const double *[]){ m->matrix, m->matrix },
                                              (const double *[]){ m->mean, m->mean }, m->classes,
                                              m->zero, m->triangular, white, black, err);
    for (size_t lane = 0; rc == IPR_OK && lane < IPR_BLOCK; lane++)
        e[lane] = 0.5 * (white[lane] + black[lane]);
    return rc;
}

const struct ipr_royale_predictor ipr_royale_markov = { markov_open, markov_enter, markov_score,
                                                        markov_close };
