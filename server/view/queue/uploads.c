/* Uploads: what was received, its errors, and the progress of its analysis. */
#include "db/uploads.h"

#include <inttypes.h>
#include <string.h>

#include "core/confirmed.h"
#include "db/identity_changes.h"
#include "db/similar_pairs.h"
#include "db/tournaments.h"
#include "resource/cursor.h"
#include "sentence/sentence.h"
#include "view/json.h"
#include "view/queue/analyses.h"
#include "view/queue/findings.h"
#include "view/queue/uploads.h"
#include "view/rating/rate.h"
#include "view/rows.h"

#define PLAYERS_SHOWN    200
#define RATED            20 /* players */
#define DUPLICATES_SHOWN 1000
#define MERGES_SHOWN     20

/* Writes a shape with "done". */
static json_t *upload_json(enum ipr_shape_id shape, const struct ipr_db_upload *u)
{
    json_t *out = ipr_row_json(shape, u);

    const bool imports = strcmp(u->state, "waiting") == 0 || strcmp(u->state, "importing") == 0;

    json_object_set_new(out, "done", json_boolean(!imports && u->queued == 0 && u->running == 0));
    return out;
}

json_t *ipr_view_upload_rows(const struct ipr_db_upload *rows, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, upload_json(IPR_SHAPE_UPLOAD_ROW, &rows[i]));
    return list;
}

/* Judged by the judge it was sent for, or by any if it was sent for none. */
static enum ipr_code add_judging(const struct ipr_view *v, const struct ipr_db_upload *u,
                                 json_t *out, struct ipr_err *err)
{
    const struct ipr_db_selection s = { .upload = u->id,
                                        .judge = u->judge[0] != '\0' ? u->judge : NULL };

    return ipr_view_add_judging(v, &s, "judging", out, err);
}

static enum ipr_code add_errors(const struct ipr_view *v, int64_t id, json_t *out,
                                struct ipr_err *err)
{
    struct ipr_db_upload_error *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_upload_errors(v->db, id, v->mem, &rows, &n, err);
    json_object_set_new(out, "errors", ipr_rows_json(IPR_SHAPE_UPLOAD_ERROR, rows, n));
    return rc;
}

static json_t *duplicate_list(const struct ipr_db_duplicate *rows, size_t n)
{
    json_t *list = ipr_rows_json(IPR_SHAPE_UPLOAD_DUPLICATE, rows, n), *one;
    size_t k;

    json_array_foreach(list, k, one) {
        json_t *conflicts = json_array();

        for (int i = 0; i < IPR_CONFLICTS; i++)
            if (rows[k].conflicts >> i & 1u)
                json_array_append_new(conflicts, json_string(ipr_conflict_name(i)));
        json_object_set_new(one, "conflicts", conflicts);
    }
    return list;
}

static enum ipr_code add_duplicates(const struct ipr_view *v, int64_t id, json_t *out,
                                    struct ipr_err *err)
{
    struct ipr_db_duplicate *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc =
        ipr_db_duplicates(v->db, id, 0, DUPLICATES_SHOWN, v->mem, &rows, &n, err);
    if (rc == IPR_OK)
        json_object_set_new(out, "duplicates", duplicate_list(rows, n));
    return rc;
}

static enum ipr_code add_failures(const struct ipr_view *v, int64_t id, json_t *out,
                                  struct ipr_err *err)
{
    struct ipr_db_failed_job *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_upload_failed(v->db, id, v->mem, &rows, &n, err);
    json_object_set_new(out, "failures", ipr_rows_json(IPR_SHAPE_UPLOAD_FAILURE, rows, n));
    return rc;
}

static enum ipr_code add_upload_players(const struct ipr_view *v, int64_t id, json_t *out,
                                        struct ipr_err *err)
{
    struct ipr_db_upload_player *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc =
        ipr_db_upload_players(v->db, id, PLAYERS_SHOWN, v->mem, &rows, &n, err);
    json_object_set_new(out, "players", ipr_rows_json(IPR_SHAPE_UPLOAD_PLAYER, rows, n));
    return rc;
}

