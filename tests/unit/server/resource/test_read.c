/* The reader of parameters, held to the table of server/resources.def: every parameter of every
 * resource. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "http/url.h"
#include "ipr_test.h"
#include "pgn/time_class.h"
#include "resource/cursor.h"
#include "resource/read.h"
#include "resource/write.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static struct ipr_arena mem;

static int release(void **state)
{
    (void)state;
    ipr_arena_release(&mem);
    return 0;
}

/* One parameter of one resource. */
struct subject {
    const struct ipr_resource *r;
    const struct ipr_param_def *d;
};

static void each_param(void (*f)(struct subject s))
{
    size_t n = 0;

    for (int id = 0; id < IPR_RESOURCES; id++) {
        const struct ipr_resource *r = ipr_resource_at((enum ipr_resource_id)id);

        assert_ptr_equal(ipr_resource_named(r->name), r);
        for (const struct ipr_param_def *d = r->params; d->name != NULL; d++, n++) {
            assert_ptr_equal(ipr_resource_param(r, d->name), d);
            f((struct subject){ r, d });
        }
    }
    assert_true(n > 100);
}

static const char *value_for(const struct ipr_param_def *d);

/* With the parameter that it needs beside it. */
static enum ipr_code read_given(struct subject s, const struct ipr_given *one, void **out,
                                struct ipr_err *err)
{
    const bool alone = one == NULL || s.d->with == NULL || json_is_null(one->json) ||
                       (one->text != NULL && one->text[0] == '\0');
    struct ipr_given given[2];

    if (alone)
        return ipr_params_read(s.r, one, one != NULL ? 1 : 0, true, &mem, out, err);
    given[0] = *one;
    given[1] = (struct ipr_given){ .name = s.d->with,
                                   .text = value_for(ipr_resource_param(s.r, s.d->with)),
                                   .place = one->place };
    return ipr_params_read(s.r, given, 2, true, &mem, out, err);
}

static enum ipr_code read_text(struct subject s, const char *text, void **out, struct ipr_err *err)
{
    const struct ipr_given given = { .name = s.d->name, .text = text, .place = IPR_GIVEN_QUERY };

    return read_given(s, &given, out, err);
}

static const void *accepted(struct subject s, const char *text)
{
    struct ipr_err err = IPR_ERR_INIT;
    void *out = NULL;

    if (s.d->type == IPR_PARAM_CURSOR && text[0] != '\0')
        text = ipr_cursor_bind(s.r, s.r->init, text, &mem);
    if (read_text(s, text, &out, &err) != IPR_OK)
        fail_msg("%s: %s=%s: %s", s.r->name, s.d->name, text, err.msg);
    return out;
}

/* "NAME: expected WHAT, got "VALUE"" */
static void expect_refusal(struct subject s, enum ipr_code rc, const struct ipr_err *err,
                           const char *text)
{
    struct ipr_buf begins = IPR_BUF_INIT;

    ipr_buf_printf(&begins, "%s: expected ", s.d->name);
    ipr_param_expected(s.d, &begins);
    ipr_buf_puts(&begins, ", got \"");
    if (rc != IPR_EPARSE || strcmp(err->type, "bad_parameter") != 0 ||
        strncmp(err->msg, ipr_buf_c(&begins), begins.n) != 0)
        fail_msg("%s: %s=%s: %d %s \"%s\", not \"%s…\"", s.r->name, s.d->name, text, (int)rc,
                 err->type, err->msg, ipr_buf_c(&begins));
    ipr_buf_release(&begins);
}

static void refused(struct subject s, const char *text)
{
    struct ipr_err err = IPR_ERR_INIT;
    void *out = NULL;

    const enum ipr_code rc = read_text(s, text, &out, &err);
    expect_refusal(s, rc, &err, text);
    assert_null(out);
}

static const void *member(struct subject s, const void *params)
{
    return (const unsigned char *)params + s.d->at;
}

static bool is_text(const struct ipr_param_def *d)
{
    return d->type == IPR_PARAM_TEXT || d->type == IPR_PARAM_CURSOR;
}

static bool same_value(struct subject s, const void *a, const void *b)
{
    if (!is_text(s.d))
        return memcmp(member(s, a), member(s, b), s.d->size) == 0;
    const char *p = *(const char *const *)member(s, a), *q = *(const char *const *)member(s, b);
    return p == NULL || q == NULL ? p == q : strcmp(p, q) == 0;
}

static const char *number(double x)
{
    return ipr_arena_printf(&mem, "%.17g", x);
}

static const char *repeated(size_t n, const char *text)
{
    struct ipr_buf out = IPR_BUF_INIT;

    for (size_t i = 0; i < n; i++)
        ipr_buf_puts(&out, text);
    const char *all = ipr_arena_strndup(&mem, ipr_buf_c(&out), out.n);
    ipr_buf_release(&out);
    return all;
}

/* ---- a value that is another one than the default ---- */

