#include "http/base/reply.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/log.h"
#include "http/base/audit.h"
#include "http/base/client.h"
#include "http/base/cors.h"
#include "http/base/description.h"
#include "http/base/idempotency.h"
#include "http/base/page_address.h"
#include "http/base/problems.h"
#include "http/base/url.h"
#include "pgn/charset.h"
#include "resource/write.h"
#include "tmpl/number.h"
#include "view/figure/shape.h"
#include "view/json.h"

#define RETRY_AFTER_S "5"

/* Plots and boards set style elements from their modules; scripts come from files alone. */
#define CONTENT_POLICY                                                                             \
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "                    \
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'self'; "        \
    "base-uri 'none'; frame-ancestors 'none'"

static const struct {
    const char *name, *value;
} usual_headers[] = {
    { "Content-Security-Policy", CONTENT_POLICY }, { "X-Content-Type-Options", "nosniff" },
    { "Referrer-Policy", "same-origin" },          { "Cross-Origin-Opener-Policy", "same-origin" },
    { "Vary", "Accept, Accept-Encoding" },
};

/* An answer without one of them would be another answer. */
static bool headers_add(const struct ipr_req *req, struct MHD_Response *r)
{
    const bool closed = req->upload_key != NULL || (req->unlisted && req->space == IPR_DB_ALL);
    bool all = !req->headers_lost && MHD_add_response_header(r, "X-Request-Id", req->id) == MHD_YES;

    for (size_t i = 0; i < sizeof usual_headers / sizeof *usual_headers; i++)
        all = all &&
              MHD_add_response_header(r, usual_headers[i].name, usual_headers[i].value) == MHD_YES;
    for (size_t i = 0; i < req->n_headers; i++)
        if (!closed || strcmp(req->header[i].name, "Cache-Control") != 0)
            all = all &&
                  MHD_add_response_header(r, req->header[i].name, req->header[i].value) == MHD_YES;
    /* Nobody else gets a private upload from what keeps answers by the way. */
    return all && (!closed ||
                   (MHD_add_response_header(r, "Cache-Control", "private, no-store") == MHD_YES &&
                    MHD_add_response_header(r, "X-Robots-Tag", "noindex") == MHD_YES));
}

enum MHD_Result ipr_reply_queue(struct ipr_req *req, unsigned status, struct MHD_Response *r)
{
    if (ipr_client_is_https(req))
        ipr_reply_header(req, "Strict-Transport-Security", "max-age=31536000");
    ipr_cors_answer(req);
    const bool whole = headers_add(req, r);
    req->status = status;
    /* Before the client can know of it: its next request sees what it wrote. */
    if (req->begun && !ipr_req_is_read(req) && status < MHD_HTTP_BAD_REQUEST)
        atomic_fetch_add(&req->http->writes, 1);
    ipr_audit_end(req);
    if (!whole) {
        ipr_log(IPR_LOG_ERROR, "answer_dropped", "request=%s status=%u reason=headers", req->id,
                status);
        MHD_destroy_response(r);
        r = NULL; /* the connection is closed: to the client, the log and the counts a failure */
        req->status = MHD_HTTP_INTERNAL_SERVER_ERROR;
    }
    req->response = r;
    return req->job.away ? MHD_YES : ipr_reply_send(req);
}

enum MHD_Result ipr_reply_send(struct ipr_req *req)
{
    if (req->response == NULL)
        return MHD_NO;
    const enum MHD_Result done = MHD_queue_response(req->conn, req->status, req->response);
    ipr_reply_drop(req);
    return done;
}

void ipr_reply_drop(struct ipr_req *req)
{
    if (req->response != NULL)
        MHD_destroy_response(req->response);
    req->response = NULL;
}

void ipr_reply_digest(struct ipr_str body, char out[IPR_DIGEST_TEXT])
{
    unsigned char digest[(IPR_DIGEST_TEXT - 1) / 2];

    crypto_generichash(digest, sizeof digest, (const unsigned char *)body.p, body.n, NULL, 0);
    sodium_bin2hex(out, IPR_DIGEST_TEXT, digest, sizeof digest);
}

/* A strong tag differs by coding: "digest", "digest-gzip". */
static const char *etag_make(struct ipr_req *req, const char *digest, enum ipr_coding coding)
{
    const char *name = ipr_coding_name(coding);

    return ipr_arena_printf(&req->mem, "\"%s%s%s\"", digest, name[0] != '\0' ? "-" : "", name);
}

