/* The page of one game: the data of each move, beside it. */
#include "view/page/page.h"

#include <string.h>

#include "core/champions.h"
#include "view/json.h"

static json_t *row_at(const json_t *list, size_t i, json_int_t ply)
{
    json_t *const row = json_array_get(list, i);

    return row != NULL && json_integer_value(json_object_get(row, "ply")) == ply ? row : NULL;
}

/* Sets "notes" and "clock_ms": the notes after `ply` half-moves, from the `*at`th note on. */
static void put_move_notes(const json_t *notes, size_t *at, json_int_t ply, json_t *move)
{
    json_t *const own = json_array();
    json_t *note;

    for (; (note = row_at(notes, *at, ply)) != NULL; ++*at) {
        if (json_object_get(note, "clock_ms") != NULL)
            json_object_set(move, "clock_ms", json_object_get(note, "clock_ms"));
        else
            json_array_append(own, note);
    }
    json_object_set_new(move, "notes", own);
}

/* Sets "turn", what it says of the move's cost, and "better" if the engine's first choice is better
 * than the move played. */
static void put_move_turn(json_t *turn, json_t *move)
{
    json_t *const best = json_object_get(turn, "best");

    json_object_set(move, "turn", turn);
    json_object_set(move, "cost", turn);
    if (ipr_json_at(turn, "rank", 1.0) >= 2.0 &&
        !json_equal(json_object_get(best, "score"), ipr_json_find(turn, "played.score")))
        json_object_set(move, "better", best);
}

static void put_move_truth(json_t *truth, json_t *move)
{
    json_object_set_new(truth, "changed",
                        json_boolean(strcmp(ipr_json_text_at(truth, "before"),
                                            ipr_json_text_at(truth, "after")) != 0));
    json_object_set(move, "truth", truth);
}

/* The lists are in the order of the moves; that of states includes the start, and each list may
 * omit moves. */
static void put_moves(json_t *resource, json_t *page)
{
    const json_t *const turns = json_object_get(resource, "turns"),
                        *const notes = json_object_get(resource, "notes"),
                        *const states = json_object_get(resource, "states"),
                        *const endgame = json_object_get(resource, "endgame");
    size_t turn = 0, note = 0, state = 0, truth = 0;
    json_t *move, *row;
    size_t i;

    put_move_notes(notes, &note, 0, page); /* the notes before the first move */
    state += row_at(states, 0, 0) != NULL;
    json_array_foreach(json_object_get(resource, "moves"), i, move) {
        const json_int_t ply = (json_int_t)i;

        if ((row = row_at(turns, turn, ply)) != NULL && ++turn)
            put_move_turn(row, move);
        if ((row = row_at(endgame, truth, ply)) != NULL && ++truth)
            put_move_truth(row, move);
        put_move_notes(notes, &note, ply + 1, move);
        if ((row = row_at(states, state, ply + 1)) != NULL && ++state) {
            json_object_set(move, "state", json_object_get(row, "state"));
            json_object_set(move, "check", json_object_get(row, "check"));
        }
    }
}

/* The engine setting shown has analysed the game, but no move has its evaluation. */
static bool game_figures_alone(const json_t *resource)
{
    const json_t *row, *const judge = ipr_json_find(resource, "judge.id");
    size_t i;

    json_array_foreach(json_object_get(resource, "judged_by"), i, row)
        if (json_equal(ipr_json_find(row, "judge.id"), judge))
            return json_array_size(json_object_get(resource, "turns")) == 0;
    return false;
}

/* Moves of which only figures are stored, for the table; and beside the move, where it is known. */
static void put_figures(const json_t *resource)
{
    const json_t *const moves = json_object_get(resource, "moves");
    json_t *row;
    size_t i;

    json_array_foreach(json_object_get(resource, "figures"), i, row) {
        json_t *const move = json_array_get(moves, (size_t)ipr_json_at(row, "ply", 0.0));

        if (move == NULL)
            continue;
        json_object_set(move, "figure", row);
        if (json_object_get(move, "cost") == NULL)
            json_object_set(move, "cost", row);
    }
}

bool ipr_page_game(json_t *resource, json_t *page)
{
    struct ipr_arena mem = IPR_ARENA_INIT;

    if (!json_is_array(json_object_get(resource, "moves")))
        return false;
    json_object_set_new(
        page, "title",
        ipr_page_format("%s – %s, %s",
                        ipr_name_spoken(ipr_json_text_at(resource, "white.name"), &mem),
                        ipr_name_spoken(ipr_json_text_at(resource, "black.name"), &mem),
                        ipr_json_text_at(resource, "result")));
    ipr_arena_release(&mem);
    json_object_set_new(page, "figures_alone", json_boolean(game_figures_alone(resource)));
    put_moves(resource, page);
    put_figures(resource);
    ipr_page_board(resource, page);
    return true;
}
