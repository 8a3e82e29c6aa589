/* Whole-History Rating of the games: chooses its constants. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/methods/whr_at.h"
#include "lab/outcomes/outcomes.h"
#include "stats/resample.h"

enum { PARTS = 10, DRIFTS = 9, VIRTUAL = 3, TRIED = 2 * DRIFTS + VIRTUAL };

struct tried {
    struct ipr_whr_options options;
    struct year_sums score;
    double dispersion; /* of the held-out games' points */
    double white;
};

/* All games of two players in a year are in the same part. */
static unsigned history_part(const struct result_row *r)
{
    const uint64_t low = r->white < r->black ? r->white : r->black;
    const uint64_t high = r->white < r->black ? r->black : r->white;

    return (unsigned)(ipr_mix64(ipr_mix64(low << 32 | high) + (uint64_t)r->year) % PARTS);
}

/* Fits to all games but those of one part; `part` PARTS: to all games. */
static struct ipr_whr history_fit(const struct result_rows *rows, unsigned part,
                                  const struct ipr_whr_options *options, struct ipr_arena *mem)
{
    struct ipr_whr_game *game = ipr_xcalloc(rows->n, sizeof *game);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_whr out;

    for (size_t i = 0; i < rows->n; i++) {
        const struct result_row *r = &rows->row[i];

        game[i] = (struct ipr_whr_game){
            r->white, r->black, r->year, r->halves / 2.0, history_part(r) == part ? 0 : 1, { 0 }
        };
    }
    if (ipr_whr_fit(game, rows->n, rows->players, options, mem, &out, &err) != IPR_OK) {
        fprintf(stderr, "outcomes: %s\n", err.msg);
        exit(1);
    }
    free(game);
    return out;
}

/* White's expected points and their variance. False if the fit lacks one of the players. */
static bool history_expect(const struct ipr_whr *w, const struct ipr_whr_options *o,
                           const struct result_row *r, double *e, double *variance)
{
    const uint32_t player[2] = { r->white, r->black };
    double elo[2];

    for (size_t k = 0; k < 2; k++) {
        const size_t a = w->first[player[k]], n = w->first[player[k] + 1] - a;

        if (n == 0)
            return false;
        elo[k] = ipr_whr_at(w->strength + a, n, r->year, o->drift).elo;
    }
    *e = ipr_whr_expect(elo[0] - elo[1] + w->white, o->draw, variance);
    return true;
}

static void history_try(const struct result_rows *rows, const struct ipr_whr_options *options,
                        struct tried *t)
{
    double residual = 0, model = 0;

    *t = (struct tried){ .options = *options, .score = year_sums_new(rows) };
    for (unsigned part = 0; part < PARTS; part++) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        const struct ipr_whr w = history_fit(rows, part, options, &mem);

        t->white += w.white / PARTS;
        for (size_t i = 0; i < rows->n; i++) {
            const struct result_row *r = &rows->row[i];
            const double s = r->halves / 2.0;
            double e, v;

            if (history_part(r) != part || !history_expect(&w, options, r, &e, &v))
                continue;
            year_sums_add(&t->score, result_year(rows, r->year), s * log(e) + (1 - s) * log1p(-e));
            residual += (s - e) * (s - e);
            model += v;
        }
        ipr_arena_release(&mem);
    }
    t->dispersion = residual / model;
}

/* Davidson's parameter for which the expected number of draws equals the actual number. */
static double history_draw(const struct result_rows *rows, struct ipr_whr_options o)
{
    o.draw = 1;
    for (int round = 0; round < 8; round++) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        const struct ipr_whr w = history_fit(rows, PARTS, &o, &mem);
        double draws = 0, expected = 0;

        for (size_t i = 0; i < rows->n; i++) {
            double e, v;

            history_expect(&w, &o, &rows->row[i], &e, &v);
            draws += rows->row[i].halves == 1;
            expected += 4 * (e - v - e * e);
        }
        o.draw *= draws / expected;
        ipr_arena_release(&mem);
    }
    return o.draw;
}

static void history_print_tried(const struct tried *t, const struct tried *best)
{
    double se;
    const double d = year_sums_difference(&t->score, &best->score, &se);

    printf("| %.0f | ", t->options.drift);
    if (t->options.draw > 0)
        printf("Davidson, %.2f", t->options.draw);
    else
        printf("half a win");
    printf(" | %g | %.1f | %.5f | %+.5f ± %.5f | %.3f |\n", t->options.virtual_games, t->white,
           year_sums_mean(&t->score), d, se, t->dispersion);
}

static const struct tried *history_best(const struct tried *t, size_t n)
{
    const struct tried *best = t;

    for (size_t i = 1; i < n; i++)
        if (year_sums_mean(&t[i].score) > year_sums_mean(&best->score))
            best = &t[i];
    return best;
}

/* The rule of docs/results.md: a draw counts as half a win unless Davidson's model is better by
 * more than one standard error. */
static const struct tried *history_choose(const struct tried *t)
{
    const struct tried *best = history_best(t, (size_t)2 * DRIFTS), *half = history_best(t, DRIFTS);
    double se;

    return -year_sums_difference(&half->score, &best->score, &se) <= se ? half : best;
}

struct ipr_whr_options history_run(const struct result_rows *rows)
{
    static const double virtual_games[VIRTUAL] = { .5, 1, 4 };
    struct ipr_whr_options o = {
        .drift = 1600, .dispersion = 1, .virtual_games = 2, .white = 35, .white_sd = 20
    };
    struct tried t[TRIED];
    const struct tried *best;
    const double nu = history_draw(rows, o);

    for (size_t k = 0; k < (size_t)2 * DRIFTS; k++) {
        o.drift = 100 * pow(2, (double)(k % DRIFTS));
        o.draw = k < DRIFTS ? 0 : nu;
        history_try(rows, &o, &t[k]);
    }
    best = history_choose(t);
    o = best->options;
    for (size_t k = 0; k < VIRTUAL; k++) {
        struct ipr_whr_options other = o;

        other.virtual_games = virtual_games[k];
        history_try(rows, &other, &t[2 * DRIFTS + k]);
    }
    puts("## Strength over time: held-out games\n\n| w², Elo² per year | draws | virtual draws | "
         "White, Elo | score per game | difference from the chosen | dispersion |\n"
         "| ---: | --- | ---: | ---: | ---: | ---: | ---: |");
    for (size_t k = 0; k < TRIED; k++)
        history_print_tried(&t[k], best);
    /* With dispersion 1 the errors are too large: draws make the points vary less than the model
     * of wins and losses. Scaling drift and dispersion alike corrects the errors and keeps the
     * strengths, except for a small effect of the prior of White's advantage, which is not scaled.
     */
    o.drift *= best->dispersion;
    o.dispersion = best->dispersion;
    o.white = best->white;
    for (size_t k = 0; k < TRIED; k++)
        year_sums_free(&t[k].score);
    return o;
}
