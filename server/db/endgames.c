#include "db/endgames.h"

#include "queries/endgames_inside.h"

#define COLUMNS 7

enum ipr_code ipr_db_endgame_store(struct ipr_db *db, int64_t game_id,
                                   const struct ipr_db_endgame_turn *turns, size_t n,
                                   struct ipr_err *err)
{
    struct ipr_db_array column[COLUMNS] = { 0 };
    struct ipr_db_params p = { 0 };

    if (n == 0)
        return IPR_OK;
    for (size_t i = 0; i < n; i++) {
        const struct ipr_db_endgame_turn *const t = &turns[i];
        const int value[COLUMNS] = { t->ply,   t->mover,      t->men,      t->before,
                                     t->after, t->dtz_before, t->dtz_after };

        for (size_t c = 0; c < COLUMNS; c++)
            ipr_db_array_int(&column[c], value[c]);
    }
    ipr_db_p_int(&p, game_id);
    for (size_t c = 0; c < COLUMNS; c++)
        ipr_db_p_array_take(&p, &column[c]);
    return ipr_db_exec(db, IPR_Q_ENDGAME_PUT, &p, NULL, err);
}

/* A turn, and with the first one of a game the game. */
struct scope_row {
    int64_t game_id;
    struct ipr_db_endgame_turn turn;
    struct ipr_db_endgame_game game;
};

static void endgame_fill_row(struct ipr_db_row *r, void *out)
{
    struct scope_row *const row = out;

    row->game_id = ipr_db_col_i64(r, "game_id");
    ipr_db_fill_endgame_turn(r, &row->turn);
    if (!ipr_db_col_bool(r, "first"))
        return;
    ipr_db_col_start(r, "start_fen", &row->game.start);
    row->game.moves = ipr_db_col_moves(r, "moves", &row->game.n_moves);
}

/* Rows of one game after another. */
static enum ipr_code endgame_gather(const struct scope_row *rows, size_t n, struct ipr_arena *mem,
                                    struct ipr_db_endgame_game **games, size_t *n_games,
                                    struct ipr_err *err)
{
    struct ipr_db_endgame_turn *const turns = ipr_arena_alloc(mem, n, sizeof *turns);
    struct ipr_db_endgame_game *g = ipr_arena_alloc(mem, n, sizeof *g);

    *games = g;
    *n_games = 0;
    for (size_t i = 0; i < n; i++) {
        turns[i] = rows[i].turn;
        if (i == 0 || rows[i].game_id != rows[i - 1].game_id) {
            g = &(*games)[(*n_games)++];
            *g = rows[i].game;
            g->turns = &turns[i];
        }
        g->n++;
        if (turns[i].ply >= g->n_moves)
            return ipr_err_set(err, IPR_EDB, "game %lld ends before the turn at %u",
                               (long long)rows[i].game_id, turns[i].ply);
    }
    return IPR_OK;
}

enum ipr_code ipr_db_endgame_scope(struct ipr_db *db, const struct ipr_db_scope *scope,
                                   struct ipr_arena *mem, struct ipr_db_endgame_game **games,
                                   size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *rows = NULL;
    size_t n_rows = 0;

    ipr_db_p_scope(&p, scope);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_ENDGAME_SCOPE, &p, mem, sizeof(struct scope_row),
                                         endgame_fill_row, &rows, &n_rows, err);
    if (rc != IPR_OK)
        return rc;
    return endgame_gather(rows, n_rows, mem, games, n, err);
}
