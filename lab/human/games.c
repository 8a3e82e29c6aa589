/* Games of standard input, in an order of which each beginning is stratified by level. */
#include "lab/human/games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/file_evals.h"
#include "core/strength_turns.h"
#include "lab/names.h"
#include "lab/pgn.h"
#include "pgn/reader.h"
#include "stats/resample.h"

#define GAMES_BANDS 9

static uint64_t games_player(const struct ipr_pgn_game *g, const char *tag)
{
    const struct ipr_str s = ipr_pgn_tag_get(g, tag);
    char text[256] = "";

    memcpy(text, s.p, s.n < sizeof text ? s.n : sizeof text - 1);
    return bench_digest(text);
}

static enum ipr_code games_take(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    struct human_games *const games = payload;
    struct human_game to = { .rating = { (double)bench_number_in(ipr_pgn_tag_get(g, "WhiteElo")),
                                         (double)bench_number_in(ipr_pgn_tag_get(g, "BlackElo")) },
                             .player = { games_player(g, "White"), games_player(g, "Black") },
                             .n = g->n_moves };
    const double level = (to.rating[0] + to.rating[1]) / 2;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_file_evals e;

    (void)err;
    if (g->error.code != IPR_OK || g->custom_start || to.rating[0] <= 0 || to.rating[1] <= 0)
        return IPR_OK;
    ipr_file_evals_read(&g->start, g->moves, g->n_moves, g->notes, g->n_notes, &mem, &e);
    if (!games->evaluations || ipr_file_evals_suffice(&e)) {
        if (games->evaluations) {
            to.side = ipr_xcalloc(to.n + 1, sizeof *to.side);
            ipr_side_moves(&g->start, g->moves, g->n_moves, e.cp, to.side);
        }
        to.move = ipr_xcalloc(to.n + 1, sizeof *to.move);
        memcpy(to.move, g->moves, to.n * sizeof *to.move);
        to.digest = ipr_mix64(to.player[0]) ^ ipr_mix64(to.player[1] + 1);
        for (size_t i = 0; i < to.n; i++)
            to.digest = ipr_mix64(to.digest ^ to.move[i]);
        to.band = level >= 800 && level < 2600 ? (int)(level - 800) / 200 : -1;
        if ((games->n & (games->n - 1)) == 0)
            games->game =
                ipr_xrealloc(games->game, games->n > 0 ? 2 * games->n : 1, sizeof *games->game);
        games->game[games->n++] = to;
    }
    ipr_arena_release(&mem);
    return IPR_OK;
}

static int games_by_digest(const void *a, const void *b)
{
    const struct human_game *x = a, *y = b;

    return (x->digest > y->digest) - (x->digest < y->digest);
}

static void games_order(struct human_games *games)
{
    struct human_game *const to = ipr_xcalloc(games->n + 1, sizeof *to);
    size_t at[GAMES_BANDS] = { 0 }, n = 0;
    bool more = true;

    qsort(games->game, games->n, sizeof *games->game, games_by_digest);
    while (more) {
        more = false;
        for (int band = 0; band < GAMES_BANDS; band++) {
            while (at[band] < games->n && games->game[at[band]].band != band)
                at[band]++;
            if (at[band] < games->n) {
                to[n++] = games->game[at[band]++];
                more = true;
            }
        }
    }
    for (size_t i = 0; i < games->n; i++)
        if (games->game[i].band < 0)
            to[n++] = games->game[i];
    free(games->game);
    games->game = to;
}

bool human_games_read(struct human_games *out)
{
    out->n = 0;
    out->game = NULL;
    if (!bench_pgn_read(games_take, out))
        return false;
    games_order(out);
    return true;
}

bool human_moves_read(const struct human_games *games, const char *path,
                      void (*take)(void *of, const struct human_game *g,
                                   const struct ipr_human_move *m),
                      void *of)
{
    FILE *const in = fopen(path, "rb");
    struct human_header h;
    bool ok = in != NULL;

    while (ok && fread(&h, sizeof h, 1, in) == 1) {
        struct ipr_human_move *const m = ipr_xcalloc(h.n + 1, sizeof *m);

        ok = h.number < games->n && games->game[h.number].digest == h.digest &&
             fread(m, sizeof *m, h.n, in) == h.n;
        if (ok)
            take(of, &games->game[h.number], m);
        free(m);
    }
    if (!ok)
        fprintf(stderr, "%s is not of these games\n", path);
    if (in != NULL)
        fclose(in);
    return ok;
}
