/* Ratings of a player-year or a career. */
#include "db/players.h"
#include "view/context.h"
#include "view/json.h"

/** What the sides of an answer name beside their figures. */
/** Undated games belong to no year, so that a career may have more judged games than its years. */
static int unjudged(const struct ipr_db_player_year *y, const json_t *rating)
{
    const int judged = (int)ipr_json_at(rating, "games", 0.0);
    return y->games - (judged > y->games_judged ? judged : y->games_judged);
}

static json_t *heading(const struct ipr_view_context *c, const struct ipr_db_player *p,
                       const struct ipr_db_player_year *y, const json_t *rating)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:i, s:i, s:b, s:I}", "player",
                     ipr_json_player(p->id, p->name), "year", ipr_json_known(y->year), "judge",
                     ipr_view_context_judge(c), "calibration", ipr_view_context_calibration(c),
                     "games_stored", (int)y->games, "games_unjudged", unjudged(y, rating), "active",
                     y->counted >= IPR_VIEW_ACTIVE_TURNS, "version", (json_int_t)y->version);
}

/**
 * {"player": {"id", "name"}, "year" (null: whole career), "judge", "calibration", "games_stored",
 *  "games_unjudged", "active", "version", "turns", "games",
 *  "ipr": {"method", "estimate", "interval", "standard_error", "extrapolated",
 *          "calibrated_range", "residual_sd", "turns", "games", "excluded": {reason: turns},
 *          "s", "c", "covariance_ln_sc": [ss, sc, cc], "ae_ref", "ae_ref_se",
 *          "mm": {"projected", "actual"}, "ad": {…}, "converged"}
 *         or {"method", "estimate": null, "interval": null, "reason", "turns", "excluded"},
 *  "conformance": {"method", "at_0": {"share", "interval" (the wider of the two),
 * "interval_clustered" (by game), "interval_wilson"}, "at_30", "mean_loss" (pawns), "turns",
 * "games", "excluded"} or nulls + "reason", "elo": {"estimate", "games", "source"} or null +
 * "reason", with "opponents", "score", "score_games", "performance"}
 */
enum ipr_code ipr_view_ratings(const struct ipr_view *v, int32_t player, int year,
                               const char *judge, json_t **out, struct ipr_err *err)
{
    struct ipr_view_context c;
    struct ipr_db_player_year y;
    struct ipr_db_player p;
    json_t *rating = NULL;

    enum ipr_code rc = ipr_view_context_open(v, judge, &c, err);
    if (rc != IPR_OK)
        return rc;
    rc = ipr_db_player_get(v->db, player, c.judge_id, v->mem, &p, err);
    if (rc == IPR_OK)
        rc = ipr_view_find_year(&c, player, year, &y, err);
    if (rc == IPR_OK)
        rc = ipr_view_rating(&c, player, year, y.version, false, &rating, err);
    if (rc == IPR_OK) {
        *out = heading(&c, &p, &y, rating);
        json_object_update(*out, rating);
        json_decref(rating);
    }
    ipr_view_context_close(&c);
    return rc;
}
