/* Bodies on their way in, by every road, and what is too large. Storage is replaced. */
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>

#include "fixture.h"
#include "http/base/compute_pool.h"
#include "http/base/import_queue.h"
#include "posters.h"

#define HTTP_THREADS 8 /* POOL_THREADS of http.c */

static void expect_ingest(long long bytes, const char *options)
{
    assert_int_equal(fake.ingest_bytes, bytes);
    assert_string_equal(fake.ingest, options);
}

static void test_upload_raw(void **state)
{
    static const struct {
        const char *path, *headers, *options;
    } rows[] = {
        { "/api/v1/uploads", PGN, "api standard 5 1048576" },
        { "/api/v1/uploads", "Content-Type:", "api standard 5 1048576" },
        { "/api/v1/uploads", "Content-Type: text/plain; charset=utf-8", "api standard 5 1048576" },
        { "/api/v1/uploads?judge=quick&priority=1", "Content-Type: application/vnd.chess-pgn",
          "api quick 1 1048576" },
        { "/api/v1/uploads?analyse=false", "Content-Type: application/x-www-form-urlencoded",
          "api - 5 1048576" },
        { "/api/v1/uploads", "Content-Type: application/json; charset=utf-8",
          "api standard 5 1048576" },
        { "/api/v1/uploads", "Content-Type: application/x-ndjson", "api standard 5 1048576" },
        { "/api/v1/uploads", "Content-Type: application/jsonl", "api standard 5 1048576" },
        { "/api/v1/uploads?judge=deep&analyse=true", "Content-Type: application/octet-stream",
          "api deep 5 1048576" },
        { "/api/v1/uploads", PGN "\nContent-Encoding: gzip", "api standard 5 1048576" },
        { "/api/v1/uploads", PGN "\nContent-Encoding: zstd", "api standard 5 1048576" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reply r = ask_with("POST", rows[i].path, rows[i].headers, "1. e4 *", 7);

        expect_status(&r, 202, rows[i].path);
        assert_string_equal(header(&r, "Location"), "/api/v1/uploads/7");
        assert_string_equal(ipr_buf_c(&r.body), "{\"call\":\"/api/v1/uploads/7\",\"share\":0.1}\n");
        expect_ingest(7, rows[i].options);
        reply_release(&r);
    }
}

static void test_upload_refused(void **state)
{
    static const struct {
        const char *path, *headers, *body;
        long status;
        const char *type;
    } rows[] = {
        { "", "Content-Type: image/png", "x", 415, "unsupported_type" },
        { "", "Content-Type: text/plainly", "x", 415, "unsupported_type" },
        { "", "Content-Type: application/pdf", "x", 415, "unsupported_type" },
        { "", PGN "\nContent-Encoding: br", "x", 415, "unsupported_encoding" },
        { "", PGN "\nContent-Encoding: gzip, gzip", "x", 415, "unsupported_encoding" },
        { "", PGN, "", 400, "empty_body" },
        { "?judge=other", PGN, "x", 400, "bad_parameter" },
        { "?priority=0", PGN, "x", 400, "bad_parameter" },
        { "?priority=10", PGN, "x", 400, "bad_parameter" },
        { "?analyse=yes", PGN, "x", 400, "bad_parameter" },
        { "?analyze=true", PGN, "x", 400, "unknown_parameter" },
        { "", "Content-Type: multipart/form-data", "x", 400, "bad_form" },
        { "", "Content-Type: multipart/form-data; boundary=b", "nonsense", 400, "bad_form" },
        { "", "Content-Type: multipart/form-data; boundary=b", "", 400, "bad_form" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[128];

        snprintf(path, sizeof path, "/api/v1/uploads%s", rows[i].path);
        struct reply r =
            ask_with("POST", path, rows[i].headers, rows[i].body, strlen(rows[i].body));
        expect_problem(&r, rows[i].status, rows[i].type, rows[i].headers);
        assert_int_equal(fake.ingest_bytes, -1);
    }
    fake_fail(&fake.ingest_fail, IPR_EPARSE, "no_games", "no game in it");
    struct reply r = ask_with("POST", "/api/v1/uploads", PGN, "x", 1);
    assert_non_null(strstr(ipr_buf_c(&r.body), "\"line\":3"));
    expect_problem(&r, 400, "no_games", "ingest refuses");
}

static size_t give(char *to, size_t size, size_t n, void *left)
{
    size_t *rest = left;
    const size_t now = size * n < *rest ? size * n : *rest;

    memset(to, 'x', now);
    *rest -= now;
    return now;
}

/* POST of `n` bytes; chunked when the length is not given. */
static struct reply post_long(size_t n, bool told, const char *headers, CURLcode *rc)
{
    struct reply r;
    struct curl_slist *list;
    CURL *c = client_handle("POST", "/api/v1/uploads", headers, &r, &list);
    size_t left = n;

    curl_easy_setopt(c, CURLOPT_POST, 1L);
    curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, NULL);
    curl_easy_setopt(c, CURLOPT_READFUNCTION, give);
    curl_easy_setopt(c, CURLOPT_READDATA, &left);
    curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, told ? (curl_off_t)n : (curl_off_t)-1);
    *rc = client_perform(c, list, &r);
    return r;
}

