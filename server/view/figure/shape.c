#include "view/figure/shape.h"

#include <math.h>
#include <string.h>

#include "view/json.h"

#define IPR_FIGURES_TABLE
#include "figures.h"

/* Every list of members.def has these two members. */
struct list {
    const void *at;
    size_t n;
};

const struct ipr_shape *ipr_shape(enum ipr_shape_id id)
{
    return &shapes[id];
}

enum ipr_shape_id ipr_shape_named(const char *name)
{
    for (enum ipr_shape_id id = IPR_SHAPE_NONE + 1; id < IPR_SHAPES; id++)
        if (strcmp(shapes[id].name, name) == 0)
            return id;
    return IPR_SHAPE_NONE;
}

const struct ipr_member *ipr_shape_member(enum ipr_shape_id id, const char *name)
{
    for (size_t i = 0; i < shapes[id].n; i++)
        if (strcmp(shapes[id].members[i].name, name) == 0)
            return &shapes[id].members[i];
    return NULL;
}

uint32_t ipr_shape_hash(uint32_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT32_C(16777619);
    return (hash ^ '\n') * UINT32_C(16777619);
}

uint32_t ipr_shapes_digest(void)
{
    uint32_t hash = UINT32_C(2166136261);

    for (int id = IPR_SHAPE_NONE + 1; id < IPR_SHAPES; id++) {
        if (shapes[id].size == 0)
            continue;
        hash = ipr_shape_hash(hash, shapes[id].name);
        for (size_t i = 0; i < shapes[id].n; i++)
            hash = ipr_shape_hash(hash, shapes[id].members[i].name);
    }
    return hash;
}

/* ---- unknown values ---- */

static void member_blank(const struct ipr_member *m, void *at)
{
    if (m->dims > 0 || m->stored != IPR_STORED_VALUE)
        return; /* NULL */
    switch (m->type) {
    case IPR_MEMBER_NUMBER:
        *(double *)at = NAN;
        break;
    case IPR_MEMBER_COUNT:
        *(size_t *)at = IPR_UNKNOWN;
        break;
    case IPR_MEMBER_FLAG:
        *(int *)at = -1;
        break;
    case IPR_MEMBER_INTERVAL:
        *(struct ipr_interval *)at = (struct ipr_interval){ NAN, NAN };
        break;
    case IPR_MEMBER_SHAPE:
        ipr_shape_blank(m->of, at);
        break;
    case IPR_MEMBER_TEXT:
    case IPR_MEMBER_COUNTS:
    case IPR_MEMBER_TIME:
    case IPR_MEMBER_REF:
        break;
    }
}

void ipr_shape_blank(enum ipr_shape_id id, void *figure)
{
    memset(figure, 0, shapes[id].size);
    for (size_t i = 0; i < shapes[id].n; i++)
        member_blank(&shapes[id].members[i], (char *)figure + shapes[id].members[i].offset);
}

void *ipr_shape_copy(enum ipr_shape_id id, const void *figure, struct ipr_arena *mem)
{
    return memcpy(ipr_arena_alloc(mem, 1, shapes[id].size), figure, shapes[id].size);
}

void *ipr_shape_new(enum ipr_shape_id id, struct ipr_arena *mem)
{
    void *figure = ipr_arena_alloc(mem, 1, shapes[id].size);

    ipr_shape_blank(id, figure);
    return figure;
}

static bool member_known(const struct ipr_member *m, const void *figure);

static bool shape_known(enum ipr_shape_id id, const void *figure)
{
    for (size_t i = 0; i < shapes[id].n; i++)
        if (member_known(&shapes[id].members[i], figure))
            return true;
    return false;
}

static bool member_known(const struct ipr_member *m, const void *figure)
{
    const void *at = (const char *)figure + m->offset;
    const struct ipr_interval *i = at;

    if (m->dims > 0 || m->stored != IPR_STORED_VALUE)
        return *(const void *const *)at != NULL;
    switch (m->type) {
    case IPR_MEMBER_NUMBER:
        return isfinite(*(const double *)at);
    case IPR_MEMBER_COUNT:
        return *(const size_t *)at != IPR_UNKNOWN;
    case IPR_MEMBER_FLAG:
        return *(const int *)at >= 0;
    case IPR_MEMBER_TEXT:
        return *(const char *const *)at != NULL;
    case IPR_MEMBER_INTERVAL:
        return isfinite(i->lo) || isfinite(i->hi);
    case IPR_MEMBER_COUNTS:
        return ((const struct ipr_figure_counts *)at)->known;
    case IPR_MEMBER_SHAPE:
        return shape_known(m->of, at);
    case IPR_MEMBER_TIME:
    case IPR_MEMBER_REF:
        break;
    }
    return false;
}

/* ---- writing ---- */

json_t *ipr_shape_counts(const struct ipr_figure_counts *counts)
{
    json_t *out = json_object();

    for (size_t i = 0; i < sizeof counts->of / sizeof *counts->of; i++)
        if (counts->of[i].n > 0)
            json_object_set_new(out, counts->of[i].name, json_integer((json_int_t)counts->of[i].n));
    return out;
}

static json_t *value_json(const struct ipr_member *m, const void *at)
{
    switch (m->type) {
    case IPR_MEMBER_NUMBER:
        return ipr_json_num(*(const double *)at);
    case IPR_MEMBER_COUNT:
        return json_integer((json_int_t) * (const size_t *)at);
    case IPR_MEMBER_FLAG:
        return json_boolean(*(const int *)at);
    case IPR_MEMBER_TEXT:
        return json_string(*(const char *const *)at);
    case IPR_MEMBER_INTERVAL:
        return ipr_json_interval(*(const struct ipr_interval *)at);
    case IPR_MEMBER_COUNTS:
        return ipr_shape_counts(at);
    case IPR_MEMBER_SHAPE:
        return ipr_shape_json(m->of, at);
    case IPR_MEMBER_TIME:
    case IPR_MEMBER_REF:
        break;
    }
    return json_null();
}

