/* The edge of the service over real sockets: faults of framing, slow clients, too many of them. */
#include "fixture.h"

#include <malloc.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/clock.h"

#define HOST     "Host: localhost\r\n"
#define HEALTH   "GET /health HTTP/1.1\r\n" HOST
#define UPLOADS  "POST /api/v1/uploads HTTP/1.1\r\n" HOST
#define PATIENCE 20000 /* ms */
#define DEADLINE 1     /* s, of heads and bodies here */

/* A connection from 127.0.0.`from`. */
static int connect_from(int from)
{
    const struct sockaddr_in own = { .sin_family = AF_INET,
                                     .sin_addr.s_addr = htonl(0x7f000000 + (uint32_t)from) };
    const struct sockaddr_in service = { .sin_family = AF_INET,
                                         .sin_port = htons((uint16_t)client_port),
                                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const void *address = &own, *to = &service;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    assert_int_equal(bind(fd, address, sizeof own), 0);
    assert_int_equal(connect(fd, to, sizeof service), 0);
    return fd;
}

static void put(int fd, const char *text, size_t n)
{
    assert_int_equal(send(fd, text, n, MSG_NOSIGNAL), (ssize_t)n);
}

static void put_text(int fd, const char *text)
{
    put(fd, text, strlen(text));
}

/* All that the service sends until it closes the connection. */
static void read_all(int fd, struct ipr_buf *out)
{
    struct pollfd wait = { .fd = fd, .events = POLLIN };
    char chunk[4096];
    ssize_t n;

    ipr_buf_reset(out);
    do {
        assert_int_equal(poll(&wait, 1, PATIENCE), 1);
        n = recv(fd, chunk, sizeof chunk, 0);
        if (n > 0)
            ipr_buf_add(out, chunk, (size_t)n);
    } while (n > 0);
    close(fd);
}

/* The last answer: its status, and its type in its body. */
static void assert_ends_with(const struct ipr_buf *got, int status, const char *type)
{
    char line[32], problem[64];
    const char *at = ipr_buf_c(got), *last = NULL;

    for (; (at = strstr(at, "HTTP/1.1 ")) != NULL; at++)
        if (at[9] >= '1' && at[9] <= '5')
            last = at;
    snprintf(line, sizeof line, "HTTP/1.1 %d ", status);
    snprintf(problem, sizeof problem, "\"type\":\"/problems/%s\"", type);
    if (last == NULL || strncmp(last, line, strlen(line)) != 0 || strstr(last, problem) == NULL)
        print_error("%d %s: %s\n", status, type, ipr_buf_c(got));
    assert_non_null(last);
    assert_memory_equal(last, line, strlen(line));
    assert_non_null(strstr(last, problem));
    assert_non_null(strstr(last, "Connection: close\r\n"));
}

static size_t count(const struct ipr_buf *got, const char *text)
{
    size_t n = 0;

    for (const char *at = ipr_buf_c(got); (at = strstr(at, text)) != NULL; at++)
        n++;
    return n;
}

static double metric(const char *name)
{
    struct reply r = ask("/metrics", NULL);
    char line[64];

    snprintf(line, sizeof line, "\n%s ", name);
    const char *at = strstr(ipr_buf_c(&r.body), line);
    assert_non_null(at);
    const double n = strtod(at + strlen(line), NULL);
    reply_release(&r);
    return n;
}

static double refused(const char *reason)
{
    char name[64];

    snprintf(name, sizeof name, "intrinsic_http_refused_total{reason=\"%s\"}", reason);
    return metric(name);
}

static void test_framing(void **state)
{
    static const struct {
        const char *request;
        int status;
        const char *type;
        size_t served; /* requests before it, which are answered */
    } rows[] = {
        { HEALTH "X : y\r\n\r\n", 400, "bad_framing", 0 },
        { "GET /health HTTP/1.1\n" HOST "\n", 400, "bad_framing", 0 },
        { HEALTH HOST "\r\n", 400, "bad_framing", 0 },
        { UPLOADS "Content-Length: 4\r\nContent-Length: 5\r\n\r\n", 400, "bad_framing", 0 },
        { UPLOADS "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
          "bad_framing", 0 },
        { UPLOADS "Transfer-Encoding: foo\r\n\r\nabc", 400, "bad_framing", 0 },
        { UPLOADS "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc", 400, "bad_framing", 0 },
        { HEALTH "\r\n" HEALTH "\r\nGET  / HTTP/1.1\r\n", 400, "bad_framing", 2 },
        { "GET /health HTTP/2.0\r\n" HOST "\r\n", 505, "bad_version", 0 },
    };
    struct ipr_buf got = IPR_BUF_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int fd = connect_from(1);

        put_text(fd, rows[i].request);
        read_all(fd, &got);
        assert_ends_with(&got, rows[i].status, rows[i].type);
        assert_int_equal(count(&got, "HTTP/1.1 200 "), rows[i].served);
    }
    ipr_buf_release(&got);
}

