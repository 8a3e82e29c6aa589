/* The queue on a player's page: the player's games in it, and the time that the rest would take. It
 * changes with the clock and with the games of others, so it is not part of other resources. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "db/analyses.h"
#include "db/monitor.h"
#include "db/strength.h"
#include "db/workers.h"
#include "view/context.h"
#include "view/json.h"
#include "view/queue/analyses.h"
#include "view/rows.h"

#define GAMES_SHOWN 200

/* Whether a list of words has this one. */
static bool player_queue_has_word(const char *list, const char *word)
{
    struct ipr_str rest = ipr_str_c(list), one;

    while (ipr_str_word(&rest, &one))
        if (ipr_str_is(one, word))
            return true;
    return false;
}

static enum ipr_code player_queue_engines(const struct ipr_view *v, const char *program, int *out,
                                          struct ipr_err *err)
{
    struct ipr_db_worker *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_workers(v->db, v->mem, &rows, &n, err);
    *out = 0;
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        if (player_queue_has_word(rows[i].engines, program))
            *out += rows[i].threads;
    return rc;
}

/* Adds the time of the games that would be queued, at turn_s a turn, to the time of those ahead: an
 * engine analyses one game at a time, so at least the time of one game. If only one of the two is
 * known it is a lower bound. */
static void player_queue_add_own(const char *judge, double turn_s, int64_t games, int64_t turns,
                                 struct ipr_db_progress *p)
{
    const double ahead = p->seconds, own = (double)turns * turn_s;

    if (p->engines > 0 && turn_s >= 0.0) {
        const double together = (p->engine_seconds + own) / p->engines;

        p->seconds = fmax(fmax(ahead, together), own / (double)games);
        return;
    }
    p->seconds = ahead > 0.0 ? ahead : -1.0;
    p->unknown = p->engines == 0 ? "no_worker" : "not_measured";
    snprintf(p->unmeasured, sizeof p->unmeasured, "%s", p->engines == 0 ? "" : judge);
}

/* Time until games that would be queued now are judged, after those queued for the judge
 * already. */
static enum ipr_code player_queue_estimate(const struct ipr_view *v, const struct ipr_judge *judge,
                                           int64_t games, int64_t turns,
                                           struct ipr_db_progress *out, struct ipr_err *err)
{
    const struct ipr_db_selection queued = { .judge = judge->name };
    double *turn_s = NULL;
    size_t n = 0;

    enum ipr_code rc = ipr_db_analyses_progress(v->db, &queued, out, err);
    if (rc == IPR_OK)
        rc = player_queue_engines(v, judge->program, &out->engines, err);
    if (rc == IPR_OK)
        rc = ipr_db_judge_speeds(v->db, (const char *[]){ judge->name }, 1, v->mem, &turn_s, &n,
                                 err);
    if (rc != IPR_OK)
        return rc;
    if (out->ready + out->running == 0) { /* nothing is ahead */
        out->seconds = 0.0;
        out->unknown = NULL;
    }
    player_queue_add_own(judge->name, turn_s[0], games, turns, out);
    return IPR_OK;
}

/* Sets it under `key`; null where no game is left. */
static enum ipr_code player_queue_add_offer(const struct ipr_view_context *c, int32_t person,
                                            int year, const struct ipr_judge *judge,
                                            const char *key, json_t *out, struct ipr_err *err)
{
    struct ipr_db_progress p = { 0 };
    int64_t games = 0, turns = 0;

    enum ipr_code rc =
        ipr_db_unjudged(c->v->db, person, year, judge->name, false, &games, &turns, err);
    if (rc == IPR_OK && games > 0)
        rc = player_queue_estimate(c->v, judge, games, turns, &p, err);
    if (rc != IPR_OK)
        return rc;
    if (games == 0) {
        json_object_set_new(out, key, json_null());
        return IPR_OK;
    }
    const bool known = p.seconds >= 0.0;
    json_t *offer = json_pack("{s:s, s:I, s:I, s:o, s:b}", "judge", judge->name, "games",
                              (json_int_t)games, "turns", (json_int_t)turns, "seconds",
                              known ? json_real(ceil(p.seconds)) : json_null(), "at_least",
                              known && p.unknown != NULL);
    p.ready = games; /* as if they were queued */
    json_object_set_new(offer, "remaining", ipr_view_remaining(&p));
    ipr_view_set_reason(&p, offer);
    json_object_set_new(out, key, offer);
    return IPR_OK;
}

