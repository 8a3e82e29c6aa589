/* The player-years of all players with their ratings. */
#include <inttypes.h>
#include <string.h>

#include "db/listed_years.h"
#include "db/lists.h"
#include "resource/cursor.h"
#include "resource/write.h"
#include "view/context.h"
#include "view/figure/figure.h"
#include "view/json.h"
#include "view/rating/rate.h"

#define ALSO      IPR_RATE_BAYES
#define PAGE      200 /* player-years rated at once before they are sorted by their ratings */
#define BUDGET    20  /* per page: these ratings take longer than those of other lists */
#define UNLIMITED UINT_MAX

static struct ipr_db_player_year_filter years_filter(const struct ipr_view_context *c,
                                                     const struct ipr_all_player_years_request *p)
{
    const bool active = p->active == IPR_ALL_PLAYER_YEARS_ACTIVE_TRUE;
    const bool passive = p->active == IPR_ALL_PLAYER_YEARS_ACTIVE_FALSE;

    return (struct ipr_db_player_year_filter){
        .judge_id = c->judge_id,
        .times = c->times,
        .player = p->player,
        .event = p->event,
        .turns_from = p->turns_from,
        .counted_from = active ? IPR_VIEW_ACTIVE_TURNS : 0,
        .counted_to = passive ? IPR_VIEW_ACTIVE_TURNS - 1 : 0,
        .calibration_id = c->calibration_id,
        .mismatch = c->mismatch,
        .methods = ipr_method_versions(),
    };
}

/* Rates a page of those that are not rated yet; *n is set to their number. */
static enum ipr_code rate_page(const struct ipr_view_context *c,
                               const struct ipr_db_player_year_filter *f, int *player, int *year,
                               unsigned *budget, size_t *n, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_view view = *c->v;
    struct ipr_view_context own = *c;
    struct ipr_db_player_year *rows = NULL;
    json_t *list = json_array();

    view.mem = &mem;
    own.v = &view;
    enum ipr_code rc =
        ipr_db_player_year_list(view.db, f, "player", *player, *year,
                                *budget < PAGE ? (int)*budget : PAGE, &mem, &rows, n, err);
    if (rc == IPR_OK)
        rc = ipr_view_add_year_rows(&own, NULL, rows, *n, ALSO, true, budget, list, err);
    if (rc == IPR_OK && *n > 0) {
        *player = rows[*n - 1].player_id;
        *year = rows[*n - 1].year;
    }
    json_decref(list);
    ipr_arena_release(&mem);
    return rc;
}

/* Computes their IPRs before they are sorted by them: those without one would be last. */
static enum ipr_code rate_all(const struct ipr_view_context *c, struct ipr_db_player_year_filter f,
                              unsigned *budget, struct ipr_err *err)
{
    int player = 0, year = 0;
    size_t n = 1;
    enum ipr_code rc = IPR_OK;

    f.uncached = true;
    if (f.turns_from < IPR_VIEW_MIN_TURNS)
        f.turns_from = IPR_VIEW_MIN_TURNS;
    while (rc == IPR_OK && n > 0 && *budget > 0 && ipr_view_go_on(c->v))
        rc = rate_page(c, &f, &player, &year, budget, &n, err);
    return rc;
}

/* A page and one more, which tells whether there is a next one. */
static enum ipr_code years_list(const struct ipr_view_context *c,
                                const struct ipr_all_player_years_request *p,
                                const struct ipr_db_player_year_filter *f, int32_t after_player,
                                int after_year, struct ipr_db_player_year **rows, size_t *n,
                                struct ipr_err *err)
{
    const char *sort = ipr_params_text(ipr_resource_at(IPR_RESOURCE_ALL_PLAYER_YEARS), p, "sort");

    return ipr_db_player_year_list(c->v->db, f, sort, after_player, after_year, p->limit + 1,
                                   c->v->mem, rows, n, err);
}

/* The row that a cursor names, as long as the list has it; one without a rating is rated, as the
 * order may go by it. */
static enum ipr_code cursor_still_there(const struct ipr_view_context *c,
                                        struct ipr_db_player_year_filter f, int32_t player,
                                        int year, const char *after, struct ipr_err *err)
{
    struct ipr_db_player_year *row = NULL;
    json_t *list = json_array();
    unsigned budget = 1;
    size_t n = 0;

    if (player == 0 || c->judge_id == 0)
        return IPR_OK;
    f.player = player;
    f.from = f.to = year;
    enum ipr_code rc =
        ipr_db_player_year_list(c->v->db, &f, "player", 0, 0, 1, c->v->mem, &row, &n, err);
    if (rc == IPR_OK && (n == 0 || row->player_id != player || row->year != year))
        rc = ipr_param_refuse_cursor(err, after);
    if (rc == IPR_OK)
        rc = ipr_view_add_year_rows(c, NULL, row, 1, ALSO, true, &budget, list, err);
    json_decref(list);
    return rc;
}

