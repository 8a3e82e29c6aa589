/* The queue on a player's page: the player's games in it, and the time that the rest would take. It
 * changes with the clock and with the games of others, so it is not part of other resources. */
#include <string.h>

#include "db/analyses.h"
#include "db/monitor.h"
#include "db/strength.h"
#include "view/context.h"
#include "view/document.h"
#include "view/json.h"
#include "view/player/career.h"
#include "view/queue/analyses.h"

#define GAMES_SHOWN 200

/* None where no game is left. own: the player's moves alone. */
static enum ipr_code player_queue_offer(const struct ipr_view_context *c, int32_t person, int year,
                                        const struct ipr_judge *judge, bool own,
                                        struct ipr_answer_queue_offer **out, struct ipr_err *err)
{
    int64_t games = 0, turns = 0;

    const enum ipr_code rc =
        ipr_db_unjudged(c->v->db, person, year, judge->name, false, own, &games, &turns, err);
    return rc == IPR_OK ? ipr_view_offer_of(c->v, judge, games, turns, out, err) : rc;
}

/* The offers are for the methods of many lines, and for the rating, which needs no move of the
 * opponents; the games are those queued for the context's judge. */
enum ipr_code ipr_fill_player_queue(const struct ipr_view_context *c,
                                    const struct ipr_player_queue_request *p,
                                    struct ipr_answer_player_queue *out, struct ipr_err *err)
{
    const struct ipr_judge rating = ipr_setting_rating();
    struct ipr_db_selection games = { .person = p->player, .year = p->year };
    struct ipr_db_analysis *rows = NULL;
    struct ipr_judge wide;

    enum ipr_code rc = ipr_view_selection(c->v, &games, err);
    if (rc == IPR_OK)
        rc = ipr_view_progress_of(c->v, &games, &out->judging, err);
    if (rc == IPR_OK)
        rc = ipr_setting_wide(c, &wide, err);
    if (rc == IPR_OK)
        rc = player_queue_offer(c, games.person, p->year, &wide, false, &out->offer, err);
    if (rc == IPR_OK)
        rc = player_queue_offer(c, games.person, p->year, &rating, true, &out->rating_offer, err);
    games.judge = c->judge_id != 0 ? c->judge.name : NULL;
    if (rc == IPR_OK)
        rc = ipr_db_analyses_list(c->v->db, &games, NULL, 0, GAMES_SHOWN, c->v->mem, &rows,
                                  &out->games.n, err);
    out->games.at = rows;
    out->player = games.person;
    if (p->year != 0)
        out->year = p->year;
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
    enum ipr_code rc = ipr_view_player(v, p, &player, err);

    if (rc == IPR_OK)
        rc = ipr_view_add_notable(v, p, player, err);
    if (rc == IPR_OK)
        return player_queue_join(v, &queue, player, out, err);
    json_decref(player);
    return rc;
}

/* Compares a plain year with the others of the career. */
static enum ipr_code ratings_page_career(const struct ipr_view *v,
                                         const struct ipr_ratings_request *p, json_t *out,
                                         struct ipr_err *err)
{
    const struct ipr_answer_upload_rule rule = { .uploads_private = v->uploads_private };
    const struct ipr_set all = { .player = p->player };
    struct ipr_view_context c;
    struct ipr_career *const career = ipr_arena_alloc(v->mem, 1, sizeof *career);

    json_object_update_new(out, ipr_shape_json(IPR_SHAPE_UPLOAD_RULE, &rule));
    if (p->year == 0 || p->event != 0 || p->color >= 0)
        return IPR_OK;
    enum ipr_code rc = ipr_setting_for(v, IPR_FOR_LINES,
                                       &(struct ipr_setting_scope){ .judge = p->judge }, &c, err);
    if (rc != IPR_OK)
        return rc;
    rc = ipr_career_open(&c, &all, career, err);
    if (rc == IPR_OK) {
        struct ipr_answer_year_in_career beside = { .in_career = ipr_career_year_finding(
                                                        career, p->year, v->mem) };

        const size_t at = career->path != NULL ? ipr_path_find(career->path, p->year) : 0;

        if (career->path != NULL && at < career->path->n)
            beside.strength = &career->path->year[at];
        json_object_update_new(out, ipr_shape_page_json(IPR_SHAPE_YEAR_IN_CAREER, &beside));
    }
    ipr_view_context_close(&c);
    return rc;
}

/* Which predictors a head to head begins with. */
static enum ipr_code ratings_page_predictors(const struct ipr_view *v, json_t *out,
                                             struct ipr_err *err)
{
    json_t *recommended = NULL;
    const enum ipr_code rc = ipr_recommended(v, &recommended, err);

    if (rc == IPR_OK)
        json_object_set_new(out, "recommended", recommended);
    return rc;
}

/* The games of a plain year, and errors to solve, where moves of it are analysed. */
static enum ipr_code ratings_page_profile(const struct ipr_view *v,
                                          const struct ipr_ratings_request *p, json_t *out,
                                          struct ipr_err *err)
{
    struct ipr_profile_request of = IPR_PROFILE_REQUEST_INIT;

    if (p->year == 0 || p->event != 0 || p->color >= 0 ||
        ipr_json_at(out, "rating.turns", 0.0) < 1.0)
        return IPR_OK;
    of.player = p->player;
    of.year = p->year;
    of.judge = p->judge;
    return ipr_view_add_profile(v, &of, ipr_json_at(out, "rating.games", 0.0), out, err);
}

enum ipr_code ipr_view_ratings_page(const struct ipr_view *v, const struct ipr_ratings_request *p,
                                    json_t **out, struct ipr_err *err)
{
    const struct ipr_player_queue_request queue = { p->player, p->year, p->judge };
    json_t *ratings = NULL;
    enum ipr_code rc = ipr_view_ratings(v, p, &ratings, err);

    if (rc == IPR_OK)
        rc = ratings_page_career(v, p, ratings, err);
    if (rc == IPR_OK)
        rc = ratings_page_predictors(v, ratings, err);
    if (rc == IPR_OK)
        rc = ratings_page_profile(v, p, ratings, err);
    if (rc != IPR_OK) {
        json_decref(ratings);
        return rc;
    }
    return player_queue_join(v, &queue, ratings, out, err);
}
