#include "benchmark/report.h"

#include <stdio.h>

double bench_slope(const struct ipr_strength_curve *c, double elo)
{
    return (ipr_strength_curve_at(c, elo + 50) - ipr_strength_curve_at(c, elo - 50)) / 100;
}

double bench_residual(const struct bench_report *r, const struct bench_entry *e, size_t i)
{
    return e->answer[i].z - ipr_strength_curve_at(&e->model.curve, r->d.side[i].elo);
}

double bench_residual_elo(const struct bench_report *r, const struct bench_entry *e, size_t i)
{
    return bench_residual(r, e, i) / bench_slope(&e->model.curve, r->d.side[i].elo);
}

static void bias_row(const struct bench_report *r, const struct bench_entry *e, double lo,
                     double hi, int y0, int y1, const char *name)
{
    double w = 0, bias = 0, square = 0, moves = 0;
    size_t n = 0;

    for (size_t i = 0; i < r->d.n_sides; i++) {
        const struct bench_side *s = &r->d.side[i];
        double weight, x;

        if (!r->take[i] || s->elo < lo || s->elo >= hi || s->year < y0 || s->year >= y1)
            continue;
        weight = ipr_strength_weight(&e->model.spread, e->answer[i].information);
        x = bench_residual_elo(r, e, i);
        w += weight;
        bias += weight * x;
        square += weight * weight * x * x;
        moves += s->moves;
        n++;
    }
    printf("| %s | %zu | %.0f | %+.0f ± %.0f | %.1f |\n", name, n, moves, bias / w,
           sqrt(square) / w, bias * bias / square);
}

void bench_table_residuals(const struct bench_report *r, const struct bench_entry *e)
{
    static const int year[] = { 0, 1990, 2000, 2010, 2020, 3000 };
    char name[32];

    printf("\n## Residuals of `%s` from its curve\n\n| Elo | sides | moves | residual, Elo | chi2 "
           "|\n| --- | ---: | ---: | ---: | ---: |\n",
           e->name);
    for (int elo = 1600; elo < 2800; elo += 100) {
        snprintf(name, sizeof name, "%d", elo);
        bias_row(r, e, elo, elo + 100 + (elo == 2700), 0, 3000, name);
    }
    for (size_t i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "years to %d", year[i + 1] - 1);
        bias_row(r, e, 1600, 2801, year[i], year[i + 1], i == 4 ? "years from 2020" : name);
    }
}

void bench_table_curve(const struct bench_report *r, const struct bench_entry *e)
{
    const struct ipr_strength_spread *s = &e->model.spread;
    double w = 0, slope = 0, v = 0;

    printf("\n## Curve and spread of `%s`\n\n| Elo | mean score | its error | in Elo |\n"
           "| ---: | ---: | ---: | ---: |\n",
           e->name);
    for (double elo = 1600; elo <= 2800; elo += 100)
        printf("| %.0f | %.4f | %.4f | %.0f |\n", elo, ipr_strength_curve_at(&e->model.curve, elo),
               ipr_strength_curve_se(&e->model.curve, elo),
               ipr_strength_curve_se(&e->model.curve, elo) /
                   fabs(bench_slope(&e->model.curve, elo)));
    for (size_t i = 0; i < r->d.n_sides; i++) {
        if (!r->take[i] || !(e->answer[i].information > 0))
            continue;
        w++;
        slope += fabs(bench_slope(&e->model.curve, r->d.side[i].elo));
        v += s->factor / e->answer[i].information;
    }
    slope /= w;
    printf("\nOne game, Elo: moves %.0f, game %.0f, player %.0f, together %.0f; factor %.2f\n",
           sqrt(v / w) / slope, sqrt(s->game) / slope, sqrt(s->player) / slope,
           sqrt(v / w + s->game + s->player) / slope, s->factor);
}

/* Of the two sides of a game, and with its result. */
void bench_line_games(const struct bench_report *r, const struct bench_entry *e)
{
    double s[5] = { 0 }, result[3] = { 0 }, count[3] = { 0 };

    for (size_t i = 0; i < r->d.n_sides; i += 2) {
        double x[2];

        if (!r->take[i] || !r->take[i + 1])
            continue;
        for (size_t k = 0; k < 2; k++) {
            x[k] = bench_residual(r, e, i + k) *
                   sqrt(ipr_strength_weight(&e->model.spread, e->answer[i + k].information));
            if (r->d.side[i + k].result >= 0) {
                result[(int)(2 * r->d.side[i + k].result)] += bench_residual_elo(r, e, i + k);
                count[(int)(2 * r->d.side[i + k].result)]++;
            }
        }
        s[0]++;
        s[1] += x[0] * x[0];
        s[2] += x[1] * x[1];
        s[3] += x[0] * x[1];
    }
    printf("\nCorrelation of the two sides' residuals %.2f (%.0f games); mean residual of losers "
           "%+.0f, of draws %+.0f, of winners %+.0f Elo\n",
           s[3] / sqrt(s[1] * s[2]), s[0], result[0] / count[0], result[1] / count[1],
           result[2] / count[2]);
}
