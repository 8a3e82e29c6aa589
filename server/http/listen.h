#ifndef IPR_HTTP_LISTEN_H
#define IPR_HTTP_LISTEN_H

#include <stdbool.h>

#include "base/error.h"

/**
 * A listening socket for "host:port", "[v6]:port" or ":port" (every address); port 0 picks one.
 * `loopback`: only this machine can connect. IPR_EPARSE: not of that form; IPR_EIO:
 * "cannot listen on ADDRESS: reason".
 */
IPR_CHECK enum ipr_code ipr_listen(const char *address, int *fd, int *port, bool *loopback,
                                   struct ipr_err *err);

#endif
