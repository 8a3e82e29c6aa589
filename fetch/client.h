#ifndef IPR_FETCH_CLIENT_H
#define IPR_FETCH_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The only user of libcurl: one request at a time, which names this program and trusts no
 * certificate that the system does not. */

struct ipr_fetch_client;

struct ipr_fetch_options {
    const char *site;    /* as messages name it */
    const char *contact; /* added to the User-Agent; may be NULL */
    int silence_s;       /* a connection that is silent for so long ends */
    bool plain;          /* http:// is allowed, for another address than the site's own */
};

/** Takes the bytes of an answer. A code other than IPR_OK ends it. */
typedef enum ipr_code (*ipr_fetch_take_fn)(void *arg, const char *bytes, size_t n,
                                           struct ipr_err *err);

struct ipr_fetch_answer {
    long status;   /* 0: there was none */
    int after_s;   /* of Retry-After; 0: absent */
    bool cut;      /* the connection ended before the answer did */
    char why[128]; /* of a cut, or of a connection that failed */
};

IPR_CHECK enum ipr_code ipr_fetch_open(const struct ipr_fetch_options *o,
                                       struct ipr_fetch_client **out, struct ipr_err *err);
void ipr_fetch_close(struct ipr_fetch_client **c);

/** One request. `take` gets the body of an answer 200 of the media type `type`; another type is
 * an error, and so is that no connection could be made, or a request to stop (ipr_signals). All
 * else is in *out. */
IPR_CHECK enum ipr_code ipr_fetch_get(struct ipr_fetch_client *c, const char *url, const char *type,
                                      ipr_fetch_take_fn take, void *arg,
                                      struct ipr_fetch_answer *out, struct ipr_err *err);

#endif
