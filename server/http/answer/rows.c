#include "http/answer/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/log.h"
#include "core/pseudonyms.h"
#include "http/answer/concurrency.h"
#include "http/answer/reading.h"
#include "http/answer/tables.h"
#include "http/base/compute_pool.h"
#include "http/base/format.h"
#include "http/base/reply.h"
#include "resource/write.h"
#include "tmpl/csv.h"
#include "tmpl/number.h"

#define BLOCK_BYTES ((size_t)64 * 1024)
#define PAGE_BYTES  ((size_t)1 << 20) /* of rows that are sent unchanged */

/* ---- members ---- */

/* The word up to the next separator; false at the end. */
static bool next_name(const char **rest, const char *separators, struct ipr_str *out)
{
    *rest += strspn(*rest, separators);
    *out = (struct ipr_str){ *rest, strcspn(*rest, separators) };
    *rest += out->n;
    return out->n > 0;
}

/* Value at a dotted path. */
static json_t *cell_value(json_t *row, struct ipr_str path)
{
    const char *p = path.p, *end = path.p + path.n;

    while (row != NULL && p < end) {
        const char *dot = memchr(p, '.', (size_t)(end - p));
        const size_t n = (size_t)((dot != NULL ? dot : end) - p);
        char name[64];

        snprintf(name, sizeof name, "%.*s", (int)n, p);
        row = json_object_get(row, name);
        p += n + 1;
    }
    return row;
}

/* True if the list has a column of that name, or several below it. */
static bool has_column(const struct ipr_resource *r, struct ipr_str name)
{
    const char *rest = r->columns;
    struct ipr_str column;

    while (next_name(&rest, " ", &column))
        if (column.n >= name.n && memcmp(column.p, name.p, name.n) == 0 &&
            (column.n == name.n || column.p[name.n] == '.'))
            return true;
    return false;
}

static enum ipr_code refuse_field(const struct ipr_resource *r, struct ipr_str name,
                                  struct ipr_err *err)
{
    char got[64];

    snprintf(got, sizeof got, "%.*s", (int)name.n, name.p);
    return ipr_param_refuse(err, "fields", got, "a list of %.300s", r->columns);
}

static enum ipr_code check_fields(const struct ipr_resource *r, const char *fields,
                                  struct ipr_err *err)
{
    const char *rest = fields;
    struct ipr_str name;
    bool any = false;

    for (; next_name(&rest, ", ", &name); any = true)
        if (!has_column(r, name))
            return refuse_field(r, name, err);
    return any ? IPR_OK : refuse_field(r, ipr_str_c(fields), err);
}

static void copy_member(json_t *to, json_t *from, struct ipr_str path);

/* The rest of a path in a list: in each of its objects. */
static json_t *copy_list(json_t *to, json_t *from, struct ipr_str path)
{
    json_t *list = json_is_array(to) ? json_incref(to) : json_array();

    while (json_array_size(list) < json_array_size(from))
        json_array_append_new(list, json_object());
    for (size_t i = 0; i < json_array_size(from); i++)
        copy_member(json_array_get(list, i), json_array_get(from, i), path);
    return list;
}

/* Copies the member at a dotted path, with the objects and lists on the way. */
static void copy_member(json_t *to, json_t *from, struct ipr_str path)
{
    const char *dot = memchr(path.p, '.', path.n);
    const size_t n = dot != NULL ? (size_t)(dot - path.p) : path.n;
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)n, path.p);
    json_t *value = json_object_get(from, name), *there = json_object_get(to, name);
    if (value == NULL)
        return;
    if (dot == NULL) {
        json_object_set(to, name, value);
        return;
    }
    const struct ipr_str rest = { dot + 1, path.n - n - 1 };
    if (json_is_array(value)) {
        json_object_set_new(to, name, copy_list(there, value, rest));
    } else if (json_is_object(value)) {
        if (!json_is_object(there))
            json_object_set_new(to, name, json_object());
        copy_member(json_object_get(to, name), value, rest);
    }
}

