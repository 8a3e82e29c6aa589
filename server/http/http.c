#include "http/http.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "core/log.h"
#include "edge/edge.h"
#include "edge/proxies.h"
#include "http/answer/concurrency.h"
#include "http/answer/events.h"
#include "http/answer/files.h"
#include "http/answer/form.h"
#include "http/answer/report_runner.h"
#include "http/base/answer_cache.h"
#include "http/base/audit.h"
#include "http/base/authorization.h"
#include "http/base/body.h"
#include "http/base/client.h"
#include "http/base/compute_pool.h"
#include "http/base/cors.h"
#include "http/base/idempotency.h"
#include "http/base/import_queue.h"
#include "http/base/problems.h"
#include "http/base/rate_limit.h"
#include "http/base/reply.h"
#include "http/base/routes.h"
#include "http/base/spool.h"
#include "http/base/upload_key.h"
#include "http/base/visitors.h"
#include "http/fishnet/fishnet.h"
#include "http/listen.h"
#include "sentence/sentence.h"

#define CONNECTIONS_MAX     1024u
#define CONNECTIONS_MIN     8u
#define OWN_DESCRIPTORS     56u /* database, files, epoll, events: 45 at work */
#define REPLICA_DESCRIPTORS 18u
#define IDLE_TIMEOUT_S      60u
#define STREAMS_END_S       30 /* of ratings, when the service stops */
#define CONNECTION_MEMORY   ((size_t)64 * 1024)
/* Bytes of a refused body that are read before the connection is closed, so that the answer
 * arrives. */
#define DRAIN_MAX ((size_t)16 * 1024 * 1024)

/* ---- one request ---- */

