#include "model/royale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/lanes.h"
#include "model/markov_side.h"
#include "model/royale_field.h"
#include "stats/sum.h"

struct ipr_royale_params ipr_royale_default(void)
{
    return (struct ipr_royale_params){ .classes = ipr_markov_classes_19(),
                                       .empty_row = IPR_EMPTY_ROW_POOL,
                                       .active_turns = 500.0 };
}

static int by_player_year(const void *a, const void *b)
{
    const struct ipr_royale_year *x = a;
    const struct ipr_royale_year *y = b;

    if (x->player != y->player)
        return x->player < y->player ? -1 : 1;
    return (x->year > y->year) - (x->year < y->year);
}

/* The years sorted; NULL with an error when they can't be used. */
static struct ipr_royale_year *years_sorted(const struct ipr_royale_year *years, size_t n,
                                            size_t cells, struct ipr_err *err)
{
    struct ipr_royale_year *s = ipr_xcalloc(n + 1, sizeof *s);
    bool good = true;

    if (n > 0)
        memcpy(s, years, n * sizeof *s);
    qsort(s, n, sizeof *s, by_player_year);
    for (size_t i = 0; i < n && good; i++) {
        good = i == 0 || by_player_year(&s[i - 1], &s[i]) != 0;
        for (size_t k = 0; k < cells && good; k++)
            good = s[i].counts[k] >= 0.0 && isfinite(s[i].counts[k]);
        if (!good)
            ipr_err_set(err, IPR_EINVAL, "royale: year %d of player %lld", s[i].year,
                        (long long)s[i].player);
    }
    if (good)
        return s;
    free(s);
    return NULL;
}

static double total_of(const double *x, size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

bool ipr_royale_triangular(const double *m, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (m[i * n + j] > 0.0)
                return false;
    return true;
}

/* Adds one year's counts to those of the player's earlier years, which lose weight. */
static void fade_in(double *counts, const struct ipr_royale_year *year,
                    const struct ipr_royale_year *earlier, size_t cells)
{
    const double fade = earlier != NULL && earlier->player == year->player
                            ? ldexp(1.0, earlier->year - year->year)
                            : 0.0;

    for (size_t k = 0; k < cells; k++)
        counts[k] = counts[k] * fade + year->counts[k];
}

/* Rows and matrices of the active years. */
static void royale_enter(const struct ipr_royale_year *years, size_t n, const double *pool,
                         const struct ipr_royale_params *params, struct ipr_royale_field *field,
                         struct ipr_royale *r)
{
    const size_t c = field->classes;
    double counts[IPR_MARKOV_CELLS] = { 0 };

    for (size_t i = 0; i < n; i++) {
        const double turns = total_of(years[i].counts, c * c);
        double *matrix = &field->matrix[r->n * c * c];

        fade_in(counts, &years[i], i > 0 ? &years[i - 1] : NULL, c * c);
        if (!(turns >= params->active_turns) || !(turns > 0.0)) {
            r->inactive++;
            continue;
        }
        r->rows[r->n++] = (struct ipr_royale_row){
            .player = years[i].player,
            .year = years[i].year,
            .turns = turns,
            .weight = total_of(counts, c * c),
            .exits_top = total_of(&counts[(c - 1) * c], c - 1),
            .empty_rows = ipr_markov_fill(counts, pool, c, matrix),
        };
        field->triangular = field->triangular && ipr_royale_triangular(matrix, c);
    }
}

/* Row i against the block of rows from j on; what lies beyond the last row is row i again. */
static enum ipr_code play_block(const struct ipr_royale_field *field, size_t i, size_t j,
                                const double *f, double *s, double *table, struct ipr_err *err)
{
    const size_t n = field->rows;
    const size_t cells = field->classes * field->classes;
    const double *const own[2] = { f, f };
    const double *const other[2] = { s, s };
    double white[IPR_BLOCK];
    double black[IPR_BLOCK];
    enum ipr_code rc;

    for (size_t lane = 0; lane < IPR_BLOCK; lane++) {
        const double *m = &field->matrix[(j + lane < n ? j + lane : i) * cells];
        for (size_t k = 0; k < cells; k++)
            s[k * IPR_BLOCK + lane] = m[k];
    }
    rc = ipr_markov_block(own, other, field->classes, field->zero, field->triangular, white, black,
                          err);
    for (size_t lane = 0; rc == IPR_OK && lane < IPR_BLOCK && j + lane < n; lane++) {
        table[i * n + j + lane] = white[lane];
        table[(j + lane) * n + i] = 1.0 - black[lane];
    }
    return rc;
}

enum ipr_code ipr_royale_play(const struct ipr_royale_field *field, double *white,
                              struct ipr_err *err)
{
    const size_t n = field->rows;
    const size_t cells = field->classes * field->classes;
    double *f = ipr_xcalloc(2 * cells, IPR_BLOCK * sizeof *f);
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; i < n && rc == IPR_OK; i++) {
        for (size_t k = 0; k < cells * IPR_BLOCK; k++)
            f[k] = field->matrix[i * cells + k / IPR_BLOCK];
        for (size_t j = i + 1; j < n && rc == IPR_OK; j += IPR_BLOCK)
            rc = play_block(field, i, j, f, f + cells * IPR_BLOCK, white, err);
        white[i * n + i] = 0.5;
    }
    free(f);
    return rc;
}

