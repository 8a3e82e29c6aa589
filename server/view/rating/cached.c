/* Ratings of one player-year: computed from its turns, cached while the turns stay the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/records.h"
#include "view/json.h"
#include "view/rating/rate.h"

/* The members shown in rows of lists; also stored separately. */
#define BRIEF ((unsigned)(IPR_RATE_IPR | IPR_RATE_CONFORMANCE | IPR_RATE_ELO))

/* Leaves `out` blank when there is none, or it belongs to another calibration record or
 * revision. */
static enum ipr_code cached_read(const struct ipr_view_context *c,
                                 const struct ipr_db_rating_key *key, bool brief,
                                 struct ipr_figure_ratings *out, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    const char *text = NULL;

    const enum ipr_code rc = ipr_db_rating_get(c->v->db, key, brief, c->v->mem, &text, &why);
    if (rc == IPR_ENOTFOUND)
        return IPR_OK;
    if (rc != IPR_OK)
        return ipr_err_set(err, rc, "%s", why.msg);
    json_t *row = json_loads(text, 0, NULL);
    if ((int)ipr_json_at(row, "revision", 0.0) == ipr_method_versions() &&
        strcmp(ipr_json_text_at(row, "calibration_digest"), c->calibration_digest) == 0)
        ipr_shape_read(IPR_SHAPE_RATINGS, json_object_get(row, "rating"), c->v->mem, out);
    json_decref(row);
    return IPR_OK;
}

static char *cached_text(const struct ipr_view_context *c, const struct ipr_figure_ratings *rating)
{
    json_t *row =
        json_pack("{s:i, s:s, s:o}", "revision", ipr_method_versions(), "calibration_digest",
                  c->calibration_digest, "rating", ipr_shape_json(IPR_SHAPE_RATINGS, rating));
    char *text = json_dumps(row, JSON_COMPACT | JSON_REAL_PRECISION(12));

    json_decref(row);
    return text;
}

static enum ipr_code cached_write(const struct ipr_view_context *c,
                                  const struct ipr_db_rating_key *key,
                                  const struct ipr_figure_ratings *rating, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_figure_ratings brief;
    struct ipr_db *lent = NULL;

    ipr_shape_blank(IPR_SHAPE_RATINGS, &brief);
    brief.ipr = rating->ipr;
    brief.conformance = rating->conformance;
    brief.elo = rating->elo;
    enum ipr_code rc = c->v->keep != NULL ? ipr_db_lease(c->v->keep, &lent, &why) : IPR_OK;
    if (rc != IPR_OK) /* a replica answers without it, then */
        return IPR_OK;
    char *text = cached_text(c, rating), *brief_text = cached_text(c, &brief);
    rc = ipr_db_rating_put(lent != NULL ? lent : c->v->db, key, text, brief_text,
                           rating->ipr != NULL ? rating->ipr->figure.estimate : NAN,
                           ipr_method_versions(), &why);
    ipr_db_return(&lent);
    free(brief_text);
    free(text);
    if (rc == IPR_OK || rc == IPR_ECONFLICT) /* the calibration was replaced meanwhile */
        return IPR_OK;
    return ipr_err_set(err, rc, "%s", why.msg);
}

enum ipr_code ipr_rate_cached(const struct ipr_view_context *c, int32_t player, int year,
                              int64_t version, unsigned wanted, bool cached_only,
                              struct ipr_figure_ratings **out, struct ipr_err *err)
{
    const struct ipr_db_rating_key key = { player,   year,    c->judge_id, c->calibration_id,
                                           c->times, version, c->mismatch };
    const struct ipr_db_scope scope = ipr_db_scope_year(player, year, c->times);
    const bool cacheable = c->judge_id && c->calibration_id && version > 0;
    struct ipr_figure_ratings *rating = ipr_shape_new(IPR_SHAPE_RATINGS, c->v->mem);
    const bool brief = cached_only && (wanted & ~BRIEF) == 0;
    enum ipr_code rc = cacheable ? cached_read(c, &key, brief, rating, err) : IPR_OK;
    const unsigned missing = ipr_rate_missing(rating, wanted);

