#include "base/sort.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t ipr_sort_unique(void *items, size_t n, size_t size, ipr_compare_fn compare)
{
    char *item = items;
    size_t kept = 0;

    if (n > 1)
        qsort(items, n, size, compare);
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && compare(item + i * size, item + (kept - 1) * size) == 0)
            continue;
        if (i != kept)
            memcpy(item + kept * size, item + i * size, size);
        kept++;
    }
    return kept;
}

int ipr_compare_int32(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

int ipr_compare_int64(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

int ipr_compare_placed(const void *a, const void *b)
{
    const struct ipr_placed *x = a, *y = b;

    if (x->value > y->value || x->value < y->value)
        return x->value > y->value ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

int ipr_compare_double(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}
