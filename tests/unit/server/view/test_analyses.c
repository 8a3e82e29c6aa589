/* How long judging will take, in words. */
#include "view/queue/analyses.h"

#include <string.h>

#include "ipr_sentences_sample.h"
#include "ipr_test.h"
#include "view/json.h"

static struct row {
    const char *name;
    struct ipr_db_progress progress;
    const char *remaining; /* NULL: null */
} rows[] = {
    { "nothing waits", { .seconds = 0.0 }, NULL },
    { "all judged or failed", { .judged = 9, .failed = 1, .seconds = 0.0 }, NULL },
    { "all paused", { .paused = 3, .seconds = -1.0, .unknown = "paused" }, "paused" },
    { "at once", { .ready = 1, .seconds = 0.2 }, "less than a minute" },
    { "a minute", { .ready = 1, .seconds = 62.0 }, "about a minute" },
    { "minutes", { .running = 1, .seconds = 181.0 }, "about 3 minutes" },
    { "an hour and a half in minutes", { .ready = 1, .seconds = 5399.0 }, "about 90 minutes" },
    { "hours", { .ready = 1, .seconds = 5401.0 }, "about 2 hours" },
    { "a day and a half in hours", { .ready = 1, .seconds = 36.0 * 3600 - 1 }, "about 36 hours" },
    { "days", { .ready = 1, .seconds = 216.0 * 86400 }, "about 216 days" },
    { "nobody works",
      { .ready = 1, .seconds = -1.0, .unknown = "no_worker" },
      "not known while no engine is running" },
    { "nothing measured",
      { .running = 1, .seconds = -1.0, .unknown = "not_measured" },
      "not known while no move is timed" },
    { "elsewhere",
      { .ready = 1, .seconds = -1.0, .unknown = "external" },
      "not known while other people's machines analyse the moves" },
    { "nothing measured of a judge",
      { .ready = 1, .seconds = -1.0, .unknown = "not_measured", .unmeasured = "deep" },
      "not known while no move with the engine setting deep is timed" },
    /* A bound is not rounded up. */
    { "some of it not measured",
      { .ready = 1, .seconds = 179.0, .unknown = "not_measured", .unmeasured = "deep" },
      "at least 2 minutes, not counting moves with the engine setting deep, of which none is timed "
      "yet" },
    { "some of it elsewhere",
      { .ready = 1, .seconds = 9.0, .unknown = "external" },
      "at least a few seconds, not counting moves that other people's machines analyse" },
    { "nobody works at some of it",
      { .ready = 1, .seconds = 70.0, .unknown = "no_worker" },
      "at least a minute, not counting moves for which no engine is running" },
    { "no reason", { .ready = 1, .seconds = -1.0 }, "not known" },
};

static json_t *progress_json(const struct ipr_db_progress *progress, struct ipr_arena *mem)
{
    struct ipr_answer_progress out;

    ipr_view_progress_fill(progress, mem, &out.progress_counts);
    return ipr_shape_json(IPR_SHAPE_PROGRESS, &out);
}

static void test_row(void **state)
{
    const struct row *r = *state;
    struct ipr_arena mem = { 0 };
    json_t *p = progress_json(&r->progress, &mem);
    const json_t *remaining = json_object_get(p, "remaining");

    if (r->remaining == NULL)
        assert_true(json_is_null(remaining));
    else
        assert_string_equal(json_string_value(remaining), r->remaining);
    assert_int_equal(json_is_null(json_object_get(p, "seconds")), r->progress.seconds < 0.0);
    assert_string_equal(ipr_json_text_at(p, "reason"),
                        r->progress.unknown != NULL ? r->progress.unknown : "");
    assert_string_equal(ipr_json_text_at(p, "reason_judge"), r->progress.unmeasured);
    assert_int_equal(ipr_json_true_at(p, "at_least"),
                     r->progress.seconds >= 0.0 && r->progress.unknown != NULL);
    assert_int_equal(json_integer_value(json_object_get(p, "failed")), r->progress.failed);
    json_decref(p);
    ipr_arena_release(&mem);
}

/* Seconds are whole and never promise too much. */
static void test_rounding(void **state)
{
    const struct ipr_db_progress progress = { .ready = 1, .seconds = 7.25 };
    struct ipr_arena mem = { 0 };
    json_t *p = progress_json(&progress, &mem);

    (void)state;
    assert_close(ipr_json_at(p, "seconds", -1.0), 8.0, 0.0);
    json_decref(p);
    ipr_arena_release(&mem);
}

int main(void)
{
    enum { N = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[N + 1] = { 0 };

    ipr_sentences_sample();
    for (size_t i = 0; i < N; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].name,
                                        .test_func = test_row,
                                        .initial_state = &rows[i] };
    tests[N] = (struct CMUnitTest)cmocka_unit_test(test_rounding);
    return cmocka_run_group_tests_name("judging in words", tests, NULL, NULL);
}
