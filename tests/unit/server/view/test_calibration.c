#include "view/calibration.h"

#include <stdlib.h>
#include <string.h>

#include "ipr_figures_sample.h"
#include "ipr_test.h"
#include "model/ipr.h"
#include "view/calibration_use.h"
#include "view/json.h"

static const struct ipr_judge judge = { .name = "twelve",
                                        .engine = "Engine 1",
                                        .network = "net",
                                        .multipv = 12,
                                        .depth = 10,
                                        .hash_mb = 16,
                                        .threads = 1,
                                        .first_move = 9 };

static json_t *make_record(void)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf figures = IPR_BUF_INIT;
    json_t *record = NULL;

    ipr_sample_mileposts(&figures, &judge);
    assert_ok(ipr_calibration_make("standard", ipr_str_c(ipr_buf_c(&figures)), &record, &err),
              &err);
    ipr_buf_release(&figures);
    return record;
}

static void the_record_says_what_it_is_made_from(void **state)
{
    json_t *record = make_record();
    const json_t *mileposts = json_object_get(record, "mileposts");

    (void)state;
    assert_string_equal(ipr_json_text_at(record, "name"), "standard");
    assert_string_equal(ipr_json_text_at(record, "method.fit"), "moments");
    assert_string_equal(ipr_json_text_at(record, "judge.engine"), "Engine 1");
    assert_int_equal(json_array_size(mileposts), 7);
    assert_int_equal(strlen(ipr_json_text_at(record, "figures_digest")), 64);
    assert_close(ipr_json_at(record, "games", 0.0), 280.0, 0.0);
    assert_close(ipr_json_at(record, "reference.size", 0.0), 2394.0, 0.0); /* 7 x 342 */
    assert_true(ipr_json_at(record, "b", 0.0) > 0.0);
    assert_true(ipr_json_at(record, "residual_sd", 1e9) < 120.0);
    assert_close(ipr_json_at(json_array_get(mileposts, 0), "elo", 0.0), 1600.0, 2.0);
    assert_close(ipr_json_at(record, "elo_range.high", 0.0), 2800.0, 2.0);
    json_decref(record);
}

static void the_same_figures_give_the_same_bytes(void **state)
{
    json_t *a = make_record(), *b = make_record();
    char *first = json_dumps(a, JSON_COMPACT), *second = json_dumps(b, JSON_COMPACT);

    (void)state;
    assert_string_equal(first, second);
    free(first);
    free(second);
    json_decref(a);
    json_decref(b);
}

/* A player outside the figures whose skill is that of Elo 2200 is found again. */
static void a_known_skill_is_recovered(void **state)
{
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };
    const struct ipr_figures_player player = { 2200, 60, 25, 4711 };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_calibration_use *use = NULL;
    struct ipr_rh_set *set = NULL;
    struct ipr_rating r;
    json_t *record = make_record();

    (void)state;
    assert_ok(ipr_calibration_load(record, &use, &err), &err);
    json_decref(record); /* nothing of it is kept */
    const struct ipr_turn *turns = ipr_sample_turns(&mem, &judge, &player, 0);
    assert_ok(ipr_rh_set_new(&use->params, turns, NULL, 1500, &set, &err), &err);
    assert_ok(ipr_ipr(&use->line, use->reference, set, &options, &r, &err), &err);
    assert_close(r.ipr, 2200.0, 150.0);
    assert_true(r.se > 10.0 && r.se < 150.0);
    assert_false(r.extrapolated);
    ipr_rh_set_free(&set);
    ipr_calibration_free(&use);
    assert_null(use);
    ipr_arena_release(&mem);
}

static void expect_bad(const char *text, uint32_t line, const char *type)
{
    struct ipr_err err = IPR_ERR_INIT;
    json_t *record = NULL;

    assert_int_equal(ipr_calibration_make("x", ipr_str_c(text), &record, &err), IPR_EPARSE);
    assert_int_equal(err.line, line);
    assert_string_equal(err.type, type);
    assert_null(record);
}

static void bad_figures_are_located(void **state)
{
    const struct ipr_figures_player player = { 2000, 2, 3, 5 };
    struct ipr_judge other = judge;
    struct ipr_buf text = IPR_BUF_INIT;

    (void)state;
    expect_bad("", 0, "bad_figures");
    expect_bad("\n\n{]\n", 3, "bad_figures");
    expect_bad("{\"game\":1}\n", 1, "bad_figures");

    ipr_sample_figures(&text, &judge, &player, 0);
    ipr_buf_puts(&text, "{\"game\":1,\"milepost\":2000,\"elo\":\"high\"}\n");
    expect_bad(ipr_buf_c(&text), 3, "bad_figures");

    ipr_buf_reset(&text);
    other.depth = 11;
    ipr_sample_figures(&text, &judge, &player, 0);
    ipr_sample_figures(&text, &other, &player, 2);
    expect_bad(ipr_buf_c(&text), 3, "mixed_judges");

    ipr_buf_reset(&text); /* one milepost; and three that are too thin */
    ipr_sample_figures(&text, &judge, &player, 0);
    expect_bad(ipr_buf_c(&text), 0, "thin_milepost");
    ipr_sample_figures(&text, &judge, &(struct ipr_figures_player){ 2200, 2, 3, 6 }, 2);
    ipr_sample_figures(&text, &judge, &(struct ipr_figures_player){ 2400, 2, 3, 7 }, 4);
    expect_bad(ipr_buf_c(&text), 0, "thin_milepost");
    ipr_buf_release(&text);
}