static struct ipr_edge_client *client_of(struct MHD_Connection *conn)
{
    return MHD_get_connection_info(conn, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* libmicrohttpd says nothing of a request that it gives up while it reads the head. */
static void request_given_up(struct ipr_req *req)
{
    if (req != NULL) {
        ipr_arena_release(&req->mem);
        free(req);
    }
}

static void *on_uri(void *cls, const char *uri, struct MHD_Connection *conn)
{
    struct ipr_req *req = ipr_xcalloc(1, sizeof *req);
    unsigned char random[8];

    req->http = cls;
    req->started_us = ipr_now_us();
    randombytes_buf(random, sizeof random);
    sodium_bin2hex(req->id, sizeof req->id, random, sizeof random);
    req->target = ipr_arena_strndup(&req->mem, uri, strlen(uri));
    request_given_up(ipr_edge_request(client_of(conn), req));
    return req;
}

static void on_connection(void *cls, struct MHD_Connection *conn, void **context,
                          enum MHD_ConnectionNotificationCode what)
{
    (void)cls;
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        *context = ipr_edge_begun(
            MHD_get_connection_info(conn, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
    else
        request_given_up(ipr_edge_ended(*context));
}

/* Paths and parameters are decoded by url.c, which refuses what it cannot read. */
static size_t keep_encoded(void *cls, struct MHD_Connection *conn, char *s)
{
    (void)cls;
    (void)conn;
    return strlen(s);
}

/* From so many on what may be a token, wherever a client has put it, or most of one: they have 48
 * hexadecimal digits. */
#define SECRET_DIGITS 32

/* The first n bytes of an address as the log has them. */
static const char *address_shown(struct ipr_req *req, const char *address, size_t n)
{
    char *out = ipr_arena_strndup(&req->mem, address, n), *to = out;

    for (const char *p = out; *p != '\0';) {
        const size_t digits = strspn(p, "0123456789abcdefABCDEF"), run = digits > 0 ? digits : 1;

        if (digits >= SECRET_DIGITS) {
            memcpy(to, "***", 3);
            to += 3;
        } else {
            memmove(to, p, run);
            to += run;
        }
        p += run;
    }
    *to = '\0';
    return ipr_log_text(out);
}

static void on_completed(void *cls, struct MHD_Connection *conn, void **req_cls,
                         enum MHD_RequestTerminationCode how)
{
    struct ipr_req *req = *req_cls;
    char client[IPR_ADDRESS_TEXT] = "";

    (void)cls;
    if (req == NULL)
        return;
    if (req->begun)
        ipr_address_text(&req->client, client);
    (void)ipr_edge_request(client_of(conn), NULL);
    const int64_t us = ipr_now_us() - req->started_us;
    const char *shown = ipr_fishnet_shown(req->target);
    /* A request that is refused or not read may have anything in it, as a token by mistake. */
    const bool read = req->params != NULL || req->cached != NULL;
    const size_t n =
        read && req->status < MHD_HTTP_BAD_REQUEST ? strlen(shown) : strcspn(shown, "?");
    ipr_log_context(req->id);
    ipr_log(IPR_LOG_INFO, "request",
            "method=\"%s\" path=\"%s\" status=%u client=%s ms=%.1f bytes=%zu%s",
            ipr_log_text(req->method), address_shown(req, shown, n), req->status, client,
            (double)us / 1000.0, req->bytes,
            how == MHD_REQUEST_TERMINATED_COMPLETED_OK ? "" : " cut=true");
    ipr_log_context(NULL);
    ipr_http_count(&req->http->counts, req->status, req->stream ? -1 : us);
    ipr_audit_end(req);
    ipr_compute_end(req);
    ipr_concurrency_stream_end(req);
    ipr_idempotency_end(req);
    ipr_answers_drop(req);
    ipr_reply_drop(req);
    ipr_spool_free(&req->spool);
    ipr_import_free(&req->import);
    ipr_buf_release(&req->body);
    json_decref(req->body_json);
    json_decref(req->body_fields);
    ipr_arena_release(&req->mem);
    free(req);
    *req_cls = NULL;
}

/* Checks everything that the headers alone decide. */
static struct ipr_problem check_request(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;
    enum ipr_code rc = ipr_authorize_host(req, &err);

    if (rc != IPR_OK)
        return ipr_problem_of(&err);
    if (ipr_req_is_read(req) && (rc = ipr_authorize_read(req, &err)) != IPR_OK)
        return ipr_problem_of(&err);
    if ((rc = ipr_upload_key_find(req, &err)) != IPR_OK)
        return ipr_problem_of(&err);
    if (ipr_req_is_read(req) && !req->unlisted && (req->cached = ipr_answers_fresh(req)) != NULL)
        return (struct ipr_problem){ 0 };
    if (strcmp(req->method, "OPTIONS") == 0)
        return (struct ipr_problem){ 0 };
    struct ipr_problem p = ipr_route_find(req);
    if (p.status != 0)
        return p;
    if (req->resource->flags & IPR_FLAG_FISHNET)
        return ipr_fishnet_begin(req);
    if (!ipr_req_is_read(req))
        rc = ipr_authorize_write(req, &err);
    else if (req->route->id == IPR_RESOURCE_UPLOADS && req->params != NULL &&
             ((const struct ipr_uploads_request *)req->params)->all)
        rc = ipr_authorize_all(req, &err);
    /* A form without JavaScript has its token in a field, and a decision names the players whose
     * upload may be the writer's own: then the body decides. */
    req->token_in_form = rc == IPR_EDENIED && strcmp(err.type, "token_needed") == 0 &&
                         (req->resource->flags & IPR_FLAG_BODY) &&
                         (ipr_body_is_form(req) || req->route->id == IPR_RESOURCE_IDENTITY_POST);
    if (rc != IPR_OK && !req->token_in_form)
        return ipr_problem_of(&err);
    if (req->resource->flags & IPR_FLAG_UPLOAD)
        p = ipr_spool_begin(req, &req->spool);
    else if (req->resource->flags & IPR_FLAG_RAW)
        p = ipr_spool_begin_raw(req, IPR_REQ_RAW_MAX, &req->spool);
    else if (req->resource->flags & IPR_FLAG_BODY)
        p = ipr_body_begin(req);
    return p;
}

/* True if a client waits for 100 (Continue), or would send more than is read and discarded. */
static bool refuse_now(const struct ipr_req *req)
{
    const char *length = ipr_req_header(req, "Content-Length");
    int64_t n;

    return ipr_req_header(req, "Expect") != NULL ||
           (length != NULL && !ipr_str_int(ipr_str_c(length), 0, (int64_t)DRAIN_MAX, &n));
}

static enum MHD_Result request_begin(struct ipr_req *req, struct MHD_Connection *conn,
                                     const char *method, const char *version)
{
    req->begun = true;
    req->conn = conn;
    if (!ipr_edge_guards(client_of(conn))) {
        ipr_log(IPR_LOG_ERROR, "edge_passed_by", "libmicrohttpd=%s", MHD_get_version());
        return MHD_NO;
    }
    req->http10 = strcmp(version, MHD_HTTP_VERSION_1_0) == 0;
    req->client = ipr_client_address(req);
    req->method = ipr_arena_strndup(&req->mem, method, strlen(method));
    req->head = strcmp(method, "HEAD") == 0;
    req->api = strncmp(req->target, "/api/", 5) == 0;
    const char *accept = ipr_req_header(req, "Accept");
    const bool browser = accept != NULL && strstr(accept, "text/html") != NULL;
    const bool form = strcmp(method, "POST") == 0;
    req->html = browser && (!req->api || form);
    /* Through a proxy a client may have as many requests under way as connections of its own. */
    const struct in6_addr peer = ipr_client_peer(req);
    if (memcmp(&req->client, &peer, sizeof peer) != 0 &&
        !ipr_edge_passed_on(client_of(conn), &req->client))
        return ipr_reply_problem(
            req,
            ipr_problem_make("too_many_connections",
                             "as many requests of this address are under way as one may have"));
    req->refusal = check_request(req);
    if (req->refusal.status == 0 || !refuse_now(req))
        return MHD_YES;
    return ipr_form_refuse(req, &req->refusal);
}

static enum MHD_Result take_body(struct ipr_req *req, const char *data, size_t n)
{
    struct ipr_err err = IPR_ERR_INIT;

    req->received += n;
    if (req->refusal.status == 0 && ipr_authorize_received(req, false, &err) != IPR_OK)
        req->refusal = ipr_problem_of(&err);
    if (req->refusal.status == 0 && req->spool != NULL && !ipr_spool_failed(req->spool)) {
        ipr_spool_take(req->spool, data, n);
        return MHD_YES;
    }
    if (req->route != NULL && req->refusal.status == 0 && (req->resource->flags & IPR_FLAG_BODY))
        ipr_body_take(req, data, n);
    req->drained += n;
    return req->drained <= DRAIN_MAX ? MHD_YES : MHD_NO;
}

/* A body of parameters; the fishnet protocol reads its own. */
static bool takes_params(const struct ipr_req *req)
{
    return req->resource != NULL && req->params == NULL && (req->resource->flags & IPR_FLAG_BODY);
}

static struct ipr_problem check_form(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;
    const char *token = NULL;
    enum ipr_code rc = IPR_OK;

    if (req->route != NULL && (req->resource->flags & IPR_FLAG_BODY))
        rc = ipr_body_cut_token(req, &token, &err);
    if (rc == IPR_OK && takes_params(req))
        rc = ipr_body_params(req, &err);
    if (rc == IPR_OK && takes_params(req))
        rc = ipr_upload_key_find(req, &err);
    if (rc == IPR_OK && req->token_in_form)
        rc = ipr_authorize_form(req, token, &err);
    if (rc == IPR_OK)
        rc = ipr_authorize_received(req, true, &err);
    if (rc == IPR_OK && takes_params(req))
        rc = ipr_req_params(req, &err);
    return rc == IPR_OK ? (struct ipr_problem){ 0 } : ipr_problem_of(&err);
}

/* Sends the answer that the first request with the same Idempotency-Key got. */
static enum MHD_Result answer_again(struct ipr_req *req, const struct ipr_db_answer *first)
{
    struct ipr_buf body = IPR_BUF_INIT;

    ipr_reply_header(req, "Idempotency-Replayed", "true");
    if (first->location != NULL)
        ipr_reply_header(req, "Location", first->location);
    if (first->body == NULL)
        return ipr_reply_empty(req, (unsigned)first->status);
    ipr_buf_puts(&body, first->body);
    return ipr_reply_buf(req, (unsigned)first->status, first->content_type, &body);
}

/* At the end of the body, and once more for a request that was suspended there. */
static enum MHD_Result request_finish(struct ipr_req *req)
{
    struct ipr_db_answer first = { 0 };
    struct ipr_problem problem;

    if (req->job.away) { /* answered by the compute pool */
        req->job.away = false;
        return req->cached != NULL ? ipr_answers_reply(req, req->cached) : ipr_reply_send(req);
    }
    if (req->refusal.status == 0)
        req->refusal = check_form(req);
    if (req->refusal.status == 0 && req->route != NULL)
        req->refusal = ipr_audit_begin(req);
    if (req->refusal.status != 0)
        return ipr_form_refuse(req, &req->refusal);
    if (req->cached != NULL)
        return ipr_answers_reply(req, req->cached);
    if (req->route == NULL)
        return ipr_route_options(req);
    if (ipr_idempotency_decides(req, &first, &problem))
        return problem.status != 0 ? ipr_reply_problem(req, problem) : answer_again(req, &first);
    return ipr_http_answer(req);
}

static enum MHD_Result on_access(void *cls, struct MHD_Connection *conn, const char *url,
                                 const char *method, const char *version, const char *data,
                                 size_t *n, void **req_cls)
{
    struct ipr_req *req = *req_cls;
    enum MHD_Result result;

    (void)cls;
    (void)url;
    ipr_log_context(req->id);
    if (!req->begun) {
        result = request_begin(req, conn, method, version);
    } else if (*n > 0) {
        result = take_body(req, data, *n);
        *n = 0;
    } else {
        result = request_finish(req);
    }
    ipr_log_context(NULL);
    return result;
}

static void on_mhd_log(void *cls, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
static void on_mhd_log(void *cls, const char *fmt, va_list ap)
{
    char line[256];

    (void)cls;
    vsnprintf(line, sizeof line, fmt, ap);
    line[strcspn(line, "\n")] = '\0';
    ipr_log(IPR_LOG_DEBUG, "http", "msg=\"%s\"", ipr_log_text(line));
}

/* ---- life ---- */

/* Two programs, sets of templates or of sentences give different answers for the same data. */
static void build_digest(struct ipr_http *http)
{
    unsigned char digest[32], chunk[65536];
    crypto_generichash_state state;
    FILE *self = fopen("/proc/self/exe", "rbe");
    const uint64_t texts[] = { http->o.templates != NULL ? ipr_tmpl_set_hash(http->o.templates) : 0,
                               ipr_sentences_hash() };

    crypto_generichash_init(&state, NULL, 0, sizeof digest);
    crypto_generichash_update(&state, (const unsigned char *)texts, sizeof texts);
    for (size_t n; self != NULL && (n = fread(chunk, 1, sizeof chunk, self)) > 0;)
        crypto_generichash_update(&state, chunk, n);
    if (self != NULL)
        fclose(self);
    crypto_generichash_final(&state, digest, sizeof digest);
    sodium_bin2hex(http->build, sizeof http->build, digest, sizeof digest);
}

/* The edge accepts, and each of the library's threads serves its share of the connections. */
static enum ipr_code start_mhd(struct ipr_http *http, struct ipr_err *err)
{
    for (size_t i = 0; i < IPR_HTTP_THREADS; i++) {
        http->mhd[i] = MHD_start_daemon(
            MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
                MHD_USE_ITC | MHD_USE_ERROR_LOG | MHD_USE_NO_LISTEN_SOCKET,
            0, NULL, NULL, on_access, http, MHD_OPTION_EXTERNAL_LOGGER, on_mhd_log,
            NULL, /* first: it is notified about the others */
            MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
            IDLE_TIMEOUT_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_MEMORY,
            MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK, on_uri, http,
            MHD_OPTION_UNESCAPE_CALLBACK, keep_encoded, NULL, MHD_OPTION_NOTIFY_CONNECTION,
            on_connection, http, MHD_OPTION_NOTIFY_COMPLETED, on_completed, NULL, MHD_OPTION_END);
        if (http->mhd[i] == NULL)
            return ipr_err_set(err, IPR_EIO, "the web server cannot start");
    }
    return IPR_OK;
}

static bool edge_serve(void *arg, int fd, const struct sockaddr *peer, socklen_t n)
{
    struct ipr_http *http = arg;

    return MHD_add_connection(http->mhd[http->next++ % IPR_HTTP_THREADS], fd, peer, n) == MHD_YES;
}

/* The edge answers this where there is no request yet that could be answered. */
static void edge_refusal(const char *type, const char *detail, struct ipr_buf *out)
{
    const struct ipr_problem_type *known = ipr_problem_find(type);
    json_t *problem = json_pack("{s:s+, s:s, s:i, s:s}", "type", "/problems/", type, "title",
                                known->title, "status", (int)known->status, "detail", detail);
    char *body = json_dumps(problem, JSON_COMPACT);

    ipr_buf_printf(out,
                   "HTTP/1.1 %u %s\r\nContent-Type: " IPR_PROBLEM_TYPE
                   "\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s",
                   known->status, MHD_get_reason_phrase_for(known->status), strlen(body), body);
    json_decref(problem);
    free(body);
}

/* As many connections as there are descriptors for, besides those of the service itself. */
static unsigned connections_max(const struct ipr_http *http)
{
    const unsigned own = OWN_DESCRIPTORS + (http->o.replica != NULL ? REPLICA_DESCRIPTORS : 0);
    struct rlimit limit = { 0 };

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur >= CONNECTIONS_MAX + own)
        return CONNECTIONS_MAX;
    return limit.rlim_cur > own + CONNECTIONS_MIN ? (unsigned)limit.rlim_cur - own
                                                  : CONNECTIONS_MIN;
}

static enum ipr_code start_edge(struct ipr_http *http, struct ipr_err *err)
{
    const struct ipr_edge_options o = {
        .listen_fd = http->listen_fd,
        .connections = connections_max(http),
        .per_address = (unsigned)http->o.config->connections,
        .proxies = http->proxies,
        .head_s = http->o.head_s > 0 ? http->o.head_s : IPR_EDGE_HEAD_S,
        .grace_s = http->o.grace_s > 0 ? http->o.grace_s : IPR_EDGE_GRACE_S,
        .serve = edge_serve,
        .refusal = edge_refusal,
        .arg = http
    };

    return ipr_edge_start(&o, &http->edge, err);
}

/* Ends the uploads of a service that ended before them. */
static enum ipr_code interrupt_uploads(const struct ipr_http *http, struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;
    struct ipr_db *db = NULL;
    int64_t n = 0;
    enum ipr_code rc = ipr_db_lease_in(http->o.pool, IPR_DB_ALL, &db, &cause);

    if (rc == IPR_OK)
        rc = ipr_db_uploads_interrupt(db, 0, &n, &cause);
    ipr_db_return(&db);
    if (n > 0)
        ipr_log(IPR_LOG_WARN, "uploads_interrupted", "uploads=%lld", (long long)n);
    /* A database that takes no writes can be read. */
    return rc == IPR_ERETRY ? IPR_OK : ipr_err_pass(err, &cause);
}

/* One after the other; what has begun when one fails ipr_http_stop ends. */
static enum ipr_code http_begin(struct ipr_http *http, const char *address, struct ipr_err *err)
{
    const struct ipr_http_options *const o = &http->o;
    const struct ipr_config *const config = o->config;
    const int wait_s = o->import_wait_s > 0 ? o->import_wait_s : IPR_IMPORT_WAIT_S;
    enum ipr_code rc;

    if ((rc = ipr_answers_start((size_t)config->cache_mb << 20, o->pool, &http->cache, err)) ||
        (rc = sodium_init() < 0 ? ipr_err_set(err, IPR_EIO, "libsodium cannot start") : IPR_OK) ||
        (rc = ipr_cors_check(config, err)) ||
        (rc = ipr_client_public(config, &http->public_name, err)) ||
        (rc = ipr_proxies_read(config->trusted_proxies, &http->proxies, err)) ||
        (rc = ipr_files_load(o->static_dir, &http->files, err)))
        return rc;
    http->rate_limit = ipr_rate_limit_new(config->rate_limit);
    http->visitors = ipr_visitors_new(config->public_uploads_mb << 20);
    if (o->templates != NULL)
        ipr_files_link(http->files, o->templates);
    build_digest(http);
    if ((rc = ipr_listen(address, &http->listen_fd, &http->port, &http->loopback, err)) ||
        (rc = ipr_events_start(http, &http->events, err)) || (rc = interrupt_uploads(http, err)) ||
        (rc = ipr_import_queue_start(o->pool, IPR_IMPORTS_WAITING_MAX, wait_s, &http->imports,
                                     err)) ||
        (rc = ipr_import_queue_start(NULL, IPR_WORKS_WAITING_MAX, 0, &http->works, err)) ||
        (rc = ipr_report_runner_start(config, o->pool, o->replica, http->imports, &http->reports,
                                      err)) ||
        (rc = ipr_compute_pool_start(&http->computing, err)) || (rc = start_mhd(http, err)))
        return rc;
    return start_edge(http, err);
}

enum ipr_code ipr_http_start(const struct ipr_http_options *options, struct ipr_http **out,
                             struct ipr_err *err)
{
    struct ipr_http *http = ipr_xcalloc(1, sizeof *http);
    const char *address = options->listen != NULL ? options->listen : options->config->listen;

    http->o = *options;
    pthread_mutex_init(&http->streams.lock, NULL);
    pthread_mutex_init(&http->rates.lock, NULL);
    ipr_clock_cond_init(&http->rates.changed);
    http->tmp_dir = getenv("TMPDIR");
    if (http->tmp_dir == NULL || http->tmp_dir[0] == '\0')
        http->tmp_dir = "/tmp";
    http->listen_fd = -1;
    http->counts.started = time(NULL);
    enum ipr_code rc = http_begin(http, address, err);
    if (rc == IPR_OK) {
        *out = http;
        ipr_log(IPR_LOG_INFO, "listening", "address=%s port=%d", address, http->port);
        ipr_client_warn_nameless(http,
                                 http->loopback ? NULL : "other machines can reach the service");
    } else {
        ipr_http_stop(&http);
    }
    return rc;
}

int ipr_http_port(const struct ipr_http *http)
{
    return http->port;
}

int ipr_http_socket(const struct ipr_http *http)
{
    return http->listen_fd;
}

void ipr_http_stop(struct ipr_http **p)
{
    struct ipr_http *http = *p;

    if (http == NULL)
        return;
    if (http->edge != NULL)
        ipr_edge_quiesce(http->edge);
    if (http->events != NULL)
        ipr_events_quiesce(http->events);
    ipr_clock_await_none(&http->rates.lock, &http->rates.changed, &http->rates.streams,
                         STREAMS_END_S);
    if (http->reports != NULL)
        ipr_report_runner_quiesce(http->reports);
    if (http->computing != NULL)
        ipr_compute_pool_quiesce(http->computing);
    if (http->works != NULL)
        ipr_import_queue_quiesce(http->works);
    if (http->imports != NULL)
        ipr_import_queue_quiesce(http->imports);
    for (size_t i = 0; i < IPR_HTTP_THREADS; i++)
        if (http->mhd[i] != NULL)
            MHD_stop_daemon(http->mhd[i]);
    ipr_edge_free(&http->edge);
    ipr_proxies_free(&http->proxies);
    ipr_import_queue_free(&http->imports);
    ipr_import_queue_free(&http->works);
    ipr_report_runner_free(&http->reports);
    ipr_compute_pool_free(&http->computing);
    ipr_events_free(&http->events);
    if (http->listen_fd >= 0)
        close(http->listen_fd);
    ipr_files_free(&http->files);
    ipr_rate_limit_free(&http->rate_limit);
    ipr_visitors_free(&http->visitors);
    ipr_answers_free(&http->cache);
    free(http);
    *p = NULL;
}