double ipr_royale_mean(const double *white, size_t n, size_t i, size_t j)
{
    return 0.5 * (white[i * n + j] + (1.0 - white[j * n + i]));
}

double ipr_royale_expected(const struct ipr_royale *r, size_t i, size_t j)
{
    return ipr_royale_mean(r->white, r->n, i, j);
}

static void royale_tally(struct ipr_royale *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct ipr_royale_row *row = &r->rows[i];
        struct ipr_sum sum = { 0 };
        for (size_t j = 0; j < r->n; j++) {
            const double e = ipr_royale_expected(r, i, j);
            if (j == i)
                continue;
            ipr_sum_add(&sum, e);
            /* Equal players are equal up to rounding. */
            row->favoured += e > 0.5 + 1e-12;
            row->unfavoured += e < 0.5 - 1e-12;
        }
        row->even = r->n - 1 - row->favoured - row->unfavoured;
        row->expected = ipr_sum_value(&sum) / (double)(r->n - 1);
    }
}

struct placed {
    double expected;
    size_t row;
};

static int by_expected(const void *a, const void *b)
{
    const struct placed *x = a;
    const struct placed *y = b;

    if (x->expected > y->expected || x->expected < y->expected)
        return x->expected > y->expected ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* The better year: favoured against more, then the higher mean; the first of equal ones is kept. */
static bool row_better(const struct ipr_royale_row *a, const struct ipr_royale_row *b)
{
    return a->favoured > b->favoured || (a->favoured == b->favoured && a->expected > b->expected);
}

static void royale_rank(struct ipr_royale *r)
{
    struct placed *p = ipr_xcalloc(r->n, sizeof *p);
    size_t best = 0;

    for (size_t i = 0; i < r->n; i++) {
        p[i] = (struct placed){ r->rows[i].expected, i };
        if (r->rows[i].player != r->rows[best].player)
            best = i;
        if (i == best || row_better(&r->rows[i], &r->rows[best])) {
            r->rows[best].best = false;
            r->rows[i].best = true;
            best = i;
        }
    }
    qsort(p, r->n, sizeof *p, by_expected);
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
    free(r->white);
    free(r->ranking);
    free(r->best);
    memset(r, 0, sizeof *r);
}

enum ipr_code ipr_royale(const struct ipr_royale_year *years, size_t n, const double *pool,
                         const struct ipr_royale_params *params, struct ipr_royale *out,
                         struct ipr_err *err)
{
    const size_t c = params->classes.n;
    struct ipr_royale_field field = { .classes = c, .triangular = true };
    struct ipr_royale r = { .n = 0 };
    struct ipr_royale_year *s;
    enum ipr_code rc = ipr_markov_classes_check(&params->classes, err);

    if (rc != IPR_OK)
        return rc;
    s = years_sorted(years, n, c * c, err);
    if (s == NULL)
        return IPR_EINVAL;
    field.zero = ipr_markov_class(&params->classes, 0);
    field.matrix = ipr_xcalloc((n + 1) * c * c, sizeof *field.matrix);
    r.rows = ipr_xcalloc(n + 1, sizeof *r.rows);
    royale_enter(s, n, params->empty_row == IPR_EMPTY_ROW_POOL ? pool : NULL, params, &field, &r);
    if (r.n < 2)
        rc = ipr_err_set(err, IPR_EDATA,
                         "a royale needs two player-years of %.0f turns or more, there are %zu",
                         params->active_turns, r.n);
    if (rc == IPR_OK) {
        field.rows = r.n;
        r.white = ipr_xcalloc(r.n * r.n, sizeof *r.white);
        rc = ipr_royale_play(&field, r.white, err);
    }
    if (rc == IPR_OK) {
        royale_tally(&r);
        royale_rank(&r);
        *out = r;
    } else {
        ipr_royale_release(&r);
    }
    free(field.matrix);
    free(s);
    return rc;
}
