/*
 * Figures of the benchmark on standard input as figure sets (docs/interchange.md) on standard
 * output, with the sums of the rating: games of known Elo that a service can import. Players are
 * named by their digests; a year and a result is all else that the figures have.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/data.h"
#include "model/strength_shipped.h"
#include "model/turn.h"

#define SETS_UNIT       1e6
#define SETS_FIRST_MOVE 9

static int sets_cp(const int16_t *cp)
{
    return (int)fmin(fmax(cp[IPR_STRENGTH_DEPTHS - 1], -IPR_CP_LIMIT), IPR_CP_LIMIT);
}

static json_t *sets_sums(const struct ipr_strength_turn *turn, double (*x)[IPR_STRENGTH_FEATURES],
                         size_t n, unsigned colour)
{
    const struct ipr_strength_model *m = &ipr_strength_shipped.model;
    json_int_t score = 0, information = 0;
    int moves = 0;

    for (size_t i = 0; i < n; i++) {
        if (turn[i].ply % 2 != colour || !ipr_strength_counts(&turn[i]))
            continue;
        ipr_strength_scale(m, x[i]);
        const struct ipr_strength_score s =
            ipr_strength_score(m, x[i], ipr_strength_loss(&turn[i]));

        score += llround(SETS_UNIT * s.score);
        information += llround(SETS_UNIT * s.information);
        moves++;
    }
    return json_pack("{s:i, s:I, s:I, s:i}", "version", IPR_STRENGTH_SUMS_VERSION, "score", score,
                     "information", information, "moves", moves);
}

static json_t *sets_side(const struct ipr_strength_turn *turn, double (*x)[IPR_STRENGTH_FEATURES],
                         size_t n, unsigned colour)
{
    json_t *best = json_array(), *second = json_array(), *played = json_array(),
           *legal = json_array(), *repeated = json_array();

    for (size_t i = 0; i < n; i++) {
        const struct ipr_strength_turn *const t = &turn[i];
        const int own = sets_cp(t->cp[2]),
                  first = sets_cp(t->cp[0]) > own ? sets_cp(t->cp[0]) : own;

        if (t->ply % 2 != colour)
            continue;
        json_array_append_new(best, json_integer(first));
        json_array_append_new(played, json_integer(own));
        json_array_append_new(second, t->legal > 1 ? json_integer(sets_cp(t->cp[1])) : json_null());
        json_array_append_new(legal, json_integer(t->legal));
        if (t->repeated)
            json_array_append_new(repeated, json_integer(t->ply));
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "mover", colour == 0 ? "w" : "b",
                     "best", best, "second", second, "played", played, "legal", legal, "repeated",
                     repeated, "rating", sets_sums(turn, x, n, colour));
}

static json_t *sets_judge(void)
{
    return json_pack("{s:s, s:s, s:s, s:i, s:{s:i}, s:i, s:i, s:s, s:i}", "name", "rating",
                     "engine", IPR_STRENGTH_ENGINE, "network", IPR_STRENGTH_NETWORK, "multipv", 2,
                     "limit", "depth", IPR_STRENGTH_DEPTHS, "threads", 1, "hash_mb", 16, "clear",
                     "position", "first_move", SETS_FIRST_MOVE);
}

static json_t *sets_tags(const struct bench_side *side)
{
    const double score = side[0].result;
    char name[2][16], elo[2][16], date[32];

    snprintf(date, sizeof date, "%04d.??.??", side[0].year);
    for (int k = 0; k < 2; k++) {
        snprintf(name[k], sizeof name[k], "%08x", side[k].player);
        snprintf(elo[k], sizeof elo[k], "%.0f", side[k].elo);
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "Date", date, "White", name[0], "Black",
                     name[1], "Result",
                     score > .75   ? "1-0"
                     : score > .25 ? "1/2-1/2"
                     : score >= 0  ? "0-1"
                                   : "*",
                     "WhiteElo", elo[0], "BlackElo", elo[1]);
}

/* The turns [from, to) of a game. */
static bool sets_game(const struct bench_data *d, size_t from, size_t to)
{
    const struct bench_side *const side = &d->side[d->of[from] & ~(size_t)1];
    const size_t n = to - from;
    double(*x)[IPR_STRENGTH_FEATURES] = ipr_xcalloc(n, sizeof *x);
    json_t *tags = sets_tags(side);
    const json_t *const result = json_object_get(tags, "Result");

    ipr_strength_features(d->turn + from, n, x);
    json_t *out = json_pack("{s:o, s:O, s:{s:i, s:s}, s:o, s:[o, o]}", "tags", tags, "result",
                            result, "moves", "plies", d->turn[to - 1].ply + 1, "key",
                            d->id[side->game], "judge", sets_judge(), "figures",
                            sets_side(d->turn + from, x, n, 0), sets_side(d->turn + from, x, n, 1));
    free(x);
    const bool ok = json_dumpf(out, stdout, JSON_COMPACT) == 0 && putchar('\n') != EOF;
    json_decref(out);
    return ok;
}

int main(void)
{
    struct bench_data d;

    if (!bench_data_read(&d)) {
        fputs("figure_sets: standard input is no file of figures\n", stderr);
        return 1;
    }
    for (size_t i = 0, to; i < d.n_turns; i = to) {
        for (to = i; to < d.n_turns && d.of[to] / 2 == d.of[i] / 2;)
            to++;
        if (!sets_game(&d, i, to))
            return 1;
    }
    return 0;
}