static const char *last_word(const struct ipr_param_def *d)
{
    size_t n = 0;

    while (d->words[n + 1] != NULL)
        n++;
    return d->preset == NULL || strcmp(d->words[n], d->preset) != 0 ? d->words[n] : d->words[0];
}

static const char *value_for(const struct ipr_param_def *d)
{
    switch (d->type) {
    case IPR_PARAM_INT:
        return d->hi >= 9.2e18 ? "9223372036854775806" : number(d->hi - 1);
    case IPR_PARAM_REAL:
        return number(d->lo + (d->hi - d->lo) / 3.0);
    case IPR_PARAM_BOOL:
        return d->preset != NULL && strcmp(d->preset, "true") == 0 ? "false" : "true";
    case IPR_PARAM_CHOICE:
    case IPR_PARAM_SET:
        return last_word(d);
    case IPR_PARAM_TIMES:
        return "rapid,blitz";
    case IPR_PARAM_TEXT:
    case IPR_PARAM_CURSOR:
        return "é &+%/=?";
    case IPR_PARAM_SIDE:
        return "12:1971";
    case IPR_PARAM_INTS:
        return "1,20,300";
    case IPR_PARAM_JSON:
        break;
    }
    return NULL;
}

/* ---- values that are refused ---- */

static void refuse_numbers(struct subject s)
{
    static const char *const words[] = { "x", "1x", "1 2", "--1", "0x10", "nan", "," };
    const bool whole = s.d->type != IPR_PARAM_REAL;

    for (size_t i = 0; i < COUNT(words); i++)
        refused(s, words[i]);
    refused(s, number(whole ? s.d->lo - 1 : nextafter(s.d->lo, -INFINITY)));
    if (s.d->hi >= 9.2e18)
        refused(s, "9223372036854775808");
    else
        refused(s, number(whole ? s.d->hi + 1 : nextafter(s.d->hi, INFINITY)));
    if (whole)
        refused(s, "1.5");
}

static void refuse_lists(struct subject s, const char *word)
{
    refused(s, ipr_arena_printf(&mem, "%s,", word));
    refused(s, ipr_arena_printf(&mem, ",%s", word));
    refused(s, ipr_arena_printf(&mem, "%s,,%s", word, word));
    refused(s, ipr_arena_printf(&mem, "%s %s", word, word));
    refused(s, ipr_arena_printf(&mem, "%s%s", word, word));
    refused(s, ipr_arena_printf(&mem, "%s,nothing", word));
    refused(s, "nothing");
}

static void refuse_values(struct subject s)
{
    static const char *const no_bools[] = { "1", "yes", "True", "on", "falsely" };
    static const char *const no_sides[] = { "12",      "12:",      ":1971",  "0:1971",      "12:0",
                                            "12:x",    "x:1971",   "12:19.", "12:10000",    "-1:1",
                                            "12-1971", "12:1971:", ":",      "2147483648:1" };

    switch (s.d->type) {
    case IPR_PARAM_INT:
    case IPR_PARAM_REAL:
        refuse_numbers(s);
        break;
    case IPR_PARAM_INTS:
        refuse_numbers(s);
        refused(s, "10,");
        refused(s, repeated(IPR_PARAM_INTS_MAX, "1,"));
        refused(s, ipr_arena_printf(&mem, "%s1", repeated(IPR_PARAM_INTS_MAX, "1,")));
        break;
    case IPR_PARAM_BOOL:
        for (size_t i = 0; i < COUNT(no_bools); i++)
            refused(s, no_bools[i]);
        break;
    case IPR_PARAM_CHOICE:
        refused(s, "nothing");
        refused(s, ipr_arena_printf(&mem, "%s ", s.d->words[0]));
        refused(s, ipr_arena_printf(&mem, "%s,%s", s.d->words[0], s.d->words[1]));
        break;
    case IPR_PARAM_SET:
        refuse_lists(s, s.d->words[0]);
        break;
    case IPR_PARAM_TIMES:
        refuse_lists(s, "blitz");
        refused(s, "blitz,all");
        break;
    case IPR_PARAM_TEXT:
        refused(s, repeated((size_t)s.d->hi + 1, "x"));
        break;
    case IPR_PARAM_SIDE:
        for (size_t i = 0; i < COUNT(no_sides); i++)
            refused(s, no_sides[i]);
        break;
    case IPR_PARAM_JSON: /* of a body alone */
        refused(s, "[1, 2]");
        break;
    case IPR_PARAM_CURSOR:
        refused(s, "3075-4");
        break;
    }
}

static void a_bad_value_is_refused_in_one_form(void **state)
{
    (void)state;
    each_param(refuse_values);
}

/* ---- values that are accepted ---- */

static int64_t int_of(struct subject s, const void *params)
{
    return s.d->size == sizeof(int64_t) ? *(const int64_t *)member(s, params)
                                        : *(const int *)member(s, params);
}

