#include "http/listen.h"

#include <ctype.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/str.h"

#define BACKLOG 512

static enum ipr_code split_address(const char *address, char host[256], char port[8],
                                   struct ipr_err *err)
{
    const char *colon = strrchr(address, ':');
    const bool bracket = address[0] == '[';
    int64_t number;

    if (colon == NULL || !ipr_str_int(ipr_str_c(colon + 1), 0, 65535, &number) ||
        (bracket && (colon == address || colon[-1] != ']')) ||
        (!bracket && memchr(address, ':', (size_t)(colon - address)) != NULL))
        return ipr_err_set(err, IPR_EPARSE,
                           "cannot listen on \"%s\": an address is HOST:PORT, [IPV6]:PORT or :PORT",
                           address);
    const char *from = address + bracket;
    const size_t n = (size_t)(colon - address) - 2 * (size_t)bracket;
    if (n > 255)
        return ipr_err_set(err, IPR_EPARSE, "cannot listen: the address is too long");
    memcpy(host, from, n);
    host[n] = '\0';
    snprintf(port, 8, "%d", (int)number);
    return IPR_OK;
}

static int try_one(const struct addrinfo *a)
{
    const int on = 1;
    const int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, a->ai_addr, a->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    const int why = errno;
    close(fd);
    errno = why;
    return -1;
}

static void describe_socket(int fd, int *port, bool *loopback)
{
    struct sockaddr_storage bound = { 0 };
    socklen_t n = sizeof bound;

    getsockname(fd, (struct sockaddr *)&bound, &n);
    if (bound.ss_family == AF_INET6) {
        struct sockaddr_in6 v6;

        memcpy(&v6, &bound, sizeof v6);
        *port = ntohs(v6.sin6_port);
        *loopback = IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
    } else {
        struct sockaddr_in v4;

        memcpy(&v4, &bound, sizeof v4);
        *port = ntohs(v4.sin_port);
        *loopback = (ntohl(v4.sin_addr.s_addr) >> 24) == IN_LOOPBACKNET;
    }
}

enum ipr_code ipr_listen(const char *address, int *fd, int *port, bool *loopback,
                         struct ipr_err *err)
{
    const struct addrinfo hints = { .ai_flags = AI_PASSIVE | AI_NUMERICSERV,
                                    .ai_socktype = SOCK_STREAM };
    struct addrinfo *list = NULL;
    char host[256] = "", service[8] = "", why[128];
    int got = -1;

    const enum ipr_code rc = split_address(address, host, service, err);
    if (rc != IPR_OK)
        return rc;
    const int looked = getaddrinfo(host[0] != '\0' ? host : NULL, service, &hints, &list);
    if (looked != 0)
        return ipr_err_set(err, IPR_EIO, "cannot listen on %s: %s", address, gai_strerror(looked));
    for (const struct addrinfo *a = list; a != NULL && got < 0; a = a->ai_next)
        got = try_one(a);
    snprintf(why, sizeof why, "%s", strerrordesc_np(errno));
    freeaddrinfo(list);
    why[0] = (char)tolower((unsigned char)why[0]);
    if (got < 0)
        return ipr_err_set(err, IPR_EIO, "cannot listen on %s: %s", address, why);
    *fd = got;
    describe_socket(got, port, loopback);
    return IPR_OK;
}