static void a_turn_must_agree_with_its_judge(void **state)
{
    static const char line[] =
        "{\"game\":1,\"milepost\":2000,\"elo\":2000,\"year\":2001,\"mover\":\"w\",\"judge\":{"
        "\"name\":\"three\",\"engine\":\"Engine 1\",\"network\":\"net\",\"multipv\":3,\"limit\":"
        "{\"depth\":10},\"threads\":1,\"hash_mb\":16,\"clear\":\"position\",\"first_move\":9},"
        "\"turns\":[{\"ply\":16,\"played\":%d,\"legal\":%d,\"repeated\":false,\"cp\":%s}]}\n";
    static const struct {
        int played, legal;
        const char *cp;
    } cases[] = {
        { 3, 20, "[30,20,10]" },     /* no such line */
        { 0, 20, "[30,20]" },        /* a line is missing */
        { 0, 20, "[30,20,10,5,0]" }, /* too many */
        { 0, 2, "[30,20,10,0]" },    /* more than there are legal moves */
        { 0, 20, "[]" },
        { 0, 20, "[30,20,1.5]" },
        { 0, 0, "[30,20,10]" },
    };
    char text[700];

    (void)state;
    snprintf(text, sizeof text, line, 0, 20, "[30,20,10]"); /* nothing wrong but their number */
    expect_bad(text, 0, "thin_milepost");
    snprintf(text, sizeof text, line, 3, 20, "[30,20,10,-50]");
    expect_bad(text, 0, "thin_milepost");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, line, cases[i].played, cases[i].legal, cases[i].cp);
        expect_bad(text, 1, "bad_figures");
    }
}

static void expect_refused(json_t *record)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_calibration_use *use = NULL;

    assert_int_equal(ipr_calibration_load(record, &use, &err), IPR_EPARSE);
    assert_null(use);
    json_decref(record);
}

static void a_spoiled_record_is_refused(void **state)
{
    json_t *record = make_record();
    static const char *const members[] = { "name", "judge",       "method",    "a",
                                           "b",    "residual_sd", "elo_range", "reference" };

    (void)state;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        json_t *copy = json_deep_copy(record);
        json_object_del(copy, members[i]);
        expect_refused(copy);
    }
    json_t *negative = json_deep_copy(record);
    json_object_set_new(negative, "b", json_real(-1.0));
    expect_refused(negative);
    json_t *tail = json_deep_copy(record);
    json_object_set_new(json_object_get(tail, "method"), "tail", json_string("vk"));
    expect_refused(tail);
    json_t *turn = json_deep_copy(record);
    json_object_set_new(
        json_array_get(json_object_get(json_object_get(turn, "reference"), "turns"), 7), "played",
        json_integer(200));
    expect_refused(turn);
    json_decref(record);
}

struct fetch {
    char *text;
    int calls;
};

static enum ipr_code fetch(void *arg, const char **record_json, struct ipr_err *err)
{
    struct fetch *f = arg;

    (void)err;
    f->calls++;
    *record_json = f->text;
    return IPR_OK;
}

static void a_record_is_loaded_once(void **state)
{
    const struct ipr_calibration_use *a = NULL, *b = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    json_t *record = make_record();
    struct fetch f = { json_dumps(record, JSON_COMPACT), 0 };
    char digest[8];

    (void)state;
    assert_ok(ipr_calibration_acquire("d", fetch, &f, &a, &err), &err);
    assert_ok(ipr_calibration_acquire("d", fetch, &f, &b, &err), &err);
    assert_ptr_equal(a, b);
    assert_int_equal(f.calls, 1);
    ipr_calibration_release(&b);
    assert_null(b);
    ipr_calibration_release(&b); /* nothing held: nothing happens */

    for (int i = 0; i < 12; i++) { /* more than are kept: what is in use stays */
        snprintf(digest, sizeof digest, "d%d", i);
        assert_ok(ipr_calibration_acquire(digest, fetch, &f, &b, &err), &err);
        ipr_calibration_release(&b);
    }
    assert_int_equal(f.calls, 13);
    assert_ok(ipr_calibration_acquire("d", fetch, &f, &b, &err), &err);
    assert_ptr_equal(a, b);
    ipr_calibration_release(&a);
    ipr_calibration_release(&b);
    free(f.text);
    json_decref(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_record_says_what_it_is_made_from),
        cmocka_unit_test(the_same_figures_give_the_same_bytes),
        cmocka_unit_test(a_known_skill_is_recovered),
        cmocka_unit_test(bad_figures_are_located),
        cmocka_unit_test(a_turn_must_agree_with_its_judge),
        cmocka_unit_test(a_spoiled_record_is_refused),
        cmocka_unit_test(a_record_is_loaded_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
