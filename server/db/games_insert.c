/* New games. */
#include "base/mem.h"
#include "db/copy.h"
#include "queries/games_inside.h"

#define FIELDS 22 /* of copy_sql */

/* Not among sql/queries: a COPY cannot be prepared. Its order is that of copy_game. */
static const char copy_sql[] =
    "COPY public.game (id, upload_id, ordinal, white_id, black_id, year, date, event_id, site, "
    "round,"
    " result, white_elo, black_elo, plies, start_fen, moves, moves_key, stem, time_class,"
    " time_known, tags, notes) FROM STDIN (FORMAT binary)";

static enum ipr_code take_ids(struct ipr_db *db, struct ipr_db_new_game *const *g, size_t n,
                              struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    int64_t *ids = NULL;
    size_t found = 0;
    const enum ipr_code rc = ipr_db_game_ids_take(db, (int64_t)n, &mem, &ids, &found, err);

    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        g[i]->id = ids[i];
    ipr_arena_release(&mem);
    return rc;
}

static void add_elo(struct ipr_db_copy *c, int elo)
{
    if (elo > 0 && elo <= INT16_MAX)
        ipr_db_copy_i16(c, elo);
    else
        ipr_db_copy_null(c);
}

static void copy_game(struct ipr_db_copy *c, int64_t upload_id, const struct ipr_db_new_game *g,
                      struct ipr_buf *scratch)
{
    ipr_db_copy_row(c, FIELDS);
    ipr_db_copy_i64(c, g->id);
    ipr_db_copy_i64(c, upload_id);
    ipr_db_copy_i32(c, g->ordinal);
    ipr_db_copy_i32(c, g->white_id.id);
    ipr_db_copy_i32(c, g->black_id.id);
    ipr_db_copy_i16(c, g->year);
    ipr_db_copy_text(c, g->date);
    ipr_db_copy_i32(c, g->event_id);
    ipr_db_copy_text(c, g->site);
    ipr_db_copy_text(c, g->round);
    ipr_db_copy_i16(c, g->result);
    add_elo(c, g->white_elo);
    add_elo(c, g->black_elo);
    ipr_db_copy_i16(c, (int64_t)g->n_moves);
    ipr_db_copy_text(c, g->start_fen);
    ipr_buf_reset(scratch);
    ipr_db_moves_bytes(g->moves, g->n_moves, scratch);
    ipr_db_copy_bytes(c, scratch->p, scratch->n);
    ipr_db_copy_i64(c, g->moves_key);
    ipr_db_copy_i32(c, g->stem);
    ipr_db_copy_i16(c, g->time_class);
    ipr_db_copy_i16(c, g->time_known);
    ipr_db_copy_text(c, g->tags_json);
    if (g->notes.n > 0)
        ipr_db_copy_bytes(c, g->notes.p, g->notes.n);
    else
        ipr_db_copy_null(c);
}

enum ipr_code ipr_db_games_insert(struct ipr_db *db, int64_t upload_id,
                                  struct ipr_db_new_game *const *games, size_t n,
                                  struct ipr_err *err)
{
    struct ipr_buf scratch = IPR_BUF_INIT;
    struct ipr_db_copy copy;

    for (size_t i = 0; i < n; i++)
        if (games[i]->n_moves > INT16_MAX || games[i]->year < 0 || games[i]->year > 9999)
            return ipr_err_set(err, IPR_EINVAL, "game %d: %zu plies, year %d",
                               (int)games[i]->ordinal, games[i]->n_moves, games[i]->year);
    if (n == 0)
        return IPR_OK;
    enum ipr_code rc = take_ids(db, games, n, err);
    if (rc == IPR_OK)
        rc = ipr_db_copy_begin(db, copy_sql, &copy, err);
    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < n; i++)
        copy_game(&copy, upload_id, games[i], &scratch);
    ipr_buf_release(&scratch);
    return ipr_db_copy_end(&copy, err);
}
