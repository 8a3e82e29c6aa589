#include "ipr_test.h"

#include "http/fishnet/wire.h"
#include "uci/remote.h"

static void test_ids(void **state)
{
    static const struct {
        int64_t job, token;
        const char *text;
    } rows[] = {
        { 1, 0, "100000000000" },
        { 61, 61, "z0000000000z" },
        { 62, 62 * 62, "1000000000100" },
        { INT64_MAX, INT64_MAX, "AzL8n0Y58m7AzL8n0Y58m7" },
    };
    static const char *const refused[] = {
        "",
        "1",
        "00000000000",
        "-00000000000",
        "1 0000000000",
        "1000000000-0",
        "10000000000\x80",
        "AzL8n0Y58m8AzL8n0Y58m7",
        "1AzL8n0Y58m7AzL8n0Y58m7",
        "1zzzzzzzzzzz",
    };
    char text[IPR_FISHNET_ID_SIZE];
    int64_t job, token;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ipr_fishnet_id_write(rows[i].job, rows[i].token, text);
        assert_string_equal(text, rows[i].text);
        assert_true(ipr_fishnet_id_read(text, &job, &token));
        assert_true(job == rows[i].job && token == rows[i].token);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (ipr_fishnet_id_read(refused[i], &job, &token))
            fail_msg("%s was read", refused[i]);
}

static void test_job(void **state)
{
    static const struct {
        const char *fen, *variant, *moves;
        size_t skipped;
    } rows[] = {
        { NULL, "standard", "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1", 4 },
        { "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "chess960", "e8a8 e1h1", 2 },
        { "8/P6k/8/8/8/8/8/K7 w - - 0 1", "chess960", "a7a8q", 1 },
    };
    const struct ipr_db_job job = { .id = 7, .token = 9 };
    struct ipr_judge judge;

    (void)state;
    assert_true(ipr_judge_builtin("fishnet", &judge));
    judge.first_move = 3;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ipr_db_game game = { .custom_start = rows[i].fen != NULL };
        struct ipr_str rest = ipr_str_c(rows[i].moves), word;
        ipr_move moves[16];
        struct ipr_pos pos;
        char fen[IPR_FEN_MAX];

        ipr_pos_start(&game.start);
        if (rows[i].fen != NULL)
            assert_int_equal(ipr_pos_from_fen(&game.start, ipr_str_c(rows[i].fen), NULL), IPR_OK);
        ipr_pos_to_fen(&game.start, fen);
        pos = game.start;
        for (game.moves = moves; ipr_str_word(&rest, &word); game.n_moves++) {
            assert_int_equal(ipr_move_from_uci(&pos, word, &moves[game.n_moves], NULL), IPR_OK);
            ipr_pos_play(&pos, moves[game.n_moves]);
        }
        json_t *json = ipr_fishnet_job_json(&job, &judge, &game, NULL);
        const json_t *work = json_object_get(json, "work");
        assert_string_equal(json_string_value(json_object_get(work, "id")), "700000000009");
        assert_int_equal(json_integer_value(json_object_get(work, "depth")), 10);
        assert_int_equal(json_integer_value(json_object_get(json, "depth")), 10);
        assert_int_equal(json_integer_value(json_object_get(work, "multipv")), 20);
        assert_int_equal(json_integer_value(json_object_get(json, "multipv")), 20);
        assert_int_equal(json_integer_value(json_object_get(work, "timeout")),
                         ipr_remote_timeout_ms(&judge));
        assert_string_equal(json_string_value(json_object_get(json, "position")), fen);
        assert_string_equal(json_string_value(json_object_get(json, "variant")), rows[i].variant);
        assert_string_equal(json_string_value(json_object_get(json, "moves")), rows[i].moves);
        const json_t *skipped = json_object_get(json, "skipPositions");
        assert_int_equal(json_array_size(skipped), rows[i].skipped);
        for (size_t k = 0; k < rows[i].skipped; k++)
            assert_int_equal(json_integer_value(json_array_get(skipped, k)), k);
        json_decref(json);
    }
}

/* A confirmation: its limit is nodes, of which some clients use six sevenths, and all but the
 * positions around the chosen moves are skipped. */
static void test_confirmation(void **state)
{
    static const bool chosen[] = { false, true, false, false };
    static const char *const text[] = { "e2e4", "e7e5", "g1f3", "b8c6" };
    const struct ipr_db_job job = { .id = 7, .token = 9 };
    struct ipr_db_game game = { .n_moves = 4 };
    struct ipr_judge judge;
    struct ipr_pos pos;
    ipr_move moves[4];

    (void)state;
    assert_true(ipr_judge_builtin("confirm", &judge));
    ipr_pos_start(&game.start);
    pos = game.start;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(ipr_move_from_uci(&pos, ipr_str_c(text[i]), &moves[i], NULL), IPR_OK);
        ipr_pos_play(&pos, moves[i]);
    }
    game.moves = moves;
    json_t *json = ipr_fishnet_job_json(&job, &judge, &game, chosen);
    const json_t *work = json_object_get(json, "work");
    const json_int_t nodes =
        json_integer_value(json_object_get(json_object_get(work, "nodes"), "sf16"));
    assert_int_equal(nodes, json_integer_value(json_object_get(json, "nodes")));
    assert_in_range(nodes * 6 / 7, 2000000, 2000001);
    assert_int_equal(json_integer_value(json_object_get(work, "depth")), IPR_DEPTH_MAX);
    assert_int_equal(json_integer_value(json_object_get(work, "multipv")), 2);
    char *skipped = json_dumps(json_object_get(json, "skipPositions"), JSON_COMPACT);
    assert_string_equal(skipped, "[0,3,4]");
    free(skipped);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_ids), cmocka_unit_test(test_job),
                                        cmocka_unit_test(test_confirmation) };

    return cmocka_run_group_tests_name("fishnet wire", tests, NULL, NULL);
}