/* True if the client has it in any coding. Not called for a request that fails: "*" means any. */
static bool etag_known(struct ipr_req *req, const char *digest)
{
    const char *list = ipr_req_header(req, "If-None-Match");

    for (int coding = 0; list != NULL && coding < IPR_CODINGS; coding++) {
        if (strstr(list, etag_make(req, digest, (enum ipr_coding)coding)) != NULL)
            return true;
    }
    return false;
}

/* ETag and Cache-Control of a read, and whether 304 is its answer. */
static bool reply_validate(struct ipr_req *req, const char *digest, enum ipr_coding coding,
                           const char *cache_control)
{
    ipr_reply_header(req, "ETag", etag_make(req, digest, coding));
    ipr_reply_header(req, "Cache-Control", cache_control);
    const char *list = ipr_req_header(req, "If-None-Match");
    return (list != NULL && strcmp(list, "*") == 0) || etag_known(req, digest);
}

/* `done` (NULL: none) is called once the body is sent, or is not. */
static enum MHD_Result reply_body(struct ipr_req *req, unsigned status, const char *content_type,
                                  enum ipr_coding coding, struct ipr_str body, void (*done)(void *),
                                  void *arg)
{
    struct MHD_Response *r = MHD_create_response_from_buffer_with_free_callback_cls(
        body.n, (void *)(uintptr_t)body.p, done, arg);

    if (r == NULL) {
        if (done != NULL)
            done(arg);
        return MHD_NO;
    }
    ipr_reply_header(req, "Content-Type", content_type);
    if (coding != IPR_CODING_NONE)
        ipr_reply_header(req, "Content-Encoding", ipr_coding_name(coding));
    req->bytes = req->head ? 0 : body.n;
    return ipr_reply_queue(req, status, r);
}

enum ipr_coding ipr_reply_coding(const struct ipr_req *req, bool pays)
{
    return ipr_coding_choose(ipr_req_header(req, "Accept-Encoding"), pays);
}

enum MHD_Result ipr_reply_unacceptable(struct ipr_req *req)
{
    return ipr_reply_problem(req, ipr_problem_make("not_acceptable",
                                                   "the request refuses every content coding there "
                                                   "is: zstd, gzip, identity"));
}

enum MHD_Result ipr_reply_stored(struct ipr_req *req, const struct ipr_stored *stored,
                                 enum ipr_coding coding, const char *cache_control,
                                 void (*done)(void *), void *arg)
{
    if (coding != IPR_CODING_UNACCEPTABLE &&
        !reply_validate(req, stored->digest, coding, cache_control))
        return reply_body(req, MHD_HTTP_OK, stored->type, coding, stored->body[coding], done, arg);
    if (done != NULL)
        done(arg);
    return coding == IPR_CODING_UNACCEPTABLE ? ipr_reply_unacceptable(req)
                                             : ipr_reply_empty(req, MHD_HTTP_NOT_MODIFIED);
}

bool ipr_reply_known(struct ipr_req *req, const char *digest, enum MHD_Result *out)
{
    const enum ipr_coding coding = ipr_reply_coding(req, true);

    if (coding == IPR_CODING_UNACCEPTABLE || !etag_known(req, digest))
        return false;
    (void)reply_validate(req, digest, coding, IPR_NO_CACHE);
    *out = ipr_reply_empty(req, MHD_HTTP_NOT_MODIFIED);
    return true;
}

enum MHD_Result ipr_reply_buf(struct ipr_req *req, unsigned status, const char *content_type,
                              struct ipr_buf *body)
{
    enum ipr_coding coding = ipr_reply_coding(req, ipr_coding_pays(content_type, body->n));
    const bool found = status == MHD_HTTP_OK && ipr_req_is_read(req);
    struct ipr_buf packed = IPR_BUF_INIT;
    char digest[IPR_DIGEST_TEXT];

    ipr_idempotency_keep(req, status, content_type, body->p, body->n);
    if (coding == IPR_CODING_UNACCEPTABLE && found) {
        ipr_buf_release(body);
        return ipr_reply_unacceptable(req);
    }
    if (coding == IPR_CODING_UNACCEPTABLE) /* an error is sent anyway */
        coding = IPR_CODING_NONE;
    if (!found) {
        ipr_reply_header(req, "Cache-Control", "no-store");
    } else {
        ipr_reply_digest((struct ipr_str){ body->p, body->n }, digest);
        if (reply_validate(req, digest, coding, IPR_NO_CACHE)) {
            ipr_buf_release(body);
            return ipr_reply_empty(req, MHD_HTTP_NOT_MODIFIED);
        }
    }
    if (coding != IPR_CODING_NONE) {
        ipr_coding_apply(coding, false, (struct ipr_str){ body->p, body->n }, &packed);
        ipr_buf_release(body);
        *body = packed;
    }
    const size_t n = body->n;
    char *bytes = ipr_buf_steal(body);
    return reply_body(req, status, content_type, coding, (struct ipr_str){ bytes, n }, free, bytes);
}

