/* Moves together with results: against a sum by hand, and on simulated games of known truth. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "ipr_test.h"
#include "model/elo.h"
#include "model/strength_shipped.h"

#define PLAYERS 1500
#define GAMES   10

static const struct ipr_strength_calibration *calibration = &ipr_strength_shipped.calibration;
static const struct ipr_strength_results *shipped = &ipr_strength_shipped.results;

static struct ipr_strength_estimate estimate_of(const struct ipr_strength_match *match, size_t n)
{
    double score = 0, information = 0;

    for (size_t i = 0; i < n; i++) {
        score += match[i].score;
        information += match[i].information;
    }
    return ipr_strength_with_results(calibration, shipped, score, information, match, n, 2245, 300);
}

/* Six and a half of nine against 2300, without moves: the mean over a grid of its own. */
static void test_by_hand(void **state)
{
    const struct ipr_strength_match match = { .opponent = 2300, .games = 9, .points = 6.5 };
    const double share = 7. / 10, unit = log(10) / 400;
    const double weight =
        1 / shipped->dispersion /
        (1 + shipped->player * 9 * share * (1 - share) * unit * unit / shipped->dispersion);
    double sum = 0, mean = 0;

    (void)state;
    for (double elo = 500; elo < 4000; elo += 3) {
        const double e = ipr_elo_expect(elo + shipped->white, 2300), z = (elo - 2245) / 300;
        const double p = pow(pow(e, 6.5) * pow(1 - e, 2.5), weight) * exp(-z * z / 2);

        sum += p;
        mean += p * elo;
    }
    assert_close(estimate_of(&match, 1).mean, mean / sum, .5);
    assert_close(ipr_strength_expected_points(shipped, &match, 1, 2300 - shipped->white), 4.5,
                 1e-9);
}

/* The result of one game: win, draw or loss with the mean p and the shipped dispersion. */
static double points_drawn(gsl_rng *rng, double p)
{
    const double draw = 4 * (1 - shipped->dispersion) * p * (1 - p);
    const double u = gsl_rng_uniform(rng);

    return u < draw ? .5 : u < draw + p - draw / 2;
}

/* A game of a player with these deviations of the moves and of the results. */
static struct ipr_strength_match match_drawn(gsl_rng *rng, double elo, double moves, double results)
{
    const double opponent = elo + gsl_ran_gaussian(rng, 150);
    const int colour = (int)gsl_rng_uniform_int(rng, 2);
    const double white = colour == 0 ? shipped->white : -shipped->white;
    const double p = ipr_elo_expect(elo + results + white, opponent), points = points_drawn(rng, p);
    const double a = gsl_ran_flat(rng, .3, 1.5), b = gsl_ran_flat(rng, .3, 1.5);
    const double other = gsl_ran_gaussian(rng, sqrt(calibration->spread.player));
    double x, y;

    gsl_ran_bivariate_gaussian(rng, sqrt(shipped->factor / a), sqrt(shipped->factor / b),
                               shipped->shared, &x, &y);
    x += ipr_strength_curve_at(&calibration->curve, elo) + moves + shipped->shift * (points - p);
    y += ipr_strength_curve_at(&calibration->curve, opponent) + other -
         shipped->shift * (points - p);
    return (struct ipr_strength_match){ .opponent = opponent,
                                        .colour = colour,
                                        .games = 1,
                                        .points = points,
                                        .score = a * x,
                                        .information = a,
                                        .other_score = b * y,
                                        .other_information = b };
}

/* The interval holds the Elo as often as it says; moves of both sides, and of one, add to results.
 */
static void test_simulated(void **state)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double inside = 0, square[3] = { 0 };

    (void)state;
    for (size_t i = 0; i < PLAYERS; i++) {
        const double elo = 2245 + gsl_ran_gaussian(rng, 300);
        const double moves = gsl_ran_gaussian(rng, sqrt(calibration->spread.player));
        const double results = gsl_ran_gaussian(rng, sqrt(shipped->player));
        struct ipr_strength_match match[GAMES];
        struct ipr_strength_estimate e[3];

        for (size_t k = 0; k < GAMES; k++)
            match[k] = match_drawn(rng, elo, moves, results);
        e[0] = estimate_of(match, GAMES);
        for (size_t k = 0; k < GAMES; k++)
            match[k].other_score = match[k].other_information = 0;
        e[1] = estimate_of(match, GAMES);
        for (size_t k = 0; k < GAMES; k++)
            match[k].score = match[k].information = 0;
        e[2] = estimate_of(match, GAMES);
        inside += elo >= e[0].lo && elo <= e[0].hi;
        for (size_t k = 0; k < 3; k++)
            square[k] += (e[k].mean - elo) * (e[k].mean - elo);
    }
    assert_close(inside / PLAYERS, .95, .02);
    assert_true(square[0] < .97 * square[1]);
    assert_true(square[1] < square[2]);
    assert_true(sqrt(square[0] / PLAYERS) < 120);
    gsl_rng_free(rng);
}

/* The same score with Black indicates a higher strength. */
static void test_colours(void **state)
{
    struct ipr_strength_match match[2] = { { .opponent = 2300, .games = 9, .points = 5 },
                                           { .opponent = 2300, .games = 9, .points = 5 } };
    const double white = estimate_of(match, 1).mean;
    double black, expected;

    (void)state;
    match[0].colour = 1;
    black = estimate_of(match, 1).mean;
    expected = ipr_strength_expected_points(shipped, match, 2, 2300);
    assert_true(shipped->white > 10 && shipped->white < 60);
    assert_true(black > white + shipped->white && black < white + 2 * shipped->white);
    assert_close(expected, 9, 1e-9);
}

/* All points, or none, is no limit; games without a rated opponent count with their moves. */
static void test_limits(void **state)
{
    struct ipr_strength_match match = { .opponent = 2400, .games = 5, .points = 5 };
    const struct ipr_strength_estimate all = estimate_of(&match, 1);
    const double z = ipr_strength_curve_at(&calibration->curve, 2700);
    const struct ipr_strength_estimate more =
        ipr_strength_with_results(calibration, shipped, 200 * z, 200, &match, 1, 2245, 300);

    (void)state;
    match.points = 0;
    const struct ipr_strength_estimate none = estimate_of(&match, 1);
    assert_true(none.mean < 2245 && all.mean > 2400 && all.mean < 2800);
    assert_true(all.sd < 300 && none.sd < 300);
    assert_true(more.sd < all.sd && fabs(more.mean - 2700) < 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_simulated),
        cmocka_unit_test(test_colours),
        cmocka_unit_test(test_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
