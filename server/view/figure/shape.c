#include "view/figure/shape.h"

#include <math.h>
#include <string.h>

#include "view/json.h"
#include "view/rows.h"

#define IPR_FIGURES_TABLE
#include "figures.h"

char ipr_null;

/* Every list, matrix and map begins with these two members. */
struct list {
    void *at;
    size_t n;
};

/* And a matrix goes on with its columns. 0: as many as rows. */
struct matrix {
    struct list rows;
    size_t columns;
};

/* An element of a map begins with its name; the value follows. */
#define MAP_VALUE sizeof(const char *)

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
        if (!shapes[id].figure)
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
    if (m->stored == IPR_STORED_ANY)
        for (const struct ipr_member *a = m->any; a->name != NULL; a++)
            member_blank(a, (char *)at + (a->offset - m->offset));
    if (m->dims != 0 || m->stored != IPR_STORED_VALUE)
        return; /* NULL */
    switch (m->type) {
    case IPR_MEMBER_NUMBER:
        *(double *)at = NAN;
        break;
    case IPR_MEMBER_COUNT:
        *(int64_t *)at = IPR_NO_COUNT;
        break;
    case IPR_MEMBER_SIZE:
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
        if (shapes[id].members[i].stored != IPR_STORED_ROW)
            member_blank(&shapes[id].members[i], (char *)figure + shapes[id].members[i].offset);
}

void *ipr_shape_copy(enum ipr_shape_id id, const void *figure, struct ipr_arena *mem)
{
    return memcpy(ipr_arena_alloc(mem, 1, shapes[id].size), figure, shapes[id].size);
}

void *ipr_shape_list(enum ipr_shape_id id, size_t n, struct ipr_arena *mem)
{
    const size_t size = shapes[id].size;
    char *const list = ipr_arena_alloc(mem, n + 1, size);

    ipr_shape_blank(id, list);
    for (size_t i = 1; i < n; i++)
        memcpy(list + i * size, list, size);
    return list;
}

void *ipr_shape_new(enum ipr_shape_id id, struct ipr_arena *mem)
{
    return ipr_shape_list(id, 1, mem);
}

struct ipr_figure_named ipr_named(int64_t id, const char *name)
{
    return (struct ipr_figure_named){ (size_t)id, name };
}

struct ipr_answer_played_opening ipr_opened(const struct ipr_opening *o, struct ipr_arena *mem)
{
    return (struct ipr_answer_played_opening){
        .eco = o->number > 0 ? ipr_arena_printf(mem, "%s", o->eco) : NULL,
        .opening = ipr_opening_name(o->number),
    };
}

static bool member_known(const struct ipr_member *m, const void *figure);

/* The row of the database that it has, or is; NULL: none. */
static const void *shape_row(const struct ipr_shape *s, const void *figure)
{
    if (s->row == IPR_SHAPE_NONE || s->size == 0)
        return s->size == 0 ? figure : NULL;
    return *(const void *const *)(const void *)((const char *)figure + s->row_offset);
}

static bool shape_known(enum ipr_shape_id id, const void *figure)
{
    const struct ipr_shape *const s = &shapes[id];

    if (shape_row(s, figure) != NULL)
        return true;
    for (size_t i = 0; i < s->n; i++)
        if (s->members[i].stored != IPR_STORED_ROW && member_known(&s->members[i], figure))
            return true;
    return false;
}

/* True if a text says something where it may be unknown, as one in a row of the database. The sign
 * of a mistake, which only pages have, is "?". */
static bool text_known(const struct ipr_member *m, const char *text)
{
    if (text == NULL || m->when == IPR_WHEN_GIVEN || m->when == IPR_WHEN_NULLABLE)
        return text != NULL;
    return *text != '\0' && (m->when == IPR_WHEN_PAGE || strcmp(text, "?") != 0);
}

static const struct ipr_member *any_known(const struct ipr_member *m, const void *figure)
{
    for (const struct ipr_member *a = m->any; a->name != NULL; a++)
        if (member_known(a, figure))
            return a;
    return NULL;
}

