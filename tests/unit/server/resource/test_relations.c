/* Parameters that need, exclude or limit each other. */
#include "subjects.h"

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

static size_t relations;

static void expect_with(struct subject s)
{
    if (s.d->with == NULL)
        return;
    relations++;
    assert_string_equal(refusal_of(s.r, s.d->name, value_for(s.d), NULL, NULL),
                        ipr_arena_printf(&mem, "%s: expected only with %s, got \"%s\"", s.d->name,
                                         s.d->with, shown_for(s.d)));
}

static void expect_without(struct subject s)
{
    for (const struct ipr_param_def *d = s.r->params; s.d->without != NULL && d->name != NULL;
         d++) {
        const char *at = strstr(s.d->without, d->name);

        if (at == NULL || (at > s.d->without && at[-1] != ','))
            continue;
        relations++;
        assert_string_equal(refusal_of(s.r, s.d->name, value_for(s.d), d->name, value_for(d)),
                            ipr_arena_printf(&mem, "%s: expected only without %s, got \"%s\"",
                                             s.d->name, s.d->without, shown_for(s.d)));
    }
}

static void expect_order(struct subject s)
{
    if (s.d->upto == NULL)
        return;
    relations++;
    const bool share = s.d->hi < 8; /* a number from 0 to 1 */
    const bool date = s.d->type == IPR_PARAM_DATE;
    const char *low = date ? "1972-07" : share ? "0.7" : "7";
    const char *high = date ? "1972-08-01" : share ? "0.8" : "8";

    if (date) /* which has no number; a day is in its month, and a month in its year */
        assert_string_equal(refusal_of(s.r, s.d->name, "1972-08-01", s.d->upto, "1972"), "");
    assert_string_equal(refusal_of(s.r, s.d->name, low, s.d->upto, low), "");
    assert_string_equal(refusal_of(s.r, s.d->name, high, s.d->upto, low),
                        ipr_arena_printf(&mem,
                                         "%s: expected at most %s, the value of %s, got \"%s\"",
                                         s.d->name, low, s.d->upto, high));
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
        refusal_of(ipr_resource_at(IPR_RESOURCE_ANALYSES_PATCH), "all", "false", "upload", "1"),
        "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parameter_of_another_method_is_refused),
        cmocka_unit_test(parameters_that_do_not_go_together_are_refused),
    };

    return cmocka_run_group_tests_name("parameters_related", tests, NULL, release);
}