static size_t element_size(const struct ipr_member *m)
{
    return m->type == IPR_MEMBER_SHAPE ? shapes[m->of].size : sizeof(double);
}

/* Of a matrix, rows. */
static json_t *list_json(const struct ipr_member *m, const char *at, size_t n, int dims)
{
    json_t *out = json_array();
    const size_t step = element_size(m) * (dims == 2 ? n : 1);

    for (size_t i = 0; i < n; i++)
        json_array_append_new(out, dims == 2 ? list_json(m, at + i * step, n, 1)
                                             : value_json(m, at + i * step));
    return out;
}

static json_t *member_json(const struct ipr_member *m, const void *at)
{
    struct list list;

    if (m->stored == IPR_STORED_JSON)
        return *(json_t *const *)at;
    if (m->stored == IPR_STORED_POINTER)
        return value_json(m, *(const void *const *)at);
    if (m->dims == 0)
        return value_json(m, at);
    memcpy(&list, at, sizeof list);
    return list_json(m, list.at, list.n, m->dims);
}

json_t *ipr_shape_json(enum ipr_shape_id id, const void *figure)
{
    const struct ipr_shape *s = &shapes[id];
    json_t *out = json_object();

    for (size_t i = 0; i < s->n; i++) {
        const struct ipr_member *m = &s->members[i];
        const bool held = m->type == IPR_MEMBER_SHAPE && m->stored == IPR_STORED_VALUE;
        const bool known = (held && m->when <= IPR_WHEN_GIVEN && m->when >= IPR_WHEN_ALWAYS) ||
                           member_known(m, figure);

        if ((m->when <= IPR_WHEN_KNOWN && !known) ||
            (m->when >= 0 && !member_known(&s->members[m->when], figure)))
            continue;
        json_object_set_new(out, m->name,
                            known ? member_json(m, (const char *)figure + m->offset) : json_null());
    }
    return out;
}

/* ---- reading ---- */

static void counts_read(const json_t *json, struct ipr_arena *mem, struct ipr_figure_counts *out)
{
    const char *name;
    const json_t *n;
    size_t i = 0;

    out->known = json_is_object(json);
    json_object_foreach((json_t *)(uintptr_t)json, name, n)
        if (i < sizeof out->of / sizeof *out->of) {
            out->of[i].name = ipr_arena_strndup(mem, name, strlen(name));
            out->of[i++].n = (size_t)json_integer_value(n);
        }
}

static struct ipr_interval interval_read(const json_t *json)
{
    return (struct ipr_interval){ ipr_json_at(json, "low", NAN), ipr_json_at(json, "high", NAN) };
}

static void value_read(const struct ipr_member *m, const json_t *json, struct ipr_arena *mem,
                       void *at)
{
    switch (m->type) {
    case IPR_MEMBER_NUMBER:
        *(double *)at = json_is_number(json) ? json_number_value(json) : NAN;
        break;
    case IPR_MEMBER_COUNT:
        *(size_t *)at = json_is_integer(json) ? (size_t)json_integer_value(json) : IPR_UNKNOWN;
        break;
    case IPR_MEMBER_FLAG:
        *(int *)at = json_is_boolean(json) ? json_is_true(json) : -1;
        break;
    case IPR_MEMBER_TEXT:
        if (json_is_string(json))
            *(const char **)at =
                ipr_arena_strndup(mem, json_string_value(json), json_string_length(json));
        break;
    case IPR_MEMBER_INTERVAL:
        *(struct ipr_interval *)at = interval_read(json);
        break;
    case IPR_MEMBER_COUNTS:
        counts_read(json, mem, at);
        break;
    case IPR_MEMBER_SHAPE:
        ipr_shape_read(m->of, json, mem, at);
        break;
    case IPR_MEMBER_TIME:
    case IPR_MEMBER_REF:
        break;
    }
}

static void list_read(const struct ipr_member *m, const json_t *json, struct ipr_arena *mem,
                      void *at)
{
    const size_t n = json_array_size(json), size = element_size(m);
    char *items = ipr_arena_alloc(mem, n + 1, size);
    const struct list list = { items, n };

    for (size_t i = 0; i < n; i++)
        value_read(m, json_array_get(json, i), mem, items + i * size);
    memcpy(at, &list, sizeof list);
}

void ipr_shape_read(enum ipr_shape_id id, const json_t *json, struct ipr_arena *mem, void *figure)
{
    ipr_shape_blank(id, figure);
    for (size_t i = 0; i < shapes[id].n; i++) {
        const struct ipr_member *m = &shapes[id].members[i];
        const json_t *value = json_object_get(json, m->name);
        void *at = (char *)figure + m->offset;

        if (value == NULL || json_is_null(value) || m->stored == IPR_STORED_JSON || m->dims == 2)
            continue;
        if (m->dims == 1)
            list_read(m, value, mem, at);
        else if (m->stored == IPR_STORED_VALUE)
            value_read(m, value, mem, at);
        else {
            void *held = ipr_shape_new(m->of, mem);

            ipr_shape_read(m->of, value, mem, held);
            memcpy(at, &held, sizeof held);
        }
    }
}
