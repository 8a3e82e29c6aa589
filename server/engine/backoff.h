#ifndef IPR_ENGINE_BACKOFF_H
#define IPR_ENGINE_BACKOFF_H

#include <stddef.h>
#include <stdint.h>

#include "engine/breaker.h"

/**
 * Judges that a program of this machine starts for but cannot be set up for: more hash than there
 * is memory, a limit it does not know. Each rests as a program does that does not start
 * (engine/breaker.h), so that its games, which all end with the same reason, do not keep those of
 * other judges waiting. Zeroed at first; those that have not failed are not in it.
 */
struct ipr_backoff {
    struct ipr_backoff_judge {
        char name[32];
        struct ipr_breaker breaker;
    } * all;
    const char **names; /* room for as many */
    size_t n, room;
};

void ipr_backoff_release(struct ipr_backoff *r);

/** Returns how long it rests, in ms. */
int64_t ipr_backoff_failed(struct ipr_backoff *r, const char *judge, int64_t now);
void ipr_backoff_worked(struct ipr_backoff *r, const char *judge);

/** Those at rest: n names, borrowed until the next call. */
const char *const *ipr_backoff_names(struct ipr_backoff *r, int64_t now, size_t *n);

#endif
