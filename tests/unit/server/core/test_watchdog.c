/* What the service manager hears, and whether a web service answers; with sockets in their places.
 */
#include "core/watchdog.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "ipr_test.h"

/* `path`: "@" for an abstract one. */
static void assert_heard(const char *path)
{
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    char heard[32] = "";

    memcpy(at.sun_path, path, strlen(path));
    if (path[0] == '@')
        at.sun_path[0] = '\0';
    const socklen_t n = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    assert_int_equal(bind(fd, (struct sockaddr *)&at, n), 0);
    setenv("NOTIFY_SOCKET", path, 1);
    ipr_watchdog_notify("READY=1");
    ipr_watchdog_notify("WATCHDOG=1");
    assert_int_equal(recv(fd, heard, sizeof heard, MSG_DONTWAIT), 7);
    assert_string_equal(heard, "READY=1");
    assert_int_equal(recv(fd, heard, sizeof heard, MSG_DONTWAIT), 10);
    assert_string_equal(heard, "WATCHDOG=1");
    close(fd);
}

static void test_notify(void **state)
{
    char path[108], folder[] = "/tmp/ipr_notify_XXXXXX", abstract[64];

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/socket", folder);
    assert_heard(path);
    unlink(path);
    ipr_watchdog_notify("READY=1"); /* nobody is there any more */
    rmdir(folder);
    snprintf(abstract, sizeof abstract, "@ipr/%d", (int)getpid());
    assert_heard(abstract);
    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = '\0';
    setenv("NOTIFY_SOCKET", path, 1);
    ipr_watchdog_notify("READY=1");
    unsetenv("NOTIFY_SOCKET");
    ipr_watchdog_notify("READY=1");
}

static void test_interval(void **state)
{
    char pid[16];

    (void)state;
    unsetenv("WATCHDOG_USEC");
    assert_int_equal(ipr_watchdog_ms(), -1);
    setenv("WATCHDOG_USEC", "60000000", 1);
    assert_int_equal(ipr_watchdog_ms(), 20000);
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    setenv("WATCHDOG_PID", pid, 1);
    assert_int_equal(ipr_watchdog_ms(), 20000);
    setenv("WATCHDOG_PID", "1", 1); /* another one's */
    assert_int_equal(ipr_watchdog_ms(), -1);
    unsetenv("WATCHDOG_PID");
    setenv("WATCHDOG_USEC", "soon", 1);
    assert_int_equal(ipr_watchdog_ms(), -1);
    unsetenv("WATCHDOG_USEC");
}

struct peer {
    int fd;
    const char *answer; /* "": it closes the connection */
    char request[80];
};

static void *peer_serve(void *arg)
{
    struct peer *p = arg;
    const int fd = accept(p->fd, NULL, NULL);

    assert_true(recv(fd, p->request, sizeof p->request - 1, 0) > 0);
    assert_true(write(fd, p->answer, strlen(p->answer)) >= 0);
    close(fd);
    return NULL;
}

static void test_asks(void **state)
{
    struct sockaddr_in at = { .sin_family = AF_INET }; /* any address, any port */
    struct peer p = { .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };

    (void)state;
    assert_int_equal(bind(p.fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_false(ipr_watchdog_asks(p.fd, 1000)); /* does not listen: refused by the system */
    assert_int_equal(listen(p.fd, 8), 0);
    for (int closes = 0; closes < 2; closes++) {
        pthread_t thread;

        p.answer = closes ? "" : "HTTP/1.0 200 OK\r\n\r\n";
        assert_int_equal(pthread_create(&thread, NULL, peer_serve, &p), 0);
        assert_true(ipr_watchdog_asks(p.fd, 60000));
        pthread_join(thread, NULL);
        assert_string_equal(p.request,
                            "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }
    assert_false(ipr_watchdog_asks(p.fd, 50)); /* nobody accepts */
    close(p.fd);
    assert_false(ipr_watchdog_asks(p.fd, 50));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_notify),
                                        cmocka_unit_test(test_interval),
                                        cmocka_unit_test(test_asks) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
