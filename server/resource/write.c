/* Parameters as JSON, as an address, and as values. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "pgn/time_class.h"
#include "resource/cursor.h"
#include "resource/write.h"

static const void *param_member(const struct ipr_param_def *d, const void *params)
{
    return (const unsigned char *)params + d->at;
}

static int64_t param_int(const struct ipr_param_def *d, const void *params)
{
    return d->size == sizeof(int64_t) ? *(const int64_t *)param_member(d, params)
                                      : *(const int *)param_member(d, params);
}

static const char *param_text(const struct ipr_param_def *d, const void *params)
{
    return *(const char *const *)param_member(d, params);
}

static json_t *word_set_json(const struct ipr_param_def *d, unsigned set)
{
    json_t *list = json_array();

    for (int i = 0; d->words[i] != NULL; i++)
        if (set & (1u << i))
            json_array_append_new(list, json_string(d->words[i]));
    return list;
}

static json_t *param_value_json(const struct ipr_param_def *d, const void *params)
{
    switch (d->type) {
    case IPR_PARAM_INT: {
        const int64_t n = param_int(d, params);
        const int64_t absent = d->lo > 0.0 ? 0 : IPR_PARAM_ABSENT;
        return n == absent ? json_null() : json_integer(n);
    }
    case IPR_PARAM_REAL: {
        const double x = *(const double *)param_member(d, params);
        return isfinite(x) ? json_real(x) : json_null();
    }
    case IPR_PARAM_BOOL:
        return json_boolean(*(const bool *)param_member(d, params));
    case IPR_PARAM_CHOICE: {
        const int at = *(const int *)param_member(d, params);
        return at < 0 ? json_null() : json_string(d->words[at]);
    }
    case IPR_PARAM_SET:
        return word_set_json(d, *(const unsigned *)param_member(d, params));
    case IPR_PARAM_TIMES: {
        const unsigned set = *(const unsigned *)param_member(d, params);
        json_t *list = json_array();

        for (enum ipr_time_class c = 0; c < IPR_TIME_CLASSES; c++)
            if (set & IPR_TIME_BIT(c))
                json_array_append_new(list, json_string(ipr_time_class_name(c)));
        return list;
    }
    case IPR_PARAM_SIDE: {
        const struct ipr_param_side *side = param_member(d, params);

        return side->player == 0
                   ? json_null()
                   : json_pack("{s:i, s:i}", "player", side->player, "year", side->year);
    }
    case IPR_PARAM_INTS: {
        const struct ipr_param_ints *ints = param_member(d, params);
        json_t *list = json_array();

        for (size_t i = 0; i < ints->n; i++)
            json_array_append_new(list, json_integer(ints->v[i]));
        return list;
    }
    case IPR_PARAM_TEXTS: {
        const struct ipr_param_texts *texts = param_member(d, params);
        json_t *list = json_array();

        for (size_t i = 0; i < texts->n; i++)
            json_array_append_new(list, json_string(texts->v[i]));
        return list;
    }
    case IPR_PARAM_TEXT:
    case IPR_PARAM_DATE:
    case IPR_PARAM_CURSOR:
        return param_text(d, params) != NULL ? json_string(param_text(d, params)) : json_null();
    case IPR_PARAM_JSON:
        break;
    }
    return json_null();
}

json_t *ipr_params_json(const struct ipr_resource *r, const void *params, const char *method)
{
    json_t *out = json_object();

    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++)
        if (ipr_param_is_own(d) && ipr_param_of_method(d, method))
            json_object_set_new(out, d->name, param_value_json(d, params));
    return out;
}

const char *ipr_params_text(const struct ipr_resource *r, const void *params, const char *name)
{
    const struct ipr_param_def *d = ipr_resource_param(r, name);

    if (d != NULL && d->type == IPR_PARAM_CHOICE) {
        const int at = *(const int *)param_member(d, params);
        return at >= 0 ? d->words[at] : NULL;
    }
    if (d != NULL && (d->type == IPR_PARAM_TEXT || d->type == IPR_PARAM_CURSOR))
        return param_text(d, params);
    return NULL;
}

int64_t ipr_params_id(const struct ipr_resource *r, const void *params, const char *name)
{
    const struct ipr_param_def *d = ipr_resource_param(r, name);

    if (d != NULL && d->type == IPR_PARAM_SIDE)
        return ((const struct ipr_param_side *)param_member(d, params))->player;
    return d != NULL && d->type == IPR_PARAM_INT ? param_int(d, params) : 0;
}

bool ipr_params_asks_times(const struct ipr_resource *r, const void *params)
{
    const struct ipr_param_def *d = ipr_resource_param(r, "time_class");

    return d != NULL && *(const unsigned *)param_member(d, params) != 0;
}

unsigned ipr_params_times(const struct ipr_resource *r, const void *params)
{
    const struct ipr_param_def *d = ipr_resource_param(r, "time_class");
    const struct ipr_param_def *imported = ipr_resource_param(r, "imported");
    const unsigned set = d != NULL ? *(const unsigned *)param_member(d, params) : 0;

    if (imported == NULL || *(const bool *)param_member(imported, params))
        return set;
    return (set != 0 ? set : IPR_TIME_SET_DEFAULT) | IPR_TIME_OWN;
}

const void *ipr_params_with_times(const struct ipr_resource *r, const void *params, unsigned times,
                                  struct ipr_arena *mem)
{
    char *const copy = ipr_arena_alloc(mem, 1, r->size);

    memcpy(copy, params, r->size);
    memcpy(copy + ipr_resource_param(r, "time_class")->at, &times, sizeof times);
    return copy;
}

/* ---- addresses ---- */

