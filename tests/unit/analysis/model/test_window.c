/* Held to vectors/windows.json (an independent implementation), and a table of reasons. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ipr_test.h"
#include "ipr_test_vectors.h"
#include "model/window.h"

/* Was `key` seen earlier in the same game? */
static bool seen(const json_t *inputs, const json_t *turns, size_t at)
{
    const json_t *t = json_array_get(turns, at);
    const char *key = json_string_value(ipr_test_get(t, "key"));
    const long long game = json_integer_value(ipr_test_get(t, "game"));
    const json_t *history;
    char name[32];

    snprintf(name, sizeof name, "%lld", game);
    history = json_object_get(json_object_get(inputs, "history"), name);
    for (size_t i = 0; i < json_array_size(history); i++)
        if (strcmp(key, json_string_value(json_array_get(history, i))) == 0)
            return true;
    for (size_t i = 0; i < at; i++) {
        const json_t *o = json_array_get(turns, i);
        if (json_integer_value(ipr_test_get(o, "game")) == game &&
            strcmp(key, json_string_value(ipr_test_get(o, "key"))) == 0)
            return true;
    }
    return false;
}

static void check_method(const json_t *c, enum ipr_window_method method, const char *name,
                         const struct ipr_test_turns *t)
{
    const json_t *want = ipr_test_get(ipr_test_get(c, "expected"), name);
    struct ipr_window w = ipr_window_default(method);
    size_t *keep = ipr_xcalloc(t->n, sizeof *keep);
    struct ipr_window_counts counts;
    size_t sum = 0;
    size_t n;

    w.order = IPR_PLAYED_LAST;
    if (method == IPR_WINDOW_BAYES) /* the vectors keep forced turns there: likelihood 1 each */
        w.drop_forced = false;
    if (w.top > 0)
        w.top = (unsigned)ipr_test_num(ipr_test_get(c, "inputs"), "mv");
    n = ipr_window_select(&w, t->turns, t->n, keep, &counts);
    assert_int_equal(n, json_array_size(want));
    for (size_t i = 0; i < n; i++)
        assert_int_equal(keep[i], json_integer_value(json_array_get(want, i)));
    for (int r = 0; r < IPR_EXCLUDED_REASONS; r++)
        sum += counts.excluded[r];
    assert_int_equal(counts.used, n);
    assert_int_equal(counts.turns, n + sum);
    if (method == IPR_WINDOW_BAYES)
        assert_int_equal(counts.excluded[IPR_EXCLUDED_NOT_TOP],
                         ipr_test_num(ipr_test_get(c, "expected"), "D_dropped"));
    free(keep);
}

static void test_vectors(void **state)
{
    json_t *file = ipr_test_vectors("windows.json");
    size_t i;
    json_t *c;

    (void)state;
    json_array_foreach(json_object_get(file, "cases"), i, c) {
        const json_t *in = ipr_test_get(c, "inputs");
        struct ipr_test_turns t;

        ipr_test_turns_of(file, c, &t);
        for (size_t k = 0; k < t.n; k++)
            t.turns[k].repeated = seen(in, ipr_test_get(in, "turns"), k);
        check_method(c, IPR_WINDOW_CONFORMANCE, "A", &t);
        check_method(c, IPR_WINDOW_GUID_BRATKO, "GB", &t);
        check_method(c, IPR_WINDOW_REGAN, "R", &t);
        check_method(c, IPR_WINDOW_BAYES, "D", &t);
        ipr_test_turns_release(&t);
    }
    json_decref(file);
}

static const int16_t level[3] = { 20, 10, -400 };
static const int16_t won[2] = { 301, 300 };
static const int16_t edge[2] = { -300, -310 };

static struct row {
    const char *name;
    struct ipr_turn turn;
    enum ipr_excluded reason; /* IPR_EXCLUDED_REASONS: used */
} rows[] = {
    { "used", { .ply = 16, .lines = 3, .n_cp = 3, .legal = 30, .cp = level }, 6 },
    { "move 8",
      { .ply = 15, .lines = 3, .n_cp = 3, .legal = 30, .cp = level },
      IPR_EXCLUDED_BEFORE_FIRST },
    { "no evaluation", { .ply = 20, .legal = 30 }, IPR_EXCLUDED_UNJUDGED },
    { "played not listed",
      { .ply = 20, .lines = 3, .n_cp = 3, .played = 3, .legal = 30, .cp = level },
      IPR_EXCLUDED_UNJUDGED },
    { "forced",
      { .ply = 20, .lines = 1, .n_cp = 1, .legal = 1, .cp = level },
      IPR_EXCLUDED_FORCED },
    { "repeated",
      { .ply = 20, .lines = 3, .n_cp = 3, .legal = 30, .repeated = true, .cp = level },
      IPR_EXCLUDED_REPEATED },
    { "above 3.00",
      { .ply = 20, .lines = 2, .n_cp = 2, .legal = 9, .cp = won },
      IPR_EXCLUDED_DECIDED },
    { "at -3.00", { .ply = 20, .lines = 2, .n_cp = 2, .legal = 9, .cp = edge }, 6 },
    { "first reason wins",
      { .ply = 20, .lines = 2, .n_cp = 2, .legal = 9, .repeated = true, .cp = won },
      IPR_EXCLUDED_REPEATED },
};

static void test_reason(void **state)
{
    const struct row *r = *state;
    const struct ipr_window w = ipr_window_default(IPR_WINDOW_REGAN);
    struct ipr_window_counts counts;
    size_t keep[1];
    const bool used = r->reason == IPR_EXCLUDED_REASONS;

    assert_int_equal(ipr_window_select(&w, &r->turn, 1, keep, &counts), used);
    if (!used)
        assert_int_equal(counts.excluded[r->reason], 1);
}

/* A move judged apart stands where its evaluation puts it, or last. */
static void test_played_apart(void **state)
{
    const int16_t cp[3] = { 30, 10, 50 };
    const struct ipr_turn t = {
        .ply = 20, .lines = 2, .n_cp = 3, .played = 2, .legal = 9, .cp = cp
    };
    const struct ipr_judged placed = ipr_judged(&t, IPR_PLAYED_PLACED);
    const struct ipr_judged last = ipr_judged(&t, IPR_PLAYED_LAST);

    (void)state;
    assert_int_equal(placed.best_cp, 50);
    assert_int_equal(placed.played_cp, 50);
    assert_int_equal(last.best_cp, 30);
    assert_int_equal(last.played_cp, 10);
    assert_true(placed.outside && last.outside);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof rows[0] };
    struct CMUnitTest tests[ROWS + 2] = { cmocka_unit_test(test_vectors),
                                          cmocka_unit_test(test_played_apart) };

    for (int i = 0; i < ROWS; i++)
        tests[i + 2] = (struct CMUnitTest){ .name = rows[i].name,
                                            .test_func = test_reason,
                                            .initial_state = &rows[i] };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
