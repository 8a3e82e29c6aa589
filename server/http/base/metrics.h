#ifndef IPR_HTTP_METRICS_H
#define IPR_HTTP_METRICS_H

#include <stdatomic.h>
#include <stdint.h>

/* Counters of the web service. */

#define IPR_HTTP_TOOK 7 /* bounds of the histogram, see metrics.c */

struct ipr_http_counts {
    atomic_uint_fast64_t of_class[5]; /* replies with status 1xx … 5xx */
    atomic_uint_fast64_t took[IPR_HTTP_TOOK + 1], took_us;
    int64_t started; /* seconds since the epoch */
};

/** Counts an answered request; us below 0: a stream, without a duration. */
void ipr_http_count(struct ipr_http_counts *counts, unsigned status, int64_t us);

#endif
