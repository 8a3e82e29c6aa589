#include "db/judged_games.h"

#include <string.h>

#include "pgn/time_class.h"
#include "queries/judged_games_inside.h"

/* Games whose turns are read at once. */
#define CHUNK 500

struct game_row {
    struct ipr_db_judged_game game;
    int64_t turns; /* at most: of all colours */
};

static void fill_game(struct ipr_db_row *r, void *out)
{
    struct game_row *row = out;
    const int result = (int)ipr_db_col_int(r, "result", 0, 3);

    row->turns = ipr_db_col_int(r, "turns", 1, INT32_MAX);
    row->game = (struct ipr_db_judged_game){
        .id = ipr_db_col_i64(r, "id"),
        .year = ipr_db_col_i32(r, "year"),
        .result = (result == 1) - (result == 2),
        .known = result != 0,
        .elo = { ipr_db_col_i32(r, "white_elo"), ipr_db_col_i32(r, "black_elo") },
    };
}

static enum ipr_code list_games(struct ipr_db *db, const struct ipr_db_judged_scope *scope,
                                struct ipr_arena *scratch, struct ipr_arena *mem,
                                struct ipr_db_judged_games *out, size_t *room, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, scope->judge_id);
    ipr_db_p_times(&p, scope->times);
    ipr_db_p_bool(&p, scope->both);
    ipr_db_p_int(&p, scope->limit);
    ipr_db_p_bool(&p, scope->times & IPR_TIME_OWN);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_REPORTED_GAMES, &p, scratch,
                                         sizeof(struct game_row), fill_game, &list, &out->n, err);
    if (rc != IPR_OK)
        return rc;
    const struct game_row *rows = list;

    out->games = ipr_arena_alloc(mem, out->n, sizeof *out->games);
    *room = 0;
    for (size_t i = 0; i < out->n; i++) {
        out->games[i] = rows[i].game;
        *room += (size_t)rows[i].turns;
    }
    return IPR_OK;
}

struct turn_row {
    struct ipr_turn turn;
    int64_t at; /* index of its game in the chunk */
    int16_t cp[2];
};

static void fill_turn(struct ipr_db_row *r, void *out)
{
    struct turn_row *row = out;
    const int legal = (int)ipr_db_col_int(r, "legal", 1, UINT8_MAX);
    const uint8_t entries = legal > 1 ? 2 : 1;

    row->at = ipr_db_col_int(r, "at", 0, CHUNK - 1);
    row->cp[0] = (int16_t)ipr_db_col_int(r, "best_cp", -IPR_CP_LIMIT, IPR_CP_LIMIT);
    row->cp[1] = (int16_t)ipr_db_col_int(r, "played_cp", -IPR_CP_LIMIT, IPR_CP_LIMIT);
    row->turn = (struct ipr_turn){
        .ply = (uint16_t)ipr_db_col_int(r, "ply", 0, UINT16_MAX),
        .mover = (uint8_t)ipr_db_col_int(r, "mover", 0, 1),
        .lines = entries,
        .n_cp = entries,
        .played = (uint8_t)(entries - 1),
        .legal = (uint8_t)legal,
        .repeated = ipr_db_col_bool(r, "repeated"),
    };
}

static enum ipr_code chunk_turns(struct ipr_db *db, const struct ipr_db_judged_scope *scope,
                                 const struct ipr_db_judged_game *games, size_t n,
                                 struct ipr_arena *scratch, struct turn_row **rows, size_t *n_rows,
                                 struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    struct ipr_db_array ids = { 0 };
    void *list = NULL;

    for (size_t i = 0; i < n; i++)
        ipr_db_array_int(&ids, games[i].id);
    ipr_db_p_int(&p, scope->judge_id);
    ipr_db_p_array_take(&p, &ids);
    ipr_db_p_bool(&p, scope->times & IPR_TIME_OWN);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_REPORTED_TURNS, &p, scratch,
                                         sizeof(struct turn_row), fill_turn, &list, n_rows, err);
    if (rc == IPR_OK)
        *rows = list;
    return rc;
}

