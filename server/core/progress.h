#ifndef IPR_CORE_PROGRESS_H
#define IPR_CORE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* A line on standard error that says how far something is, where that is a terminal: it is
 * rewritten, a few times a second at most, and gone in the end. One thread uses it. */

struct ipr_progress {
    bool on;
    int64_t began, said; /* ms of the monotonic clock; said: 0 before the first line */
};

/** `quiet`: nothing is said anywhere. */
struct ipr_progress ipr_progress_begin(bool quiet);

/** Rewrites the line. `done` of `total`, in any unit, tells how much time is left; total 0: that is
 * not said. */
void ipr_progress_say(struct ipr_progress *p, double done, double total, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/** Removes the line; before anything else is written to the terminal. */
void ipr_progress_end(struct ipr_progress *p);

#endif
