/* How often the moves of a pool deviate by chance. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/pool/pool.h"
#include "stats/resample.h"

#define NULL_DRAWS 100
#define NULL_LEAST 50 /* sets in a division */
#define NULL_BAND  50.

struct null_side {
    unsigned half;
    double band;
    uint64_t at; /* a random number */
    size_t side;
};

static int null_by_band(const void *a, const void *b)
{
    const struct null_side *x = a, *y = b;

    if (x->half != y->half)
        return x->half < y->half ? -1 : 1;
    if (x->band != y->band)
        return x->band < y->band ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* The deviation of n sides, as the service has it of one player; here each player deviates from the
 * curve on their own. */
static double null_z(const struct pool_sides *s, const struct pool_scale *scale,
                     const struct null_side *at, size_t n)
{
    struct ipr_strength_calibration m = scale->calibration;
    struct ipr_strength_set set = { 0 };
    double squares = 0;

    for (size_t i = 0; i < n; i++) {
        const double own = s->score[at[i].side].information;

        set.score += s->score[at[i].side].score;
        set.information += own;
        for (size_t k = 0; k < n; k++)
            if (s->player[at[k].side] == s->player[at[i].side])
                squares += own * s->score[at[k].side].information;
        set.elo += own * s->rating[at[i].side];
        set.year += own * s->year[at[i].side];
    }
    set.elo /= set.information;
    set.year /= set.information;
    m.spread.player *= squares / (set.information * set.information);
    return ipr_strength_surprise(&m, &set);
}

static void null_add(struct ipr_strength_null *row, double z)
{
    row->sets++;
    for (int k = 0; k < 3; k++) {
        row->below[k] += z < -(k + 2);
        row->above[k] += z > k + 2;
    }
}

/* One division: runs of sides of a band. */
static void null_divide(const struct pool_sides *s, const struct pool_scale scale[2],
                        const struct null_side *at, size_t n, struct ipr_strength_null *row)
{
    size_t first = 0;
    double moves = 0;

    for (size_t i = 0; i < n; i++) {
        if (at[i].half != at[first].half || at[i].band != at[first].band) {
            first = i;
            moves = 0;
        }
        moves += s->moves[at[i].side];
        if (moves < row->moves)
            continue;
        null_add(row, null_z(s, &scale[at[first].half], at + first, i - first + 1));
        first = i + 1;
        moves = 0;
    }
}

/* Random divisions into sets of so many moves; their number in one, and the shares. */
static struct ipr_strength_null null_row(const struct pool_sides *s,
                                         const struct pool_scale scale[2], double moves,
                                         struct null_side *at)
{
    struct ipr_strength_null row = { .moves = moves };

    for (uint64_t draw = 0; draw < NULL_DRAWS; draw++) {
        for (size_t i = 0; i < s->n; i++)
            at[i] = (struct null_side){ pool_half(s->player[i]), floor(s->rating[i] / NULL_BAND),
                                        ipr_mix64(i ^ draw << 32), i };
        qsort(at, s->n, sizeof *at, null_by_band);
        null_divide(s, scale, at, s->n, &row);
    }
    for (int k = 0; k < 3; k++) {
        row.below[k] /= row.sets;
        row.above[k] /= row.sets;
    }
    row.sets = floor(row.sets / NULL_DRAWS);
    return row;
}

void pool_null(const struct pool_sides *s, const struct pool_scale scale[2],
               struct ipr_strength_null out[IPR_STRENGTH_NULLS])
{
    static const double moves[IPR_STRENGTH_NULLS] = { 30, 100, 300, 1000 };
    struct null_side *const at = ipr_xcalloc(s->n + 1, sizeof *at);

    for (size_t k = 0; k < IPR_STRENGTH_NULLS; k++) {
        const struct ipr_strength_null row = null_row(s, scale, moves[k], at);

        out[k] = k > 0 ? out[k - 1] : (struct ipr_strength_null){ .moves = 0 };
        if (row.sets < NULL_LEAST)
            continue;
        out[k] = row;
        printf("\nOf %.0f sets of %.0f moves, |z| is above 2 in %.1f per cent, above 3 in %.2f.\n",
               row.sets, row.moves, 100 * (row.below[0] + row.above[0]),
               100 * (row.below[1] + row.above[1]));
    }
    free(at);
}
