#include "http/answer/tables.h"

#include <string.h>

#include "http/base/format.h"
#include "resource/write.h"
#include "tmpl/csv.h"
#include "tmpl/number.h"

#define DEEPEST 16

struct table_node {
    const json_t *value;
    struct ipr_str name; /* of an object's member; n 0: it is an element of a list … */
    size_t place;        /* … here */
};

/* From the answer to a row; each node is in the one before. */
struct table_walk {
    const struct ipr_table *table;
    enum ipr_format format;
    struct table_node nodes[DEEPEST];
    size_t n;
    struct ipr_buf *out;
};

const struct ipr_table *ipr_table_requested(const struct ipr_req *req)
{
    const char *name = ipr_params_text(req->resource, req->params, "rows");

    for (const struct ipr_table *t = req->resource->tables; t != NULL && t->name != NULL; t++)
        if (name != NULL && strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

/* Takes the part up to the separator off. */
static struct ipr_str table_part(struct ipr_str *rest, char separator)
{
    const char *end = memchr(rest->p, separator, rest->n);
    const struct ipr_str part = { rest->p, end != NULL ? (size_t)(end - rest->p) : rest->n };
    const size_t gone = part.n + (end != NULL ? 1 : 0);

    *rest = (struct ipr_str){ rest->p + gone, rest->n - gone };
    return part;
}

/* The node that is `up` levels out from the row; NULL: there is none. */
static const struct table_node *table_above(const struct table_walk *w, size_t up)
{
    return up < w->n ? &w->nodes[w->n - 1 - up] : NULL;
}

static size_t table_carets(struct ipr_str *path)
{
    size_t n = 0;

    for (; path->n > 0 && path->p[0] == '^'; n++)
        *path = (struct ipr_str){ path->p + 1, path->n - 1 };
    return n;
}

/* Returns what a path's part leads to from `in`. */
static const json_t *table_step(const struct table_walk *w, const json_t *in, struct ipr_str part)
{
    struct ipr_str rest = part;
    const size_t up = table_carets(&rest);

    if (!ipr_str_is(rest, "@"))
        return json_object_getn(in, part.p, part.n);
    const struct table_node *node = table_above(w, up);
    if (node == NULL)
        return NULL;
    return json_is_array(in) ? json_array_get(in, node->place)
                             : json_object_getn(in, node->name.p, node->name.n);
}

/* New reference; NULL: there is none. */
static json_t *table_value(const struct table_walk *w, struct ipr_str path)
{
    const bool whole = path.n > 0 && path.p[0] == '/';
    struct ipr_str rest = whole ? (struct ipr_str){ path.p + 1, path.n - 1 } : path;
    const struct table_node *from = whole ? &w->nodes[0] : table_above(w, table_carets(&rest));

    if (from == NULL)
        return NULL;
    if (ipr_str_is(rest, "@"))
        return from->name.n > 0 ? json_stringn(from->name.p, from->name.n)
                                : json_integer((json_int_t)from->place);
    const json_t *value = from->value;
    while (!ipr_str_is(rest, ".") && rest.n > 0 && value != NULL)
        value = table_step(w, value, table_part(&rest, '.'));
    return json_incref((json_t *)(uintptr_t)value);
}

/* The next column, "NAME=PATH" or a path; false: there are no more. */
static bool table_column(struct ipr_str *rest, struct ipr_str *name, struct ipr_str *path)
{
    if (rest->n == 0)
        return false;
    *path = table_part(rest, ' ');
    const bool named = memchr(path->p, '=', path->n) != NULL;
    *name = named ? table_part(path, '=') : *path;
    return true;
}

static void table_csv_row(struct table_walk *w)
{
    struct ipr_str rest = ipr_str_c(w->table->columns), name, path;

    for (bool first = true; table_column(&rest, &name, &path); first = false) {
        json_t *value = table_value(w, path);

        ipr_buf_puts(w->out, first ? "" : ",");
        ipr_csv_cell(value, w->out);
        json_decref(value);
    }
    ipr_buf_puts(w->out, "\r\n");
}

static void table_json_row(struct table_walk *w)
{
    struct ipr_str rest = ipr_str_c(w->table->columns), name, path;
    json_t *row = json_object();

    while (table_column(&rest, &name, &path)) {
        json_t *value = table_value(w, path);

        json_object_setn_new(row, name.p, name.n, value != NULL ? value : json_null());
    }
    ipr_json_write(row, w->out);
    ipr_buf_putc(w->out, '\n');
    json_decref(row);
}

/* All rows that the path leads to from the last node. */
static void table_follow(struct table_walk *w, struct ipr_str path);

static void table_enter(struct table_walk *w, struct table_node node, struct ipr_str path)
{
    if (node.value == NULL || json_is_null(node.value) || w->n == DEEPEST)
        return;
    w->nodes[w->n++] = node;
    table_follow(w, path);
    w->n--;
}

static void table_enter_all(struct table_walk *w, struct ipr_str path)
{
    const json_t *in = w->nodes[w->n - 1].value, *one;
    const char *name;
    size_t i;

    json_array_foreach(in, i, one)
        table_enter(w, (struct table_node){ one, { "", 0 }, i }, path);
    json_object_foreach((json_t *)(uintptr_t)in, name, one)
        table_enter(w, (struct table_node){ one, ipr_str_c(name), 0 }, path);
}

static void table_follow(struct table_walk *w, struct ipr_str path)
{
    if (path.n == 0) {
        if (w->format == IPR_FORMAT_CSV)
            table_csv_row(w);
        else
            table_json_row(w);
        return;
    }
    const struct ipr_str part = table_part(&path, '.');
    if (ipr_str_is(part, "*"))
        table_enter_all(w, path);
    else
        table_enter(w,
                    (struct table_node){ json_object_getn(w->nodes[w->n - 1].value, part.p, part.n),
                                         part, 0 },
                    path);
}

static void table_csv_head(const struct ipr_table *table, struct ipr_buf *out)
{
    struct ipr_str rest = ipr_str_c(table->columns), name, path;

    for (bool first = true; table_column(&rest, &name, &path); first = false)
        ipr_buf_printf(out, "%s%.*s", first ? "" : ",", (int)name.n, name.p);
    ipr_buf_puts(out, "\r\n");
}

void ipr_table_write(const struct ipr_table *table, enum ipr_format format, const json_t *answer,
                     struct ipr_buf *out)
{
    struct table_walk w = { .table = table, .format = format, .n = 1, .out = out };
    struct ipr_str paths = ipr_str_c(table->rows);

    w.nodes[0] = (struct table_node){ .value = answer };
    if (format == IPR_FORMAT_CSV)
        table_csv_head(table, out);
    while (paths.n > 0)
        table_follow(&w, table_part(&paths, ' '));
}