static void test_upload_limit(void **state)
{
    CURLcode rc;

    (void)state;
    struct reply r = post_long(MIB, true, PGN "\nExpect: 100-continue", &rc);
    expect_status(&r, 202, "exactly the limit");
    assert_non_null(strstr(ipr_buf_c(&r.head), "100 Continue"));
    assert_int_equal(fake.ingest_bytes, MIB);
    reply_release(&r);

    r = post_long(MIB, false, PGN "\nTransfer-Encoding: chunked", &rc);
    expect_status(&r, 202, "exactly the limit, chunked");
    assert_int_equal(fake.ingest_bytes, MIB);
    reply_release(&r);

    fake_reset();
    r = post_long(MIB + 1, true, PGN "\nExpect: 100-continue", &rc);
    assert_null(strstr(ipr_buf_c(&r.head), "100 Continue"));
    expect_problem(&r, 413, "upload_too_large", "by its length");
    r = post_long(MIB + 1, true, PGN "\nExpect:", &rc);
    expect_problem(&r, 413, "upload_too_large", "by its length, not waiting");
    r = post_long(3 * MIB, false, PGN "\nTransfer-Encoding: chunked", &rc);
    expect_problem(&r, 413, "upload_too_large", "while streaming");

    /* Far beyond the limit: the connection is closed, with or without an answer, and nothing is
     * stored.
     */
    r = post_long((size_t)200 * MIB, false, PGN "\nTransfer-Encoding: chunked\nExpect:", &rc);
    assert_int_not_equal(r.status, 202);
    reply_release(&r);
    assert_int_equal(fake.ingest_bytes, -1);
}

struct part {
    const char *name, *filename, *data;
};

static struct reply post_form(const struct part *parts, size_t n, const char *headers)
{
    struct reply r;
    struct curl_slist *list;
    CURL *c = client_handle("POST", "/api/v1/uploads", headers, &r, &list);
    curl_mime *form = curl_mime_init(c);

    for (size_t i = 0; i < n; i++) {
        curl_mimepart *part = curl_mime_addpart(form);

        curl_mime_name(part, parts[i].name);
        curl_mime_data(part, parts[i].data, CURL_ZERO_TERMINATED);
        if (parts[i].filename != NULL)
            curl_mime_filename(part, parts[i].filename);
    }
    curl_easy_setopt(c, CURLOPT_MIMEPOST, form);
    curl_easy_perform(c);
    curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &r.status);
    curl_easy_cleanup(c);
    curl_mime_free(form);
    curl_slist_free_all(list);
    return r;
}

