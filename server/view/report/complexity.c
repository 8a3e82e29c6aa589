/*
 * Correlation of errors with how hard positions are by the judge's own search (A's Table 4).
 *
 * Order of the work: all turns of the players with most, read with every depth and line, one player
 * at a time: these take some 3 kB a turn (20 lines, 10 depths) while they are read, then at most
 * 180 bytes a turn.
 */
#include "view/report/report.h"

#include <stdlib.h>

#include "base/sort.h"
#include "db/judged_games.h"
#include "db/turns.h"
#include "sentence/sentence.h"
#include "view/figure/figure.h"
#include "view/json.h"
#include "view/rating/rate.h"
#include "view/report/games.h"

/* Turns of the group, grouped by player. */
struct group {
    const struct ipr_view_context *context;
    struct ipr_window window;
    struct ipr_complexity_turn *turns;
    struct ipr_depth_time *searches; /* beside each turn */
    int64_t *game;                   /* beside each turn: its id, since games are numbered later */
    size_t n, room;
    struct ipr_window_counts counts;
};

/* A player's part of these turns. */
struct part {
    size_t first, n;
    struct ipr_window_counts counts;
};

static void complexity_make_room(struct group *g, size_t n)
{
    if (g->n + n <= g->room)
        return;
    g->room = 2 * (g->n + n);
    g->turns = ipr_xrealloc(g->turns, g->room, sizeof *g->turns);
    g->searches = ipr_xrealloc(g->searches, g->room, sizeof *g->searches);
    g->game = ipr_xrealloc(g->game, g->room, sizeof *g->game);
}

static void complexity_take_turns(struct group *g, const struct ipr_material *m, size_t n)
{
    struct ipr_complexity_turn *turns = ipr_rate_indicators(m, n);
    int64_t *ids = ipr_report_game_ids(m->t);

    complexity_make_room(g, n);
    for (size_t i = 0; i < n; i++) {
        g->turns[g->n] = turns[i];
        g->searches[g->n] = ipr_rate_search(&g->context->judge, &m->t->judged[m->keep[i]]);
        g->game[g->n++] = ids[turns[i].game];
    }
    free(ids);
    free(turns);
}

/* All turns of a player, in separate memory. */
static enum ipr_code complexity_add_player(struct group *g, int32_t person, struct part *part,
                                           struct ipr_err *err)
{
    const struct ipr_db_scope career = ipr_db_scope_year(person, 0, g->context->times);
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_view view = *g->context->v;
    struct ipr_view_context c = *g->context;
    struct ipr_db_player_turns t = { 0 };

    view.mem = &mem;
    c.v = &view;
    const enum ipr_code rc = ipr_db_player_turns(view.db, &career, c.judge_id, &mem, &t, err);
    if (rc == IPR_OK) {
        size_t *keep = ipr_xcalloc(t.n + 1, sizeof *keep);
        const struct ipr_material m = { .context = &c, .scope = &career, .t = &t, .keep = keep };

        part->first = g->n;
        part->n = ipr_window_select(&g->window, t.turns, t.n, keep, &part->counts);
        complexity_take_turns(g, &m, part->n);
        free(keep);
    }
    ipr_arena_release(&mem);
    return rc;
}

/* Turns of one game share a number, for all players of the group. */
static void complexity_number_games(struct group *g)
{
    int64_t *ids = ipr_xcalloc(g->n + 1, sizeof *ids);

    for (size_t i = 0; i < g->n; i++)
        ids[i] = g->game[i];
    const size_t n = ipr_sort_unique(ids, g->n, sizeof *ids, ipr_compare_int64);
    for (size_t i = 0; i < g->n; i++) {
        const int64_t *at = bsearch(&g->game[i], ids, n, sizeof *ids, ipr_compare_int64);
        g->turns[i].game = (int32_t)(at - ids);
    }
    free(ids);
}

/* Relative to the depths of the whole group: a judge's searches are one population. */
static void complexity_add_depth_time(struct group *g)
{
    struct ipr_complexity *timed = ipr_xcalloc(g->n + 1, sizeof *timed);

    ipr_complexity_depth_time(g->searches, g->n, timed);
    for (size_t i = 0; i < g->n; i++) {
        const int k = IPR_COMPLEXITY_DEPTH_TIME;
        g->turns[i].complexity.value[k] = timed[i].value[k];
        g->turns[i].complexity.known[k] = timed[i].known[k];
    }
    free(timed);
}

