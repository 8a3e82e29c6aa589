/* Values of every parameter of every resource: accepted, refused, absent. */
#include <inttypes.h>
#include <math.h>

#include "pgn/time_class.h"
#include "resource/cursor.h"
#include "resource/write.h"
#include "subjects.h"

/* With the parameter that it needs beside it: the other, or a method that it is for. */
static enum ipr_code read_given(struct subject s, const struct ipr_given *one, void **out,
                                struct ipr_err *err)
{
    const char *needed = s.d->of != NULL ? "method" : s.d->with;
    const bool alone = one == NULL || needed == NULL || json_is_null(one->json) ||
                       (one->text != NULL && one->text[0] == '\0');
    struct ipr_given given[2];

    if (alone)
        return ipr_params_read(s.r, one, one != NULL ? 1 : 0, true, &mem, out, err);
    given[0] = *one;
    given[1] =
        (struct ipr_given){ .name = needed,
                            .text = s.d->of != NULL ? method_for(s.d)
                                                    : value_for(ipr_resource_param(s.r, needed)),
                            .json = json_true(), /* of one that has no text */
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
        strcmp(err->param, s.d->name) != 0 || err->reason != strlen(s.d->name) + 2 ||
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

static const char *repeated(size_t n, const char *text)
{
    struct ipr_buf out = IPR_BUF_INIT;

    for (size_t i = 0; i < n; i++)
        ipr_buf_puts(&out, text);
    const char *all = ipr_arena_strndup(&mem, ipr_buf_c(&out), out.n);
    ipr_buf_release(&out);
    return all;
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

    static const char *const no_dates[] = { "72",         "1972-13",    "1972-00",     "1972-02-30",
                                            "1972-7",     "1972.07.11", "1972-07-11x", "1972-",
                                            "1900-02-29", "x" };

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
    case IPR_PARAM_TEXTS:
        refused(s, repeated((size_t)s.d->hi + 1, "x"));
        break;
    case IPR_PARAM_SIDE:
        for (size_t i = 0; i < COUNT(no_sides); i++)
            refused(s, no_sides[i]);
        break;
    case IPR_PARAM_DATE:
        for (size_t i = 0; i < COUNT(no_dates); i++)
            refused(s, no_dates[i]);
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
        const char *high = ipr_arena_printf(&mem, "%" PRId64, ipr_param_whole(d->hi));
        const struct ipr_param_ints *list = member(s, accepted(s, high));
        const char *most = repeated(IPR_PARAM_INTS_MAX - 1, "1,");

        assert_int_equal(list->n, 1);
        assert_int_equal(list->v[0], ipr_param_whole(d->hi));
        list = member(s, accepted(s, ipr_arena_printf(&mem, "%s%s", most, number(d->lo))));
        assert_int_equal(list->n, IPR_PARAM_INTS_MAX);
        assert_int_equal(list->v[IPR_PARAM_INTS_MAX - 1], (int)d->lo);
    } else if (d->type == IPR_PARAM_TEXT) {
        const char *most = repeated((size_t)d->hi, "x");

        assert_string_equal(*(const char *const *)member(s, accepted(s, most)), most);
    }
}

/* A parameter that may be repeated keeps its values in their order, without empty ones. */
static void accept_repeated(struct subject s)
{
    struct ipr_given given[IPR_PARAM_TEXTS_MAX + 2];
    struct ipr_err err = IPR_ERR_INIT;
    void *out = NULL;

    if (s.d->type != IPR_PARAM_TEXTS)
        return;
    for (size_t i = 0; i < COUNT(given); i++)
        given[i] = (struct ipr_given){ .name = s.d->name,
                                       .text = i == 1 ? "" : ipr_arena_printf(&mem, "%zu", i) };
    assert_ok(ipr_params_check(s.r, given, COUNT(given), &err), &err);
    assert_ok(ipr_params_read(s.r, given, COUNT(given) - 1, true, &mem, &out, &err), &err);
    const struct ipr_param_texts *list = member(s, out);
    assert_int_equal(list->n, IPR_PARAM_TEXTS_MAX);
    assert_string_equal(list->v[0], "0");
    assert_string_equal(list->v[1], "2");
    if (s.r->api != NULL) { /* it has an address of its own */
        const char *href = ipr_params_href(s.r, out, &mem);
        assert_non_null(strstr(
            href, ipr_arena_printf(&mem, "%s=0&%s=2&%s=3", s.d->name, s.d->name, s.d->name)));
    }
    assert_int_equal(ipr_params_read(s.r, given, COUNT(given), true, &mem, &out, &err), IPR_EPARSE);
    assert_non_null(strstr(err.msg, "expected up to 12 texts"));
    ipr_err_clear(&err);
}

/* As a form sends boxes that are ticked. */
static void accept_repeated_numbers(struct subject s)
{
    const char *const high = ipr_arena_printf(&mem, "%" PRId64, ipr_param_whole(s.d->hi));
    const struct ipr_given given[] = { { .name = s.d->name, .text = high },
                                       { .name = s.d->name, .text = number(s.d->lo) } };
    struct ipr_err err = IPR_ERR_INIT;
    void *out = NULL;

    if (s.d->type != IPR_PARAM_INTS)
        return;
    assert_ok(ipr_params_read(s.r, given, COUNT(given), true, &mem, &out, &err), &err);
    const struct ipr_param_ints *list = member(s, out);
    assert_int_equal(list->n, 2);
    assert_int_equal(list->v[0], ipr_param_whole(s.d->hi));
    assert_int_equal(list->v[1], (int)s.d->lo);
}

static void repeated_values_are_a_list(void **state)
{
    (void)state;
    each_param(accept_repeated_numbers);
    each_param(accept_repeated);
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
    static const char *const never[] = { "[]", "{}", "[true]", "{\"player\": 1}", "\"a\\u0000b\"" };
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
    if (s.d->type == IPR_PARAM_INTS) {
        const int64_t high = ipr_param_whole(s.d->hi);
        json_t *list = json_pack("[I, I]", (json_int_t)s.d->lo, (json_int_t)high);
        const struct ipr_param_ints *got = member(s, accepted_json(s, list));
        assert_int_equal(got->n, 2);
        assert_int_equal(got->v[1], high);
        json_decref(list);
    } else {
        refused_json(s, "[1]");
    }
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

static void expect_no_address(struct subject s)
{
    const struct ipr_given given = { .name = s.d->name, .text = "x", .place = IPR_GIVEN_PATH };
    struct ipr_err err = IPR_ERR_INIT;
    void *out = NULL;

    if (s.d->type != IPR_PARAM_INT)
        return;
    assert_int_equal(read_given(s, &given, &out, &err), IPR_ENOTFOUND);
    assert_string_equal(err.param, s.d->name);
}

static void a_number_in_the_path_that_cannot_be_is_not_found(void **state)
{
    (void)state;
    each_param(expect_no_address);
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
        cmocka_unit_test(repeated_values_are_a_list),
        cmocka_unit_test(every_word_is_accepted),
        cmocka_unit_test(what_is_not_given_is_the_default),
        cmocka_unit_test(what_is_required_is_missed),
        cmocka_unit_test(json_of_another_type_is_refused),
        cmocka_unit_test(a_number_in_the_path_that_cannot_be_is_not_found),
        cmocka_unit_test(a_long_value_is_cut_between_characters),
    };

    return cmocka_run_group_tests_name("parameters", tests, NULL, release);
}
