/* The API as an OpenAPI 3.1 document, made from server/resources.def, the shapes of the answers and
 * the types of problems. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microhttpd.h>

#include "api/docs.h"
#include "api/schemas.h"
#include "base/str.h"
#include "core/version.h"
#include "http/base/format.h"
#include "http/base/problems.h"

static bool is_write(const struct ipr_api_address *a)
{
    return strcmp(a->method, "GET") != 0;
}

/* ---- parameters and bodies ---- */

static bool is_list(const struct ipr_param_def *d)
{
    return d->type == IPR_PARAM_SET || d->type == IPR_PARAM_TIMES || d->type == IPR_PARAM_INTS;
}

static json_t *param_object(const struct ipr_api_address *a, const struct ipr_param_def *d)
{
    const char *place = ipr_docs_place(a, d);
    const bool required = d->required || strcmp(place, "path") == 0;
    json_t *out = json_pack("{s:s, s:s, s:b, s:s, s:o}", "name", d->name, "in", place, "required",
                            required, "description", d->help, "schema", ipr_schema_param(d));

    if (is_list(d)) {
        json_object_set_new(out, "style", json_string("form"));
        json_object_set_new(out, "explode", json_false());
    }
    return out;
}

/* ---- headers ---- */

static bool is_stream(const struct ipr_api_address *a)
{
    return (ipr_resource_at(a->id)->flags & IPR_FLAG_STREAM) != 0;
}

static bool is_plain_read(const struct ipr_api_address *a)
{
    return !is_write(a) && !is_stream(a);
}

static bool is_list_read(const struct ipr_api_address *a)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);

    return is_plain_read(a) && r->rows != NULL && ipr_resource_param(r, "after") != NULL;
}

/* Its body is computed on, and nothing is written. */
static bool is_computed(const struct ipr_api_address *a)
{
    return (ipr_resource_at(a->id)->flags & IPR_FLAG_FORMATS) != 0;
}

static bool is_costly(const struct ipr_api_address *a)
{
    return ipr_resource_at(a->id)->cost == IPR_COST_HEAVY || is_computed(a);
}

static bool is_repeatable(const struct ipr_api_address *a)
{
    return (strcmp(a->method, "POST") == 0 || strcmp(a->method, "PATCH") == 0) && !is_computed(a);
}

static bool is_upload(const struct ipr_api_address *a)
{
    return (ipr_resource_at(a->id)->flags & IPR_FLAG_UPLOAD) != 0 && !is_computed(a);
}

static bool is_any(const struct ipr_api_address *a)
{
    return a != NULL;
}

/* Headers by the addresses that have them; what they are is in api/openapi.json. */
static const struct {
    const char *name;
    bool (*of)(const struct ipr_api_address *a);
} request_headers[] = { { "Idempotency-Key", is_repeatable },
                        { "If-None-Match", is_plain_read },
                        { "Last-Event-ID", is_stream },
                        { "Prefer", is_upload } };

static const struct {
    const char *name, *statuses; /* beginnings of them, by spaces */
    bool (*of)(const struct ipr_api_address *a);
} answer_headers[] = { { "X-Request-Id", "2 304", is_any },
                       { "ETag", "200 304", is_plain_read },
                       { "Link", "200 304", is_list_read },
                       { "Location", "201 202", is_repeatable },
                       { "Idempotency-Replayed", "2", is_repeatable },
                       { "Preference-Applied", "202", is_upload },
                       { "RateLimit", "200", is_costly },
                       { "RateLimit-Policy", "200", is_costly },
                       { "Retry-After", "202", is_plain_read } };

/* Headers of problems, whatever the address. */
static const struct {
    const char *name, *statuses;
} problem_headers[] = { { "X-Request-Id", "4 5" },
                        { "Retry-After", "429 503" },
                        { "RateLimit", "429" },
                        { "RateLimit-Policy", "429" },
                        { "WWW-Authenticate", "401" } };

static bool status_fits(const char *statuses, const char *status)
{
    struct ipr_str list = ipr_str_c(statuses), one;

    while (ipr_str_word(&list, &one))
        if (strncmp(status, one.p, one.n) == 0)
            return true;
    return false;
}

static void add_header(json_t *headers, const char *name)
{
    json_object_set_new(headers, name,
                        json_pack("{s:o}", "$ref", json_sprintf("#/components/headers/%s", name)));
}

