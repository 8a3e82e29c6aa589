#include "tmpl/set.h"

#include <stdio.h>
#include <string.h>

#define DELIMITER_MAX 8

struct scan {
    struct ipr_tmpl_set *set;
    struct ipr_tmpl *t;
    struct ipr_str src;
    size_t at;     /* next byte to read */
    uint32_t line; /* of `at`, from 1 */
    bool fresh;    /* this source line has no output yet */
    char open[DELIMITER_MAX], close[DELIMITER_MAX];
    size_t stack[IPR_TMPL_DEPTH]; /* indices of open sections */
    size_t depth;
    struct ipr_err *err;
};

struct tag {
    size_t begin, end; /* offsets of the whole tag */
    uint32_t line, column;
    char sigil; /* 0 for a plain name */
    struct ipr_str body;
};

static enum ipr_code compile_fail(struct scan *s, const struct tag *tag, const char *what,
                                  struct ipr_str name)
{
    return ipr_err_at(s->err, IPR_EPARSE, "bad_template", tag->line, tag->column, -1,
                      "%s:%u:%u: %s%s%.*s", s->t->name, tag->line, tag->column, what,
                      name.n > 0 ? " " : "", (int)(name.n < 60 ? name.n : 60),
                      name.n > 0 ? name.p : "");
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Offset of `needle` at or after `from`, or src.n. */
static size_t scan_find(const struct scan *s, size_t from, const char *needle)
{
    const char *hit =
        from <= s->src.n ? memmem(s->src.p + from, s->src.n - from, needle, strlen(needle)) : NULL;

    return hit != NULL ? (size_t)(hit - s->src.p) : s->src.n;
}

static struct ipr_tmpl_node *push_node(struct scan *s, enum ipr_tmpl_node_kind kind)
{
    struct ipr_tmpl *t = s->t;

    if (t->n == t->size) {
        t->size = t->size ? t->size * 2 : 32;
        t->node = ipr_xrealloc(t->node, t->size, sizeof *t->node);
    }
    struct ipr_tmpl_node *node = &t->node[t->n++];
    *node = (struct ipr_tmpl_node){ .kind = kind, .line_start = s->fresh, .line = s->line };
    s->fresh = false;
    return node;
}

/* Text up to `end` as one node per line. Lines are counted here. */
static void text_until(struct scan *s, size_t end)
{
    while (s->at < end) {
        const char *from = s->src.p + s->at;
        const char *nl = memchr(from, '\n', end - s->at);
        const size_t n = nl != NULL ? (size_t)(nl - from) + 1 : end - s->at;

        push_node(s, IPR_NODE_TEXT)->text = (struct ipr_str){ from, n };
        s->at += n;
        if (nl != NULL) {
            s->line++;
            s->fresh = true;
        }
    }
}

/* A line with only this tag and blanks is removed with its newline; true and both ends then. */
static bool is_standalone(const struct scan *s, const struct tag *tag, size_t *begin, size_t *end)
{
    size_t b = tag->begin, e = tag->end;

    while (b > 0 && is_blank(s->src.p[b - 1]))
        b--;
    if (b > 0 && s->src.p[b - 1] != '\n')
        return false;
    while (e < s->src.n && is_blank(s->src.p[e]))
        e++;
    if (e + 1 < s->src.n && s->src.p[e] == '\r' && s->src.p[e + 1] == '\n')
        e++;
    if (e < s->src.n && s->src.p[e] != '\n')
        return false;
    *begin = b;
    *end = e < s->src.n ? e + 1 : e;
    return true;
}

/* The tag that opens at `begin`. */
static enum ipr_code read_tag(struct scan *s, size_t begin, struct tag *tag)
{
    size_t from = begin + strlen(s->open);
    char stop[DELIMITER_MAX + 2];

    *tag = (struct tag){ .begin = begin, .line = s->line };
    for (size_t i = s->at; i < begin; i++)
        tag->line += s->src.p[i] == '\n';
    const char *nl = memrchr(s->src.p, '\n', begin);
    tag->column = (uint32_t)(begin - (nl != NULL ? (size_t)(nl - s->src.p) + 1 : 0)) + 1;