enum MHD_Result ipr_reply_empty(struct ipr_req *req, unsigned status)
{
    struct MHD_Response *r = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);

    ipr_idempotency_keep(req, status, NULL, NULL, 0);
    return r != NULL ? ipr_reply_queue(req, status, r) : MHD_NO;
}

static enum MHD_Result reply_json_as(struct ipr_req *req, unsigned status, const char *type,
                                     json_t *value)
{
    struct ipr_buf out = IPR_BUF_INIT;

    ipr_json_write(value, &out);
    ipr_buf_putc(&out, '\n');
    json_decref(value);
    return ipr_reply_buf(req, status, type, &out);
}

enum MHD_Result ipr_reply_json(struct ipr_req *req, unsigned status, json_t *value)
{
    struct ipr_err err = IPR_ERR_INIT;

    if (value != NULL)
        return reply_json_as(req, status, IPR_JSON_TYPE, value);
    (void)ipr_err_set(&err, IPR_EINVAL, "a reply could not be built");
    return ipr_reply_error(req, &err);
}

/* The page of this service that the form names; NULL: none. */
static const char *form_page(struct ipr_req *req)
{
    static const char *const ours[] = { "/queue", "/players/", "/events/", "/uploads/", "/games/" };
    const char *back = ipr_params_text(req->resource, req->params, "back");

    for (size_t i = 0; back != NULL && i < sizeof ours / sizeof *ours; i++)
        if (strncmp(back, ours[i], strlen(ours[i])) == 0)
            return ipr_url_encode_path(&req->mem, back);
    return NULL;
}

enum MHD_Result ipr_reply_written(struct ipr_req *req, unsigned status, const char *api,
                                  const char *page, json_t *value)
{
    if (!req->html) {
        if (api != NULL)
            ipr_reply_header(req, "Location", api);
        return ipr_reply_json(req, status, value);
    }
    const char *back = form_page(req);
    json_decref(value);
    ipr_reply_header(req, "Location", back != NULL ? back : page);
    return ipr_reply_empty(req, MHD_HTTP_SEE_OTHER);
}

/* The same parameters by name, for what forms have selected. */
static json_t *page_chosen(const json_t *given)
{
    json_t *out = json_object(), *one;
    size_t i;

    json_array_foreach(given, i, one)
        json_object_set(out, json_string_value(json_object_get(one, "name")),
                        json_object_get(one, "value"));
    return out;
}

/* The page as JSON, and a list as CSV: the address of its resource with the very same parameters.
 * And these parameters, for links and forms that lead to the page again. */
static void page_add_links(struct ipr_req *req, json_t *resource)
{
    const struct ipr_resource *r = req->resource;
    json_t *page = json_object_get(resource, "page");

    if (r == NULL || req->params == NULL || r->page == NULL || req->route->page == NULL)
        return;
    json_object_set_new(page, "given", ipr_params_given(r, req->params, false));
    json_object_set_new(page, "chosen", page_chosen(json_object_get(page, "given")));
    json_object_set_new(page, "shared", ipr_params_given(r, req->params, true));
    const char *origin = req->http->public_name.origin;
    const char *address = ipr_page_address(req, resource, json_object_get(page, "given"));
    if (req->route->id == IPR_RESOURCE_UPLOAD && req->upload_key != NULL)
        address = ipr_arena_printf(&req->mem, "/uploads/%s%s", req->upload_key,
                                   address + strcspn(address, "?"));
    else
        json_object_set_new(page, "upload_key", json_pack("s?", req->upload_key));
    json_object_set_new(page, "address", json_sprintf("%s%s", origin, address));
    json_object_set_new(page, "origin", origin[0] != '\0' ? json_string(origin) : json_null());
    ipr_client_warn_nameless(req->http, ipr_client_is_remote(req));
    if (r->api == NULL)
        return;
    const char *href =
        ipr_params_are_whole(r, req->params) ? ipr_params_href(r, req->params, &req->mem) : NULL;
    const char *csv = NULL;
    if (href != NULL && r->columns != NULL) {
        const size_t path = strcspn(href, "?");

        csv = ipr_arena_printf(&req->mem, "%.*s.csv%s", (int)path, href, href + path);
    }
    json_object_set_new(page, "json", json_pack("s?", href));
    json_object_set_new(page, "csv", json_pack("s?", csv));
}

