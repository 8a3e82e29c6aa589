/* Ratings by results: what lists and tags say of a player, and the results against it. */
#include "db/elo.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "db/players.h"
#include "view/figure/estimate.h"
#include "view/json.h"
#include "view/rating/elo_games.h"

/** Nothing here rests on a judge or a calibration. */
static struct ipr_view_context judgeless(const struct ipr_view *v)
{
    return (struct ipr_view_context){
        .v = v,
        .times = v->time_classes ? v->time_classes : IPR_TIME_SET_DEFAULT,
    };
}

/** A scope of years without a last one. */
static bool open_end(const struct ipr_db_scope *scope)
{
    return scope->to == 0 || scope->to >= IPR_VIEW_YEAR_MAX;
}

static json_t *history_json(const struct ipr_db_elo_listed *rows, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_pack("{s:s, s:i, s:s}", "date", rows[i].month, "elo",
                                              rows[i].elo, "source", "rating list"));
    return list;
}

static json_t *listed_as(const struct ipr_db_elo_listed *rows, size_t n)
{
    if (n == 0)
        return json_null();
    const struct ipr_db_elo_listed *last = &rows[n - 1];
    return json_pack("{s:s, s:s, s:s}", "name", last->name, "matched_by", last->matched_by, "file",
                     last->source);
}

/** An Elo and the month it is of, "1972-07". */
struct dated {
    int elo;
    char month[8];
    bool listed;
};

static void tagged_last(const struct ipr_elo_game *games, size_t n, struct dated *out)
{
    char month[11];

    for (size_t i = 0; i < n; i++) {
        const struct ipr_db_player_side *s = games[i].side;

        if (s->elo <= 0 || !ipr_elo_month(s->date, s->year, month) ||
            strncmp(month, out->month, 7) < 0)
            continue;
        *out = (struct dated){ .elo = s->elo };
        memcpy(out->month, month, 7);
    }
}

static enum ipr_code listed_last(const struct ipr_view *v, const struct ipr_db_scope *scope,
                                 const struct ipr_db_elo_listed *rows, size_t n, struct dated *out,
                                 struct ipr_err *err)
{
    struct ipr_db_elo_at at = { .person = scope->person };
    enum ipr_code rc = IPR_OK;

    if (!open_end(scope)) {
        if (ipr_elo_month(ipr_arena_printf(v->mem, "%04d.12", scope->to), scope->to, at.month))
            rc = ipr_db_elo_at(v->db, &at, 1, err);
    } else if (n > 0) {
        at.elo = rows[n - 1].elo;
        snprintf(at.listed, sizeof at.listed, "%s", rows[n - 1].month);
    }
    *out = (struct dated){ .elo = at.elo, .listed = true };
    memcpy(out->month, at.listed, sizeof out->month);
    return rc;
}

/** At the end of the scope: the tags of its last game that has any, or a later list. */
static enum ipr_code last_elo(const struct ipr_view_context *c, const struct ipr_db_scope *scope,
                              const struct ipr_elo_game *games, size_t n,
                              const struct ipr_db_elo_listed *rows, size_t n_rows, json_t **out,
                              struct ipr_err *err)
{
    struct dated tagged = { 0 }, listed = { 0 };

    const enum ipr_code rc = listed_last(c->v, scope, rows, n_rows, &listed, err);
    if (rc != IPR_OK)
        return rc;
    tagged_last(games, n, &tagged);
    const struct dated *last =
        listed.elo > 0 && strcmp(listed.month, tagged.month) > 0 ? &listed : &tagged;
    const struct ipr_provenance from = { .context = c,
                                         .method = IPR_METHOD_ELO,
                                         .games = last->elo > 0 && !last->listed,
                                         .converged = true };
    const struct ipr_estimate elo = { last->elo, NAN, { NAN, NAN }, &from };
    json_t *figure =
        last->elo > 0
            ? ipr_estimate_json(&elo)
            : ipr_estimate_refusal(&from, "no Elo in the tags of a dated game, and no rating list "
                                          "of the last year of the scope");

    json_object_set_new(figure, "date", last->elo > 0 ? json_string(last->month) : json_null());
    ipr_elo_add_sources(figure, last->elo > 0 && !last->listed, last->elo > 0 && last->listed);
    *out = figure;
    return IPR_OK;
}

static json_t *heading(const struct ipr_view_context *c, const struct ipr_db_player *p,
                       const struct ipr_db_scope *scope, size_t games)
{
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:I, s:s}", "player", ipr_json_player(p->id, p->name), "year",
        ipr_json_known(scope->from == scope->to ? scope->to : 0), "from",
        ipr_json_known(scope->from <= 1 ? 0 : scope->from), "to",
        ipr_json_known(open_end(scope) ? 0 : scope->to), "time_classes", ipr_view_context_times(c),
        "games", (json_int_t)games, "note",
        "every stored game of the scope counts here, judged or not; the \"elo\" among a player's "
        "ratings speaks of the judged games alone");
}

/**
 * {"player": {"id", "name"}, "year", "from", "to" (null: open), "time_classes", "games": all stored
 *  ones of the scope, "note",
 *  "elo": {…view/figure/estimate.h: at the end of the scope, "date": "1972-07", "source",
 * "from_tags", "from_list"}, "mean": {…: over the games}, "opponents", "score", "score_games",
 * "expected", "performance" (view/rating/elo_games.h), "history": [{"date": "1972-07", "elo",
 * "source": "rating list"}] of the lists of these years, "listed_as": {"name", "matched_by":
 * "fide_id" or "name", "file"} or null}
 */
enum ipr_code ipr_view_elo(const struct ipr_view *v, int32_t player, int from, int to, json_t **out,
                           struct ipr_err *err)
{
    const struct ipr_view_context c = judgeless(v);
    struct ipr_db_player_turns t = { 0 };
    struct ipr_db_elo_listed *rows = NULL;
    struct ipr_elo_game *games = NULL;
    struct ipr_db_scope scope;
    struct ipr_db_player p;
    json_t *elo = NULL;
    size_t n = 0, n_rows = 0;

    enum ipr_code rc = ipr_db_player_get(v->db, player, 0, c.times, v->mem, &p, err);
    if (rc != IPR_OK)
        return rc;
    scope = ipr_db_scope_year(p.id, 0, c.times);
    scope.from = from;
    scope.to = to;
    rc = ipr_db_player_turns(v->db, &scope, 0, v->mem, &t, err);
    if (rc == IPR_OK)
        rc = ipr_elo_games(&c, p.id, &t, false, &games, &n, err);
    if (rc == IPR_OK)
        rc = ipr_db_elo_history(v->db, p.id, from, to, v->mem, &rows, &n_rows, err);
    if (rc == IPR_OK)
        rc = last_elo(&c, &scope, games, n, rows, n_rows, &elo, err);
    if (rc != IPR_OK)
        return rc;
    json_t *answer = heading(&c, &p, &scope, n);

    json_object_set_new(answer, "elo", elo);
    json_object_set_new(answer, "mean", ipr_elo_mean(&c, games, n, "the games"));
    ipr_elo_add_results(&c, games, n, answer);
    json_object_set_new(answer, "history", history_json(rows, n_rows));
    json_object_set_new(answer, "listed_as", listed_as(rows, n_rows));
    *out = answer;
    return IPR_OK;
}
