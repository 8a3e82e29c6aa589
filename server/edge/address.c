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

void ipr_address_text(const struct in6_addr *a, char out[IPR_ADDRESS_TEXT])
{
    if (IN6_IS_ADDR_V4MAPPED(a))
        inet_ntop(AF_INET, a->s6_addr + 12, out, IPR_ADDRESS_TEXT);
    else
        inet_ntop(AF_INET6, a, out, IPR_ADDRESS_TEXT);
}

bool ipr_network_read(struct ipr_str text, struct ipr_network *out)
{
    const char *slash = memchr(text.p, '/', text.n);
    const size_t n = slash != NULL ? (size_t)(slash - text.p) : text.n;
    const struct ipr_str digits = { text.p + n + 1, text.n - n - 1 };
    struct ipr_network got = { .bits = 128 };
    int64_t bits;

    if (!ipr_address_read((struct ipr_str){ text.p, n }, &got.address))
        return false;
    const unsigned mapped = memchr(text.p, ':', n) == NULL ? 96 : 0; /* of an IPv4 network */
    if (slash != NULL && !ipr_str_int(digits, 0, 128 - (int64_t)mapped, &bits))
        return false;
    if (slash != NULL)
        got.bits = mapped + (unsigned)bits;
    *out = got;
    return true;
}

bool ipr_network_has(const struct ipr_network *network, const struct in6_addr *a)
{
    const size_t whole = network->bits / 8;
    const unsigned rest = network->bits % 8;
    const unsigned char mask = (unsigned char)(0xff00U >> rest);

    return memcmp(a, &network->address, whole) == 0 &&
           (rest == 0 || (a->s6_addr[whole] & mask) == (network->address.s6_addr[whole] & mask));
}

size_t ipr_address_size(const struct in6_addr *a)
{
    return IN6_IS_ADDR_V4MAPPED(a) ? 16 : 8;
}

bool ipr_address_same(const struct in6_addr *a, const struct in6_addr *b)
{
    const size_t size = ipr_address_size(a);

    return size == ipr_address_size(b) && memcmp(a, b, size) == 0;
}