/* A reader of a table sees no row that is not there: says how many there are. Those of other
 * settings are looked for where the list is not that of all ratings, since it takes a while. */
static enum ipr_code years_left_out(const struct ipr_view_context *c,
                                    struct ipr_db_player_year_filter f, const char *after,
                                    json_t *out, struct ipr_err *err)
{
    const bool others = strcmp(c->judge.name, ipr_setting_name(IPR_FOR_RATING)) != 0;
    const bool filtered = f.player != 0 || f.from != 0 || f.to != 0 || f.event != 0 ||
                          f.turns_from > 1 || f.counted_from != 0 || f.counted_to != 0;
    struct ipr_answer_years_left_out left = { .other_settings = 0 };
    enum ipr_code rc = IPR_OK;

    if (c->v->stream && after != NULL) /* the first page has said it */
        return IPR_OK;
    f.judge_id = others ? c->judge_id : 0;
    if (c->judge_id != 0 && (others || filtered))
        rc = ipr_db_player_years_left_out(c->v->db, &f, &left.left_out.rows_left_out,
                                          &left.other_settings, err);
    if (!others)
        left.other_settings = IPR_NO_COUNT;
    json_object_update_new(out, ipr_shape_json(IPR_SHAPE_YEARS_LEFT_OUT, &left));
    return rc;
}

/* Those with analysed moves. */
static enum ipr_code years_fill(const struct ipr_view_context *c,
                                const struct ipr_all_player_years_request *p, bool by_ipr,
                                json_t *out, struct ipr_err *err)
{
    struct ipr_db_player_year_filter f = years_filter(c, p);
    unsigned budget = c->v->stream ? UNLIMITED : BUDGET;
    struct ipr_db_player_year *rows = NULL;
    const size_t limit = (size_t)p->limit;
    json_t *list = json_array(), *next = json_null();
    int64_t after_year;
    int32_t after_player;
    size_t n = 0;

    json_object_set_new(out, "player_years", list);
    ipr_view_years(p->year, p->from, p->to, &f.from, &f.to);
    enum ipr_code rc = ipr_param_cursor_pair(p->after, INT16_MAX, &after_year, &after_player, err);
    if (rc == IPR_OK && c->judge_id != 0)
        rc = ipr_db_year_list(c->v->db, c->judge_id, c->times, false, &f.list_id, err);
    if (rc == IPR_OK)
        rc = cursor_still_there(c, f, after_player, (int)after_year, p->after, err);
    if (rc == IPR_OK)
        rc = years_left_out(c, f, p->after, out, err);
    if (rc == IPR_OK && by_ipr && c->judge_id != 0 && p->after == NULL)
        rc = rate_all(c, f, &budget, err);
    if (rc == IPR_OK && c->judge_id != 0)
        rc = years_list(c, p, &f, after_player, (int)after_year, &rows, &n, err);
    if (rc == IPR_OK)
        rc = ipr_view_add_year_rows(c, NULL, rows, n < limit ? n : limit, ALSO, true, &budget, list,
                                    err);
    if (rc == IPR_OK && n > limit)
        next = json_sprintf("%d-%" PRId32, rows[limit - 1].year, rows[limit - 1].player_id);
    json_object_set_new(out, "next", next);
    ipr_view_context_add_basis(c, out);
    return rc;
}

/* The list is that of the rating; in the order of the IPR, which needs more lines, that of the
 * setting that has them. */
enum ipr_code ipr_view_all_player_years(const struct ipr_view *v,
                                        const struct ipr_all_player_years_request *p, json_t **out,
                                        struct ipr_err *err)
{
    const bool by_ipr =
        p->sort == IPR_ALL_PLAYER_YEARS_SORT_IPR || p->sort == IPR_ALL_PLAYER_YEARS_SORT__IPR;
    const struct ipr_setting_scope scope = { .judge = p->judge };
    struct ipr_view_context c;
    json_t *answer = json_object();
    enum ipr_code rc = ipr_setting_for(v, by_ipr ? IPR_FOR_LINES : IPR_FOR_YEARS, &scope, &c, err);

    if (rc == IPR_OK) {
        rc = years_fill(&c, p, by_ipr, answer, err);
        ipr_view_context_close(&c);
    }
    if (rc == IPR_OK)
        *out = answer;
    else
        json_decref(answer);
    return rc;
}
