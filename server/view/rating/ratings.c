/* Ratings of a player: of a year, a career, or some of the games. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/file_evals.h"
#include "db/judges.h"
#include "db/players.h"
#include "pgn/reader.h"
#include "resource/read.h"
#include "view/context.h"
#include "view/rating/rate.h"
#include "view/rating/scope.h"

/* Newest first; of a year with more games than this only the first are listed. */
#define GAMES_SHOWN 200

/* The scope of the ratings. */
struct subject {
    const struct ipr_view_context *c;
    struct ipr_rate_scope of;
    struct ipr_db_player_year y; /* its games; turns and version only for a plain year */
    bool plain;                  /* a year or a career: its figures are cached */
    bool opponents;              /* the opponents' mean Elo is the prior of the rating */
};

/* Undated games belong to no year, so that a career may have more judged games than its years.
 * Forfeited games have nothing to judge. */
static size_t scope_unjudged(const struct subject *s, const struct ipr_figure_ratings *rating)
{
    const int judged = (int)rating->games;
    const int played = s->y.games - (int)rating->elo->results.unplayed.games;
    const int left = played - (judged > s->y.games_judged ? judged : s->y.games_judged);

    return left > 0 ? (size_t)left : 0;
}

static size_t scope_known(int n)
{
    return ipr_count_if(n > 0, (size_t)n);
}

/* `asked` may be open at an end, the database's scope is not. */
static void scope_fill(const struct subject *s, const struct ipr_view_scope *asked,
                       const struct ipr_figure_ratings *r, struct ipr_figure_scope *out)
{
    const struct ipr_view_context *c = s->c;
    const size_t counted =
        s->plain ? (size_t)s->y.counted : r->conformance->conformance_form.group.basis.turns;

    out->player = (struct ipr_figure_named){ (size_t)s->of.player.id, s->of.player.name };
    out->year = scope_known(asked->from == asked->to ? asked->from : 0);
    out->from = scope_known(asked->from);
    out->to = scope_known(asked->to);
    if (s->of.db.event != 0) {
        out->event = ipr_shape_new(IPR_SHAPE_NAMED, c->v->mem);
        *out->event = (struct ipr_figure_named){ (size_t)s->of.db.event, s->of.event.name };
    }
    if (s->of.db.colours != IPR_DB_BOTH_COLOURS)
        out->color = s->of.db.colours == 1u ? "white" : "black";
    if (s->of.n_opponents > 0)
        out->opponents = ipr_rate_scope_opponents(&s->of);
    out->upload = ipr_count_if(s->of.db.upload != 0, (size_t)s->of.db.upload);
    out->judge = ipr_view_context_judge(c);
    out->calibration = ipr_view_context_calibration(c);
    out->time_classes = ipr_view_context_times(c);
    out->not_rated = ipr_view_context_unrated(c, &s->y);
    out->games_stored = (size_t)s->y.games;
    out->games_unjudged = scope_unjudged(s, r);
    out->active = counted >= IPR_VIEW_ACTIVE_TURNS;
    out->version = (size_t)s->y.version;
}

/* NULL when it is unknown: "", or PGN's "?". */
static const char *scope_text(const char *s)
{
    return s == NULL || *s == '\0' || strcmp(s, "?") == 0 ? NULL : s;
}

static struct ipr_figure_game scope_game(const struct ipr_view_context *c,
                                         const struct ipr_db_player_game *g)
{
    return (struct ipr_figure_game){
        .id = (size_t)g->id,
        .white = { (size_t)g->white_id, g->white },
        .black = { (size_t)g->black_id, g->black },
        .result = ipr_result_text((enum ipr_result)g->result),
        .event = scope_text(g->event),
        .event_id = scope_known(g->event_id),
        .round = scope_text(g->round),
        .date = scope_text(g->date),
        .white_elo = scope_known(g->white_elo),
        .black_elo = scope_known(g->black_elo),
        .time_class = ipr_time_class_name(g->time_class),
        .plies = (size_t)g->plies,
        .moves_stored = g->moves_stored,
        .judged = g->judged,
        .not_counted = (c->times & IPR_TIME_BIT(g->time_class)) == 0 ? 1 : -1,
    };
}

/* The games of a year, analysed or waiting. */
static enum ipr_code scope_add_games(const struct ipr_view_context *c, int32_t player, int year,
                                     struct ipr_figure_player_ratings *out, struct ipr_err *err)
{
    struct ipr_db_player_game *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_player_games(c->v->db, player, year, c->judge_id, GAMES_SHOWN,
                                                 c->v->mem, &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    struct ipr_figure_game *games = ipr_arena_alloc(c->v->mem, n + 1, sizeof *games);

    for (size_t i = 0; i < n; i++)
        games[i] = scope_game(c, &rows[i]);
    out->scope.games_as_figures = n > 0 ? (size_t)rows[0].as_figures : 0;
    out->game_list.at = games;
    out->game_list.n = n;
    return IPR_OK;
}

/* The games of another scope than a year or a career. */
static enum ipr_code scope_count_games(struct subject *s, const struct ipr_view_scope *asked,
                                       struct ipr_err *err)
{
    int32_t all = 0;
    const enum ipr_code rc = ipr_db_scope_games(s->c->v->db, &s->of.db, s->y.in_class, err);

