/* Games to choose from. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "resource/cursor.h"
#include "resource/write.h"
#include "view/context.h"
#include "view/game/filter.h"

/* "1972-123-1972.07.11": year, id and date of the last game seen. */
static enum ipr_code place_read(const char *after, struct ipr_db_listed_game *out,
                                struct ipr_err *err)
{
    const char *first = after != NULL ? strchr(after, '-') : NULL;
    const char *second = first != NULL ? strchr(first + 1, '-') : NULL;
    int64_t year;

    *out = (struct ipr_db_listed_game){ .date = "" };
    if (after == NULL)
        return IPR_OK;
    if (second == NULL ||
        !ipr_str_int((struct ipr_str){ after, (size_t)(first - after) }, 0, INT16_MAX, &year) ||
        !ipr_str_int((struct ipr_str){ first + 1, (size_t)(second - first - 1) }, 1, INT64_MAX,
                     &out->id))
        return ipr_param_refuse_cursor(err, after);
    out->year = (int)year;
    out->date = second + 1;
    return IPR_OK;
}

/* With its opening, which the database does not know. */
static struct ipr_answer_listed_game list_game(const struct ipr_db_listed_game *g,
                                               struct ipr_arena *mem)
{
    const struct ipr_opening line =
        ipr_opening_of(ipr_str_c(g->eco), &g->start, g->moves, g->n_moves);

    return (struct ipr_answer_listed_game){
        .listed_row = { .row = g, .judged_by = json_loads(g->judged_by, 0, NULL) },
        .played_opening = ipr_opened(&line, mem),
    };
}

/* As lines where those are wanted. */
static void games_listed(const struct ipr_view *v, const struct ipr_db_listed_game *rows, size_t n,
                         struct ipr_list_listed_game *out)
{
    out->at = ipr_arena_alloc(v->mem, n + 1, sizeof *out->at);
    for (size_t i = 0; i < n; i++) {
        out->at[i] = list_game(&rows[i], v->mem);
        if (v->lines == NULL)
            continue;
        json_t *const line = ipr_shape_json(IPR_SHAPE_LISTED_GAME, &out->at[i]);
        char *const text = json_dumps(line, JSON_COMPACT);
        ipr_buf_printf(v->lines, "%s\n", text);
        free(text);
        json_decref(line);
    }
    out->n = v->lines == NULL ? n : 0;
}

/* A judge that is not stored has no games. */
static enum ipr_code games_judge(const struct ipr_view *v, const char *name, int32_t *id,
                                 struct ipr_err *err)
{
    struct ipr_view_context c;

    if (name == NULL)
        return IPR_OK;
    const enum ipr_code rc =
        ipr_setting_for(v, IPR_FOR_LINES, &(struct ipr_setting_scope){ .judge = name }, &c, err);
    if (rc == IPR_OK) {
        *id = c.judge_id != 0 ? c.judge_id : -1;
        ipr_view_context_close(&c);
    }
    return rc;
}

enum ipr_code ipr_fill_games(const struct ipr_view *v, const struct ipr_games_request *p,
                             struct ipr_answer_games *out, struct ipr_err *err)
{
    const struct ipr_resource *r = ipr_resource_at(IPR_RESOURCE_GAMES);
    struct ipr_db_game_filter f = IPR_GAME_FILTER(p);
    struct ipr_db_listed_game after;
    struct ipr_db_listed_game *rows = NULL;
    const size_t limit = (size_t)p->limit;
    size_t n = 0;

    f.created = p->created_since;
    enum ipr_code rc = place_read(p->after, &after, err);
    if (rc == IPR_OK && f.created != NULL)
        rc = ipr_db_upload_since(v->db, f.created, &f.first_upload, err);
    if (rc == IPR_OK)
        rc = games_judge(v, p->judge, &f.judge_id, err);
    if (rc == IPR_OK) /* one more shows whether there is a next page */
        rc = ipr_db_game_list(v->db, &f, ipr_params_text(r, p, "sort"), after.id, after.year,
                              after.date, p->limit + 1, v->mem, &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    games_listed(v, rows, n < limit ? n : limit, &out->games);
    if (n > limit)
        out->next = ipr_arena_printf(v->mem, "%d-%" PRId64 "-%s", rows[limit - 1].year,
                                     rows[limit - 1].id, rows[limit - 1].date);
    return IPR_OK;
}
