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

void ipr_db_fill_turn(struct ipr_db_row *r, void *out)
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
    struct ipr_db_params p = { 0 };
    void *list = NULL;
    size_t n = 0;

    ipr_db_p_int(&p, game_id);
    ipr_db_p_int(&p, judge_id);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_GAME_TURNS, &p, mem, sizeof *out->turns,
                                         ipr_db_fill_turn, &list, &n, err);
    if (rc == IPR_OK)
        *out = (struct ipr_judged_game){ list, n };
    return rc;
}

void ipr_db_fill_row_turn(struct ipr_db_row *r, void *out)
{
    struct ipr_db_row_turn *row = out;
    struct ipr_judged_turn *t = &row->judged;

    turn_fill(r, t);
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

static void turn_fill_transition(struct ipr_db_row *r, void *out)
{
    struct ipr_db_row_turn *row = out;
    int16_t *cp = ipr_arena_alloc(r->mem, 2, sizeof *cp);

    const uint8_t legal = (uint8_t)ipr_db_col_int(r, "legal", 1, UINT8_MAX);
    const bool forced = legal == 1; /* one move, not two of which one was played */

    cp[0] = (int16_t)ipr_db_col_int(r, "best_cp", -IPR_CP_LIMIT, IPR_CP_LIMIT);
    cp[1] = (int16_t)ipr_db_col_int(r, "played_cp", -IPR_CP_LIMIT, IPR_CP_LIMIT);
    row->game_id = ipr_db_col_i64(r, "game_id");
    row->turn = (struct ipr_turn){
        .year = ipr_db_col_i32(r, "year"),
        .ply = (uint16_t)ipr_db_col_int(r, "ply", 0, UINT16_MAX),
        .mover = (uint8_t)ipr_db_col_int(r, "mover", 0, 1),
        .lines = forced ? 1 : 2,
        .n_cp = forced ? 1 : 2,
        .played = forced ? 0 : 1,
        .legal = legal,
        .repeated = ipr_db_col_bool(r, "repeated"),
        .cp = cp,
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

void ipr_db_p_scope(struct ipr_db_params *p, const struct ipr_db_scope *scope)
{
    ipr_db_p_int(p, scope->person);
    ipr_db_p_int(p, scope->from);
    ipr_db_p_int(p, scope->to);
    ipr_db_p_int(p, scope->event);
    ipr_db_p_int(p, scope->colours);
    ipr_db_p_times(p, scope->times);
}

void ipr_db_fill_player_side(struct ipr_db_row *r, void *out)
{
    *(struct ipr_db_player_side *)out = (struct ipr_db_player_side){
        .game_id = ipr_db_col_i64(r, "id"),
        .game = -1,
        .turns = (int32_t)ipr_db_col_int(r, "turns", -1, INT32_MAX),
        .year = ipr_db_col_i32(r, "year"),
        .plies = (int)ipr_db_col_int(r, "plies", 0, INT16_MAX),
        .colour = (int)ipr_db_col_int(r, "colour", 0, 1),
        .half_points = (int)ipr_db_col_int(r, "half_points", -1, 2),
        .elo = ipr_db_col_i32(r, "elo"),
        .opponent_elo = ipr_db_col_i32(r, "opponent_elo"),
        .opponent = ipr_db_col_i32(r, "opponent"),
        .opponent_name = ipr_db_col_text(r, "opponent_name"),
        .date = ipr_db_col_text(r, "date"),
    };
}

static enum ipr_code sides_of(struct ipr_db *db, const struct ipr_db_scope *scope, int32_t judge_id,
                              struct ipr_arena *mem, struct ipr_db_player_turns *t,
                              struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_scope(&p, scope);
    ipr_db_p_int(&p, judge_id);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_PLAYER_SIDES, &p, mem, sizeof *t->sides,
                                         ipr_db_fill_player_side, &list, &t->n_sides, err);
    if (rc == IPR_OK)
        t->sides = list;
    return rc;
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

static enum ipr_code turns_of(struct ipr_db *db, const struct ipr_db_scope *scope, int32_t judge_id,
                              struct ipr_arena *mem, struct ipr_db_player_turns *t,
                              struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;
    size_t n = 0;

    ipr_db_p_scope(&p, scope);
    ipr_db_p_int(&p, judge_id);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_PLAYER_TURNS, &p, mem, sizeof(struct ipr_db_row_turn),
                    ipr_db_fill_row_turn, &list, &n, err);
    if (rc == IPR_OK)
        *t = ipr_db_player_turns_of(list, n, t->sides, t->n_sides, mem);
    return rc;
}

enum ipr_code ipr_db_player_turns(struct ipr_db *db, const struct ipr_db_scope *scope,
                                  int32_t judge_id, struct ipr_arena *mem,
                                  struct ipr_db_player_turns *out, struct ipr_err *err)
{
    struct ipr_db_player_turns t = { 0 };
    enum ipr_code rc = sides_of(db, scope, judge_id, mem, &t, err);

    if (rc == IPR_OK)
        rc = turns_of(db, scope, judge_id, mem, &t, err);
    if (rc == IPR_OK)
        *out = t;
    return rc;
}

enum ipr_code ipr_db_player_transitions(struct ipr_db *db, int32_t person, int year,
                                        int32_t judge_id, unsigned times, struct ipr_arena *mem,
                                        struct ipr_turn **turns, size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;
    int32_t games;

    ipr_db_p_int(&p, person);
    ipr_db_p_int(&p, year);
    ipr_db_p_int(&p, judge_id);
    ipr_db_p_times(&p, times);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_PLAYER_TRANSITIONS, &p, mem, sizeof(struct ipr_db_row_turn),
                    turn_fill_transition, &list, n, err);
    if (rc == IPR_OK)
        *turns = number_games(list, *n, mem, &games);
    return rc;
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