static struct ipr_figure_rho_indicator complexity_rho(const struct group *g,
                                                      const struct ipr_complexity_rho *r,
                                                      enum ipr_complexity_kind kind,
                                                      const struct part *part)
{
    const struct ipr_provenance from = { .context = g->context,
                                         .method = IPR_METHOD_COMPLEXITY,
                                         .window = &g->window,
                                         .counts = &part->counts,
                                         .turns = r->turns,
                                         .games = r->games,
                                         .converged = true };
    const char *reason = ipr_rate_complexity_reason(kind, r, &g->context->judge);

    return (struct ipr_figure_rho_indicator){ reason != NULL ? ipr_figure_none(&from, reason)
                                                             : ipr_report_rho(&r->rho, &from),
                                              r->without };
}

static void complexity_part(const struct group *g, const struct part *part,
                            struct ipr_answer_complexity_all *out)
{
    struct ipr_answer_rho_indicators *const i = &out->indicators;
    struct ipr_figure_rho_indicator *const at[IPR_COMPLEXITY_KINDS] = {
        &i->stability,        &i->jump_value, &i->jump_depth,
        &i->jump_value_depth, &i->sullivan,   &i->depth_time, /* as in the enumeration */
    };
    struct ipr_complexity_rho rho[IPR_COMPLEXITY_KINDS];

    ipr_complexity_correlations(&g->turns[part->first], part->n, rho);
    out->turns = (int64_t)part->n;
    for (int k = 0; k < IPR_COMPLEXITY_KINDS; k++)
        *at[k] = complexity_rho(g, &rho[k], (enum ipr_complexity_kind)k, part);
}

static json_t *complexity_answer(struct group *g, const struct ipr_db_most_judged *players,
                                 const struct part *parts, size_t n)
{
    struct ipr_arena *const mem = g->context->v->mem;
    struct ipr_answer_complexity_report *const out =
        ipr_shape_new(IPR_SHAPE_COMPLEXITY_REPORT, mem);
    const struct part all = { 0, g->n, g->counts };

    complexity_number_games(g);
    complexity_add_depth_time(g);
    out->players =
        (struct ipr_list_complexity_row){ ipr_shape_list(IPR_SHAPE_COMPLEXITY_ROW, n, mem), n };
    for (size_t i = 0; i < n; i++) {
        complexity_part(g, &parts[i], &out->players.at[i].complexity_all);
        out->players.at[i].player = ipr_named(players[i].id, players[i].name);
    }
    out->all = ipr_shape_new(IPR_SHAPE_COMPLEXITY_ALL, mem);
    complexity_part(g, &all, out->all);
    if (n == 0)
        out->reason = ipr_say_reason_report(IPR_REASON_REPORT_NO_PLAYER);
    return ipr_shape_json(IPR_SHAPE_COMPLEXITY_REPORT, out);
}

/* Pearson's rho of each indicator with the raw loss of the move played, over whole careers, its
 * interval by game. */
static enum ipr_code complexity_compute(const struct ipr_view_context *c, const json_t *params,
                                        json_t **out, struct ipr_err *err)
{
    struct group g = { .context = c, .window = ipr_window_default(IPR_WINDOW_CONFORMANCE) };
    struct ipr_db_most_judged *players = NULL;
    enum ipr_code rc = IPR_OK;
    size_t n = 0;

    if (c->judge_id)
        rc = ipr_db_most_judged(c->v->db, c->judge_id, c->times, IPR_VIEW_MIN_TURNS,
                                (int)ipr_json_at(params, "players", 0.0), c->v->mem, &players, &n,
                                err);
    struct part *parts = ipr_xcalloc(n + 1, sizeof *parts);
    for (size_t i = 0; i < n && rc == IPR_OK; i++) {
        rc = ipr_report_check_stop(c->v, err);
        if (rc == IPR_OK)
            rc = complexity_add_player(&g, players[i].id, &parts[i], err);
        ipr_window_counts_add(&g.counts, &parts[i].counts);
    }
    if (rc == IPR_OK)
        *out = complexity_answer(&g, players, parts, n);
    free(parts);
    free(g.turns);
    free(g.searches);
    free(g.game);
    return rc;
}

const struct ipr_report_kind ipr_report_complexity = {
    .name = "complexity",
    .answer = IPR_SHAPE_COMPLEXITY_REPORT,
    .compute = complexity_compute,
    .version = 1,
};
