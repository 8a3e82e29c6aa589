#ifndef IPR_TEST_CONFORMANCE_H
#define IPR_TEST_CONFORMANCE_H

#include "model/conformance.h"

#include <stdlib.h>

#include "ipr_test.h"
#include "model/conformance_game.h"
#include "model/window.h"

/* Turns per class of loss in one calendar year. */
struct loss_year {
    int32_t year;
    double classes[IPR_LOSS_CLASSES];
};

/* Accumulated conformance with forgetting, from the classes of loss (A section 4.2):
 *   Q(d) = sum_{j<=y} 2^(j-y) sum_{c<=d} s(j,c) / sum_{j<=y} 2^(j-y) sum_c s(j,c) */
static inline void conformance_q(const struct loss_year *years, size_t n, int32_t year,
                                 double q[IPR_LOSS_CLASSES])
{
    double weighted[IPR_LOSS_CLASSES] = { 0 };
    struct ipr_err err = IPR_ERR_INIT;

    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < IPR_LOSS_CLASSES && years[k].year <= year; i++)
            weighted[i] += ldexp(years[k].classes[i], years[k].year - year);
    assert_ok(ipr_conformance_shares(weighted, NULL, q, &err), &err);
}

#endif