    *out = missing == 0 || !cached_only ? rating : NULL;
    if (rc != IPR_OK || missing == 0 || cached_only)
        return rc;
    rc = ipr_rate(c, &scope, missing, rating, err);
    return rc == IPR_OK && cacheable && !c->v->snapshot ? cached_write(c, &key, rating, err) : rc;
}

/* ---- rows of lists ---- */

static struct ipr_figure_share_short *row_share(const struct ipr_figure_share *s,
                                                struct ipr_arena *mem)
{
    if (s == NULL)
        return NULL;
    return ipr_shape_copy(IPR_SHAPE_SHARE_SHORT,
                          &(struct ipr_figure_share_short){ s->share, s->interval }, mem);
}

static const char *row_reason(const struct ipr_view_context *c, const struct ipr_db_player_year *y)
{
    if (y->turns == 0)
        return ipr_rate_no_moves(c, c->judge.name);
    if (y->turns < IPR_VIEW_MIN_TURNS)
        return ipr_rate_needed(c->times & IPR_TIME_OWN ? IPR_REASON_NEEDED_ANALYSED_HERE
                                                       : IPR_REASON_NEEDED_ANALYSED,
                               IPR_VIEW_MIN_TURNS, (size_t)y->turns, c->v->mem);
    return "not computed yet";
}

static struct ipr_figure_bayes_short *row_agent(const struct ipr_figure_bayes *b,
                                                struct ipr_arena *mem)
{
    const struct ipr_figure *const elo = &b->elo.figure;
    const struct ipr_figure_bayes_short out = {
        .estimate = elo->estimate,
        .standard_error = elo->standard_error,
        .bound = b->elo.bound,
        .censored = ipr_range_censored(b->elo.bound),
        .interval = elo->interval,
        .reason = elo->group.reason != NULL ? elo->group.reason : b->posterior.figure.group.reason,
    };

    return ipr_shape_copy(IPR_SHAPE_BAYES_SHORT, &out, mem);
}

static void row_add_rating(const struct ipr_figure_ratings *r, struct ipr_arena *mem,
                           struct ipr_figure_year_row *row)
{
    const struct ipr_figure *ipr = &r->ipr->figure;
    const struct ipr_figure_conformance_form *shares = &r->conformance->conformance_form;

    if (!isfinite(row->elo)) /* else that of the tags, as in the ranking */
        row->elo = r->elo->elo_mean.figure.estimate;
    row->ipr = (struct ipr_figure_ipr_short){
        .estimate = ipr->estimate,
        .standard_error = ipr->standard_error,
        .interval = ipr->interval,
        .extrapolated = r->ipr->extrapolated,
        .turns = ipr->group.basis.turns,
        .games = ipr->group.basis.games,
        .reason = ipr->group.reason,
    };
    row->at_0 = row_share(shares->at_0, mem);
    row->at_30 = row_share(shares->at_30, mem);
}

/* The stored parts of one player-year. */
struct row_parts {
    const struct ipr_db_player_year *of;
    struct ipr_db_year_counts counts;
    struct ipr_db_strength sums;
    bool by_file; /* the sums */
    const struct ipr_db_results_strength *results;
};

