/* Games with their evaluations, for other programs. */
#include "view/game/game.h"

#include <inttypes.h>

#include "core/interchange.h"
#include "core/tags_json.h"
#include "db/games.h"
#include "db/turns.h"
#include "resource/cursor.h"
#include "view/context.h"
#include "view/game/filter.h"
#include "view/json.h"

static enum ipr_code game_read(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                               struct ipr_interchange_game *out, struct ipr_err *err)
{
    struct ipr_db_game game;
    enum ipr_code rc = ipr_db_game_get(db, id, mem, &game, err);

    if (rc == IPR_OK)
        rc = ipr_tags_from_json(game.tags_json, mem, &out->tags, &out->n_tags, err);
    if (rc == IPR_OK) {
        out->start = game.start;
        out->custom_start = game.custom_start;
        out->moves = game.moves;
        out->n_moves = game.n_moves;
        out->result = game.result;
    }
    return rc;
}

enum ipr_code ipr_evaluations_line(struct ipr_db *db, int64_t game_id, int32_t judge_id,
                                   const struct ipr_judge *judge, struct ipr_buf *out,
                                   struct ipr_err *err)
{
    struct ipr_interchange_game g = { .judge = *judge };
    struct ipr_arena mem = IPR_ARENA_INIT;

    enum ipr_code rc = game_read(db, game_id, &mem, &g, err);
    if (rc == IPR_OK)
        rc = ipr_db_game_turns(db, judge_id, game_id, &mem, &g.judged, err);
    if (rc == IPR_OK)
        rc = ipr_db_sides_judged(db, judge_id, game_id, &g.sides, err);
    if (rc == IPR_OK)
        ipr_interchange_write(out, &g);
    ipr_arena_release(&mem);
    return rc;
}

/* The same game as a row: with its id. */
static json_t *row_of_line(int64_t id, const struct ipr_buf *line)
{
    json_t *row = json_pack("{s:I}", "id", (json_int_t)id);

    json_object_update_new(row, json_loadb(line->p, line->n, 0, NULL));
    return row;
}

/* As lines of docs/interchange.md where those are wanted, else as rows. */
static enum ipr_code games_write(const struct ipr_view_context *c, const int64_t *ids, size_t n,
                                 json_t *rows, struct ipr_err *err)
{
    struct ipr_buf *const lines = c->v->lines;
    struct ipr_buf line = IPR_BUF_INIT;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        ipr_buf_reset(&line);
        rc = ipr_evaluations_line(c->v->db, ids[i], c->judge_id, &c->judge,
                                  lines != NULL ? lines : &line, err);
        if (rc == IPR_OK && lines == NULL)
            json_array_append_new(rows, row_of_line(ids[i], &line));
    }
    ipr_buf_release(&line);
    return rc;
}

enum ipr_code ipr_fill_evaluations(const struct ipr_view_context *c,
                                   const struct ipr_evaluated_games_request *p, json_t *out,
                                   struct ipr_err *err)
{
    struct ipr_db_game_filter f = IPR_GAME_FILTER(p);
    const struct ipr_view *v = c->v;
    json_t *rows = json_array();
    const size_t limit = (size_t)p->limit;
    int64_t after, *ids = NULL;
    size_t n = 0;

    f.game = p->game;
    f.judge_id = c->judge_id;
    ipr_view_years(p->year, p->from, p->to, &f.from, &f.to);
    enum ipr_code rc = ipr_param_cursor(p->after, INT64_MAX, &after, err);
    if (rc == IPR_OK && c->judge_id != 0) /* one more shows whether there is a next page */
        rc = ipr_db_game_ids(v->db, &f, after, p->limit + 1, v->mem, &ids, &n, err);
    if (rc == IPR_OK)
        rc = games_write(c, ids, n < limit ? n : limit, rows, err);
    json_object_set_new(out, "evaluations", rows);
    json_object_set_new(out, "next",
                        n > limit ? json_sprintf("%" PRId64, ids[limit - 1]) : json_null());
    return rc;
}
