/* What the API offers, made from server/resources.def: the index, the page of documentation and the
 * OpenAPI document. */
#include <math.h>
#include <string.h>

#include "core/version.h"
#include "http/format.h"
#include "http/reply.h"
#include "http/routes.h"

static bool is_of_api(const struct ipr_address *a)
{
    return strncmp(a->path, "/api/v1", 7) == 0;
}

static bool in_path(const struct ipr_address *a, const char *name)
{
    const size_t n = strlen(name);

    for (const char *at = strchr(a->path, '{'); at != NULL; at = strchr(at + 1, '{'))
        if (strncmp(at + 1, name, n) == 0 && at[n + 1] == '}')
            return true;
    return false;
}

static bool has_body(const struct ipr_resource *r)
{
    return (r->flags & (IPR_FLAG_BODY | IPR_FLAG_UPLOAD | IPR_FLAG_RAW)) != 0;
}

static const char *place_of(const struct ipr_address *a, const struct ipr_param_def *d)
{
    if (in_path(a, d->name))
        return "path";
    return has_body(ipr_resource_at(a->id)) && !d->query ? "body" : "query";
}

/* ---- the index ---- */

static json_t *index_param(const struct ipr_address *a, const struct ipr_param_def *d)
{
    json_t *out = ipr_param_json(d);
    struct ipr_buf expected = IPR_BUF_INIT;

    ipr_param_expected(d, &expected);
    json_object_set_new(out, "in", json_string(place_of(a, d)));
    json_object_set_new(out, "required", json_boolean(d->required || in_path(a, d->name)));
    json_object_set_new(out, "expected", json_string(ipr_buf_c(&expected)));
    json_object_set_new(out, "methods", d->of != NULL ? json_string(d->of) : json_null());
    json_object_set_new(out, "meaning", json_string(d->help));
    ipr_buf_release(&expected);
    return out;
}

static json_t *index_formats(const struct ipr_address *a)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);
    json_t *list = json_array();

    if (r->flags & IPR_FLAG_STREAM)
        json_array_append_new(list, json_string("text/event-stream"));
    else
        json_array_append_new(list, json_string("application/json"));
    if (r->columns != NULL) {
        json_array_append_new(list, json_string("application/x-ndjson"));
        json_array_append_new(list, json_string("text/csv"));
    }
    if (r->flags & IPR_FLAG_PGN)
        json_array_append_new(list, json_string("application/x-chess-pgn"));
    return list;
}

static json_t *index_address(const struct ipr_address *a)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);
    json_t *params = json_array();

    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++)
        json_array_append_new(params, index_param(a, d));
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "name", r->name, "method", a->method,
                     "path", a->path, "title", r->title, "page",
                     r->page != NULL && strcmp(a->method, "GET") == 0 ? json_string(r->page)
                                                                      : json_null(),
                     "formats", index_formats(a), "params", params);
}

static json_t *index_json(void)
{
    json_t *list = json_array();

    for (const struct ipr_address *a = ipr_addresses; a->method != NULL; a++)
        if (is_of_api(a))
            json_array_append_new(list, index_address(a));
    return json_pack("{s:s, s:s, s:s, s:o}", "version", IPR_VERSION, "openapi", "/openapi.json",
                     "docs", "/docs", "resources", list);
}

enum MHD_Result ipr_http_index(struct ipr_req *req)
{
    if (req->route->page != NULL)
        return ipr_reply_page(req, req->route->page, index_json());
    return ipr_reply_json(req, MHD_HTTP_OK, index_json());
}

/* ---- OpenAPI 3.1 ---- */

static json_t *words_json(const struct ipr_param_def *d)
{
    json_t *list = json_array();

    for (size_t i = 0; d->words[i] != NULL; i++)
        json_array_append_new(list, json_string(d->words[i]));
    return list;
}

static json_t *range_schema(const struct ipr_param_def *d, const char *type)
{
    const bool whole = strcmp(type, "integer") == 0;
    json_t *out = json_pack("{s:s}", "type", type);

    json_object_set_new(out, "minimum", whole ? json_integer((json_int_t)d->lo) : json_real(d->lo));
    if (d->hi < 9e18)
        json_object_set_new(out, "maximum",
                            whole ? json_integer((json_int_t)d->hi) : json_real(d->hi));
    return out;
}

