/* Prints how good the estimates of a pool are, by level. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/bands.h"
#include "lab/pool/pool.h"

#define TABLES_LEAST 15 /* players in a row */
#define TABLES_FIRST 300.

static const size_t tables_games[] = { 1, 5, 10, 20 };
#define TABLES_KINDS (sizeof tables_games / sizeof *tables_games)

struct tables_side {
    uint64_t player;
    size_t side;
};

static int tables_by_player(const void *a, const void *b)
{
    const struct tables_side *x = a, *y = b;

    if (x->player != y->player)
        return x->player < y->player ? -1 : 1;
    return x->side < y->side ? -1 : x->side > y->side;
}

/* The first games of one player, as many as the kind says: 10 stands for 10 to 19, 20 for all from
 * there on. */
static void tables_player(const struct pool_sides *s, const struct pool_scale *scale,
                          const struct tables_side *at, size_t n,
                          struct bench_bands bands[TABLES_KINDS])
{
    for (size_t kind = 0; kind < TABLES_KINDS; kind++) {
        const size_t games = tables_games[kind];
        size_t take = games < 10 ? games : n;
        double score = 0, information = 0, rating = 0;

        if (n < games || (games == 10 && n > 19))
            continue;
        for (size_t i = 0; i < take; i++) {
            score += s->score[at[i].side].score;
            information += s->score[at[i].side].information;
            rating += s->rating[at[i].side] / (double)take;
        }
        const struct ipr_strength_estimate e = ipr_strength_of_sums(
            &scale->calibration, score, information, scale->prior_mean, scale->prior_sd);

        bench_bands_add(&bands[kind], &e, rating, scale->prior_mean);
    }
}

void pool_halves(const struct pool_sides *s, const double *knot, size_t knots,
                 struct pool_scale out[2])
{
    bool *const take = ipr_xcalloc(s->n + 1, sizeof *take);

    for (unsigned half = 0; half < 2; half++) {
        for (size_t i = 0; i < s->n; i++)
            take[i] = pool_half(s->player[i]) != half;
        pool_calibrate(s, take, knot, knots, &out[half]);
    }
    free(take);
}

json_t *pool_tables(const struct pool_sides *s, const struct pool_scale scale[2], const char *pool,
                    const char *kind)
{
    struct bench_bands bands[TABLES_KINDS] = { 0 };
    json_t *const rows = json_array();
    struct tables_side *const at = ipr_xcalloc(s->n + 1, sizeof *at);

    for (size_t i = 0; i < s->n; i++)
        at[i] = (struct tables_side){ s->player[i], i };
    qsort(at, s->n, sizeof *at, tables_by_player);
    for (size_t k = 0; k < TABLES_KINDS; k++)
        bands[k].first = TABLES_FIRST;
    for (size_t i = 0, end; i < s->n; i = end) {
        for (end = i; end < s->n && at[end].player == at[i].player; end++)
            ;
        tables_player(s, &scale[pool_half(at[i].player)], at + i, end - i, bands);
    }
    for (size_t k = 0; k < TABLES_KINDS; k++)
        bench_bands_rows(&bands[k], pool, kind, tables_games[k], TABLES_LEAST, rows);
    for (unsigned half = 0; half < 2; half++) {
        const struct ipr_strength_spread *v = &scale[half].calibration.spread;
        const struct ipr_strength_curve *curve = &scale[half].calibration.curve;

        printf("\nHalf %u: factor %.3f, variance of a player %.3f; factor by level", half,
               v->factor, v->player);
        for (size_t k = 0; k < curve->knots; k++)
            printf(" %.2f", v->level[k]);
        printf("; curve");
        for (size_t k = 0; k < curve->knots; k++)
            printf(" %.2f", curve->z[k]);
        puts("");
    }
    free(at);
    return rows;
}