static bool member_known(const struct ipr_member *m, const void *figure)
{
    const void *at = (const char *)figure + m->offset;
    const struct ipr_interval *i = at;

    if (m->stored == IPR_STORED_ANY)
        return any_known(m, figure) != NULL;
    if (m->dims != 0 || m->stored != IPR_STORED_VALUE)
        return *(const void *const *)at != NULL;
    switch (m->type) {
    case IPR_MEMBER_NUMBER:
        return m->when == IPR_WHEN_NULLABLE
                   ? !isnan(*(const double *)at)
                   : isfinite(*(const double *)at) && *(const double *)at >= (double)m->from;
    case IPR_MEMBER_COUNT:
        return *(const int64_t *)at != IPR_NO_COUNT && *(const int64_t *)at >= m->from;
    case IPR_MEMBER_SIZE:
        return *(const size_t *)at != IPR_UNKNOWN;
    case IPR_MEMBER_FLAG:
        return *(const int *)at >= 0 ||
               (m->when == IPR_WHEN_NULLABLE && *(const int *)at == IPR_NULL_FLAG);
    case IPR_MEMBER_TEXT:
    case IPR_MEMBER_TIME:
        return text_known(m, *(const char *const *)at);
    case IPR_MEMBER_INTERVAL:
        return m->when == IPR_WHEN_NULLABLE ? !isnan(i->lo) || !isnan(i->hi)
                                            : isfinite(i->lo) || isfinite(i->hi);
    case IPR_MEMBER_COUNTS:
        return ((const struct ipr_figure_counts *)at)->known;
    case IPR_MEMBER_SHAPE:
        return shape_known(m->of, at);
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

static json_t *shape_json(enum ipr_shape_id id, const void *figure, bool page);

static json_t *member_text(const char *text, bool nullable)
{
    json_t *out = text == NULL || (nullable && *text == '\0') ? NULL : json_string(text);

    return out != NULL ? out : json_null();
}

/* Unknown values are null in a list, or where they are marked so. */
static json_t *value_json(const struct ipr_member *m, const void *at, bool page)
{
    const bool nullable = m->when == IPR_WHEN_NULLABLE;

    switch (m->type) {
    case IPR_MEMBER_NUMBER:
        return ipr_json_num(*(const double *)at);
    case IPR_MEMBER_COUNT:
        return *(const int64_t *)at <= IPR_NULL_COUNT ? json_null()
                                                      : json_integer(*(const int64_t *)at);
    case IPR_MEMBER_SIZE:
        return json_integer((json_int_t) * (const size_t *)at);
    case IPR_MEMBER_FLAG:
        return *(const int *)at < 0 ? json_null() : json_boolean(*(const int *)at);
    case IPR_MEMBER_TEXT:
    case IPR_MEMBER_TIME:
        return member_text(*(const char *const *)at, nullable);
    case IPR_MEMBER_INTERVAL: {
        const struct ipr_interval i = *(const struct ipr_interval *)at;

        return ipr_json_interval_if(!nullable || isfinite(i.lo) || isfinite(i.hi), i);
    }
    case IPR_MEMBER_COUNTS:
        return ipr_shape_counts(at);
    case IPR_MEMBER_SHAPE:
        return m->dims == 0 || shape_known(m->of, at) ? shape_json(m->of, at, page) : json_null();
    case IPR_MEMBER_REF:
        break;
    }
    return json_null();
}

static size_t element_size(const struct ipr_member *m)
{
    return m->size > 0 ? m->size : ipr_row_size(m->of);
}

static json_t *list_json(const struct ipr_member *m, const char *at, size_t n, bool page)
{
    const size_t size = element_size(m);
    json_t *out = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(out, value_json(m, at + i * size, page));
    return out;
}

static json_t *matrix_json(const struct ipr_member *m, const struct matrix *of)
{
    const size_t columns = of->columns > 0 ? of->columns : of->rows.n;
    json_t *out = json_array();

    for (size_t i = 0; i < of->rows.n; i++)
        json_array_append_new(
            out, list_json(m, (const char *)of->rows.at + i * columns * m->size, columns, false));
    return out;
}

static json_t *map_json(const struct ipr_member *m, const struct list *of, bool page)
{
    json_t *out = json_object();

    for (size_t i = 0; i < of->n; i++) {
        const char *const at = (const char *)of->at + i * m->size;

        json_object_set_new(out, *(const char *const *)(const void *)at,
                            value_json(m, at + MAP_VALUE, page));
    }
    return out;
}

static json_t *member_json(const struct ipr_member *m, const void *figure, bool page)
{
    const void *const at = (const char *)figure + m->offset;
    const struct list *const list = at;

    if (m->stored == IPR_STORED_ANY)
        return member_json(any_known(m, figure), figure, page);
    if (m->stored == IPR_STORED_JSON)
        return *(json_t *const *)at;
    if (m->stored == IPR_STORED_POINTER || m->dims != 0)
        if (*(const void *const *)at == IPR_NULL)
            return json_null();
    if (m->stored == IPR_STORED_POINTER)
        return value_json(m, *(const void *const *)at, page);
    if (m->dims == 0)
        return value_json(m, at, page);
    if (m->dims < 0)
        return map_json(m, list, page);
    return m->dims == 2 ? matrix_json(m, at) : list_json(m, list->at, list->n, page);
}

/* Lists, maps and counts that are always there and were not filled are empty; the rest is null. */
static json_t *unknown_json(const struct ipr_member *m)
{
    if (m->when != IPR_WHEN_GIVEN || m->stored == IPR_STORED_JSON)
        return json_null();
    if (m->dims > 0)
        return json_array();
    return m->dims < 0 || m->type == IPR_MEMBER_COUNTS ? json_object() : json_null();
}

static bool member_shows(const struct ipr_member *m, const struct ipr_shape *s, const void *figure,
                         bool known, bool page)
{
    if (m->stored == IPR_STORED_ROW || (m->when == IPR_WHEN_PAGE && !page))
        return false;
    if (m->when >= 0)
        return member_known(&s->members[m->when], figure);
    return known || m->when >= IPR_WHEN_ALWAYS;
}

static json_t *shape_json(enum ipr_shape_id id, const void *figure, bool page)
{
    const struct ipr_shape *s = &shapes[id];
    const void *const row = shape_row(s, figure);
    json_t *out = json_object();

    if (row != NULL)
        ipr_row_add(s->row, row, out);
    for (size_t i = 0; i < s->n && s->size > 0; i++) {
        const struct ipr_member *m = &s->members[i];
        const bool held = m->type == IPR_MEMBER_SHAPE && m->stored == IPR_STORED_VALUE;
        const bool known =
            (held && m->dims == 0 && m->when <= IPR_WHEN_GIVEN && m->when >= IPR_WHEN_ALWAYS) ||
            (m->stored != IPR_STORED_ROW && member_known(m, figure));

        if (member_shows(m, s, figure, known, page))
            json_object_set_new_nocheck(out, m->name,
                                        known ? member_json(m, figure, page) : unknown_json(m));
    }
    return out;
}

json_t *ipr_shape_json(enum ipr_shape_id id, const void *figure)
{
    return shape_json(id, figure, false);
}

json_t *ipr_shape_page_json(enum ipr_shape_id id, const void *figure)
{
    return shape_json(id, figure, true);
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

static void value_read(const struct ipr_member *m, const json_t *json, struct ipr_arena *mem,
                       void *at)
{
    switch (m->type) {
    case IPR_MEMBER_NUMBER:
        *(double *)at = json_is_number(json) ? json_number_value(json) : NAN;
        break;
    case IPR_MEMBER_COUNT:
        *(int64_t *)at = json_is_integer(json) ? json_integer_value(json) : IPR_NO_COUNT;
        break;
    case IPR_MEMBER_SIZE:
        *(size_t *)at = json_is_integer(json) ? (size_t)json_integer_value(json) : IPR_UNKNOWN;
        break;
    case IPR_MEMBER_FLAG:
        *(int *)at = json_is_boolean(json) ? json_is_true(json) : -1;
        break;
    case IPR_MEMBER_TEXT:
    case IPR_MEMBER_TIME:
        if (json_is_string(json))
            *(const char **)at =
                ipr_arena_strndup(mem, json_string_value(json), json_string_length(json));
        break;
    case IPR_MEMBER_INTERVAL:
        *(struct ipr_interval *)at = ipr_json_interval_of(json);
        break;
    case IPR_MEMBER_COUNTS:
        counts_read(json, mem, at);
        break;
    case IPR_MEMBER_SHAPE:
        if (shapes[m->of].size == 0)
            ipr_row_read(m->of, json, mem, at);
        else
            ipr_shape_read(m->of, json, mem, at);
        break;
    case IPR_MEMBER_REF:
        break;
    }
}

static void list_read(const struct ipr_member *m, const json_t *json, struct ipr_arena *mem,
                      void *at)
{
    const size_t n = json_array_size(json), size = element_size(m);
    char *items = ipr_arena_alloc(mem, n + 1, size);

    *(struct list *)at = (struct list){ items, n };
    for (size_t i = 0; i < n; i++)
        value_read(m, json_array_get(json, i), mem, items + i * size);
}

static void matrix_read(const struct ipr_member *m, const json_t *json, struct ipr_arena *mem,
                        struct matrix *out)
{
    const size_t n = json_array_size(json), columns = json_array_size(json_array_get(json, 0));
    char *items = ipr_arena_alloc(mem, n * columns + 1, m->size);

    *out = (struct matrix){ { items, n }, columns };
    for (size_t i = 0; i < n * columns; i++)
        value_read(m, json_array_get(json_array_get(json, i / columns), i % columns), mem,
                   items + i * m->size);
}

static void map_read(const struct ipr_member *m, const json_t *json, struct ipr_arena *mem,
                     void *at)
{
    char *item = ipr_arena_alloc(mem, json_object_size(json) + 1, m->size);
    const char *name;
    const json_t *value;

    *(struct list *)at = (struct list){ item, json_object_size(json) };
    json_object_foreach((json_t *)(uintptr_t)json, name, value) {
        *(const char **)(void *)item = ipr_arena_strndup(mem, name, strlen(name));
        value_read(m, value, mem, item + MAP_VALUE);
        item += m->size;
    }
}

/* True if JSON is of this type, one of those that a member can have. */
static bool any_fits(const struct ipr_member *a, const json_t *value)
{
    if (a->type == IPR_MEMBER_SHAPE)
        return json_is_object(value);
    if (a->type == IPR_MEMBER_TEXT)
        return json_is_string(value);
    return a->type == IPR_MEMBER_FLAG ? json_is_boolean(value) : json_is_number(value);
}

static void pointer_read(const struct ipr_member *m, const json_t *value, struct ipr_arena *mem,
                         void *at)
{
    void *held = shapes[m->of].size > 0 ? ipr_shape_new(m->of, mem)
                                        : ipr_arena_alloc(mem, 1, ipr_row_size(m->of));

    value_read(m, value, mem, held);
    memcpy(at, &held, sizeof held);
}

static void member_read(const struct ipr_member *m, const json_t *value, struct ipr_arena *mem,
                        void *at)
{
    if (m->stored == IPR_STORED_JSON)
        *(json_t **)at = json_incref((json_t *)(uintptr_t)value);
    else if (m->stored == IPR_STORED_POINTER)
        pointer_read(m, value, mem, at);
    else if (m->dims == 0)
        value_read(m, value, mem, at);
    else if (m->dims < 0)
        map_read(m, value, mem, at);
    else if (m->dims == 2)
        matrix_read(m, value, mem, at);
    else
        list_read(m, value, mem, at);
}

/* A "nullable" member that is there, and null. */
static void null_read(const struct ipr_member *m, void *at)
{
    if (m->stored == IPR_STORED_JSON)
        *(json_t **)at = json_null();
    else if (m->stored == IPR_STORED_POINTER || m->dims != 0)
        *(void **)at = IPR_NULL;
    else if (m->type == IPR_MEMBER_NUMBER)
        *(double *)at = INFINITY;
    else if (m->type == IPR_MEMBER_COUNT)
        *(int64_t *)at = IPR_NULL_COUNT;
    else if (m->type == IPR_MEMBER_FLAG)
        *(int *)at = IPR_NULL_FLAG;
    else if (m->type == IPR_MEMBER_TEXT)
        *(const char **)at = "";
    else if (m->type == IPR_MEMBER_INTERVAL)
        *(struct ipr_interval *)at = (struct ipr_interval){ INFINITY, INFINITY };
}

void ipr_shape_read(enum ipr_shape_id id, const json_t *json, struct ipr_arena *mem, void *figure)
{
    const struct ipr_shape *const s = &shapes[id];

    ipr_shape_blank(id, figure);
    if (s->row != IPR_SHAPE_NONE && json_is_object(json)) {
        void *row = ipr_arena_alloc(mem, 1, ipr_row_size(s->row));

        ipr_row_read(s->row, json, mem, row);
        memcpy((char *)figure + s->row_offset, &row, sizeof row);
    }
    for (size_t i = 0; i < s->n; i++) {
        const struct ipr_member *m = &s->members[i];
        const json_t *value = json_object_get(json, m->name);

        if (value == NULL || m->stored == IPR_STORED_ROW)
            continue;
        if (json_is_null(value)) {
            if (m->when == IPR_WHEN_NULLABLE)
                null_read(m, (char *)figure + m->offset);
            continue;
        }
        if (m->stored != IPR_STORED_ANY)
            member_read(m, value, mem, (char *)figure + m->offset);
        else
            for (const struct ipr_member *a = m->any; a->name != NULL; a++)
                if (any_fits(a, value))
                    member_read(a, value, mem, (char *)figure + a->offset);
    }
}