static json_t *param_schema(const struct ipr_param_def *d)
{
    switch (d->type) {
    case IPR_PARAM_INT:
        return range_schema(d, "integer");
    case IPR_PARAM_REAL:
        return range_schema(d, "number");
    case IPR_PARAM_BOOL:
        return json_pack("{s:s}", "type", "boolean");
    case IPR_PARAM_CHOICE:
        return json_pack("{s:s, s:o}", "type", "string", "enum", words_json(d));
    case IPR_PARAM_SET:
        return json_pack("{s:s, s:{s:s, s:o}}", "type", "array", "items", "type", "string", "enum",
                         words_json(d));
    case IPR_PARAM_TIMES:
        return json_pack("{s:s, s:{s:s}}", "type", "array", "items", "type", "string");
    case IPR_PARAM_INTS:
        return json_pack("{s:s, s:o}", "type", "array", "items", range_schema(d, "integer"));
    case IPR_PARAM_SIDE:
        return json_pack("{s:s, s:s}", "type", "string", "pattern",
                         "^[1-9][0-9]*:[1-9][0-9]{0,3}$");
    case IPR_PARAM_TEXT:
        return json_pack("{s:s, s:i}", "type", "string", "maxLength", (int)d->hi);
    case IPR_PARAM_CURSOR:
        return json_pack("{s:s}", "type", "string");
    case IPR_PARAM_JSON:
        break;
    }
    return json_object();
}

static json_t *schema_with_default(const struct ipr_param_def *d)
{
    json_t *schema = param_schema(d), *json = ipr_param_json(d);
    json_t *preset = json_object_get(json, "default");

    if (!json_is_null(preset))
        json_object_set(schema, "default", preset);
    json_decref(json);
    return schema;
}

static bool is_list(const struct ipr_param_def *d)
{
    return d->type == IPR_PARAM_SET || d->type == IPR_PARAM_TIMES || d->type == IPR_PARAM_INTS;
}

static json_t *param_object(const struct ipr_address *a, const struct ipr_param_def *d)
{
    const bool path = in_path(a, d->name);
    json_t *out = json_pack("{s:s, s:s, s:b, s:s, s:o}", "name", d->name, "in",
                            path ? "path" : "query", "required", path || d->required, "description",
                            d->help, "schema", schema_with_default(d));

    if (is_list(d)) {
        json_object_set_new(out, "style", json_string("form"));
        json_object_set_new(out, "explode", json_false());
    }
    return out;
}

static json_t *body_schema(const struct ipr_address *a)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);
    json_t *properties = json_object(), *required = json_array();

    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++) {
        if (strcmp(place_of(a, d), "body") != 0)
            continue;
        json_t *schema = schema_with_default(d);

        json_object_set_new(schema, "description", json_string(d->help));
        json_object_set_new(properties, d->name, schema);
        if (d->required)
            json_array_append_new(required, json_string(d->name));
    }
    json_t *out = json_pack("{s:s, s:o, s:b}", "type", "object", "properties", properties,
                            "additionalProperties", 0);
    if (json_array_size(required) > 0)
        json_object_set(out, "required", required);
    json_decref(required);
    return out;
}

static json_t *body_object(const struct ipr_address *a)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);

    if (r->flags & IPR_FLAG_BODY)
        return json_pack("{s:b, s:{s:{s:o}}}", "required", 1, "content", "application/json",
                         "schema", body_schema(a));
    if (r->flags & IPR_FLAG_UPLOAD)
        return json_pack("{s:b, s:{s:{s:{s:s}}, s:{s:{s:s, s:{s:{s:s, s:s}}}}}}", "required", 1,
                         "content", "application/x-chess-pgn", "schema", "type", "string",
                         "multipart/form-data", "schema", "type", "object", "properties", "file",
                         "type", "string", "format", "binary");
    return json_pack("{s:b, s:{s:{s:{s:s}}}}", "required", 1, "content", "application/x-ndjson",
                     "schema", "type", "string");
}

static json_t *answer_content(const struct ipr_address *a)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);
    json_t *content = json_object(), *formats = index_formats(a), *one;
    size_t i;

    json_array_foreach(formats, i, one) {
        const bool json = strcmp(json_string_value(one), "application/json") == 0;

        json_object_set_new(content, json_string_value(one),
                            json ? json_pack("{s:{s:o}}", "schema", "$ref",
                                             json_sprintf("#/components/schemas/%s", r->name))
                                 : json_pack("{s:{s:s}}", "schema", "type", "string"));
    }
    json_decref(formats);
    return content;
}

static const char *status_of(const struct ipr_address *a)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);

    if (a->id == IPR_RESOURCE_UPLOAD_POST || a->id == IPR_RESOURCE_ANALYSES_POST)
        return "202";
    return r->flags & IPR_FLAG_RAW || a->id == IPR_RESOURCE_JUDGE_POST ? "201" : "200";
}