enum ipr_code ipr_rows_select(const struct ipr_req *req, json_t *resource, struct ipr_err *err)
{
    const char *fields = ipr_params_text(req->resource, req->params, "fields");

    if (fields == NULL || req->resource->rows == NULL)
        return IPR_OK;
    json_t *rows = json_object_get(resource, req->resource->rows);
    const enum ipr_code rc = check_fields(req->resource, fields, err);

    for (size_t i = 0; rc == IPR_OK && i < json_array_size(rows); i++) {
        json_t *const selected = json_object();
        const char *rest = fields;

        for (struct ipr_str name; next_name(&rest, ", ", &name);)
            copy_member(selected, json_array_get(rows, i), name);
        json_array_set_new(rows, i, selected);
    }
    return rc;
}

/* ---- pages ---- */

/* The parameters with others for `after`, and for `limit` unless that is 0; in mem. */
static void *params_at(const struct ipr_req *req, const char *after, int limit,
                       struct ipr_arena *mem)
{
    const struct ipr_param_def *a = ipr_resource_param(req->resource, "after");
    const struct ipr_param_def *l = ipr_resource_param(req->resource, "limit");
    unsigned char *params = ipr_arena_alloc(mem, 1, req->resource->size);

    memcpy(params, req->params, req->resource->size);
    if (a != NULL)
        memcpy(params + a->at, &after, sizeof after);
    if (l != NULL && limit > 0)
        memcpy(params + l->at, &limit, sizeof limit);
    return params;
}

/* The address of a list with the suffix that the request had. */
static const char *href_as_requested(struct ipr_req *req, const char *href)
{
    struct ipr_str path = { req->target, strcspn(req->target, "?") };
    const char *end = path.p + path.n;

    if (ipr_format_suffix(&path) == IPR_FORMAT_ANY)
        return href;
    const size_t n = strcspn(href, "?");
    return ipr_arena_printf(&req->mem, "%.*s%.*s%s", (int)n, href, (int)(end - (path.p + path.n)),
                            path.p + path.n, href + n);
}

const char *ipr_rows_link(struct ipr_req *req, const char *next)
{
    if (req->route->page != NULL || req->resource->rows == NULL || next == NULL)
        return NULL;
    const void *params = params_at(req, next, 0, &req->mem);
    const char *href = ipr_params_href(req->resource, params, &req->mem);
    return ipr_arena_printf(&req->mem, "<%s>; rel=\"next\"", href_as_requested(req, href));
}

/* ---- streams ---- */

struct row_stream {
    struct ipr_req *req;     /* lives until the connection is done with the response */
    struct ipr_buf out;      /* of the current page */
    struct ipr_coder *coder; /* NULL: sent as it is */
    struct ipr_buf packed;   /* the page, compressed */
    size_t sent;
    char *after;      /* cursor of the next page; NULL: there is none */
    int page;         /* rows of a page; 0: as `limit` says, and only one page … */
    const char *link; /* … with this link to the next one; NULL: none */
    struct ipr_pseudonyms pseudonyms; /* where names are hidden */
    bool as_is;  /* rows that the database returns as JSON need not be parsed */
    bool failed; /* the page could not be loaded */
};

/* The columns requested: all of the table's, or the list of fields. */
static const char *csv_columns(const struct ipr_req *req)
{
    const char *fields = ipr_params_text(req->resource, req->params, "fields");

    return fields != NULL ? fields : req->resource->columns;
}

static void csv_head(const char *columns, struct ipr_buf *out)
{
    struct ipr_str name;

    for (bool first = true; next_name(&columns, ", ", &name); first = false)
        ipr_buf_printf(out, "%s%.*s", first ? "" : ",", (int)name.n, name.p);
    ipr_buf_puts(out, "\r\n");
}

/* A row, or one element of its list `each`: a column "turns.ply" is a member of that. */
static void csv_line(json_t *row, json_t *one, const char *each, const char *columns,
                     struct ipr_buf *out)
{
    const size_t n = each != NULL ? strlen(each) : 0;
    struct ipr_str path;