static void test_upload_form(void **state)
{
    const struct part file = { "file", "C:\\games\\été.pgn", "1. e4 e5 *\n" };
    const struct part with_fields[] = { { "judge", NULL, "quick" },
                                        file,
                                        { "priority", NULL, "9" } };
    const struct part wrong_field[] = { file, { "colour", NULL, "red" } };
    const struct part no_file[] = { { "judge", NULL, "quick" } };
    const struct part empty_file[] = { { "file", "a.pgn", "" } };
    const struct part two[] = { file, file };
    const struct part bad_value[] = { file, { "priority", NULL, "soon" } };
    char long_value[100];
    const struct part long_field[] = { file, { "judge", NULL, long_value } };

    (void)state;
    memset(long_value, 'j', sizeof long_value);
    long_value[sizeof long_value - 1] = '\0';
    struct reply r = post_form(&file, 1, NULL);
    expect_status(&r, 202, "file");
    expect_ingest(11, "été.pgn standard 5 1048576");
    reply_release(&r);

    r = post_form(with_fields, 3, "Accept: text/html,application/xhtml+xml");
    expect_status(&r, 303, "from a browser");
    assert_string_equal(header(&r, "Location"), "/uploads/7");
    expect_ingest(11, "été.pgn quick 9 1048576");
    reply_release(&r);

    fake_reset();
    r = post_form(wrong_field, 2, NULL);
    expect_problem(&r, 400, "bad_form", "unknown field");
    r = post_form(no_file, 1, NULL);
    expect_problem(&r, 400, "bad_form", "no file");
    r = post_form(empty_file, 1, NULL);
    expect_status(&r, 400, "empty file");
    reply_release(&r);
    r = post_form(two, 2, NULL);
    expect_problem(&r, 400, "bad_form", "two files");
    r = post_form(bad_value, 2, NULL);
    expect_problem(&r, 400, "bad_parameter", "bad value");
    r = post_form(long_field, 2, NULL);
    expect_problem(&r, 400, "bad_form", "long value");
    assert_int_equal(fake.ingest_bytes, -1);

    fake_fail(&fake.ingest_fail, IPR_EPARSE, "no_games", "no game in it");
    r = post_form(&file, 1, "Accept: text/html");
    expect_status(&r, 400, "a browser sees a page");
    assert_non_null(strstr(ipr_buf_c(&r.body), "<h1>400 No games</h1><p>no game in it</p>"));
    reply_release(&r);
}

static void test_upload_form_too_large(void **state)
{
    char *big = malloc((size_t)2 * MIB + 1);
    const struct part file = { "file", "a.pgn", big };

    (void)state;
    memset(big, 'x', (size_t)2 * MIB);
    big[2 * MIB] = '\0';
    struct reply r = post_form(&file, 1, "Expect:");
    expect_problem(&r, 413, "upload_too_large", "form");
    r = post_form(&file, 1, "Expect:\nTransfer-Encoding: chunked");
    expect_problem(&r, 413, "upload_too_large", "chunked form");
    assert_int_equal(fake.ingest_bytes, -1);
    free(big);
}

/* A GET may carry a body; it is read past. */
static void test_body_of_a_read(void **state)
{
    (void)state;
    struct reply r = ask_with("GET", "/health", PGN, "hello", 5);
    expect_status(&r, 200, "GET with a body");
    reply_release(&r);
}

/* ---- waiting for an import ---- */

/* One import begins and does not end, as many wait as may, and `more` beyond them are sent home:
 * once those were, nobody else is on the way. */
static void fill_queue(struct poster *p, int more)
{
    const int n = 1 + IPR_IMPORTS_WAITING_MAX + more;

    assert_true(n <= POSTERS_MAX);
    posters_reset();
    fake_hold(&fake.ingest_held, true);
    for (int i = 0; i < n; i++) {
        p[i] = (struct poster){ 0 };
        snprintf(p[i].body, sizeof p[i].body, "%*s1. e4 *", n - i, "");
        poster_start(&p[i]);
        if (i == 0)
            fake_await(&fake.ingests, 1);
    }
    posters_await(more);
}

