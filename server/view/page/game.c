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

/* The notes after `ply` half-moves, from the `*at`th on, but for the clock. */
static json_t *notes_after(const json_t *notes, size_t *at, json_int_t ply, int64_t *clock_ms)
{
    json_t *const own = json_array();
    json_t *note;

    for (; (note = row_at(notes, *at, ply)) != NULL; ++*at) {
        if (json_object_get(note, "clock_ms") != NULL)
            *clock_ms = json_integer_value(json_object_get(note, "clock_ms"));
        else
            json_array_append(own, note);
    }
    return own;
}

/* The engine's first choice may be better than the move played. */
static void move_put_turn(json_t *turn, struct ipr_page_move *move)
{
    json_t *const best = json_object_get(turn, "best");

    move->turn = json_incref(turn);
    if (ipr_json_at(turn, "rank", 1.0) >= 2.0 &&
        !json_equal(json_object_get(best, "score"), ipr_json_find(turn, "played.score")))
        move->better = json_incref(best);
}

/* The lists are in the order of the moves; that of states includes the start, and each list may
 * omit moves. */
static void moves_put_rows(const json_t *resource, size_t n, struct ipr_page_move *moves,
                           struct ipr_page_game *page)
{
    const json_t *const turns = json_object_get(resource, "turns"),
                        *const notes = json_object_get(resource, "notes"),
                        *const states = json_object_get(resource, "states"),
                        *const endgame = json_object_get(resource, "endgame");
    size_t turn = 0, note = 0, state = 0, truth = 0;
    int64_t before;
    json_t *row;

    page->notes = notes_after(notes, &note, 0, &before);
    state += row_at(states, 0, 0) != NULL;
    for (size_t i = 0; i < n; i++) {
        struct ipr_page_move *const move = &moves[i];
        const json_int_t ply = (json_int_t)i;

        if ((row = row_at(turns, turn, ply)) != NULL && ++turn)
            move_put_turn(row, move);
        if ((row = row_at(endgame, truth, ply)) != NULL && ++truth) {
            move->truth = json_incref(row);
            move->changed =
                strcmp(ipr_json_text_at(row, "before"), ipr_json_text_at(row, "after")) != 0;
        }
        move->notes = notes_after(notes, &note, ply + 1, &move->clock_ms);
        if ((row = row_at(states, state, ply + 1)) != NULL && ++state) {
            move->state = ipr_json_text_at(row, "state");
            move->check = ipr_json_true_at(row, "check");
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

bool ipr_page_game(void *resource, void *out, struct ipr_arena *mem)
{
    const json_t *const moves = json_object_get(resource, "moves");
    const size_t n = json_array_size(moves);
    struct ipr_page_move *const own = ipr_shape_list(IPR_SHAPE_PAGE_MOVE, n, mem);
    struct ipr_page_game *const page = out;
    json_t *row;
    size_t i;

    if (!json_is_array(moves))
        return false;
    page->title = ipr_arena_printf(mem, "%s – %s, %s",
                                   ipr_name_spoken(ipr_json_text_at(resource, "white.name"), mem),
                                   ipr_name_spoken(ipr_json_text_at(resource, "black.name"), mem),
                                   ipr_json_text_at(resource, "result"));
    page->figures_alone = game_figures_alone(resource);
    moves_put_rows(resource, n, own, page);
    json_array_foreach(json_object_get(resource, "figures"), i, row) {
        const size_t ply = (size_t)ipr_json_at(row, "ply", 0.0);

        if (ply < n)
            own[ply].figure = json_incref(row);
    }
    ipr_page_board(resource, own, page, mem);
    json_array_foreach(moves, i, row)
        ipr_page_put(row, IPR_SHAPE_PAGE_MOVE, &own[i]);
    return true;
}