/* Of the methods of many lines, and of the rating. */
static enum ipr_code player_queue_add_offers(const struct ipr_view_context *c, int32_t person,
                                             int year, json_t *out, struct ipr_err *err)
{
    struct ipr_judge wide, rating;

    enum ipr_code rc = ipr_view_wide_judge(c, &wide, err);
    if (rc == IPR_OK)
        rc = player_queue_add_offer(c, person, year, &wide, "offer", out, err);
    if (rc == IPR_OK && ipr_judge_builtin(IPR_STRENGTH_JUDGE, &rating))
        rc = player_queue_add_offer(c, person, year, &rating, "rating_offer", out, err);
    return rc;
}

/* The games queued for the context's judge. */
static enum ipr_code player_queue_add_games(const struct ipr_view_context *c, int32_t person,
                                            int year, json_t *out, struct ipr_err *err)
{
    const struct ipr_db_selection games = { .person = person,
                                            .year = year,
                                            .judge = c->judge_id != 0 ? c->judge.name : NULL };
    struct ipr_db_analysis *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc =
        ipr_db_analyses_list(c->v->db, &games, NULL, 0, GAMES_SHOWN, c->v->mem, &rows, &n, err);
    json_object_set_new(out, "games", ipr_rows_json(IPR_SHAPE_QUEUED_GAME, rows, n));
    return rc;
}

enum ipr_code ipr_fill_player_queue(const struct ipr_view_context *c,
                                    const struct ipr_player_queue_request *p, json_t *out,
                                    struct ipr_err *err)
{
    struct ipr_db_selection games = { .person = p->player, .year = p->year };

    enum ipr_code rc = ipr_view_selection(c->v, &games, err);
    if (rc == IPR_OK)
        rc = ipr_view_add_judging(c->v, &games, out, err);
    if (rc == IPR_OK)
        rc = player_queue_add_offers(c, games.person, p->year, out, err);
    if (rc == IPR_OK)
        rc = player_queue_add_games(c, games.person, p->year, out, err);
    json_object_set_new(out, "player", json_integer(games.person));
    json_object_set_new(out, "year", ipr_json_known(p->year));
    return rc;
}

static const char *player_queue_state(const json_t *queue, const json_t *game)
{
    const json_t *queued;
    size_t i;

    if (ipr_json_true_at(game, "judged"))
        return "judged";
    json_array_foreach(json_object_get(queue, "games"), i, queued) {
        if (json_equal(json_object_get(queued, "id"), json_object_get(game, "id")))
            return ipr_json_text_at(queued, "state");
    }
    return "not queued";
}

/* Sets it as "queue" of a resource, and "state" of each row of its "game_list". Takes `resource`,
 * which is *out unless this fails. */
static enum ipr_code player_queue_join(const struct ipr_view *v,
                                       const struct ipr_player_queue_request *p, json_t *resource,
                                       json_t **out, struct ipr_err *err)
{
    json_t *queue = NULL, *game;
    size_t i;

    const enum ipr_code rc = ipr_view_player_queue(v, p, &queue, err);
    if (rc != IPR_OK) {
        json_decref(resource);
        return rc;
    }
    json_array_foreach(json_object_get(resource, "game_list"), i, game) {
        json_object_set_new(game, "state", json_string(player_queue_state(queue, game)));
    }
    json_object_set_new(resource, "queue", queue);
    *out = resource;
    return IPR_OK;
}

enum ipr_code ipr_view_player_page(const struct ipr_view *v, const struct ipr_player_request *p,
                                   json_t **out, struct ipr_err *err)
{
    const struct ipr_player_queue_request queue = { .player = p->player, .judge = p->judge };
    json_t *player = NULL;
    const enum ipr_code rc = ipr_view_player(v, p, &player, err);

    return rc == IPR_OK ? player_queue_join(v, &queue, player, out, err) : rc;
}

enum ipr_code ipr_view_ratings_page(const struct ipr_view *v, const struct ipr_ratings_request *p,
                                    json_t **out, struct ipr_err *err)
{
    const struct ipr_player_queue_request queue = { p->player, p->year, p->judge };
    json_t *ratings = NULL;
    const enum ipr_code rc = ipr_view_ratings(v, p, &ratings, err);

    return rc == IPR_OK ? player_queue_join(v, &queue, ratings, out, err) : rc;
}
