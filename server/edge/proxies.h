#ifndef IPR_EDGE_PROXIES_H
#define IPR_EDGE_PROXIES_H

#include "edge/address.h"

/*
 * Proxies that are trusted to say who sent a request (INTRINSIC_TRUSTED_PROXIES). From everybody
 * else the headers that say so are the client's own words, and are not believed.
 */

struct ipr_proxies;

/** Addresses and networks ("192.0.2.1 2001:db8::/32"), separated by spaces or commas; NULL or
 * empty: none is trusted. IPR_EPARSE, naming the setting. */
IPR_CHECK enum ipr_code ipr_proxies_read(const char *list, struct ipr_proxies **out,
                                         struct ipr_err *err);
void ipr_proxies_free(struct ipr_proxies **proxies);

bool ipr_proxies_are_set(const struct ipr_proxies *proxies);
bool ipr_proxies_trust(const struct ipr_proxies *proxies, const struct in6_addr *address);

/**
 * The client of a request that came from `peer` with this chain of senders: the value of
 * X-Forwarded-For, or of Forwarded (RFC 7239). Each proxy appends whom it was sent the request by,
 * so the client is the last one that is not a trusted proxy; what stands before may be made up.
 */
struct in6_addr ipr_proxies_client(const struct ipr_proxies *proxies, struct in6_addr peer,
                                   struct ipr_str chain);

/** Value of a parameter ("for", "proto") of one element of Forwarded; p NULL: it has none. */
struct ipr_str ipr_proxies_param(struct ipr_str element, const char *name);
/** The last element of a list with commas. */
struct ipr_str ipr_proxies_last(struct ipr_str list);

#endif