/* Appends the turns of games[first .. first + n). */
static void take_turns(struct ipr_db_judged_games *out, int16_t *cp, size_t first,
                       const struct turn_row *rows, size_t n_rows)
{
    for (size_t i = 0; i < n_rows; i++) {
        const size_t g = first + (size_t)rows[i].at;
        struct ipr_turn *t = &out->turns[out->n_turns];
        int16_t *own = &cp[2 * out->n_turns];

        memcpy(own, rows[i].cp, sizeof rows[i].cp);
        *t = rows[i].turn;
        t->game = (int32_t)g;
        t->year = out->games[g].year;
        t->cp = own;
        if (out->games[g].n++ == 0)
            out->games[g].first = out->n_turns;
        out->n_turns++;
    }
}

static enum ipr_code list_turns(struct ipr_db *db, const struct ipr_db_judged_scope *scope,
                                struct ipr_arena *mem, struct ipr_db_judged_games *out, size_t room,
                                struct ipr_err *err)
{
    int16_t *cp = ipr_arena_alloc(mem, 2 * room, sizeof *cp);
    enum ipr_code rc = IPR_OK;

    out->turns = ipr_arena_alloc(mem, room, sizeof *out->turns);
    for (size_t i = 0; i < out->n && rc == IPR_OK; i += CHUNK) {
        const size_t n = out->n - i < CHUNK ? out->n - i : CHUNK;
        struct ipr_arena scratch = IPR_ARENA_INIT;
        struct turn_row *rows = NULL;
        size_t n_rows = 0;

        rc = chunk_turns(db, scope, &out->games[i], n, &scratch, &rows, &n_rows, err);
        if (rc == IPR_OK && n_rows > room - out->n_turns)
            rc = ipr_err_set(err, IPR_ERETRY, "games were judged while they were read");
        if (rc == IPR_OK)
            take_turns(out, cp, i, rows, n_rows);
        ipr_arena_release(&scratch);
    }
    return rc;
}

enum ipr_code ipr_db_judged_games(struct ipr_db *db, const struct ipr_db_judged_scope *scope,
                                  struct ipr_arena *mem, struct ipr_db_judged_games *out,
                                  struct ipr_err *err)
{
    struct ipr_db_judged_games all = { 0 };
    struct ipr_arena scratch = IPR_ARENA_INIT;
    size_t room = 0;

    enum ipr_code rc = ipr_db_reported_games_count(db, scope->judge_id, scope->times,
                                                   &all.available, &all.one_sided, err);
    if (rc == IPR_OK)
        rc = list_games(db, scope, &scratch, mem, &all, &room, err);
    ipr_arena_release(&scratch);
    if (rc == IPR_OK)
        rc = list_turns(db, scope, mem, &all, room, err);
    if (rc == IPR_OK)
        *out = all;
    return rc;
}

struct match_row {
    struct ipr_db_match match;
    int64_t available;
};

static void fill_match(struct ipr_db_row *r, void *out)
{
    struct match_row *row = out;

    row->available = ipr_db_col_i64(r, "available");
    ipr_db_fill_match(r, &row->match);
}

enum ipr_code ipr_db_matches(struct ipr_db *db, const struct ipr_db_match_scope *scope,
                             struct ipr_arena *mem, struct ipr_db_match **rows, size_t *n,
                             int64_t *available, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int(&p, scope->judge_id);
    ipr_db_p_times(&p, scope->times);
    ipr_db_p_int(&p, scope->least);
    ipr_db_p_int(&p, scope->back);
    ipr_db_p_int(&p, scope->limit);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_MATCHES, &p, mem, sizeof(struct match_row),
                                         fill_match, &list, n, err);
    if (rc != IPR_OK)
        return rc;
    const struct match_row *found = list;

    *rows = ipr_arena_alloc(mem, *n, sizeof **rows);
    *available = *n > 0 ? found[0].available : 0;
    for (size_t i = 0; i < *n; i++)
        (*rows)[i] = found[i].match;
    return IPR_OK;
}
