/* The figures of one player-year: computed from its turns, kept while the turns stay the same. */
#include "view/context.h"

#include <stdlib.h>
#include <string.h>

#include "db/records.h"
#include "db/turns.h"
#include "model/conformance.h"
#include "model/elo.h"
#include "model/ipr.h"
#include "view/json.h"

/* Grows when the computation changes, so that answers kept by an older version are not used. */
#define RATING_REVISION 3

static json_t *excluded_json(const struct ipr_window_counts *counts)
{
    json_t *out = json_object();

    for (int i = 0; i < IPR_EXCLUDED_REASONS; i++)
        if (counts->excluded[i] > 0)
            json_object_set_new(out, ipr_excluded_name((enum ipr_excluded)i),
                                json_integer((json_int_t)counts->excluded[i]));
    return out;
}

static json_t *too_few(const struct ipr_window_counts *counts)
{
    json_t *out = counts->turns == 0
                      ? ipr_json_refusal("no game has been judged yet")
                      : ipr_json_refusal("%d turns are needed, %zu remain after the exclusions",
                                         IPR_VIEW_MIN_TURNS, counts->used);

    json_object_set_new(out, "turns", json_integer((json_int_t)counts->used));
    json_object_set_new(out, "excluded", excluded_json(counts));
    return out;
}

static json_t *ipr_json(const struct ipr_rating *r, const struct ipr_calibration *line,
                        const struct ipr_window_counts *counts)
{
    json_t *out = json_pack(
        "{s:s, s:o, s:o, s:o, s:b, s:{s:o, s:o}, s:o, s:I, s:I, s:o}", "method", "moments",
        "estimate", ipr_json_num(r->ipr), "interval", ipr_json_interval(r->interval),
        "standard_error", ipr_json_num(r->se), "extrapolated", r->extrapolated, "calibrated_range",
        "low", ipr_json_num(line->elo_min), "high", ipr_json_num(line->elo_max), "residual_sd",
        ipr_json_num(r->calibration_sd), "turns", (json_int_t)r->fit.turns, "games",
        (json_int_t)r->fit.games, "excluded", excluded_json(counts));
    json_t *fit =
        json_pack("{s:o, s:o, s:[o, o, o], s:o, s:o, s:{s:o, s:o}, s:{s:o, s:o}, s:b}", "s",
                  ipr_json_num(r->fit.s), "c", ipr_json_num(r->fit.c), "covariance_ln_sc",
                  ipr_json_num(r->fit.cov[0]), ipr_json_num(r->fit.cov[1]),
                  ipr_json_num(r->fit.cov[3]), "ae_ref", ipr_json_num(r->ae), "ae_ref_se",
                  ipr_json_num(r->ae_se), "mm", "projected", ipr_json_num(r->fit.mm_p), "actual",
                  ipr_json_num(r->fit.mm_a), "ad", "projected", ipr_json_num(r->fit.ad_p), "actual",
                  ipr_json_num(r->fit.ad_a), "converged", r->fit.converged);

    json_object_update(out, fit);
    json_decref(fit);
    return out;
}

/** A rating, or why there is none; only failures of our own are errors. */
static enum ipr_code make_ipr(const struct ipr_view_context *c, const struct ipr_db_player_turns *t,
                              size_t *keep, json_t **out, struct ipr_err *err)
{
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_window_counts counts;
    struct ipr_rh_set *set = NULL;
    struct ipr_rating r;

    if (!c->calibration) {
        *out = ipr_json_refusal("%s", c->reason);
        return IPR_OK;
    }
    const size_t n = ipr_window_select(&c->calibration->window, t->turns, t->n, keep, &counts);
    if (n < IPR_VIEW_MIN_TURNS) {
        *out = too_few(&counts);
        return IPR_OK;
    }
    enum ipr_code rc = ipr_rh_set_new(&c->calibration->params, t->turns, keep, n, &set, &why);
    if (rc == IPR_OK)
        rc = ipr_ipr(&c->calibration->line, c->calibration->reference, set, &options, &r, &why);
    ipr_rh_set_free(&set);
    if (rc == IPR_OK) {
        *out = ipr_json(&r, &c->calibration->line, &counts);
    } else if (rc == IPR_EDATA || rc == IPR_ENOCONV) {
        *out = ipr_json_refusal("%s", why.msg);
        json_object_set_new(*out, "turns", json_integer((json_int_t)n));
        json_object_set_new(*out, "excluded", excluded_json(&counts));
    } else {
        return ipr_err_set(err, rc, "%s", why.msg);
    }
    json_object_set_new(*out, "method", json_string("moments"));
    return IPR_OK;
}

static json_t *share_json(const struct ipr_share *s)
{
    /* A few games can agree by chance, and the clustered interval is then too narrow: the wider
     * of the two stands for the figure. */
    const double by_game = s->clustered_known ? s->clustered.hi - s->clustered.lo : 0.0;
    const bool clustered = by_game >= s->wilson.hi - s->wilson.lo;

    return json_pack("{s:o, s:o, s:o, s:o}", "share", ipr_json_num(s->share), "interval",
                     ipr_json_interval(clustered ? s->clustered : s->wilson), "interval_clustered",
                     s->clustered_known ? ipr_json_interval(s->clustered) : json_null(),
                     "interval_wilson", ipr_json_interval(s->wilson));
}