static void accept_bounds(struct subject s)
{
    const struct ipr_param_def *d = s.d;

    if (d->type == IPR_PARAM_INT) {
        const char *high = d->hi >= 9.2e18 ? "9223372036854775807" : number(d->hi);

        assert_int_equal(int_of(s, accepted(s, number(d->lo))), (int64_t)d->lo);
        assert_int_equal(int_of(s, accepted(s, high)), strtoll(high, NULL, 10));
        assert_int_equal(int_of(s, accepted(s, ipr_arena_printf(&mem, " %s ", number(d->lo)))),
                         (int64_t)d->lo);
    } else if (d->type == IPR_PARAM_REAL) {
        assert_true(*(const double *)member(s, accepted(s, number(d->lo))) == d->lo);
        assert_true(*(const double *)member(s, accepted(s, number(d->hi))) == d->hi);
    } else if (d->type == IPR_PARAM_INTS) {
        const struct ipr_param_ints *list = member(s, accepted(s, number(d->hi)));
        const char *most = repeated(IPR_PARAM_INTS_MAX - 1, "1,");

        assert_int_equal(list->n, 1);
        assert_int_equal(list->v[0], (int)d->hi);
        list = member(s, accepted(s, ipr_arena_printf(&mem, "%s%s", most, number(d->lo))));
        assert_int_equal(list->n, IPR_PARAM_INTS_MAX);
        assert_int_equal(list->v[IPR_PARAM_INTS_MAX - 1], (int)d->lo);
    } else if (d->type == IPR_PARAM_TEXT) {
        const char *most = repeated((size_t)d->hi, "x");

        assert_string_equal(*(const char *const *)member(s, accepted(s, most)), most);
    }
}

static void bounds_are_accepted(void **state)
{
    (void)state;
    each_param(accept_bounds);
}

static void accept_sides(struct subject s)
{
    const struct ipr_param_side *side = member(s, accepted(s, "2147483647:9999"));
    const struct ipr_given of_form[] = {
        { .name = ipr_arena_printf(&mem, "%s_year", s.d->name), .text = "1971" },
        { .name = s.d->name, .text = "12" },
    };
    struct ipr_err err = IPR_ERR_INIT;
    void *out = NULL;

    assert_int_equal(side->player, INT32_MAX);
    assert_int_equal(side->year, 9999);
    assert_ok(ipr_params_check(s.r, of_form, 2, &err), &err);
    assert_ok(ipr_params_read(s.r, of_form, 2, true, &mem, &out, &err), &err);
    side = member(s, out);
    assert_int_equal(side->player, 12);
    assert_int_equal(side->year, 1971);
}

static void accept_words(struct subject s)
{
    const struct ipr_param_def *d = s.d;

    if (d->type == IPR_PARAM_CHOICE)
        for (int i = 0; d->words[i] != NULL; i++)
            assert_int_equal(*(const int *)member(s, accepted(s, d->words[i])), i);
    if (d->type == IPR_PARAM_SET) {
        for (int i = 0; d->words[i] != NULL; i++) {
            const char *twice =
                ipr_arena_printf(&mem, "%s,%s,%s", d->words[i], d->words[0], d->words[i]);

            assert_int_equal(*(const unsigned *)member(s, accepted(s, d->words[i])), 1 << i);
            assert_int_equal(*(const unsigned *)member(s, accepted(s, twice)), 1 << i | 1);
        }
    }
    if (d->type == IPR_PARAM_TIMES) {
        for (int c = 0; c < IPR_TIME_CLASSES; c++)
            assert_int_equal(*(const unsigned *)member(
                                 s, accepted(s, ipr_time_class_name((enum ipr_time_class)c))),
                             IPR_TIME_BIT(c));
        const void *params = accepted(s, "all");
        assert_int_equal(*(const unsigned *)member(s, params), IPR_TIME_SET_ALL);
        assert_int_equal(ipr_params_times(s.r, params), IPR_TIME_SET_ALL);
    }
    if (d->type == IPR_PARAM_BOOL) {
        assert_true(*(const bool *)member(s, accepted(s, "true")));
        assert_false(*(const bool *)member(s, accepted(s, "false")));
    }
    if (d->type == IPR_PARAM_SIDE)
        accept_sides(s);
}

static void every_word_is_accepted(void **state)
{
    (void)state;
    each_param(accept_words);
}

/* ---- defaults ---- */

static void expect_absent(struct subject s, const void *params)
{
    json_t *echo = ipr_params_json(s.r, params, NULL);
    const json_t *value = json_object_get(echo, s.d->name);

    if (!s.d->shared && s.d->type != IPR_PARAM_BOOL)
        assert_true(json_is_null(value) || json_array_size(value) == 0);
    if (!s.d->shared && s.d->type == IPR_PARAM_BOOL)
        assert_true(json_is_false(value));
    json_decref(echo);
}

