/* Ratings of a player: of a year, a career, or some of the games. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "db/events.h"
#include "db/players.h"
#include "pgn/reader.h"
#include "view/context.h"
#include "view/json.h"
#include "view/rating/rate.h"

/* Newest first; a year of more games than this is named by its first ones. */
#define GAMES_SHOWN 200

/** What is rated, and what the answer says of it before the figures. */
struct subject {
    const struct ipr_view_context *c;
    struct ipr_db_player player;
    struct ipr_db_scope scope;
    struct ipr_db_event event;   /* when the scope has one */
    struct ipr_db_player_year y; /* its games; of turns and version only a plain year's */
    bool plain;                  /* a year or a career: its figures are kept */
};

static json_t *event_json(const struct subject *s)
{
    if (!s->scope.event)
        return json_null();
    return json_pack("{s:i, s:o}", "id", (int)s->scope.event, "name", ipr_json_text(s->event.name));
}

static json_t *color_json(unsigned colours)
{
    if (colours == IPR_DB_BOTH_COLOURS)
        return json_null();
    return json_string(colours == 1u ? "white" : "black");
}

/** `asked` may be open at an end, which the database's scope is not. */
static json_t *heading(const struct subject *s, const struct ipr_view_scope *asked)
{
    const struct ipr_view_context *c = s->c;

    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i}", "player",
                     ipr_json_player(s->player.id, s->player.name), "year",
                     ipr_json_known(asked->from == asked->to ? asked->from : 0), "from",
                     ipr_json_known(asked->from), "to", ipr_json_known(asked->to), "event",
                     event_json(s), "color", color_json(s->scope.colours), "judge",
                     ipr_view_context_judge(c), "calibration", ipr_view_context_calibration(c),
                     "time_classes", ipr_view_context_times(c), "not_rated",
                     ipr_view_context_unrated(c, &s->y), "games_stored", (int)s->y.games);
}

/** Undated games belong to no year, so that a career may have more judged games than its years. Of
 * games that were not played there is nothing to judge. */
static int unjudged(const struct subject *s, const json_t *rating)
{
    const int judged = (int)ipr_json_at(rating, "games", 0.0);
    const int played = s->y.games - (int)ipr_json_at(rating, "elo.unplayed.games", 0.0);
    const int left = played - (judged > s->y.games_judged ? judged : s->y.games_judged);

    return left > 0 ? left : 0;
}

