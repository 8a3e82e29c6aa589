/* Parameters that are unknown, in the wrong place or given twice. */
#include "subjects.h"

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
    if (s.d->type == IPR_PARAM_TEXTS || s.d->type == IPR_PARAM_INTS) { /* may be repeated */
        assert_ok(ipr_params_check(s.r, given, 2, &err), &err);
        return;
    }
    assert_int_equal(ipr_params_check(s.r, given, 2, &err), IPR_EPARSE);
    assert_string_equal(err.type, "bad_parameter");
    assert_string_equal(
        err.msg,
        ipr_arena_printf(&mem, "%s: expected one value, which is \"x\", got \"x\"", s.d->name));
}

/* A parameter of the body is refused in the address and the reverse; a form with a file accepts
 * all. */
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

static void a_parameter_is_accepted_once_and_in_its_place(void **state)
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

/* The message lists the parameters of the same place, not those of the path or, for a query, of the
 * body. */
static void a_refusal_lists_the_known_names(void **state)
{
    static const struct {
        enum ipr_resource_id id;
        enum ipr_given_place place;
        const char *says;
    } rows[] = {
        { IPR_RESOURCE_UPLOAD_DUPLICATES, IPR_GIVEN_QUERY,
          "no parameter \"x\" here; known: limit, after" },
        { IPR_RESOURCE_UPLOAD, IPR_GIVEN_QUERY,
          "no parameter \"x\" here; known: player, time_class" },
        { IPR_RESOURCE_UPLOAD_DELETE, IPR_GIVEN_QUERY, "no parameter \"x\" here" },
        { IPR_RESOURCE_UPLOAD_DELETE_FORM, IPR_GIVEN_BODY, "no parameter \"x\" here" },
        { IPR_RESOURCE_CALIBRATION_POST, IPR_GIVEN_QUERY, "no parameter \"x\" here; known: name" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct ipr_resource *const r = ipr_resource_at(rows[i].id);
        const struct ipr_given given[] = { { .name = "x", .place = rows[i].place },
                                           { .name = "upload", .place = IPR_GIVEN_PATH } };
        struct ipr_err err = IPR_ERR_INIT;

        const size_t n = ipr_resource_param(r, "upload") != NULL ? 2 : 1;
        assert_int_equal(ipr_params_check(r, given, n, &err), IPR_EPARSE);
        assert_string_equal(err.msg, rows[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parameter_is_accepted_once_and_in_its_place),
        cmocka_unit_test(an_unknown_name_is_refused),
        cmocka_unit_test(a_refusal_lists_the_known_names),
    };

    return cmocka_run_group_tests_name("parameters_names", tests, NULL, release);
}
