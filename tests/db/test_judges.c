#include "db/judges.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

static int32_t ensure(struct ipr_db_fixture *f, const struct ipr_judge *j)
{
    int32_t id = 0;

    assert_ok(ipr_db_judge_ensure(f->db, j, &id, &f->err), &f->err);
    return id;
}

/* Change anything of what a judge is and it is another one; the same is found again. */
static void test_identity(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_judge j[12], got;
    int32_t id[12];

    for (size_t i = 0; i < 12; i++)
        j[i] = ipr_sample_judge();
    snprintf(j[1].name, sizeof j[1].name, "other");
    snprintf(j[2].engine, sizeof j[2].engine, "Engine 2");
    snprintf(j[3].network, sizeof j[3].network, "nn-2.nnue");
    snprintf(j[4].options, sizeof j[4].options, "SyzygyPath=5 men 290 files");
    j[5].multipv = 4;
    j[6].hash_mb = 32;
    j[7].depth = 0;
    j[7].nodes = 4000000000U / 2;
    j[8].depth = 0;
    j[8].time_ms = 240000;
    j[9].clear = IPR_CLEAR_GAME;
    j[10].apart = IPR_APART_AFTER;
    j[11].apart = IPR_APART_EACH;
    for (size_t i = 0; i < 12; i++) {
        id[i] = ensure(f, &j[i]);
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(id[k], id[i]);
    }
    for (size_t i = 0; i < 12; i++) {
        assert_int_equal(ensure(f, &j[i]), id[i]);
        assert_ok(ipr_db_judge_get(f->db, id[i], &got, &f->err), &f->err);
        assert_string_equal(got.name, j[i].name);
        assert_string_equal(got.engine, j[i].engine);
        assert_string_equal(got.network, j[i].network);
        assert_string_equal(got.options, j[i].options);
        assert_int_equal(got.apart, j[i].apart);
        assert_int_equal(got.tablebases, i == 4);
        got.tablebases = false; /* part of the options here */
        assert_true(ipr_judge_same_search(&got, &j[i]));
    }
}

static void test_built_in(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_db_definition *rows = NULL;
    struct ipr_judge got;
    size_t n = 0, built_in = 0;

    assert_ok(ipr_db_definitions_ensure(f->db, &f->err), &f->err);
    for (const struct ipr_judge *j; (j = ipr_judge_builtin_at(built_in)) != NULL; built_in++) {
        assert_ok(ipr_db_definition_get(f->db, j->name, &got, &f->err), &f->err);
        assert_string_equal(got.name, j->name);
        assert_string_equal(got.program, j->program);
        assert_true(ipr_judge_same_search(&got, j));
        assert_int_equal(got.apart, j->apart);
        assert_string_equal(got.engine, "");
    }
    assert_ok(ipr_db_definition_list(f->db, &f->mem, &rows, &n, &f->err), &f->err);
    assert_int_equal(n, built_in);
    for (size_t i = 0; i < n; i++)
        assert_true(rows[i].built_in);
}

static void test_define(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_judge mine = { .name = "mine",
                              .program = "toga2",
                              .multipv = 4,
                              .nodes = 100000,
                              .hash_mb = 64,
                              .threads = 1,
                              .first_move = 1,
                              .tablebases = true };
    struct ipr_judge got, standard;
    struct ipr_db_definition *rows = NULL;
    size_t n = 0;
    bool fresh = false;

    assert_int_equal(ipr_db_definition_get(f->db, "mine", &got, &f->err), IPR_ENOTFOUND);
    assert_string_equal(f->err.type, "no_such_judge");
    assert_non_null(strstr(f->err.msg, "mine"));
    ipr_err_clear(&f->err);
    assert_ok(ipr_db_definition_add(f->db, &mine, "anna", &fresh, &f->err), &f->err);
    assert_true(fresh);
    assert_ok(ipr_db_definition_get(f->db, "mine", &got, &f->err), &f->err);
    assert_string_equal(got.program, "toga2");
    assert_true(ipr_judge_same_search(&got, &mine));
    assert_ok(ipr_db_definition_add(f->db, &mine, "bert", &fresh, &f->err), &f->err);
    assert_false(fresh);

    /* What a name means never changes. */
    mine.nodes++;
    assert_int_equal(ipr_db_definition_add(f->db, &mine, "anna", &fresh, &f->err), IPR_ECONFLICT);
    assert_string_equal(f->err.type, "judge_exists");
    ipr_err_clear(&f->err);
    mine.nodes--;
    snprintf(mine.program, sizeof mine.program, "stockfish");
    assert_int_equal(ipr_db_definition_add(f->db, &mine, "anna", &fresh, NULL), IPR_ECONFLICT);
    assert_true(ipr_judge_builtin("standard", &standard));
    standard.depth = 11;
    assert_int_equal(ipr_db_definition_add(f->db, &standard, "anna", &fresh, NULL), IPR_ECONFLICT);
    mine.depth = 5; /* beside nodes */
    assert_int_equal(ipr_db_definition_add(f->db, &mine, "anna", &fresh, NULL), IPR_EINVAL);

    assert_ok(ipr_db_definition_list(f->db, &f->mem, &rows, &n, &f->err), &f->err);
    assert_string_equal(rows[n - 1].judge.name, "mine");
    assert_string_equal(rows[n - 1].creator, "anna");
    assert_false(rows[n - 1].built_in);
    assert_int_equal(rows[n - 1].created[10], 'T');
}

/* Lines of the log that a start writes about definitions it leaves alone. */
static int warnings(struct ipr_db_fixture *f)
{
    FILE *log = tmpfile();
    const int is = dup(STDERR_FILENO);
    char line[512];
    int n = 0;

    assert_non_null(log);
    assert_int_equal(dup2(fileno(log), STDERR_FILENO), STDERR_FILENO);
    const enum ipr_code rc = ipr_db_definitions_ensure(f->db, &f->err);
    assert_int_equal(dup2(is, STDERR_FILENO), STDERR_FILENO);
    close(is);
    assert_ok(rc, &f->err);
    rewind(log);
    while (fgets(line, sizeof line, log) != NULL)
        n += strstr(line, "judge_not_built_in judge=rating") != NULL;
    fclose(log);
    return n;
}

/* At a start of a version that builds in a name the operator has used. */
static void test_name_taken(void **state)
{
    struct ipr_db_fixture *f = *state;
    static const unsigned depths[] = { 10, 12 };

    for (size_t i = 0; i < 2; i++) {
        struct ipr_judge mine, got;
        bool fresh = false;

        assert_true(ipr_judge_builtin("rating", &mine));
        mine.depth = (uint16_t)depths[i];
        (void)ipr_db_test_sql("DELETE FROM judge_definition WHERE name = 'rating'");
        assert_ok(ipr_db_definition_add(f->db, &mine, "anna", &fresh, &f->err), &f->err);
        assert_true(fresh);
        const int warned = warnings(f);
        assert_int_equal(warned, mine.depth != 10);
        assert_ok(ipr_db_definition_get(f->db, "rating", &got, &f->err), &f->err);
        assert_true(ipr_judge_same_search(&got, &mine));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { WITH_DB(test_identity), WITH_DB(test_built_in),
                                        WITH_DB(test_define), WITH_DB(test_name_taken) };

    return cmocka_run_group_tests_name("judges", tests, NULL, NULL);
}
