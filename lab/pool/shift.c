/* The scale of games over the board at another speed: what the same players show. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/pool/pool.h"
#include "lab/report.h"
#include "model/strength_shipped.h"
#include "stats/resample.h"

#define SHIFT_DRAWS 1000
#define SHIFT_SEED  1

/* A player's sums, here and in standard games. */
struct shift_player {
    uint64_t player;
    double rating;
    struct ipr_strength_score here, standard;
};

static int shift_by_player(const void *a, const void *b)
{
    const struct shift_player *x = a, *y = b;

    return (x->player > y->player) - (x->player < y->player);
}

static void shift_add(struct ipr_strength_score *sum, struct ipr_strength_score score)
{
    sum->score += score.score;
    sum->information += score.information;
}

void pool_pair(struct pool_sides *s, const struct pool_sides *standard)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->n; i++) {
        double rating = 0, n = 0;

        for (size_t k = 0; k < standard->n; k++)
            if (standard->player[k] == s->player[i]) {
                rating += standard->rating[k];
                n++;
            }
        if (n == 0)
            continue;
        s->player[kept] = s->player[i];
        s->score[kept] = s->score[i];
        s->moves[kept] = s->moves[i];
        s->year[kept] = s->year[i];
        s->rating[kept++] = rating / n;
    }
    s->n = kept;
    s->standard = standard;
}

/* The players of the sides that are taken, ascending; their number. */
static size_t shift_players(const struct pool_sides *s, const bool *take, struct shift_player *at)
{
    size_t n = 0, players = 0;

    for (size_t i = 0; i < s->n; i++)
        if (take[i])
            at[n++] = (struct shift_player){ s->player[i], s->rating[i], s->score[i], { 0, 0 } };
    qsort(at, n, sizeof *at, shift_by_player);
    for (size_t i = 0; i < n; i++) {
        if (players > 0 && at[players - 1].player == at[i].player)
            shift_add(&at[players - 1].here, at[i].here);
        else
            at[players++] = at[i];
    }
    for (size_t k = 0; k < s->standard->n; k++) {
        const struct shift_player key = { .player = s->standard->player[k] };
        struct shift_player *const of = bsearch(&key, at, players, sizeof *at, shift_by_player);

        if (of != NULL)
            shift_add(&of->standard, s->standard->score[k]);
    }
    return players;
}

/* The difference of z, each player's weighted by how well it is known. */
static double shift_mean(const struct shift_player *at, const double *times, size_t n)
{
    double sum = 0, weights = 0;

    for (size_t i = 0; i < n; i++) {
        const double here = at[i].here.information, standard = at[i].standard.information;
        const double weight = times[i] * here * standard / (here + standard);

        sum += weight * (at[i].here.score / here - at[i].standard.score / standard);
        weights += weight;
    }
    return sum / weights;
}

/* The variance of that difference between players, beyond what their moves explain (DerSimonian and
 * Laird, 1986). */
static double shift_between(const struct shift_player *at, size_t n, double mean)
{
    const struct ipr_strength_calibration *const m = &ipr_strength_shipped.calibration;
    double q = 0, sum = 0, squares = 0;

    for (size_t i = 0; i < n; i++) {
        const double here = at[i].here.information, standard = at[i].standard.information;
        const double factor = m->spread.factor * ipr_strength_level(m, at[i].rating);
        const double weight = here * standard / (here + standard) / factor;

        q += weight * pow(at[i].here.score / here - at[i].standard.score / standard - mean, 2);
        sum += weight;
        squares += weight * weight;
    }
    return fmax(0, (q - (double)n + 1) / (sum - squares / sum));
}

void pool_shift(const struct pool_sides *s, const bool *take, struct pool_scale *out)
{
    struct shift_player *const at = ipr_xcalloc(s->n + 1, sizeof *at);
    double *const times = ipr_xcalloc(s->n + 1, sizeof *times);
    const size_t n = shift_players(s, take, at);
    struct ipr_twister rng;
    double mean, square = 0;

    for (size_t i = 0; i < n; i++)
        times[i] = 1;
    mean = shift_mean(at, times, n);
    ipr_twister_seed(&rng, SHIFT_SEED);
    for (size_t draw = 0; draw < SHIFT_DRAWS; draw++) {
        ipr_resample(&rng, n, times);
        square += pow(shift_mean(at, times, n) - mean, 2);
    }
    *out =
        (struct pool_scale){ ipr_strength_shipped.calibration, BENCH_PRIOR_MEAN, BENCH_PRIOR_SD };
    /* The error of the shift is one of the curve, the same at every level. */
    for (size_t k = 0; k < out->calibration.curve.knots; k++) {
        out->calibration.curve.z[k] += mean;
        out->calibration.curve.var[k] += square / SHIFT_DRAWS;
        if (k + 1 < out->calibration.curve.knots)
            out->calibration.curve.cov[k] += square / SHIFT_DRAWS;
    }
    const double between = shift_between(at, n, mean);

    out->calibration.spread.player += between;
    printf("\n%zu players: z is lower by %.3f ± %.3f than in their standard games; variance "
           "between players %.3f\n\n",
           n, -mean, sqrt(square / SHIFT_DRAWS), between);
    free(times);
    free(at);
}