/* A fault after the first bytes of a head, and one in a body that is being received. */
static void test_fault_later(void **state)
{
    static const char *const parts[][3] = {
        { "GET /hea", "lth HTTP/1.1\r\nHos", "t : localhost\r\n\r\n" },
        { UPLOADS, "Content-Type: application/x-chess-pgn\r\nTransfer-Encoding: chunked\r\n\r\n",
          "3\r\nabcd\r\n" },
    };
    struct ipr_buf got = IPR_BUF_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const int fd = connect_from(1);

        for (size_t k = 0; k < 3; k++) {
            put_text(fd, parts[i][k]);
            usleep(50000);
        }
        read_all(fd, &got);
        assert_ends_with(&got, 400, "bad_framing");
    }
    ipr_buf_release(&got);
}

static void test_limits_of_heads(void **state)
{
    struct ipr_buf request = IPR_BUF_INIT, got = IPR_BUF_INIT;

    (void)state;
    for (int args = 0; args < 2; args++) {
        ipr_buf_reset(&request);
        ipr_buf_puts(&request, "GET /?");
        for (int i = 0; i < (args ? 1000 : 30000); i++)
            ipr_buf_puts(&request, args ? "a=1&" : "&");
        ipr_buf_puts(&request, " HTTP/1.1\r\n" HOST "\r\n");
        const int fd = connect_from(1);
        put(fd, request.p, request.n);
        read_all(fd, &got);
        assert_ends_with(&got, 414, "target_too_long");
    }
    /* As many as are let in are read. */
    ipr_buf_reset(&request);
    ipr_buf_puts(&request, "GET /health?");
    for (int i = 0; i < 255; i++)
        ipr_buf_printf(&request, "a%d=1&", i);
    ipr_buf_puts(&request, "b=1 HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n");
    const int fd = connect_from(1);
    put(fd, request.p, request.n);
    read_all(fd, &got);
    assert_ends_with(&got, 413, "limit_passed");
    ipr_buf_release(&request);
    ipr_buf_release(&got);
}

/* The library gives a request up without a word when the client leaves within the head. */
static void test_left_within_the_head(void **state)
{
    struct ipr_buf head = IPR_BUF_INIT;
    size_t first = 0;

    (void)state;
    ipr_buf_puts(&head, "GET /");
    for (int i = 0; i < 8000; i++)
        ipr_buf_putc(&head, 'a');
    ipr_buf_puts(&head, " HTTP/1.1\r\n");
    for (int i = 0; i < 400; i++) {
        const int fd = connect_from(1);

        put(fd, head.p, head.n);
        usleep(500);
        close(fd);
        if (i == 100)
            first = mallinfo2().uordblks;
    }
    for (int i = 0; i < PATIENCE / 10 && metric("intrinsic_http_connections") > 1; i++)
        usleep(10000);
    /* 300 requests of more than 8 kB each. */
    assert_true(mallinfo2().uordblks < first + 1000000);
    ipr_buf_release(&head);
}

static void test_slow_heads(void **state)
{
    static const char *const heads[] = { "", "G", HEALTH, "\r\n" };
    struct ipr_buf got = IPR_BUF_INIT;
    int fds[4];

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        fds[i] = connect_from(1);
        put_text(fds[i], heads[i]);
    }
    for (size_t i = 0; i < 4; i++) {
        read_all(fds[i], &got);
        assert_ends_with(&got, 408, "too_slow");
    }
    ipr_buf_release(&got);
}

/* A byte now and then does not keep it open; between requests it may be idle for longer. */
static void test_dripping(void **state)
{
    static const char request[] =
        HEALTH "X: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    struct ipr_buf got = IPR_BUF_INIT;
    const int idle = connect_from(1), fd = connect_from(1);
    const int64_t began = ipr_now_us();

    (void)state;
    put_text(idle, HEALTH "\r\n");
    for (size_t i = 0; i < sizeof request - 1; i++) {
        if (send(fd, request + i, 1, MSG_NOSIGNAL) != 1)
            break;
        usleep(100000);
    }
    assert_true(ipr_now_us() - began < INT64_C(6000000));
    close(fd);
    put_text(idle, HEALTH "Connection: close\r\n\r\n");
    read_all(idle, &got);
    assert_int_equal(count(&got, "HTTP/1.1 200 "), 2);
    ipr_buf_release(&got);
}

