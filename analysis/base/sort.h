#ifndef IPR_BASE_SORT_H
#define IPR_BASE_SORT_H

#include <stddef.h>

typedef int (*ipr_compare_fn)(const void *a, const void *b);

/** Sorts and keeps the first of equal items; returns how many are left. */
size_t ipr_sort_unique(void *items, size_t n, size_t size, ipr_compare_fn compare);

/** Order numbers, for qsort and bsearch. */
int ipr_compare_int32(const void *a, const void *b);
int ipr_compare_int64(const void *a, const void *b);
int ipr_compare_double(const void *a, const void *b); /* none is NaN */

/** A row with the value that it is ranked by: larger ones first, equal ones by row. */
struct ipr_placed {
    double value;
    size_t row;
};
int ipr_compare_placed(const void *a, const void *b);

#endif
