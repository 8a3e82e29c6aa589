#ifndef IPR_HTTP_METRICS_H
#define IPR_HTTP_METRICS_H

#include <stdatomic.h>
#include <stdint.h>

/* What the web service counts about itself. */

#define IPR_HTTP_TOOK 7 /* bounds of the histogram, see metrics.c */

struct ipr_http_counts {
    atomic_uint_fast64_t of_class[5]; /* replies with status 1xx … 5xx */
    atomic_uint_fast64_t took[IPR_HTTP_TOOK + 1], took_us;
    int64_t started; /* seconds since the epoch */
};

/** One request that was answered; us below 0: how long it took says nothing (a stream). */
void ipr_http_count(struct ipr_http_counts *counts, unsigned status, int64_t us);

#endif
