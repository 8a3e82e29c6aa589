#include "tmpl/mustache.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmpl/number.h"
#include "tmpl/set.h"

#define TEMPLATE_MAX_BYTES ((size_t)1024 * 1024)

/* ---- the set ---- */

struct ipr_tmpl_set *ipr_tmpl_set_new(const char *const *raw_names,
                                      const struct ipr_tmpl_formatter *formatters)
{
    struct ipr_tmpl_set *set = ipr_xcalloc(1, sizeof *set);

    set->raw_names = raw_names;
    set->formatters = formatters;
    return set;
}

void ipr_tmpl_set_free(struct ipr_tmpl_set **set)
{
    if (*set == NULL)
        return;
    for (struct ipr_tmpl *t = (*set)->first; t != NULL; t = t->next)
        free(t->node);
    ipr_arena_release(&(*set)->mem);
    free(*set);
    *set = NULL;
}

/* FNV-1a */
static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

uint64_t ipr_tmpl_set_hash(const struct ipr_tmpl_set *set)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (const struct ipr_tmpl *t = set->first; t != NULL; t = t->next)
        for (size_t i = 0; i < t->n; i++) {
            const struct ipr_tmpl_node *node = &t->node[i];

            hash = hash_bytes(hash, node->text.p, node->text.n);
            if (node->label != NULL)
                hash = hash_bytes(hash, node->label, strlen(node->label));
            hash = (hash ^ (uint64_t)node->kind) * UINT64_C(1099511628211);
        }
    return hash;
}

static const struct ipr_tmpl *template_of_name(const struct ipr_tmpl_set *set,
                                               enum ipr_tmpl_kind kind, const char *name)
{
    for (const struct ipr_tmpl *t = set->first; t != NULL; t = t->next)
        if (t->kind == kind && strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

bool ipr_tmpl_set_has(const struct ipr_tmpl_set *set, enum ipr_tmpl_kind kind, const char *name)
{
    return template_of_name(set, kind, name) != NULL;
}

enum ipr_code ipr_tmpl_set_add(struct ipr_tmpl_set *set, enum ipr_tmpl_kind kind, const char *name,
                               struct ipr_str text, struct ipr_err *err)
{
    if (template_of_name(set, kind, name) != NULL)
        return ipr_err_set(err, IPR_ECONFLICT, "template %s is there twice", name);

    struct ipr_tmpl *t = ipr_arena_alloc(&set->mem, 1, sizeof *t);
    const char *copy = ipr_arena_strndup(&set->mem, text.p, text.n);

    t->kind = kind;
    t->name = ipr_arena_strndup(&set->mem, name, strlen(name));
    const enum ipr_code rc = ipr_tmpl_compile(set, t, (struct ipr_str){ copy, text.n }, err);
    if (rc != IPR_OK) {
        free(t->node);
        return rc;
    }
    t->next = set->first;
    set->first = t;
    return IPR_OK;
}

enum ipr_code ipr_tmpl_set_link(struct ipr_tmpl_set *set, struct ipr_err *err)
{
    for (struct ipr_tmpl *t = set->first; t != NULL; t = t->next) {
        for (size_t i = 0; i < t->n; i++) {
            struct ipr_tmpl_node *node = &t->node[i];

            if (node->kind != IPR_NODE_PARTIAL)
                continue;
            node->partial = template_of_name(set, IPR_TMPL_PARTIAL, node->label);
            if (node->partial == NULL)
                return ipr_err_at(err, IPR_EPARSE, "bad_template", node->line, node->column, -1,
                                  "%s:%u:%u: no partial %s", t->name, node->line, node->column,
                                  node->label);
        }
    }
    return IPR_OK;
}

void ipr_tmpl_set_rewrite(struct ipr_tmpl_set *set, ipr_tmpl_rewrite_fn rewrite, void *cls)
{
    for (struct ipr_tmpl *t = set->first; t != NULL; t = t->next) {
        struct ipr_buf out = IPR_BUF_INIT;

        for (size_t i = 0; i < t->n; i++) {
            struct ipr_tmpl_node *node = &t->node[i];

            if (node->kind != IPR_NODE_TEXT)
                continue;
            ipr_buf_reset(&out);
            rewrite(cls, node->text, &out);
            if (!ipr_str_eq(node->text, (struct ipr_str){ ipr_buf_c(&out), out.n }))
                node->text = (struct ipr_str){ ipr_arena_strndup(&set->mem, out.p, out.n), out.n };
        }
        ipr_buf_release(&out);
    }
}

static enum ipr_code read_file(const char *path, struct ipr_buf *out, struct ipr_err *err)
{
    char chunk[8192];
    size_t n;
    FILE *f = fopen(path, "rbe");

    if (f == NULL)
        return ipr_err_set(err, IPR_EIO, "cannot read %s: %s", path, strerrordesc_np(errno));
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
        ipr_buf_add(out, chunk, n);
    const bool bad = ferror(f) != 0;
    fclose(f);
    if (bad)
        return ipr_err_set(err, IPR_EIO, "cannot read %s", path);
    if (out->over)
        return ipr_err_set(err, IPR_ELIMIT, "%s is larger than %zu bytes", path, out->cap);
    return IPR_OK;
}

static enum ipr_code load_dir(struct ipr_tmpl_set *set, enum ipr_tmpl_kind kind, const char *root,
                              const char *sub, struct ipr_err *err)
{
    char dir[768];
    struct dirent **entry = NULL;
    enum ipr_code rc = IPR_OK;

    snprintf(dir, sizeof dir, "%s/%s", root, sub);
    const int n = scandir(dir, &entry, NULL, alphasort);
    if (n < 0)
        return ipr_err_set(err, IPR_EIO, "cannot read %s: %s", dir, strerrordesc_np(errno));
    for (int i = 0; i < n; i++) {
        const char *file = entry[i]->d_name;
        const size_t len = strlen(file);

        if (rc == IPR_OK && file[0] != '.' && len > 5 && strcmp(file + len - 5, ".html") == 0) {
            struct ipr_buf text = IPR_BUF_INIT;
            char path[1024], name[256];

            text.cap = TEMPLATE_MAX_BYTES;
            snprintf(path, sizeof path, "%s/%s", dir, file);
            snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - strlen(".html")), file);
            rc = read_file(path, &text, err);
            if (rc == IPR_OK)
                rc = ipr_tmpl_set_add(set, kind, name, (struct ipr_str){ ipr_buf_c(&text), text.n },
                                      err);
            ipr_buf_release(&text);
        }
        free(entry[i]);
    }
    free(entry);
    return rc;
}