/* Among others who came first is settled by the network: only their numbers are known. */
static void expect_answers(struct poster *p, int n, int accepted, int refused)
{
    int yes = 0, no = 0;

    for (int i = 0; i < n; i++) {
        poster_join(&p[i]);
        yes += p[i].reply.status == 202 ? 1 : 0;
        no += p[i].reply.status == 503 ? 1 : 0;
        if (p[i].reply.status == 503)
            expect_refused(&p[i], "import_running");
        else
            reply_release(&p[i].reply);
    }
    assert_int_equal(yes, accepted);
    assert_int_equal(no, refused);
}

static void test_full_queue(void **state)
{
    const int more = 3, n = 1 + IPR_IMPORTS_WAITING_MAX + more;
    struct poster *p = calloc(POSTERS_MAX, sizeof *p);

    (void)state;
    fill_queue(p, more);
    /* Nobody's thread is taken: all that may wait do, and pages are answered. */
    for (int i = 0; i < 20; i++) {
        struct reply r = ask("/api/v1/judges", NULL);

        expect_status(&r, 200, "a page meanwhile");
        reply_release(&r);
    }
    assert_int_equal(posters_answered(), more);
    assert_int_equal(fake_ingests(), 1);
    fake_hold(&fake.ingest_held, false);
    expect_answers(p, n, n - more, more);
    assert_int_equal(fake_ingests(), n - more);
    for (int i = 2; i < n - more; i++) /* of those that waited the small ones came first */
        assert_true(fake.ingested[i - 1] < fake.ingested[i]);
    free(p);
}

static void *stopper(void *cls)
{
    (void)cls;
    ipr_http_stop(&http);
    return NULL;
}

/* Waiting uploads are answered while the running one continues; that one succeeds. */
static void test_stop_with_waiting(void **state)
{
    const int n = 1 + IPR_IMPORTS_WAITING_MAX + 1;
    struct poster *p = calloc(POSTERS_MAX, sizeof *p);
    pthread_t thread;
    int sent_home = 0;

    (void)state;
    fill_queue(p, 1);
    assert_int_equal(pthread_create(&thread, NULL, stopper, NULL), 0);
    posters_await(n - 1);
    assert_int_equal(posters_answered(), n - 1);
    fake_hold(&fake.ingest_held, false);
    pthread_join(thread, NULL);
    assert_null(http);
    expect_accepted(&p[0]);
    for (int i = 1; i < n; i++) {
        poster_join(&p[i]);
        const bool full = strstr(ipr_buf_c(&p[i].reply.body), "import_running") != NULL;
        sent_home += full ? 1 : 0;
        expect_refused(&p[i], full ? "import_running" : "try_again");
    }
    assert_int_equal(sent_home, 1);
    assert_int_equal(fake_ingests(), 1);
    assert_int_equal(fake.leased, 0);
    free(p);
    start(NULL);
}

/* Each on a thread of the service of its own, from clients with as many as one may have. */
static void occupy(struct poster *reader, int n)
{
    fake_hold(&fake.views_held, true);
    for (int i = 0; i < n; i++) {
        reader[i] =
            (struct poster){ .page = "/api/v1/judges", .from = 2 + i / IPR_COMPUTE_OF_CLIENT };
        poster_start(&reader[i]);
        fake_await(&fake.views, i + 1);
    }
}

/* Even when every thread is busy, those in line are answered, one way or the other, before their
 * connections are closed. */
static void test_stop_while_busy(void **state)
{
    static const struct timespec pause = { 0, 200000000 };
    const int n = 1 + IPR_IMPORTS_WAITING_MAX + 1;
    struct poster *p = calloc(POSTERS_MAX, sizeof *p), reader[HTTP_THREADS];
    pthread_t thread;

    (void)state;
    fill_queue(p, 1);
    occupy(reader, HTTP_THREADS);
    assert_int_equal(pthread_create(&thread, NULL, stopper, NULL), 0);
    fake_hold(&fake.ingest_held, false);
    nanosleep(&pause, NULL); /* time to do wrong */
    fake_hold(&fake.views_held, false);
    pthread_join(thread, NULL);
    for (int i = 0; i < n; i++) {
        poster_join(&p[i]);
        assert_true(p[i].reply.status == 202 || p[i].reply.status == 503);
        reply_release(&p[i].reply);
    }
    for (int i = 0; i < HTTP_THREADS; i++) {
        pthread_join(reader[i].thread, NULL);
        reply_release(&reader[i].reply);
    }
    free(p);
    start(NULL);
}

