/* Answers by the views: the same resource as JSON and as a page. */
#include <stdlib.h>
#include <string.h>

#include "http/answer/form.h"
#include "http/answer/reading.h"
#include "http/answer/rows.h"
#include "http/answer/tables.h"
#include "http/base/answer_cache.h"
#include "http/base/compute_pool.h"
#include "http/base/format.h"
#include "http/base/reply.h"
#include "http/base/routes.h"
#include "resource/cursor.h"
#include "resource/write.h"
#include "tmpl/number.h"
#include "view/figure/figure.h"
#include "view/json.h"

/* With the shared parameters of the request. */
static const char *redirect_address(struct ipr_req *req, const char *to)
{
    json_t *given = ipr_params_given(req->resource, req->params, true), *one;
    size_t i;

    to = ipr_arena_printf(&req->mem, "%s", to); /* the answer that has it goes before the reply */
    json_array_foreach(given, i, one)
        to = ipr_arena_printf(&req->mem, "%s%c%s", to, strchr(to, '?') == NULL ? '?' : '&',
                              json_string_value(json_object_get(one, "query")));
    json_decref(given);
    return to;
}

/* Another page that answers the request: the one that the answer names, or of an identity that is
 * part of a person that of the person. */
static const char *other_page(struct ipr_req *req, const json_t *resource)
{
    const json_t *player = json_object_get(resource, "player");
    const json_int_t root =
        json_integer_value(json_object_get(player != NULL ? player : resource, "id"));
    const char *query = req->target + strcspn(req->target, "?");

    if (req->route->page == NULL)
        return NULL;
    if (req->resource->redirect != NULL) {
        const json_t *to = json_object_get(resource, req->resource->redirect);

        return json_is_string(to) ? redirect_address(req, json_string_value(to)) : NULL;
    }
    if (!(req->resource->flags & IPR_FLAG_PERSON) || root == 0 || root == atoll(req->ids[0]))
        return NULL;
    const char *const rest =
        req->ids[1] != NULL ? ipr_arena_printf(&req->mem, "/%s", req->ids[1]) : "";
    return ipr_arena_printf(&req->mem, "/players/%lld%s%s", (long long)root, rest, query);
}

/* Digest of everything an answer depends on: the program, its templates, methods and settings, the
 * address, the data. Unchanged if the resource depends on more than that. */
static enum ipr_code answer_version(struct ipr_req *req, char digest[IPR_DIGEST_TEXT],
                                    struct ipr_err *err)
{
    const struct ipr_config *config = req->http->o.config;
    const char *version = NULL;
    const enum ipr_code rc = ipr_reading_version(req, &version, err);

    if (rc != IPR_OK || version == NULL)
        return rc;
    const char *all = ipr_arena_printf(
        &req->mem, "%s\n%d %d %d\n%s\n%s\n%s\n%s\n%s", req->http->build, ipr_method_versions(),
        (int)req->format, req->html, config->judge, config->calibration,
        req->route->page != NULL ? req->route->page : "", req->target, version);
    ipr_reply_digest(ipr_str_c(all), digest);
    return rc;
}

/* ---- answering ---- */

static bool wants_rows(const struct ipr_req *req)
{
    return req->route->page == NULL &&
           (req->format != IPR_FORMAT_JSON && req->format != IPR_FORMAT_ANY);
}

/* As it is sent. Takes `resource`. */
static enum ipr_code serialise_resource(struct ipr_req *req, json_t *resource, struct ipr_buf *out,
                                        struct ipr_err *err)
{
    if (req->route->page != NULL)
        return ipr_reply_render(req, req->route->page, resource, out, err);
    if (wants_rows(req)) {
        ipr_rows_write(req, resource, out);
    } else {
        ipr_json_write(resource, out);
        ipr_buf_putc(out, '\n');
    }
    json_decref(resource);
    return IPR_OK;
}

static const char *type_of(const struct ipr_req *req)
{
    if (req->route->page != NULL)
        return IPR_HTML_TYPE;
    return wants_rows(req) ? ipr_format_type(req->format) : IPR_JSON_TYPE;
}

/* Cursors as clients have them. */
static void bind_cursors(struct ipr_req *req, json_t *resource)
{
    static const char *const names[] = { "next", "after" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *cursor = json_string_value(json_object_get(resource, names[i]));

        if (cursor != NULL)
            json_object_set_new(
                resource, names[i],
                json_string(ipr_cursor_bind(req->resource, req->params, cursor, &req->mem)));
    }
}

