#include "api/schemas.h"

#include <stdio.h>
#include <string.h>

#include "resource/write.h"

json_t *ipr_schema_object(const char *description, json_t *properties, json_t *required)
{
    json_t *out = json_pack("{s:s, s:s*, s:o}", "type", "object", "description", description,
                            "properties", properties);

    if (json_array_size(required) > 0)
        json_object_set(out, "required", required);
    json_decref(required);
    return out;
}

/* ---- parameters ---- */

static json_t *words_json(const struct ipr_param_def *d)
{
    json_t *list = json_array();

    for (size_t i = 0; d->words[i] != NULL; i++)
        json_array_append_new(list, json_string(d->words[i]));
    return list;
}

static json_t *type_json(const char *type)
{
    return json_pack("{s:s}", "type", type);
}

static json_t *range_schema(const struct ipr_param_def *d, const char *type)
{
    const bool whole = strcmp(type, "integer") == 0;
    json_t *out = type_json(type);

    json_object_set_new(out, "minimum", whole ? json_integer((json_int_t)d->lo) : json_real(d->lo));
    if (d->hi < 9e18)
        json_object_set_new(out, "maximum",
                            whole ? json_integer((json_int_t)d->hi) : json_real(d->hi));
    return out;
}

static json_t *list_schema(json_t *items)
{
    return json_pack("{s:s, s:o}", "type", "array", "items", items);
}

static json_t *param_schema(const struct ipr_param_def *d)
{
    switch (d->type) {
    case IPR_PARAM_INT:
        return range_schema(d, "integer");
    case IPR_PARAM_REAL:
        return range_schema(d, "number");
    case IPR_PARAM_BOOL:
        return type_json("boolean");
    case IPR_PARAM_CHOICE:
        return json_pack("{s:s, s:o}", "type", "string", "enum", words_json(d));
    case IPR_PARAM_SET:
        return list_schema(json_pack("{s:s, s:o}", "type", "string", "enum", words_json(d)));
    case IPR_PARAM_TIMES:
        return list_schema(type_json("string"));
    case IPR_PARAM_INTS:
        return list_schema(range_schema(d, "integer"));
    case IPR_PARAM_SIDE:
        return json_pack("{s:s, s:s}", "type", "string", "pattern",
                         "^[1-9][0-9]*:[1-9][0-9]{0,3}$");
    case IPR_PARAM_TEXT:
        return json_pack("{s:s, s:i}", "type", "string", "maxLength", (int)d->hi);
    case IPR_PARAM_DATE:
        return json_pack("{s:s, s:s}", "type", "string", "pattern",
                         "^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$");
    case IPR_PARAM_TEXTS:
        return list_schema(json_pack("{s:s, s:i}", "type", "string", "maxLength", (int)d->hi));
    case IPR_PARAM_CURSOR:
        return type_json("string");
    case IPR_PARAM_JSON:
        break;
    }
    return json_object();
}

json_t *ipr_schema_param(const struct ipr_param_def *d)
{
    json_t *schema = param_schema(d), *json = ipr_param_json(d);
    json_t *preset = json_object_get(json, "default");

    if (!json_is_null(preset))
        json_object_set(schema, "default", preset);
    json_decref(json);
    return schema;
}

json_t *ipr_schema_params(const struct ipr_resource *r)
{
    json_t *properties = json_object(), *required = json_array();

    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++) {
        if (!ipr_param_is_own(d))
            continue;
        json_t *schema = param_schema(d);

        json_object_set_new(schema, "description", json_string(d->help));
        json_object_set_new(properties, d->name, schema);
        json_array_append_new(required, json_string(d->name));
    }
    return ipr_schema_object("Parameters of the report", properties, required);
}

/* ---- members ---- */

bool ipr_member_is_required(const struct ipr_member *m)
{
    return m->when == IPR_WHEN_GIVEN || m->when == IPR_WHEN_ALWAYS;
}

bool ipr_member_can_be_null(const struct ipr_shape *s, const struct ipr_member *m)
{
    /* An object inside a structure is always present, however little is known. */
    const bool held =
        s->size > 0 && m->type == IPR_MEMBER_SHAPE && m->stored == IPR_STORED_VALUE && m->dims == 0;

    return m->when != IPR_WHEN_GIVEN && m->when != IPR_WHEN_KNOWN &&
           !(held && m->when == IPR_WHEN_ALWAYS);
}

json_t *ipr_schema_ref(const char *name)
{
    return json_pack("{s:o}", "$ref", json_sprintf("#/components/schemas/%s", name));
}

/* Takes `schema`. */
static json_t *schema_or_null(json_t *schema)
{
    json_t *type = json_object_get(schema, "type"), *choices = json_object_get(schema, "enum");

    if (type == NULL)
        return json_pack("{s:[o, {s:s}]}", "anyOf", schema, "type", "null");
    json_object_set_new(schema, "type", json_pack("[O, s]", type, "null"));
    if (choices != NULL)
        json_array_append_new(choices, json_null());
    return schema;
}

