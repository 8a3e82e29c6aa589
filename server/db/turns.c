#include "db/turns.h"

#include <string.h>

#include "base/mem.h"
#include "db/aggregates.h"
#include "db/contribution.h"
#include "db/turn_rows.h"
#include "queries/turns_inside.h"

/* The columns beside the blob, and the blob. */
static void turn_fill(struct ipr_db_row *r, void *out)
{
    struct ipr_judged_turn *t = out;
    const struct ipr_str lines = ipr_db_col_bytes(r, "lines");

    if (r->rc == IPR_OK && ipr_judged_unpack(lines, r->mem, t, NULL) != IPR_OK)
        r->rc = ipr_err_set(r->err, IPR_EDB, "a stored turn is malformed");
    t->ply = (uint16_t)ipr_db_col_int(r, "ply", 0, UINT16_MAX);
    t->mover = (uint8_t)ipr_db_col_int(r, "mover", 0, 1);
    t->legal = (uint8_t)ipr_db_col_int(r, "legal", 1, UINT8_MAX);
    t->played = (uint8_t)ipr_db_col_int(r, "played", 0, UINT8_MAX);
    t->repeated = ipr_db_col_bool(r, "repeated");
    if (r->rc == IPR_OK && t->played >= t->lines)
        r->rc = ipr_err_set(r->err, IPR_EDB, "a stored turn has no line %u", t->played);
}

void ipr_db_fill_judged_turn(struct ipr_db_row *r, void *out)
{
    struct ipr_judged_turn *t = out;

    turn_fill(r, out);
    t->nodes = (uint64_t)ipr_db_col_int(r, "nodes", 0, INT64_MAX);
    t->apart_nodes = (uint64_t)ipr_db_col_int(r, "apart_nodes", 0, INT64_MAX);
}

enum ipr_code ipr_db_game_turns(struct ipr_db *db, int32_t judge_id, int64_t game_id,
                                struct ipr_arena *mem, struct ipr_judged_game *out,
                                struct ipr_err *err)
{
    return ipr_db_turns_of_game(db, game_id, judge_id, mem, &out->turns, &out->n, err);
}

void ipr_db_fill_row_turn(struct ipr_db_row *r, void *out)
{
    struct ipr_db_row_turn *row = out;
    struct ipr_judged_turn *t = &row->judged;

    turn_fill(r, t);
    row->person = ipr_db_col_i32(r, "person");
    row->game_id = ipr_db_col_i64(r, "game_id");
    const int64_t k = ipr_db_col_int(r, "multipv", 1, UINT8_MAX);
    const int64_t lines = k < t->legal ? k : t->legal;

    row->turn = (struct ipr_turn){
        .year = ipr_db_col_i32(r, "year"),
        .ply = t->ply,
        .mover = t->mover,
        .lines = (uint8_t)(lines < t->lines ? lines : t->lines),
        .n_cp = t->lines,
        .played = t->played,
        .legal = t->legal,
        .repeated = t->repeated,
    };
    if (r->rc != IPR_OK)
        return;
    int16_t *cp = ipr_arena_alloc(r->mem, t->lines, sizeof *cp);

    for (unsigned i = 0; i < t->lines; i++)
        cp[i] = ipr_contribution_clamp(ipr_judged_final(t, i));
    row->turn.cp = cp;
}

void ipr_db_fill_transition(struct ipr_db_row *r, void *out)
{
    struct ipr_db_transition *row = out;
    const uint8_t legal = (uint8_t)ipr_db_col_int(r, "legal", 1, UINT8_MAX);
    const uint8_t entries =
        legal > 1 ? 2 : 1; /* forced: one move, not two of which one was played */

    row->game = ipr_db_col_i64(r, "game");
    row->cp[0] = (int16_t)ipr_db_col_int(r, "best_cp", -IPR_CP_LIMIT, IPR_CP_LIMIT);
    row->cp[1] = (int16_t)ipr_db_col_int(r, "played_cp", -IPR_CP_LIMIT, IPR_CP_LIMIT);
    row->turn = (struct ipr_turn){
        .year = ipr_db_col_i32(r, "year"),
        .ply = (uint16_t)ipr_db_col_int(r, "ply", 0, UINT16_MAX),
        .mover = (uint8_t)ipr_db_col_int(r, "mover", 0, 1),
        .lines = entries,
        .n_cp = entries,
        .played = (uint8_t)(entries - 1),
        .legal = legal,
        .repeated = ipr_db_col_bool(r, "repeated"),
    };
}

