#include "lab/report.h"

const int bench_period[BENCH_PERIODS + 1] = { 0, 1990, 2000, 2010, 2020, 3000 };

double bench_residual(const struct bench_report *r, const struct bench_entry *e, size_t i)
{
    return e->answer[i].z - ipr_strength_curve_at(&e->model.curve, r->d.side[i].elo);
}

double bench_residual_of_year(const struct bench_report *r, const struct bench_entry *e, size_t i)
{
    return e->answer[i].z - ipr_strength_expected(&e->model, r->d.side[i].elo, r->d.side[i].year);
}

double bench_residual_elo(const struct bench_report *r, const struct bench_entry *e, size_t i)
{
    return bench_residual(r, e, i) / ipr_strength_curve_slope(&e->model.curve, r->d.side[i].elo);
}

/* Sides with lo <= Elo < hi and y0 <= year < y1. */
struct bias_range {
    double lo, hi;
    int y0, y1;
};

/* Sums over the sides of a range: moves, weights, weighted residuals and their squares. Index 0:
 * residuals from the curve; 1: from the curve and the era. */
struct bias_sums {
    size_t n;
    double moves, w, bias[2], square[2];
};

static struct bias_sums bias_sum(const struct bench_report *r, const struct bench_entry *e,
                                 const struct bias_range *range)
{
    struct bias_sums b = { 0 };

    for (size_t i = 0; i < r->d.n_sides; i++) {
        const struct bench_side *s = &r->d.side[i];
        double weight;

        if (!r->take[i] || s->elo < range->lo || s->elo >= range->hi || s->year < range->y0 ||
            s->year >= range->y1)
            continue;
        weight = ipr_strength_weight(&e->model.spread, e->answer[i].information);
        b.w += weight;
        for (size_t k = 0; k < 2; k++) {
            const double x = weight *
                             (k == 0 ? bench_residual(r, e, i) : bench_residual_of_year(r, e, i)) /
                             ipr_strength_curve_slope(&e->model.curve, s->elo);

            b.bias[k] += x;
            b.square[k] += x * x;
        }
        b.moves += s->moves;
        b.n++;
    }
    return b;
}

/* `name`: the member that holds the range. */
static json_t *bias_row(const struct bias_sums *b, const char *name, json_t *range)
{
    return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o}", name, range, "sides", (json_int_t)b->n,
                     "moves", bench_number(b->moves), "bias", bench_number(b->bias[0] / b->w),
                     "standard_error", bench_number(sqrt(b->square[0]) / b->w), "chi2",
                     bench_number(b->bias[0] * b->bias[0] / b->square[0]));
}

/* Standard error of the curve in Elo. */
static double curve_error(const struct ipr_strength_curve *c, double elo)
{
    return ipr_strength_curve_se(c, elo) / fabs(ipr_strength_curve_slope(c, elo));
}

json_t *bench_bias(const struct bench_report *r, const struct bench_entry *e)
{
    json_t *out = json_array();

    for (int elo = 1600; elo < 2800; elo += 100) {
        const struct bias_range range = { elo, elo + 100 + (elo == 2700), 0, 3000 };
        const struct bias_sums sums = bias_sum(r, e, &range);
        json_t *row = bias_row(&sums, "elo", bench_range(elo, elo + 100));

        json_object_set_new(row, "curve_error",
                            bench_number(curve_error(&e->model.curve, elo + 50)));
        json_array_append_new(out, row);
    }
    return out;
}

json_t *bench_years(const struct bench_report *r, const struct bench_entry *e)
{
    json_t *out = json_array();

    for (size_t i = 0; i < BENCH_PERIODS; i++) {
        const struct bias_range range = { 1600, 2801, bench_period[i], bench_period[i + 1] };
        const struct bias_sums s = bias_sum(r, e, &range);
        json_t *row = bias_row(&s, "years", bench_years_of(i));

        json_object_set_new(row, "with_era", bench_number(s.bias[1] / s.w));
        json_object_set_new(row, "with_era_error", bench_number(sqrt(s.square[1]) / s.w));
        json_object_set_new(row, "with_era_chi2",
                            bench_number(s.bias[1] * s.bias[1] / s.square[1]));
        json_array_append_new(out, row);
    }
    return out;
}

json_t *bench_years_of(size_t i)
{
    return json_pack("{s:o, s:o}", "low", i == 0 ? json_null() : json_integer(bench_period[i]),
                     "high",
                     i + 1 == BENCH_PERIODS ? json_null() : json_integer(bench_period[i + 1] - 1));
}

json_t *bench_era(const struct bench_entry *e)
{
    static const int year[] = { 1971, 1980, 1990, 2000, 2010, 2020, 2025 };
    static const int elo[] = { 1800, 2200, 2600 };
    json_t *out = json_array();

    for (size_t i = 0; i < sizeof year / sizeof *year; i++) {
        json_t *row = json_pack("{s:i, s:[]}", "year", year[i], "at");

        for (size_t k = 0; k < sizeof elo / sizeof *elo; k++)
            json_array_append_new(
                json_object_get(row, "at"),
                json_pack("{s:i, s:o, s:o}", "elo", elo[k], "era",
                          bench_number(ipr_strength_era_at(&e->model, elo[k], year[i])),
                          "standard_error",
                          bench_number(ipr_strength_era_se(&e->model, elo[k], year[i]))));
        json_array_append_new(out, row);
    }
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
        slope += fabs(ipr_strength_curve_slope(&e->model.curve, r->d.side[i].elo));
        v += s->factor / e->answer[i].information;
    }
    slope /= w;
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o}", "moves", bench_number(sqrt(v / w) / slope), "game",
        bench_number(sqrt(s->game) / slope), "event", bench_number(sqrt(s->event) / slope),
        "player", bench_number(sqrt(s->player) / slope), "together",
        bench_number(sqrt(v / w + s->game + s->player) / slope), "factor", bench_number(s->factor));
}

/* Compares the two sides of a game, also with its result. */
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
