#include "view/report/games.h"

#include <stdlib.h>
#include <string.h>

#include "db/reports.h"
#include "view/examples.h"
#include "view/json.h"
#include "view/rating/rate.h"

#define EXAMPLES 10 /* games that a report names */

const char *const ipr_report_losses[] = { "weighted", "raw", "guid_bratko", NULL };

struct ipr_conformance_params ipr_report_loss(const char *name, enum ipr_window_method *window)
{
    struct ipr_conformance_params params = IPR_CONFORMANCE_INIT;

    *window = strcmp(name, "guid_bratko") == 0 ? IPR_WINDOW_GUID_BRATKO : IPR_WINDOW_CONFORMANCE;
    if (strcmp(name, "weighted") == 0)
        params.loss = IPR_LOSS_WEIGHTED;
    return params;
}

/* Finds examples among the games of known results. */
static enum ipr_code games_find_examples(const struct ipr_view_context *c,
                                         const struct ipr_db_judged_games *all,
                                         struct ipr_report_games *g, struct ipr_err *err)
{
    struct ipr_arena *const mem = c->v->mem;
    struct ipr_db_report_example *rows = NULL;
    int64_t *const ids = ipr_arena_alloc(mem, all->n + 1, sizeof *ids);
    size_t n = 0;

    for (size_t i = 0; i < all->n; i++)
        if (all->games[i].known)
            ids[n++] = all->games[i].id;
    const enum ipr_code rc =
        ipr_db_report_examples(c->v->db, ids, n, EXAMPLES, mem, &rows, &g->n_examples, err);
    g->examples = rows;
    return rc;
}

enum ipr_code ipr_report_games(const struct ipr_view_context *c, bool both, const json_t *params,
                               struct ipr_report_games *out, struct ipr_err *err)
{
    const struct ipr_db_judged_scope scope = { c->judge_id, c->times, both,
                                               (int)ipr_json_at(params, "games", 0.0) };
    struct ipr_arena *mem = c->v->mem;
    struct ipr_report_games g = { .both = both };

    if (c->judge_id) {
        enum ipr_code rc = ipr_db_judged_games(c->v->db, &scope, mem, &g.all, err);
        if (rc == IPR_OK)
            rc = games_find_examples(c, &g.all, &g, err);
        if (rc != IPR_OK)
            return rc;
        ipr_db_snapshot_end(c->v->db); /* all is read */
    }
    g.games = ipr_arena_alloc(mem, g.all.n, sizeof *g.games);
    g.at = ipr_arena_alloc(mem, g.all.n, sizeof *g.at);
    for (size_t i = 0; i < g.all.n; i++) {
        const struct ipr_db_judged_game *game = &g.all.games[i];

        if (!game->known)
            continue;
        g.at[g.n] = i;
        g.games[g.n++] =
            (struct ipr_conformance_game){ &g.all.turns[game->first], NULL, game->n, game->result };
    }
    *out = g;
    return IPR_OK;
}

struct ipr_figure_report_games *ipr_report_games_counted(const struct ipr_report_games *g,
                                                         size_t one_sided, struct ipr_arena *mem)
{
    const size_t available = (size_t)g->all.available;
    const size_t not_taken = g->both ? (size_t)g->all.one_sided : 0;
    const struct ipr_figure_report_games games = {
        .available = available,
        .older = available - not_taken - g->all.n,
        .counted = g->n - one_sided,
        .excluded = { .known = true,
                      .of = { { "unknown_result", g->all.n - g->n },
                              { "turns_of_one_side_only", not_taken + one_sided } } },
        .with_moves = g->n_examples > 0 ? (size_t)g->examples[0].stored : 0,
        .examples = { ipr_examples(g->examples, g->n_examples, mem), g->n_examples },
    };

    return ipr_shape_copy(IPR_SHAPE_REPORT_GAMES, &games, mem);
}

static bool games_has_both(const struct ipr_conformance_game *g)
{
    unsigned sides = 0;

    for (size_t i = 0; i < g->n; i++)
        sides |= 1u << (g->turns[g->keep[i]].mover != 0);
    return sides == 3;
}

void ipr_report_window(const struct ipr_report_games *g, enum ipr_window_method method,
                       struct ipr_report_window *out)
{
    struct ipr_report_window w = { .window = ipr_window_default(method), .n = g->n };
    size_t kept = 0;

    w.games = ipr_xcalloc(g->n + 1, sizeof *w.games);
    w.keep = ipr_xcalloc(g->all.n_turns + 1, sizeof *w.keep);
    for (size_t i = 0; i < g->n; i++) {
        struct ipr_conformance_game *game = &w.games[i];
        struct ipr_window_counts counts;

        *game = g->games[i];
        game->keep = &w.keep[kept];
        game->n = ipr_window_select(&w.window, game->turns, game->n, &w.keep[kept], &counts);
        kept += game->n;
        ipr_window_counts_add(&w.counts, &counts);
        if (games_has_both(game)) {
            w.used++;
            w.turns += game->n;
        }
    }
    *out = w;
}

void ipr_report_window_release(struct ipr_report_window *w)
{
    free(w->games);
    free(w->keep);
    w->games = NULL;
    w->keep = NULL;
}

struct ipr_provenance ipr_report_provenance(const struct ipr_view_context *c,
                                            enum ipr_method method,
                                            const struct ipr_report_window *w)
{
    return (struct ipr_provenance){ .context = c,
                                    .method = method,
                                    .window = &w->window,
                                    .counts = &w->counts,
                                    .turns = w->turns,
                                    .games = w->used,
                                    .converged = true };
}

const char *ipr_report_too_few(const struct ipr_provenance *from)
{
    struct ipr_arena *mem = from->context->v->mem;

    if (from->turns < IPR_VIEW_MIN_TURNS)
        return ipr_rate_needed(IPR_REASON_NEEDED_MOVES, IPR_VIEW_MIN_TURNS, from->turns, mem);
    if (from->games < IPR_REPORT_MIN_GAMES)
        return ipr_rate_needed(IPR_REASON_NEEDED_GAMES, IPR_REPORT_MIN_GAMES, from->games, mem);
    return NULL;
}

struct ipr_figure ipr_report_rho(const struct ipr_correlation *rho,
                                 const struct ipr_provenance *from)
{
    return ipr_figure(rho->rho, ipr_number_if(rho->interval_known, rho->se),
                      ipr_interval_if(rho->interval_known, rho->interval), from);
}

int64_t *ipr_report_game_ids(const struct ipr_db_player_turns *t)
{
    int64_t *ids = ipr_xcalloc((size_t)t->games + 1, sizeof *ids);

    for (size_t i = 0; i < t->n_sides; i++)
        if (t->sides[i].game >= 0)
            ids[t->sides[i].game] = t->sides[i].game_id;
    return ids;
}
