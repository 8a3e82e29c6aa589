#ifndef IPR_HTTP_CLIENT_H
#define IPR_HTTP_CLIENT_H

#include "edge/address.h"
#include "http/base/request.h"

/* Who sends a request, through which proxies, and by which name of this service. */

/** Reads INTRINSIC_PUBLIC_URL: scheme and name, without a path. IPR_EPARSE, naming the setting. */
IPR_CHECK enum ipr_code ipr_client_public(const struct ipr_config *config,
                                          struct ipr_public_name *out, struct ipr_err *err);

/** Address at the other end of the connection. */
struct in6_addr ipr_client_peer(const struct ipr_req *req);

/** Address of the client: that of the connection, or what a trusted proxy says. */
struct in6_addr ipr_client_address(const struct ipr_req *req);

/** Why the request may come from beyond this machine, in words that continue "since …"; NULL: it
 * does not. Lives as long as the request. */
const char *ipr_client_is_remote(struct ipr_req *req);

/** Logs once, as a warning, that pages lack a canonical address and a picture for previews: others
 * reach the service, since `why` (NULL: they do not), and it has no public name. The name that a
 * client asks for cannot stand in for it: pages are cached for all, and anybody can send any Host.
 */
void ipr_client_warn_nameless(struct ipr_http *http, const char *why);

/** True if the peer of this socket has closed it. */
bool ipr_client_hung_up(int client);

/** True if the client speaks HTTPS, with us or with a proxy. */
bool ipr_client_is_https(const struct ipr_req *req);

/** Name and port that the client requested: Host, or what a trusted proxy says; NULL: none. */
const char *ipr_client_authority(struct ipr_req *req);

/** "https://chess.example": what absolute links begin with. */
const char *ipr_client_base(struct ipr_req *req);

#endif