    for (int class = 0; rc == IPR_OK && class < IPR_TIME_CLASSES; class ++) {
        all += s->y.in_class[class];
        if (s->of.db.times & IPR_TIME_BIT(class))
            s->y.games += s->y.in_class[class];
    }
    return rc == IPR_OK && all == 0 ? ipr_rate_scope_no_game(&s->of, asked, err) : rc;
}

static enum ipr_code scope_find_year(struct subject *s, const struct ipr_view_scope *asked,
                                     struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_view_find_year(s->c, s->of.player.id, asked->from, &s->y, &why);

    if (rc == IPR_ENOTFOUND)
        return ipr_rate_scope_no_game(&s->of, asked, err);
    return rc == IPR_OK ? rc : ipr_err_set(err, rc, "%s", why.msg);
}

static enum ipr_code scope_find(struct subject *s, int32_t player,
                                const struct ipr_view_scope *asked, struct ipr_err *err)
{
    const enum ipr_code rc = ipr_rate_scope_open(s->c, player, asked, &s->of, err);

    if (rc != IPR_OK)
        return rc;
    s->plain = asked->from == asked->to && !s->of.db.event && !s->of.db.upload &&
               s->of.n_opponents == 0 && s->of.db.colours == IPR_DB_BOTH_COLOURS;
    return s->plain ? scope_find_year(s, asked, err) : scope_count_games(s, asked, err);
}

/* Cached or computed; members that depend on more than the scope's turns, and requested ones that
 * take long, are always computed. */
static enum ipr_code scope_rate(const struct subject *s, unsigned include,
                                struct ipr_figure_ratings *out, struct ipr_err *err)
{
    struct ipr_figure_ratings *rating = out;

    enum ipr_code rc = s->plain && include == 0
                           ? ipr_rate_cached(s->c, s->of.player.id, s->of.db.to, s->y.version,
                                             IPR_RATE_DEFAULT, false, &rating, err)
                           : ipr_rate(s->c, &s->of.db, IPR_RATE_DEFAULT | include, out, err);
    if (rc != IPR_OK)
        return rc;
    *out = *rating;
    return ipr_rate_beside(s->c, &s->of.db, s->opponents, out, err);
}

static enum ipr_code scope_answer(const struct subject *s, const struct ipr_view_scope *asked,
                                  unsigned include, json_t *out, struct ipr_err *err)
{
    struct ipr_figure_player_ratings answer;
    struct ipr_results_place at;

    ipr_shape_blank(IPR_SHAPE_PLAYER_RATINGS, &answer);
    enum ipr_code rc = scope_rate(s, include, &answer.ratings, err);
    if (rc == IPR_OK && s->plain && asked->from)
        rc = scope_add_games(s->c, s->of.player.id, asked->from, &answer, err);
    if (rc == IPR_OK && s->plain)
        rc = ipr_results_strength(s->c, s->of.player.id, asked->from, &answer.results_strength, &at,
                                  err);
    if (rc != IPR_OK)
        return rc;
    scope_fill(s, asked, &answer.ratings, &answer.scope);
    json_object_update_new(out, ipr_shape_json(IPR_SHAPE_PLAYER_RATINGS, &answer));
    return s->plain ? ipr_view_add_offer(s->c, s->of.player.id, asked->from, out, err) : IPR_OK;
}

/* The figures of a scope that each setting of the rule has analysed: of other scopes than a year or
 * a career the first setting is taken. */
struct scope_found {
    const struct ipr_ratings_request *p;
    const struct ipr_view_scope *asked;
    struct subject by[IPR_SETTING_CANDIDATES];
};

static enum ipr_code scope_count(void *of, size_t i, const struct ipr_view_context *c, int64_t *n,
                                 struct ipr_err *err)
{
    struct scope_found *const found = of;
    struct subject *const s = &found->by[i];

    s->c = c;
    const enum ipr_code rc = scope_find(s, found->p->player, found->asked, err);
    *n = s->plain ? s->y.turns : 1;
    return rc;
}

/* A year or a career of all events and both colours also has "judged_by" and "offer"
 * (ipr_view_add_offer). */
enum ipr_code ipr_view_ratings(const struct ipr_view *v, const struct ipr_ratings_request *p,
                               json_t **out, struct ipr_err *err)
{
    int opponents[IPR_PARAM_INTS_MAX];
    struct ipr_view_scope asked = {
        .event = p->event, .opponents = opponents, .n_opponents = p->opponent.n, .upload = p->upload
    };
    struct scope_found found = { .p = p, .asked = &asked };
    struct ipr_view_context c;
    json_t *answer = json_object();

    for (size_t i = 0; i < p->opponent.n; i++)
        opponents[i] = (int)p->opponent.v[i];
    if (p->color >= 0)
        asked.colours = 1u << (p->color == IPR_RATINGS_COLOR_WHITE ? IPR_WHITE : IPR_BLACK);
    ipr_view_years(p->year, p->from, p->to, &asked.from, &asked.to);
    enum ipr_code rc = ipr_setting_for(
        v, IPR_FOR_PLAYER,
        &(struct ipr_setting_scope){ .judge = p->judge, .count = scope_count, .of = &found }, &c,
        err);
    if (rc == IPR_OK) {
        struct subject *const s = &found.by[c.candidate];

        s->c = &c;
        s->opponents = p->prior == IPR_RATINGS_PRIOR_OPPONENTS;
        rc = scope_answer(s, &asked, p->include, answer, err);
        ipr_view_context_close(&c);
    }
    if (rc == IPR_OK)
        *out = answer;
    else
        json_decref(answer);
    return rc;
}