    for (bool first = true; next_name(&columns, ", ", &path); first = false) {
        json_t *cell;

        if (one == NULL || path.n <= n || memcmp(path.p, each, n) != 0 || path.p[n] != '.')
            cell = cell_value(row, path);
        else
            cell = cell_value(one, (struct ipr_str){ path.p + n + 1, path.n - n - 1 });
        if (!first)
            ipr_buf_putc(out, ',');
        ipr_csv_cell(cell, out);
    }
    ipr_buf_puts(out, "\r\n");
}

static void put_rows(const struct ipr_req *req, const json_t *rows, struct ipr_buf *out)
{
    const char *const each = req->resource->each, *const columns = csv_columns(req);
    json_t *row, *one;
    size_t i, k;

    json_array_foreach(rows, i, row) {
        if (req->format != IPR_FORMAT_CSV) {
            ipr_json_write(row, out);
            ipr_buf_putc(out, '\n');
        } else if (each == NULL) {
            csv_line(row, NULL, NULL, columns, out);
        } else {
            json_array_foreach(json_object_get(row, each), k, one)
                csv_line(row, one, each, columns, out);
        }
    }
}

void ipr_rows_write(const struct ipr_req *req, const json_t *resource, struct ipr_buf *out)
{
    const struct ipr_table *table = ipr_table_requested(req);

    if (table != NULL) {
        ipr_table_write(table, req->format, resource, out);
        return;
    }
    if (req->format == IPR_FORMAT_CSV)
        csv_head(csv_columns(req), out);
    put_rows(req, json_object_get(resource, req->resource->rows), out);
}

/* Says in a header what the JSON of a list says of rows that it does not have. */
static void put_left_out(struct ipr_req *req, const json_t *page)
{
    const json_t *const rows = json_object_get(page, "rows_left_out"), *const others =
                                                                           json_object_get(
                                                                               page,
                                                                               "other_settings");

    if (rows == NULL)
        return;
    const char *text = ipr_arena_printf(&req->mem, "rows=%lld", json_integer_value(rows));
    if (others != NULL)
        text = ipr_arena_printf(&req->mem, "%s, other_settings=%lld", text,
                                json_integer_value(others));
    ipr_reply_header(req, "Left-Out", text);
}

static enum ipr_code load_page(struct row_stream *s, struct ipr_err *err)
{
    struct ipr_req *req = s->req;
    struct ipr_arena mem = IPR_ARENA_INIT;
    json_t *page = NULL;

    const void *params =
        s->after != NULL || s->page > 0 ? params_at(req, s->after, s->page, &mem) : req->params;
    const size_t before = s->out.n;
    struct ipr_view view = { .mem = &mem,
                             .stream = true,
                             .lines = s->as_is ? &s->out : NULL,
                             .pgn = req->format == IPR_FORMAT_PGN,
                             .pseudonyms = &s->pseudonyms };
    enum ipr_code rc = ipr_answer_compute(req, params, &view, &page, err);
    if (rc == IPR_OK)
        rc = ipr_rows_select(req, page, err);
    if (rc == IPR_OK) {
        const char *next = json_string_value(json_object_get(page, "next"));

        /* A small first page comes soon, later ones are large and efficient. */
        if (s->out.n > before && s->out.n < PAGE_BYTES)
            s->page *= 2;
        put_left_out(req, page);
        put_rows(req, json_object_get(page, req->resource->rows), &s->out);
        free(s->after);
        s->after = next != NULL && s->page > 0 ? ipr_xstrdup(next) : NULL;
        s->link = s->page == 0 ? ipr_rows_link(req, next) : NULL;
    }
    json_decref(page);
    ipr_arena_release(&mem);
    return rc;
}

/* A page is compressed as one piece, so that the client can decompress it at once. */
static void pack_page(struct row_stream *s)
{
    if (s->coder != NULL)
        ipr_coder_add(s->coder, (struct ipr_str){ s->out.p, s->out.n }, s->after == NULL,
                      &s->packed);
}

static const struct ipr_buf *stream_body(const struct row_stream *s)
{
    return s->coder != NULL ? &s->packed : &s->out;
}