    if (from < s->src.n && strchr("#^/>!&={", s->src.p[from]) != NULL && s->src.p[from] != '\0')
        tag->sigil = s->src.p[from++];
    const char *extra = tag->sigil == '=' ? "=" : "";
    snprintf(stop, sizeof stop, "%s%s", tag->sigil == '{' ? "}" : extra, s->close);
    const size_t end = scan_find(s, from, stop);
    if (end == s->src.n)
        return compile_fail(s, tag, "tag is never closed", (struct ipr_str){ NULL, 0 });
    tag->body = ipr_str_trim((struct ipr_str){ s->src.p + from, end - from });
    tag->end = end + strlen(stop);
    return IPR_OK;
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '$' || c == '@' || (unsigned char)c >= 0x80;
}

static bool is_name(struct ipr_str s)
{
    bool need = true; /* a part must begin here */

    if (ipr_str_is(s, "."))
        return true;
    for (size_t i = s.n > 0 && s.p[0] == '.'; i < s.n; i++) {
        if (s.p[i] == '.' ? need : !is_name_byte(s.p[i]))
            return false;
        need = s.p[i] == '.';
    }
    return s.n > 0 && !need;
}

/* The pieces between separators: at least one. */
static const char *const *split_pieces(struct ipr_arena *mem, struct ipr_str s, char separator,
                                       size_t *n)
{
    size_t k = 0;

    *n = 1;
    for (size_t i = 0; i < s.n; i++)
        *n += s.p[i] == separator;
    const char **part = ipr_arena_alloc(mem, *n, sizeof *part);
    for (size_t i = 0, start = 0; i <= s.n; i++) {
        if (i < s.n && s.p[i] != separator)
            continue;
        part[k++] = ipr_arena_strndup(mem, s.p + start, i - start);
        start = i + 1;
    }
    return part;
}

static struct ipr_tmpl_name split_name(struct ipr_arena *mem, struct ipr_str s)
{
    struct ipr_tmpl_name name = { NULL, 0, false };

    if (ipr_str_is(s, "."))
        return name;
    if (s.p[0] == '.') {
        name.innermost = true;
        s = (struct ipr_str){ s.p + 1, s.n - 1 };
    }
    name.part = split_pieces(mem, s, '.', &name.n);
    return name;
}

static const struct ipr_tmpl_formatter *formatter_of(const struct ipr_tmpl_set *set,
                                                     const char *name)
{
    for (const struct ipr_tmpl_formatter *f = set->formatters; f != NULL && f->name != NULL; f++)
        if (strcmp(f->name, name) == 0)
            return f;
    return NULL;
}

/* "fixed:2". */
static enum ipr_code compile_pipe(struct scan *s, const struct tag *tag, struct ipr_str text,
                                  struct ipr_tmpl_pipe *out)
{
    size_t n;
    const char *const *word = split_pieces(&s->set->mem, text, ':', &n);
    const struct ipr_tmpl_formatter *f = formatter_of(s->set, word[0]);

    if (f == NULL)
        return compile_fail(s, tag, "no formatter", text);
    *out = (struct ipr_tmpl_pipe){ f, word + 1, n - 1 };
    if (out->n < f->min_args || out->n > f->max_args)
        return compile_fail(s, tag, "wrong number of arguments:", text);
    if (f->accepts != NULL && !f->accepts(out->arg, out->n))
        return compile_fail(s, tag, "wrong argument:", text);
    return IPR_OK;
}

/* The formatters after the name: "|a|b:x". */
static enum ipr_code compile_pipes(struct scan *s, const struct tag *tag, struct ipr_str text,
                                   struct ipr_tmpl_node *node)
{
    struct ipr_tmpl_pipe *pipe;
    const char *const *part;

    if (text.n == 0)
        return IPR_OK;
    part =
        split_pieces(&s->set->mem, (struct ipr_str){ text.p + 1, text.n - 1 }, '|', &node->pipes);
    node->pipe = pipe = ipr_arena_alloc(&s->set->mem, node->pipes, sizeof *pipe);
    for (size_t i = 0; i < node->pipes; i++) {
        const enum ipr_code rc = compile_pipe(s, tag, ipr_str_c(part[i]), &pipe[i]);

        if (rc != IPR_OK)
            return rc;
    }
    return IPR_OK;
}

static bool may_be_raw(const struct ipr_tmpl_set *set, struct ipr_str name)
{
    for (const char *const *p = set->raw_names; p != NULL && *p != NULL; p++)
        if (ipr_str_is(name, *p))
            return true;
    return false;
}

static bool set_delimiter(struct ipr_str word, char out[DELIMITER_MAX])
{
    if (word.n == 0 || word.n >= DELIMITER_MAX || memchr(word.p, '=', word.n) != NULL ||
        memchr(word.p, '\0', word.n) != NULL)
        return false;
    memcpy(out, word.p, word.n);
    out[word.n] = '\0';
    return true;
}

static struct ipr_tmpl_node *push_tag(struct scan *s, const struct tag *tag,
                                      enum ipr_tmpl_node_kind kind, struct ipr_str label)
{
    struct ipr_tmpl_node *node = push_node(s, kind);

