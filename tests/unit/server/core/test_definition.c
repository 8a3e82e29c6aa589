#include "ipr_test.h"

#include <stdio.h>

#include "core/judge_json.h"

/* Definitions that are accepted and refused; a refusal names the member first. */
static struct row {
    const char *name, *json, *said; /* said NULL: accepted */
} rows[] = {
    { "least", "{\"name\":\"a\",\"depth\":1}", NULL },
    { "largest",
      "{\"name\":\"a-_9\",\"program\":\"toga2\",\"multipv\":250,\"depth\":60,\"hash_mb\":4096,"
      "\"first_move\":32767,\"threads\":1,\"tablebases\":true,\"clear\":\"game\"}",
      NULL },
    { "as a form sends it",
      "{\"name\":\"a\",\"depth\":\"12\",\"tablebases\":\"false\",\"multipv\":\"3\"}", NULL },
    { "nodes", "{\"name\":\"a\",\"nodes\":10000}", NULL },
    { "time", "{\"name\":\"a\",\"time_ms\":100}", NULL },
    { "fishnet", "{\"name\":\"a\",\"program\":\"fishnet\",\"depth\":9}", NULL },
    { "no object", "[1]", "judge:" },
    { "no name", "{\"depth\":1}", "name:" },
    { "empty name", "{\"name\":\"\",\"depth\":1}", "name:" },
    { "name in capitals", "{\"name\":\"A\",\"depth\":1}", "name:" },
    { "name with a dash first", "{\"name\":\"-a\",\"depth\":1}", "name:" },
    { "long name", "{\"name\":\"a123456789012345678901234567890x\",\"depth\":1}", "name:" },
    { "name with a zero byte", "{\"name\":\"a\\u0000b\",\"depth\":1}", "name:" },
    { "program that is a path", "{\"name\":\"a\",\"program\":\"/bin/sh\",\"depth\":1}",
      "program:" },
    { "no limit", "{\"name\":\"a\"}",
      "depth: expected one limit: depth, nodes or time_ms, got nothing" },
    { "two limits", "{\"name\":\"a\",\"depth\":1,\"nodes\":10000}", "depth:" },
    { "depth 0", "{\"name\":\"a\",\"depth\":0}", "depth:" },
    { "depth 61", "{\"name\":\"a\",\"depth\":61}",
      "depth: expected a whole number from 1 to 60, got \"61\"" },
    { "half a depth", "{\"name\":\"a\",\"depth\":1.5}", "depth:" },
    { "no depth", "{\"name\":\"a\",\"depth\":null}", "depth:" },
    { "depth in words", "{\"name\":\"a\",\"depth\":\"ten\"}", "depth:" },
    { "few nodes", "{\"name\":\"a\",\"nodes\":9999}", "nodes:" },
    { "too many nodes", "{\"name\":\"a\",\"nodes\":2147483648}", "nodes:" },
    { "no time", "{\"name\":\"a\",\"time_ms\":99}", "time_ms:" },
    { "days", "{\"name\":\"a\",\"time_ms\":3600001}", "time_ms:" },
    { "no line", "{\"name\":\"a\",\"depth\":1,\"multipv\":0}", "multipv:" },
    { "lines", "{\"name\":\"a\",\"depth\":1,\"multipv\":251}", "multipv:" },
    { "no hash", "{\"name\":\"a\",\"depth\":1,\"hash_mb\":0}", "hash_mb:" },
    { "hash", "{\"name\":\"a\",\"depth\":1,\"hash_mb\":4097}", "hash_mb:" },
    { "first move", "{\"name\":\"a\",\"depth\":1,\"first_move\":0}", "first_move:" },
    { "two threads", "{\"name\":\"a\",\"depth\":1,\"threads\":2}", "threads:" },
    { "tables in words", "{\"name\":\"a\",\"depth\":1,\"tablebases\":\"yes\"}", "tablebases:" },
    { "cleared never", "{\"name\":\"a\",\"depth\":1,\"clear\":\"never\"}", "clear:" },
    { "remote, but here", "{\"name\":\"a\",\"depth\":1,\"clear\":\"remote\"}", "clear:" },
    { "fishnet, but here",
      "{\"name\":\"a\",\"program\":\"fishnet\",\"depth\":1,\"clear\":\"game\"}", "clear:" },
    { "fishnet without a ply to spare", "{\"name\":\"a\",\"program\":\"fishnet\",\"depth\":1}",
      "depth:" },
    { "fishnet by nodes", "{\"name\":\"a\",\"program\":\"fishnet\",\"nodes\":99999}", "depth:" },
    { "fishnet with tables",
      "{\"name\":\"a\",\"program\":\"fishnet\",\"depth\":1,\"tablebases\":true}", "tablebases:" },
    { "an option of the engine's", "{\"name\":\"a\",\"depth\":1,\"Debug Log File\":\"/tmp/x\"}",
      "Debug Log File:" },
};

