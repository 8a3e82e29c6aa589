#include "model/strength_results.h"

#include <math.h>

#include "model/elo.h"

/* All matches together. */
struct matches {
    double games, points;
    double information;              /* of the player's moves in them */
    double other_information;        /* of the opponents' moves */
    double other_z;                  /* z of these, less the curve at their Elo */
    double other_share;              /* sum of the squares of the opponents' shares in it */
    double score, total_information; /* of all moves of the player */
};

static struct matches matches_sum(const struct ipr_strength_curve *curve,
                                  const struct ipr_strength_match *match, size_t n)
{
    struct matches s = { 0 };

    for (size_t i = 0; i < n; i++) {
        s.games += match[i].games;
        s.points += match[i].points;
        s.information += match[i].information;
        s.other_information += match[i].other_information;
        s.other_z += match[i].other_score -
                     match[i].other_information * ipr_strength_curve_at(curve, match[i].opponent);
        s.other_share += match[i].other_information * match[i].other_information;
    }
    if (s.other_information > 0) {
        s.other_z /= s.other_information;
        s.other_share /= s.other_information * s.other_information;
    }
    return s;
}

/* Elo of the opponent, adjusted for White's advantage. */
static double match_level(const struct ipr_strength_results *results,
                          const struct ipr_strength_match *match)
{
    return match->opponent + (match->colour == 0 ? -results->white : results->white);
}

double ipr_strength_expected_points(const struct ipr_strength_results *results,
                                    const struct ipr_strength_match *match, size_t n, double elo)
{
    double points = 0;

    for (size_t i = 0; i < n; i++)
        points += match[i].games * ipr_elo_expect(elo, match_level(results, &match[i]));
    return points;
}

/* Weight of the logarithm of their likelihood. What players of one Elo differ in counts once,
 * however many games there are. */
static double matches_weight(const struct ipr_strength_results *results, const struct matches *s)
{
    const double share = (s->points + .5) / (s->games + 1);
    const double information =
        s->games * share * (1 - share) * IPR_ELO_SLOPE * IPR_ELO_SLOPE / results->dispersion;

    return 1 / (results->dispersion * (1 + results->player * information));
}

/* Points expected at an Elo, and the logarithm of the likelihood of those scored. */
static double matches_results(const struct ipr_strength_results *results,
                              const struct ipr_strength_match *match, size_t n, double elo,
                              double *expected)
{
    double sum = 0;

    *expected = 0;
    for (size_t i = 0; i < n; i++) {
        const double d = (elo - match_level(results, &match[i])) * IPR_ELO_SLOPE, t = exp(-d);

        *expected += match[i].games / (1 + t);
        sum -= match[i].games * log1p(t) + (match[i].games - match[i].points) * d;
    }
    return sum;
}

/* Logarithm of the likelihood of the moves of both sides, given the results. */
static double matches_moves(const struct ipr_strength_calibration *m,
                            const struct ipr_strength_results *results, const struct matches *s,
                            double surplus, double elo)
{
    const double all = s->total_information, part = all > 0 ? s->information / all : 0;
    const double se = ipr_strength_curve_se(&m->curve, elo);
    const double x = all > 0 ? s->score / all - ipr_strength_curve_at(&m->curve, elo) -
                                   part * results->shift * surplus
                             : 0;
    const double y = s->other_information > 0 ? s->other_z + results->shift * surplus : 0;
    const double level = ipr_strength_level(m, elo);
    const double vx = all > 0
                          ? level * (part * results->factor + (1 - part) * m->spread.factor) / all +
                                m->spread.player + se * se
                          : 1;
    const double vy = s->other_information > 0 ? results->factor / s->other_information +
                                                     s->other_share * m->spread.player
                                               : 1;
    const double c =
        s->information > 0 && s->other_information > 0
            ? results->shared * results->factor * part / sqrt(s->information * s->other_information)
            : 0;
    const double det = vx * vy - c * c;

    return -(x * x * vy - 2 * x * y * c + y * y * vx) / (2 * det) - log(det) / 2;
}

struct ipr_strength_estimate ipr_strength_with_results(const struct ipr_strength_calibration *m,
                                                       const struct ipr_strength_results *results,
                                                       double score, double information,
                                                       const struct ipr_strength_match *match,
                                                       size_t n, double prior_mean, double prior_sd)
{
    struct matches s = matches_sum(&m->curve, match, n);
    const double weight = matches_weight(results, &s);
    const size_t grid = ipr_strength_grid_size(&m->curve);
    double p[IPR_STRENGTH_GRID], flat[IPR_STRENGTH_GRID], top = -INFINITY, flat_top = -INFINITY;
    struct ipr_strength_estimate out, alone;

    s.score = score;
    s.total_information = information;
    for (size_t i = 0; i < grid; i++) {
        const double elo = ipr_strength_grid_elo(&m->curve, i);
        const double e = (elo - prior_mean) / prior_sd;
        double expected;

        flat[i] = weight * matches_results(results, match, n, elo, &expected);
        flat[i] += matches_moves(m, results, &s, (s.points - expected) / s.games, elo);
        flat_top = fmax(flat_top, flat[i]);
        p[i] = flat[i] - e * e / 2;
        top = fmax(top, p[i]);
    }
    for (size_t i = 0; i < grid; i++) {
        flat[i] = exp(flat[i] - flat_top);
        p[i] = exp(p[i] - top);
    }
    ipr_strength_posterior(&m->curve, flat, &alone);
    ipr_strength_posterior(&m->curve, p, &out);
    out.raw = alone.mean;
    out.raw_lo = alone.lo;
    out.raw_hi = alone.hi;
    return out;
}