/* Takes `resource`. */
enum ipr_code ipr_reply_render(struct ipr_req *req, const char *page, json_t *resource,
                               struct ipr_buf *out, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    if (req->http->o.templates == NULL)
        rc = ipr_err_set(err, IPR_EINVAL, "there are no templates");
    if (rc == IPR_OK)
        rc = ipr_view_page(page, resource, err);
    if (rc == IPR_OK)
        page_add_links(req, resource);
    if (rc == IPR_OK)
        rc = ipr_tmpl_render(req->http->o.templates, page, resource, out, err);
    if (rc == IPR_OK)
        ipr_description_add(out, &req->mem);
    json_decref(resource);
    return rc;
}

enum MHD_Result ipr_reply_page(struct ipr_req *req, const char *page, json_t *resource)
{
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;

    if (ipr_reply_render(req, page, resource, &out, &err) != IPR_OK) {
        ipr_buf_release(&out);
        return ipr_reply_error(req, &err);
    }
    return ipr_reply_buf(req, MHD_HTTP_OK, IPR_HTML_TYPE, &out);
}

static json_t *problem_json(const char *request_id, const struct ipr_problem *p)
{
    char uri[64];

    snprintf(uri, sizeof uri, "/problems/%s", p->type);
    const struct ipr_answer_problem out = {
        .type = uri,
        .title = ipr_problem_find(p->type)->title,
        .status = p->status,
        /* It may have been truncated within a character. */
        .detail = ipr_utf8_valid(ipr_str_c(p->detail)) ? p->detail : NULL,
        .line = p->line,
        .column = p->column,
        .ply = p->ply,
        .request_id = request_id,
    };
    return ipr_shape_json(IPR_SHAPE_PROBLEM, &out);
}

void ipr_reply_problem_text(const char *request_id, const struct ipr_problem *p,
                            struct ipr_buf *out)
{
    json_t *problem = problem_json(request_id, p);

    ipr_json_write(problem, out);
    json_decref(problem);
}

enum MHD_Result ipr_reply_events(struct ipr_req *req, struct MHD_Response *r)
{
    ipr_reply_header(req, "Content-Type", "text/event-stream");
    ipr_reply_header(req, "Cache-Control", "no-store");
    ipr_reply_header(req, "X-Accel-Buffering", "no");
    req->stream = true;
    return ipr_reply_queue(req, MHD_HTTP_OK, r);
}

/* With the page without its parameters, where one of them was refused: its form can be filled in
 * again. Without the detail of an address that leads nowhere, also by an impossible number in it:
 * its title says as much. */
static json_t *problem_page(struct ipr_req *req, const struct ipr_problem *p)
{
    const size_t n = strcspn(req->target, "?");
    json_t *page = problem_json(req->id, p);
    const char *const back = req->params != NULL ? form_page(req) : NULL;

    if (back != NULL)
        json_object_set_new(page, "back", json_string(back));

    if (strcmp(p->type, "no_such_address") == 0 ||
        (p->status == MHD_HTTP_NOT_FOUND && p->param[0] != '\0'))
        json_object_set_new(page, "detail", json_null());
    if (p->status == MHD_HTTP_BAD_REQUEST && strcmp(req->method, "GET") == 0 &&
        req->target[n] == '?')
        json_object_set_new(page, "plain", json_stringn(req->target, n));
    return page;
}

enum MHD_Result ipr_reply_problem(struct ipr_req *req, struct ipr_problem p)
{
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;

    if (p.status == MHD_HTTP_SERVICE_UNAVAILABLE)
        ipr_reply_header(req, "Retry-After", RETRY_AFTER_S);
    if (p.status == MHD_HTTP_UNAUTHORIZED)
        ipr_reply_header(req, "WWW-Authenticate",
                         req->password_asked ? "Basic realm=\"intrinsic\", charset=\"UTF-8\""
                                             : "Bearer realm=\"intrinsic\"");
    if (!req->html)
        return reply_json_as(req, p.status, IPR_PROBLEM_TYPE, problem_json(req->id, &p));
    if (ipr_reply_render(req, "error", problem_page(req, &p), &out, &err) != IPR_OK) {
        ipr_log(IPR_LOG_ERROR, "error_page_failed", "msg=\"%s\"", ipr_log_text(err.msg));
        ipr_buf_release(&out);
        return reply_json_as(req, p.status, IPR_PROBLEM_TYPE, problem_json(req->id, &p));
    }
    return ipr_reply_buf(req, p.status, IPR_HTML_TYPE, &out);
}

enum MHD_Result ipr_reply_error(struct ipr_req *req, const struct ipr_err *err)
{
    return ipr_reply_problem(req, ipr_problem_log(err));
}
