#include "edge/address.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

struct in6_addr ipr_address_of(const struct sockaddr *peer)
{
    const void *address = peer;
    struct in6_addr out = { .s6_addr = { [10] = 0xff, [11] = 0xff } };

    if (peer->sa_family == AF_INET6)
        return ((const struct sockaddr_in6 *)address)->sin6_addr;
    memcpy(out.s6_addr + 12, &((const struct sockaddr_in *)address)->sin_addr, 4);
    return out;
}

bool ipr_address_read(struct ipr_str text, struct in6_addr *out)
{
    char v6[INET6_ADDRSTRLEN], v4[INET6_ADDRSTRLEN + 7];

    if (text.n >= sizeof v6)
        return false;
    snprintf(v6, sizeof v6, "%.*s", (int)text.n, text.p);
    snprintf(v4, sizeof v4, "::ffff:%s", v6);
    return inet_pton(AF_INET6, v6, out) == 1 || inet_pton(AF_INET6, v4, out) == 1;
}

bool ipr_address_is_loopback(const struct in6_addr *a)
{
    return IN6_IS_ADDR_LOOPBACK(a) || (IN6_IS_ADDR_V4MAPPED(a) && a->s6_addr[12] == IN_LOOPBACKNET);
}

size_t ipr_address_size(const struct in6_addr *a)
{
    return IN6_IS_ADDR_V4MAPPED(a) ? 16 : 8;
}