static enum ipr_code row_make(const struct ipr_view_context *c, const struct row_parts *parts,
                              unsigned also, unsigned *budget, json_t **out, struct ipr_err *err)
{
    const struct ipr_db_player_year *const y = parts->of;
    const struct ipr_db_strength *const sums = &parts->sums;
    const unsigned wanted = IPR_RATE_IPR | IPR_RATE_CONFORMANCE | IPR_RATE_ELO | also;
    const bool few = y->turns < IPR_VIEW_MIN_TURNS; /* no window can have enough turns */
    const struct ipr_db_scope scope = ipr_db_scope_year(y->player_id, y->year, c->times);
    struct ipr_figure_ratings *rating = NULL;
    struct ipr_figure_year_row row;
    enum ipr_code rc = IPR_OK;

    if (c->judge_id && !few) {
        rc = ipr_rate_cached(c, y->player_id, y->year, y->version, wanted, true, &rating, err);
        if (rc == IPR_OK && rating == NULL && *budget > 0) {
            --*budget;
            rc = ipr_rate_cached(c, y->player_id, y->year, y->version, wanted, false, &rating, err);
        }
    }
    if (rc != IPR_OK)
        return rc;
    ipr_shape_blank(IPR_SHAPE_YEAR_ROW, &row);
    row.year = ipr_count_if(y->year != 0, (size_t)y->year);
    row.games = (size_t)y->games;
    row.not_rated = ipr_view_context_unrated(c, y);
    row.games_judged = (size_t)parts->counts.games_judged;
    row.turns = (size_t)parts->counts.turns;
    row.counted = (size_t)parts->counts.counted;
    row.active = parts->counts.counted >= IPR_VIEW_ACTIVE_TURNS;
    row.elo = ipr_number_if((y->turns > 0 || sums->moves > 0) && y->elo_mean > 0, y->elo_mean);
    row.pending = rating == NULL && !few;
    row.rating = ipr_strength_shorten(parts->by_file ? ipr_evals_figure(c, sums)
                                                     : ipr_strength_figure(c, sums));
    row.results_strength = ipr_results_short(parts->results, c->v->mem);
    if (rating != NULL)
        row_add_rating(rating, c->v->mem, &row);
    if (rating != NULL && (also & IPR_RATE_BAYES))
        row.bayes_elo = row_agent(rating->bayes, c->v->mem);
    if (rating == NULL)
        row.ipr.reason = row_reason(c, y);
    if (y->games == 0)
        row.ipr.reason = row.rating.reason = ipr_rate_no_games(c, &scope);
    *out = ipr_shape_json(IPR_SHAPE_YEAR_ROW, &row);
    return IPR_OK;
}

/* The counts of a year by another setting than its own. */
static struct ipr_db_year_counts row_counts(const struct ipr_db_year_counts *counts, size_t n,
                                            int year)
{
    for (size_t i = 0; i < n; i++)
        if (counts[i].year == year)
            return counts[i];
    return (struct ipr_db_year_counts){ .year = year };
}

/* The sums of a year that is rated by evaluations in files. */
static enum ipr_code row_by_file(const struct ipr_view_context *rated, struct row_parts *parts,
                                 struct ipr_err *err)
{
    const struct ipr_db_scope year =
        ipr_db_scope_year(parts->of->player_id, parts->of->year, rated->times);

    parts->by_file = true;
    return ipr_db_strength_of_scope(rated->v->db, &year, -1, &parts->sums, err);
}

enum ipr_code ipr_view_add_year_rows(const struct ipr_view_context *c,
                                     const struct ipr_view_context *rated,
                                     const struct ipr_db_player_year *rows, size_t n, unsigned also,
                                     bool several, unsigned *budget, json_t *list,
                                     struct ipr_err *err)
{
    struct ipr_db_player_strength *strength = NULL;
    struct ipr_db_results_strength *results = NULL;
    struct ipr_db_year_counts *counts = NULL;
    size_t n_strength = 0, n_results = 0, n_counts = 0;
    const bool other = rated != NULL && rated->judge_id != c->judge_id && n > 0;
    enum ipr_code rc = ipr_db_strength_of_years(c->v->db, rows, n, c->times, c->v->mem, &strength,
                                                &n_strength, err);

    if (rc == IPR_OK)
        rc = ipr_db_results_of_years(c->v->db, rows, n, c->v->mem, &results, &n_results, err);
    if (rc == IPR_OK && other)
        rc = ipr_db_player_year_counts(c->v->db, rows[0].player_id, rated->judge_id, rated->times,
                                       c->v->mem, &counts, &n_counts, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        json_t *row = NULL;

        if (rows[i].year == 0 && !several)
            continue;
        struct row_parts parts = {
            &rows[i],
            { rows[i].year, rows[i].games_judged, rows[i].turns, rows[i].counted },
            strength[i].sums,
            false,
            &results[i],
        };
        if (other)
            parts.counts = row_counts(counts, n_counts, rows[i].year);
        if (rated != NULL && ipr_strength_is_by_file(rated))
            rc = row_by_file(rated, &parts, err);
        if (rc == IPR_OK)
            rc = row_make(c, &parts, also, budget, &row, err);
        if (rc == IPR_OK && several)
            json_object_set_new(row, "player", ipr_json_player(rows[i].player_id, rows[i].name));
        if (rc == IPR_OK)
            json_array_append_new(list, row);
    }
    return rc;
}