enum ipr_code ipr_tmpl_set_load(const char *dir, const char *const *raw_names,
                                const struct ipr_tmpl_formatter *formatters,
                                struct ipr_tmpl_set **out, struct ipr_err *err)
{
    struct ipr_tmpl_set *set = ipr_tmpl_set_new(raw_names, formatters);
    enum ipr_code rc = load_dir(set, IPR_TMPL_PAGE, dir, "pages", err);

    if (rc == IPR_OK)
        rc = load_dir(set, IPR_TMPL_PARTIAL, dir, "partials", err);
    if (rc == IPR_OK)
        rc = ipr_tmpl_set_link(set, err);
    if (rc == IPR_OK)
        *out = set;
    else
        ipr_tmpl_set_free(&set);
    return rc;
}

/* ---- rendering ---- */

struct render {
    const json_t *context[IPR_TMPL_DEPTH + 2];
    size_t n;     /* contexts */
    size_t depth; /* open sections and partials */
    struct ipr_buf indent;
    struct ipr_buf *out;
    struct ipr_err *err;
};

static const json_t *member_of(const json_t *of, const char *name)
{
    char *end;

    if (!json_is_array(of))
        return json_object_get(of, name);
    const unsigned long i = strtoul(name, &end, 10);
    return *end == '\0' ? json_array_get(of, i) : NULL;
}

/* NULL when there is none. */
static const json_t *find_value(const struct render *r, const struct ipr_tmpl_name *name)
{
    const json_t *value = NULL;

    if (name->n == 0)
        return r->context[r->n - 1];
    for (size_t i = r->n; i > 0 && value == NULL; i--) {
        value = json_object_get(r->context[i - 1], name->part[0]);
        if (name->innermost && json_is_object(r->context[i - 1]))
            break;
    }
    for (size_t i = 1; i < name->n; i++)
        value = member_of(value, name->part[i]);
    return value;
}

/* The value of a tag after its formatters; a new reference or NULL. */
static json_t *tag_value(const struct render *r, const struct ipr_tmpl_node *node)
{
    /* Only json_incref: the cast from const is safe, as the value does not change. */
    json_t *value = json_incref((json_t *)(uintptr_t)find_value(r, &node->name));

    for (size_t i = 0; i < node->pipes; i++) {
        const struct ipr_tmpl_pipe *pipe = &node->pipe[i];
        const json_t *in = json_is_null(value) ? NULL : value;
        json_t *out = in != NULL || pipe->formatter->of_null
                          ? pipe->formatter->format(in, pipe->arg, pipe->n)
                          : NULL;

        json_decref(value);
        value = out;
    }
    return value;
}

static bool is_skipped(const json_t *v)
{
    return v == NULL || json_is_null(v) || json_is_false(v) ||
           (json_is_array(v) && json_array_size(v) == 0) ||
           (json_is_string(v) && json_string_length(v) == 0);
}

static void put_escaped(struct ipr_buf *out, const char *s, size_t n)
{
    static const char *const entity[128] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"
    };
    size_t start = 0;

    for (size_t i = 0; i < n; i++) {
        const char *as = (unsigned char)s[i] < 128 ? entity[(unsigned char)s[i]] : NULL;

        if (as == NULL)
            continue;
        ipr_buf_add(out, s + start, i - start);
        ipr_buf_puts(out, as);
        start = i + 1;
    }
    ipr_buf_add(out, s + start, n - start);
}

