/* Moves and results together: how the two depend on one another, and estimates from both. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/report.h"
#include "model/elo.h"

static double results_expected(const struct bench_report *r, size_t i)
{
    const double white = i % 2 == 0 ? r->results.white : -r->results.white;

    return ipr_elo_expect(r->d.side[i].elo + white, r->d.side[i ^ 1].elo);
}

static bool results_fits(const struct bench_report *r, const struct bench_entry *e, size_t i)
{
    return r->fit[i] && r->fit[i ^ 1] && e->answer[i].information > 0 &&
           e->answer[i ^ 1].information > 0 && !isnan(r->d.side[i].result);
}

static double results_surplus(const struct bench_report *r, size_t i)
{
    return r->d.side[i].result - results_expected(r, i);
}

/* Score of side i less the one expected at its Elo and result. */
static double results_residual(const struct bench_report *r, const struct bench_entry *e, size_t i)
{
    return bench_residual(r, e, i) - r->results.shift * results_surplus(r, i);
}

/* White's points less those expected, over all games. */
static double results_white_surplus(const struct bench_report *r, const struct bench_entry *e)
{
    double sum = 0;

    for (size_t i = 0; i < r->d.n_sides; i += 2)
        if (results_fits(r, e, i))
            sum += results_surplus(r, i);
    return sum;
}

/* Maximum likelihood estimate of White's advantage: White's points equal those expected. */
static void results_fit_white(struct bench_report *r, const struct bench_entry *e)
{
    double lo = -400, hi = 400;

    while (hi - lo > 1e-6) {
        r->results.white = (lo + hi) / 2;
        if (results_white_surplus(r, e) > 0)
            lo = r->results.white;
        else
            hi = r->results.white;
    }
}

/* Variance of the points relative to the model's, and the change of the moves' score per point
 * above expectation. */
static void results_fit_shift(struct bench_report *r, const struct bench_entry *e)
{
    double s[4] = { 0 };

    for (size_t i = 0; i < r->d.n_sides; i++) {
        const double p = results_expected(r, i), d = results_surplus(r, i);

        if (!results_fits(r, e, i))
            continue;
        const double w = ipr_strength_weight(&e->model.spread, e->answer[i].information);

        s[0] += d * d;
        s[1] += p * (1 - p);
        s[2] += w * d * bench_residual(r, e, i);
        s[3] += w * d * d;
    }
    r->results.dispersion = s[0] / s[1];
    r->results.shift = s[2] / s[3];
}

/* Variance of the moves' scores given the results, fitted like the spread of sides, and the
 * correlation between the two sides of a game. */
static void results_fit_spread(struct bench_report *r, const struct bench_entry *e)
{
    double s[4] = { 0 };

    for (size_t i = 0; i < r->d.n_sides; i++) {
        if (!results_fits(r, e, i))
            continue;
        const double a = e->answer[i].information, b = e->answer[i ^ 1].information;
        const double w = ipr_strength_weight(&e->model.spread, a), x = results_residual(r, e, i);
        const double both = w * ipr_strength_weight(&e->model.spread, b);

        s[0] += w * w / a * (x * x - e->model.spread.player);
        s[1] += w * w / (a * a);
        s[2] += both * x * results_residual(r, e, i ^ 1);
        s[3] += both / sqrt(a * b);
    }
    r->results.factor = s[0] / s[1];
    r->results.shared = s[2] / s[3] / r->results.factor;
}

/* A game of a player: points above expectation, in Elo times its information e(1 - e). */
struct results_game {
    uint32_t player;
    double x, w;
};

static int results_by_player(const void *a, const void *b)
{
    const struct results_game *x = a, *y = b;

    return (x->player > y->player) - (x->player < y->player);
}

/* Covariance of the results of one player in different games: moments over pairs. */
static void results_fit_player(struct bench_report *r, const struct bench_entry *e)
{
    struct results_game *game = ipr_xcalloc(r->d.n_sides + 1, sizeof *game);
    double top = 0, bottom = 0, s[4] = { 0 };
    size_t n = 0;

    for (size_t i = 0; i < r->d.n_sides; i++) {
        const double p = results_expected(r, i);

        if (results_fits(r, e, i))
            game[n++] = (struct results_game){ r->d.side[i].player,
                                               results_surplus(r, i) / IPR_ELO_SLOPE, p * (1 - p) };
    }
    qsort(game, n, sizeof *game, results_by_player);
    for (size_t i = 0; i < n; i++) {
        s[0] += game[i].x;
        s[1] += game[i].x * game[i].x;
        s[2] += game[i].w;
        s[3] += game[i].w * game[i].w;
        if (i + 1 == n || game[i + 1].player != game[i].player) {
            top += s[0] * s[0] - s[1];
            bottom += s[2] * s[2] - s[3];
            memset(s, 0, sizeof s);
        }
    }
    free(game);
    r->results.player = bottom > 0 ? fmax(top / bottom, 0) : 0;
}

void bench_results_fit(struct bench_report *r, const struct bench_entry *e)
{
    results_fit_white(r, e);
    results_fit_shift(r, e);
    results_fit_spread(r, e);
    results_fit_player(r, e);
}

/* One game of a set. */
static struct ipr_strength_match results_match(const struct bench_report *r,
                                               const struct bench_entry *e, size_t i)
{
    const struct ipr_strength_side *own = &e->answer[i], *other = &e->answer[i ^ 1];
    struct ipr_strength_match out = { .opponent = r->d.side[i ^ 1].elo,
                                      .colour = (int)(i % 2),
                                      .games = 1,
                                      .points = r->d.side[i].result };

    if (e->alone)
        return out;
    out.score = own->z * own->information;
    out.information = own->information;
    out.other_score = other->z * other->information;
    out.other_information = other->information;
    return out;
}

/* Sum of the squares of the players' shares in a set of n games. */
static double results_player_squares(const struct bench_report *r, const size_t *at, size_t n)
{
    double same = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            same += r->d.side[at[i]].player == r->d.side[at[k]].player;
    return same / (double)(n * n);
}

struct ipr_strength_estimate bench_estimate(const struct bench_report *r,
                                            const struct bench_entry *e, const size_t *at, size_t n)
{
    struct ipr_strength_calibration m = e->model;
    struct ipr_strength_results results = r->results;
    struct ipr_strength_match *match = ipr_xcalloc(n, sizeof *match);
    struct ipr_strength_estimate out;
    double score = 0, information = 0;
    size_t games = 0;

    for (size_t i = 0; e->results && i < n; i++) {
        const struct ipr_strength_match one = results_match(r, e, at[i]);

        score += one.score;
        information += one.information;
        if (one.opponent > 0 && !isnan(one.points))
            match[games++] = one;
    }
    if (games == 0) {
        out = ipr_strength_estimate(&e->model, e->answer, at, n, r->prior_mean, r->prior_sd);
    } else {
        const double squares = results_player_squares(r, at, n);

        m.spread.player *= squares;
        results.player *= squares;
        out = ipr_strength_with_results(&m, &results, score, information, match, games,
                                        r->prior_mean, r->prior_sd);
    }
    free(match);
    return out;
}
