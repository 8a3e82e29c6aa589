#include "http/base/body.h"

#include <string.h>

#include "http/base/reply.h"
#include "http/base/url.h"

#define BODY_MAX ((size_t)1 << 20)

static const char form_type[] = "application/x-www-form-urlencoded";

bool ipr_body_is_form(const struct ipr_req *req)
{
    const char *type = ipr_req_header(req, "Content-Type");

    return type != NULL && ipr_req_is_type(type, form_type);
}

struct ipr_problem ipr_body_begin(struct ipr_req *req)
{
    const char *type = ipr_req_header(req, "Content-Type");
    const char *length = ipr_req_header(req, "Content-Length");
    int64_t n;

    if (type != NULL && !ipr_req_is_type(type, "application/json") && !ipr_body_is_form(req))
        return ipr_problem_make("unsupported_type",
                                "send a JSON object with Content-Type: application/json");
    if (length != NULL && !ipr_str_int(ipr_str_c(length), 0, (int64_t)BODY_MAX, &n))
        return ipr_problem_make("body_too_large", "this body is at most %zu bytes", BODY_MAX);
    req->body = (struct ipr_buf)IPR_BUF_INIT;
    return (struct ipr_problem){ 0 };
}

void ipr_body_take(struct ipr_req *req, const char *bytes, size_t n)
{
    if (req->body.n <= BODY_MAX)
        ipr_buf_add(&req->body, bytes, n);
}

/* The first field of that name with its "=", up to the next "&"; p NULL when there is none. */
static struct ipr_str find_field(const struct ipr_buf *form, const char *name)
{
    const char *at = form->p, *end = form->n > 0 ? at + form->n : at;

    for (const char *next; at < end; at = next) {
        const char *amp = memchr(at, '&', (size_t)(end - at));

        next = amp != NULL ? amp + 1 : end;
        if ((size_t)(next - at) >= strlen(name) && memcmp(at, name, strlen(name)) == 0)
            return (struct ipr_str){ at, (size_t)(next - at) };
    }
    return (struct ipr_str){ NULL, 0 };
}

enum ipr_code ipr_body_cut_token(struct ipr_req *req, const char **out, struct ipr_err *err)
{
    static const char name[] = "token=";
    const struct ipr_str field = find_field(&req->body, name);
    struct ipr_str value;

    *out = NULL;
    if (!ipr_body_is_form(req) || field.p == NULL)
        return IPR_OK;
    value = (struct ipr_str){ field.p + sizeof name - 1, field.n - (sizeof name - 1) };
    if (value.n > 0 && value.p[value.n - 1] == '&')
        value.n--;
    const enum ipr_code rc =
        value.n > 0 ? ipr_url_decode(&req->mem, value, true, out, err) : IPR_OK;
    const size_t at = (size_t)(field.p - req->body.p), rest = req->body.n - at - field.n;
    memmove(req->body.p + at, req->body.p + at + field.n, rest);
    memset(req->body.p + at + rest, 0, field.n);
    req->body.n = at + rest;
    return rc;
}

static enum ipr_code body_from_form(struct ipr_req *req, struct ipr_str text, struct ipr_err *err)
{
    const size_t before = req->n_given;

    req->body_fields = json_array();
    const enum ipr_code rc = ipr_url_query(&req->mem, text, req->given, &req->n_given, err);

    for (size_t i = before; i < req->n_given; i++) {
        struct ipr_given *g = &req->given[i];

        g->place = IPR_GIVEN_BODY;
        g->json = json_string(g->text);
        g->text = NULL;
        json_array_append_new(req->body_fields, (json_t *)(uintptr_t)g->json);
        json_object_set(req->body_json, g->name, (json_t *)(uintptr_t)g->json);
    }
    return rc;
}

static enum ipr_code body_members(struct ipr_req *req, struct ipr_err *err)
{
    const char *name;
    json_t *value;

    json_object_foreach(req->body_json, name, value) {
        if (req->n_given == IPR_REQ_GIVEN)
            return ipr_err_set(err, IPR_ELIMIT, "too many members");
        req->given[req->n_given++] =
            (struct ipr_given){ .name = name, .json = value, .place = IPR_GIVEN_BODY };
    }
    return IPR_OK;
}

static enum ipr_code body_from_json(struct ipr_req *req, struct ipr_str text, struct ipr_err *err)
{
    json_error_t why;

    req->body_json = json_loadb(text.p, text.n, JSON_REJECT_DUPLICATES, &why);
    if (req->body_json == NULL)
        return ipr_err_at(err, IPR_EPARSE, "bad_body", (uint32_t)(why.line > 0 ? why.line : 0),
                          (uint32_t)(why.column > 0 ? why.column : 0), -1, "not JSON: %s",
                          why.text);
    if (!json_is_object(req->body_json))
        return ipr_err_type(err, IPR_EPARSE, "bad_body", "the body is not a JSON object");
    return body_members(req, err);
}

enum ipr_code ipr_body_params(struct ipr_req *req, struct ipr_err *err)
{
    const struct ipr_str text =
        ipr_str_trim((struct ipr_str){ ipr_buf_c(&req->body), req->body.n });

    if (text.n > BODY_MAX)
        return ipr_err_type(err, IPR_ELIMIT, "body_too_large", "this body is at most %zu bytes",
                            BODY_MAX);
    if (ipr_body_is_form(req) && text.n > 0 && text.p[0] == '{')
        return ipr_err_type(err, IPR_EPARSE, "unsupported_type",
                            "Content-Type: application/json is missing (curl: -H 'Content-Type: "
                            "application/json' -d '{…}')");
    if (text.n > 0 && !ipr_body_is_form(req))
        return body_from_json(req, text, err);
    req->body_json = json_object();
    return body_from_form(req, text, err);
}
