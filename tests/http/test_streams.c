/* Event streams, listening, many readers. Storage and views are replaced. */
#include <netinet/in.h>
#include <sys/socket.h>

#include "fixture.h"
#include "http/answer/concurrency.h"
#include "http/answer/events.h"
#include "http/listen.h"

/* ---- events ---- */

struct watcher {
    struct ipr_buf seen;
    int step;
};

/* Each event moves the queue on, so the stream is driven by what arrived. */
static size_t on_event(char *p, size_t size, size_t n, void *cls)
{
    struct watcher *w = cls;

    ipr_buf_add(&w->seen, p, size * n);
    while (w->step > 0) {
        char want[32];

        snprintf(want, sizeof want, "\"queued\":%d,", w->step);
        if (strstr(ipr_buf_c(&w->seen), want) == NULL)
            break;
        fake_queue(--w->step);
    }
    return size * n;
}

/* Without the lines of ids, which are digests. */
static void drop_ids(struct ipr_buf *text)
{
    struct ipr_buf out = IPR_BUF_INIT;

    for (const char *line = ipr_buf_c(text); *line != '\0';) {
        const size_t n = strcspn(line, "\n") + 1;
        if (strncmp(line, "id: ", 4) != 0)
            ipr_buf_add(&out, line, n);
        line += n;
    }
    ipr_buf_release(text);
    *text = out;
}

static void test_events(void **state)
{
    struct reply r;
    struct curl_slist *list;
    struct watcher w = { .step = 2 };

    (void)state;
    fake_queue(2);
    CURL *c = client_handle("GET", "/api/v1/uploads/7/events", NULL, &r, &list);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_event);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, &w);
    assert_int_equal(client_perform(c, list, &r), CURLE_OK);
    assert_string_equal(header(&r, "Content-Type"), "text/event-stream");
    assert_string_equal(header(&r, "Cache-Control"), "no-store");
    drop_ids(&w.seen);
    assert_string_equal(
        ipr_buf_c(&w.seen),
        "retry: 3000\n"
        "event: progress\ndata: {\"id\":7,\"queued\":2,\"seconds\":0,\"done\":false}\n\n"
        "event: progress\ndata: {\"id\":7,\"queued\":1,\"seconds\":0,\"done\":false}\n\n"
        "event: progress\ndata: {\"id\":7,\"queued\":0,\"seconds\":0,\"done\":true}\n\n"
        "event: done\ndata: {\"id\":7,\"queued\":0,\"seconds\":0,\"done\":true}\n\n");
    ipr_buf_release(&w.seen);
    reply_release(&r);
}

static void test_events_done_already(void **state)
{
    (void)state;
    struct reply r = ask("/api/v1/uploads/8/events", NULL);
    drop_ids(&r.body);
    assert_string_equal(
        ipr_buf_c(&r.body),
        "retry: 3000\n"
        "event: progress\ndata: {\"id\":8,\"queued\":0,\"seconds\":0,\"done\":true}\n\n"
        "event: done\ndata: {\"id\":8,\"queued\":0,\"seconds\":0,\"done\":true}\n\n");
    reply_release(&r);
    fake_fail(&fake.fail, IPR_ENOTFOUND, "", "no upload 9");
    r = ask("/api/v1/uploads/9/events", NULL);
    expect_problem(&r, 404, "not_found", "no such upload");
}

/* From 127.0.0.`from`. */
static int raw_stream_since(int from, const char *path, const char *last)
{
    struct sockaddr_in own = { .sin_family = AF_INET,
                               .sin_addr = { htonl(0x7f000000 + (uint32_t)from) } };
    char request[256];
    struct sockaddr_in to = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)client_port),
                              .sin_addr = { htonl(INADDR_LOOPBACK) } };
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int n = snprintf(
        request, sizeof request,
        "GET /api/v1/%s HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: %s\r\n\r\n", path, last);

    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&own, sizeof own), 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    assert_int_equal(send(fd, request, (size_t)n, 0), n);
    return fd;
}