/* What is not given, empty or null is the default, which is what its text reads as. */
static void expect_default(struct subject s)
{
    struct ipr_err err = IPR_ERR_INIT;
    const struct ipr_given null = { .name = s.d->name,
                                    .json = json_null(),
                                    .place = IPR_GIVEN_BODY };
    void *none = NULL, *nulled = NULL;

    assert_ok(read_given(s, NULL, &none, &err), &err);
    assert_ok(read_given(s, &null, &nulled, &err), &err);
    assert_memory_equal(none, s.r->init, s.r->size);
    assert_memory_equal(nulled, s.r->init, s.r->size);
    assert_memory_equal(accepted(s, ""), s.r->init, s.r->size);
    if (s.d->preset == NULL)
        expect_absent(s, none);
    else if (!same_value(s, none, accepted(s, s.d->preset)))
        fail_msg("%s: %s: the default is not %s", s.r->name, s.d->name, s.d->preset);
}

static void what_is_not_given_is_the_default(void **state)
{
    (void)state;
    each_param(expect_default);
}

static void expect_missing(struct subject s)
{
    const struct ipr_given empty = { .name = s.d->name, .text = "" };
    struct ipr_given given[40];
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf says = IPR_BUF_INIT;
    void *out = NULL;
    size_t n = 0;

    if (!s.d->required)
        return;
    for (const struct ipr_param_def *d = s.r->params; d->name != NULL; d++)
        if (d->required)
            given[n++] =
                d == s.d ? empty : (struct ipr_given){ .name = d->name, .text = value_for(d) };
    ipr_buf_printf(&says, "%s: expected ", s.d->name);
    ipr_param_expected(s.d, &says);
    ipr_buf_puts(&says, ", got nothing");
    assert_int_equal(ipr_params_read(s.r, given, n, false, &mem, &out, &err), IPR_EPARSE);
    assert_string_equal(err.type, "bad_parameter");
    assert_string_equal(err.msg, ipr_buf_c(&says));
    ipr_buf_release(&says);
    ipr_err_clear(&err);
    assert_ok(ipr_params_read(s.r, given, n, true, &mem, &out, &err), &err);
}

static void what_is_required_is_missed(void **state)
{
    (void)state;
    each_param(expect_missing);
}

/* ---- round trips ---- */

/* What can be given together; cursors are of these parameters, or left out. */
static const void *set_together(const struct ipr_resource *r, const void *cursors_of)
{
    struct ipr_given given[40];
    struct ipr_err err = IPR_ERR_INIT;
    void *out = NULL;
    size_t n = 0;

    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++) {
        const char *text = value_for(d);

        if (d->type == IPR_PARAM_CURSOR)
            text = cursors_of != NULL ? ipr_cursor_bind(r, cursors_of, text, &mem) : NULL;
        if (text != NULL && d->without == NULL && strcmp(d->name, "method") != 0)
            given[n++] = (struct ipr_given){ .name = d->name, .text = text };
    }
    assert_true(n <= COUNT(given));
    assert_ok(ipr_params_read(r, given, n, false, &mem, &out, &err), &err);
    return out;
}

static const void *all_set(const struct ipr_resource *r)
{
    return set_together(r, set_together(r, NULL));
}

static void expect_same(const struct ipr_resource *r, const void *a, const void *b, bool own,
                        const char *what)
{
    for (const struct ipr_param_def *d = r->params; d->name != NULL; d++)
        if (!(own && d->shared) && !same_value((struct subject){ r, d }, a, b))
            fail_msg("%s: %s: %s is another one", r->name, what, d->name);
}

/* Pieces of the path that fit the pattern, then the query. */
static size_t given_of_href(const struct ipr_resource *r, const char *href, struct ipr_given *given)
{
    struct ipr_str ids[IPR_REQ_IDS] = { { NULL, 0 }, { NULL, 0 } };
    struct ipr_err err = IPR_ERR_INIT;
    const size_t path = strcspn(href, "?");
    const char *name = r->api;
    size_t n = 0;

    assert_true(ipr_url_match(r->api, (struct ipr_str){ href, path }, ids));
    for (; n < IPR_REQ_IDS && ids[n].p != NULL; n++) {
        name = strchr(name, '{') + 1;
        given[n] = (struct ipr_given){ .name = ipr_arena_strndup(&mem, name, strcspn(name, "}")),
                                       .place = IPR_GIVEN_PATH };
        assert_ok(ipr_url_decode(&mem, ids[n], false, &given[n].text, &err), &err);
    }
    if (href[path] == '?')
        assert_ok(ipr_url_query(&mem, ipr_str_c(href + path + 1), given, &n, &err), &err);
    return n;
}

static void expect_href(const struct ipr_resource *r, const void *params)
{
    struct ipr_given given[IPR_REQ_GIVEN];
    struct ipr_err err = IPR_ERR_INIT;
    void *again = NULL;

    const char *href = ipr_params_href(r, params, &mem);
    const size_t n = given_of_href(r, href, given);
    assert_ok(ipr_params_check(r, given, n, &err), &err);
    assert_ok(ipr_params_read(r, given, n, true, &mem, &again, &err), &err);
    expect_same(r, params, again, false, href);
    assert_string_equal(ipr_params_href(r, again, &mem), href);
}