/* The next page that has rows, or the end. */
static bool stream_load(void *cls)
{
    struct row_stream *s = cls;
    struct ipr_err err = IPR_ERR_INIT;

    while (s->sent == stream_body(s)->n && s->after != NULL && !s->failed) {
        ipr_buf_reset(&s->out);
        ipr_buf_reset(&s->packed);
        s->sent = 0;
        s->failed = load_page(s, &err) != IPR_OK;
        if (s->failed)
            ipr_log(IPR_LOG_WARN, "stream_ended", "msg=\"%s\"", ipr_log_text(err.msg));
        else
            pack_page(s);
    }
    return true;
}

static ssize_t stream_read(void *cls, uint64_t pos, char *buf, size_t max)
{
    struct row_stream *s = cls;

    (void)pos;
    s->req->job.away = false;
    ipr_compute_end(s->req);
    if (s->sent == stream_body(s)->n && s->after != NULL && !s->failed) {
        if (ipr_compute_put(s->req, stream_load, s))
            return 0;
        (void)stream_load(s);
    }
    if (s->failed)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    const size_t left = stream_body(s)->n - s->sent, n = left < max ? left : max;
    if (n == 0)
        return MHD_CONTENT_READER_END_OF_STREAM;
    memcpy(buf, stream_body(s)->p + s->sent, n);
    s->sent += n;
    s->req->bytes += n;
    return (ssize_t)n;
}

static void stream_free(void *cls)
{
    struct row_stream *s = cls;

    ipr_coder_free(&s->coder);
    ipr_buf_release(&s->packed);
    ipr_buf_release(&s->out);
    free(s->after);
    free(s);
}

static struct row_stream *stream_new(struct ipr_req *req)
{
    const struct ipr_param_def *limit = ipr_resource_param(req->resource, "limit");
    struct row_stream *s = ipr_xcalloc(1, sizeof *s);

    s->req = req;
    s->page = limit != NULL ? (int)limit->hi : 0;
    for (size_t i = 0; i < req->n_given; i++)
        if (strcmp(req->given[i].name, "limit") == 0)
            s->page = 0;
    ipr_pseudonyms_draw(&s->pseudonyms);
    s->as_is = req->format == IPR_FORMAT_PGN ||
               (req->format == IPR_FORMAT_NDJSON &&
                ipr_params_text(req->resource, req->params, "fields") == NULL);
    const char *after = ipr_params_text(req->resource, req->params, "after");
    s->after = after != NULL ? ipr_xstrdup(after) : NULL;
    if (req->format == IPR_FORMAT_CSV)
        csv_head(csv_columns(req), &s->out);
    return s;
}

/* Call when the first page is known. */
static enum MHD_Result stream_reply(struct row_stream *s)
{
    struct ipr_req *req = s->req;
    const char *type = ipr_format_type(req->format);
    const enum ipr_coding coding =
        ipr_reply_coding(req, ipr_coding_pays(type, s->after != NULL ? SIZE_MAX : s->out.n));

    if (coding == IPR_CODING_UNACCEPTABLE) {
        stream_free(s);
        return ipr_reply_unacceptable(req);
    }
    if (coding != IPR_CODING_NONE) {
        s->coder = ipr_coder_new(coding, false);
        ipr_reply_header(req, "Content-Encoding", ipr_coding_name(coding));
    }
    pack_page(s);
    struct MHD_Response *r = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES,
                                                               stream_read, s, stream_free);
    if (r == NULL) {
        stream_free(s);
        return MHD_NO;
    }
    ipr_reply_header(req, "Content-Type", type);
    ipr_reply_header(req, "Cache-Control", IPR_NO_CACHE);
    if (s->link != NULL)
        ipr_reply_header(req, "Link", s->link);
    return ipr_reply_queue(req, MHD_HTTP_OK, r);
}

enum MHD_Result ipr_rows_stream(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;

    if (ipr_concurrency_stream(req, &err) != IPR_OK)
        return ipr_reply_error(req, &err);
    struct row_stream *s = stream_new(req);
    if (load_page(s, &err) == IPR_OK)
        return stream_reply(s);
    stream_free(s);
    return ipr_reply_error(req, &err);
}
