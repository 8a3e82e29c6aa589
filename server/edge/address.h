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

/** "192.0.2.1", "2001:db8::1". */
#define IPR_ADDRESS_TEXT 46
void ipr_address_text(const struct in6_addr *address, char out[IPR_ADDRESS_TEXT]);

/** The addresses that begin with the same bits. */
struct ipr_network {
    struct in6_addr address;
    unsigned bits;
};

/** "192.0.2.0/24", "2001:db8::/32", or an address alone. False when it is neither. */
bool ipr_network_read(struct ipr_str text, struct ipr_network *out);
bool ipr_network_has(const struct ipr_network *network, const struct in6_addr *address);

/** Bytes of the address that stand for one client: of IPv6 a network of 64 bits. */
size_t ipr_address_size(const struct in6_addr *address);
/** True if they are of one client. */
bool ipr_address_same(const struct in6_addr *a, const struct in6_addr *b);

#endif