static void an_address_reads_as_it_was(void **state)
{
    size_t n = 0;

    (void)state;
    for (int id = 0; id < IPR_RESOURCES; id++) {
        const struct ipr_resource *r = ipr_resource_at((enum ipr_resource_id)id);

        if (r->api == NULL)
            continue;
        expect_href(r, all_set(r));
        if (strchr(r->api, '{') == NULL)
            assert_string_equal(ipr_params_href(r, r->init, &mem), r->api);
        n++;
    }
    assert_true(n > 25);
}

/* As an address has it: [1, 2] as "1,2", a side as "12:1971". */
static const char *echo_text(const json_t *value)
{
    struct ipr_buf out = IPR_BUF_INIT;
    const json_t *one;
    size_t i;

    if (json_is_object(value))
        return ipr_arena_printf(&mem, "%d:%d",
                                (int)json_integer_value(json_object_get(value, "player")),
                                (int)json_integer_value(json_object_get(value, "year")));
    json_array_foreach(value, i, one) {
        if (json_is_string(one))
            ipr_buf_printf(&out, "%s%s", i > 0 ? "," : "", json_string_value(one));
        else
            ipr_buf_printf(&out, "%s%d", i > 0 ? "," : "", (int)json_integer_value(one));
    }
    const char *text = ipr_arena_strndup(&mem, ipr_buf_c(&out), out.n);
    ipr_buf_release(&out);
    return text;
}

static void expect_echo(const struct ipr_resource *r, const void *params)
{
    json_t *echo = ipr_params_json(r, params, NULL), *value;
    struct ipr_given given[40];
    struct ipr_err err = IPR_ERR_INIT;
    void *again = NULL;
    const char *name;
    size_t n = 0;

    json_object_foreach(echo, name, value) {
        given[n] = (struct ipr_given){ .name = name, .place = IPR_GIVEN_BODY };
        if (json_is_object(value) || json_is_array(value))
            given[n++].text = echo_text(value);
        else
            given[n++].json = value;
    }
    assert_ok(ipr_params_read(r, given, n, true, &mem, &again, &err), &err);
    expect_same(r, params, again, true, "echo");
    json_decref(echo);
}

static void an_echo_reads_as_it_was(void **state)
{
    (void)state;
    for (int id = 0; id < IPR_RESOURCES; id++) {
        const struct ipr_resource *r = ipr_resource_at((enum ipr_resource_id)id);

        expect_echo(r, set_together(r, NULL));
        expect_echo(r, r->init);
    }
}

/* ---- names and places ---- */

static enum ipr_given_place place_of(struct subject s)
{
    const unsigned body = IPR_FLAG_BODY | IPR_FLAG_UPLOAD | IPR_FLAG_RAW;

    return (s.r->flags & body) && !s.d->query ? IPR_GIVEN_BODY : IPR_GIVEN_QUERY;
}

static void expect_names(struct subject s)
{
    const enum ipr_given_place place = place_of(s);
    const struct ipr_given given[] = { { .name = s.d->name, .text = "x", .place = place },
                                       { .name = s.d->name, .text = "x", .place = place } };
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_params_check(s.r, given, 1, &err), &err);
    assert_int_equal(ipr_params_check(s.r, given, 2, &err), IPR_EPARSE);
    assert_string_equal(err.type, "bad_parameter");
    assert_string_equal(
        err.msg,
        ipr_arena_printf(&mem, "%s: expected one value, which is \"x\", got \"x\"", s.d->name));
}

/* What is of the body does not go into the address, nor the reverse; a form with a file has all. */
static void expect_places(struct subject s)
{
    const bool query = place_of(s) == IPR_GIVEN_QUERY;
    const struct ipr_given given = { .name = s.d->name,
                                     .text = "x",
                                     .place = query ? IPR_GIVEN_BODY : IPR_GIVEN_QUERY };
    struct ipr_err err = IPR_ERR_INIT;

    const enum ipr_code rc = ipr_params_check(s.r, &given, 1, &err);
    if (query && (!s.d->query || (s.r->flags & IPR_FLAG_UPLOAD))) {
        assert_int_equal(rc, IPR_OK);
        return;
    }
    assert_int_equal(rc, IPR_EPARSE);
    assert_string_equal(err.type, "unknown_parameter");
}

static void names_are_known_once_and_in_their_place(void **state)
{
    (void)state;
    each_param(expect_names);
    each_param(expect_places);
}