static json_t *headers_object(const struct ipr_api_address *a, const char *status)
{
    json_t *out = json_object();

    for (size_t i = 0; i < sizeof answer_headers / sizeof *answer_headers; i++)
        if (answer_headers[i].of(a) && status_fits(answer_headers[i].statuses, status))
            add_header(out, answer_headers[i].name);
    return out;
}

static void add_request_headers(const struct ipr_api_address *a, json_t *params)
{
    for (size_t i = 0; i < sizeof request_headers / sizeof *request_headers; i++)
        if (request_headers[i].of(a))
            json_array_append_new(params, json_pack("{s:o}", "$ref",
                                                    json_sprintf("#/components/parameters/%s",
                                                                 request_headers[i].name)));
}

static json_t *params_list(const struct ipr_api_address *a)
{
    json_t *params = json_array();

    for (const struct ipr_param_def *d = ipr_resource_at(a->id)->params; d->name != NULL; d++)
        if (strcmp(ipr_docs_place(a, d), "body") != 0)
            json_array_append_new(params, param_object(a, d));
    add_request_headers(a, params);
    return params;
}

static json_t *body_schema(const struct ipr_api_address *a)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);
    json_t *properties = json_object(), *required = json_array();

    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++) {
        if (strcmp(ipr_docs_place(a, d), "body") != 0)
            continue;
        json_t *schema = ipr_schema_param(d);

        json_object_set_new(schema, "description", json_string(d->help));
        json_object_set_new(properties, d->name, schema);
        if (d->required)
            json_array_append_new(required, json_string(d->name));
    }
    json_t *out = ipr_schema_object(NULL, properties, required);
    json_object_set_new(out, "additionalProperties", json_false());
    return out;
}

/* A file, by itself or in a form. */
static json_t *file_content(const struct ipr_resource *r)
{
    struct ipr_str list = ipr_str_c(r->types), type;
    json_t *content = json_object();

    while (ipr_str_word(&list, &type)) {
        const bool form = ipr_str_is(type, "multipart/form-data");

        json_object_setn_new(content, type.p, type.n,
                             form ? json_pack("{s:{s:s, s:{s:{s:s, s:s}}}}", "schema", "type",
                                              "object", "properties", "file", "type", "string",
                                              "format", "binary")
                                  : json_pack("{s:{s:s}}", "schema", "type", "string"));
    }
    return content;
}

static json_t *body_object(const struct ipr_api_address *a)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);

    if (r->flags & IPR_FLAG_BODY) {
        json_t *example = a->example_body != NULL ? json_loads(a->example_body, 0, NULL) : NULL;
        json_t *media = json_pack("{s:o, s:o*}", "schema", body_schema(a), "example", example);

        return json_pack("{s:b, s:{s:o}}", "required", 1, "content", "application/json", media);
    }
    return json_pack("{s:b, s:o}", "required", 1, "content", file_content(r));
}

/* ---- answers ---- */

/* An event of a stream, or the JSON itself. */
static json_t *answer_schema(const struct ipr_api_address *a)
{
    json_t *ref = ipr_schema_ref(ipr_shape(a->answer)->name);

    if (ipr_resource_at(a->id)->flags & IPR_FLAG_STREAM)
        return json_pack("{s:s, s:s, s:s, s:o}", "type", "string", "description",
                         "Events `progress`, and `done` at the end. The data of each are JSON of "
                         "this schema.",
                         "contentMediaType", "application/json", "contentSchema", ref);
    return ref;
}

/* The answer, or the first event of a stream; NULL where there is no example. */
static json_t *answer_example(const struct ipr_api_address *a, json_t *answer)
{
    if (answer == NULL || !(ipr_resource_at(a->id)->flags & IPR_FLAG_STREAM))
        return json_incref(answer);
    char *data = json_dumps(answer, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_t *event = json_sprintf("event: progress\ndata: %s\n\n", data);

    free(data);
    return event;
}

/* JSON alone, or the events of a stream: another format would make the answer of a typed client a
 * union. Those of a list are at addresses of their own, which the description has. */
static json_t *answer_content(const struct ipr_api_address *a, json_t *answer)
{
    json_t *media =
        json_pack("{s:o, s:o*}", "schema", answer_schema(a), "example", answer_example(a, answer));

    return json_pack("{s:o}", is_stream(a) ? "text/event-stream" : "application/json", media);
}

static bool has_param(const struct ipr_api_address *a, const char *name)
{
    return ipr_resource_param(ipr_resource_at(a->id), name) != NULL;
}

static bool can_fail_with(const struct ipr_api_address *a, unsigned status)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);

    switch (status) {
    case MHD_HTTP_UNAUTHORIZED:
    case MHD_HTTP_FORBIDDEN:
    case MHD_HTTP_UNPROCESSABLE_CONTENT:
        return is_write(a);
    case MHD_HTTP_CONFLICT:
        return is_write(a) || (r->flags & IPR_FLAG_PGN) != 0;
    case MHD_HTTP_NOT_FOUND:
        return strchr(a->path, '{') != NULL || has_param(a, "judge") || has_param(a, "player");
    case MHD_HTTP_METHOD_NOT_ALLOWED:
        return false;
    case MHD_HTTP_NOT_ACCEPTABLE:
        return !is_write(a) || is_computed(a);
    case MHD_HTTP_CONTENT_TOO_LARGE:
    case MHD_HTTP_UNSUPPORTED_MEDIA_TYPE:
        return ipr_docs_has_body(r);
    case MHD_HTTP_TOO_MANY_REQUESTS:
        return is_costly(a);
    default:
        return true;
    }
}

