/* Answers that take long to compute: two at a time, the others are sent home, and everybody else is
 * answered meanwhile; simultaneous requests for one answer share it. */
#include "fixture.h"

#include <arpa/inet.h>

#include "http/answer/concurrency.h"
#include "http/base/compute_pool.h"
#include "posters.h"

#define RATINGS    "/api/v1/players/12/ratings"
#define PREDICTION "/api/v1/predictions?white=1:1971&black=2:1972"

static const char *const heavy[] = {
    RATINGS "?include=depth_weighted",
    RATINGS "?year=1971&include=fits",
    RATINGS "?from=1970&to=1972",
    RATINGS "?from=1970",
    RATINGS "?color=white",
    "/api/v1/events/9?limit=41",
    PREDICTION "&replicates=2000",
    PREDICTION "&seed=0",
    "/events/9?limit=100",
};
#define N_HEAVY (sizeof heavy / sizeof *heavy)

static const char *const light[] = {
    RATINGS,
    RATINGS "?year=1971&color=white",
    "/events/9?limit=40",
    PREDICTION "&replicates=0",
    RATINGS "?event=9&color=black",
};
#define N_LIGHT (sizeof light / sizeof *light)

static void begin_from(int from, struct poster *p, const char *page, int views)
{
    *p = (struct poster){ .page = page, .from = from };
    poster_start(p);
    fake_await(&fake.views, views);
}

static void begin(struct poster *p, const char *page, int views)
{
    begin_from(1, p, page, views);
}

static void end(struct poster *p)
{
    poster_join(p);
    expect_status(&p->reply, 200, p->page);
    reply_release(&p->reply);
}

static void test_places(void **state)
{
    struct poster at_work[IPR_CONCURRENCY_MAX], other[N_LIGHT];
    int views = 0;

    (void)state;
    fake_hold(&fake.views_held, true);
    for (int i = 0; i < IPR_CONCURRENCY_MAX; i++)
        begin(&at_work[i], heavy[i], ++views);
    for (size_t round = 0; round < 3; round++)
        for (size_t i = 0; i < N_HEAVY; i++) {
            struct reply r = ask(heavy[i], NULL);
            assert_string_equal(header(&r, "Retry-After"), "5");
            expect_problem(&r, 503, "busy_computing", heavy[i]);
        }
    struct reply r = ask_with("HEAD", heavy[0], NULL, NULL, 0);
    expect_status(&r, 503, "HEAD");
    reply_release(&r);
    r = ask("/health", NULL);
    expect_status(&r, 200, "health");
    reply_release(&r);
    for (size_t i = 0; i < N_LIGHT; i++)
        begin_from(2 + (int)i, &other[i], light[i], ++views);
    fake_hold(&fake.views_held, false);
    for (size_t i = 0; i < N_LIGHT; i++)
        end(&other[i]);
    for (int i = 0; i < IPR_CONCURRENCY_MAX; i++)
        end(&at_work[i]);
    assert_int_equal(fake.leased, 0);
}

/* However it ended, the place is free again. */
static void test_given_back(void **state)
{
    (void)state;
    fake_fail(&fake.fail, IPR_ENOTFOUND, "", "no player 12");
    for (int i = 0; i < 2 * IPR_CONCURRENCY_MAX; i++) {
        struct reply r = ask(heavy[0], NULL);
        expect_problem(&r, 404, "not_found", "refused");
    }
    fake_reset();
    for (size_t i = 0; i < N_HEAVY; i++) {
        struct reply r = ask(heavy[i], NULL);
        expect_status(&r, 200, heavy[i]);
        reply_release(&r);
    }
}

/* ---- one answer for many ---- */

#define N_SHARERS 40

/* With a cache of its own, where a sharer that comes late finds the answer. */
static struct ipr_http *start_beside(int *port)
{
    struct ipr_http *kept = http;

    *port = client_port;
    config.cache_mb = 1;
    start(NULL);
    config.cache_mb = 0;
    return kept;
}

static void back_to(struct ipr_http *kept, int port)
{
    ipr_http_stop(&http);
    http = kept;
    client_port = port;
}

/* The first computes; the others have queried the version, after which they wait for its answer. */
static void begin_sharers(struct poster all[N_SHARERS], const char *page)
{
    pthread_mutex_lock(&fake.lock);
    const int before = fake.versions;
    pthread_mutex_unlock(&fake.lock);
    fake.same_data = true;
    fake_hold(&fake.views_held, true);
    begin(&all[0], page, 1);
    for (int i = 1; i < N_SHARERS; i++) {
        all[i] = (struct poster){ .page = page };
        poster_start(&all[i]);
    }
    fake_await(&fake.versions, before + N_SHARERS);
}

static void end_sharers(struct poster all[N_SHARERS])
{
    for (int i = 1; i < N_SHARERS; i++) {
        poster_join(&all[i]);
        assert_string_equal(ipr_buf_c(&all[i].reply.body), ipr_buf_c(&all[0].reply.body));
        end(&all[i]);
    }
}

