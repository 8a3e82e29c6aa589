/* Ratings of a player-year or a career. */
#include <string.h>

#include "db/players.h"
#include "pgn/reader.h"
#include "view/context.h"
#include "view/json.h"
#include "view/rate.h"

/* Newest first; a year of more games than this is named by its first ones. */
#define GAMES_SHOWN 200

/** Undated games belong to no year, so that a career may have more judged games than its years. */
static int unjudged(const struct ipr_db_player_year *y, const json_t *rating)
{
    const int judged = (int)ipr_json_at(rating, "games", 0.0);
    return y->games - (judged > y->games_judged ? judged : y->games_judged);
}

static json_t *heading(const struct ipr_view_context *c, const struct ipr_db_player *p,
                       const struct ipr_db_player_year *y, const json_t *rating)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:b, s:I}", "player",
                     ipr_json_player(p->id, p->name), "year", ipr_json_known(y->year), "judge",
                     ipr_view_context_judge(c), "calibration", ipr_view_context_calibration(c),
                     "time_classes", ipr_view_context_times(c), "not_rated",
                     ipr_view_context_unrated(c, y), "games_stored", (int)y->games,
                     "games_unjudged", unjudged(y, rating), "active",
                     y->counted >= IPR_VIEW_ACTIVE_TURNS, "version", (json_int_t)y->version);
}

/** Where a game stands with this judge. */
static const char *state_of(const struct ipr_db_player_game *g)
{
    if (g->judged)
        return "judged";
    if (strcmp(g->job, "ready") == 0)
        return "queued";
    if (strcmp(g->job, "leased") == 0)
        return "running";
    if (strcmp(g->job, "paused") == 0)
        return "paused";
    return strcmp(g->job, "failed") == 0 ? "failed" : "not queued";
}

static json_t *game_json(const struct ipr_db_player_game *g)
{
    return json_pack("{s:I, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:s}", "id",
                     (json_int_t)g->id, "white", ipr_json_player(g->white_id, g->white), "black",
                     ipr_json_player(g->black_id, g->black), "result",
                     ipr_result_text((enum ipr_result)g->result), "event", ipr_json_text(g->event),
                     "round", ipr_json_text(g->round), "date", ipr_json_text(g->date), "white_elo",
                     ipr_json_known(g->white_elo), "black_elo", ipr_json_known(g->black_elo),
                     "time_class", ipr_time_class_name(g->time_class), "state", state_of(g));
}

/** The games that the figures of a year rest on, or wait for. */
static enum ipr_code add_games(const struct ipr_view_context *c, int32_t player, int year,
                               json_t *out, struct ipr_err *err)
{
    struct ipr_db_player_game *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_player_games(c->v->db, player, year, c->judge_id, GAMES_SHOWN,
                                                 c->v->mem, &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, game_json(&rows[i]));
    json_object_set_new(out, "game_list", list);
    return IPR_OK;
}

/**
 * {"player": {"id", "name"}, "year" (null: whole career), "judge", "calibration", "time_classes":
 * what the figures rest on, "not_rated": {class: games} of the others, "games_stored",
 *  "games_unjudged", "active", "version", "turns", "games",
 *  "ipr": {"method", "estimate", "interval", "standard_error", "extrapolated",
 *          "calibrated_range", "residual_sd", "turns", "games", "excluded": {reason: turns},
 *          "s", "c", "covariance_ln_sc": [ss, sc, cc], "ae_ref", "ae_ref_se",
 *          "mm": {"projected", "actual"}, "ad": {…}, "converged"}
 *         or {"method", "estimate": null, "interval": null, "reason", "turns", "excluded"},
 *  "conformance": {"method", "at_0": {"share", "interval" (the wider of the two),
 *          "interval_clustered" (by game), "interval_wilson"}, "at_30", "mean_loss" (pawns),
 *          "turns", "games", "excluded"} or nulls + "reason",
 *  "elo": {"estimate", "games", "source"} or null + "reason", with "opponents", "score",
 *          "score_games", "performance",
 *  "judging", "judged_by", "offer": see ipr_view_add_offer,
 *  "game_list" (of a year): [{"id", "white", "black", "result", "event", "round", "date",
 *          "white_elo", "black_elo", "time_class", "state": judged, queued, running,
 *          paused, failed or not queued}]}
 */
enum ipr_code ipr_view_ratings(const struct ipr_view *v, int32_t player, int year,
                               const char *judge, json_t **out, struct ipr_err *err)
{
    struct ipr_view_context c;
    struct ipr_db_player_year y;
    struct ipr_db_player p;
    json_t *rating = NULL, *answer = NULL;
    unsigned include = 0;

    enum ipr_code rc = ipr_rate_include_read(v->include, &include, err);
    if (rc == IPR_OK)
        rc = ipr_view_context_open(v, judge, &c, err);
    if (rc != IPR_OK)
        return rc;
    rc = ipr_db_player_get(v->db, player, c.judge_id, c.times, v->mem, &p, err);
    if (rc == IPR_OK)
        rc = ipr_view_find_year(&c, p.id, year, &y, err);
    if (rc == IPR_OK && include) { /* not kept */
        const struct ipr_db_scope scope = ipr_db_scope_year(p.id, year, c.times);

        rc = ipr_rate(&c, &scope, include, &rating, err);
    } else if (rc == IPR_OK) {
        rc = ipr_view_rating(&c, p.id, year, y.version, false, &rating, err);
    }
    if (rc == IPR_OK) {
        answer = heading(&c, &p, &y, rating);
        json_object_update(answer, rating);
        json_decref(rating);
        if (year)
            rc = add_games(&c, p.id, year, answer, err);
        if (rc == IPR_OK)
            rc = ipr_view_add_offer(&c, p.id, year, answer, err);
    }
    ipr_view_context_close(&c);
    if (rc == IPR_OK)
        *out = answer;
    else
        json_decref(answer);
    return rc;
}