static int raw_stream(const char *path)
{
    return raw_stream_since(1, path, "none");
}

/* What `fd` delivered until `what` came; NULL at the end or after ten seconds. */
static const char *read_until(int fd, const char *what)
{
    static char seen[8192];
    size_t n = 0;
    struct pollfd p = { .fd = fd, .events = POLLIN };

    while (n + 1 < sizeof seen && poll(&p, 1, 10000) == 1) {
        const ssize_t got = recv(fd, seen + n, sizeof seen - n - 1, 0);
        if (got <= 0)
            break;
        n += (size_t)got;
        seen[n] = '\0';
        if (strstr(seen, what) != NULL)
            return seen;
    }
    return NULL;
}

static bool arrives(int fd, const char *what)
{
    return read_until(fd, what) != NULL;
}

static void test_events_many(void **state)
{
    int fd[IPR_EVENTS_MAX];
    struct reply r;

    (void)state;
    fake_queue(1);
    for (int i = 0; i < IPR_EVENTS_MAX; i++) {
        if (i == IPR_STREAMS_OF_CLIENT) {
            r = ask("/api/v1/uploads/7/events", NULL);
            expect_problem(&r, 429, "rate_limited", "one too many of this client");
        }
        fd[i] = raw_stream_since(1 + i / IPR_STREAMS_OF_CLIENT, "uploads/7/events", "none");
        assert_true(arrives(fd[i], "\"queued\":1,"));
    }
    const int other = raw_stream_since(100, "uploads/7/events", "none");
    assert_true(arrives(other, "too_many_streams"));
    close(other);
    r = ask("/api/v1/uploads/7/events", NULL);
    assert_string_equal(header(&r, "Retry-After"), "5");
    expect_problem(&r, 429, "rate_limited", "again");

    /* Idle streams hold no thread, and one look serves all who watch. */
    r = ask("/health", NULL);
    expect_status(&r, 200, "still answering");
    reply_release(&r);
    const unsigned calls = fake.progress_calls;
    fake_queue(0);
    for (int i = 0; i < IPR_EVENTS_MAX; i++) {
        assert_true(arrives(fd[i], "event: done"));
        close(fd[i]);
    }
    assert_true(fake.progress_calls - calls < 10);
    for (int i = 0; i < 50; i++) { /* their places are free again, once MHD noticed */
        r = ask("/api/v1/uploads/7/events", NULL);
        const long status = r.status;
        reply_release(&r);
        if (status == 200)
            return;
        usleep(100000);
    }
    fail_msg("streams were not closed");
}

/* A browser leaves one page after another, each with a stream. */
static void test_events_left(void **state)
{
    (void)state;
    fake_queue(1);
    for (int i = 0; i < 3 * IPR_STREAMS_OF_CLIENT; i++) {
        const int fd = raw_stream("uploads/7/events");

        assert_true(arrives(fd, "\"queued\":1,"));
        close(fd);
    }
}

static unsigned looks(void)
{
    pthread_mutex_lock(&fake.lock);
    const unsigned n = fake.progress_calls;
    pthread_mutex_unlock(&fake.lock);
    return n;
}

/* An estimate that changes is no event; it comes with the next one. */
static void test_estimates_are_no_news(void **state)
{
    (void)state;
    fake_queue(2);
    const int fd = raw_stream("uploads/7/events");
    assert_true(arrives(fd, "\"queued\":2,\"seconds\":0,"));
    const unsigned before = looks();
    pthread_mutex_lock(&fake.lock);
    fake.seconds = 60;
    pthread_mutex_unlock(&fake.lock);
    fake_queue(2);
    for (int i = 0; i < 500 && looks() < before + 2; i++) /* it was looked at, with 60 seconds */
        usleep(10000);
    assert_true(looks() >= before + 2);
    fake_queue(1);
    const char *seen = read_until(fd, "\"queued\":1,\"seconds\":60,");
    assert_non_null(seen);
    assert_null(strstr(seen, "\"queued\":2,"));
    close(fd);
}

