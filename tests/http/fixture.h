#ifndef IPR_TEST_HTTP_FIXTURE_H
#define IPR_TEST_HTTP_FIXTURE_H

/* One web service on a port of its own, for the tests that bring stand-ins for storage and views.
 */

#include "http/http.h"

#include <strings.h>

#include "client.h"
#include "core/log.h"
#include "fakes.h"
#include "http/base/routes.h"

#define MIB  (1024 * 1024)
#define PGN  "Content-Type: application/x-chess-pgn"
#define JSON "Content-Type: application/json"
#define FORM "Content-Type: application/x-www-form-urlencoded"

static struct ipr_config config = {
    .database_url = "fake", .listen = "127.0.0.1:0", .judge = "standard", .max_upload_mb = 1
};
static struct ipr_tmpl_set *templates;
static struct ipr_http *http;
static int deadline_s; /* 0: the usual ones */

static void start(const char *address)
{
    const struct ipr_http_options o = { .config = &config,
                                        .pool = &fake_pool,
                                        .templates = templates,
                                        .static_dir = "tests/http/fixtures/static",
                                        .listen = address,
                                        .head_s = deadline_s,
                                        .grace_s = deadline_s };
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_http_start(&o, &http, &err), &err);
    client_port = ipr_http_port(http);
}

/* A page that shows how its view was called, for each template that resources.def names and the
 * fixtures do not have. */
static void add_pages(struct ipr_tmpl_set *set, struct ipr_err *err)
{
    for (const struct ipr_address *a = ipr_addresses; a->method != NULL; a++) {
        char text[160];

        if (a->page == NULL)
            continue;
        const int n = snprintf(text, sizeof text,
                               "{{>head}}\n<p id=\"what\">%s</p><p>{{call}}</p>"
                               "<p>{{page.made}}</p>\n",
                               a->page);
        const enum ipr_code rc =
            ipr_tmpl_set_add(set, IPR_TMPL_PAGE, a->page, (struct ipr_str){ text, (size_t)n }, err);
        assert_true(rc == IPR_OK || rc == IPR_ECONFLICT);
    }
    assert_ok(ipr_tmpl_set_link(set, err), err);
}

static int begin_all(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    ipr_log_level("error");
    curl_global_init(CURL_GLOBAL_ALL);
    fake.notify_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    assert_ok(ipr_tmpl_set_load("tests/http/fixtures/templates", NULL, NULL, &templates, &err),
              &err);
    add_pages(templates, &err);
    start(NULL);
    return 0;
}

/* The fuzz target of raw requests has no use for these two. */
__attribute__((unused)) static int end_all(void **state)
{
    (void)state;
    ipr_http_stop(&http);
    assert_null(http);
    ipr_tmpl_set_free(&templates);
    curl_global_cleanup();
    assert_int_equal(fake.leased, 0);
    return 0;
}

__attribute__((unused)) static int before_each(void **state)
{
    (void)state;
    fake_reset();
    return 0;
}

#define TEST(f) cmocka_unit_test_setup(f, before_each)

#endif