static json_t *answers_object(const struct ipr_address *a)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);
    json_t *out =
        json_pack("{s:{s:s, s:o}, s:{s:s}}", status_of(a), "description", r->title, "content",
                  answer_content(a), "default", "$ref", "#/components/responses/Problem");

    if (r->flags & IPR_FLAG_REPORT)
        json_object_set_new(out, "202",
                            json_pack("{s:s}", "description",
                                      "Being computed; Retry-After says when to ask again."));
    return out;
}

/* The first piece of the path after the version. */
static json_t *tag_of(const struct ipr_address *a)
{
    const char *piece = a->path + strlen("/api/v1");

    piece += *piece == '/';
    const size_t n = strcspn(piece, "/");
    return n > 0 ? json_stringn(piece, n) : json_string("index");
}

/* The name of the resource; of a further address of the same, its path, too. */
static json_t *operation_id(const struct ipr_address *a)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);
    json_t *tag = tag_of(a);
    json_t *out = r->api == NULL || strcmp(r->api, a->path) == 0
                      ? json_string(r->name)
                      : json_sprintf("%s_%s", json_string_value(tag), r->name);

    json_decref(tag);
    return out;
}

static json_t *operation(const struct ipr_address *a)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);
    json_t *params = json_array();

    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++)
        if (strcmp(place_of(a, d), "body") != 0)
            json_array_append_new(params, param_object(a, d));
    json_t *out = json_pack("{s:o, s:s, s:[o], s:o, s:o}", "operationId", operation_id(a),
                            "summary", r->title, "tags", tag_of(a), "parameters", params,
                            "responses", answers_object(a));
    if (has_body(r))
        json_object_set_new(out, "requestBody", body_object(a));
    if (strcmp(a->method, "GET") != 0)
        json_object_set_new(out, "security", json_pack("[{}, {s:[]}]", "token"));
    return out;
}

static json_t *paths_object(void)
{
    json_t *paths = json_object();

    for (const struct ipr_address *a = ipr_addresses; a->method != NULL; a++) {
        char method[8] = "";

        if (!is_of_api(a))
            continue;
        if (json_object_get(paths, a->path) == NULL)
            json_object_set_new(paths, a->path, json_object());
        for (size_t i = 0; a->method[i] != '\0'; i++)
            method[i] = (char)(a->method[i] | 0x20);
        json_object_set_new(json_object_get(paths, a->path), method, operation(a));
    }
    return paths;
}

static json_t *problem_schema(void)
{
    return json_pack("{s:s, s:s, s:[s, s, s], s:{s:{s:s, s:s}, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s},"
                     " s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}}}",
                     "type", "object", "description", "RFC 9457", "required", "type", "title",
                     "status", "properties", "type", "type", "string", "format", "uri-reference",
                     "title", "type", "string", "status", "type", "integer", "detail", "type",
                     "string", "parameter", "type", "string", "line", "type", "integer", "column",
                     "type", "integer", "ply", "type", "integer", "request_id", "type", "string");
}

static json_t *components_object(void)
{
    json_t *schemas = json_pack("{s:o}", "Problem", problem_schema());

    for (size_t i = 0; i < IPR_RESOURCES; i++) {
        const struct ipr_resource *r = ipr_resource_at((enum ipr_resource_id)i);

        json_object_set_new(schemas, r->name,
                            json_pack("{s:s, s:s}", "type", "object", "description", r->title));
    }
    return json_pack("{s:o, s:{s:{s:s, s:{s:{s:{s:s}}}}}, s:{s:{s:s, s:s, s:s}}}", "schemas",
                     schemas, "responses", "Problem", "description", "The request was refused.",
                     "content", "application/problem+json", "schema", "$ref",
                     "#/components/schemas/Problem", "securitySchemes", "token", "type", "http",
                     "scheme", "bearer", "description",
                     "Needed for writing once a token exists: intrinsic token create");
}

/* GET /openapi.json */
enum MHD_Result ipr_http_openapi(struct ipr_req *req)
{
    return ipr_reply_json(
        req, MHD_HTTP_OK,
        json_pack("{s:s, s:{s:s, s:s, s:s, s:{s:s, s:s}}, s:[{s:s}], s:o, s:o}", "openapi", "3.1.0",
                  "info", "title", "Intrinsic", "version", IPR_VERSION, "description",
                  "Chess ratings from the moves, not the results.", "license", "name",
                  "GPL-3.0-or-later", "identifier", "GPL-3.0-or-later", "servers", "url", "/",
                  "paths", paths_object(), "components", components_object()));
}
