#ifndef IPR_CORE_LAG_H
#define IPR_CORE_LAG_H

#include <stddef.h>
#include <stdint.h>

#define IPR_LAG_MARKS 64

/** Measures how long a copy is behind its original, from the positions of both at each look. All 0
 * to begin with. */
struct ipr_lag {
    struct {
        int64_t position, ms;
    } mark[IPR_LAG_MARKS]; /* positions that the copy has not reached, ascending */
    size_t n;
    int64_t step_ms; /* between two marks: what an age may be short of */
};

/** The original is at `position` now, the copy at `copied`: age in ms of the oldest position known
 * that the copy lacks; 0: it has everything. */
int64_t ipr_lag_ms(struct ipr_lag *lag, int64_t position, int64_t copied, int64_t now_ms);

#endif
