#include "model/turning.h"

#include <math.h>
#include <stdbool.h>

/* The last half-move before which the winner did not stand better; n: there is none, or the winner
 * did not stand better at the end. */
static size_t turning_crossing(const double *expected, size_t n)
{
    size_t at = n;
    double end = NAN;

    for (size_t i = 0; i <= n; i++) {
        if (!isnan(expected[i]))
            end = expected[i];
        if (expected[i] < IPR_TURNING_BETTER)
            at = i;
    }
    return end >= IPR_TURNING_BETTER ? at : n;
}

struct ipr_turning ipr_turning_of(const double *expected, const double *lost, size_t n)
{
    const size_t crossing = turning_crossing(expected, n);
    const struct ipr_turning none = { IPR_TURNING_NONE, 0, 0 };
    size_t begin = crossing, end = crossing, first = n, last = n, most = n;
    double all = 0;

    if (crossing == n)
        return none;
    while (begin > 0 && !(expected[begin] <= IPR_TURNING_EVEN))
        begin--;
    if (!(expected[begin] <= IPR_TURNING_EVEN))
        begin = crossing;
    while (end < n && !(expected[end] >= IPR_TURNING_WON))
        end++;
    for (size_t i = begin; i < end; i++) {
        if (isnan(lost[i]))
            continue;
        first = first < n ? first : i;
        last = i;
        all += lost[i];
        if (most == n || lost[i] > lost[most])
            most = i;
    }
    if (first == n)
        return none;
    const bool alone =
        first == last || (lost[most] >= IPR_TURNING_MOVE && lost[most] >= IPR_TURNING_SHARE * all);
    return alone ? (struct ipr_turning){ IPR_TURNING_AT_MOVE, most, most }
                 : (struct ipr_turning){ IPR_TURNING_DECLINE, first, last };
}