static enum ipr_code make_conformance(const struct ipr_db_player_turns *t, size_t *keep,
                                      json_t **out, struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    const struct ipr_conformance_params params = IPR_CONFORMANCE_INIT;
    struct ipr_window_counts counts;
    struct ipr_conformance r;

    const size_t n = ipr_window_select(&window, t->turns, t->n, keep, &counts);
    if (n < IPR_VIEW_MIN_TURNS) {
        *out = json_pack("{s:n, s:n, s:n}", "at_0", "at_30", "mean_loss");
        json_t *why = too_few(&counts);
        json_object_del(why, "estimate");
        json_object_del(why, "interval");
        json_object_update(*out, why);
        json_decref(why);
        return IPR_OK;
    }
    const enum ipr_code rc = ipr_conformance(&params, t->turns, keep, n, &r, err);
    if (rc == IPR_OK)
        *out = json_pack("{s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:o}", "method", "raw", "at_0",
                         share_json(&r.share_0), "at_30", share_json(&r.share_30), "mean_loss",
                         ipr_json_num(r.mean_loss), "mean_loss_standard_error",
                         ipr_json_num(r.mean_loss_se), "turns", (json_int_t)r.turns, "games",
                         (json_int_t)r.games, "excluded", excluded_json(&counts));
    return rc;
}

/** Performance against opponents all taken at their mean. Only when every scored game has an
 * opponent's rating. */
static json_t *performance_json(const struct ipr_db_player_turns *t)
{
    struct ipr_elo_performance p;

    if (t->score_games == 0 || t->score_games != t->opponent_elo_games)
        return json_pack("{s:n, s:s}", "estimate", "reason",
                         "opponents' Elo is not in the tags of every scored game");
    const size_t n = (size_t)t->score_games;
    double *ratings = ipr_xcalloc(n, sizeof *ratings);
    for (size_t i = 0; i < n; i++)
        ratings[i] = t->opponent_elo_mean;
    const enum ipr_code rc = ipr_elo_performance(ratings, n, t->score, &p, NULL);
    free(ratings);
    if (rc != IPR_OK)
        return json_pack("{s:n, s:s}", "estimate", "reason", "no performance rating");
    return json_pack("{s:o, s:b, s:s}", "estimate", ipr_json_num(p.rating), "bounded", p.bounded,
                     "method", "mean of the opponents");
}

static json_t *make_elo(const struct ipr_db_player_turns *t)
{
    json_t *out = t->elo_games > 0
                      ? json_pack("{s:o, s:i, s:s}", "estimate", ipr_json_num(t->elo_mean), "games",
                                  (int)t->elo_games, "source", "game tags")
                      : json_pack("{s:n, s:i, s:s}", "estimate", "games", 0, "reason",
                                  "no Elo of the player in the tags of the judged games");

    json_object_set_new(
        out, "opponents",
        json_pack("{s:o, s:i}", "mean",
                  t->opponent_elo_games ? ipr_json_num(t->opponent_elo_mean) : json_null(), "games",
                  (int)t->opponent_elo_games));
    json_object_set_new(out, "score", t->score_games ? ipr_json_num(t->score) : json_null());
    json_object_set_new(out, "score_games", json_integer(t->score_games));
    json_object_set_new(out, "performance", performance_json(t));
    return out;
}

static enum ipr_code compute(const struct ipr_view_context *c, int32_t player, int year,
                             json_t **out, struct ipr_err *err)
{
    struct ipr_db_player_turns t = { 0 };
    json_t *ipr = NULL, *conformance = NULL;

    enum ipr_code rc =
        ipr_db_player_turns(c->v->db, player, year, c->judge_id, c->times, c->v->mem, &t, err);
    if (rc != IPR_OK)
        return rc;
    size_t *keep = ipr_xcalloc(t.n ? t.n : 1, sizeof *keep);
    rc = make_ipr(c, &t, keep, &ipr, err);
    if (rc == IPR_OK)
        rc = make_conformance(&t, keep, &conformance, err);
    free(keep);
    if (rc != IPR_OK) {
        json_decref(ipr);
        return rc;
    }
    *out = json_pack("{s:I, s:i, s:o, s:o, s:o}", "turns", (json_int_t)t.n, "games", (int)t.games,
                     "ipr", ipr, "conformance", conformance, "elo", make_elo(&t));
    return IPR_OK;
}

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
    if ((int)ipr_json_at(kept, "revision", 0.0) == RATING_REVISION &&
        strcmp(ipr_json_text_at(kept, "calibration_digest"), c->calibration_digest) == 0)
        rating = json_incref(json_object_get(kept, "rating"));
    json_decref(kept);
    return rating;
}

static enum ipr_code remember(const struct ipr_view_context *c, const struct ipr_db_rating_key *key,
                              json_t *rating, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    json_t *kept = json_pack("{s:i, s:s, s:O}", "revision", RATING_REVISION, "calibration_digest",
                             c->calibration_digest, "rating", rating);
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
    const struct ipr_db_rating_key key = { player,   year,   c->judge_id, c->calibration_id,
                                           c->times, version };
    const bool keepable = c->judge_id && c->calibration_id && version > 0;
    enum ipr_code rc = IPR_OK;
    json_t *rating = NULL;

    if (keepable)
        rating = recall(c, &key, &rc, err);
    if (rc == IPR_OK && !rating && !cached_only) {
        rc = compute(c, player, year, &rating, err);
        if (rc == IPR_OK && keepable)
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
            : y->turns == 0 ? ipr_json_refusal("none of the games has been judged yet")
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
