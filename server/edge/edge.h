#ifndef IPR_EDGE_EDGE_H
#define IPR_EDGE_EDGE_H

#include <netinet/in.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/str.h"

/*
 * The edge of the service: accepts connections and guards them. What a client sends passes
 * framing.h before the web library sees it: this module defines recv(2), which the library calls,
 * and which is the system's for every other descriptor.
 *
 * A connection is refused, with an answer, when there are too many, or too many of its address, or
 * no descriptor is left. It is closed, with an answer where that can still be sent, at a fault of
 * framing; when a head is not complete in IPR_EDGE_HEAD_S from its first byte, or from the
 * connection on; when a body is slower than IPR_EDGE_RATE beyond IPR_EDGE_GRACE_S; when the client
 * reads slower than that.
 */

#define IPR_EDGE_HEAD_S  20
#define IPR_EDGE_GRACE_S 30
#define IPR_EDGE_RATE    1024 /* bytes a second, from the beginning on */

struct ipr_edge;
struct ipr_edge_client;
struct ipr_proxies;

enum ipr_edge_reason {
    IPR_EDGE_FRAMING,
    IPR_EDGE_SLOW,
    IPR_EDGE_CONNECTIONS,
    IPR_EDGE_DESCRIPTORS,
    IPR_EDGE_REASONS
};

struct ipr_edge_options {
    int listen_fd;        /* borrowed, non-blocking */
    unsigned connections; /* at most, of all clients … */
    unsigned per_address; /* … and of one address (edge/address.h); 0: no limit … */
    const struct ipr_proxies *proxies; /* … unless it is one of these, which bring many clients */
    int head_s, grace_s;               /* see above */
    /** Takes the socket over and closes it in the end, even when it fails (false). */
    bool (*serve)(void *arg, int fd, const struct sockaddr *peer, socklen_t n);
    /** Appends the whole answer of a type of problem. By any thread. */
    void (*refusal)(const char *type, const char *detail, struct ipr_buf *out);
    void *arg;
};

IPR_CHECK enum ipr_code ipr_edge_start(const struct ipr_edge_options *options,
                                       struct ipr_edge **edge, struct ipr_err *err);
/** Accepts no more; what is connected goes on. */
void ipr_edge_quiesce(struct ipr_edge *edge);
/** After the last connection ended. */
void ipr_edge_free(struct ipr_edge **edge);

/** Connections so far that were refused or closed for that reason. */
uint64_t ipr_edge_refused(const struct ipr_edge *edge, enum ipr_edge_reason reason);
/** Name of the reason in metrics. */
const char *ipr_edge_reason_name(enum ipr_edge_reason reason);
unsigned ipr_edge_open(struct ipr_edge *edge);

/* ---- for who serves the connections ---- */

/** The web library has begun with it; NULL: it was not accepted here. */
struct ipr_edge_client *ipr_edge_begun(int fd);
/** True if what the client has sent has been read here. Else the web library, another one than this
 * program was tested with, reads by another call than recv(2): nothing is guarded, and nothing must
 * be served. */
bool ipr_edge_guards(const struct ipr_edge_client *client);
/** It is about to close the socket. The request that it has not ended, or NULL. */
void *ipr_edge_ended(struct ipr_edge_client *client);
/** The request that is being served, for ipr_edge_ended; returns the one before. */
void *ipr_edge_request(struct ipr_edge_client *client, void *request);
/**
 * Whose request a proxy passes on by this connection: it counts among that address's until
 * ipr_edge_request(client, NULL). False if that one has as many as it may have connections.
 */
bool ipr_edge_passed_on(struct ipr_edge_client *client, const struct in6_addr *sender);

#endif
