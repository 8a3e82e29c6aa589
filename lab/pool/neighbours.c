#include "lab/pool/neighbours.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/move_mark.h"

#define NEIGHBOURS_LIMIT 1000. /* centipawns */

/* ---- lichess: accuracy and mean loss ---- */

static double chances(double cp)
{
    return 100 / (1 + exp(-.00368208 * cp));
}

static double limited(const struct neighbours_position *p)
{
    if (p->mate)
        return p->value > 0 ? NEIGHBOURS_LIMIT : -NEIGHBOURS_LIMIT;
    return fmin(NEIGHBOURS_LIMIT, fmax(-NEIGHBOURS_LIMIT, p->value));
}

/* A position with an evaluation: how many moves led to it, White's view. */
struct accuracy_at {
    size_t ply;
    double cp, won;
};

/* Standard deviation of the chances in the `size` positions up to the one after a move, or in the
 * first ones: how much was at stake, from .5 to 12. */
static double stake(const struct accuracy_at *at, size_t after, size_t size)
{
    const size_t first = after + 1 > size ? after + 1 - size : 0;
    double mean = 0, square = 0;

    for (size_t i = first; i < first + size; i++)
        mean += at[i].won / (double)size;
    for (size_t i = first; i < first + size; i++)
        square += pow(at[i].won - mean, 2) / (double)size;
    return fmin(12, fmax(.5, sqrt(square)));
}

struct accuracy_sums {
    double n, weight, weighted, inverse, loss;
};

static void accuracy_add(struct accuracy_sums *s, double accuracy, double weight, double loss)
{
    s->n++;
    s->weight += weight;
    s->weighted += weight * accuracy;
    s->inverse += 1 / fmax(1, accuracy);
    s->loss += loss;
}

static size_t accuracy_known(const struct neighbours_position *at, size_t moves,
                             struct accuracy_at *out)
{
    size_t n = 0;

    for (size_t i = 0; i <= moves; i++)
        if (at[i].known)
            out[n++] = (struct accuracy_at){ i, limited(&at[i]), chances(limited(&at[i])) };
    return n;
}

/* Positions without an evaluation are left out: moves to and from them do not count. */
static void accuracies(const struct neighbours_position *position, size_t moves,
                       struct neighbours_side out[2])
{
    struct accuracy_at *const at = ipr_xcalloc(moves + 1, sizeof *at);
    const size_t n = accuracy_known(position, moves, at);
    const double window = fmin(8, fmax(2, ((double)n - 1) / 10));
    struct accuracy_sums sums[2] = { { 0 } };

    for (size_t i = 1; i < n; i++) {
        const size_t colour = (at[i].ply - 1) % 2;
        const double sign = colour == 0 ? 1 : -1;

        if (at[i].ply == at[i - 1].ply + 1)
            accuracy_add(&sums[colour], ipr_accuracy_of(sign * (at[i - 1].won - at[i].won)),
                         stake(at, i, (size_t)window), fmax(0, sign * (at[i - 1].cp - at[i].cp)));
    }
    for (size_t c = 0; c < 2; c++) {
        const struct accuracy_sums *const s = &sums[c];

        out[c].accuracy = (s->weighted / s->weight + s->n / s->inverse) / 2;
        out[c].loss = s->loss / s->n;
    }
    free(at);
}

/* ---- wintrchess ---- */

/* White's expected points; mate in 0 was given by the side that moved. */
static double points(const struct neighbours_position *p, bool white_moved)
{
    if (p->mate)
        return p->value > 0 || (p->value == 0 && white_moved);
    return 1 / (1 + exp(-.0035 * p->value));
}

enum review_error { REVIEW_NONE, REVIEW_INACCURACY, REVIEW_MISTAKE, REVIEW_BLUNDER };

static enum review_error review_mates(int32_t before, int32_t after)
{
    if (before > 0 && after < 0)
        return after < -3 ? REVIEW_MISTAKE : REVIEW_BLUNDER;
    return after - before >= 7 ? REVIEW_INACCURACY : REVIEW_NONE;
}

static enum review_error review_mate_missed(int32_t after)
{
    if (after >= 400)
        return REVIEW_NONE;
    if (after >= 200)
        return REVIEW_INACCURACY;
    return after >= 0 ? REVIEW_MISTAKE : REVIEW_BLUNDER;
}

