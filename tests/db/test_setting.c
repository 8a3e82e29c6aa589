/* The rule of view/setting.h: which engine setting an answer rests on, by what it is for and what
 * has been analysed. */
#include <stdio.h>
#include <string.h>

#include "db/judges.h"
#include "ipr_db_test.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"
#include "view/context.h"

/* Moves that the settings have analysed of the scope; -1: the setting is not stored at all. */
struct stored {
    int lines, rating, files;
};

static const struct setting_case {
    const char *name;
    enum ipr_purpose purpose;
    struct stored moves;
    const char *requested, *used;
} cases[] = {
    { "many lines, whatever the rating has", IPR_FOR_LINES, { 0, 900, 9 }, NULL, "standard" },
    { "many lines, not stored yet", IPR_FOR_LINES, { -1, -1, 9 }, NULL, "standard" },
    { "the rating", IPR_FOR_RATING, { 900, 0, 0 }, NULL, "rating" },
    { "files, whatever the others have", IPR_FOR_FILES, { 900, 900, 0 }, NULL, "pgn-evals" },
    { "the queue: what is configured", IPR_FOR_QUEUE, { 900, 0, 0 }, NULL, "rating" },
    { "the queue: what is requested", IPR_FOR_QUEUE, { 0, 900, 0 }, "standard", "standard" },
    { "a year: many lines first", IPR_FOR_PLAYER, { 1, 900, 900 }, NULL, "standard" },
    { "a year: then the rating", IPR_FOR_PLAYER, { 0, 1, 900 }, NULL, "rating" },
    { "a year: then files", IPR_FOR_PLAYER, { 0, 0, 1 }, NULL, "pgn-evals" },
    { "a year: only files are stored", IPR_FOR_PLAYER, { -1, -1, 1 }, NULL, "pgn-evals" },
    { "a year without analysis", IPR_FOR_PLAYER, { 0, 0, 0 }, NULL, "standard" },
    { "a career: the rating", IPR_FOR_CAREER, { 900, 1, 900 }, NULL, "rating" },
    { "a career: then files", IPR_FOR_CAREER, { 900, 0, 1 }, NULL, "pgn-evals" },
    { "a career: then many lines", IPR_FOR_CAREER, { 1, 0, 0 }, NULL, "standard" },
    { "a career without analysis", IPR_FOR_CAREER, { 0, 0, 0 }, NULL, "rating" },
    { "lists: the rating", IPR_FOR_YEARS, { 900, 1, 900 }, NULL, "rating" },
    { "lists: many lines without it", IPR_FOR_YEARS, { 1, -1, 900 }, NULL, "standard" },
    { "head to head: most moves", IPR_FOR_HEAD, { 100, 101, 0 }, NULL, "rating" },
    { "head to head: as many", IPR_FOR_HEAD, { 100, 100, 0 }, NULL, "standard" },
    { "moves: most", IPR_FOR_MOVES, { 101, 100, 0 }, NULL, "standard" },
    { "moves: as many", IPR_FOR_MOVES, { 100, 100, 0 }, NULL, "rating" },
    { "reports: most moves", IPR_FOR_REPORT, { 100, 101, 0 }, NULL, "rating" },
    { "reports: as many", IPR_FOR_REPORT, { 100, 100, 0 }, NULL, "standard" },
    { "what is requested", IPR_FOR_PLAYER, { 900, 900, 0 }, "pgn-evals", "pgn-evals" },
    { "what is requested and not stored", IPR_FOR_RATING, { 900, 900, 0 }, "deep", "deep" },
};

/* `moves` below 0: it is defined, and has analysed nothing of all. */
static void setting_store(struct ipr_view_scene *s, const char *name, unsigned lines, int moves)
{
    struct ipr_judge judge = s->judge;
    char sql[160];
    int32_t id = 0;

    snprintf(judge.name, sizeof judge.name, "%s", name);
    judge.multipv = (uint16_t)lines;
    judge.hash_mb = (uint16_t)(lines + 1); /* another one */
    assert_ok(ipr_db_judge_ensure(s->db, &judge, &id, &s->err), &s->err);
    snprintf(sql, sizeof sql,
             "INSERT INTO judge_total (judge_id, shard, games, sides, turns) "
             "SELECT %d, 0, 1, 1, %d WHERE %d >= 0",
             (int)id, moves, moves);
    ipr_db_test_sql(sql);
}

static enum ipr_code moves_of(void *of, size_t i, const struct ipr_view_context *c, int64_t *n,
                              struct ipr_err *err)
{
    const struct stored *const moves = of;

    (void)i;
    (void)err;
    if (strcmp(c->judge.name, "standard") == 0)
        *n = moves->lines;
    else
        *n = strcmp(c->judge.name, "rating") == 0 ? moves->rating : moves->files;
    if (*n < 0)
        *n = 0;
    return IPR_OK;
}

static void every_case_of_the_rule(void **state)
{
    struct ipr_view_scene *s = *state;

    s->config.judge = "rating";
    s->config.calibration = "none";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct setting_case *const want = &cases[i];
        struct stored moves = want->moves;
        const bool lists = want->purpose == IPR_FOR_YEARS;
        const struct ipr_setting_scope scope = { want->requested, lists ? NULL : moves_of, &moves };
        struct ipr_view_context c;

        ipr_db_test_sql("DELETE FROM judge_total");
        setting_store(s, "standard", 20, moves.lines);
        setting_store(s, "rating", 2, moves.rating);
        setting_store(s, "pgn-evals", 1, moves.files);
        assert_ok(ipr_setting_for(&s->view, want->purpose, &scope, &c, &s->err), &s->err);
        if (strcmp(c.judge.name, want->used) != 0)
            fail_msg("%s: %s, not %s", want->name, c.judge.name, want->used);
        assert_string_equal(c.pool->name, "otb");
        assert_int_equal(c.times, c.pool->times);
        ipr_view_context_close(&c);
    }
}

static void unknown_settings_are_refused(void **state)
{
    struct ipr_view_scene *s = *state;
    const struct ipr_setting_scope scope = { .judge = "unheard" };
    struct ipr_view_context c = { 0 };

    assert_int_equal(ipr_setting_for(&s->view, IPR_FOR_PLAYER, &scope, &c, &s->err), IPR_EPARSE);
    assert_non_null(strstr(s->err.msg, "unheard"));
}

static enum ipr_code failing_count(void *of, size_t i, const struct ipr_view_context *c, int64_t *n,
                                   struct ipr_err *err)
{
    (void)of;
    (void)i;
    (void)c;
    *n = 0;
    return ipr_err_set(err, IPR_EDB, "canceling statement due to statement timeout");
}

/* A failure is not taken for a setting that has analysed nothing. */
static void failures_are_passed_on(void **state)
{
    struct ipr_view_scene *s = *state;
    const struct ipr_setting_scope scope = { .count = failing_count };
    struct ipr_view_context c = { 0 };

    assert_int_equal(ipr_setting_for(&s->view, IPR_FOR_PLAYER, &scope, &c, &s->err), IPR_EDB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_VIEW(every_case_of_the_rule),
        WITH_VIEW(unknown_settings_are_refused),
        WITH_VIEW(failures_are_passed_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
