#include "model/outcome.h"

#include <math.h>
#include <string.h>

/* Gauss-Hermite quadrature for the weight exp(-x^2): M. Abramowitz, I. A. Stegun, Handbook of
 * Mathematical Functions (1964), table 25.10. */
static const double outcome_node[IPR_OUTCOME_NODES] = {
    -3.190993201781528, -2.266580584531843, -1.468553289216668, -0.723551018752838, 0,
    0.723551018752838,  1.468553289216668,  2.266580584531843,  3.190993201781528
};
const double ipr_outcome_weight[IPR_OUTCOME_NODES] = { 3.960697726326e-05, 4.943624275537e-03,
                                                       8.847452739438e-02, 4.326515590026e-01,
                                                       7.202352156061e-01, 4.326515590026e-01,
                                                       8.847452739438e-02, 4.943624275537e-03,
                                                       3.960697726326e-05 };

/* Terms of a linear spline: x, and max(x - knot, 0) for each knot. */
static double *outcome_knots(double x, const double *knot, size_t n, double *term)
{
    *term++ = x;
    for (size_t i = 0; i < n; i++)
        *term++ = fmax(x - knot[i], 0);
    return term;
}

/* Units: the difference in 100 Elo, the level in 100 Elo above 2500, the year in 20 years after
 * 2000. */
void ipr_outcome_terms(double white, double black, double year, double term[IPR_OUTCOME_TERMS])
{
    static const double difference_knot[] = { -1, 0, 1 }, level_knot[] = { 0, 1, 2 },
                        year_knot[] = { -1, -.5, 0, .5 };
    const double x = (white - black) / 100;
    const double mean =
        fmin(fmax((white + black) / 2, IPR_OUTCOME_LEVEL_MIN), IPR_OUTCOME_LEVEL_MAX);
    const double y = (fmin(fmax(year, IPR_OUTCOME_YEAR_MIN), IPR_OUTCOME_YEAR_MAX) - 2000) / 20;
    const double level = (mean - 2500) / 100;
    const double m[IPR_OUTCOME_MEAN] = { x, 1, level, y, x * level, x * y };

    memcpy(term, m, sizeof m);
    term += IPR_OUTCOME_MEAN;
    *term++ = 1;
    term = outcome_knots(x, difference_knot, 3, term);
    term = outcome_knots(level, level_knot, 3, term);
    outcome_knots(y, year_knot, 4, term);
}

bool ipr_outcome_extrapolated(double white, double black, double year)
{
    const double level = (white + black) / 2;

    return level < IPR_OUTCOME_LEVEL_MIN || level > IPR_OUTCOME_LEVEL_MAX ||
           year < IPR_OUTCOME_YEAR_MIN || year > IPR_OUTCOME_YEAR_MAX;
}

void ipr_outcome_predictors(const struct ipr_outcome_model *model,
                            const double term[IPR_OUTCOME_TERMS], double *m, double *t)
{
    *m = *t = 0;
    for (size_t k = 0; k < IPR_OUTCOME_MEAN; k++)
        *m += model->term[k] * term[k];
    for (size_t k = IPR_OUTCOME_MEAN; k < IPR_OUTCOME_TERMS; k++)
        *t += model->term[k] * term[k];
}

struct ipr_outcome ipr_outcome_link(const struct ipr_outcome_model *model, double m, double t)
{
    struct ipr_outcome o;

    if (model->davidson) {
        const double top = fmax(fabs(m), t);
        const double win = exp(m - top), draw = exp(t - top), loss = exp(-m - top);
        const double all = win + draw + loss;

        return (struct ipr_outcome){ win / all, draw / all, loss / all };
    }
    t = exp(t);
    o.win = 1 / (1 + exp(t - m));
    o.loss = 1 / (1 + exp(t + m));
    /* equals 1 - win - loss, which loses precision by cancellation when either is near 1 */
    o.draw = o.win * o.loss * expm1(2 * t);
    return o;
}

struct ipr_outcome ipr_outcome_exact(const struct ipr_outcome_model *model, double white,
                                     double black, double year)
{
    double term[IPR_OUTCOME_TERMS], m, t;

    ipr_outcome_terms(white, black, year, term);
    ipr_outcome_predictors(model, term, &m, &t);
    return ipr_outcome_link(model, m, t);
}

double ipr_outcome_at_node(const struct ipr_outcome_side *s, size_t k)
{
    return s->elo + M_SQRT2 * s->se * outcome_node[k];
}

struct ipr_outcome ipr_outcome_game(const struct ipr_outcome_model *model,
                                    const struct ipr_outcome_side *white,
                                    const struct ipr_outcome_side *black, double year)
{
    struct ipr_outcome sum = { 0, 0, 0 };

    for (size_t i = 0; i < IPR_OUTCOME_NODES; i++)
        for (size_t j = 0; j < IPR_OUTCOME_NODES; j++) {
            const struct ipr_outcome o = ipr_outcome_exact(model, ipr_outcome_at_node(white, i),
                                                           ipr_outcome_at_node(black, j), year);
            const double w = ipr_outcome_weight[i] * ipr_outcome_weight[j] / M_PI;

            sum.win += w * o.win;
            sum.draw += w * o.draw;
            sum.loss += w * o.loss;
        }
    return sum;
}

/* Adds `games` games to the distribution of the score in half points, 0 .. top. */
static void outcome_convolve(double *p, size_t top, const struct ipr_outcome *o, unsigned games)
{
    for (; games > 0; games--, top += 2) {
        p[top + 1] = p[top + 2] = 0;
        for (size_t k = top + 2; k >= 2; k--)
            p[k] = o->loss * p[k] + o->draw * p[k - 1] + o->win * p[k - 2];
        p[1] = o->loss * p[1] + o->draw * p[0];
        p[0] *= o->loss;
    }
}

struct ipr_outcome_match ipr_outcome_summary(const double *chance, unsigned n)
{
    struct ipr_outcome_match out = { .points = 0 };
    double square = 0, below = 0;
    bool lo = false, hi = false;

    for (unsigned k = 0; k <= 2 * n; k++) {
        const double points = k / 2.0;

        if (k > n)
            out.outcome.win += chance[k];
        else if (k < n)
            out.outcome.loss += chance[k];
        else
            out.outcome.draw += chance[k];
        out.points += points * chance[k];
        square += points * points * chance[k];
        below += chance[k];
        if (!lo && below >= .025)
            out.points_interval.lo = points;
        if (!hi && below >= .975)
            out.points_interval.hi = points;
        lo = below >= .025;
        hi = below >= .975;
    }
    out.sd = sqrt(fmax(square - out.points * out.points, 0));
    return out;
}

void ipr_outcome_add(const struct ipr_outcome_model *model, double first, double second,
                     double year, const unsigned games[2], double weight, double *one,
                     double *chance)
{
    const struct ipr_outcome own = ipr_outcome_exact(model, first, second, year);
    const struct ipr_outcome other = ipr_outcome_exact(model, second, first, year);
    const struct ipr_outcome black = { other.loss, other.draw, other.win };
    const size_t top = 2 * ((size_t)games[0] + games[1]);

    one[0] = 1;
    outcome_convolve(one, 0, &own, games[0]);
    outcome_convolve(one, 2 * (size_t)games[0], &black, games[1]);
    for (size_t k = 0; k <= top; k++)
        chance[k] += weight * one[k];
}
