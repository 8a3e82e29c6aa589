#ifndef IPR_TMPL_MUSTACHE_H
#define IPR_TMPL_MUSTACHE_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

/*
 * Mustache over json_t: compiled once, rendered many times, by several threads at a time.
 *
 *   {{a.b}} {{.}}          escaped: & < > " '
 *   {{{a}}} {{&a}}         raw, only for names on the allow-list
 *   {{#a}} {{^a}} {{/a}}   sections; {{>p}} partials; {{!…}} comments; {{=<% %>=}} delimiters
 *
 * A section is skipped for null, false, "", an empty array and a missing name. The number 0 is
 * shown like any other. Null and missing names print nothing, as do objects and arrays.
 * Deliberately not supported: lambdas (data contain no code), inheritance and dynamic names; a
 * missing partial is an error at start, not an empty text.
 *
 * Beyond the specification:
 *
 *   {{a|f}} {{a|f:x:y|g}}  the value of a through formatters, a closed list given by the caller;
 *                          arguments are text without ":", "|" and braces
 *   {{#a|f:x}}…{{/a}}      in sections, too; the closing tag names the path alone
 *   {{.a}} {{.a.b}}        a of the innermost object alone, not of those around it
 *   {{a.0}}                an element of an array
 *
 * A section over `true` keeps its context, so that {{.}} means the same inside as outside. A null
 * or missing value is not formatted: it stays null.
 */

struct ipr_tmpl_set;

/** A pure function from a value to its formatted form. The list ends with a name NULL.
 */
struct ipr_tmpl_formatter {
    const char *name;
    size_t min_args, max_args;
    /** A new reference, or NULL for nothing. */
    json_t *(*format)(const json_t *value, const char *const *args, size_t n_args);
    /** True if the arguments are valid, checked when templates are loaded; NULL: all are. */
    bool (*accepts)(const char *const *args, size_t n_args);
    bool of_null; /* called for null and missing values, too: with NULL */
};

enum ipr_tmpl_kind {
    IPR_TMPL_PAGE,    /* rendered by name */
    IPR_TMPL_PARTIAL, /* reached by {{>name}} */
    IPR_TMPL_PLAIN,   /* rendered by name; a text, so that no value is escaped */
};

/** Open sections in a template, and sections and partials open at a time in a rendering. */
#define IPR_TMPL_DEPTH 64

/** Largest rendered page; IPR_ELIMIT beyond, unless the buffer has a cap of its own. */
#define IPR_TMPL_MAX_BYTES ((size_t)32 * 1024 * 1024)

/** An empty set. `raw_names`: NULL-terminated dotted names that may be printed raw, NULL for none;
 * `formatters`: those templates may use, NULL for none. Both are borrowed until _free. */
struct ipr_tmpl_set *ipr_tmpl_set_new(const char *const *raw_names,
                                      const struct ipr_tmpl_formatter *formatters);

/** Compiles `text` (copied) under `name`. IPR_EPARSE with line and column, the message beginning
 * "name:line:column: "; so is an unknown formatter or wrong arguments of one. IPR_ECONFLICT when
 * the name is taken. */
IPR_CHECK enum ipr_code ipr_tmpl_set_add(struct ipr_tmpl_set *set, enum ipr_tmpl_kind kind,
                                         const char *name, struct ipr_str text,
                                         struct ipr_err *err);

/** Connects partials; needed once, after the last add. IPR_EPARSE, located, when one is missing. */
IPR_CHECK enum ipr_code ipr_tmpl_set_link(struct ipr_tmpl_set *set, struct ipr_err *err);

/** All of DIR/pages/ *.html and DIR/partials/ *.html, named by the file without ".html"; linked. */
IPR_CHECK enum ipr_code ipr_tmpl_set_load(const char *dir, const char *const *raw_names,
                                          const struct ipr_tmpl_formatter *formatters,
                                          struct ipr_tmpl_set **out, struct ipr_err *err);

/** Appends the replacement of a text between two tags (at most one line). */
typedef void (*ipr_tmpl_rewrite_fn)(void *cls, struct ipr_str text, struct ipr_buf *out);

/** Replaces the texts of all templates. Call before the first rendering; later only if `rewrite`
 * changes nothing any more. */
void ipr_tmpl_set_rewrite(struct ipr_tmpl_set *set, ipr_tmpl_rewrite_fn rewrite, void *cls);

/** Hash of the texts of all its templates. */
uint64_t ipr_tmpl_set_hash(const struct ipr_tmpl_set *set);

void ipr_tmpl_set_free(struct ipr_tmpl_set **set);

bool ipr_tmpl_set_has(const struct ipr_tmpl_set *set, enum ipr_tmpl_kind kind, const char *name);

/** Appends the page, or the plain text, to `out`. IPR_ENOTFOUND: none of that name; IPR_ELIMIT: too
 * deep or too long. */
IPR_CHECK enum ipr_code ipr_tmpl_render(const struct ipr_tmpl_set *set, const char *name,
                                        const json_t *data, struct ipr_buf *out,
                                        struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_tmpl_render_plain(const struct ipr_tmpl_set *set, const char *name,
                                              const json_t *data, struct ipr_buf *out,
                                              struct ipr_err *err);

#endif
