#ifndef IPR_ENGINE_BREAKER_H
#define IPR_ENGINE_BREAKER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Circuit breaker of a program: keeps a machine from retrying what fails here while others could do
 * it. A single crash may be due to the game; after the second in a row, or when the engine could
 * not be started, the program is not used for 1 s, then twice as long each time, at most 60 s.
 * Times are milliseconds of a monotonic clock. Initialised with zeros.
 */
struct ipr_breaker {
    unsigned failures; /* in succession */
    int64_t until;     /* not used before */
};

void ipr_breaker_worked(struct ipr_breaker *b);
/** `started`: the engine failed after its start. Returns the length of the break, 0: none. */
int64_t ipr_breaker_failed(struct ipr_breaker *b, bool started, int64_t now);
bool ipr_breaker_open(const struct ipr_breaker *b, int64_t now);

#endif