/* A player's sums in a pool by analysis and by evaluations in the file. Their ratings are never of
 * both. */
struct upload_strengths {
    struct ipr_db_upload_strength *analysed, *by_file; /* [n], the same players and pools */
    size_t n;
};

/* `player`: 0 for the players with most games. */
static enum ipr_code upload_strengths_find(const struct ipr_view *v, int64_t id, int32_t player,
                                           int limit, struct upload_strengths *out,
                                           struct ipr_err *err)
{
    struct ipr_db_upload_strength *by_file = NULL;
    int pool[IPR_TIME_CLASSES]; /* of each class of time control */
    size_t n = 0;

    for (unsigned c = 0; c < IPR_TIME_CLASSES; c++)
        pool[c] = (int)(ipr_pool_of(IPR_TIME_BIT(c)) - ipr_pool_at(0));
    enum ipr_code rc = ipr_db_strength_of_upload(
        v->db, id, player, limit, 1, pool, IPR_TIME_CLASSES, v->mem, &out->analysed, &out->n, err);
    if (rc == IPR_OK)
        rc = ipr_db_strength_of_upload(v->db, id, player, limit, -1, pool, IPR_TIME_CLASSES, v->mem,
                                       &by_file, &n, err);
    if (rc != IPR_OK)
        return rc;
    /* Two queries: who has been merged between them is not among both. */
    out->by_file = ipr_arena_alloc(v->mem, out->n, sizeof *out->by_file);
    for (size_t i = 0; i < out->n; i++)
        for (size_t k = 0; k < n; k++)
            if (by_file[k].person == out->analysed[i].person &&
                by_file[k].pool == out->analysed[i].pool)
                out->by_file[i] = by_file[k];
    return IPR_OK;
}

static struct ipr_figure_rating *upload_rating(const struct ipr_view_context *c,
                                               const struct upload_strengths *s, size_t i,
                                               json_t *out)
{
    struct ipr_view_context own = *c;
    bool by_file = false;

    if (s->analysed[i].pool >= 0)
        own.pool = ipr_pool_at((size_t)s->analysed[i].pool);
    struct ipr_figure_rating *const rating =
        ipr_strength_fuller(&own, &s->analysed[i].sums, &s->by_file[i].sums, &by_file);

    json_object_set_new(out, "by_file", json_boolean(by_file));
    return rating;
}

static json_t *upload_ratings(const struct ipr_view_context *c, const struct upload_strengths *s)
{
    json_t *list = ipr_rows_json(IPR_SHAPE_UPLOAD_RATING, s->analysed, s->n);

    for (size_t i = 0; i < s->n; i++) {
        json_t *row = json_array_get(list, i);
        const struct ipr_figure_rating_short rating =
            ipr_strength_shorten(upload_rating(c, s, i, row));

        json_object_set_new(row, "rating", ipr_shape_json(IPR_SHAPE_RATING_SHORT, &rating));
    }
    return list;
}

/* In the pool of the request, if it names one; else in the first with a scale, if there is one.
 * *pools: all games of the player. */