static void an_unknown_name_is_refused(void **state)
{
    static const char *const names[] = { "nothing", "", "PLAYER", "_year", "player_year" };

    (void)state;
    for (int id = 0; id < IPR_RESOURCES; id++)
        for (size_t i = 0; i < COUNT(names); i++) {
            const struct ipr_resource *r = ipr_resource_at((enum ipr_resource_id)id);
            const struct ipr_given given = { .name = names[i], .place = IPR_GIVEN_QUERY };
            struct ipr_err err = IPR_ERR_INIT;

            assert_int_equal(ipr_params_check(r, &given, 1, &err), IPR_EPARSE);
            assert_string_equal(err.type, "unknown_parameter");
            assert_non_null(strstr(err.msg, ipr_arena_printf(&mem, "\"%s\"", names[i])));
        }
}

/* Those that are in the path, or of a body, are no help to who has mistaken one of a query. */
static void an_unknown_name_is_told_the_others(void **state)
{
    static const struct {
        enum ipr_resource_id id;
        enum ipr_given_place place;
        const char *says;
    } rows[] = {
        { IPR_RESOURCE_UPLOAD_DUPLICATES, IPR_GIVEN_QUERY,
          "no parameter \"x\" here; known: limit, after" },
        { IPR_RESOURCE_UPLOAD, IPR_GIVEN_QUERY, "no parameter \"x\" here" },
        { IPR_RESOURCE_ANALYSES_FORM, IPR_GIVEN_QUERY,
          "no parameter \"x\" here; known: upload, game, player, year, judge, all" },
        { IPR_RESOURCE_ANALYSES_FORM, IPR_GIVEN_BODY,
          "no parameter \"x\" here; known: priority, back" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct ipr_given given[] = { { .name = "upload", .place = IPR_GIVEN_PATH },
                                           { .name = "x", .place = rows[i].place } };
        const struct ipr_given action[] = { { .name = "action", .place = IPR_GIVEN_PATH },
                                            { .name = "x", .place = rows[i].place } };
        struct ipr_err err = IPR_ERR_INIT;

        assert_int_equal(ipr_params_check(ipr_resource_at(rows[i].id),
                                          rows[i].id == IPR_RESOURCE_ANALYSES_FORM ? action : given,
                                          2, &err),
                         IPR_EPARSE);
        assert_string_equal(err.msg, rows[i].says);
    }
}

/* ---- JSON ---- */

static void refused_json(struct subject s, const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    const struct ipr_given given = { .name = s.d->name, .json = value, .place = IPR_GIVEN_BODY };
    struct ipr_err err = IPR_ERR_INIT;
    void *out = NULL;

    const enum ipr_code rc = read_given(s, &given, &out, &err);
    expect_refusal(s, rc, &err, text);
    json_decref(value);
}

static const void *accepted_json(struct subject s, json_t *value)
{
    const struct ipr_given given = { .name = s.d->name, .json = value, .place = IPR_GIVEN_BODY };
    struct ipr_err err = IPR_ERR_INIT;
    void *out = NULL;

    assert_ok(read_given(s, &given, &out, &err), &err);
    return out;
}

static void expect_types(struct subject s)
{
    static const char *const never[] = { "[]", "{}", "[1]", "{\"player\": 1}", "\"a\\u0000b\"" };
    static const char *const no_texts[] = { "7", "7.5", "true", "false" };
    static const char *const no_numbers[] = { "true", "false", "\"x\"", "1e300" };

    if (s.d->type == IPR_PARAM_JSON) {
        json_t *list = json_pack("[i]", 7);
        assert_ptr_equal(*(json_t *const *)member(s, accepted_json(s, list)), list);
        json_decref(list);
        return;
    }
    for (size_t i = 0; i < COUNT(never); i++)
        refused_json(s, never[i]);
    for (size_t i = 0; is_text(s.d) && i < COUNT(no_texts); i++)
        refused_json(s, no_texts[i]);
    for (size_t i = 0; i < COUNT(no_numbers); i++)
        if (s.d->type == IPR_PARAM_INT || s.d->type == IPR_PARAM_REAL)
            refused_json(s, no_numbers[i]);
    if (s.d->type == IPR_PARAM_INT)
        refused_json(s, "1.5");
    if (s.d->type == IPR_PARAM_BOOL)
        refused_json(s, "1");
    if (s.d->type == IPR_PARAM_BOOL)
        assert_true(*(const bool *)member(s, accepted_json(s, json_true())));
    if (s.d->type == IPR_PARAM_INT || s.d->type == IPR_PARAM_REAL) {
        json_t *value = s.d->type == IPR_PARAM_INT ? json_integer(strtoll(value_for(s.d), NULL, 10))
                                                   : json_real(strtod(value_for(s.d), NULL));
        assert_true(same_value(s, accepted_json(s, value), accepted(s, value_for(s.d))));
        json_decref(value);
    }
}

static void json_of_another_type_is_refused(void **state)
{
    (void)state;
    each_param(expect_types);
}

/* ---- parameters that depend on others ---- */

static void expect_methods(struct subject s)
{
    const struct ipr_param_def *method = ipr_resource_param(s.r, "method");

    for (size_t i = 0; s.d->of != NULL && method->words[i] != NULL; i++) {
        const char *word = method->words[i];
        const struct ipr_given given[] = { { .name = "method", .text = word },
                                           { .name = s.d->name, .text = value_for(s.d) } };
        const char *at = strstr(s.d->of, word);
        const bool belongs = strcmp(word, "all") == 0 || at != NULL;
        struct ipr_err err = IPR_ERR_INIT;
        void *out = NULL;

        const enum ipr_code rc = ipr_params_read(s.r, given, 2, true, &mem, &out, &err);
        assert_int_equal(rc, belongs ? IPR_OK : IPR_EPARSE);
        if (belongs)
            continue;
        assert_string_equal(err.type, "bad_parameter");
        assert_string_equal(err.msg,
                            ipr_arena_printf(&mem, "%s: expected only with method=%s, got \"%s\"",
                                             s.d->name, s.d->of, value_for(s.d)));
    }
}

static void a_parameter_of_another_method_is_refused(void **state)
{
    (void)state;
    each_param(expect_methods);
}

/* What a resource says to two of its parameters; "": it takes them. */
static const char *said_to(const struct ipr_resource *r, const char *a, const char *a_text,
                           const char *b, const char *b_text)
{
    const struct ipr_given given[] = { { .name = a, .text = a_text },
                                       { .name = b, .text = b_text } };
    struct ipr_err err = IPR_ERR_INIT;
    void *out = NULL;

    const enum ipr_code rc = ipr_params_read(r, given, b != NULL ? 2 : 1, true, &mem, &out, &err);
    assert_true(rc == IPR_OK || strcmp(err.type, "bad_parameter") == 0);
    return rc == IPR_OK ? "" : ipr_arena_strndup(&mem, err.msg, strlen(err.msg));
}

static size_t relations;

static void expect_with(struct subject s)
{
    if (s.d->with == NULL)
        return;
    relations++;
    assert_string_equal(said_to(s.r, s.d->name, value_for(s.d), NULL, NULL),
                        ipr_arena_printf(&mem, "%s: expected only with %s, got \"%s\"", s.d->name,
                                         s.d->with, value_for(s.d)));
}

static void expect_without(struct subject s)
{
    for (const struct ipr_param_def *d = s.r->params; s.d->without != NULL && d->name != NULL;
         d++) {
        const char *at = strstr(s.d->without, d->name);

        if (at == NULL || (at > s.d->without && at[-1] != ','))
            continue;
        relations++;
        assert_string_equal(said_to(s.r, s.d->name, value_for(s.d), d->name, value_for(d)),
                            ipr_arena_printf(&mem, "%s: expected only without %s, got \"%s\"",
                                             s.d->name, s.d->without, value_for(s.d)));
    }
}

static void expect_order(struct subject s)
{
    if (s.d->upto == NULL)
        return;
    relations++;
    assert_string_equal(said_to(s.r, s.d->name, "7", s.d->upto, "7"), "");
    assert_string_equal(
        said_to(s.r, s.d->name, "8", s.d->upto, "7"),
        ipr_arena_printf(&mem, "%s: expected at most %s, 7, got \"8\"", s.d->name, s.d->upto));
}

static void parameters_that_do_not_go_together_are_refused(void **state)
{
    (void)state;
    relations = 0;
    each_param(expect_with);
    each_param(expect_without);
    each_param(expect_order);
    assert_true(relations > 30);
    assert_string_equal(
        said_to(ipr_resource_at(IPR_RESOURCE_ANALYSES_PATCH), "all", "false", "upload", "1"), "");
}

static void expect_no_address(struct subject s)
{
    const struct ipr_given given = { .name = s.d->name, .text = "x", .place = IPR_GIVEN_PATH };
    struct ipr_err err = IPR_ERR_INIT;
    void *out = NULL;

    if (s.d->type == IPR_PARAM_INT)
        assert_int_equal(read_given(s, &given, &out, &err), IPR_ENOTFOUND);
}

static void a_number_in_the_path_that_cannot_be_is_not_found(void **state)
{
    (void)state;
    each_param(expect_no_address);
}

/* ---- cursors ---- */

static const char *no_cursor(const char *text)
{
    struct ipr_err err = IPR_ERR_INIT;

    (void)ipr_param_refuse_cursor(&err, text);
    return ipr_arena_strndup(&mem, err.msg, strlen(err.msg));
}

/* What the list says to a cursor of its first page when another parameter is given, too. */
static const char *said_to_cursor(struct subject s, const char *cursor, const char *name,
                                  const char *text)
{
    return said_to(s.r, s.d->name, cursor, name, text);
}

static void expect_bound(struct subject s)
{
    if (s.d->type != IPR_PARAM_CURSOR)
        return;
    const char *cursor = ipr_cursor_bind(s.r, s.r->init, "9-1", &mem);
    relations++;
    assert_string_equal(said_to_cursor(s, cursor, NULL, NULL), "");
    assert_string_equal(said_to_cursor(s, "9-1", NULL, NULL), no_cursor("9-1"));
    for (const struct ipr_param_def *d = s.r->params; d->name != NULL; d++)
        if (d != s.d && d->with == NULL && value_for(d) != NULL)
            assert_string_equal(said_to_cursor(s, cursor, d->name, value_for(d)),
                                d->paging ? "" : no_cursor(cursor));
    for (int id = 0; id < IPR_RESOURCES; id++) {
        const struct ipr_resource *other = ipr_resource_at((enum ipr_resource_id)id);

        if (other != s.r && other->api != NULL && strcmp(other->api, s.r->api) != 0 &&
            ipr_resource_param(other, "after") != NULL) {
            const char *theirs = ipr_cursor_bind(other, other->init, "9-1", &mem);
            assert_string_equal(said_to_cursor(s, theirs, NULL, NULL), no_cursor(theirs));
        }
    }
}

static void a_cursor_is_of_one_list_order_and_filter(void **state)
{
    (void)state;
    relations = 0;
    each_param(expect_bound);
    assert_true(relations >= 10);
}

static void cursors_are_numbers_or_pairs(void **state)
{
    static const struct {
        const char *after;
        bool fine;
        int64_t first;
        int32_t id;
    } pairs[] = {
        { NULL, true, -1, 0 },
        { "3075-4", true, 3075, 4 },
        { "0-2147483647", true, 0, INT32_MAX },
        { "9-1", true, 9, 1 },
        { "5000-1", false, 0, 0 },
        { "3075-0", false, 0, 0 },
        { "3075", false, 0, 0 },
        { "-4", false, 0, 0 },
        { "3075-", false, 0, 0 },
        { "x-4", false, 0, 0 },
        { "1-2-3", false, 0, 0 },
        { "1-2147483648", false, 0, 0 },
    };
    static const char *const wrong[] = { "-1", "x", "1001", "1.", "" };
    int64_t n = -1, first;
    int32_t id;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_ok(ipr_param_cursor(NULL, 1000, &n, &err), &err);
    assert_int_equal(n, 0);
    assert_ok(ipr_param_cursor("1000", 1000, &n, &err), &err);
    assert_int_equal(n, 1000);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        ipr_err_clear(&err);
        assert_int_equal(ipr_param_cursor(wrong[i], 1000, &n, &err), IPR_EPARSE);
        assert_string_equal(err.type, "bad_parameter");
        assert_string_equal(err.msg, no_cursor(wrong[i]));
    }
    for (size_t i = 0; i < COUNT(pairs); i++) {
        ipr_err_clear(&err);
        const enum ipr_code rc = ipr_param_cursor_pair(pairs[i].after, 4999, &first, &id, &err);
        assert_int_equal(rc, pairs[i].fine ? IPR_OK : IPR_EPARSE);
        if (!pairs[i].fine) {
            assert_string_equal(err.msg, no_cursor(pairs[i].after));
            continue;
        }
        assert_int_equal(first, pairs[i].first);
        assert_int_equal(id, pairs[i].id);
    }
}

