#include "lab/methods/rank.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

#include "base/mem.h"

enum ipr_code ipr_stats_rank_correlation(const double *x, const double *y, size_t n,
                                         struct ipr_rank_correlation *out, struct ipr_err *err)
{
    double same = 0.0, of_x = 0.0, of_y = 0.0;

    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            const int in_x = (x[i] > x[j]) - (x[i] < x[j]);
            const int in_y = (y[i] > y[j]) - (y[i] < y[j]);

            same += in_x * in_y;
            of_x += in_x != 0;
            of_y += in_y != 0;
        }
    if (n < 3 || of_x == 0.0 || of_y == 0.0)
        return ipr_err_set(err, IPR_EDATA, "fewer than three values, or all are equal");
    double *work = ipr_xcalloc(2 * n, sizeof *work);
    out->spearman = gsl_stats_spearman(x, 1, y, 1, n, work);
    out->kendall = same / sqrt(of_x * of_y);
    out->n = n;
    free(work);
    return IPR_OK;
}
