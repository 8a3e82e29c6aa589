/* A web library that reads sockets past the edge gets no request served: here the edge is linked
 * with a recv(2) that nobody else sees. */
#include "fixture.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

static void nothing_is_served(void **state)
{
    static const char request[] = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const struct sockaddr_in service = { .sin_family = AF_INET,
                                         .sin_port = htons((uint16_t)client_port),
                                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const void *to = &service;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct pollfd wait = { .fd = fd, .events = POLLIN };
    char answer[64];

    (void)state;
    assert_int_equal(connect(fd, to, sizeof service), 0);
    assert_int_equal(send(fd, request, sizeof request - 1, MSG_NOSIGNAL), sizeof request - 1);
    assert_int_equal(poll(&wait, 1, 20000), 1);
    assert_true(read(fd, answer, sizeof answer) <= 0);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(nothing_is_served) };

    return cmocka_run_group_tests(tests, begin_all, end_all);
}