static enum ipr_code upload_choose(const struct ipr_view_context *c,
                                   const struct upload_strengths *s, bool guessed, json_t *to,
                                   json_t **pools, struct ipr_err *err)
{
    const bool asked = c->v->time_classes != 0;
    bool found = false;
    size_t i = 0;

    *pools = json_array();
    for (size_t k = 0; k < s->n && s->analysed[k].person == s->analysed[0].person; k++) {
        const struct ipr_db_upload_strength *const row = &s->analysed[k];

        if (row->pool < 0)
            continue;
        const struct ipr_pool *const pool = ipr_pool_at((size_t)row->pool);
        const struct ipr_answer_profile_pool one = { pool->name,     row->here, row->first_date,
                                                     row->last_date, NULL,      -1 };

        json_array_append_new(*pools, ipr_shape_json(IPR_SHAPE_PROFILE_POOL, &one));
        if (!found && (asked ? pool == c->pool : pool->moves.fit != NULL)) {
            i = k;
            found = true;
        }
    }
    if (asked && !found)
        return ipr_err_set(err, IPR_ENOTFOUND, "%s has no %s", s->analysed[0].name, c->pool->games);
    json_t *const out = ipr_row_json(IPR_SHAPE_UPLOAD_CHOICE, &s->analysed[i]);

    json_object_set_new(out, "guessed", json_boolean(guessed));
    json_object_set_new(out, "rating",
                        ipr_shape_json(IPR_SHAPE_RATING, upload_rating(c, s, i, out)));
    json_object_set_new(to, "choice", out);
    return IPR_OK;
}

/* In the file of one person's games this person plays all of them, and the opponents few. */
static bool stands_out(const struct ipr_db_upload *u, const struct ipr_db_upload_strength *rows,
                       size_t n)
{
    size_t next = 0;

    while (next < n && rows[next].person == rows[0].person)
        next++;
    return n > 0 && 2 * rows[0].played > (int64_t)u->imported + u->duplicate &&
           (next == n || rows[0].played > rows[next].played);
}

static enum ipr_code add_choice_of(const struct ipr_view_context *c, int64_t id, int32_t player,
                                   json_t *out, json_t **pools, struct ipr_err *err)
{
    struct upload_strengths s = { 0 };

    const enum ipr_code rc = upload_strengths_find(c->v, id, player, 1, &s, err);
    if (rc == IPR_OK && s.n == 0)
        return ipr_err_set(err, IPR_ENOTFOUND, "player %d has no game in upload %" PRId64, player,
                           id);
    return rc == IPR_OK ? upload_choose(c, &s, false, out, pools, err) : rc;
}

/* Who has played the player of the choice is no other account of that person. */
static enum ipr_code add_met(const struct ipr_view *v, json_t *out, struct ipr_err *err)
{
    const int32_t chosen = (int32_t)ipr_json_at(json_object_get(out, "choice"), "player.id", 0.0);
    const json_t *const ratings = json_object_get(out, "ratings");
    const size_t rows = json_array_size(ratings); /* a player has one for each pool */
    int32_t *const ids = ipr_arena_alloc(v->mem, rows + 1, sizeof *ids), *met = NULL;
    size_t i, n = 0;
    json_t *row;

    if (chosen == 0)
        return IPR_OK;
    json_array_foreach(ratings, i, row)
        ids[i] = (int32_t)ipr_json_at(row, "player.id", 0.0);
    const enum ipr_code rc =
        ipr_db_opponents_among(v->db, chosen, ids, rows, v->mem, &met, &n, err);
    json_array_foreach(ratings, i, row) {
        size_t k = 0;

        while (k < n && met[k] != ids[i])
            k++;
        json_object_set_new(row, "met", json_boolean(k < n));
    }
    return rc;
}

/* The merges into the player of the choice, which can be undone. */
static enum ipr_code add_merged(const struct ipr_view *v, json_t *out, struct ipr_err *err)
{
    const int32_t chosen = (int32_t)ipr_json_at(json_object_get(out, "choice"), "player.id", 0.0);
    struct ipr_db_identity_change *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = chosen == 0 ? IPR_OK
                                         : ipr_db_identity_changes(v->db, 0, chosen, MERGES_SHOWN,
                                                                   v->mem, &rows, &n, err);
    json_object_set_new(out, "merged", ipr_rows_json(IPR_SHAPE_IDENTITY_CHANGE, rows, n));
    return rc;
}

/* Where the player of the choice loses points, in the games of its pool, unless these are too many
 * to be read. */