static void test_definition(void **state)
{
    const struct row *r = *state;
    json_t *json = json_loads(r->json, JSON_ALLOW_NUL, NULL);
    struct ipr_judge j = { .multipv = 77 }, back;
    struct ipr_err err = IPR_ERR_INIT;

    assert_non_null(json);
    const enum ipr_code rc = ipr_definition_from_json(json, &j, &err);
    json_decref(json);
    if (r->said != NULL) {
        assert_int_equal(rc, IPR_EPARSE);
        assert_string_equal(err.type, "bad_judge");
        assert_memory_equal(err.msg, r->said, strlen(r->said));
        assert_int_equal(j.multipv, 77);
        return;
    }
    assert_ok(rc, &err);
    assert_true(ipr_judge_valid(&j));
    json = ipr_definition_to_json(&j); /* and back: the same */
    assert_ok(ipr_definition_from_json(json, &back, &err), &err);
    json_decref(json);
    assert_memory_equal(&back, &j, sizeof j);
}

static struct ipr_judge defined(const char *text)
{
    json_t *json = json_loads(text, 0, NULL);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_judge j;

    assert_ok(ipr_definition_from_json(json, &j, &err), &err);
    json_decref(json);
    return j;
}

static void test_left_out(void **state)
{
    struct ipr_judge standard, j = defined("{\"name\":\"mine\",\"depth\":10}");

    (void)state;
    assert_true(ipr_judge_builtin("standard", &standard));
    assert_true(ipr_judge_same_search(&j, &standard));
    assert_string_equal(j.program, "stockfish");
    j = defined("{\"name\":\"mine\",\"time_ms\":1000}");
    assert_int_equal(j.clear, IPR_CLEAR_GAME);
    j = defined("{\"name\":\"mine\",\"depth\":5,\"program\":\"fishnet\"}");
    assert_int_equal(j.clear, IPR_CLEAR_REMOTE);
    assert_int_equal(j.apart, IPR_APART_AFTER);
}

/* The built-in ones keep to the rules of the others. */
static void test_built_in(void **state)
{
    const struct ipr_judge *j;

    (void)state;
    for (size_t i = 0; (j = ipr_judge_builtin_at(i)) != NULL; i++) {
        json_t *json = ipr_definition_to_json(j);
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_judge back;

        assert_ok(ipr_definition_from_json(json, &back, &err), &err);
        if (j->apart == IPR_APART_LINE) /* the one thing that no other definition can choose */
            back.apart = j->apart;
        assert_memory_equal(&back, j, sizeof back);
        json_decref(json);
    }
}

/* Identities: what the engine was set to is written and read, and what was left out before stands
 * for what it always was. */
static void test_identity(void **state)
{
    static const char *const limits[] = { "{\"depth\":7}", "{\"nodes\":70000}",
                                          "{\"adaptive_ms\":700}" };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_judge j, back;
        char text[400];

        snprintf(text, sizeof text,
                 "{\"name\":\"mine\",\"engine\":\"Toga II 3.0\",\"network\":\"\",\"multipv\":3,"
                 "\"limit\":%s,\"threads\":1,\"hash_mb\":16,\"clear\":\"game\",\"first_move\":9,"
                 "\"apart\":\"after\",\"options\":\"OwnBook=false\"}",
                 limits[i]);
        json_t *json = json_loads(text, 0, NULL), *again;
        assert_ok(ipr_judge_from_json(json, &j, &err), &err);
        assert_int_equal(j.clear, IPR_CLEAR_GAME);
        assert_int_equal(j.apart, IPR_APART_AFTER);
        assert_string_equal(j.options, "OwnBook=false");
        again = ipr_judge_to_json(&j);
        assert_true(json_equal(json, again));
        json_decref(again);

        json_object_del(json, "clear");
        json_object_del(json, "apart");
        json_object_del(json, "options");
        assert_ok(ipr_judge_from_json(json, &back, &err), &err);
        assert_int_equal(back.clear, IPR_CLEAR_POSITION);
        assert_int_equal(back.apart, IPR_APART_SEARCHMOVES);
        again = ipr_judge_describe(&back);
        assert_int_equal(json_is_true(json_object_get(again, "reproducible")), i < 2);
        assert_null(json_object_get(again, "options"));
        json_decref(again);
        json_decref(json);
    }
}

#define N (sizeof rows / sizeof rows[0])

int main(void)
{
    struct CMUnitTest tests[N + 3] = {
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_built_in),
        cmocka_unit_test(test_identity),
    };

    for (size_t i = 0; i < N; i++)
        tests[3 + i] = (struct CMUnitTest){ .name = rows[i].name,
                                            .test_func = test_definition,
                                            .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("core/definition", tests, NULL, NULL);
}