static void add_problems(const struct ipr_api_address *a, json_t *answers)
{
    const struct ipr_problem_type *p;

    for (size_t i = 0; (p = ipr_problem_at(i)) != NULL; i++) {
        char status[8];

        snprintf(status, sizeof status, "%u", p->status);
        if (can_fail_with(a, p->status) && json_object_get(answers, status) == NULL)
            json_object_set_new(
                answers, status,
                json_pack("{s:o}", "$ref", json_sprintf("#/components/responses/%s", status)));
    }
}

/* `status` may be the beginning of a list. `content` is borrowed; NULL: none. */
static void add_answer(const struct ipr_api_address *a, const char *status, const char *what,
                       json_t *content, json_t *out)
{
    char code[4];

    snprintf(code, sizeof code, "%s", status);
    json_object_set_new(out, code,
                        json_pack("{s:s, s:o, s:O*}", "description", what, "headers",
                                  headers_object(a, code), "content", content));
}

static json_t *answers_object(const struct ipr_api_address *a, const json_t *examples,
                              const char *operation)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);
    const json_t *told = json_object_get(examples, operation);
    json_t *content = answer_content(a, json_object_get(told, "answer")), *out = json_object();

    for (const char *at = a->statuses; *at != '\0'; at += strcspn(at, ","), at += *at == ',')
        add_answer(a, at, r->title, content, out);
    if (r->flags & IPR_FLAG_REPORT)
        add_answer(a, "202", "It is being computed; Retry-After says when to ask again.", content,
                   out);
    if (is_stream(a))
        add_answer(a, "204", "Nothing more will come.", NULL, out);
    if (is_plain_read(a))
        add_answer(a, "304", "The client has the answer.", NULL, out);
    json_decref(content);
    add_problems(a, out);
    return out;
}

/* ---- the document ---- */

/* What an answer is, in which other formats it is, and what a request needs. */
static json_t *operation_told(const struct ipr_api_address *a)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);
    struct ipr_buf out = IPR_BUF_INIT;
    char scope[IPR_SCOPES_TEXT];

    ipr_buf_puts(&out, r->title);
    for (int f = IPR_FORMAT_NDJSON; is_plain_read(a) && f < IPR_FORMATS; f++)
        if (ipr_format_exists(r, f))
            ipr_buf_printf(&out, " Also `%s%s` (%s).", a->path, ipr_format_ending(f),
                           ipr_format_media(f));
    if (is_list_read(a))
        ipr_buf_puts(&out, " `next` of an answer, given as `after`, leads to the following page.");
    if (r->flags & IPR_FLAG_REPORT)
        ipr_buf_puts(&out, " Until it is computed the answer is 202; ask again after Retry-After.");
    if (strcmp(a->method, "DELETE") == 0)
        ipr_buf_puts(&out, " A repeated request changes nothing and is answered 404; an "
                           "Idempotency-Key is not looked at.");
    if (is_costly(a))
        ipr_buf_puts(&out, " It is costly: requests of one client address are limited.");
    ipr_scopes_text(r->scope, scope);
    if (is_write(a))
        ipr_buf_printf(&out, " Once there is a token, it needs one of the scope `%s`.", scope);
    json_t *text = json_string(ipr_buf_c(&out));
    ipr_buf_release(&out);
    return text;
}

/* The first sentence, without its stop. */
static json_t *summary_text(const char *title)
{
    const char *const end = strstr(title, ". ");

    return json_stringn(title, end != NULL ? (size_t)(end - title) : strlen(title) - 1);
}

