/* The input is what a client sends, in parts that end at a byte 0xFF, to the real listener of a
 * service with stand-ins for storage and views. Every answer is one of HTTP/1.1, the connection
 * ends, and the service answers the next one. Leaks are libFuzzer's to find. */
#include "fuzz.h"

#include "tests/http/fixture.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_MS 2 /* a client need not wait for the rest, of which a stream has no end */

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    void *state = NULL;

    (void)argc;
    (void)argv;
    HOLDS(begin_all(&state) == 0);
    fake_reset();
    return 0;
}

/* From another address of this machine each time: a port of one is not free again for a minute. */
static int connected(void)
{
    static uint32_t clients;
    const struct sockaddr_in own = { .sin_family = AF_INET,
                                     .sin_addr.s_addr = htonl(0x7f000001 + clients++ % 0xfffff) };
    const struct sockaddr_in service = { .sin_family = AF_INET,
                                         .sin_port = htons((uint16_t)client_port),
                                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const struct linger reset = { .l_onoff = 1 }; /* nor waits it for late segments here */
    const void *from = &own, *to = &service;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

    HOLDS(fd >= 0);
    setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    HOLDS(bind(fd, from, sizeof own) == 0);
    /* libFuzzer's clock interrupts; the connection is then made by itself. */
    HOLDS(connect(fd, to, sizeof service) == 0 || errno == EINTR);
    return fd;
}

/* It may be refused before its end, and is then closed. */
static void put_parts(int fd, const uint8_t *data, size_t size)
{
    while (size > 0) {
        const uint8_t *end = memchr(data, 0xff, size);
        const size_t n = end != NULL ? (size_t)(end - data) : size;

        if (n > 0 && send(fd, data, n, MSG_NOSIGNAL) != (ssize_t)n)
            return;
        data += n + (end != NULL);
        size -= n + (end != NULL);
    }
    shutdown(fd, SHUT_WR);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int fd = connected();
    struct pollfd wait = { .fd = fd, .events = POLLIN };
    char answer[4096], line[9];
    ssize_t n = 0;

    put_parts(fd, data, size);
    for (size_t have = 0; poll(&wait, 1, ANSWER_MS) == 1; have += (size_t)n) {
        if ((n = recv(fd, answer, sizeof answer, 0)) <= 0)
            break;
        if (have < sizeof line)
            memcpy(line + have, answer,
                   (size_t)n < sizeof line - have ? (size_t)n : sizeof line - have);
        HOLDS(have + (size_t)n < sizeof line || memcmp(line, "HTTP/1.1 ", sizeof line) == 0);
    }
    close(fd);
    return 0;
}
