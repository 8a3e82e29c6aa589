/* Answers that take long to compute: two at a time, the others are sent home, and everybody else is
 * answered meanwhile. */
#include "fixture.h"

#include "http/concurrency.h"
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

static void begin(struct poster *p, const char *page, int views)
{
    *p = (struct poster){ .page = page };
    poster_start(p);
    fake_await(&fake.views, views);
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
        begin(&other[i], light[i], ++views);
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

/* Costly requests of one client are counted, others are free; each client has its own quota. */
static void test_rate_limit(void **state)
{
    static const char one[] = "X-Forwarded-For: 198.51.100.9, 203.0.113.5";
    static const char *const same[] = { one, "X-Forwarded-For: 203.0.113.5",
                                        "X-Forwarded-For: ::ffff:203.0.113.5" };
    static const char *const others[] = { "X-Forwarded-For: 203.0.113.6", "X-Other: none",
                                          "X-Forwarded-For: 2001:db8::1" };
    struct ipr_http *kept = http;
    const int port = client_port;
    char want[32];

    (void)state;
    config.rate_limit = 3;
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
    ipr_http_stop(&http);
    config.rate_limit = 0;
    http = kept;
    client_port = port;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_places),
        TEST(test_given_back),
        TEST(test_rate_limit),
    };

    return cmocka_run_group_tests_name("http heavy", tests, begin_all, end_all);
}
