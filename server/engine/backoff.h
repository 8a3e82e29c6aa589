#ifndef IPR_ENGINE_BACKOFF_H
#define IPR_ENGINE_BACKOFF_H

#include <stddef.h>
#include <stdint.h>

#include "engine/breaker.h"

/**
 * Back-off of judges that a program cannot be configured for: more hash than there is memory, a
 * limit it does not know. Each is skipped for a time, as is a program that does not start
 * (engine/breaker.h), so that its games, which would all fail for the same reason, do not delay
 * those of other judges. Initialised with zeros; contains only judges that have failed.
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

/** Returns the length of the back-off in ms. */
int64_t ipr_backoff_failed(struct ipr_backoff *r, const char *judge, int64_t now);
void ipr_backoff_worked(struct ipr_backoff *r, const char *judge);

/** Names of the n judges in back-off, borrowed until the next call. */
const char *const *ipr_backoff_names(struct ipr_backoff *r, int64_t now, size_t *n);

#endif
