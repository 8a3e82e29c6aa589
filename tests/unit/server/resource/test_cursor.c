/* Cursors of lists. */
#include "resource/cursor.h"
#include "subjects.h"

/* ---- cursors ---- */

static const char *no_cursor(const char *text)
{
    struct ipr_err err = IPR_ERR_INIT;

    (void)ipr_param_refuse_cursor(&err, text);
    return ipr_arena_strndup(&mem, err.msg, strlen(err.msg));
}

/* The message that refuses a cursor together with another parameter; "" if they are accepted. */
static const char *cursor_refusal(struct subject s, const char *cursor, const char *name,
                                  const char *text)
{
    return refusal_of(s.r, s.d->name, cursor, name, text);
}

static size_t bound;

static void expect_bound(struct subject s)
{
    if (s.d->type != IPR_PARAM_CURSOR)
        return;
    const char *cursor = ipr_cursor_bind(s.r, s.r->init, "9-1", &mem);
    bound++;
    assert_string_equal(cursor_refusal(s, cursor, NULL, NULL), "");
    assert_string_equal(cursor_refusal(s, "9-1", NULL, NULL), no_cursor("9-1"));
    for (const struct ipr_param_def *d = s.r->params; d->name != NULL; d++)
        if (d != s.d && d->with == NULL && value_for(d) != NULL &&
            (d->without == NULL || strstr(d->without, s.d->name) == NULL))
            assert_string_equal(cursor_refusal(s, cursor, d->name, value_for(d)),
                                d->paging || d->rows ? "" : no_cursor(cursor));
    for (int id = 0; id < IPR_RESOURCES; id++) {
        const struct ipr_resource *other = ipr_resource_at((enum ipr_resource_id)id);

        if (other != s.r && other->api != NULL && strcmp(other->api, s.r->api) != 0 &&
            ipr_resource_param(other, "after") != NULL) {
            const char *theirs = ipr_cursor_bind(other, other->init, "9-1", &mem);
            assert_string_equal(cursor_refusal(s, theirs, NULL, NULL), no_cursor(theirs));
        }
    }
}

static void a_cursor_is_bound_to_list_order_and_filters(void **state)
{
    (void)state;
    bound = 0;
    each_param(expect_bound);
    assert_true(bound >= 10);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cursor_is_bound_to_list_order_and_filters),
        cmocka_unit_test(cursors_are_numbers_or_pairs),
    };

    return cmocka_run_group_tests_name("cursors", tests, NULL, release);
}
