#include "db/games.h"

#include "base/mem.h"
#include "db/pq.h"

static void fill_stored_game(struct ipr_db_row *r, void *out)
{
    struct ipr_db_game *g = out;

    g->id = ipr_db_col_i64(r, "id");
    g->white_id = ipr_db_col_i32(r, "white_id");
    g->black_id = ipr_db_col_i32(r, "black_id");
    g->white = ipr_db_col_text(r, "white");
    g->black = ipr_db_col_text(r, "black");
    g->event_id = ipr_db_col_i32(r, "event_id");
    g->event = ipr_db_col_text(r, "event");
    g->site = ipr_db_col_text(r, "site");
    g->date = ipr_db_col_text(r, "date");
    g->round = ipr_db_col_text(r, "round");
    g->tags_json = ipr_db_col_text(r, "tags");
    g->year = ipr_db_col_i32(r, "year");
    g->white_elo = ipr_db_col_i32_or(r, "white_elo", 0);
    g->black_elo = ipr_db_col_i32_or(r, "black_elo", 0);
    g->result = (enum ipr_result)ipr_db_col_int(r, "result", IPR_RESULT_UNKNOWN, IPR_DRAW);
    g->time_class = (enum ipr_time_class)ipr_db_col_int(r, "time_class", 0, IPR_TIME_CLASSES - 1);
    g->time_known = (enum ipr_time_known)ipr_db_col_int(r, "time_known", 0, IPR_TIME_INFERRED);
    g->notes = ipr_db_col_bytes_or(r, "notes");
    g->custom_start = ipr_db_col_start(r, "start_fen", &g->start);
    g->moves = ipr_db_col_moves(r, "moves", &g->n_moves);
}

enum ipr_code ipr_db_game_get(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                              struct ipr_db_game *out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, id);
    return ipr_db_one(db, IPR_Q_GAME_GET, &p, mem, sizeof *out, fill_stored_game, out,
                      "no such game", err);
}
