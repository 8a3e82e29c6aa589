/*
 * Extracts results from games: reads PGN from standard input and writes one line per game to
 * standard output, sorted by year: year, the players' numbers, Elo of White and of Black (0: none),
 * White's score in half points. The output has no moves, names or events. See docs/results.md.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/names.h"
#include "pgn/reader.h"
#include "stats/resample.h"

struct game {
    int year, elo[2], halves;
    uint64_t digest, player[2];
};

struct games {
    struct game *game;
    size_t n, size;
};

static uint64_t games_player(struct ipr_str name)
{
    char text[256] = "", player[128];

    memcpy(text, name.p, name.n < sizeof text ? name.n : sizeof text - 1);
    bench_player(text, player);
    return bench_digest(player);
}

static uint64_t games_digest(const struct ipr_pgn_game *g, const struct game *out)
{
    uint64_t h = ipr_mix64(out->player[0]) + (uint64_t)out->year;

    h = ipr_mix64(h) + out->player[1];
    for (size_t i = 0; i < g->n_moves; i++)
        h = ipr_mix64(h) + g->moves[i];
    return ipr_mix64(h);
}

static enum ipr_code games_take(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    static const int halves[] = { [IPR_WHITE_WINS] = 2, [IPR_BLACK_WINS] = 0, [IPR_DRAW] = 1 };
    struct games *all = payload;
    struct game out = { .year = (int)bench_number_in(ipr_pgn_tag_get(g, "Date")) };

    (void)err;
    /* A game without moves was forfeited. */
    if (g->result == IPR_RESULT_UNKNOWN || out.year == 0 || g->n_moves == 0)
        return IPR_OK;
    out.halves = halves[g->result];
    out.player[0] = games_player(ipr_pgn_tag_get(g, "White"));
    out.player[1] = games_player(ipr_pgn_tag_get(g, "Black"));
    out.elo[0] = (int)bench_number_in(ipr_pgn_tag_get(g, "WhiteElo"));
    out.elo[1] = (int)bench_number_in(ipr_pgn_tag_get(g, "BlackElo"));
    out.digest = games_digest(g, &out);
    if (out.player[0] == out.player[1])
        return IPR_OK;
    if (all->n == all->size)
        all->game = ipr_xrealloc(all->game, all->size = 2 * all->size + 1024, sizeof *all->game);
    all->game[all->n++] = out;
    return IPR_OK;
}

/* By year, then by digest, so that the order within a year identifies no game. */
static int games_order(const void *a, const void *b)
{
    const struct game *x = a, *y = b;

    if (x->year != y->year)
        return x->year < y->year ? -1 : 1;
    return x->digest < y->digest ? -1 : x->digest > y->digest;
}

/* Players are numbered in order of first occurrence. */
static size_t games_number_of(uint64_t **seen, size_t *n, uint64_t player)
{
    for (size_t i = 0; i < *n; i++)
        if ((*seen)[i] == player)
            return i;
    *seen = ipr_xrealloc(*seen, *n + 1, sizeof **seen);
    (*seen)[*n] = player;
    return (*n)++;
}

static void games_print(struct games *all)
{
    uint64_t *seen = NULL;
    size_t n = 0;

    qsort(all->game, all->n, sizeof *all->game, games_order);
    for (size_t i = 0; i < all->n; i++) {
        const struct game *g = &all->game[i];
        size_t white, black;

        if (i > 0 && g[-1].digest == g->digest)
            continue;
        white = games_number_of(&seen, &n, g->player[0]);
        black = games_number_of(&seen, &n, g->player[1]);
        printf("%d\t%zu\t%zu\t%d\t%d\t%d\n", g->year, white, black, g->elo[0], g->elo[1],
               g->halves);
    }
    free(seen);
}

int main(void)
{
    struct games all = { .n = 0 };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pgn_limits limits = { .max_plies = 0 };
    struct ipr_pgn_reader *reader = ipr_pgn_reader_new(&limits, games_take, &all);
    char bytes[65536];
    size_t n;
    enum ipr_code rc = IPR_OK;

    while (rc == IPR_OK && (n = fread(bytes, 1, sizeof bytes, stdin)) > 0)
        rc = ipr_pgn_reader_feed(reader, bytes, n, &err);
    if (rc == IPR_OK)
        rc = ipr_pgn_reader_finish(reader, &err);
    ipr_pgn_reader_free(&reader);
    if (rc == IPR_OK)
        games_print(&all);
    else
        fprintf(stderr, "games: %s\n", err.msg);
    free(all.game);
    return rc == IPR_OK ? 0 : 1;
}
