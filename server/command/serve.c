#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "command/command.h"
#include "core/log.h"
#include "core/signals.h"
#include "core/watchdog.h"
#include "engine/fleet.h"
#include "http/http.h"
#include "sentence/sentence.h"
#include "tmpl/mustache.h"
#include "view/page/format.h"

#define HTTP_CONNECTIONS                                                                           \
    16 /* four threads of HTTP, eight that compute, events, imports, reports, cache */

#define MALLOC_ARENAS 4

struct service {
    struct ipr_db_pool *pool;
    struct ipr_db_replica *replica;
    struct ipr_tmpl_set *templates;
    struct ipr_spelling *spelling;
    struct ipr_fleet *fleet;
    struct ipr_http *http;
    struct ipr_arena mem;
};

static enum ipr_code service_start(struct service *s, const struct ipr_config *config,
                                   struct ipr_err *err)
{
    struct ipr_http_options http = { .config = config };

    /* Each malloc arena keeps the memory of the largest page it served; by default there are eight
     * arenas per core. */
    (void)mallopt(M_ARENA_MAX, MALLOC_ARENAS);
    enum ipr_code rc = ipr_db_pool_open(config->database_url, HTTP_CONNECTIONS, &s->pool, err);
    if (rc == IPR_OK && config->database_url_read[0] != '\0')
        rc = ipr_db_replica_start(config->database_url_read, config->database_url, HTTP_CONNECTIONS,
                                  &s->replica, err);
    if (rc == IPR_OK)
        rc = ipr_tmpl_set_load(ipr_arena_printf(&s->mem, "%s/templates", config->home), NULL,
                               ipr_page_formatters, &s->templates, err);
    if (rc == IPR_OK)
        rc = ipr_sentences_load(ipr_arena_printf(&s->mem, "%s/templates", config->home),
                                ipr_page_formatters, err);
    http.pool = s->pool;
    http.replica = s->replica;
    http.spelling = s->spelling;
    http.templates = s->templates;
    http.static_dir = ipr_arena_printf(&s->mem, "%s/static", config->home);
    const char *const documents = ipr_arena_printf(&s->mem, "%s/api/openapi.json", http.static_dir);
    if (rc == IPR_OK && access(documents, R_OK) != 0)
        rc = ipr_err_set(err, IPR_EIO, "cannot read %s, which `make build` writes: %s", documents,
                         strerrordesc_np(errno));
    /* The port first: if it is in use, no engine has to be started. */
    if (rc == IPR_OK)
        rc = ipr_http_start(&http, &s->http, err);
    if (rc == IPR_OK)
        rc = ipr_fleet_start(config, ipr_config_workers(config), &s->fleet, err);
    return rc;
}

static enum ipr_code serve_run(const struct ipr_config *config, const struct ipr_args *args,
                               struct ipr_err *err)
{
    struct service s = { .mem = IPR_ARENA_INIT };
    bool stopped = false;

    (void)args;
    ipr_signals_install();
    enum ipr_code rc = ipr_command_spelling(config, &s.spelling, err);
    if (rc == IPR_OK)
        rc = ipr_command_await_db(config, &stopped, err);
    if (rc == IPR_OK && !stopped)
        rc = service_start(&s, config, err);
    if (rc == IPR_OK && !stopped) {
        /* "127.0.0.1:8080" or "[::1]:0" with the actual port. */
        struct ipr_str host = ipr_str_c(config->listen);

        while (host.n > 0 && host.p[host.n - 1] != ':')
            host.n--;
        if (host.n <= 1)
            host = ipr_str_c("localhost:");
        printf("Intrinsic is at http://%.*s%d/\n", (int)host.n, host.p, ipr_http_port(s.http));
        fflush(stdout);
        /* Settings of the network may keep the service from its own address. */
        const int ms = ipr_watchdog_ms(), fd = ipr_http_socket(s.http);
        const bool asks = ms > 0 && ipr_watchdog_asks(fd, ms);
        if (ms > 0 && !asks)
            ipr_log(
                IPR_LOG_WARN, "watchdog_blind",
                "msg=\"no answer at the own address: the watchdog watches the main thread alone\"");
        ipr_watchdog_notify("READY=1\nSTATUS=Serving");
        while (!ipr_signals_stopped(ms))
            if (!asks || ipr_watchdog_asks(fd, ms))
                ipr_watchdog_notify("WATCHDOG=1");
        ipr_watchdog_notify("STOPPING=1");
    }
    /* Refuse new requests first, then let the workers release their games. */
    ipr_http_stop(&s.http);
    ipr_fleet_stop(&s.fleet);
    ipr_spelling_close(&s.spelling);
    ipr_tmpl_set_free(&s.templates);
    ipr_sentences_free();
    ipr_db_replica_stop(&s.replica);
    ipr_db_pool_close(&s.pool);
    ipr_arena_release(&s.mem);
    return rc;
}

const struct ipr_command ipr_command_serve = {
    .name = "serve",
    .words = "",
    .help = "the web service and its engine workers",
    .needs_database = true,
    .run = serve_run,
};