static enum ipr_code add_profile(const struct ipr_view *v, int64_t id, json_t *pools, json_t *out,
                                 struct ipr_err *err)
{
    const json_t *const choice = json_object_get(out, "choice");
    const char *const pool = ipr_json_text_at(choice, "rating.pool");
    struct ipr_profile_request p = IPR_PROFILE_REQUEST_INIT;
    struct ipr_view of_pool = *v;

    if (choice == NULL || *pool == '\0')
        return IPR_OK;
    of_pool.time_classes = ipr_pool_named(pool)->times;
    p.player = (int32_t)ipr_json_at(choice, "player.id", 0.0);
    p.upload = id;
    const enum ipr_code rc =
        ipr_view_add_profile(&of_pool, &p, ipr_json_at(choice, "games", 0.0), out, err);

    if (rc != IPR_OK)
        return rc;
    json_t *const profile = json_object_get(out, "profile");
    const bool by_file = ipr_json_true_at(profile, "by_file");
    const json_t *const work = json_object_get(out, by_file ? "judging" : "confirming");
    const bool timed = ipr_json_at(work, "seconds", -1) >= 0 && !ipr_json_true_at(work, "at_least");
    struct ipr_profile_unsolved_slots slots = {
        .games = ipr_json_at(work, "ready", 0) + ipr_json_at(work, "running", 0),
    };
    if (timed)
        slots.remaining = ipr_json_text_at(work, "remaining");
    json_object_set(profile, "pools", pools);
    if (*ipr_json_text_at(profile, "unsolved") != '\0' && slots.games > 0)
        json_object_set_new(
            profile, "unsolved",
            json_string(ipr_say_profile_unsolved(by_file ? IPR_PROFILE_UNSOLVED_BY_FILE
                                                         : IPR_PROFILE_UNSOLVED_SEARCHED,
                                                 &slots, v->mem)));
    return IPR_OK;
}

/* `player`: 0 if the request names none. *pools: of who is chosen. */
static enum ipr_code upload_add_ratings(const struct ipr_view *v, const struct ipr_db_upload *u,
                                        int32_t player, json_t *out, json_t **pools,
                                        struct ipr_err *err)
{
    const struct ipr_view_context c = ipr_setting_games(v);
    struct upload_strengths s = { 0 };
    enum ipr_code rc = upload_strengths_find(v, u->id, 0, RATED, &s, err);

    if (rc != IPR_OK)
        return rc;
    json_object_set_new(out, "ratings", upload_ratings(&c, &s));
    if (player > 0 && s.n > 0)
        return add_choice_of(&c, u->id, player, out, pools, err);
    return stands_out(u, s.analysed, s.n) ? upload_choose(&c, &s, true, out, pools, err) : IPR_OK;
}

