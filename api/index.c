/* The index of the API and the data of its page, made from server/resources.def and the shapes of
 * the answers. */
#include <stdlib.h>
#include <string.h>

#include "api/docs.h"
#include "api/schemas.h"
#include "core/version.h"
#include "http/base/format.h"
#include "resource/read.h"
#include "resource/write.h"

#include "api_addresses.h"

const struct ipr_api_address *const ipr_api_addresses = addresses;

bool ipr_docs_has_body(const struct ipr_resource *r)
{
    return (r->flags & (IPR_FLAG_BODY | IPR_FLAG_UPLOAD | IPR_FLAG_RAW)) != 0;
}

const char *ipr_docs_place(const struct ipr_api_address *a, const struct ipr_param_def *d)
{
    if (ipr_path_has(a->path, d->name))
        return "path";
    return ipr_docs_has_body(ipr_resource_at(a->id)) && !d->query ? "body" : "query";
}

json_t *ipr_docs_formats(const struct ipr_api_address *a)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);
    json_t *list = json_array();

    if (r->flags & IPR_FLAG_STREAM)
        json_array_append_new(list, json_string("text/event-stream"));
    for (int f = IPR_FORMAT_JSON; f < IPR_FORMATS; f++)
        if (ipr_format_exists(r, f))
            json_array_append_new(list, json_string(ipr_format_media(f)));
    return list;
}

json_t *ipr_docs_operation(const struct ipr_api_address *a)
{
    return json_string(ipr_resource_at(a->id)->name);
}

/* ---- the index ---- */

static json_t *index_param(const struct ipr_api_address *a, const struct ipr_param_def *d)
{
    json_t *out = ipr_param_json(d);
    struct ipr_buf expected = IPR_BUF_INIT;

    ipr_param_expected(d, &expected);
    json_object_set_new(out, "in", json_string(ipr_docs_place(a, d)));
    json_object_set_new(out, "required",
                        json_boolean(d->required || ipr_path_has(a->path, d->name)));
    json_object_set_new(out, "expected", json_string(ipr_buf_c(&expected)));
    json_object_set_new(out, "on_page",
                        json_boolean(ipr_resource_at(a->id)->page != NULL && !d->api));
    json_object_set_new(out, "methods", json_pack("s?", d->of));
    json_object_set_new(out, "meaning", json_string(d->help));
    ipr_buf_release(&expected);
    return out;
}

static json_t *index_address(const struct ipr_api_address *a)
{
    const struct ipr_resource *r = ipr_resource_at(a->id);
    const bool get = strcmp(a->method, "GET") == 0;
    json_t *params = json_array();

    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++)
        json_array_append_new(params, index_param(a, d));
    return json_pack("{s:o, s:s, s:s, s:s, s:s, s:s?, s:o, s:s, s:o, s:{s:s?, s:s?}}", "name",
                     ipr_docs_operation(a), "section", a->section, "method", a->method, "path",
                     a->path, "title", r->title, "page", get ? r->page : NULL, "formats",
                     ipr_docs_formats(a), "answer", ipr_shape(a->answer)->name, "params", params,
                     "example", "path", a->example, "body", a->example_body);
}

static json_t *docs_finding(void)
{
    int n = 0, sections = 0;
    const char *now = "";

    for (const struct ipr_api_address *a = ipr_api_addresses; a->method != NULL; a++) {
        n++;
        sections += strcmp(a->section, now) != 0;
        now = a->section;
    }
    return json_sprintf(
        "The API has %d addresses in %d parts, and answers with every figure of the "
        "pages: each page links to the JSON it was made from.",
        n, sections);
}

json_t *ipr_docs_index(void)
{
    json_t *list = json_array();

    for (const struct ipr_api_address *a = ipr_api_addresses; a->method != NULL; a++)
        json_array_append_new(list, index_address(a));
    return json_pack("{s:s, s:o, s:s, s:s, s:o}", "version", IPR_VERSION, "finding", docs_finding(),
                     "openapi", "/openapi.json", "docs", "/docs", "resources", list);
}

/* ---- the page ---- */