static json_t *operation_object(const struct ipr_api_address *a, const json_t *examples)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);
    json_t *id = ipr_docs_operation(a);
    json_t *out = json_pack("{s:O, s:o, s:o, s:[s], s:o, s:o}", "operationId", id, "summary",
                            summary_text(r->title), "description", operation_told(a), "tags",
                            a->section, "parameters", params_list(a), "responses",
                            answers_object(a, examples, json_string_value(id)));

    json_decref(id);
    if (ipr_docs_has_body(r))
        json_object_set_new(out, "requestBody", body_object(a));
    if (is_write(a)) {
        char scope[IPR_SCOPES_TEXT];

        ipr_scopes_text(r->scope, scope);
        json_object_set_new(out, "x-scope", json_string(scope));
    }
    /* Of a write: without a token where none exists, or with one of the scope. */
    json_object_set_new(out, "security",
                        is_write(a) ? json_pack("[{}, {s:[]}]", "token") : json_array());
    return out;
}

static json_t *paths_object(const json_t *examples)
{
    json_t *paths = json_object();

    for (const struct ipr_api_address *a = ipr_api_addresses; a->method != NULL; a++) {
        char method[8] = "";

        if (json_object_get(paths, a->path) == NULL)
            json_object_set_new(paths, a->path, json_object());
        for (size_t i = 0; a->method[i] != '\0'; i++)
            method[i] = (char)(a->method[i] | 0x20);
        json_object_set_new(json_object_get(paths, a->path), method, operation_object(a, examples));
    }
    return paths;
}

static void add_schemas(json_t *schemas)
{
    ipr_schemas_add(schemas, IPR_SHAPE_PROBLEM);
    for (const struct ipr_api_address *a = ipr_api_addresses; a->method != NULL; a++) {
        const struct ipr_resource *r = ipr_resource_at(a->id);

        ipr_schemas_add(schemas, a->answer);
        if (r->flags & IPR_FLAG_REPORT) {
            char name[64];

            snprintf(name, sizeof name, "%s_params", r->name);
            json_object_set_new(schemas, name, ipr_schema_params(r));
        }
    }
}

/* Takes `types`. */
static json_t *problem_response(unsigned status, json_t *types)
{
    json_t *headers = json_object();
    char name[8];

    snprintf(name, sizeof name, "%u", status);
    for (size_t i = 0; i < sizeof problem_headers / sizeof *problem_headers; i++)
        if (status_fits(problem_headers[i].statuses, name))
            add_header(headers, problem_headers[i].name);
    return json_pack("{s:s, s:o, s:{s:{s:{s:[o, {s:{s:{s:o}}}]}}}}", "description",
                     MHD_get_reason_phrase_for(status), "headers", headers, "content",
                     "application/problem+json", "schema", "allOf", ipr_schema_ref("problem"),
                     "properties", "type", "enum", types);
}

/* A response for each status, with the types of problems it can have. */
static json_t *responses_object(void)
{
    json_t *out = json_object();
    const struct ipr_problem_type *p = ipr_problem_at(0);

    for (size_t i = 0; p != NULL;) {
        const unsigned status = p->status;
        json_t *types = json_array();
        char name[8];

        for (; p != NULL && p->status == status; p = ipr_problem_at(++i))
            json_array_append_new(types, json_sprintf("/problems/%s", p->type));
        snprintf(name, sizeof name, "%u", status);
        json_object_set_new(out, name, problem_response(status, types));
    }
    json_object_del(out, "405"); /* of no operation that is listed */
    return out;
}

static json_t *tags_list(void)
{
    json_t *tags = json_array();
    const char *now = "";

    for (const struct ipr_api_address *a = ipr_api_addresses; a->method != NULL; a++) {
        if (strcmp(a->section, now) == 0)
            continue;
        now = a->section;
        json_array_append_new(tags,
                              json_pack("{s:s, s:s}", "name", now, "description", a->section_help));
    }
    return tags;
}

json_t *ipr_docs_openapi(json_t *constant, const json_t *examples)
{
    json_t *out = json_incref(constant), *components = json_object_get(out, "components");

    json_object_set_new(json_object_get(out, "info"), "version", json_string(IPR_VERSION));
    json_object_set_new(out, "tags", tags_list());
    json_object_set_new(out, "paths", paths_object(examples));
    add_schemas(json_object_get(components, "schemas"));
    json_object_set_new(components, "responses", responses_object());
    return out;
}
