/* Structures of answers: what the writer makes of what is known and unknown, and reading it back.
 */
#include <math.h>
#include <string.h>

#include "ipr_test.h"

#include "db/monitor.h"
#include "db/tournaments.h"
#include "view/figure/shape.h"

/* Written as JSON it is `want` (with ' for "), and the same when that is read and written again. */
static void assert_written(enum ipr_shape_id id, const void *at, const char *want)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    json_error_t why;
    json_t *wanted = json_loads(want, JSON_REJECT_DUPLICATES, &why), *got = ipr_shape_json(id, at);
    void *read;

    if (wanted == NULL)
        fail_msg("%s at %d", why.text, why.position);
    if (!json_equal(wanted, got))
        fail_msg("%s is %s", ipr_shape(id)->name, json_dumps(got, JSON_SORT_KEYS));
    if (ipr_shape(id)->size > 0) {
        read = ipr_shape_new(id, &mem);
        ipr_shape_read(id, got, &mem, read);
        json_t *again = ipr_shape_json(id, read);

        if (!json_equal(wanted, again))
            fail_msg("%s read is %s", ipr_shape(id)->name, json_dumps(again, JSON_SORT_KEYS));
        json_decref(again);
    }
    json_decref(wanted);
    json_decref(got);
    ipr_arena_release(&mem);
}

static void blank_has_no_zeros(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const struct ipr_answer_match_loss *const loss = ipr_shape_new(IPR_SHAPE_MATCH_LOSS, &mem);
    const struct ipr_answer_games *const games = ipr_shape_new(IPR_SHAPE_GAMES, &mem);
    const struct ipr_answer_tails *const tails = ipr_shape_new(IPR_SHAPE_TAILS, &mem);

    (void)state;
    assert_written(IPR_SHAPE_MATCH_LOSS, loss,
                   "{\"predictor\": null, \"log_loss\": null, \"difference\": null,"
                   " \"standard_error\": null, \"interval\": null}");
    assert_written(IPR_SHAPE_GAMES, games, "{\"next\": null, \"games\": []}");
    assert_written(IPR_SHAPE_TAILS, tails, "{\"mm\": null, \"ad\": null}");
    ipr_arena_release(&mem);
}

static void row_and_members_beside_it(void **state)
{
    struct ipr_db_tournament t = { .id = 7, .name = "Cup", .games = 12, .players = 4 };
    const struct ipr_answer_event_list_row row = { .row = &t, .counted_all = true };

    (void)state;
    assert_written(
        IPR_SHAPE_EVENT_LIST_ROW, &row,
        "{\"id\": 7, \"name\": \"Cup\", \"year\": null, \"games\": 12, \"players\": 4,"
        " \"games_judged\": 0, \"games_analysed\": 0, \"part\": false, \"counted_all\": true}");
}

static void rows_are_the_list(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const struct ipr_db_waiting_game rows[] = { { .id = 1,
                                                  .game_id = 2,
                                                  .judge = "rating",
                                                  .program = "stockfish",
                                                  .owner = "local",
                                                  .priority = 5,
                                                  .place = 3 } };
    struct ipr_answer_queue *const queue = ipr_shape_new(IPR_SHAPE_QUEUE, &mem);

    (void)state;
    queue->waiting.at = rows;
    queue->waiting.n = 1;
    json_t *const out = ipr_shape_json(IPR_SHAPE_QUEUE, queue);
    const json_t *const game = json_array_get(json_object_get(out, "waiting"), 0);
    assert_string_equal(json_string_value(json_object_get(game, "judge")), "rating");
    assert_int_equal(json_integer_value(json_object_get(game, "place")), 3);
    assert_true(json_is_null(json_object_get(game, "white")));
    json_decref(out);
    ipr_arena_release(&mem);
}

static void one_of_several_types(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_answer_evaluated_move *const moves =
        ipr_shape_list(IPR_SHAPE_EVALUATED_MOVE, 3, &mem);
    struct ipr_answer_mate mate = { .mate = -1 };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        moves[i].uci = "e2e4";
        moves[i].san = "e4";
        moves[i].fen = "x";
    }
    moves[0].score.count = -1;
    moves[1].score.mate = &mate;
    assert_written(IPR_SHAPE_EVALUATED_MOVE, &moves[0],
                   "{\"uci\": \"e2e4\", \"san\": \"e4\", \"fen\": \"x\", \"score\": -1}");
    assert_written(
        IPR_SHAPE_EVALUATED_MOVE, &moves[1],
        "{\"uci\": \"e2e4\", \"san\": \"e4\", \"fen\": \"x\", \"score\": {\"mate\": -1}}");
    assert_written(IPR_SHAPE_EVALUATED_MOVE, &moves[2],
                   "{\"uci\": \"e2e4\", \"san\": \"e4\", \"fen\": \"x\", \"score\": null}");
    ipr_arena_release(&mem);
}