/* ---- turns ---- */

#define N_WAITING 12

/* Two clients have all threads, each its share, and more that wait: a third one is next. Views end
 * one at a time, so that the one that begins is the one whose turn it is. */
static void test_turns(void **state)
{
    struct poster all[2][IPR_COMPUTE_OF_CLIENT + N_WAITING], third;
    char pages[2][IPR_COMPUTE_OF_CLIENT + N_WAITING][64];
    int views = 0;

    (void)state;
    fake_hold(&fake.views_held, true);
    for (int i = 0; i < IPR_COMPUTE_OF_CLIENT + N_WAITING; i++)
        for (int k = 0; k < 2; k++) {
            views += i < IPR_COMPUTE_OF_CLIENT;
            snprintf(pages[k][i], sizeof pages[k][i], "/api/v1/identity-changes?limit=%d",
                     1 + i + 20 * k);
            begin_from(2 + k, &all[k][i], pages[k][i], views);
        }
    usleep(200000); /* those that wait have come */
    fake.awaited = "limit=99";
    begin_from(4, &third, "/api/v1/identity-changes?limit=99", views);
    usleep(200000);
    assert_int_equal(fake.views, IPR_COMPUTE_THREADS);
    for (int i = 1; i <= 3; i++) {
        fake_count(&fake.views_let);
        fake_await(&fake.views, IPR_COMPUTE_THREADS + i);
    }
    assert_in_range(fake.awaited_at, IPR_COMPUTE_THREADS + 1, IPR_COMPUTE_THREADS + 3);
    fake_hold(&fake.views_held, false);
    end(&third);
    fake.awaited = NULL;
    for (int i = 0; i < IPR_COMPUTE_OF_CLIENT + N_WAITING; i++)
        for (int k = 0; k < 2; k++)
            end(&all[k][i]);
}

/* However many wait for an answer, all other places are free: for computing … */
static void test_sharers(void **state)
{
    struct poster all[N_SHARERS], other[IPR_COMPUTE_THREADS - 1];
    char pages[IPR_COMPUTE_THREADS - 1][64];
    int port;
    struct ipr_http *kept = start_beside(&port);

    (void)state;
    begin_sharers(all, "/api/v1/identity-changes?limit=1");
    for (int i = 0; i < IPR_COMPUTE_THREADS - 1; i++) {
        snprintf(pages[i], sizeof pages[i], "/api/v1/identity-changes?limit=%d", 5 + i);
        begin_from(2 + i, &other[i], pages[i], 2 + i);
    }
    for (int i = 0; i < N_SHARERS; i++) { /* … and for what needs no computing */
        struct reply r = ask("/health", NULL);
        expect_status(&r, 200, "health");
        reply_release(&r);
    }
    fake_hold(&fake.views_held, false);
    poster_join(&all[0]);
    end_sharers(all);
    end(&all[0]);
    for (int i = 0; i < IPR_COMPUTE_THREADS - 1; i++)
        end(&other[i]);
    assert_int_equal(fake.views, IPR_COMPUTE_THREADS);
    back_to(kept, port);
}

/* A failure is nobody else's answer: each one computes. */
static void test_sharers_of_failure(void **state)
{
    struct poster all[N_SHARERS];

    (void)state;
    begin_sharers(all, "/api/v1/identity-changes?limit=2");
    fake_fail(&fake.fail, IPR_ENOTFOUND, "", "no player");
    fake_hold(&fake.views_held, false);
    for (int i = 0; i < N_SHARERS; i++) {
        poster_join(&all[i]);
        expect_problem(&all[i].reply, 404, "not_found", "shared");
    }
    assert_int_equal(fake.views, N_SHARERS);
    assert_int_equal(fake.leased, 0);
}

