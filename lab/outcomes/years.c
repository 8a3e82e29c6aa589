/* Means over games, with standard errors clustered by year. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "lab/outcomes/outcomes.h"

struct year_sums year_sums_new(const struct result_rows *rows)
{
    double *sum = ipr_xcalloc(2 * rows->years, sizeof *sum);

    return (struct year_sums){ .sum = sum, .n = sum + rows->years, .years = rows->years };
}

void year_sums_free(struct year_sums *s)
{
    free(s->sum);
    s->sum = NULL;
}

void year_sums_add(struct year_sums *s, size_t k, double value)
{
    s->sum[k] += value;
    s->n[k]++;
}

static double year_sums_count(const struct year_sums *s)
{
    double n = 0;

    for (size_t k = 0; k < s->years; k++)
        n += s->n[k];
    return n;
}

double year_sums_mean(const struct year_sums *s)
{
    double sum = 0;

    for (size_t k = 0; k < s->years; k++)
        sum += s->sum[k];
    return sum / year_sums_count(s);
}

double year_sums_difference(const struct year_sums *a, const struct year_sums *b, double *se)
{
    const double mean = year_sums_mean(a) - year_sums_mean(b);
    double square = 0, clusters = 0;

    for (size_t k = 0; k < a->years; k++) {
        square += pow(a->sum[k] - b->sum[k] - mean * a->n[k], 2);
        clusters += a->n[k] > 0;
    }
    *se = sqrt(square * clusters / (clusters - 1)) / year_sums_count(a);
    return mean;
}

size_t result_year(const struct result_rows *rows, int32_t year)
{
    const int32_t *at =
        bsearch(&year, rows->year, rows->years, sizeof *rows->year, ipr_compare_int32);

    return (size_t)(at - rows->year);
}
