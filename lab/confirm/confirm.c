/* Confirms given moves of games as the service does (engine/confirm.h): of a list that is about
 * single moves there is no need to search all others of their games.
 *
 *   confirm LIST [settings] < GAMES
 *
 * LIST has the number of a game and the half-moves before a move on each line; GAMES are as in
 * docs/interchange.md, the first one is 1. Prints the listed games, each with these moves confirmed
 * but for those that the service would not choose, which are named on standard error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/confirm.h"
#include "core/interchange.h"
#include "core/marks.h"
#include "engine/confirm.h"
#include "engine/worker.h"

struct confirm_listed {
    unsigned game, ply;
};

struct confirm_list {
    struct confirm_listed *at;
    size_t n;
};

static bool confirm_list_read(const char *path, struct confirm_list *list)
{
    FILE *const file = fopen(path, "r");
    struct confirm_listed one;

    for (int got = 0; file != NULL && got != EOF;) {
        got = fscanf(file, "%u %u", &one.game, &one.ply);
        if (got == 2) {
            list->at = ipr_xrealloc(list->at, list->n + 1, sizeof *list->at);
            list->at[list->n++] = one;
        } else if (got != EOF) {
            fclose(file);
            return false;
        }
    }
    if (file != NULL)
        fclose(file);
    return list->n > 0;
}

static bool confirm_is_listed(const struct confirm_list *list, unsigned game, unsigned ply)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i].game == game && (ply == UINT16_MAX || list->at[i].ply == ply))
            return true;
    return false;
}

/* Those of the game's list that the service chooses, and that are not confirmed yet. */
static size_t confirm_listed(const struct confirm_list *list, unsigned number,
                             const struct ipr_interchange_game *g, struct ipr_arena *mem,
                             struct ipr_db_unconfirmed *out)
{
    struct ipr_confirm_choice *const chosen = ipr_arena_alloc(mem, g->judged.n + 1, sizeof *chosen);
    const size_t n_chosen =
        ipr_confirm_select(&g->start, g->moves, g->n_moves, &g->judged, &g->confirmed, chosen);
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        const unsigned ply = list->at[i].ply;
        size_t k = 0;

        if (list->at[i].game != number || ipr_judged_turn_at(&g->confirmed, (uint16_t)ply) != NULL)
            continue;
        while (k < n_chosen && chosen[k].ply != ply)
            k++;
        if (k < n_chosen)
            out[n++] =
                (struct ipr_db_unconfirmed){ .turn = *ipr_judged_turn_at(&g->judged, (uint16_t)ply),
                                             .drifts = chosen[k].drifts };
        else
            fprintf(stderr, "game %u, after %u half-moves: not chosen\n", number, ply);
    }
    return n;
}

/* Adds turns by ply. */
static void confirm_merge(struct ipr_judged_game *to, const struct ipr_judged_game *more,
                          struct ipr_arena *mem)
{
    struct ipr_judged_turn *const all = ipr_arena_alloc(mem, to->n + more->n, sizeof *all);
    size_t i = 0, k = 0;

    while (i < to->n || k < more->n)
        if (k == more->n || (i < to->n && to->turns[i].ply < more->turns[k].ply)) {
            all[i + k] = to->turns[i];
            i++;
        } else {
            all[i + k] = more->turns[k];
            k++;
        }
    *to = (struct ipr_judged_game){ all, i + k };
}

static enum ipr_code confirm_game(struct ipr_worker *w, const struct ipr_db_unconfirmed *moves,
                                  size_t n, struct ipr_interchange_game *g, struct ipr_arena *mem,
                                  struct ipr_err *err)
{
    const struct ipr_db_game of = { .start = g->start, .moves = g->moves, .n_moves = g->n_moves };
    struct ipr_judged_game found = { ipr_arena_alloc(mem, n, sizeof *found.turns), 0 };
    struct ipr_judge definition;

    if (!ipr_judge_builtin(IPR_CONFIRM, &definition))
        abort(); /* it is built in */
    definition.nodes = (uint32_t)w->config->confirm_nodes;
    struct ipr_confirm *const c = ipr_confirm_make(&of, definition.nodes, moves, n, mem);
    const char *engine = NULL;
    enum ipr_code rc = ipr_engine_find(w->config->stockfish_path, mem, &engine, err);

    if (rc == IPR_OK)
        rc = ipr_worker_engine(w, engine, &definition, err);
    if (rc == IPR_OK)
        rc = ipr_confirm_run(c, w->engine, NULL, NULL, mem, err);
    if (rc != IPR_OK)
        return rc;
    ipr_confirm_settled(c, &found);
    confirm_merge(&g->confirmed, &found, mem);
    g->confirmed_by = *ipr_engine_judge_of(w->engine);
    return IPR_OK;
}

static enum ipr_code confirm_line(struct ipr_worker *w, const struct confirm_list *list,
                                  struct ipr_str line, unsigned number, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_interchange_game g;
    enum ipr_code rc = IPR_OK;

    if (confirm_is_listed(list, number, UINT16_MAX)) {
        struct ipr_db_unconfirmed *const moves = ipr_arena_alloc(&mem, list->n, sizeof *moves);

        rc = ipr_interchange_read(line, number, &mem, &g, err);
        const size_t n = rc == IPR_OK ? confirm_listed(list, number, &g, &mem, moves) : 0;
        if (n > 0)
            rc = confirm_game(w, moves, n, &g, &mem, err);
        if (rc == IPR_OK) {
            ipr_interchange_write(&out, &g);
            fputs(ipr_buf_c(&out), stdout);
            fflush(stdout);
        }
    }
    ipr_buf_release(&out);
    ipr_arena_release(&mem);
    return rc;
}

int main(int argc, char **argv)
{
    struct confirm_list list = { NULL, 0 };
    struct ipr_config config;
    struct ipr_worker worker = { .config = &config };
    struct ipr_err err = IPR_ERR_INIT;
    char *line = NULL;
    size_t size = 0;
    struct ipr_args args;
    ssize_t n;
    enum ipr_code rc = ipr_config_read(argc, argv, NULL, &config, &args, &err);

    if (rc == IPR_OK && (args.n != 1 || !confirm_list_read(args.words[0], &list)))
        rc = ipr_err_set(&err, IPR_EINVAL, "usage: confirm LIST [settings] < GAMES");
    for (unsigned number = 1; rc == IPR_OK && (n = getline(&line, &size, stdin)) > 0; number++)
        rc =
            confirm_line(&worker, &list,
                         (struct ipr_str){ line, (size_t)n - (line[n - 1] == '\n') }, number, &err);
    ipr_engine_stop(&worker.engine);
    if (rc != IPR_OK)
        fprintf(stderr, "confirm: %s\n", err.msg);
    free(line);
    free(list.at);
    return rc == IPR_OK ? 0 : 1;
}