static void send_figures(struct poster *p)
{
    *p = (struct poster){ .to = "/api/v1/calibrations?name=mine", .body = "{}" };
    poster_start(p);
}

/* Figures have a thread of their own, one at a time: no upload waits for them. */
static void test_figures(void **state)
{
    struct poster first, second, upload = { .body = "1. e4 *" };

    (void)state;
    fake_hold(&fake.works_held, true);
    send_figures(&first);
    fake_await(&fake.works, 1);
    send_figures(&second);
    expect_refused(&second, "work_running");
    poster_start(&upload);
    expect_accepted(&upload);
    fake_hold(&fake.works_held, false);
    poster_join(&first);
    expect_status(&first.reply, 201, "figures");
    reply_release(&first.reply);
    send_figures(&second);
    poster_join(&second);
    expect_status(&second.reply, 201, "figures");
    reply_release(&second.reply);
    assert_int_equal(fake.leased, 0);
}

/* A stop ends them, and says so. */
static void test_stop_with_figures(void **state)
{
    struct poster p;

    (void)state;
    fake_hold(&fake.works_held, true);
    send_figures(&p);
    fake_await(&fake.works, 1);
    ipr_http_stop(&http);
    assert_null(http);
    expect_refused(&p, "try_again");
    start(NULL);
}

/* A connection that was suspended serves on: the next upload goes through the same one. */
static void test_same_connection(void **state)
{
    struct reply r;
    struct curl_slist *list;
    CURL *c = client_handle("POST", "/api/v1/uploads", PGN, &r, &list);
    long opened = -1;

    (void)state;
    curl_easy_setopt(c, CURLOPT_POSTFIELDS, "1. e4 *");
    assert_int_equal(curl_easy_perform(c), CURLE_OK);
    reply_release(&r);
    assert_int_equal(curl_easy_perform(c), CURLE_OK);
    assert_int_equal(curl_easy_getinfo(c, CURLINFO_NUM_CONNECTS, &opened), CURLE_OK);
    assert_int_equal(client_perform(c, list, &r), CURLE_OK);
    assert_int_equal(opened, 0);
    expect_status(&r, 202, "the third");
    assert_int_equal(fake_ingests(), 3);
    reply_release(&r);
}

/* Sends a whole upload and does not wait for the answer. */
static void post_and_go(void)
{
    static const char request[] = "POST /api/v1/uploads HTTP/1.1\r\nHost: localhost\r\n" PGN
                                  "\r\nContent-Length: 7\r\n\r\n1. d4 *";
    const struct sockaddr_in to = { .sin_family = AF_INET,
                                    .sin_port = htons((uint16_t)client_port),
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof to), 0);
    assert_int_equal(write(fd, request, sizeof request - 1), sizeof request - 1);
    close(fd);
}

/* A client that leaves loses nobody's answer, and its games are imported all the same. */
static void test_client_leaves(void **state)
{
    struct poster p[2] = { { .body = "1. e4 *" }, { .body = "1. c4 *" } };

    (void)state;
    posters_reset();
    fake_hold(&fake.ingest_held, true);
    poster_start(&p[0]);
    fake_await(&fake.ingests, 1);
    post_and_go();
    poster_start(&p[1]);
    fake_hold(&fake.ingest_held, false);
    expect_accepted(&p[0]);
    expect_accepted(&p[1]);
    fake_await(&fake.ingests, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_upload_raw),        TEST(test_upload_refused),        TEST(test_upload_limit),
        TEST(test_upload_form),       TEST(test_upload_form_too_large), TEST(test_body_of_a_read),
        TEST(test_full_queue),        TEST(test_stop_with_waiting),     TEST(test_client_leaves),
        TEST(test_same_connection),   TEST(test_stop_while_busy),       TEST(test_figures),
        TEST(test_stop_with_figures),
    };

    return cmocka_run_group_tests_name("http uploads", tests, begin_all, end_all);
}
