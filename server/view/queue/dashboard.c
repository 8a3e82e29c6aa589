/* The front page, and the choice of player-years for a comparison. */
#include "db/players.h"
#include "db/uploads.h"
#include "view/context.h"
#include "view/json.h"
#include "view/queue/analyses.h"
#include "view/queue/uploads.h"

#define YEARS_SHOWN   40
#define UPLOADS_SHOWN 8
#define PAIRS_SHOWN   3
#define CHOICES_SHOWN 100

static enum ipr_code add_latest_uploads(const struct ipr_view *v, json_t *out, struct ipr_err *err)
{
    struct ipr_db_upload *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_upload_list(v->db, UPLOADS_SHOWN, 0, v->mem, &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, ipr_view_upload_row(&rows[i]));
    json_object_set_new(out, "uploads", list);
    return IPR_OK;
}

static json_t *pair_side(const struct ipr_db_player_year *y)
{
    return json_pack("{s:o, s:o}", "player", ipr_json_player(y->player_id, y->name), "year",
                     ipr_json_known(y->year));
}

/* The most played player-years of different players, two by two. */
static json_t *pairs_json(const struct ipr_db_player_year *rows, size_t n)
{
    const struct ipr_db_player_year *first = NULL;
    json_t *list = json_array();

    for (size_t i = 0; i < n && json_array_size(list) < PAIRS_SHOWN; i++) {
        if (rows[i].turns < IPR_VIEW_MIN_TURNS)
            continue;
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

    if (c->judge_id)
        rc = ipr_db_player_years_top(c->v->db, c->judge_id, c->times, IPR_VIEW_MIN_TURNS,
                                     YEARS_SHOWN, c->v->mem, &rows, &n, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        json_t *row = NULL;
        if (rows[i].turns < IPR_VIEW_MIN_TURNS)
            continue;
        rc = ipr_view_year_row(c, &rows[i], 0, &budget, &row, err);
        if (rc == IPR_OK) {
            json_object_set_new(row, "player", ipr_json_player(rows[i].player_id, rows[i].name));
            json_array_append_new(list, row);
        }
    }
    if (rc != IPR_OK) {
        json_decref(list);
        return rc;
    }
    json_object_set_new(out, "player_years", list);
    json_object_set_new(out, "pairs", pairs_json(rows, n));
    return IPR_OK;
}

/*
 * {"judge", "calibration", "time_classes", "queue": progress as in view/queue/analyses.h with
 *  "judged_games", "judged_turns", "running": [{"game_id", "white", "black", "event", "year",
 * "worker", "judge", "turns_done", "turns_total", "attempts"}], "uploads": [counts with "created",
 * "source", …], "player_years": [rows as ipr_view_year_row with "player"], "pairs": [{"white",
 * "black"}], "judges": […]}
 */
enum ipr_code ipr_view_dashboard(const struct ipr_view *v, const struct ipr_dashboard_request *p,
                                 json_t **out, struct ipr_err *err)
{
    const struct ipr_judges_request all_judges = IPR_JUDGES_REQUEST_INIT;
    struct ipr_view_context c;
    json_t *judges = NULL;

    (void)p;
    enum ipr_code rc = ipr_view_context_open(v, NULL, &c, err);
    if (rc != IPR_OK)
        return rc;
    json_t *board =
        json_pack("{s:o, s:o, s:o}", "judge", ipr_view_context_judge(&c), "calibration",
                  ipr_view_context_calibration(&c), "time_classes", ipr_view_context_times(&c));
    rc = ipr_view_add_queue(v, board, err);
    if (rc == IPR_OK)
        rc = ipr_view_add_running(v, board, err);
    if (rc == IPR_OK)
        rc = add_latest_uploads(v, board, err);
    if (rc == IPR_OK)
        rc = add_years(&c, board, err);
    if (rc == IPR_OK)
        rc = ipr_view_judges(v, &all_judges, &judges, err);
    ipr_view_context_close(&c);
    if (rc != IPR_OK) {
        json_decref(board);
        return rc;
    }
    json_object_update(board, judges);
    json_decref(judges);
    *out = board;
    return IPR_OK;
}

/* {"player_years": [{"player", "year", "turns", "counted", "games"}], "judge", "time_classes"},
 * most turns first. */
static enum ipr_code prediction_choices(const struct ipr_view_context *c, json_t **out,
                                        struct ipr_err *err)
{
    struct ipr_db_player_year *rows = NULL;
    enum ipr_code rc = IPR_OK;
    size_t n = 0;

    if (c->judge_id)
        rc = ipr_db_player_years_top(c->v->db, c->judge_id, c->times, IPR_VIEW_MIN_TURNS,
                                     CHOICES_SHOWN, c->v->mem, &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_pack("{s:o, s:o, s:i, s:i, s:i}", "player",
                                              ipr_json_player(rows[i].player_id, rows[i].name),
                                              "year", ipr_json_known(rows[i].year), "turns",
                                              (int)rows[i].turns, "counted", (int)rows[i].counted,
                                              "games", (int)rows[i].games_judged));
    *out = json_pack("{s:o, s:o, s:o}", "player_years", list, "judge", ipr_view_context_judge(c),
                     "time_classes", ipr_view_context_times(c));
    return IPR_OK;
}

/* {"choices": player-years that can be compared, "prediction": as ipr_view_prediction with all
 * methods, or null when no sides are given} */
enum ipr_code ipr_view_compare(const struct ipr_view *v, const struct ipr_prediction_request *p,
                               json_t **out, struct ipr_err *err)
{
    struct ipr_view_context c;
    json_t *list = NULL;
    json_t *prediction = NULL;

    enum ipr_code rc = ipr_view_context_open(v, p->judge, &c, err);
    if (rc != IPR_OK)
        return rc;
    rc = prediction_choices(&c, &list, err);
    ipr_view_context_close(&c);
    if (rc == IPR_OK && p->white.player != 0 && p->black.player != 0)
        rc = ipr_view_prediction(v, p, &prediction, err);
    if (rc != IPR_OK) {
        json_decref(list);
        return rc;
    }
    *out = json_pack("{s:o, s:o}", "choices", list, "prediction",
                     prediction != NULL ? prediction : json_null());
    return IPR_OK;
}
