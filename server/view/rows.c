#include "view/rows.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "db/analyses.h"
#include "db/deletion.h"
#include "db/identity_changes.h"
#include "db/lists.h"
#include "db/monitor.h"
#include "db/players.h"
#include "db/provenance.h"
#include "db/similar_pairs.h"
#include "db/strength.h"
#include "db/tournaments.h"
#include "db/uploads.h"
#include "db/workers.h"
#include "view/json.h"

enum row_type { ROW_TEXT, ROW_CHARS, ROW_NUMBER, ROW_FLAG, ROW_COUNT };

/* A value that says nothing (0, "", NULL) becomes one of these. */
enum row_when {
    ROW_GIVEN, /* itself */
    ROW_NULL,
    ROW_ABSENT,
    ROW_PARENT_NULL /* the object that it would be in is null */
};

#define ROW_ALL INT_MIN

struct row_member {
    const char *parent; /* the object that it is in; NULL: the row */
    const char *name;
    size_t offset, size;
    enum row_type type;
    enum row_when when;
    int from;            /* counts below say nothing; ROW_ALL: only 0 does */
    const char *choices; /* names of a count's values from 0 on, "w, b"; NULL: it is a number */
};

struct row_shape {
    const struct row_member *members;
    size_t n, size;
};

#define ROW_FIELD(row, field)                                                                      \
    offsetof(row, field), sizeof((row *)0)->field,                                                 \
        _Generic(((row *)0)->field, const char *: ROW_TEXT, char *: ROW_CHARS, double: ROW_NUMBER,  \
                 bool: ROW_FLAG, default: ROW_COUNT)

#define IPR_FIGURES_ROWS
#include "figures.h"

static int64_t row_count(const struct row_member *m, const char *at)
{
    int64_t whole;
    int32_t half;
    int16_t quarter;

    switch (m->size) {
    case sizeof whole:
        memcpy(&whole, at, sizeof whole);
        return whole;
    case sizeof half:
        memcpy(&half, at, sizeof half);
        return half;
    case sizeof quarter:
        memcpy(&quarter, at, sizeof quarter);
        return quarter;
    default:
        return *(const unsigned char *)at;
    }
}

static json_t *row_choice(const char *choices, int64_t i)
{
    for (; i > 0; i--)
        choices = strstr(choices, ", ") + 2;
    return json_stringn(choices, strcspn(choices, ","));
}

static json_t *row_text(const struct row_member *m, const char *text)
{
    return m->when == ROW_GIVEN ? json_string(text) : ipr_json_text(text);
}

/* Null where the value says nothing and that shows. */
static json_t *row_member_json(const struct row_member *m, const char *at)
{
    int64_t n;

    switch (m->type) {
    case ROW_TEXT:
        return row_text(m, *(const char *const *)(const void *)at);
    case ROW_CHARS:
        return row_text(m, at);
    case ROW_NUMBER:
        return ipr_json_num(*(const double *)(const void *)at);
    case ROW_FLAG:
        return json_boolean(*(const bool *)(const void *)at);
    case ROW_COUNT:
        break;
    }
    n = row_count(m, at);
    if (m->when != ROW_GIVEN && (m->from == ROW_ALL ? n == 0 : n < m->from))
        return json_null();
    return m->choices != NULL ? row_choice(m->choices, n) : json_integer(n);
}

/* The object that a member is in; NULL where that is null. */
static json_t *row_parent(const struct row_member *m, json_t *out)
{
    json_t *parent = m->parent != NULL ? json_object_get(out, m->parent) : out;

    if (parent != NULL)
        return json_is_object(parent) ? parent : NULL;
    parent = json_object();
    json_object_set_new(out, m->parent, parent);
    return parent;
}

static void row_member_add(const struct row_member *m, const char *row, json_t *out)
{
    json_t *parent = row_parent(m, out), *value;

    if (parent == NULL)
        return;
    value = row_member_json(m, row + m->offset);
    if (json_is_null(value) && m->when == ROW_ABSENT)
        json_decref(value);
    else if (json_is_null(value) && m->when == ROW_PARENT_NULL)
        json_object_set_new(out, m->parent, value);
    else
        json_object_set_new(parent, m->name, value);
}

void ipr_row_add(enum ipr_shape_id id, const void *row, json_t *out)
{
    for (size_t i = 0; i < row_shapes[id].n; i++)
        row_member_add(&row_shapes[id].members[i], row, out);
}

size_t ipr_row_size(enum ipr_shape_id id)
{
    return row_shapes[id].size;
}

json_t *ipr_row_json(enum ipr_shape_id id, const void *row)
{
    json_t *out = json_object();

    ipr_row_add(id, row, out);
    return out;
}

json_t *ipr_rows_json(enum ipr_shape_id id, const void *rows, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, ipr_row_json(id, (const char *)rows + i * row_shapes[id].size));
    return list;
}

/* ---- reading ---- */

static int64_t row_chosen(const char *choices, const char *text)
{
    int64_t i = 0;

    for (;; i++) {
        const size_t n = strcspn(choices, ",");

        if (strlen(text) == n && strncmp(choices, text, n) == 0)
            return i;
        if (choices[n] == '\0')
            return 0;
        choices += n + 2;
    }
}

/* An unknown value becomes what is written as unknown again. */
static int64_t row_count_of(const struct row_member *m, const json_t *value)
{
    if (value == NULL || json_is_null(value))
        return m->from == ROW_ALL ? 0 : m->from - 1;
    return json_is_string(value) ? row_chosen(m->choices, json_string_value(value))
                                 : json_integer_value(value);
}

static void row_count_set(const struct row_member *m, int64_t n, char *at)
{
    const int32_t half = (int32_t)n;
    const int16_t quarter = (int16_t)n;

    switch (m->size) {
    case sizeof n:
        memcpy(at, &n, sizeof n);
        break;
    case sizeof half:
        memcpy(at, &half, sizeof half);
        break;
    case sizeof quarter:
        memcpy(at, &quarter, sizeof quarter);
        break;
    default:
        *at = (char)n;
    }
}

void ipr_row_read(enum ipr_shape_id id, const json_t *json, struct ipr_arena *mem, void *row)
{
    for (size_t i = 0; i < row_shapes[id].n; i++) {
        const struct row_member *const m = &row_shapes[id].members[i];
        const json_t *const value =
            json_object_get(m->parent != NULL ? json_object_get(json, m->parent) : json, m->name);
        char *const at = (char *)row + m->offset;

        if (m->type == ROW_TEXT && json_is_string(value))
            *(const char **)(void *)at =
                ipr_arena_strndup(mem, json_string_value(value), json_string_length(value));
        else if (m->type == ROW_CHARS && json_is_string(value))
            snprintf(at, m->size, "%s", json_string_value(value));
        else if (m->type == ROW_NUMBER)
            *(double *)(void *)at = json_is_number(value) ? json_number_value(value) : NAN;
        else if (m->type == ROW_FLAG)
            *(bool *)(void *)at = json_is_true(value);
        else if (m->type == ROW_COUNT)
            row_count_set(m, row_count_of(m, value), at);
    }
}
