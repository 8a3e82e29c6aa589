#include "http/body.h"

#include <string.h>

#include "http/reply.h"
#include "http/url.h"

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

static enum ipr_code bad(struct ipr_err *err, const char *type, const char *what)
{
    return ipr_err_at(err, IPR_EPARSE, type, 0, 0, -1, "%s", what);
}

static enum ipr_code from_form(struct ipr_req *req, struct ipr_str text, const char *const *known,
                               json_t **out, struct ipr_err *err)
{
    const struct ipr_param *fields = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_url_query(&req->mem, text, known, &fields, &n, err);
    if (rc != IPR_OK)
        return rc;
    *out = json_object();
    for (size_t i = 0; i < n; i++)
        json_object_set_new(*out, fields[i].name, json_string(fields[i].value));
    return IPR_OK;
}

static bool is_known(const char *name, const char *const *known)
{
    for (; *known != NULL; known++)
        if (strcmp(*known, name) == 0)
            return true;
    return false;
}

static enum ipr_code from_json(struct ipr_str text, const char *const *known, json_t **out,
                               struct ipr_err *err)
{
    json_error_t why;
    const char *name;
    json_t *value;
    json_t *body = json_loadb(text.p, text.n, JSON_REJECT_DUPLICATES, &why);

    if (body == NULL)
        return ipr_err_at(err, IPR_EPARSE, "bad_body", (uint32_t)(why.line > 0 ? why.line : 0),
                          (uint32_t)(why.column > 0 ? why.column : 0), -1, "not JSON: %s",
                          why.text);
    if (!json_is_object(body)) {
        json_decref(body);
        return bad(err, "bad_body", "the body is a JSON object");
    }
    json_object_foreach(body, name, value) {
        if (is_known(name, known))
            continue;
        const enum ipr_code rc = ipr_err_at(err, IPR_EPARSE, "unknown_parameter", 0, 0, -1,
                                            "nothing is known of \"%.60s\" here", name);
        json_decref(body);
        return rc;
    }
    *out = body;
    return IPR_OK;
}

enum ipr_code ipr_body_object(struct ipr_req *req, const char *const *known, json_t **out,
                              struct ipr_err *err)
{
    const struct ipr_str text =
        ipr_str_trim((struct ipr_str){ ipr_buf_c(&req->body), req->body.n });

    if (text.n > BODY_MAX)
        return ipr_err_at(err, IPR_ELIMIT, "body_too_large", 0, 0, -1,
                          "this body is at most %zu bytes", BODY_MAX);
    if (ipr_body_is_form(req) && text.n > 0 && text.p[0] == '{')
        return ipr_err_at(err, IPR_EPARSE, "unsupported_type", 0, 0, -1,
                          "Content-Type: application/json is missing (curl: -H 'Content-Type: "
                          "application/json' -d '{…}')");
    if (ipr_body_is_form(req))
        return from_form(req, text, known, out, err);
    if (text.n == 0) {
        *out = json_object();
        return IPR_OK;
    }
    return from_json(text, known, out, err);
}

enum ipr_code ipr_body_int(const json_t *body, const char *name, int64_t lo, int64_t hi,
                           int64_t *out, bool *there, struct ipr_err *err)
{
    const json_t *value = json_object_get(body, name);

    *there = value != NULL && !json_is_null(value);
    if (!*there)
        return IPR_OK;
    if (json_is_integer(value)) {
        *out = json_integer_value(value);
        if (*out >= lo && *out <= hi)
            return IPR_OK;
    } else if (json_is_string(value) &&
               ipr_str_int(ipr_str_trim(ipr_str_c(json_string_value(value))), lo, hi, out)) {
        return IPR_OK;
    }
    return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                      "%s is not a whole number from %lld to %lld", name, (long long)lo,
                      (long long)hi);
}

enum ipr_code ipr_body_flag(const json_t *body, const char *name, bool *out, struct ipr_err *err)
{
    const json_t *value = json_object_get(body, name);
    const char *text = json_string_value(value);

    if (value != NULL && !json_is_null(value) && !json_is_boolean(value) &&
        (text == NULL || strcmp(text, "true") != 0))
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "%s is not true or false",
                          name);
    *out = text != NULL || json_is_true(value);
    return IPR_OK;
}

enum ipr_code ipr_body_text(const json_t *body, const char *name, const char **out,
                            struct ipr_err *err)
{
    const json_t *value = json_object_get(body, name);

    *out = NULL;
    if (value == NULL || json_is_null(value))
        return IPR_OK;
    if (!json_is_string(value) || strlen(json_string_value(value)) != json_string_length(value))
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "%s is not a text", name);
    if (json_string_length(value) > 0)
        *out = json_string_value(value);
    return IPR_OK;
}
