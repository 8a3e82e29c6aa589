#ifndef IPR_HTTP_HTTP_H
#define IPR_HTTP_HTTP_H

#include "base/error.h"
#include "http/base/options.h"

struct ipr_http;

/**
 * Listens and answers on threads of its own. IPR_EPARSE: not an address; IPR_EIO with one clear
 * line: "cannot listen on 127.0.0.1:8080: address already in use", or a static file that cannot
 * be read; IPR_EDB: the listener for progress cannot connect.
 */
IPR_CHECK enum ipr_code ipr_http_start(const struct ipr_http_options *options,
                                       struct ipr_http **out, struct ipr_err *err);

/** The port that is listened on: the one to use after asking for port 0. */
int ipr_http_port(const struct ipr_http *http);

/** The socket that it listens on. */
int ipr_http_socket(const struct ipr_http *http);

/** Refuses new connections, ends event streams, answers 503 to uploads that wait for their import,
 * lets running requests and the running import finish, stops the report that is being computed,
 * frees. Accepts NULL inside. */
void ipr_http_stop(struct ipr_http **http);

#endif
