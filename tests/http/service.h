#ifndef IPR_TEST_HTTP_SERVICE_H
#define IPR_TEST_HTTP_SERVICE_H

/* One web service on a port of its own over the real thing: PostgreSQL, ingest, views, the shipped
 * templates. */

#include "http/http.h"

#include "client.h"
#include "core/log.h"
#include "ipr_db_test.h"
#include "ipr_sentences_sample.h"
#include "view/page/format.h"

#define PGN         "Content-Type: application/x-chess-pgn"
#define WAIT_LONG_S 3600 /* for another import: longer than any test */

static struct ipr_config config = {
    .listen = "127.0.0.1:0",
    .judge = "standard",
    .calibration = "standard",
    .home = ".",
    .max_upload_mb = 4,
};
static struct ipr_db_pool *pool;
static struct ipr_tmpl_set *templates;
static struct ipr_http *http;

static struct ipr_http *service_start(int import_wait_s)
{
    const struct ipr_http_options o = { .config = &config,
                                        .pool = pool,
                                        .templates = templates,
                                        .static_dir = "static",
                                        .import_wait_s = import_wait_s };
    struct ipr_http *started = NULL;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_http_start(&o, &started, &err), &err);
    client_port = ipr_http_port(started);
    return started;
}

static int begin_all(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;

    ipr_log_level("error");
    curl_global_init(CURL_GLOBAL_ALL);
    if (ipr_db_test_setup(state) != 0)
        return -1;
    config.database_url = *state;
    assert_ok(ipr_db_pool_open(*state, 10, &pool, &err), &err);
    assert_ok(ipr_tmpl_set_load("templates", NULL, ipr_page_formatters, &templates, &err), &err);
    ipr_sentences_sample();
    http = service_start(WAIT_LONG_S);
    return 0;
}

static int end_all(void **state)
{
    ipr_http_stop(&http);
    ipr_tmpl_set_free(&templates);
    ipr_db_pool_close(&pool);
    curl_global_cleanup();
    return ipr_db_test_teardown(state);
}

static int wipe(void **state)
{
    (void)state;
    (void)ipr_db_test_sql(
        "SET client_min_messages = warning; "
        "TRUNCATE upload, game, player, judge, judge_total RESTART IDENTITY CASCADE");
    return 0;
}

#define TEST(f) cmocka_unit_test_setup(f, wipe)

#endif