static void put_value(struct ipr_buf *out, const json_t *v, bool raw)
{
    if (v == NULL || json_is_null(v) || json_is_array(v) || json_is_object(v))
        return;
    if (!json_is_string(v))
        ipr_json_write(v, out); /* digits and letters: nothing to escape */
    else if (raw)
        ipr_buf_add(out, json_string_value(v), json_string_length(v));
    else
        put_escaped(out, json_string_value(v), json_string_length(v));
}

static enum ipr_code render_range(struct render *r, const struct ipr_tmpl *t, size_t from,
                                  size_t to);

static enum ipr_code render_inner(struct render *r, const struct ipr_tmpl *t, size_t from,
                                  size_t to, const json_t *context)
{
    r->context[r->n++] = context;
    const enum ipr_code rc = render_range(r, t, from, to);
    r->n--;
    return rc;
}

static enum ipr_code render_over(struct render *r, const struct ipr_tmpl *t, size_t at,
                                 const json_t *v)
{
    const struct ipr_tmpl_node *node = &t->node[at];
    const bool inverted = node->kind == IPR_NODE_INVERTED;
    enum ipr_code rc = IPR_OK;

    if (is_skipped(v) != inverted)
        return IPR_OK;
    if (inverted || json_is_true(v))
        return render_range(r, t, at + 1, node->end);
    if (!json_is_array(v))
        return render_inner(r, t, at + 1, node->end, v);
    for (size_t i = 0; rc == IPR_OK && i < json_array_size(v); i++)
        rc = render_inner(r, t, at + 1, node->end, json_array_get(v, i));
    return rc;
}

static bool is_empty_line(const struct ipr_tmpl_node *node)
{
    return node->kind == IPR_NODE_TEXT &&
           (ipr_str_is(node->text, "\n") || ipr_str_is(node->text, "\r\n"));
}

static enum ipr_code render_range(struct render *r, const struct ipr_tmpl *t, size_t from,
                                  size_t to)
{
    enum ipr_code rc = IPR_OK;

    if (r->depth == IPR_TMPL_DEPTH)
        return ipr_err_set(r->err, IPR_ELIMIT, "template %s nests too deeply", t->name);
    r->depth++;
    for (size_t i = from; rc == IPR_OK && i < to; i++) {
        const struct ipr_tmpl_node *node = &t->node[i];
        const size_t indent = r->indent.n;
        json_t *v;

        if (node->line_start && r->indent.n > 0 && !is_empty_line(node))
            ipr_buf_add(r->out, r->indent.p, r->indent.n);
        switch (node->kind) {
        case IPR_NODE_TEXT:
            ipr_buf_add(r->out, node->text.p, node->text.n);
            break;
        case IPR_NODE_VALUE:
        case IPR_NODE_RAW:
            v = tag_value(r, node);
            put_value(r->out, v, node->kind == IPR_NODE_RAW);
            json_decref(v);
            break;
        case IPR_NODE_SECTION:
        case IPR_NODE_INVERTED:
            v = tag_value(r, node);
            rc = render_over(r, t, i, v);
            json_decref(v);
            i = node->end - 1;
            break;
        case IPR_NODE_PARTIAL:
            ipr_buf_add(&r->indent, node->text.p, node->text.n);
            rc = render_range(r, node->partial, 0, node->partial->n);
            r->indent.n = indent;
            break;
        }
    }
    r->depth--;
    return rc;
}

static enum ipr_code render_named(const struct ipr_tmpl_set *set, enum ipr_tmpl_kind kind,
                                  const char *name, const json_t *data, struct ipr_buf *out,
                                  struct ipr_err *err)
{
    const struct ipr_tmpl *t = template_of_name(set, kind, name);
    struct render r = { .context = { data }, .n = 1, .out = out, .err = err };
    const size_t own_cap = out->cap;

    if (t == NULL)
        return ipr_err_set(err, IPR_ENOTFOUND, "no template %s", name);
    if (own_cap == 0)
        out->cap = out->n + IPR_TMPL_MAX_BYTES;
    enum ipr_code rc = render_range(&r, t, 0, t->n);
    if (rc == IPR_OK && out->over)
        rc = ipr_err_set(err, IPR_ELIMIT, "page %s is larger than its limit", name);
    out->cap = own_cap;
    ipr_buf_release(&r.indent);
    return rc;
}

enum ipr_code ipr_tmpl_render(const struct ipr_tmpl_set *set, const char *name, const json_t *data,
                              struct ipr_buf *out, struct ipr_err *err)
{
    return render_named(set, IPR_TMPL_PAGE, name, data, out, err);
}

enum ipr_code ipr_tmpl_render_plain(const struct ipr_tmpl_set *set, const char *name,
                                    const json_t *data, struct ipr_buf *out, struct ipr_err *err)
{
    return render_named(set, IPR_TMPL_PLAIN, name, data, out, err);
}
