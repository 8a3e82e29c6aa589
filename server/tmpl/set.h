#ifndef IPR_TMPL_SET_H
#define IPR_TMPL_SET_H

#include "base/mem.h"
#include "tmpl/mustache.h"

/* The compiled form, for compile.c and mustache.c only. */

enum ipr_tmpl_node_kind {
    IPR_NODE_TEXT,
    IPR_NODE_VALUE,
    IPR_NODE_RAW,
    IPR_NODE_SECTION,
    IPR_NODE_INVERTED,
    IPR_NODE_PARTIAL,
};

/** "a.b" as {"a", "b"}; no part at all is the implicit iterator. */
struct ipr_tmpl_name {
    const char *const *part;
    size_t n;
    bool innermost; /* ".a" */
};

/** A formatter with its arguments. */
struct ipr_tmpl_pipe {
    const struct ipr_tmpl_formatter *formatter;
    const char *const *arg;
    size_t n;
};

struct ipr_tmpl_node {
    enum ipr_tmpl_node_kind kind;
    bool line_start; /* first output of its source line: a partial's indentation goes here */
    uint32_t line;   /* of the tag, for messages */
    uint32_t column;
    struct ipr_str text; /* TEXT: at most one line; PARTIAL: its indentation */
    const char *label;   /* tags: the name as written, without formatters */
    struct ipr_tmpl_name name;
    const struct ipr_tmpl_pipe *pipe; /* formatters, first to last */
    size_t pipes;
    size_t end;                     /* SECTION, INVERTED: index of the first node after it */
    const struct ipr_tmpl *partial; /* PARTIAL: after linking */
};

struct ipr_tmpl {
    struct ipr_tmpl *next;
    enum ipr_tmpl_kind kind;
    const char *name;
    struct ipr_tmpl_node *node;
    size_t n, size;
};

struct ipr_tmpl_set {
    struct ipr_arena mem; /* names, texts, templates; node arrays are malloc'd */
    struct ipr_tmpl *first;
    const char *const *raw_names;
    const struct ipr_tmpl_formatter *formatters;
};

/** Fills t->node from `text`, which must live as long as the set. */
IPR_CHECK enum ipr_code ipr_tmpl_compile(struct ipr_tmpl_set *set, struct ipr_tmpl *t,
                                         struct ipr_str text, struct ipr_err *err);

#endif