enum ipr_code ipr_view_uploads(const struct ipr_view *v, const struct ipr_uploads_request *p,
                               json_t **out, struct ipr_err *err)
{
    const size_t limit = (size_t)p->limit;
    struct ipr_db_upload *rows = NULL;
    int64_t after;
    size_t n = 0;

    enum ipr_code rc = ipr_param_cursor(p->after, INT64_MAX, &after, err);
    if (rc == IPR_OK) /* one more shows whether there is a next page */
        rc = ipr_db_upload_list(v->db, after > 0 ? after - 1 : INT64_MAX, p->limit + 1, v->mem,
                                &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    *out =
        json_pack("{s:o, s:o}", "uploads", ipr_view_upload_rows(rows, n < limit ? n : limit),
                  "next", n > limit ? json_sprintf("%" PRId64, rows[limit - 1].id) : json_null());
    json_object_set_new(*out, "finding", json_string(ipr_uploads_finding(*out, v->mem)));
    const struct ipr_answer_upload_rule rule = { .uploads_private = v->uploads_private,
                                                 .uploads_open = v->uploads_open };
    json_object_update_new(*out, ipr_shape_json(IPR_SHAPE_UPLOAD_RULE, &rule));
    return IPR_OK;
}

enum ipr_code ipr_view_upload(const struct ipr_view *v, const struct ipr_upload_request *p,
                              json_t **out, struct ipr_err *err)
{
    const int64_t id = p->upload;
    struct ipr_db_upload_event *events = NULL;
    size_t n_events = 0;
    struct ipr_db_upload u;
    json_t *pools = NULL;

    enum ipr_code rc = ipr_db_upload_get(v->db, id, v->mem, &u, err);
    if (rc != IPR_OK)
        return rc;
    json_t *upload = upload_json(IPR_SHAPE_UPLOAD_ROW, &u);
    rc = add_judging(v, &u, upload, err);
    if (rc == IPR_OK)
        rc = ipr_view_add_judging(v,
                                  &(struct ipr_db_selection){ .upload = id, .judge = IPR_CONFIRM },
                                  "confirming", upload, err);
    if (rc == IPR_OK)
        rc = add_errors(v, id, upload, err);
    if (rc == IPR_OK)
        rc = add_duplicates(v, id, upload, err);
    if (rc == IPR_OK)
        rc = add_failures(v, id, upload, err);
    if (rc == IPR_OK)
        rc = ipr_db_upload_events(v->db, id, v->mem, &events, &n_events, err);
    if (rc == IPR_OK)
        rc = upload_add_ratings(v, &u, (int32_t)p->player, upload, &pools, err);
    if (rc == IPR_OK)
        rc = add_met(v, upload, err);
    if (rc == IPR_OK)
        rc = add_merged(v, upload, err);
    if (rc == IPR_OK)
        rc = add_profile(v, id, pools, upload, err);
    json_decref(pools);
    if (rc == IPR_OK)
        rc = add_upload_players(v, id, upload, err);
    if (rc != IPR_OK) {
        json_decref(upload);
        return rc;
    }
    const struct ipr_answer_upload_keys keys = { .key = v->upload_key,
                                                 .owner_key = v->owner_key,
                                                 .events = { events, n_events } };
    json_object_update_new(upload, ipr_shape_json(IPR_SHAPE_UPLOAD_KEYS, &keys));
    json_object_set_new(upload, "finding", json_string(ipr_upload_finding(upload, v->mem)));
    *out = upload;
    return IPR_OK;
}

/* Errors after game number `after`. */
enum ipr_code ipr_view_upload_duplicates(const struct ipr_view *v,
                                         const struct ipr_upload_duplicates_request *p,
                                         json_t **out, struct ipr_err *err)
{
    struct ipr_db_upload u;
    struct ipr_db_duplicate *rows = NULL;
    const size_t limit = (size_t)p->limit;
    int64_t after;
    size_t n = 0;

    enum ipr_code rc = ipr_param_cursor(p->after, INT32_MAX, &after, err);
    if (rc == IPR_OK)
        rc = ipr_db_upload_get(v->db, p->upload, v->mem, &u, err);
    if (rc == IPR_OK)
        rc = ipr_db_duplicates(v->db, p->upload, (int32_t)after, p->limit + 1, v->mem, &rows, &n,
                               err);
    if (rc != IPR_OK)
        return rc;
    const bool more = n > limit;
    n = more ? limit : n;
    *out = json_pack("{s:o, s:o}", "duplicates", duplicate_list(rows, n), "next",
                     more ? json_sprintf("%d", (int)rows[n - 1].game) : json_null());
    return IPR_OK;
}

/* The counts of ipr_view_upload alone, with "judging". */
enum ipr_code ipr_view_progress(const struct ipr_view *v, int64_t id, json_t **out,
                                struct ipr_err *err)
{
    struct ipr_db_upload u;

    enum ipr_code rc = ipr_db_upload_get(v->db, id, v->mem, &u, err);
    if (rc != IPR_OK)
        return rc;
    json_t *counts = upload_json(IPR_SHAPE_UPLOAD_COUNTS, &u);
    rc = add_judging(v, &u, counts, err);
    if (rc == IPR_OK)
        *out = counts;
    else
        json_decref(counts);
    return rc;
}
