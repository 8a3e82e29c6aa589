#ifndef IPR_MODEL_ROYALE_FIELD_H
#define IPR_MODEL_ROYALE_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Internal to the royale; for its files only. */

/** The input of a royale. */
struct ipr_royale_field {
    size_t rows;
    size_t classes;
    size_t zero;     /* class of 0 */
    bool triangular; /* no matrix has an entry above the diagonal */
    double *matrix;  /* [rows][classes ^ 2] */
};

/** Whether a matrix has no entry above its diagonal. */
bool ipr_royale_triangular(const double *m, size_t n);

/** Expected score of every row with White against every other into white[rows ^ 2]. */
IPR_CHECK enum ipr_code ipr_royale_play(const struct ipr_royale_field *field, double *white,
                                        struct ipr_err *err);

/** Of such a table: row i against row j, the mean of both colours. */
double ipr_royale_mean(const double *white, size_t n, size_t i, size_t j);

#endif