static void id_of(const char *seen, const char *event, char out[64])
{
    char want[64];

    snprintf(want, sizeof want, "\nevent: %s\n", event);
    const char *end = strstr(seen, want);
    assert_non_null(end);
    const char *begin = end;
    while (begin > seen && begin[-1] != ' ')
        begin--;
    snprintf(out, 64, "%.*s", (int)(end - begin), begin);
}

/* Who comes back with the id of the present state hears of the next one only; who missed the last
 * event gets that alone; a client that had it gets 204. */
static void test_reconnect(void **state)
{
    char id[64], done[64], header_line[96];

    (void)state;
    fake_queue(2);
    int fd = raw_stream("uploads/7/events");
    id_of(read_until(fd, "\"done\":false}\n\n"), "progress", id);
    close(fd);
    fd = raw_stream_since(1, "uploads/7/events", id);
    assert_true(arrives(fd, "retry: 3000\n\n"));
    fake_queue(0);
    const char *seen = read_until(fd, "event: done");
    assert_non_null(seen);
    assert_null(strstr(seen, "\"queued\":2,"));
    id_of(seen, "progress", id);
    id_of(seen, "done", done);
    close(fd);

    snprintf(header_line, sizeof header_line, "Last-Event-ID: %s", id);
    struct reply r = ask("/api/v1/uploads/7/events", header_line);
    expect_status(&r, 200, "without the last event");
    assert_null(strstr(ipr_buf_c(&r.body), "event: progress"));
    assert_non_null(strstr(ipr_buf_c(&r.body), "event: done"));
    reply_release(&r);
    snprintf(header_line, sizeof header_line, "Last-Event-ID: %s", done);
    r = ask("/api/v1/uploads/7/events", header_line);
    expect_status(&r, 204, "with the last event");
    reply_release(&r);
    fake_queue(1);
    fd = raw_stream_since(1, "uploads/7/events", done);
    assert_true(arrives(fd, "\"queued\":1,"));
    close(fd);
}

/* Each watcher hears of its own topic: an upload, a player, one of the player's years, the whole
 * queue; the last never ends. */
static void test_topics(void **state)
{
    static const struct {
        const char *path, *first, *next;
    } rows[] = {
        { "uploads/7/events", "{\"id\":7,\"queued\":2,",
          "event: done\ndata: {\"id\":7,\"queued\":0," },
        { "players/12/events", "{\"player\":12,\"year\":0,\"queued\":2,",
          "event: done\ndata: {\"player\":12,\"year\":0,\"queued\":0," },
        { "players/12/events?year=1971", "{\"player\":12,\"year\":1971,\"queued\":2,",
          "event: done\ndata: {\"player\":12,\"year\":1971,\"queued\":0," },
        { "queue/events", "{\"player\":0,\"year\":0,\"queued\":2,",
          "{\"player\":0,\"year\":0,\"queued\":0,\"done\":false" },
    };
    enum { N = sizeof rows / sizeof *rows };
    int fd[N];

    (void)state;
    fake_queue(2);
    for (size_t i = 0; i < N; i++) {
        fd[i] = raw_stream(rows[i].path);
        assert_true(arrives(fd[i], rows[i].first));
    }
    fake_queue(0);
    for (size_t i = 0; i < N; i++)
        assert_true(arrives(fd[i], rows[i].next));
    fake_queue(1);
    assert_true(arrives(fd[N - 1], "\"queued\":1,"));
    for (size_t i = 0; i < N; i++)
        close(fd[i]);
}

/* A reader that leaves is noticed at the next change and forgotten; stopping ends the others. */
static void test_stop_with_streams(void **state)
{
    (void)state;
    fake_queue(5);
    const int leaves = raw_stream("uploads/7/events"), stays = raw_stream("uploads/7/events");
    assert_true(arrives(leaves, "\"queued\":5,"));
    assert_true(arrives(stays, "\"queued\":5,"));
    close(leaves);
    fake_queue(4);
    assert_true(arrives(stays, "\"queued\":4,"));
    ipr_http_stop(&http);
    assert_false(arrives(stays, "never"));
    close(stays);
    start(NULL);
}