/** What can be said with the figures alone. */
static void add_state(const struct subject *s, const json_t *rating, json_t *out)
{
    const int counted =
        s->plain ? s->y.counted : (int)ipr_json_at(rating, "conformance.turns", 0.0);

    json_object_set_new(out, "games_unjudged", json_integer(unjudged(s, rating)));
    json_object_set_new(out, "active", json_boolean(counted >= IPR_VIEW_ACTIVE_TURNS));
    json_object_set_new(out, "version", json_integer(s->y.version));
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
    return json_pack("{s:I, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s}", "id",
                     (json_int_t)g->id, "white", ipr_json_player(g->white_id, g->white), "black",
                     ipr_json_player(g->black_id, g->black), "result",
                     ipr_result_text((enum ipr_result)g->result), "event", ipr_json_text(g->event),
                     "event_id", ipr_json_known(g->event_id), "round", ipr_json_text(g->round),
                     "date", ipr_json_text(g->date), "white_elo", ipr_json_known(g->white_elo),
                     "black_elo", ipr_json_known(g->black_elo), "time_class",
                     ipr_time_class_name(g->time_class), "state", state_of(g));
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

static enum ipr_code bad_scope(struct ipr_err *err, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static enum ipr_code bad_scope(struct ipr_err *err, const char *fmt, ...)
{
    char msg[IPR_ERR_TEXT];
    va_list args;

    va_start(args, fmt);
    vsnprintf(msg, sizeof msg, fmt, args);
    va_end(args);
    return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "%s", msg);
}

static enum ipr_code find_event(struct subject *s, struct ipr_err *err)
{
    const struct ipr_view *v = s->c->v;
    struct ipr_err why = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_db_event_get(v->db, s->scope.event, v->mem, &s->event, &why);

    if (rc == IPR_ENOTFOUND)
        return bad_scope(err, "event: there is no event %d", (int)s->scope.event);
    return rc == IPR_OK ? rc : ipr_err_set(err, rc, "%s", why.msg);
}

/** "Fischer, Robert James has no game as Black from 1960 to 1962 in the event 12 (Bled)" */
static enum ipr_code no_game(const struct subject *s, const struct ipr_view_scope *asked,
                             struct ipr_err *err)
{
    struct ipr_buf text = IPR_BUF_INIT;

    ipr_buf_printf(&text, "%s has no game", s->player.name);
    if (s->scope.colours != IPR_DB_BOTH_COLOURS)
        ipr_buf_printf(&text, " as %s", s->scope.colours == 1u ? "White" : "Black");
    if (asked->from && asked->from == asked->to)
        ipr_buf_printf(&text, " in %d", asked->from);
    else if (asked->from)
        ipr_buf_printf(&text, " from %d", asked->from);
    if (asked->to && asked->from != asked->to)
        ipr_buf_printf(&text, " to %d", asked->to);
    if (s->scope.event)
        ipr_buf_printf(&text, " in the event %d (%s)", (int)s->scope.event, s->event.name);
    const enum ipr_code rc = ipr_err_set(err, IPR_ENOTFOUND, "%s", ipr_buf_c(&text));
    ipr_buf_release(&text);
    return rc;
}

/** The games of another scope than a year or a career. */
static enum ipr_code count_games(struct subject *s, const struct ipr_view_scope *asked,
                                 struct ipr_err *err)
{
    int32_t all = 0;
    const enum ipr_code rc = ipr_db_scope_games(s->c->v->db, &s->scope, s->y.in_class, err);

    for (int class = 0; rc == IPR_OK && class < IPR_TIME_CLASSES; class ++) {
        all += s->y.in_class[class];
        if (s->scope.times & IPR_TIME_BIT(class))
            s->y.games += s->y.in_class[class];
    }
    return rc == IPR_OK && all == 0 ? no_game(s, asked, err) : rc;
}

static enum ipr_code find_year(struct subject *s, const struct ipr_view_scope *asked,
                               struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_view_find_year(s->c, s->player.id, asked->from, &s->y, &why);

    if (rc == IPR_ENOTFOUND)
        return no_game(s, asked, err);
    return rc == IPR_OK ? rc : ipr_err_set(err, rc, "%s", why.msg);
}

static enum ipr_code find(struct subject *s, int32_t player, const struct ipr_view_scope *asked,
                          struct ipr_err *err)
{
    const struct ipr_view_context *c = s->c;
    const bool years = asked->from || asked->to;

    if (asked->from && asked->to && asked->from > asked->to)
        return bad_scope(err, "from: %d is after to, %d", asked->from, asked->to);
    enum ipr_code rc =
        ipr_db_player_get(c->v->db, player, c->judge_id, c->times, c->v->mem, &s->player, err);
    if (rc != IPR_OK)
        return rc;
    s->scope = (struct ipr_db_scope){
        .person = s->player.id,
        .from = years && !asked->from ? 1 : asked->from,
        .to = years && !asked->to ? INT16_MAX : asked->to,
        .event = asked->event,
        .colours = asked->colours ? asked->colours : IPR_DB_BOTH_COLOURS,
        .times = c->times,
    };
    s->plain =
        asked->from == asked->to && !s->scope.event && s->scope.colours == IPR_DB_BOTH_COLOURS;
    if (s->scope.event)
        rc = find_event(s, err);
    if (rc != IPR_OK)
        return rc;
    return s->plain ? find_year(s, asked, err) : count_games(s, asked, err);
}

/** Kept or computed; what rests on more than the scope's turns, and what was asked for beside the
 * usual, is computed. */
static enum ipr_code rate(const struct subject *s, unsigned include, json_t **out,
                          struct ipr_err *err)
{
    json_t *rating = NULL;

    enum ipr_code rc = s->plain && !include ? ipr_view_rating(s->c, s->player.id, s->scope.to,
                                                              s->y.version, false, &rating, err)
                                            : ipr_rate(s->c, &s->scope, include, &rating, err);
    if (rc == IPR_OK)
        rc = ipr_rate_beside(s->c, &s->scope, rating, err);
    if (rc == IPR_OK)
        *out = rating;
    else
        json_decref(rating);
    return rc;
}

/**
 * {"player": {"id", "name"}, the scope: "year" (null: several, or the whole career), "from", "to"
 * (null: open), "event": {"id", "name"} or null, "color": "white", "black" or null for both,
 *  "judge", "calibration", "time_classes": what the figures rest on, "not_rated": {class: games} of
 *  the others, "games_stored", "games_unjudged", "active", "version" (0 where nothing is kept),
 *  "turns", "games", and one member for each of the table in rate.c: see rate_NAME.c; of a year or
 *  a career of all events and both colours
 *  "judging", "judged_by", "offer": see ipr_view_add_offer,
 *  "game_list" (of a year): [{"id", "white", "black", "result", "event", "event_id", "round",
 * "date", "white_elo", "black_elo", "time_class", "state": judged, queued, running, paused, failed
 * or not queued}]}
 */
enum ipr_code ipr_view_ratings_of(const struct ipr_view *v, int32_t player,
                                  const struct ipr_view_scope *asked, const char *judge,
                                  json_t **out, struct ipr_err *err)
{
    struct ipr_view_context c;
    struct subject s = { .c = &c };
    json_t *rating = NULL, *answer = NULL;
    unsigned include = 0;

    enum ipr_code rc = ipr_rate_include_read(v->include, &include, err);
    if (rc == IPR_OK)
        rc = ipr_view_context_open(v, judge, &c, err);
    if (rc != IPR_OK)
        return rc;
    rc = find(&s, player, asked, err);
    if (rc == IPR_OK)
        rc = rate(&s, include, &rating, err);
    if (rc == IPR_OK) {
        answer = heading(&s, asked);
        add_state(&s, rating, answer);
        json_object_update(answer, rating);
        json_decref(rating);
    }
    if (rc == IPR_OK && s.plain && asked->from)
        rc = add_games(&c, s.player.id, asked->from, answer, err);
    if (rc == IPR_OK && s.plain)
        rc = ipr_view_add_offer(&c, s.player.id, asked->from, answer, err);
    ipr_view_context_close(&c);
    if (rc == IPR_OK)
        *out = answer;
    else
        json_decref(answer);
    return rc;
}
