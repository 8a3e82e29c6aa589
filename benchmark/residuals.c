#include "benchmark/report.h"

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

/* Of sides with lo <= Elo < hi and y0 <= year < y1; `name` is the range that the row has. */
static json_t *bias_row(const struct bench_report *r, const struct bench_entry *e, double lo,
                        double hi, int y0, int y1, const char *name, json_t *range)
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
    return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o}", name, range, "sides", (json_int_t)n, "moves",
                     bench_number(moves), "bias", bench_number(bias / w), "standard_error",
                     bench_number(sqrt(square) / w), "chi2", bench_number(bias * bias / square));
}

/* Standard error of the curve in Elo. */
static double curve_error(const struct ipr_strength_curve *c, double elo)
{
    return ipr_strength_curve_se(c, elo) / fabs(bench_slope(c, elo));
}

json_t *bench_bias(const struct bench_report *r, const struct bench_entry *e)
{
    json_t *out = json_array();

    for (int elo = 1600; elo < 2800; elo += 100) {
        json_t *row = bias_row(r, e, elo, elo + 100 + (elo == 2700), 0, 3000, "elo",
                               bench_range(elo, elo + 100));

        json_object_set_new(row, "curve_error",
                            bench_number(curve_error(&e->model.curve, elo + 50)));
        json_array_append_new(out, row);
    }
    return out;
}

json_t *bench_years(const struct bench_report *r, const struct bench_entry *e)
{
    static const int year[] = { 0, 1990, 2000, 2010, 2020, 3000 };
    json_t *out = json_array();

    for (size_t i = 0; i < 5; i++)
        json_array_append_new(
            out,
            bias_row(r, e, 1600, 2801, year[i], year[i + 1], "years",
                     json_pack("{s:o, s:o}", "low", i == 0 ? json_null() : json_integer(year[i]),
                               "high", i == 4 ? json_null() : json_integer(year[i + 1] - 1))));
    return out;
}

json_t *bench_curve(const struct bench_entry *e)
{
    const struct ipr_strength_curve *c = &e->model.curve;
    json_t *out = json_array();

    for (int elo = 1600; elo <= 2800; elo += 100)
        json_array_append_new(out,
                              json_pack("{s:i, s:o, s:o, s:o}", "elo", elo, "score",
                                        bench_number(ipr_strength_curve_at(c, elo)), "score_error",
                                        bench_number(ipr_strength_curve_se(c, elo)),
                                        "standard_error", bench_number(curve_error(c, elo))));
    return out;
}

json_t *bench_spread(const struct bench_report *r, const struct bench_entry *e)
{
    const struct ipr_strength_spread *s = &e->model.spread;
    double w = 0, slope = 0, v = 0;

    for (size_t i = 0; i < r->d.n_sides; i++) {
        if (!r->take[i] || !(e->answer[i].information > 0))
            continue;
        w++;
        slope += fabs(bench_slope(&e->model.curve, r->d.side[i].elo));
        v += s->factor / e->answer[i].information;
    }
    slope /= w;
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "moves", bench_number(sqrt(v / w) / slope),
                     "game", bench_number(sqrt(s->game) / slope), "player",
                     bench_number(sqrt(s->player) / slope), "together",
                     bench_number(sqrt(v / w + s->game + s->player) / slope), "factor",
                     bench_number(s->factor));
}

/* Of the two sides of a game, and with its result. */
json_t *bench_games(const struct bench_report *r, const struct bench_entry *e)
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
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "correlation",
                     bench_number(s[3] / sqrt(s[1] * s[2])), "games", bench_number(s[0]), "lost",
                     bench_number(result[0] / count[0]), "drawn",
                     bench_number(result[1] / count[1]), "won", bench_number(result[2] / count[2]));
}