/* ---- listening ---- */

static void test_listen(void **state)
{
    static const char *const bad[] = { "",        "8080",          "127.0.0.1",      "host:port",
                                       "a:65536", "127.0.0.1:-1",  "[::1]",          "::1:80",
                                       "[::1:80", "127.0.0.1:80x", "127.0.0.1:80:90" };
    struct ipr_err err = IPR_ERR_INIT;
    int fd, port;
    bool loopback;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ipr_err_clear(&err);
        assert_int_equal(ipr_listen(bad[i], &fd, &port, &loopback, &err), IPR_EPARSE);
    }
    ipr_err_clear(&err);
    assert_ok(ipr_listen("localhost:0", &fd, &port, &loopback, &err), &err);
    assert_true(loopback && port > 0);
    close(fd);
    assert_ok(ipr_listen(":0", &fd, &port, &loopback, &err), &err);
    assert_false(loopback);
    close(fd);
    if (ipr_listen("[::1]:0", &fd, &port, &loopback, NULL) == IPR_OK) { /* where there is IPv6 */
        assert_true(loopback && port > 0);
        close(fd);
    }
    assert_int_equal(ipr_listen("no.such.host.invalid:80", &fd, &port, &loopback, &err), IPR_EIO);
}

static void test_port_in_use(void **state)
{
    char address[64], want[128];
    const struct ipr_http_options o = { .config = &config, .listen = address };
    struct ipr_http *second = NULL;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    snprintf(address, sizeof address, "127.0.0.1:%d", client_port);
    snprintf(want, sizeof want, "cannot listen on %s: address already in use", address);
    assert_int_equal(ipr_http_start(&o, &second, &err), IPR_EIO);
    assert_string_equal(err.msg, want);
    assert_null(second);
}

static void test_without_database(void **state)
{
    struct ipr_http *kept = http;
    const int port = client_port;
    const struct ipr_http_options o = { .config = &config, .listen = "127.0.0.1:0" };
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_ok(ipr_http_start(&o, &http, &err), &err);
    client_port = ipr_http_port(http);
    struct reply r = ask("/api/v1/judges", NULL);
    expect_problem(&r, 503, "try_again", "no pool");
    r = ask("/nowhere", "Accept: text/html");
    expect_problem(&r, 404, "no_such_address", "no templates");
    ipr_http_stop(&http);
    http = kept;
    client_port = port;
}

static void *reader(void *failed)
{
    static const char *const paths[] = { "/", "/api/v1/players?q=a", "/static/css/site.css",
                                         "/nowhere" };

    for (int i = 0; i < 40; i++) {
        struct reply r;
        struct curl_slist *list;
        CURL *c = client_handle("GET", paths[i % 4], NULL, &r, &list);

        if (client_perform(c, list, &r) != CURLE_OK || r.status != (i % 4 == 3 ? 404 : 200))
            atomic_fetch_add((atomic_int *)failed, 1);
        reply_release(&r);
    }
    return NULL;
}

static void test_many_readers(void **state)
{
    pthread_t t[6];
    atomic_int failed = 0;

    (void)state;
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(pthread_create(&t[i], NULL, reader, &failed), 0);
    for (size_t i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_events),      TEST(test_events_done_already),   TEST(test_events_many),
        TEST(test_events_left), TEST(test_estimates_are_no_news), TEST(test_reconnect),
        TEST(test_topics),      TEST(test_stop_with_streams),     TEST(test_listen),
        TEST(test_port_in_use), TEST(test_without_database),      TEST(test_many_readers),
    };

    return cmocka_run_group_tests_name("http streams", tests, begin_all, end_all);
}
