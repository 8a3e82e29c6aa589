#ifndef IPR_BENCH_CLOCK_H
#define IPR_BENCH_CLOCK_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"

/** CPU time of the process in seconds. */
static inline double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/** Minimum CPU time of `runs` calls, in seconds; ends the program if one fails. */
static inline double least(enum ipr_code (*task)(void *, struct ipr_err *), void *arg, int runs)
{
    double best = 1e9;

    for (int i = 0; i < runs; i++) {
        struct ipr_err err = IPR_ERR_INIT;
        const double begin = seconds();
        if (task(arg, &err) != IPR_OK) {
            fprintf(stderr, "bench: %s\n", err.msg);
            exit(1);
        }
        const double took = seconds() - begin;
        if (took < best)
            best = took;
    }
    return best;
}

#endif