/* Of "a, b". */
static json_t *choice_schema(const char *choices)
{
    json_t *list = json_array();

    for (const char *at = choices; *at != '\0'; at += strspn(at, ", ")) {
        const size_t n = strcspn(at, ",");

        json_array_append_new(list, json_stringn(at, n));
        at += n;
    }
    return json_pack("{s:s, s:o}", "type", "string", "enum", list);
}

/* "number", "text", …, or a shape. */
static json_t *named_schema(const char *type)
{
    static const char *const types[][2] = {
        { "number", "number" }, { "count", "integer" }, { "flag", "boolean" }, { "text", "string" }
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i][0], type) == 0)
            return type_json(types[i][1]);
    return ipr_schema_ref(type);
}

static json_t *value_schema(const struct ipr_member *m)
{
    static const char *const names[] = {
        [IPR_MEMBER_NUMBER] = "number", [IPR_MEMBER_COUNT] = "count",
        [IPR_MEMBER_SIZE] = "count",    [IPR_MEMBER_FLAG] = "flag",
        [IPR_MEMBER_TEXT] = "text",     [IPR_MEMBER_INTERVAL] = "interval",
        [IPR_MEMBER_COUNTS] = "counts",
    };

    if (m->choices != NULL)
        return choice_schema(m->choices);
    if (m->type == IPR_MEMBER_TIME)
        return json_pack("{s:s, s:s}", "type", "string", "format", "date-time");
    if (m->type == IPR_MEMBER_SHAPE)
        return ipr_schema_ref(ipr_shape(m->of)->name);
    return m->type == IPR_MEMBER_REF ? ipr_schema_ref(m->ref) : named_schema(names[m->type]);
}

/* The next of the words at *at, moving it on; false at the end. */
static bool next_word(const char **at, char word[64])
{
    *at += strspn(*at, " ");
    const size_t n = strcspn(*at, " ");

    snprintf(word, 64, "%.*s", (int)n, *at);
    *at += n;
    return n > 0;
}

static json_t *any_schema(const struct ipr_member *m)
{
    json_t *schema = value_schema(m), *any = json_array();
    const char *at = m->others;

    if (at == NULL) {
        json_decref(any);
        return schema;
    }
    json_array_append_new(any, schema);
    for (char name[64]; next_word(&at, name);)
        json_array_append_new(any, named_schema(name));
    return json_pack("{s:o}", "anyOf", any);
}

/* Takes `schema`. Numbers and evaluations in a list may be unknown, too. */
static json_t *dims_schema(const struct ipr_member *m, json_t *schema)
{
    if (m->dims != 0 && (m->type == IPR_MEMBER_NUMBER || m->others != NULL))
        schema = schema_or_null(schema);
    for (int i = 0; i < m->dims; i++)
        schema = list_schema(schema);
    return m->dims < 0 ? json_pack("{s:s, s:o}", "type", "object", "additionalProperties", schema)
                       : schema;
}

static json_t *member_schema(const struct ipr_shape *s, const struct ipr_member *m)
{
    json_t *schema = dims_schema(m, any_schema(m));

    if (ipr_member_can_be_null(s, m))
        schema = schema_or_null(schema);
    json_object_set_new(schema, "description",
                        m->unit[0] != '\0' ? json_sprintf("%s (%s)", m->meaning, m->unit)
                                           : json_string(m->meaning));
    return schema;
}

/* ---- components ---- */

static json_t *shape_schema(const struct ipr_shape *s)
{
    json_t *properties = json_object(), *required = json_array();

    for (size_t i = 0; i < s->n; i++) {
        const struct ipr_member *m = &s->members[i];

        if (m->when == IPR_WHEN_PAGE)
            continue;
        json_object_set_new(properties, m->name, member_schema(s, m));
        if (ipr_member_is_required(m))
            json_array_append_new(required, json_string(m->name));
    }
    return ipr_schema_object(s->meaning, properties, required);
}

static void add_others(json_t *components, const struct ipr_member *m)
{
    const char *at = m->others != NULL ? m->others : "";

    for (char name[64]; next_word(&at, name);)
        ipr_schemas_add(components, ipr_shape_named(name));
}

void ipr_schemas_add(json_t *components, enum ipr_shape_id id)
{
    const struct ipr_shape *s = ipr_shape(id);

    if (id == IPR_SHAPE_NONE || json_object_get(components, s->name) != NULL)
        return;
    json_object_set_new(components, s->name, shape_schema(s));
    for (size_t i = 0; i < s->n; i++) {
        const struct ipr_member *m = &s->members[i];

        if (m->when == IPR_WHEN_PAGE)
            continue;
        ipr_schemas_add(components, m->of);
        add_others(components, m);
    }
}
