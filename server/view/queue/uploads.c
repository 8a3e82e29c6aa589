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
#include "view/rating/rate.h"

#define PLAYERS_SHOWN    200
#define RATED            20 /* players */
#define DUPLICATES_SHOWN 1000
#define MERGES_SHOWN     20

/* The row, and whether nothing is left to do. */
static void upload_counts(const struct ipr_db_upload *u, struct ipr_answer_upload_counts *out)
{
    const bool imports = strcmp(u->state, "waiting") == 0 || strcmp(u->state, "importing") == 0;

    out->row = u;
    out->done = !imports && u->queued == 0 && u->running == 0;
}

/* Judged by the judge it was sent for, or by any if it was sent for none. */
static enum ipr_code upload_judging(const struct ipr_view *v, const struct ipr_db_upload *u,
                                    struct ipr_answer_progress *out, struct ipr_err *err)
{
    const struct ipr_db_selection s = { .upload = u->id,
                                        .judge = u->judge[0] != '\0' ? u->judge : NULL };

    return ipr_view_progress_of(v, &s, out, err);
}

static struct ipr_list_upload_duplicate duplicate_list(const struct ipr_db_duplicate *rows,
                                                       size_t n, struct ipr_arena *mem)
{
    struct ipr_list_upload_duplicate out = { ipr_shape_list(IPR_SHAPE_UPLOAD_DUPLICATE, n, mem),
                                             n };

    for (size_t k = 0; k < n; k++) {
        struct ipr_list_text *const conflicts = &out.at[k].conflicts;

        out.at[k].row = &rows[k];
        conflicts->at = ipr_arena_alloc(mem, IPR_CONFLICTS, sizeof *conflicts->at);
        for (int i = 0; i < IPR_CONFLICTS; i++)
            if (rows[k].conflicts >> i & 1u)
                conflicts->at[conflicts->n++] = ipr_conflict_name(i);
    }
    return out;
}

/* The games that were rejected, stored before, or failed; the players, and events. */
static enum ipr_code upload_lists(const struct ipr_view *v, int64_t id,
                                  struct ipr_answer_upload *out, struct ipr_err *err)
{
    struct ipr_db_upload_error *errors = NULL;
    struct ipr_db_duplicate *duplicates = NULL;
    struct ipr_db_failed_job *failures = NULL;
    struct ipr_db_upload_player *players = NULL;
    struct ipr_db_upload_event *events = NULL;
    size_t n = 0;

    enum ipr_code rc = ipr_db_upload_errors(v->db, id, v->mem, &errors, &out->errors.n, err);
    if (rc == IPR_OK)
        rc = ipr_db_duplicates(v->db, id, 0, DUPLICATES_SHOWN, v->mem, &duplicates, &n, err);
    if (rc == IPR_OK)
        rc = ipr_db_upload_failed(v->db, id, v->mem, &failures, &out->failures.n, err);
    if (rc == IPR_OK)
        rc =
            ipr_db_upload_players(v->db, id, PLAYERS_SHOWN, v->mem, &players, &out->players.n, err);
    if (rc == IPR_OK)
        rc = ipr_db_upload_events(v->db, id, v->mem, &events, &out->events.n, err);
    out->errors.at = errors;
    out->duplicates = duplicate_list(duplicates, n, v->mem);
    out->failures.at = failures;
    out->players.at = players;
    out->events.at = events;
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
                                               int *by_file)
{
    struct ipr_view_context own = *c;
    bool file = false;

    if (s->analysed[i].pool >= 0)
        own.pool = ipr_pool_at((size_t)s->analysed[i].pool);
    struct ipr_figure_rating *const rating =
        ipr_strength_fuller(&own, &s->analysed[i].sums, &s->by_file[i].sums, &file);

    *by_file = file;
    return rating;
}

static struct ipr_list_upload_rating upload_ratings(const struct ipr_view_context *c,
                                                    const struct upload_strengths *s)
{
    struct ipr_list_upload_rating out = { ipr_shape_list(IPR_SHAPE_UPLOAD_RATING, s->n, c->v->mem),
                                          s->n };

    for (size_t i = 0; i < s->n; i++) {
        out.at[i].row = &s->analysed[i];
        out.at[i].rating = ipr_strength_shorten(upload_rating(c, s, i, &out.at[i].by_file));
    }
    return out;
}

/* In the pool of the request, if it names one; else in the first with a scale, if there is one.
 * *pools: all games of the player. */
static enum ipr_code upload_choose(const struct ipr_view_context *c,
                                   const struct upload_strengths *s, bool guessed,
                                   struct ipr_answer_upload *to, json_t **pools,
                                   struct ipr_err *err)
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
    to->choice = ipr_shape_new(IPR_SHAPE_UPLOAD_CHOICE, c->v->mem);
    to->choice->row = &s->analysed[i];
    to->choice->guessed = guessed;
    to->choice->rating = *upload_rating(c, s, i, &to->choice->by_file);
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
                                   struct ipr_answer_upload *out, json_t **pools,
                                   struct ipr_err *err)
{
    struct upload_strengths s = { 0 };

    const enum ipr_code rc = upload_strengths_find(c->v, id, player, 1, &s, err);
    if (rc == IPR_OK && s.n == 0)
        return ipr_err_set(err, IPR_ENOTFOUND, "player %d has no game in upload %" PRId64, player,
                           id);
    return rc == IPR_OK ? upload_choose(c, &s, false, out, pools, err) : rc;
}

/* Who has played the player of the choice is no other account of that person; merges into the
 * player can be undone. */
