/* Ratings from results: a player's Elo in lists and tags, and the results compared with it. */
#include "db/elo.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "db/players.h"
#include "view/rating/rate.h"

/* A scope of years without a last one. */
static bool elo_open_end(const struct ipr_db_scope *scope)
{
    return scope->to == 0 || scope->to >= IPR_VIEW_YEAR_MAX;
}

/* An Elo and the month it is of, "1972-07". */
struct dated {
    int elo;
    char month[8];
    bool listed;
};

static void elo_tagged_last(const struct ipr_elo_game *games, size_t n, struct dated *out)
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

static enum ipr_code elo_listed_last(const struct ipr_view *v, const struct ipr_db_scope *scope,
                                     const struct ipr_db_elo_listed *rows, size_t n,
                                     struct dated *out, struct ipr_err *err)
{
    struct ipr_db_elo_at at = { .person = scope->person };
    enum ipr_code rc = IPR_OK;

    if (!elo_open_end(scope)) {
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

/* At the end of the scope: the tag of its last game with one, or a later list. */
static enum ipr_code elo_last(const struct ipr_view_context *c, const struct ipr_db_scope *scope,
                              const struct ipr_elo_game *games, size_t n,
                              const struct ipr_db_elo_listed *rows, size_t n_rows,
                              struct ipr_figure_elo_last *out, struct ipr_err *err)
{
    struct dated tagged = { 0 }, listed = { 0 };

    const enum ipr_code rc = elo_listed_last(c->v, scope, rows, n_rows, &listed, err);
    if (rc != IPR_OK)
        return rc;
    elo_tagged_last(games, n, &tagged);
    const struct dated *last =
        listed.elo > 0 && strcmp(listed.month, tagged.month) > 0 ? &listed : &tagged;

    out->elo_mean = ipr_elo_at(c, last->elo, last->listed);
    out->date = last->elo > 0 ? ipr_arena_printf(c->v->mem, "%s", last->month) : NULL;
    return IPR_OK;
}

static void elo_add_lists(const struct ipr_db_elo_listed *rows, size_t n, struct ipr_arena *mem,
                          struct ipr_figure_elo_history *out)
{
    struct ipr_figure_elo_listed *list = ipr_arena_alloc(mem, n + 1, sizeof *list);

    for (size_t i = 0; i < n; i++)
        list[i] =
            (struct ipr_figure_elo_listed){ rows[i].month, (size_t)rows[i].elo, "rating list" };
    out->history.at = list;
    out->history.n = n;
    if (n == 0)
        return;
    out->listed_as = ipr_shape_new(IPR_SHAPE_LISTED_AS, mem);
    out->listed_as->name = rows[n - 1].name;
    out->listed_as->matched_by = rows[n - 1].matched_by;
    out->listed_as->file = rows[n - 1].source;
}

static void elo_heading(const struct ipr_view_context *c, const struct ipr_db_player *p,
                        const struct ipr_db_scope *scope, size_t games,
                        struct ipr_figure_elo_history *out)
{
    const bool open = elo_open_end(scope);

    out->player = (struct ipr_figure_named){ (size_t)p->id, p->name };
    if (scope->from == scope->to && scope->to > 0)
        out->year = (size_t)scope->to;
    if (scope->from > 1)
        out->from = (size_t)scope->from;
    if (!open)
        out->to = (size_t)scope->to;
    out->time_classes = ipr_view_context_times(c);
    out->games = games;
    out->note = ipr_say_reason_elo(IPR_REASON_ELO_ALL_GAMES);
}

enum ipr_code ipr_view_elo(const struct ipr_view *v, const struct ipr_elo_request *asked,
                           json_t **out, struct ipr_err *err)
{
    const struct ipr_view_context c = ipr_setting_games(v);
    struct ipr_figure_elo_history answer;
    struct ipr_db_player_turns t = { 0 };
    struct ipr_db_elo_listed *rows = NULL;
    struct ipr_elo_game *games = NULL;
    struct ipr_db_scope scope;
    struct ipr_db_player p;
    size_t n = 0, n_rows = 0;
    int from, to;

    ipr_view_years(asked->year, asked->from, asked->to, &from, &to);
    enum ipr_code rc = ipr_db_player_get(v->db, asked->player, 0, c.times, v->mem, &p, err);
    if (rc != IPR_OK)
        return rc;
    scope = ipr_db_scope_year(p.id, 0, c.times);
    scope.from = from = from == 0 && to != 0 ? 1 : from;
    scope.to = to = to == 0 && from != 0 ? IPR_VIEW_YEAR_MAX : to;
    ipr_shape_blank(IPR_SHAPE_ELO_HISTORY, &answer);
    rc = ipr_db_player_turns(v->db, &scope, 0, v->mem, &t, err);
    if (rc == IPR_OK)
        rc = ipr_elo_games(&c, p.id, &t, false, &games, &n, err);
    if (rc == IPR_OK)
        rc = ipr_db_elo_history(v->db, p.id, from, to, v->mem, &rows, &n_rows, err);
    if (rc == IPR_OK)
        rc = elo_last(&c, &scope, games, n, rows, n_rows, &answer.elo, err);
    if (rc != IPR_OK)
        return rc;
    elo_heading(&c, &p, &scope, n, &answer);
    answer.mean = ipr_elo_mean(&c, games, n, IPR_REASON_ELO_MEAN_GAMES);
    answer.results = ipr_elo_results(&c, games, n);
    elo_add_lists(rows, n_rows, v->mem, &answer);
    *out = ipr_shape_json(IPR_SHAPE_ELO_HISTORY, &answer);
    return IPR_OK;
}