/* No character of what was given is cut in two. */
static void a_long_value_is_cut_between_characters(void **state)
{
    const struct ipr_resource *r = ipr_resource_at(IPR_RESOURCE_PLAYERS);
    const struct subject s = { r, ipr_resource_param(r, "limit") };
    const char *text = ipr_arena_printf(&mem, "x%s", repeated(30, "é"));
    struct ipr_err err = IPR_ERR_INIT;
    void *out = NULL;

    (void)state;
    assert_int_equal(read_text(s, text, &out, &err), IPR_EPARSE);
    assert_string_equal(err.msg,
                        ipr_arena_printf(&mem,
                                         "limit: expected a whole number from 1 to 500, got "
                                         "\"x%s\"",
                                         repeated(19, "é")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bad_value_is_refused_in_one_form),
        cmocka_unit_test(bounds_are_accepted),
        cmocka_unit_test(every_word_is_accepted),
        cmocka_unit_test(what_is_not_given_is_the_default),
        cmocka_unit_test(what_is_required_is_missed),
        cmocka_unit_test(an_address_reads_as_it_was),
        cmocka_unit_test(an_echo_reads_as_it_was),
        cmocka_unit_test(names_are_known_once_and_in_their_place),
        cmocka_unit_test(an_unknown_name_is_refused),
        cmocka_unit_test(an_unknown_name_is_told_the_others),
        cmocka_unit_test(json_of_another_type_is_refused),
        cmocka_unit_test(a_parameter_of_another_method_is_refused),
        cmocka_unit_test(parameters_that_do_not_go_together_are_refused),
        cmocka_unit_test(a_cursor_is_of_one_list_order_and_filter),
        cmocka_unit_test(a_number_in_the_path_that_cannot_be_is_not_found),
        cmocka_unit_test(cursors_are_numbers_or_pairs),
        cmocka_unit_test(a_long_value_is_cut_between_characters),
    };

    return cmocka_run_group_tests_name("parameters", tests, NULL, release);
}