static void test_slow_body(void **state)
{
    struct ipr_buf got = IPR_BUF_INIT;
    const int fd = connect_from(1);

    (void)state;
    put_text(fd, UPLOADS "Content-Type: application/x-chess-pgn\r\nContent-Length: 1000\r\n\r\n[");
    read_all(fd, &got);
    assert_ends_with(&got, 408, "too_slow");
    ipr_buf_release(&got);
}

/* A size line that comes piece by piece is no new beginning. */
static void test_slow_chunks(void **state)
{
    static const char part[] = "1\0\r\n\0A\r\n";
    struct ipr_buf got = IPR_BUF_INIT;
    const int fd = connect_from(1);
    const int64_t began = ipr_now_us();

    (void)state;
    put_text(fd,
             UPLOADS "Content-Type: application/x-chess-pgn\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (size_t at = 0; ipr_now_us() - began < INT64_C(20000000);
         at = (at + strlen(part + at) + 1) % sizeof part) {
        if (send(fd, part + at, strlen(part + at), MSG_NOSIGNAL) < 0)
            break;
        usleep(300000);
    }
    assert_true(ipr_now_us() - began < INT64_C(20000000));
    read_all(fd, &got);
    assert_ends_with(&got, 408, "too_slow");
    ipr_buf_release(&got);
}

/* It asks for much and reads nothing. */
static void test_slow_reader(void **state)
{
    static const char large[] = "GET /static/css/large.css HTTP/1.1\r\n" HOST "\r\n";
    const double before = refused("slow");
    const int fd = connect_from(1);
    struct timeval wait = { .tv_usec = 100000 };

    (void)state;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
    while (send(fd, large, sizeof large - 1, MSG_NOSIGNAL) == (ssize_t)sizeof large - 1)
        ;
    for (int i = 0; i < PATIENCE / 100 && refused("slow") == before; i++)
        usleep(100000);
    assert_true(refused("slow") > before);
    close(fd);
}

/* Whether what was asked on `fd`, which the service closes, is answered with 200. */
static bool is_served(int fd)
{
    struct ipr_buf got = IPR_BUF_INIT;

    read_all(fd, &got);
    const bool served = strncmp(ipr_buf_c(&got), "HTTP/1.1 200 ", 13) == 0;
    ipr_buf_release(&got);
    return served;
}

static bool is_healthy(int from)
{
    const int fd = connect_from(from);

    put_text(fd, HEALTH "Connection: close\r\n\r\n");
    return is_served(fd);
}

static void assert_healthy(int from)
{
    assert_true(is_healthy(from));
}

/* Connections that were closed just now are counted until the service has seen it. */
static void await_healthy(int from)
{
    bool healthy = is_healthy(from);

    for (int i = 0; i < PATIENCE / 100 && !healthy; i++) {
        usleep(100000);
        healthy = is_healthy(from);
    }
    assert_true(healthy);
}

static void restart(int64_t connections)
{
    ipr_http_stop(&http);
    config.connections = connections;
    start(NULL);
}

static void test_connections_of_an_address(void **state)
{
    struct ipr_buf got = IPR_BUF_INIT;
    int fds[3];

    (void)state;
    restart(3);
    for (size_t i = 0; i < 3; i++) {
        fds[i] = connect_from(2);
        put_text(fds[i], "GET /"); /* and so it is counted before the next is */
    }
    read_all(connect_from(2), &got);
    assert_ends_with(&got, 503, "too_many_connections");
    assert_healthy(3);
    for (size_t i = 0; i < 3; i++)
        close(fds[i]);
    await_healthy(2);
    assert_true(refused("connections") >= 1);
    restart(0);
    ipr_buf_release(&got);
}

/* Four addresses that take all they may leave room for others. */
static void test_connections_in_reserve(void **state)
{
    struct ipr_buf got = IPR_BUF_INIT;
    int fds[4][256];

    (void)state;
    deadline_s = 30;
    restart(256);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 256; i++)
            fds[k][i] = connect_from(2 + k);
    read_all(fds[3][255], &got);
    assert_ends_with(&got, 503, "too_many_connections");
    for (int from = 10; from < 16; from++)
        assert_healthy(from);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 256 - (k == 3); i++)
            close(fds[k][i]);
    await_healthy(2);
    deadline_s = DEADLINE;
    restart(0);
    ipr_buf_release(&got);
}

/* The clients of a trusted proxy share its address. */
static void test_connections_of_a_proxy(void **state)
{
    int fds[4];

    (void)state;
    config.trusted_proxies = "127.0.0.2";
    restart(3);
    for (size_t i = 0; i < 4; i++) {
        fds[i] = connect_from(2);
        put_text(fds[i], "GET /");
    }
    assert_healthy(2);
    for (size_t i = 0; i < 4; i++)
        close(fds[i]);
    config.trusted_proxies = NULL;
    restart(0);
}

