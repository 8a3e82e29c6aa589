#include "queue_view.h"

static void judges_have_a_definition_and_identities(void **state)
{
    struct scene *s = open_scene(state);
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    judge_game(s, s->games[0].id, "quick");
    assert_ok(ipr_view_judge(&s->view, &(struct ipr_judge_request){ "quick" }, &r, &err), &err);
    assert_true(ipr_json_true_at(r, "built_in"));
    assert_true(ipr_json_true_at(r, "reproducible"));
    assert_string_equal(ipr_json_text_at(r, "program"), "stockfish");
    assert_close(ipr_json_at(r, "depth", -1.0), 8.0, 0.0);
    assert_close(ipr_json_at(r, "turns", -1.0), TURNS, 0.0);
    assert_null(json_object_get(r, "engine"));
    const json_t *who = json_array_get(json_object_get(r, "identities"), 0);
    assert_string_equal(ipr_json_text_at(who, "engine"), "Engine 1");
    assert_close(ipr_json_at(who, "games", -1.0), 1.0, 0.0);
    json_decref(r);
    assert_ok(ipr_view_judge(&s->view, &(struct ipr_judge_request){ "alliot" }, &r, &err), &err);
    assert_false(ipr_json_true_at(r, "reproducible")); /* limited by time */
    assert_int_equal(json_array_size(json_object_get(r, "identities")), 0);
    json_decref(r);
    assert_int_equal(ipr_view_judge(&s->view, &(struct ipr_judge_request){ "nobody" }, &r, &err),
                     IPR_ENOTFOUND);
    assert_string_equal(err.type, "no_such_judge");
}

static void expect_reproducible(struct scene *s, const char *name, json_type want)
{
    struct ipr_err err = IPR_ERR_INIT;
    json_t *r = NULL;

    assert_ok(ipr_view_judge(&s->view, &(struct ipr_judge_request){ name }, &r, &err), &err);
    const json_t *is = json_object_get(r, "reproducible");
    assert_non_null(is);
    if (json_typeof(is) != want)
        fail_msg("%s: reproducible is of type %d, not %d", name, (int)json_typeof(is), (int)want);
    json_decref(r);
}

static void ensure_engine(struct scene *s, const char *name, const char *engine,
                          const char *options)
{
    struct ipr_judge judge;
    int32_t id;

    assert_ok(ipr_db_definition_get(s->f->db, name, &judge, &s->f->err), &s->f->err);
    snprintf(judge.engine, sizeof judge.engine, "%s", engine);
    snprintf(judge.options, sizeof judge.options, "%s", options);
    assert_ok(ipr_db_judge_ensure(s->f->db, &judge, &id, &s->f->err), &s->f->err);
}

/* Unknown until the engine has answered, unless the search itself rules it out. The answer of a
 * program's engine applies to all judges of that program. */
static void judges_are_reproducible_if_the_engine_is(void **state)
{
    struct scene *s = open_scene(state);

    ipr_sample_define(s->f->db, "toga-5", "toga2");
    ipr_sample_define(s->f->db, "toga-too", "toga2");
    expect_reproducible(s, "standard", JSON_NULL);
    expect_reproducible(s, "toga-5", JSON_NULL);
    expect_reproducible(s, "alliot", JSON_FALSE); /* limited by time */
    expect_reproducible(s, "fishnet", JSON_FALSE);
    ensure_engine(s, "quick", "Engine 1", "");
    expect_reproducible(s, "standard", JSON_TRUE);
    expect_reproducible(s, "alliot", JSON_FALSE);
    expect_reproducible(s, "toga-5", JSON_NULL);
    ensure_engine(s, "toga-too", "Toga", "irreproducible; OwnBook=false");
    expect_reproducible(s, "toga-too", JSON_FALSE);
    expect_reproducible(s, "toga-5", JSON_FALSE);
    expect_reproducible(s, "standard", JSON_TRUE);
    (void)ipr_db_test_sql("DELETE FROM judge_definition WHERE NOT built_in");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_have_a_definition_and_identities),
        cmocka_unit_test(judges_are_reproducible_if_the_engine_is),
    };

    return cmocka_run_group_tests_name("judge view", tests, ipr_db_fixture_setup,
                                       ipr_db_fixture_teardown);
}