/* Games are numbered from 0 in ascending order of their ids. */
static struct ipr_turn *number_games(const struct ipr_db_row_turn *rows, size_t n,
                                     struct ipr_arena *mem, int32_t *games)
{
    struct ipr_turn *out = ipr_arena_alloc(mem, n, sizeof *out);
    int32_t game = -1;

    for (size_t i = 0; i < n; i++) {
        if (i == 0 || rows[i].game_id != rows[i - 1].game_id)
            game++;
        out[i] = rows[i].turn;
        out[i].game = game;
    }
    *games = game + 1;
    return out;
}

/* Both lists ascend by the game. */
static void set_game_numbers(struct ipr_db_player_turns *t, const struct ipr_db_row_turn *rows)
{
    size_t k = 0;

    for (size_t i = 0; i < t->n; i++) {
        while (k < t->n_sides && t->sides[k].game_id < rows[i].game_id)
            k++;
        for (size_t s = k; s < t->n_sides && t->sides[s].game_id == rows[i].game_id; s++)
            if (t->sides[s].colour == rows[i].turn.mover)
                t->sides[s].game = t->turns[i].game;
    }
}

struct ipr_db_player_turns ipr_db_player_turns_of(const struct ipr_db_row_turn *rows, size_t n,
                                                  struct ipr_db_player_side *sides, size_t n_sides,
                                                  struct ipr_arena *mem)
{
    struct ipr_db_player_turns t = { .n = n, .sides = sides, .n_sides = n_sides };
    struct ipr_judged_turn *judged = ipr_arena_alloc(mem, n, sizeof *judged);

    t.turns = number_games(rows, n, mem, &t.games);
    for (size_t i = 0; i < n; i++)
        judged[i] = rows[i].judged;
    t.judged = judged;
    set_game_numbers(&t, rows);
    return t;
}

enum ipr_code ipr_db_player_turns(struct ipr_db *db, const struct ipr_db_scope *scope,
                                  int32_t judge_id, struct ipr_arena *mem,
                                  struct ipr_db_player_turns *out, struct ipr_err *err)
{
    struct ipr_db_player_side *sides = NULL;
    struct ipr_db_row_turn *rows = NULL;
    size_t n_sides = 0, n = 0;
    enum ipr_code rc = ipr_db_player_sides(db, scope, judge_id, mem, &sides, &n_sides, err);

    if (rc == IPR_OK)
        rc = ipr_db_player_row_turns(db, scope, judge_id, mem, &rows, &n, err);
    if (rc == IPR_OK)
        *out = ipr_db_player_turns_of(rows, n, sides, n_sides, mem);
    return rc;
}

enum ipr_code ipr_db_player_transitions(struct ipr_db *db, int32_t person, int year,
                                        int32_t judge_id, unsigned times, struct ipr_arena *mem,
                                        struct ipr_turn **turns, size_t *n, struct ipr_err *err)
{
    struct ipr_db_transition *rows = NULL;
    int32_t game = -1;
    const enum ipr_code rc =
        ipr_db_transitions_of_player(db, person, year, judge_id, times, mem, &rows, n, err);

    if (rc != IPR_OK)
        return rc;
    *turns = ipr_arena_alloc(mem, *n, sizeof **turns);
    for (size_t i = 0; i < *n; i++) {
        game += i == 0 || rows[i].game != rows[i - 1].game;
        (*turns)[i] = rows[i].turn;
        (*turns)[i].game = game;
        (*turns)[i].cp = rows[i].cp;
    }
    return IPR_OK;
}

enum ipr_code ipr_db_scope_games(struct ipr_db *db, const struct ipr_db_scope *scope,
                                 int32_t games[IPR_TIME_CLASSES], struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_class_games *rows = NULL;
    struct ipr_db_scope any = *scope;
    size_t n = 0;

    any.times = IPR_TIME_SET_ALL;
    const enum ipr_code rc = ipr_db_scope_classes(db, &any, &mem, &rows, &n, err);
    if (rc == IPR_OK) {
        memset(games, 0, IPR_TIME_CLASSES * sizeof *games);
        for (size_t i = 0; i < n; i++)
            games[rows[i].time_class] = rows[i].games;
    }
    ipr_arena_release(&mem);
    return rc;
}
