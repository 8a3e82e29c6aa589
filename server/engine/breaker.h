#ifndef IPR_ENGINE_BREAKER_H
#define IPR_ENGINE_BREAKER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Keeps a machine from trying again and again what does not work here, while others could do it.
 * An engine that dies over one game may be that game's fault; the second time in a row, or when it
 * could not even be started, the program rests: 1 s, then twice as long each time, 60 s at most.
 * Times are milliseconds of a monotonic clock. Zeroed at first.
 */
struct ipr_breaker {
    unsigned failures; /* in a row */
    int64_t until;     /* at rest till then */
};

void ipr_breaker_worked(struct ipr_breaker *b);
/** `started`: the engine had been started, and failed later. Returns how long it rests, 0: not. */
int64_t ipr_breaker_failed(struct ipr_breaker *b, bool started, int64_t now);
bool ipr_breaker_open(const struct ipr_breaker *b, int64_t now);

#endif