/* Computed, and stored under the digest of its version unless that is empty. */
static enum MHD_Result answer_fresh(struct ipr_req *req, struct ipr_cached *place)
{
    struct ipr_view view = { .mem = &req->mem, .chosen = &req->params };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf body = IPR_BUF_INIT;
    json_t *resource = NULL;
    const char *page = NULL, *link = NULL;

    enum ipr_code rc = ipr_answer_compute(req, req->params, &view, &resource, &err);
    if (rc == IPR_OK && req->route->page == NULL)
        rc = ipr_rows_select(req, resource, &err);
    if (rc == IPR_OK) {
        page = other_page(req, resource);
        link = ipr_rows_link(req, json_string_value(json_object_get(resource, "next")));
        if (ipr_resource_param(req->resource, "after") != NULL)
            bind_cursors(req, resource);
        rc = serialise_resource(req, resource, &body, &err);
    } else {
        json_decref(resource);
    }
    if (rc != IPR_OK || page != NULL) {
        if (place != NULL)
            ipr_answers_give_up(req, place);
        ipr_buf_release(&body);
        if (rc != IPR_OK)
            return ipr_form_error(req, &err);
        ipr_reply_header(req, "Location", page);
        return ipr_reply_empty(req, MHD_HTTP_TEMPORARY_REDIRECT);
    }
    const char *type = type_of(req);
    if (place == NULL) {
        if (link != NULL)
            ipr_reply_header(req, "Link", link);
        return ipr_reply_buf(req, MHD_HTTP_OK, type, &body);
    }
    ipr_answers_put(req, place, type, link, &body);
    return ipr_answers_reply(req, place);
}

enum MHD_Result ipr_http_resource(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;
    char digest[IPR_DIGEST_TEXT] = "";
    enum MHD_Result known = MHD_NO;
    bool filled = false;

    /* Rows of a list, page after page, rather than of one answer. */
    if (wants_rows(req) && ipr_table_requested(req) == NULL &&
        ipr_resource_param(req->resource, "after") != NULL)
        return ipr_rows_stream(req);
    if (ipr_req_is_read(req) && req->resource->depends > IPR_DEPENDS_QUEUE &&
        answer_version(req, digest, &err) != IPR_OK)
        return ipr_reply_error(req, &err);
    if (digest[0] == '\0')
        return answer_fresh(req, NULL);
    if (ipr_reply_known(req, digest, &known))
        return known;
    struct ipr_cached *place = ipr_answers_claim(req, digest, &filled);
    if (place == NULL && req->job.away) { /* answer_on_pool waits for it */
        req->shared = ipr_arena_strndup(&req->mem, digest, strlen(digest));
        return MHD_YES;
    }
    return filled ? ipr_answers_reply(req, place) : answer_fresh(req, place);
}

static enum MHD_Result answer_here(struct ipr_req *req)
{
    if (req->route->moved != NULL) {
        const char *const query = req->target + strcspn(req->target, "?");

        ipr_reply_header(req, "Location",
                         ipr_arena_printf(&req->mem, "%s%s", req->route->moved, query));
        return ipr_reply_empty(req, MHD_HTTP_PERMANENT_REDIRECT);
    }
    if (req->resource->flags & IPR_FLAG_REPORT)
        return ipr_http_report(req);
    return req->route->handle != NULL ? req->route->handle(req) : ipr_http_resource(req);
}

/* On a thread of the compute pool: what is replied is sent when the connection is resumed. */
static bool answer_on_pool(void *cls)
{
    struct ipr_req *req = cls;

    for (;;) {
        req->shared = NULL;
        (void)answer_here(req); /* MHD_NO leaves no reply */
        if (req->shared == NULL)
            return true;
        if (ipr_answers_wait(req, req->shared))
            return false;
    }
}

enum MHD_Result ipr_http_answer(struct ipr_req *req)
{
    /* These may need more than one query. */
    const bool computed = ipr_req_is_read(req) &&
                          (req->route->view != NULL || (req->resource->flags & IPR_FLAG_REPORT));

    return computed && ipr_compute_put(req, answer_on_pool, req) ? MHD_YES : answer_here(req);
}