/* {"type", "of": shape that it links to, "when"} and the rest of the member's line in the table. */
static json_t *docs_member(const struct ipr_shape *s, const struct ipr_member *m)
{
    static const char *const types[] = {
        [IPR_MEMBER_NUMBER] = "number",
        [IPR_MEMBER_COUNT] = "whole number",
        [IPR_MEMBER_SIZE] = "whole number",
        [IPR_MEMBER_FLAG] = "true or false",
        [IPR_MEMBER_TEXT] = "text",
        [IPR_MEMBER_INTERVAL] = "interval",
        [IPR_MEMBER_COUNTS] = "counts by name",
        [IPR_MEMBER_TIME] = "time",
        [IPR_MEMBER_REF] = "parameters",
        [IPR_MEMBER_SHAPE] = "",
    };
    static const char *const dims[] = { "by name: ", "", "list of ", "matrix of " }; /* from -1 */
    const char *const many = dims[m->dims < 0 ? 0 : m->dims + 1];
    const char *const type = m->choices != NULL ? m->choices : types[m->type];

    return json_pack("{s:s, s:o, s:s?, s:s?, s:s, s:s, s:b, s:b}", "name", m->name, "type",
                     json_sprintf("%s%s", many, type), "of",
                     m->type == IPR_MEMBER_SHAPE ? ipr_shape(m->of)->name : NULL, "others",
                     m->others, "unit", m->unit, "meaning", m->meaning, "optional",
                     !ipr_member_is_required(m), "nullable", ipr_member_can_be_null(s, m));
}

static json_t *docs_shape(enum ipr_shape_id id)
{
    const struct ipr_shape *s = ipr_shape(id);
    json_t *members = json_array();

    for (size_t i = 0; i < s->n; i++)
        if (s->members[i].when != IPR_WHEN_PAGE)
            json_array_append_new(members, docs_member(s, &s->members[i]));
    return json_pack("{s:s, s:s, s:o}", "name", s->name, "meaning", s->meaning, "members", members);
}

/* The line of curl up to the address: "curl -d … ". */
static json_t *docs_curl(const struct ipr_api_address *a)
{
    const char *const body = a->example_body;
    json_t *out = json_string("curl "), *all;

    if (strcmp(a->method, "GET") != 0 && strcmp(a->method, "POST") != 0) {
        all = json_sprintf("%s-X %s ", json_string_value(out), a->method);
        json_decref(out);
        out = all;
    }
    if (body == NULL)
        return out;
    all = json_sprintf("%s%s '%s' ", json_string_value(out),
                       body[0] == '{' ? "--json" : "--data-binary", body);
    json_decref(out);
    return all;
}

/* JSON as it is printed; null if there is none. */
static json_t *docs_printed(const json_t *value)
{
    char *text = value != NULL ? json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) : NULL;
    json_t *out = json_pack("s?", text);

    free(text);
    return out;
}

/* Adds the members that only the page has: "curl", "output", and the members of the answer,
 * "shape", unless they are on the page already. */
static void docs_add(const struct ipr_api_address *a, const json_t *examples, json_t *shown,
                     json_t *address)
{
    const char *name = json_string_value(json_object_get(address, "name"));
    const char *shape = ipr_shape(a->answer)->name;
    const bool first = json_object_get(shown, shape) == NULL;

    json_object_set_new(address, "curl", docs_curl(a));
    json_object_set_new(address, "output",
                        docs_printed(json_object_get(json_object_get(examples, name), "answer")));
    json_object_set_new(address, "shape", first ? docs_shape(a->answer) : json_null());
    json_object_set_new(shown, shape, json_true());
}

/* {"section", "help", "addresses"} of each section; a section is in one piece in resources.def. */
static json_t *docs_sections(const json_t *examples, json_t *shown)
{
    json_t *sections = json_array(), *list = NULL;
    const char *now = "";

    for (const struct ipr_api_address *a = ipr_api_addresses; a->method != NULL; a++) {
        if (strcmp(a->section, now) != 0) {
            now = a->section;
            list = json_array();
            json_array_append_new(sections, json_pack("{s:s, s:s, s:o}", "section", now, "help",
                                                      a->section_help, "addresses", list));
        }
        json_t *address = index_address(a);

        docs_add(a, examples, shown, address);
        json_array_append_new(list, address);
    }
    return sections;
}

/* The shapes that are part of answers and not on the page yet. */
static json_t *docs_shapes(const json_t *shown)
{
    json_t *components = json_object(), *list = json_array();

    for (const struct ipr_api_address *a = ipr_api_addresses; a->method != NULL; a++)
        ipr_schemas_add(components, a->answer);
    ipr_schemas_add(components, IPR_SHAPE_PROBLEM);
    for (enum ipr_shape_id id = IPR_SHAPE_NONE + 1; id < IPR_SHAPES; id++) {
        const char *name = ipr_shape(id)->name;

        if (json_object_get(components, name) != NULL && json_object_get(shown, name) == NULL)
            json_array_append_new(list, docs_shape(id));
    }
    json_decref(components);
    return list;
}

json_t *ipr_docs_page(const json_t *examples)
{
    json_t *shown = json_object(), *sections = docs_sections(examples, shown);
    json_t *docs = json_pack("{s:o, s:o, s:o}", "finding", docs_finding(), "sections", sections,
                             "shapes", docs_shapes(shown));

    json_decref(shown);
    return docs;
}