static void maps_matrices_and_gaps(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_in_map_text tags[] = { { "White", "A" }, { "Black", "B" } };
    struct ipr_answer_evaluated_game *const game = ipr_shape_new(IPR_SHAPE_EVALUATED_GAME, &mem);
    struct ipr_answer_markov_pool *const pool = ipr_shape_new(IPR_SHAPE_MARKOV_POOL, &mem);
    struct ipr_answer_set_row *const row = ipr_shape_new(IPR_SHAPE_SET_ROW, &mem);
    int64_t moves[] = { -20, 30, 4, 0, 10, 2 };

    (void)state;
    game->tags.at = tags;
    game->tags.n = 2;
    game->moves.text = "e2e4";
    json_t *out = ipr_shape_json(IPR_SHAPE_EVALUATED_GAME, game);
    assert_string_equal(json_string_value(json_object_get(json_object_get(out, "tags"), "Black")),
                        "B");
    assert_string_equal(json_string_value(json_object_get(out, "moves")), "e2e4");
    json_decref(out);

    pool->transitions.at = moves;
    pool->transitions.n = 2;
    pool->transitions.columns = 3;
    out = ipr_shape_json(IPR_SHAPE_MARKOV_POOL, pool);
    json_t *const wanted = json_pack("[[i, i, i], [i, i, i]]", -20, 30, 4, 0, 10, 2);
    assert_true(json_equal(json_object_get(out, "transitions"), wanted));
    json_decref(wanted);
    json_decref(out);

    row->set = "1";
    row->label = "one";
    row->against.at = ipr_shape_list(IPR_SHAPE_SET_CELL, 2, &mem);
    row->against.n = 2;
    row->against.at[1].expected = .5;
    row->against.at[1].higher = .25;
    assert_written(IPR_SHAPE_SET_ROW, row,
                   "{\"set\": \"1\", \"label\": \"one\", \"against\": [null,"
                   " {\"expected\": 0.5, \"interval\": null, \"higher\": 0.25}]}");
    ipr_arena_release(&mem);
}

/* A shape of answers.def with the members of one of figures, and a member that only pages have. */
static void base_of_figures_and_page(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_answer_all_player_year *const row = ipr_shape_new(IPR_SHAPE_ALL_PLAYER_YEAR, &mem);
    struct ipr_answer_flagged_move move = { 18, 9, "w", "Nf3", "found", "Nf3", .125, "!" };

    (void)state;
    row->player = ipr_named(7, "A");
    row->games = 3;
    assert_int_equal(row->year_row.games, 3);
    json_t *out = ipr_shape_json(IPR_SHAPE_ALL_PLAYER_YEAR, row);
    assert_true(json_is_null(json_object_get(out, "year")));
    assert_true(json_is_object(json_object_get(out, "rating")));
    assert_int_equal(json_integer_value(json_object_get(out, "games")), 3);
    json_decref(out);
    assert_written(IPR_SHAPE_FLAGGED_MOVE, &move,
                   "{\"ply\": 18, \"number\": 9, \"mover\": \"w\", \"san\": \"Nf3\","
                   " \"mark\": \"found\", \"best\": \"Nf3\", \"points_lost\": 0.125}");
    out = ipr_shape_page_json(IPR_SHAPE_FLAGGED_MOVE, &move);
    assert_string_equal(json_string_value(json_object_get(out, "glyph")), "!");
    json_decref(out);
    ipr_arena_release(&mem);
}

static void absent_or_null(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_answer_note_search *const note = ipr_shape_new(IPR_SHAPE_NOTE_SEARCH, &mem);
    struct ipr_answer_rho_fit *const fit = ipr_shape_new(IPR_SHAPE_RHO_FIT, &mem);

    (void)state;
    note->uci = "e2e4";
    note->san = "e4";
    note->value = -3;
    note->depth = 7;
    note->seldepth = IPR_NULL_COUNT;
    note->tbhits = 0;
    assert_written(IPR_SHAPE_NOTE_SEARCH, note,
                   "{\"uci\": \"e2e4\", \"san\": \"e4\", \"value\": -3, \"depth\": 7,"
                   " \"seldepth\": null, \"tbhits\": 0}");
    fit->best = IPR_NULL;
    fit->reason = "too few games";
    assert_written(IPR_SHAPE_RHO_FIT, fit, "{\"best\": null, \"reason\": \"too few games\"}");
    ipr_arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blank_has_no_zeros),       cmocka_unit_test(row_and_members_beside_it),
        cmocka_unit_test(rows_are_the_list),        cmocka_unit_test(one_of_several_types),
        cmocka_unit_test(maps_matrices_and_gaps),   cmocka_unit_test(absent_or_null),
        cmocka_unit_test(base_of_figures_and_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
