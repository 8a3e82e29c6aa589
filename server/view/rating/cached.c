/* The figures of one player-year: computed from its turns, kept while the turns stay the same. */
#include "view/context.h"

#include <stdlib.h>
#include <string.h>

#include "db/records.h"
#include "view/json.h"
#include "view/rating/rate.h"

/** NULL when there is none, or it rests on another calibration record or revision. */
static json_t *recall(const struct ipr_view_context *c, const struct ipr_db_rating_key *key,
                      enum ipr_code *rc, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    const char *text = NULL;
    json_t *rating = NULL;

    *rc = ipr_db_rating_get(c->v->db, key, c->v->mem, &text, &why);
    if (*rc == IPR_ENOTFOUND) {
        *rc = IPR_OK;
        return NULL;
    }
    if (*rc != IPR_OK) {
        *rc = ipr_err_set(err, *rc, "%s", why.msg);
        return NULL;
    }
    json_t *kept = json_loads(text, 0, NULL);
    if ((int)ipr_json_at(kept, "revision", 0.0) == ipr_method_versions() &&
        strcmp(ipr_json_text_at(kept, "calibration_digest"), c->calibration_digest) == 0)
        rating = json_incref(json_object_get(kept, "rating"));
    json_decref(kept);
    return rating;
}

static enum ipr_code remember(const struct ipr_view_context *c, const struct ipr_db_rating_key *key,
                              json_t *rating, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    json_t *kept = json_pack("{s:i, s:s, s:O}", "revision", ipr_method_versions(),
                             "calibration_digest", c->calibration_digest, "rating", rating);
    char *text = json_dumps(kept, JSON_COMPACT | JSON_REAL_PRECISION(12));

    const enum ipr_code rc = ipr_db_rating_put(c->v->db, key, text, &why);
    free(text);
    json_decref(kept);
    if (rc == IPR_OK || rc == IPR_ECONFLICT) /* the calibration was replaced meanwhile */
        return IPR_OK;
    return ipr_err_set(err, rc, "%s", why.msg);
}

enum ipr_code ipr_view_rating(const struct ipr_view_context *c, int32_t player, int year,
                              int64_t version, bool cached_only, json_t **out, struct ipr_err *err)
{
    const struct ipr_db_rating_key key = { player,   year,    c->judge_id, c->calibration_id,
                                           c->times, version, c->mismatch };
    const bool keepable = c->judge_id && c->calibration_id && version > 0;
    enum ipr_code rc = IPR_OK;
    json_t *rating = NULL;

    if (keepable)
        rating = recall(c, &key, &rc, err);
    if (rc == IPR_OK && !rating && !cached_only) {
        const struct ipr_db_scope scope = ipr_db_scope_year(player, year, c->times);

        rc = ipr_rate(c, &scope, 0, &rating, err);
        if (rc == IPR_OK && keepable && !c->v->snapshot)
            rc = remember(c, &key, rating, err);
    }
    if (rc != IPR_OK) {
        json_decref(rating);
        return rc;
    }
    *out = rating;
    return IPR_OK;
}

/** Members of `from` that `names` lists, as far as they are there. */
static json_t *pick(const json_t *from, const char *const *names)
{
    json_t *out = json_object();

    for (; *names; names++) {
        json_t *value = json_object_get(from, *names);
        if (value)
            json_object_set(out, *names, value);
    }
    return out;
}

static void add_figures(json_t *row, const struct ipr_db_player_year *y, json_t *rating)
{
    static const char *const ipr[] = { "estimate", "interval", "extrapolated", "turns", "games",
                                       "reason",   NULL };
    static const char *const share[] = { "share", "interval", NULL };

    if (!rating) {
        const bool few = y->turns < IPR_VIEW_MIN_TURNS;
        json_object_set_new(
            row, "ipr",
            y->games == 0   ? ipr_json_refusal("no game of these classes of time control")
            : y->turns == 0 ? ipr_json_refusal("none of the player's moves has been judged yet")
            : few ? ipr_json_refusal("%d turns are needed, %d are judged", IPR_VIEW_MIN_TURNS,
                                     y->turns)
                  : ipr_json_refusal("not computed yet"));
        json_object_set_new(row, "pending", json_boolean(!few));
        json_object_set_new(row, "at_0", json_null());
        json_object_set_new(row, "at_30", json_null());
        return;
    }
    const json_t *elo = ipr_json_find(rating, "elo.estimate");
    const json_t *at_0 = ipr_json_find(rating, "conformance.at_0");
    const json_t *at_30 = ipr_json_find(rating, "conformance.at_30");
    if (json_is_number(elo)) /* of the judged games, as the page of the year has it */
        json_object_set_new(row, "elo",
                            json_copy(json_object_get(json_object_get(rating, "elo"), "estimate")));
    json_object_set_new(row, "ipr", pick(json_object_get(rating, "ipr"), ipr));
    json_object_set_new(row, "pending", json_false());
    json_object_set_new(row, "at_0", json_is_object(at_0) ? pick(at_0, share) : json_null());
    json_object_set_new(row, "at_30", json_is_object(at_30) ? pick(at_30, share) : json_null());
}

enum ipr_code ipr_view_year_row(const struct ipr_view_context *c,
                                const struct ipr_db_player_year *y, unsigned *budget, json_t **out,
                                struct ipr_err *err)
{
    json_t *rating = NULL;
    enum ipr_code rc = IPR_OK;

    /* With fewer judged turns no window can hold enough; with more the windows decide. */
    if (c->judge_id && y->turns >= IPR_VIEW_MIN_TURNS) {
        rc = ipr_view_rating(c, y->player_id, y->year, y->version, true, &rating, err);
        if (rc == IPR_OK && !rating && *budget > 0) {
            --*budget;
            rc = ipr_view_rating(c, y->player_id, y->year, y->version, false, &rating, err);
        }
    }
    if (rc != IPR_OK)
        return rc;
    json_t *row = json_pack(
        "{s:o, s:i, s:o, s:i, s:i, s:i, s:b, s:o}", "year", ipr_json_known(y->year), "games",
        (int)y->games, "not_rated", ipr_view_context_unrated(c, y), "games_judged",
        (int)y->games_judged, "turns", (int)y->turns, "counted", (int)y->counted, "active",
        y->counted >= IPR_VIEW_ACTIVE_TURNS, "elo",
        ipr_json_known(y->turns > 0 ? y->elo_mean : 0)); /* as the ratings: of judged games */
    add_figures(row, y, rating);
    json_decref(rating);
    *out = row;
    return IPR_OK;
}