static enum ipr_code upload_people(const struct ipr_view *v, struct ipr_answer_upload *out,
                                   struct ipr_err *err)
{
    const struct ipr_list_upload_rating *const ratings = &out->ratings; /* one for each pool */
    int32_t *const ids = ipr_arena_alloc(v->mem, ratings->n + 1, sizeof *ids), *met = NULL;
    struct ipr_db_identity_change *merged = NULL;
    size_t n = 0;

    if (out->choice == NULL)
        return IPR_OK;
    for (size_t i = 0; i < ratings->n; i++)
        ids[i] = ratings->at[i].row->person;
    enum ipr_code rc = ipr_db_opponents_among(v->db, out->choice->row->person, ids, ratings->n,
                                              v->mem, &met, &n, err);
    for (size_t i = 0; i < ratings->n; i++) {
        size_t k = 0;

        while (k < n && met[k] != ids[i])
            k++;
        ratings->at[i].met = k < n;
    }
    if (rc == IPR_OK)
        rc = ipr_db_identity_changes(v->db, 0, out->choice->row->person, MERGES_SHOWN, v->mem,
                                     &merged, &out->merged.n, err);
    out->merged.at = merged;
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
                                        int32_t player, struct ipr_answer_upload *out,
                                        json_t **pools, struct ipr_err *err)
{
    const struct ipr_view_context c = ipr_setting_games(v);
    struct upload_strengths s = { 0 };
    enum ipr_code rc = upload_strengths_find(v, u->id, 0, RATED, &s, err);

    if (rc != IPR_OK)
        return rc;
    out->ratings = upload_ratings(&c, &s);
    if (player > 0 && s.n > 0)
        return add_choice_of(&c, u->id, player, out, pools, err);
    return stands_out(u, s.analysed, s.n) ? upload_choose(&c, &s, true, out, pools, err) : IPR_OK;
}

enum ipr_code ipr_fill_uploads(const struct ipr_view *v, const struct ipr_uploads_request *p,
                               struct ipr_answer_uploads *out, struct ipr_err *err)
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
    if (n > limit)
        out->next = ipr_arena_printf(v->mem, "%" PRId64, rows[limit - 1].id);
    out->uploads.n = n < limit ? n : limit;
    out->uploads.at = ipr_shape_list(IPR_SHAPE_UPLOAD_ROW, n, v->mem);
    for (size_t i = 0; i < out->uploads.n; i++)
        upload_counts(&rows[i], &out->uploads.at[i].upload_counts);
    out->finding = ipr_uploads_finding(out, v->mem);
    out->uploads_private = v->uploads_private;
    out->uploads_open = v->uploads_open;
    return IPR_OK;
}

/* The profile is of JSON, and so is what the finding is made of. */
enum ipr_code ipr_view_upload(const struct ipr_view *v, const struct ipr_upload_request *p,
                              json_t **out, struct ipr_err *err)
{
    const struct ipr_db_selection confirmed = { .upload = p->upload, .judge = IPR_CONFIRM };
    struct ipr_answer_upload *const filled = ipr_shape_new(IPR_SHAPE_UPLOAD, v->mem);
    struct ipr_db_upload u;
    json_t *pools = NULL, *upload = NULL;

    enum ipr_code rc = ipr_db_upload_get(v->db, p->upload, v->mem, &u, err);
    if (rc != IPR_OK)
        return rc;
    upload_counts(&u, &filled->upload_row.upload_counts);
    filled->key = v->upload_key;
    filled->owner_key = v->owner_key;
    rc = upload_judging(v, &u, &filled->judging, err);
    if (rc == IPR_OK)
        rc = ipr_view_progress_of(v, &confirmed, &filled->confirming, err);
    if (rc == IPR_OK)
        rc = upload_lists(v, p->upload, filled, err);
    if (rc == IPR_OK)
        rc = upload_add_ratings(v, &u, (int32_t)p->player, filled, &pools, err);
    if (rc == IPR_OK)
        rc = upload_people(v, filled, err);
    if (rc == IPR_OK) {
        upload = ipr_shape_json(IPR_SHAPE_UPLOAD, filled);
        rc = add_profile(v, p->upload, pools, upload, err);
    }
    json_decref(pools);
    if (rc != IPR_OK) {
        json_decref(upload);
        return rc;
    }
    json_object_set_new(upload, "finding", json_string(ipr_upload_finding(upload, v->mem)));
    *out = upload;
    return IPR_OK;
}

/* Errors after game number `after`. */
enum ipr_code ipr_fill_upload_duplicates(const struct ipr_view *v,
                                         const struct ipr_upload_duplicates_request *p,
                                         struct ipr_answer_upload_duplicates *out,
                                         struct ipr_err *err)
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
    if (n > limit)
        out->next = ipr_arena_printf(v->mem, "%d", (int)rows[limit - 1].game);
    out->duplicates = duplicate_list(rows, n < limit ? n : limit, v->mem);
    return IPR_OK;
}

/* The counts of ipr_view_upload alone, with the progress of its games. */
enum ipr_code ipr_view_progress(const struct ipr_view *v, int64_t id, json_t **out,
                                struct ipr_err *err)
{
    struct ipr_answer_upload_progress progress;
    struct ipr_db_upload u;

    enum ipr_code rc = ipr_db_upload_get(v->db, id, v->mem, &u, err);
    if (rc == IPR_OK)
        rc = upload_judging(v, &u, &progress.judging, err);
    if (rc != IPR_OK)
        return rc;
    upload_counts(&u, &progress.upload_counts);
    *out = ipr_shape_json(IPR_SHAPE_UPLOAD_PROGRESS, &progress);
    return IPR_OK;
}