/* A client that sends a request and goes. */
static int ask_and_wait(const char *page)
{
    const struct sockaddr_in to = { .sin_family = AF_INET,
                                    .sin_port = htons((uint16_t)client_port),
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    char text[256];
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int n =
        snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: */*\r\n\r\n",
                 page, client_port);

    assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof to), 0);
    assert_int_equal(write(fd, text, (size_t)n), n);
    return fd;
}

/* Neither who computes nor who shares has to be there in the end. */
static void test_sharers_gone(void **state)
{
    static const char page[] = "/api/v1/identity-changes?limit=3";
    struct poster all[N_SHARERS];
    int gone[2], port;
    struct ipr_http *kept = start_beside(&port);

    (void)state;
    fake.same_data = true;
    fake_hold(&fake.views_held, true);
    gone[0] = ask_and_wait(page);
    fake_await(&fake.views, 1);
    gone[1] = ask_and_wait(page);
    fake_await(&fake.versions, 2);
    begin_sharers(all, page);
    assert_int_equal(close(gone[0]), 0);
    assert_int_equal(close(gone[1]), 0);
    fake_hold(&fake.views_held, false);
    poster_join(&all[0]);
    end_sharers(all);
    end(&all[0]);
    assert_int_equal(fake.views, 1);
    back_to(kept, port);
}

static void *stop_service(void *cls)
{
    ipr_http_stop(cls);
    return NULL;
}

/* The service stops when what is being computed is answered, to the sharers, too. */
static void test_stop(void **state)
{
    struct poster all[N_SHARERS];
    pthread_t thread;
    int port;
    struct ipr_http *kept = start_beside(&port);

    (void)state;
    begin_sharers(all, "/api/v1/identity-changes?limit=4");
    assert_int_equal(pthread_create(&thread, NULL, stop_service, &http), 0);
    fake_hold(&fake.views_held, false);
    pthread_join(thread, NULL);
    assert_null(http);
    poster_join(&all[0]);
    end_sharers(all);
    end(&all[0]);
    back_to(kept, port);
}

/* ---- quotas ---- */

/* Costly requests of one client are counted, others are free; each client has its own quota. */
static void test_rate_limit(void **state)
{
    static const char one[] = "X-Forwarded-For: 198.51.100.9, 203.0.113.5";
    static const char *const same[] = { one, "X-Forwarded-For: 203.0.113.5",
                                        "Forwarded: for=203.0.113.5;proto=https" };
    static const char *const others[] = { "X-Forwarded-For: 203.0.113.6", "X-Other: none",
                                          "X-Forwarded-For: 2001:db8::1" };
    struct ipr_http *kept = http;
    const int port = client_port;
    char want[32];

    (void)state;
    config.rate_limit = 3;
    config.trusted_proxies = "127.0.0.1";
    start(NULL);
    for (int i = 0; i < 3; i++) {
        struct reply r = ask(heavy[0], same[i]);
        expect_status(&r, 200, "within the quota");
        assert_string_equal(header(&r, "RateLimit-Policy"), "\"costly\";q=3;w=60");
        snprintf(want, sizeof want, "\"costly\";r=%d;t=", 2 - i);
        assert_memory_equal(header(&r, "RateLimit"), want, strlen(want));
        reply_release(&r);
    }
    struct reply r = ask(heavy[0], one);
    assert_in_range(strtol(header(&r, "Retry-After"), NULL, 10), 1, 20);
    assert_memory_equal(header(&r, "RateLimit"), "\"costly\";r=0;t=", 15);
    expect_problem(&r, 429, "rate_limited", "beyond it");
    r = ask(light[0], one);
    expect_status(&r, 200, "a cheap request");
    assert_string_equal(header(&r, "RateLimit"), "");
    reply_release(&r);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        r = ask(heavy[0], others[i]);
        expect_status(&r, 200, others[i]);
        reply_release(&r);
    }
    /* An IPv6 client is its network. */
    r = ask(heavy[0], "X-Forwarded-For: 2001:db8::2");
    assert_non_null(strstr(header(&r, "RateLimit"), ";r=1;"));
    reply_release(&r);
    /* Two fields that disagree: one of them is the client's. The proxy is counted. */
    r = ask(heavy[0], "X-Forwarded-For: 203.0.113.8\nForwarded: for=203.0.113.9");
    assert_non_null(strstr(header(&r, "RateLimit"), ";r=1;"));
    reply_release(&r);
    ipr_http_stop(&http);
    config.rate_limit = 0;
    config.trusted_proxies = NULL;
    http = kept;
    client_port = port;
}

/* A sender that is no trusted proxy is counted by its own address, whatever it says. */
static void test_rate_limit_believes_nobody(void **state)
{
    struct ipr_http *kept = http;
    const int port = client_port;
    char said[64];

    (void)state;
    config.rate_limit = 3;
    config.trusted_proxies = "192.0.2.1";
    start(NULL);
    for (int i = 0; i < 4; i++) {
        snprintf(said, sizeof said, "X-Forwarded-For: 203.0.113.%d\nForwarded: for=203.0.113.%d", i,
                 i);
        struct reply r = ask(heavy[0], said);

        if (i == 3) {
            expect_problem(&r, 429, "rate_limited", said);
            break;
        }
        expect_status(&r, 200, said);
        reply_release(&r);
    }
    ipr_http_stop(&http);
    config.rate_limit = 0;
    config.trusted_proxies = NULL;
    http = kept;
    client_port = port;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_places),  TEST(test_given_back),         TEST(test_turns),
        TEST(test_sharers), TEST(test_sharers_of_failure), TEST(test_sharers_gone),
        TEST(test_stop),    TEST(test_rate_limit),         TEST(test_rate_limit_believes_nobody),
    };

    return cmocka_run_group_tests_name("http heavy", tests, begin_all, end_all);
}
