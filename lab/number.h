#ifndef LAB_NUMBER_H
#define LAB_NUMBER_H

#include <jansson.h>

/* Numbers in the JSON of what is found. */

/** null for NaN. */
json_t *bench_number(double x);

/** A range of Elo, which ends at 2800 at the latest. */
json_t *bench_range(double low, double high);

#endif
