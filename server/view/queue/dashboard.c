/* The front page. */
#include "db/players.h"
#include "db/uploads.h"
#include "view/context.h"
#include "view/json.h"
#include "view/queue/analyses.h"
#include "view/queue/uploads.h"

#define YEARS_SHOWN   40
#define UPLOADS_SHOWN 8
#define PAIRS_SHOWN   3

static enum ipr_code add_latest_uploads(const struct ipr_view *v, json_t *out, struct ipr_err *err)
{
    struct ipr_db_upload *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc =
        ipr_db_upload_list(v->db, INT64_MAX, UPLOADS_SHOWN, v->mem, &rows, &n, err);
    json_object_set_new(out, "uploads", ipr_view_upload_rows(rows, n));
    return rc;
}

static json_t *pair_side(const struct ipr_db_player_year *y)
{
    return json_pack("{s:o, s:o}", "player", ipr_json_player(y->player_id, y->name), "year",
                     ipr_json_known(y->year));
}

/* The player-years of different players with most games, in pairs. */
static json_t *pairs_json(const struct ipr_db_player_year *rows, size_t n)
{
    const struct ipr_db_player_year *first = NULL;
    json_t *list = json_array();

    for (size_t i = 0; i < n && json_array_size(list) < PAIRS_SHOWN; i++) {
        if (first == NULL) {
            first = &rows[i];
        } else if (rows[i].player_id != first->player_id) {
            json_array_append_new(list, json_pack("{s:o, s:o}", "white", pair_side(first), "black",
                                                  pair_side(&rows[i])));
            first = NULL;
        }
    }
    return list;
}

static enum ipr_code add_years(const struct ipr_view_context *c, json_t *out, struct ipr_err *err)
{
    struct ipr_db_player_year *rows = NULL;
    unsigned budget = IPR_VIEW_BUDGET;
    json_t *list = json_array();
    enum ipr_code rc = IPR_OK;
    size_t n = 0;

    json_object_set_new(out, "player_years", list);
    if (c->judge_id)
        rc = ipr_db_player_years_top(c->v->db, c->judge_id, c->times, IPR_VIEW_MIN_TURNS,
                                     YEARS_SHOWN, c->v->mem, &rows, &n, err);
    if (rc == IPR_OK)
        rc = ipr_view_add_year_rows(c, rows, n, 0, true, &budget, list, err);
    json_object_set_new(out, "pairs", pairs_json(rows, n));
    return rc;
}

enum ipr_code ipr_fill_dashboard(const struct ipr_view_context *c,
                                 const struct ipr_dashboard_request *p, json_t *out,
                                 struct ipr_err *err)
{
    const struct ipr_judges_request all_judges = IPR_JUDGES_REQUEST_INIT;
    json_t *judges = NULL;

    (void)p;
    ipr_view_context_add_basis(c, out);
    enum ipr_code rc = ipr_view_add_queue(c->v, out, err);
    if (rc == IPR_OK)
        rc = ipr_view_add_running(c->v, out, err);
    if (rc == IPR_OK)
        rc = add_latest_uploads(c->v, out, err);
    if (rc == IPR_OK)
        rc = add_years(c, out, err);
    if (rc == IPR_OK)
        rc = ipr_view_judges(c->v, &all_judges, &judges, err);
    if (rc == IPR_OK)
        json_object_update_new(out, judges);
    return rc;
}