static enum review_error review_mate_allowed(int32_t after)
{
    if (after > 0)
        return REVIEW_NONE;
    if (after >= -2)
        return REVIEW_BLUNDER;
    return after >= -5 ? REVIEW_MISTAKE : REVIEW_INACCURACY;
}

/* lost: expected points, 0 to 1 */
static enum review_error review_move(const struct neighbours_position *before,
                                     const struct neighbours_position *after, int32_t sign,
                                     double lost)
{
    if (before->forced || (after->mate && after->value == 0))
        return REVIEW_NONE;
    if (before->mate && after->mate)
        return review_mates(sign * before->value, sign * after->value);
    if (before->mate)
        return review_mate_missed(sign * after->value);
    if (after->mate)
        return review_mate_allowed(sign * after->value);
    if (lost < .08)
        return REVIEW_NONE;
    if (lost < .12)
        return REVIEW_INACCURACY;
    return lost < .22 ? REVIEW_MISTAKE : REVIEW_BLUNDER;
}

static double accuracy_rating(double accuracy)
{
    static const double knot[][2] = { { 60, 800 },  { 70, 1000 }, { 80, 1300 }, { 85, 1500 },
                                      { 90, 1750 }, { 95, 2050 }, { 98, 2350 }, { 100, 2500 } };
    const size_t last = sizeof knot / sizeof *knot - 1;
    size_t k = 0;

    if (accuracy <= knot[0][0])
        return knot[0][1];
    if (accuracy >= knot[last][0])
        return knot[last][1];
    while (accuracy > knot[k + 1][0])
        k++;
    return knot[k][1] +
           (knot[k + 1][1] - knot[k][1]) * (accuracy - knot[k][0]) / (knot[k + 1][0] - knot[k][0]);
}

double neighbours_wintrchess(const struct neighbours_review *r)
{
    const double moves = (double)r->moves, counted = fmax(1, moves);
    const double errors =
        80 * (double)r->blunders + 30 * (double)r->mistakes + 10 * (double)r->inaccuracies;
    const double length = fmin(1, .9 + .01 * fmin(counted, 10) + .007 * fmax(0, counted - 10));

    return floor(.5 + fmax(300, length * (accuracy_rating(r->accuracy) -
                                          errors * sqrt(20 / fmax(20, moves)))));
}

static void reviews(const struct neighbours_position *at, size_t moves,
                    struct neighbours_side out[2])
{
    struct neighbours_review review[2] = { { 0 } };
    double sum[2] = { 0 }, n[2] = { 0 };

    for (size_t i = 0; i < moves; i++) {
        struct neighbours_review *const r = &review[i % 2];
        const int32_t sign = i % 2 == 0 ? 1 : -1;
        double lost;

        r->moves++;
        if (!at[i].known || !at[i + 1].known)
            continue;
        lost = fmax(0, sign * (points(&at[i], sign < 0) - points(&at[i + 1], sign > 0)));
        sum[i % 2] += 103.16 * exp(-4 * lost) - 3.17;
        n[i % 2]++;
        switch (review_move(&at[i], &at[i + 1], sign, lost)) {
        case REVIEW_INACCURACY:
            r->inaccuracies++;
            break;
        case REVIEW_MISTAKE:
            r->mistakes++;
            break;
        case REVIEW_BLUNDER:
            r->blunders++;
            break;
        case REVIEW_NONE:
            break;
        }
    }
    for (size_t c = 0; c < 2; c++) {
        review[c].accuracy = sum[c] / n[c];
        out[c].wintrchess = n[c] > 0 ? neighbours_wintrchess(&review[c]) : NAN;
    }
}

/* ---- of both ---- */

double neighbours_lichesstools(double accuracy)
{
    /* The accuracy counts as the site shows it, as a whole number. */
    return floor(.5 + 3800 / (1 + exp(-.07 * (floor(accuracy + .5) - 76))));
}

double neighbours_of_loss(double loss)
{
    return floor(.5 + 3100 * exp(-.01 * loss));
}

void neighbours_sides(const struct neighbours_position *at, size_t moves,
                      struct neighbours_side out[2])
{
    accuracies(at, moves, out);
    reviews(at, moves, out);
}
