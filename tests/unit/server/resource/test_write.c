/* Addresses and echoes of parameters read back as the same parameters. */
#include "http/base/url.h"
#include "resource/cursor.h"
#include "resource/write.h"
#include "subjects.h"

/* ---- round trips ---- */

/* Sets all parameters that can be given together. Cursors are bound to the parameters `cursors_of`;
 * NULL: they are left out. */
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
        if (d->with != NULL && value_for(ipr_resource_param(r, d->with)) == NULL)
            continue; /* JSON, which no address has */
        if (!ipr_param_of_method(d, ipr_params_text(r, r->init, "method")))
            continue;
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
        if (!(own && !ipr_param_is_own(d)) && !same_value((struct subject){ r, d }, a, b))
            fail_msg("%s: %s: %s differs", r->name, what, d->name);
}

/* The parameters in an address: those of the path, then those of the query. */
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

static void an_address_reads_back(void **state)
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

/* The form of a value in an address: [1, 2] is "1,2", a side "12:1971". */
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

static void an_echo_reads_back(void **state)
{
    (void)state;
    for (int id = 0; id < IPR_RESOURCES; id++) {
        const struct ipr_resource *r = ipr_resource_at((enum ipr_resource_id)id);

        expect_echo(r, set_together(r, NULL));
        expect_echo(r, r->init);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_reads_back),
        cmocka_unit_test(an_echo_reads_back),
    };

    return cmocka_run_group_tests_name("parameters_written", tests, NULL, release);
}