    node->line = tag->line;
    node->column = tag->column;
    node->label = ipr_arena_strndup(&s->set->mem, label.p, label.n);
    return node;
}

/* A tag that shows a value, or a section over it. */
static enum ipr_code push_value(struct scan *s, const struct tag *tag, enum ipr_tmpl_node_kind kind)
{
    const char *bar = tag->body.n > 0 ? memchr(tag->body.p, '|', tag->body.n) : NULL;
    const size_t n = bar != NULL ? (size_t)(bar - tag->body.p) : tag->body.n;
    const struct ipr_str path = { tag->body.p, n }, rest = { bar, tag->body.n - n };

    if (!is_name(path))
        return compile_fail(s, tag, "not a name:", path);
    struct ipr_tmpl_node *node = push_tag(s, tag, kind, path);
    node->name = split_name(&s->set->mem, path);
    const enum ipr_code rc = compile_pipes(s, tag, rest, node);
    if (rc != IPR_OK || (kind != IPR_NODE_SECTION && kind != IPR_NODE_INVERTED))
        return rc;
    if (s->depth == IPR_TMPL_DEPTH)
        return compile_fail(s, tag, "too many open sections at", path);
    s->stack[s->depth++] = s->t->n - 1;
    return IPR_OK;
}

/* `indent`: blanks before a standalone partial. */
static enum ipr_code take_tag(struct scan *s, const struct tag *tag, struct ipr_str indent)
{
    enum ipr_tmpl_node_kind kind = s->t->kind == IPR_TMPL_PLAIN ? IPR_NODE_RAW : IPR_NODE_VALUE;

    switch (tag->sigil) {
    case '!':
        return IPR_OK;
    case '=': {
        struct ipr_str rest = tag->body, open, close, more;

        if (!ipr_str_word(&rest, &open) || !ipr_str_word(&rest, &close) ||
            ipr_str_word(&rest, &more) || !set_delimiter(open, s->open) ||
            !set_delimiter(close, s->close))
            return compile_fail(s, tag, "bad delimiters", tag->body);
        return IPR_OK;
    }
    case '/': {
        if (s->depth == 0)
            return compile_fail(s, tag, "end of a section that is not open:", tag->body);
        struct ipr_tmpl_node *open = &s->t->node[s->stack[s->depth - 1]];
        if (!ipr_str_is(tag->body, open->label))
            return compile_fail(s, tag, "end of another section than the open one:", tag->body);
        open->end = s->t->n;
        s->depth--;
        return IPR_OK;
    }
    case '>':
        if (tag->body.n == 0)
            return compile_fail(s, tag, "partial without a name", tag->body);
        push_tag(s, tag, IPR_NODE_PARTIAL, tag->body)->text = indent;
        return IPR_OK;
    case '#':
        kind = IPR_NODE_SECTION;
        break;
    case '^':
        kind = IPR_NODE_INVERTED;
        break;
    case '&':
    case '{':
        if (!may_be_raw(s->set, tag->body))
            return compile_fail(s, tag, "may not be printed raw:", tag->body);
        kind = IPR_NODE_RAW;
        break;
    default:
        break;
    }
    return push_value(s, tag, kind);
}

enum ipr_code ipr_tmpl_compile(struct ipr_tmpl_set *set, struct ipr_tmpl *t, struct ipr_str text,
                               struct ipr_err *err)
{
    struct scan s = { .set = set,
                      .t = t,
                      .src = text,
                      .line = 1,
                      .fresh = true,
                      .open = "{{",
                      .close = "}}",
                      .err = err };
    enum ipr_code rc = IPR_OK;

    while (rc == IPR_OK && s.at < text.n) {
        const size_t begin = scan_find(&s, s.at, s.open);
        size_t line_begin = begin, line_end;
        struct tag tag = { 0 };
        struct ipr_str indent = { "", 0 };
        bool alone = false;

        if (begin == text.n) {
            text_until(&s, begin);
            break;
        }
        rc = read_tag(&s, begin, &tag);
        if (rc != IPR_OK)
            break;
        line_end = tag.end;
        if (tag.sigil != '\0' && tag.sigil != '&' && tag.sigil != '{')
            alone = is_standalone(&s, &tag, &line_begin, &line_end);
        if (alone)
            indent = (struct ipr_str){ text.p + line_begin, begin - line_begin };
        text_until(&s, line_begin);
        if (alone)
            s.fresh = false; /* the line is removed: its contents have their own line starts */
        rc = take_tag(&s, &tag, indent);
        s.at = begin;
        for (; s.at < line_end; s.at++)
            s.line += s.src.p[s.at] == '\n';
        if (alone)
            s.fresh = true;
    }
    if (rc == IPR_OK && s.depth > 0) {
        const struct ipr_tmpl_node *open = &t->node[s.stack[s.depth - 1]];
        const struct tag tag = { .line = open->line, .column = open->column };

        rc = compile_fail(&s, &tag, "section is never closed:", ipr_str_c(open->label));
    }
    return rc;
}
