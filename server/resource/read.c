/* The reader of parameters. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "pgn/time_class.h"
#include "resource/resource.h"

#define YEAR_MAX     9999
#define GOT_MAX      40
#define ANOTHER_TYPE "(another type)"
#define CURSOR_EXPECTED                                                                            \
    "a cursor: the member next of an answer with the same list, order and filters"

/* Bytes of a text to show: no character is cut. */
static size_t text_clip(const char *text, size_t most)
{
    size_t n = strlen(text);

    if (n <= most)
        return n;
    for (n = most; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
        ;
    return n;
}

enum ipr_code ipr_param_refuse(struct ipr_err *err, const char *name, const char *got,
                               const char *fmt, ...)
{
    char expected[IPR_ERR_TEXT];
    va_list args;

    va_start(args, fmt);
    vsnprintf(expected, sizeof expected, fmt, args);
    va_end(args);
    if (got == NULL)
        return ipr_err_type(err, IPR_EPARSE, "bad_parameter", "%s: expected %s, got nothing", name,
                            expected);
    return ipr_err_type(err, IPR_EPARSE, "bad_parameter", "%s: expected %s, got \"%.*s\"", name,
                        expected, (int)text_clip(got, GOT_MAX), got);
}

enum ipr_code ipr_param_refuse_cursor(struct ipr_err *err, const char *after)
{
    return ipr_param_refuse(err, "after", after, CURSOR_EXPECTED);
}

static void add_words(const struct ipr_param_def *d, const char *last, struct ipr_buf *out)
{
    for (size_t i = 0; d->words[i] != NULL; i++)
        ipr_buf_printf(out, "%s%s",
                       i == 0                    ? ""
                       : d->words[i + 1] == NULL ? last
                                                 : ", ",
                       d->words[i]);
}

static void add_range(const struct ipr_param_def *d, const char *what, struct ipr_buf *out)
{
    ipr_buf_printf(out, "%s from %.10g", what, d->lo);
    if (d->hi < INT32_MAX)
        ipr_buf_printf(out, " to %.10g", d->hi);
}

void ipr_param_expected(const struct ipr_param_def *d, struct ipr_buf *out)
{
    switch (d->type) {
    case IPR_PARAM_INT:
        add_range(d, "a whole number", out);
        break;
    case IPR_PARAM_REAL:
        add_range(d, "a number", out);
        break;
    case IPR_PARAM_BOOL:
        ipr_buf_puts(out, "true or false");
        break;
    case IPR_PARAM_CHOICE:
        add_words(d, " or ", out);
        break;
    case IPR_PARAM_SET:
        ipr_buf_puts(out, "a list of ");
        add_words(d, ", ", out);
        break;
    case IPR_PARAM_TIMES:
        ipr_buf_puts(out, "all or a list of ");
        for (int c = 0; c < IPR_TIME_CLASSES; c++)
            ipr_buf_printf(out, "%s%s", c > 0 ? ", " : "",
                           ipr_time_class_name((enum ipr_time_class)c));
        break;
    case IPR_PARAM_TEXT:
        ipr_buf_printf(out, "a text of at most %.0f bytes", d->hi);
        break;
    case IPR_PARAM_CURSOR:
        ipr_buf_puts(out, CURSOR_EXPECTED);
        break;
    case IPR_PARAM_SIDE:
        ipr_buf_puts(out, "PLAYER:YEAR, as in 12:1971");
        break;
    case IPR_PARAM_INTS:
        add_range(d, "whole numbers", out);
        ipr_buf_puts(out, ", separated by commas");
        break;
    case IPR_PARAM_JSON:
        ipr_buf_puts(out, "a JSON value");
        break;
    }
}

/* What is being read, and its destination. */
struct reading {
    const struct ipr_resource *resource;
    const struct ipr_given *given;
    size_t n;
    struct ipr_arena *mem;
    unsigned char *out;
    bool partial; /* required parameters may be missing */
    struct ipr_err *err;
};

static const struct ipr_given *find_given(const struct reading *r, const char *name)
{
    for (size_t i = 0; i < r->n; i++)
        if (strcmp(r->given[i].name, name) == 0)
            return &r->given[i];
    return NULL;
}

static enum ipr_code refuse_value(const struct reading *r, const struct ipr_param_def *d,
                                  const char *text)
{
    struct ipr_buf expected = IPR_BUF_INIT;

    ipr_param_expected(d, &expected);
    const enum ipr_code rc = ipr_param_refuse(r->err, d->name, text, "%s", ipr_buf_c(&expected));
    ipr_buf_release(&expected);
    return rc;
}

static bool param_read_int(const struct reading *r, const struct ipr_param_def *d, const char *text)
{
    const int64_t hi = d->hi >= 9.2e18 ? INT64_MAX : (int64_t)d->hi;
    int64_t n;

    if (!ipr_str_int(ipr_str_trim(ipr_str_c(text)), (int64_t)d->lo, hi, &n))
        return false;
    if (d->size == sizeof n)
        memcpy(r->out + d->at, &n, sizeof n);
    else
        memcpy(r->out + d->at, &(int){ (int)n }, sizeof(int));
    return true;
}

static bool param_read_real(const struct reading *r, const struct ipr_param_def *d,
                            const char *text)
{
    double x;

    if (!ipr_str_double(ipr_str_c(text), d->lo, d->hi, &x))
        return false;
    x = x == 0.0 ? 0.0 : x; /* no -0 */
    memcpy(r->out + d->at, &x, sizeof x);
    return true;
}

static int word_index(const struct ipr_param_def *d, struct ipr_str word)
{
    for (int i = 0; d->words[i] != NULL; i++)
        if (ipr_str_is(word, d->words[i]))
            return i;
    return -1;
}

static bool param_read_choice(const struct reading *r, const struct ipr_param_def *d,
                              const char *text)
{
    const int at = word_index(d, ipr_str_c(text));

    memcpy(r->out + d->at, &at, sizeof at);
    return at >= 0;
}

static bool param_read_bool(const struct reading *r, const struct ipr_param_def *d,
                            const char *text)
{
    const bool yes = strcmp(text, "true") == 0;

    memcpy(r->out + d->at, &yes, sizeof yes);
    return yes || strcmp(text, "false") == 0;
}

static int time_class_index(struct ipr_str word)
{
    const enum ipr_time_class class = ipr_time_class_read(word);

    return class == IPR_TIME_CLASSES ? -1 : (int)class;
}

/* A list with commas between its words, as bits. */
static bool param_read_set(const struct reading *r, const struct ipr_param_def *d, const char *text)
{
    unsigned set = 0;

    if (d->type == IPR_PARAM_TIMES && strcmp(text, "all") == 0)
        set = IPR_TIME_SET_ALL;
    for (const char *p = text; set != IPR_TIME_SET_ALL && p != NULL;) {
        const struct ipr_str word = { p, strcspn(p, ",") };
        const int at = d->type == IPR_PARAM_TIMES ? time_class_index(word) : word_index(d, word);

        if (at < 0)
            return false;
        set |= 1u << at;
        p = p[word.n] != '\0' ? p + word.n + 1 : NULL;
    }
    memcpy(r->out + d->at, &set, sizeof set);
    return true;
}

static bool param_read_ints(const struct reading *r, const struct ipr_param_def *d,
                            const char *text)
{
    struct ipr_param_ints list = { .n = 0 };

    for (const char *p = text; p != NULL;) {
        const struct ipr_str one = { p, strcspn(p, ",") };
        int64_t n;

        if (list.n == IPR_PARAM_INTS_MAX || !ipr_str_int(one, (int64_t)d->lo, (int64_t)d->hi, &n))
            return false;
        list.v[list.n++] = (int)n;
        p = p[one.n] != '\0' ? p + one.n + 1 : NULL;
    }
    memcpy(r->out + d->at, &list, sizeof list);
    return true;
}

/* "12:1971"; in a form the year is a separate field, NAME_year. */
static bool param_read_side(const struct reading *r, const struct ipr_param_def *d,
                            const char *text)
{
    char name[40];
    const char *colon = strchr(text, ':');
    const struct ipr_str id = { text, colon != NULL ? (size_t)(colon - text) : strlen(text) };
    int64_t player, year;

    snprintf(name, sizeof name, "%s_year", d->name);
    const struct ipr_given *apart = find_given(r, name);
    const char *year_text = colon != NULL ? colon + 1 : apart != NULL ? apart->text : NULL;
    if (!ipr_str_int(id, 1, INT32_MAX, &player) || year_text == NULL ||
        !ipr_str_int(ipr_str_c(year_text), 1, YEAR_MAX, &year))
        return false;
    const struct ipr_param_side side = { (int)player, (int)year };
    memcpy(r->out + d->at, &side, sizeof side);
    return true;
}

static bool param_read_text(const struct reading *r, const struct ipr_param_def *d,
                            const char *text)
{
    memcpy(r->out + d->at, &text, sizeof(const char *));
    return d->type == IPR_PARAM_CURSOR || strlen(text) <= (size_t)d->hi;
}

/* A JSON value is only possible in a body. */
static bool param_no_value(const struct reading *r, const struct ipr_param_def *d, const char *text)
{
    (void)r, (void)d, (void)text;
    return false;
}

static bool param_read_value(const struct reading *r, const struct ipr_param_def *d,
                             const char *text)
{
    static bool (*const readers[])(const struct reading *, const struct ipr_param_def *,
                                   const char *) = {
        [IPR_PARAM_INT] = param_read_int,   [IPR_PARAM_REAL] = param_read_real,
        [IPR_PARAM_BOOL] = param_read_bool, [IPR_PARAM_CHOICE] = param_read_choice,
        [IPR_PARAM_SET] = param_read_set,   [IPR_PARAM_TIMES] = param_read_set,
        [IPR_PARAM_TEXT] = param_read_text, [IPR_PARAM_CURSOR] = param_read_text,
        [IPR_PARAM_SIDE] = param_read_side, [IPR_PARAM_INTS] = param_read_ints,
        [IPR_PARAM_JSON] = param_no_value,
    };

    return readers[d->type](r, d, text);
}

/* A member of a JSON body as the text that a query would have; NULL: null, or another type of
 * value. */
static const char *text_of_json(const struct reading *r, const json_t *v)
{
    switch (json_typeof(v)) {
    case JSON_STRING:
        return strlen(json_string_value(v)) == json_string_length(v) ? json_string_value(v) : NULL;
    case JSON_INTEGER:
        return ipr_arena_printf(r->mem, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    case JSON_REAL:
        return ipr_arena_printf(r->mem, "%.17g", json_real_value(v));
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
    case JSON_OBJECT:
    case JSON_ARRAY:
        break;
    }
    return NULL;
}

/* Texts are read from strings only, other types from any value with the same spelling. */
static bool json_fits(const struct ipr_param_def *d, const json_t *v)
{
    const bool text = d->type == IPR_PARAM_TEXT || d->type == IPR_PARAM_CURSOR;

    return json_is_string(v) || (!text && !json_is_object(v) && !json_is_array(v));
}

/* An empty text, as in an unfilled field of a form, and null count as absent. */
static bool is_absent(const struct ipr_given *g)
{
    if (g == NULL || (g->text != NULL && g->text[0] == '\0'))
        return true;
    return g->text == NULL &&
           (json_is_null(g->json) || (json_is_string(g->json) && json_string_length(g->json) == 0));
}

/* ANOTHER_TYPE where it has none. */
static const char *given_text(const struct reading *r, const struct ipr_param_def *d,
                              const struct ipr_given *g)
{
    if (g->text != NULL)
        return g->text;
    const char *text = json_fits(d, g->json) ? text_of_json(r, g->json) : NULL;
    return text != NULL ? text : ANOTHER_TYPE;
}

static enum ipr_code param_read(const struct reading *r, const struct ipr_param_def *d)
{
    const struct ipr_given *g = find_given(r, d->name);

    if (is_absent(g))
        return d->required && !r->partial ? refuse_value(r, d, NULL) : IPR_OK;
    if (g->text == NULL && d->type == IPR_PARAM_JSON) {
        memcpy(r->out + d->at, &g->json, sizeof g->json);
        return IPR_OK;
    }
    const char *text = given_text(r, d, g);
    if (strcmp(text, ANOTHER_TYPE) == 0)
        return refuse_value(r, d, text);
    if (param_read_value(r, d, text))
        return IPR_OK;
    if (g->place == IPR_GIVEN_PATH && d->type == IPR_PARAM_INT)
        return ipr_err_set(r->err, IPR_ENOTFOUND, "not found");
    return refuse_value(r, d, text);
}

/* Whether one of the names in "a,b" is `name`. */
static bool name_is_listed(const char *names, const char *name)
{
    const size_t n = strlen(name);

    for (const char *p = names; p != NULL; p = strchr(p, ',')) {
        p += *p == ',';
        if (strncmp(p, name, n) == 0 && (p[n] == ',' || p[n] == '\0'))
            return true;
    }
    return false;
}

bool ipr_param_of_method(const struct ipr_param_def *d, const char *method)
{
    return d->of == NULL || method == NULL || strcmp(method, "all") == 0 ||
           name_is_listed(d->of, method);
}

static const char *method_of(const struct ipr_resource *r, const void *params)
{
    const struct ipr_param_def *d = ipr_resource_param(r, "method");
    int at;

    if (d == NULL || d->type != IPR_PARAM_CHOICE)
        return NULL;
    memcpy(&at, (const unsigned char *)params + d->at, sizeof at);
    return at >= 0 ? d->words[at] : NULL;
}

/* ---- parameters together ---- */

static bool has_value(const struct reading *r, const char *name)
{
    return !is_absent(find_given(r, name));
}

/* A parameter with the text that it was given as. */
struct told {
    const struct ipr_param_def *def;
    const char *text;
};

static enum ipr_code refuse_together(const struct reading *r, const struct told *t,
                                     const char *relation, const char *others)
{
    return ipr_param_refuse(r->err, t->def->name, t->text, "%s %s", relation, others);
}

static enum ipr_code check_method(const struct reading *r, const struct told *t)
{
    if (ipr_param_of_method(t->def, method_of(r->resource, r->out)))
        return IPR_OK;
    return refuse_together(r, t, "only with", ipr_arena_printf(r->mem, "method=%s", t->def->of));
}

/* Whether one of the names in "a,b" has a value. */
static bool any_has_value(const struct reading *r, const char *names)
{
    for (const struct ipr_param_def *d = r->resource->params; d->name != NULL; d++)
        if (name_is_listed(names, d->name) && has_value(r, d->name))
            return true;
    return false;
}

/* The default says nothing. */
static bool says_something(const struct reading *r, const struct ipr_param_def *d)
{
    return memcmp(r->out + d->at, (const unsigned char *)r->resource->init + d->at, d->size) != 0;
}

static enum ipr_code check_order(const struct reading *r, const struct told *t)
{
    const char *upto = t->def->upto;
    const int64_t high = ipr_params_id(r->resource, r->out, upto);

    if (!has_value(r, upto) || ipr_params_id(r->resource, r->out, t->def->name) <= high)
        return IPR_OK;
    return refuse_together(r, t, "at most", ipr_arena_printf(r->mem, "%s, %" PRId64, upto, high));
}

static enum ipr_code check_with_others(const struct reading *r, const struct told *t)
{
    const struct ipr_param_def *d = t->def;
    enum ipr_code rc = check_method(r, t);

    if (rc == IPR_OK && d->with != NULL && !has_value(r, d->with))
        rc = refuse_together(r, t, "only with", d->with);
    if (rc == IPR_OK && d->without != NULL && says_something(r, d) && any_has_value(r, d->without))
        rc = refuse_together(r, t, "only without", d->without);
    if (rc == IPR_OK && d->upto != NULL)
        rc = check_order(r, t);
    return rc;
}

static enum ipr_code check_relations(const struct reading *r)
{
    enum ipr_code rc = IPR_OK;

    for (const struct ipr_param_def *d = r->resource->params; rc == IPR_OK && d->name != NULL;
         d++) {
        const struct ipr_given *g = find_given(r, d->name);

        if (!is_absent(g))
            rc = check_with_others(r, &(struct told){ d, given_text(r, d, g) });
    }
    return rc;
}

/* Takes off what binds a cursor to the list and the other parameters. */
static enum ipr_code free_cursor(const struct reading *r, const struct ipr_param_def *d)
{
    const char *const given = *(const char **)(r->out + d->at), *inner;

    if (given == NULL)
        return IPR_OK;
    const char *bound = ipr_cursor_bind(r->resource, r->out, "", r->mem);
    if (strncmp(given, bound, strlen(bound)) != 0)
        return ipr_param_refuse_cursor(r->err, given);
    inner = given + strlen(bound);
    memcpy(r->out + d->at, &inner, sizeof inner);
    return IPR_OK;
}

static enum ipr_code free_cursors(const struct reading *r)
{
    enum ipr_code rc = IPR_OK;

    for (const struct ipr_param_def *d = r->resource->params; rc == IPR_OK && d->name != NULL; d++)
        if (d->type == IPR_PARAM_CURSOR)
            rc = free_cursor(r, d);
    return rc;
}

enum ipr_code ipr_params_read(const struct ipr_resource *resource, const struct ipr_given *given,
                              size_t n, bool partial, struct ipr_arena *mem, void **out,
                              struct ipr_err *err)
{
    unsigned char *const params = ipr_arena_alloc(mem, 1, resource->size);
    const struct reading r = { resource, given, n, mem, params, partial, err };
    enum ipr_code rc = IPR_OK;

    memcpy(r.out, resource->init, resource->size);
    for (const struct ipr_param_def *d = resource->params; rc == IPR_OK && d->name != NULL; d++)
        rc = param_read(&r, d);
    if (rc == IPR_OK)
        rc = check_relations(&r);
    if (rc == IPR_OK)
        rc = free_cursors(&r);
    if (rc == IPR_OK)
        *out = r.out;
    return rc;
}

enum ipr_code ipr_param_cursor(const char *after, int64_t max, int64_t *out, struct ipr_err *err)
{
    *out = 0;
    if (after == NULL || ipr_str_int(ipr_str_c(after), 0, max, out))
        return IPR_OK;
    return ipr_param_refuse_cursor(err, after);
}

enum ipr_code ipr_param_cursor_pair(const char *after, int64_t max, int64_t *first, int32_t *id,
                                    struct ipr_err *err)
{
    const char *dash = after != NULL ? strchr(after, '-') : NULL;
    int64_t n;

    *first = -1;
    *id = 0;
    if (after == NULL)
        return IPR_OK;
    if (dash == NULL ||
        !ipr_str_int((struct ipr_str){ after, (size_t)(dash - after) }, 0, max, first) ||
        !ipr_str_int(ipr_str_c(dash + 1), 1, INT32_MAX, &n))
        return ipr_param_refuse_cursor(err, after);
    *id = (int32_t)n;
    return IPR_OK;
}

/* The field for the year of a side is known if the side is. */
static const struct ipr_param_def *def_of(const struct ipr_resource *r, const char *name)
{
    static const char year[] = "_year";
    const size_t n = strlen(name), suffix = sizeof year - 1;
    const struct ipr_param_def *d = ipr_resource_param(r, name);

    if (d != NULL || n <= suffix || strcmp(name + n - suffix, year) != 0)
        return d;
    for (d = r->params; d->name != NULL; d++)
        if (d->type == IPR_PARAM_SIDE && strlen(d->name) == n - suffix &&
            strncmp(d->name, name, n - suffix) == 0)
            return d;
    return NULL;
}

/* Whether the resource has a parameter there: for a write, in the body or in the address. */
static bool is_taken_at(const struct ipr_resource *r, const struct ipr_param_def *d,
                        enum ipr_given_place place)
{
    const bool body = r->flags & (IPR_FLAG_BODY | IPR_FLAG_UPLOAD | IPR_FLAG_RAW);

    if (place == IPR_GIVEN_PAGE)
        return !d->api;
    if (place == IPR_GIVEN_QUERY)
        return !body || d->query;
    return place == IPR_GIVEN_PATH || !d->query || (r->flags & IPR_FLAG_UPLOAD);
}

static bool is_in_path(const char *name, const struct ipr_given *given, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (given[i].place == IPR_GIVEN_PATH && strcmp(given[i].name, name) == 0)
            return true;
    return false;
}

static enum ipr_code refuse_unknown(const struct ipr_resource *r, const struct ipr_given *given,
                                    size_t n, const struct ipr_given *g, struct ipr_err *err)
{
    struct ipr_buf known = IPR_BUF_INIT;

    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++)
        if (is_taken_at(r, d, g->place) && !is_in_path(d->name, given, n))
            ipr_buf_printf(&known, "%s%s", known.n > 0 ? ", " : "", d->name);
    const enum ipr_code rc = ipr_err_type(
        err, IPR_EPARSE, "unknown_parameter", "no parameter \"%.*s\" here%s%s",
        (int)text_clip(g->name, 60), g->name, known.n > 0 ? "; known: " : "", ipr_buf_c(&known));
    ipr_buf_release(&known);
    return rc;
}

static enum ipr_code refuse_twice(const struct ipr_given *a, const struct ipr_given *b,
                                  struct ipr_err *err)
{
    const char *first = a->text != NULL ? a->text : ANOTHER_TYPE;

    return ipr_param_refuse(err, b->name, b->text != NULL ? b->text : ANOTHER_TYPE,
                            "one value, which is \"%.*s\"", (int)text_clip(first, GOT_MAX), first);
}

enum ipr_code ipr_params_check(const struct ipr_resource *r, const struct ipr_given *given,
                               size_t n, struct ipr_err *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct ipr_param_def *d = def_of(r, given[i].name);

        if (d == NULL || !is_taken_at(r, d, given[i].place))
            return refuse_unknown(r, given, n, &given[i], err);
        for (size_t k = 0; k < i; k++)
            if (strcmp(given[k].name, given[i].name) == 0)
                return refuse_twice(&given[k], &given[i], err);
    }
    return IPR_OK;
}