/* Percent-encoded. */
static void href_add_encoded(const char *text, struct ipr_buf *out)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
        if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
            strchr("-_.~:,=", *c) != NULL)
            ipr_buf_putc(out, (char)*c);
        else
            ipr_buf_printf(out, "%%%02X", *c);
}

/* In the form that the reader takes. */
static void value_write(const json_t *v, struct ipr_buf *out)
{
    if (json_is_string(v)) {
        ipr_buf_puts(out, json_string_value(v));
    } else if (json_is_integer(v)) {
        ipr_buf_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    } else if (json_is_real(v)) {
        char text[IPR_NUMBER_TEXT];

        ipr_number_real(json_real_value(v), text);
        ipr_buf_puts(out, text);
    } else if (json_is_boolean(v)) {
        ipr_buf_puts(out, json_is_true(v) ? "true" : "false");
    } else if (json_is_array(v)) {
        const json_t *one;
        size_t i;

        json_array_foreach(v, i, one) {
            if (i > 0)
                ipr_buf_putc(out, ',');
            if (json_is_string(one))
                ipr_buf_puts(out, json_string_value(one));
            else
                ipr_buf_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(one));
        }
    } else if (json_is_object(v)) { /* a side */
        ipr_buf_printf(out, "%" JSON_INTEGER_FORMAT ":%" JSON_INTEGER_FORMAT,
                       json_integer_value(json_object_get(v, "player")),
                       json_integer_value(json_object_get(v, "year")));
    }
}

static void href_add_value(const json_t *v, struct ipr_buf *out)
{
    struct ipr_buf text = IPR_BUF_INIT;

    value_write(v, &text);
    href_add_encoded(ipr_buf_c(&text), out);
    ipr_buf_release(&text);
}

bool ipr_path_has(const char *path, const char *name)
{
    const size_t n = strlen(name);

    for (const char *p = strchr(path, '{'); p != NULL; p = strchr(p + 1, '{'))
        if (strncmp(p + 1, name, n) == 0 && p[n + 1] == '}')
            return true;
    return false;
}

/* "/players/{player}/ratings" with its parameters filled in. */
static void href_add_path(const struct ipr_resource *r, const void *params, struct ipr_buf *out)
{
    for (const char *p = r->api; *p != '\0'; p++) {
        char name[40] = "";

        if (*p != '{') {
            ipr_buf_putc(out, *p);
            continue;
        }
        const size_t n = strcspn(p + 1, "}");
        memcpy(name, p + 1, n < sizeof name - 1 ? n : sizeof name - 1);
        json_t *v = param_value_json(ipr_resource_param(r, name), params);
        href_add_value(v, out);
        json_decref(v);
        p += n + 1;
    }
}

/* The value of a parameter in an address. New reference. */
static json_t *href_value(const struct ipr_resource *r, const struct ipr_param_def *d,
                          const void *params, struct ipr_arena *mem)
{
    if (d->type == IPR_PARAM_CURSOR && param_text(d, params) != NULL)
        return json_string(ipr_cursor_bind(r, params, param_text(d, params), mem));
    return param_value_json(d, params);
}

/* `paging`: with the part of the list. */
static const char *href_make(const struct ipr_resource *r, const void *params, bool paging,
                             struct ipr_arena *mem)
{
    struct ipr_buf out = IPR_BUF_INIT;
    bool any = false;

    href_add_path(r, params, &out);
    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++) {
        if (((d->paging || d->rows) && !paging) || ipr_path_has(r->api, d->name))
            continue;
        json_t *v = href_value(r, d, params, mem), *preset = param_value_json(d, r->init);

        if (!json_equal(v, preset)) {
            /* "?name=value"; of a parameter that may be repeated one for each value. */
            const size_t n = d->type == IPR_PARAM_TEXTS ? json_array_size(v) : 1;

            for (size_t i = 0; i < n; i++) {
                ipr_buf_printf(&out, "%c%s=", any ? '&' : '?', d->name);
                href_add_value(d->type == IPR_PARAM_TEXTS ? json_array_get(v, i) : v, &out);
                any = true;
            }
        }
        json_decref(v);
        json_decref(preset);
    }
    const char *href = ipr_arena_strndup(mem, ipr_buf_c(&out), out.n);
    ipr_buf_release(&out);
    return href;
}

