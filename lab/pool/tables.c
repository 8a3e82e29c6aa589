/* What the estimates of a pool are worth, by level. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/pool/pool.h"

#define TABLES_BAND  200.
#define TABLES_BANDS 20
#define TABLES_LEAST 15 /* sets in a row */

static const size_t tables_games[] = { 1, 5, 10, 20 };
#define TABLES_KINDS (sizeof tables_games / sizeof *tables_games)

struct tables_sum {
    double n, rating, square_of_rating, absolute, raw, raw_square, mean, square, inside, raw_inside,
        width;
};

static void tables_add(struct tables_sum *s, const struct ipr_strength_estimate *e, double rating,
                       double prior)
{
    s->n++;
    s->rating += fabs(rating - prior);
    s->square_of_rating += pow(rating - prior, 2);
    s->absolute += fabs(e->mean - rating);
    s->raw += e->raw - rating;
    s->raw_square += pow(e->raw - rating, 2);
    s->mean += e->mean - rating;
    s->square += pow(e->mean - rating, 2);
    s->inside += rating >= e->lo && rating <= e->hi;
    s->raw_inside += rating >= e->raw_lo && rating <= e->raw_hi;
    s->width += e->raw_hi - e->raw_lo;
}

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
                          struct tables_sum sum[TABLES_KINDS][TABLES_BANDS + 1])
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
        const double band = floor(rating / TABLES_BAND - .5);

        tables_add(&sum[kind][TABLES_BANDS], &e, rating, scale->prior_mean);
        if (band >= 0 && band < TABLES_BANDS)
            tables_add(&sum[kind][(size_t)band], &e, rating, scale->prior_mean);
    }
}

static void tables_row(const char *name, size_t games, const struct tables_sum *s)
{
    const double mean_error = s->rating / s->n, error = sqrt(s->square_of_rating / s->n);

    printf("| %zu | %s | %.0f | %+.0f | %+.0f | %.0f | %.0f | %.1f | %.1f | %.1f | %.1f | %.0f |\n",
           games, name, s->n, s->raw / s->n, s->mean / s->n, sqrt(s->raw_square / s->n),
           sqrt(s->square / s->n), 100 * (1 - sqrt(s->square / s->n) / error),
           100 * (1 - s->absolute / s->n / mean_error), 100 * s->raw_inside / s->n,
           100 * s->inside / s->n, s->width / s->n);
}

void pool_tables(const struct pool_sides *s, const double *knot, size_t knots)
{
    struct tables_sum(*const sum)[TABLES_BANDS + 1] = ipr_xcalloc(TABLES_KINDS, sizeof *sum);
    struct tables_side *const at = ipr_xcalloc(s->n + 1, sizeof *at);
    bool *const take = ipr_xcalloc(s->n + 1, sizeof *take);
    struct pool_scale scale[2];

    for (unsigned half = 0; half < 2; half++) {
        for (size_t i = 0; i < s->n; i++)
            take[i] = pool_half(s->player[i]) != half;
        pool_calibrate(s, take, knot, knots, &scale[half]);
    }
    for (size_t i = 0; i < s->n; i++)
        at[i] = (struct tables_side){ s->player[i], i };
    qsort(at, s->n, sizeof *at, tables_by_player);
    for (size_t i = 0, end; i < s->n; i = end) {
        for (end = i; end < s->n && at[end].player == at[i].player; end++)
            ;
        tables_player(s, &scale[pool_half(at[i].player)], at + i, end - i, sum);
    }
    printf("| Games | Rating | Players | Bias, moves alone | Bias | RMSE, moves alone | RMSE | "
           "Less RMSE, %% | Less MAE, %% | Inside, moves alone, %% | Inside, %% | Width |\n"
           "| --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n");
    for (size_t kind = 0; kind < TABLES_KINDS; kind++) {
        tables_row("all", tables_games[kind], &sum[kind][TABLES_BANDS]);
        for (size_t band = 0; band < TABLES_BANDS; band++) {
            const double low = TABLES_BAND * ((double)band + .5);
            char name[32];

            snprintf(name, sizeof name, "%.0f-%.0f", low, low + TABLES_BAND);
            if (sum[kind][band].n >= TABLES_LEAST)
                tables_row(name, tables_games[kind], &sum[kind][band]);
        }
    }
    for (unsigned half = 0; half < 2; half++) {
        const struct ipr_strength_spread *v = &scale[half].calibration.spread;

        printf("\nHalf %u: factor %.3f, variance of a player %.3f; factor by level", half,
               v->factor, v->player);
        for (size_t k = 0; k < knots; k++)
            printf(" %.2f", v->level[k]);
        printf("; curve");
        for (size_t k = 0; k < knots; k++)
            printf(" %.2f", scale[half].calibration.curve.z[k]);
        puts("");
    }
    free(take);
    free(at);
    free(sum);
}
