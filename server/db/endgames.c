#include "db/endgames.h"

#include "queries/endgames_inside.h"

/* Rows of one game after another. */
static enum ipr_code endgame_gather(const struct ipr_db_endgame_row *rows, size_t n,
                                    struct ipr_arena *mem, struct ipr_db_endgame_game **games,
                                    size_t *n_games, struct ipr_err *err)
{
    struct ipr_db_endgame_turn *const turns = ipr_arena_alloc(mem, n, sizeof *turns);
    struct ipr_db_endgame_game *g = ipr_arena_alloc(mem, n, sizeof *g);

    *games = g;
    *n_games = 0;
    for (size_t i = 0; i < n; i++) {
        turns[i] = rows[i].turn;
        if (i == 0 || rows[i].game_id != rows[i - 1].game_id) {
            g = &(*games)[(*n_games)++];
            *g = (struct ipr_db_endgame_game){ .start = rows[i].start,
                                               .moves = rows[i].moves,
                                               .n_moves = rows[i].n_moves,
                                               .turns = &turns[i] };
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
    struct ipr_db_endgame_row *rows = NULL;
    size_t n_rows = 0;
    const enum ipr_code rc = ipr_db_endgame_rows(db, scope, mem, &rows, &n_rows, err);

    return rc == IPR_OK ? endgame_gather(rows, n_rows, mem, games, n, err) : rc;
}