const char *ipr_params_href(const struct ipr_resource *r, const void *params, struct ipr_arena *mem)
{
    return href_make(r, params, true, mem);
}

const char *ipr_params_list_href(const struct ipr_resource *r, const void *params,
                                 struct ipr_arena *mem)
{
    return href_make(r, params, false, mem);
}

json_t *ipr_given_json(const char *name, const char *value)
{
    struct ipr_buf query = IPR_BUF_INIT;

    ipr_buf_printf(&query, "%s=", name);
    href_add_encoded(value, &query);
    json_t *out =
        json_pack("{s:s, s:s, s:s}", "name", name, "value", value, "query", ipr_buf_c(&query));
    ipr_buf_release(&query);
    return out;
}

static json_t *given_json(const char *name, const json_t *v)
{
    struct ipr_buf value = IPR_BUF_INIT;

    value_write(v, &value);
    json_t *out = ipr_given_json(name, ipr_buf_c(&value));
    ipr_buf_release(&value);
    return out;
}

/* A parameter that may be repeated is there once for each value. */
static void given_add(const struct ipr_param_def *d, const json_t *v, json_t *out)
{
    const json_t *one;
    size_t i;

    if (d->type != IPR_PARAM_TEXTS) {
        json_array_append_new(out, given_json(d->name, v));
        return;
    }
    json_array_foreach(v, i, one) {
        json_array_append_new(out, given_json(d->name, one));
    }
}

json_t *ipr_params_given(const struct ipr_resource *r, const void *params, bool shared)
{
    json_t *out = json_array();

    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++) {
        json_t *v = param_value_json(d, params), *preset = param_value_json(d, r->init);

        if (d->type != IPR_PARAM_CURSOR && (d->shared || !shared) && !json_equal(v, preset) &&
            !ipr_path_has(r->page, d->name))
            given_add(d, v, out);
        json_decref(v);
        json_decref(preset);
    }
    return out;
}

bool ipr_params_are_whole(const struct ipr_resource *r, const void *params)
{
    bool whole = true;

    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++) {
        json_t *v = param_value_json(d, params);

        whole = whole && !(d->required && json_is_null(v));
        json_decref(v);
    }
    return whole;
}

/* ---- what they are ---- */

static const char *type_name(enum ipr_param_type type)
{
    static const char *const names[] = {
        [IPR_PARAM_INT] = "integer",   [IPR_PARAM_REAL] = "number",   [IPR_PARAM_BOOL] = "boolean",
        [IPR_PARAM_CHOICE] = "choice", [IPR_PARAM_SET] = "set",       [IPR_PARAM_TIMES] = "set",
        [IPR_PARAM_TEXT] = "text",     [IPR_PARAM_CURSOR] = "cursor", [IPR_PARAM_SIDE] = "side",
        [IPR_PARAM_INTS] = "integers", [IPR_PARAM_JSON] = "json",     [IPR_PARAM_TEXTS] = "texts",
        [IPR_PARAM_DATE] = "date",
    };

    return names[type];
}

static json_t *bound_json(const struct ipr_param_def *d, double bound)
{
    if (d->type == IPR_PARAM_INT)
        return json_integer((json_int_t)ipr_param_whole(bound));
    return d->type == IPR_PARAM_REAL ? json_real(bound) : json_null();
}

/* The default as a value of the parameter's type. */
static json_t *preset_json(const struct ipr_param_def *d)
{
    int64_t n;
    double x;

    if (d->preset == NULL)
        return json_null();
    if (d->type == IPR_PARAM_INT && ipr_str_int(ipr_str_c(d->preset), INT64_MIN, INT64_MAX, &n))
        return json_integer(n);
    if (d->type == IPR_PARAM_REAL && ipr_str_double(ipr_str_c(d->preset), -HUGE_VAL, HUGE_VAL, &x))
        return json_real(x);
    if (d->type == IPR_PARAM_BOOL)
        return json_boolean(strcmp(d->preset, "true") == 0);
    return json_string(d->preset);
}

json_t *ipr_param_json(const struct ipr_param_def *d)
{
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "name", d->name, "type", type_name(d->type),
                     "low", bound_json(d, d->lo), "high", bound_json(d, d->hi), "choices",
                     d->words != NULL ? word_set_json(d, ~0u) : json_null(), "default",
                     preset_json(d));
}

/* FNV-1a: it only has to distinguish the cursors of different lists, not to resist attacks. */
static uint32_t text_hash(const char *text)
{
    uint32_t hash = 2166136261u;

    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
        hash = (hash ^ *c) * 16777619u;
    return hash;
}

const char *ipr_cursor_bind(const struct ipr_resource *r, const void *params, const char *next,
                            struct ipr_arena *mem)
{
    if (next == NULL)
        return NULL;
    return ipr_arena_printf(mem, "%08" PRIx32 ".%s",
                            text_hash(ipr_params_list_href(r, params, mem)), next);
}
