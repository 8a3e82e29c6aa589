#ifndef IPR_EDGE_ADDRESS_H
#define IPR_EDGE_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "base/str.h"

/* Addresses of clients, all as IPv6; those of IPv4 are mapped ("::ffff:192.0.2.1"). */

struct in6_addr ipr_address_of(const struct sockaddr *peer);

/** False, `out` untouched, when it is no address. */
bool ipr_address_read(struct ipr_str text, struct in6_addr *out);

bool ipr_address_is_loopback(const struct in6_addr *address);

/** Bytes of the address that stand for one client: of IPv6 a network of 64 bits. */
size_t ipr_address_size(const struct in6_addr *address);

#endif