/* Through a proxy, from `client`; the connection stays open. */
static int put_passed_on(const char *request, const char *client)
{
    struct ipr_buf text = IPR_BUF_INIT;
    const int fd = connect_from(2);

    ipr_buf_printf(&text, "%sX-Forwarded-For: %s\r\n\r\n", request, client);
    put(fd, text.p, text.n);
    ipr_buf_release(&text);
    return fd;
}

/* Until the service has seen as many requests. */
static void await_requests(double n)
{
    for (int i = 0; i < PATIENCE / 10 && metric("intrinsic_http_connections") < n; i++)
        usleep(10000);
    usleep(200000);
}

/* Requests that ended just now are counted until the service has seen it. */
static void await_served(const char *request, const char *client)
{
    bool served = is_served(put_passed_on(request, client));

    for (int i = 0; i < PATIENCE / 100 && !served; i++) {
        usleep(100000);
        served = is_served(put_passed_on(request, client));
    }
    assert_true(served);
}

/* One client behind a proxy may not take what all clients of the proxy have. */
static void test_requests_of_a_client_behind_a_proxy(void **state)
{
    static const char body[] = UPLOADS
        "Authorization: Bearer x\r\nContent-Type: application/x-chess-pgn\r\nContent-Length: "
        "1000\r\n";
    static const char health[] = HEALTH "Connection: close\r\n";
    struct ipr_buf got = IPR_BUF_INIT;
    int fds[3];

    (void)state;
    config.trusted_proxies = "127.0.0.2";
    deadline_s = 30;
    restart(3);
    for (size_t i = 0; i < 3; i++)
        fds[i] = put_passed_on(body, "192.0.2.1");
    await_requests(3);
    read_all(put_passed_on(health, "192.0.2.1"), &got);
    assert_ends_with(&got, 503, "too_many_connections");
    read_all(put_passed_on(body, "192.0.2.1"), &got); /* without waiting for its body */
    assert_ends_with(&got, 503, "too_many_connections");
    read_all(put_passed_on(health, "192.0.2.2"), &got);
    assert_int_equal(count(&got, "HTTP/1.1 200 "), 1);
    for (size_t i = 0; i < 3; i++)
        close(fds[i]);
    await_served(health, "192.0.2.1");
    /* A connection that the proxy keeps belongs to nobody between two requests. */
    for (size_t i = 0; i < 3; i++)
        fds[i] = put_passed_on(HEALTH, "192.0.2.1");
    await_served(health, "192.0.2.1");
    for (size_t i = 0; i < 3; i++)
        close(fds[i]);
    config.trusted_proxies = NULL;
    deadline_s = DEADLINE;
    restart(0);
    ipr_buf_release(&got);
}

/* A client that comes when no descriptor is left gets an answer, and those after the crowd are
 * served. */
static void test_no_descriptors(void **state)
{
    struct rlimit own;
    struct ipr_buf got = IPR_BUF_INIT;
    int fds[40];

    (void)state;
    restart(0);
    for (size_t i = 0; i < 40; i++)
        fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    getrlimit(RLIMIT_NOFILE, &own);
    const struct rlimit few = { .rlim_cur = (rlim_t)fds[39] + 1, .rlim_max = own.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    const struct sockaddr_in service = { .sin_family = AF_INET,
                                         .sin_port = htons((uint16_t)client_port),
                                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const void *to = &service;
    for (size_t i = 0; i < 40; i++)
        assert_int_equal(connect(fds[i], to, sizeof service), 0);
    read_all(fds[39], &got);
    assert_ends_with(&got, 503, "too_many_connections");
    for (size_t i = 0; i < 39; i++)
        close(fds[i]);
    await_healthy(1);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &own), 0);
    assert_true(refused("descriptors") >= 1);
    ipr_buf_release(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_framing),
        TEST(test_fault_later),
        TEST(test_limits_of_heads),
        TEST(test_left_within_the_head),
        TEST(test_slow_heads),
        TEST(test_dripping),
        TEST(test_slow_body),
        TEST(test_slow_chunks),
        TEST(test_slow_reader),
        TEST(test_connections_of_an_address),
        TEST(test_connections_in_reserve),
        TEST(test_connections_of_a_proxy),
        TEST(test_requests_of_a_client_behind_a_proxy),
        TEST(test_no_descriptors),
    };

    deadline_s = DEADLINE;
    return cmocka_run_group_tests(tests, begin_all, end_all);
}
