/* Sums up the rows of a paper's table: errors, ranks, and a sentence. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/methods/rank.h"
#include "lab/papers/papers.h"
#include "model/hierarchy.h"
#include "model/prediction_error.h"
#include "stats/interval.h"
#include "view/json.h"

/* The scores of a column in the rows that have them: printed, ours, actual, and half the points. */
struct sums {
    double *printed, *ours, *actual, *even;
    size_t n;
    size_t results; /* of the rows have an actual score: all or none */
};

static struct sums sums_make(size_t rows)
{
    double *x = ipr_xcalloc(4 * rows + 1, sizeof *x);

    return (struct sums){ x, x + rows, x + 2 * rows, x + 3 * rows, 0, 0 };
}

static void sums_add(struct sums *s, const json_t *row, const json_t *cell)
{
    const double actual = ipr_json_at(row, "actual", NAN);

    s->printed[s->n] = ipr_json_at(cell, "printed", NAN);
    s->ours[s->n] = ipr_json_at(cell, "ours", NAN);
    s->actual[s->n] = actual;
    s->even[s->n++] = 0.5;
    s->results += isfinite(actual);
}

/* Rows with a printed score of column k and, with `both`, one of ours. */
static struct sums sums_of(const json_t *rows, size_t k, bool both)
{
    struct sums s = sums_make(json_array_size(rows));
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row) {
        const json_t *cell = json_array_get(json_object_get(row, "cells"), k);
        const bool known = isfinite(ipr_json_at(cell, "ours", NAN));

        if (isfinite(ipr_json_at(cell, "printed", NAN)) && (known || !both))
            sums_add(&s, row, cell);
    }
    return s;
}

static json_t *sums_error_json(const double *predicted, const struct sums *s)
{
    struct ipr_prediction_error e;

    if (s->n == 0 || ipr_prediction_error(predicted, s->actual, s->n, &e, NULL) != IPR_OK)
        return json_null();
    return json_pack("{s:o, s:o}", "estimate", ipr_json_num(e.mean_absolute), "interval",
                     ipr_json_interval_if(e.interval_known, e.interval));
}

/* How much smaller the error of ours is than that of half the points, match by match, with
 * Student's interval. */
static json_t *sums_gain_json(const struct sums *s)
{
    const double n = (double)s->n;
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < s->n; i++) {
        const double d = fabs(0.5 - s->actual[i]) - fabs(s->ours[i] - s->actual[i]);

        sum += d;
        squares += d * d;
    }
    if (s->n < IPR_PREDICTION_ERROR_MATCHES)
        return json_null();
    const double mean = sum / n, q = ipr_stats_quantile95((uint64_t)s->n);
    const double se = sqrt(fmax(0.0, squares - n * mean * mean) / (n * (n - 1.0)));
    return json_pack("{s:o, s:o}", "estimate", ipr_json_num(mean), "interval",
                     ipr_json_interval((struct ipr_interval){ mean - q * se, mean + q * se }));
}

/* Against the actual scores. */
static void sums_put_errors(const struct sums *all, const struct sums *both, json_t *column)
{
    json_object_set_new(column, "errors",
                        json_pack("{s:o, s:o, s:o, s:o, s:o}", "printed_all",
                                  sums_error_json(all->printed, all), "printed",
                                  sums_error_json(both->printed, both), "ours",
                                  sums_error_json(both->ours, both), "even",
                                  sums_error_json(both->even, both), "gain", sums_gain_json(both)));
}

static void sums_put_ranks(const double *x, const double *y, size_t n, json_t *out)
{
    struct ipr_rank_correlation ranks;
    const bool known = ipr_stats_rank_correlation(x, y, n, &ranks, NULL) == IPR_OK;

    json_object_set_new(out, "spearman", known ? ipr_json_num(ranks.spearman) : json_null());
    json_object_set_new(out, "kendall", known ? ipr_json_num(ranks.kendall) : json_null());
}

static void sums_put_differences(const struct sums *s, json_t *column)
{
    double sum = 0.0, apart = 0.0;

    for (size_t i = 0; i < s->n; i++) {
        sum += s->ours[i] - s->printed[i];
        apart += fabs(s->ours[i] - s->printed[i]);
    }
    const double n = (double)s->n;
    json_object_set_new(column, "mean_difference", s->n ? ipr_json_num(sum / n) : json_null());
    json_object_set_new(column, "mean_absolute_difference",
                        s->n ? ipr_json_num(apart / n) : json_null());
}

/* ---- values ---- */

/* Ours of column k that have an error. */
static size_t sums_entries(const json_t *rows, size_t k, struct ipr_hierarchy_entry *entries)
{
    const json_t *row;
    size_t i, n = 0;

    json_array_foreach(rows, i, row) {
        const json_t *cell = json_array_get(json_object_get(row, "cells"), k);
        const double se = ipr_json_at(cell, "standard_error", NAN);

        if (isfinite(ipr_json_at(cell, "ours", NAN)) && isfinite(se))
            entries[n++] = (struct ipr_hierarchy_entry){ .player = (int64_t)i,
                                                         .estimate = ipr_json_at(cell, "ours", NAN),
                                                         .se = se };
    }
    return n;
}

/* Cochran's test of whether ours are the same in all rows, of two or more. */
static void sums_put_alike(const json_t *rows, size_t k, json_t *column)
{
    const struct ipr_hierarchy_params params = ipr_hierarchy_default();
    struct ipr_hierarchy_entry *entries = ipr_xcalloc(json_array_size(rows) + 1, sizeof *entries);
    struct ipr_hierarchy h;
    const size_t n = sums_entries(rows, k, entries);

    if (ipr_hierarchy(entries, n, &params, &h, NULL) == IPR_OK) {
        json_object_set_new(column, "alike",
                            json_pack("{s:o, s:I, s:o, s:b}", "q", ipr_json_num(h.q), "degrees",
                                      (json_int_t)(n - 1), "p", ipr_json_num(h.p), "distinct",
                                      h.distinct));
        ipr_hierarchy_release(&h);
    }
    free(entries);
}

/* How many printed figures our intervals contain, of those that ours has an interval beside. */
static void sums_put_contained(const json_t *rows, size_t k, json_t *column)
{
    json_int_t n = 0, contained = 0;
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row) {
        const json_t *cell = json_array_get(json_object_get(row, "cells"), k);
        const double printed = ipr_json_at(cell, "printed", NAN);
        const double low = ipr_json_at(cell, "interval.low", NAN);
        const double high = ipr_json_at(cell, "interval.high", NAN);

        n += isfinite(printed) && isfinite(low);
        contained += printed >= low && printed <= high;
    }
    json_object_set_new(column, "intervals", json_integer(n));
    json_object_set_new(column, "contained", json_integer(contained));
}

void ipr_paper_sum_values(const json_t *rows, json_t *columns)
{
    static const char *const own[] = { "at", "unordered", "alike" }; /* of the file */
    json_t *column;
    size_t k;

    json_array_foreach(columns, k, column) {
        const bool alike = json_is_true(json_object_get(column, "alike"));

        if (json_is_true(json_object_get(column, "unordered"))) {
            json_object_set_new(column, "spearman", json_null());
            json_object_set_new(column, "kendall", json_null());
        }
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            json_object_del(column, own[i]);
        if (alike)
            sums_put_alike(rows, k, column);
        else
            sums_put_contained(rows, k, column);
    }
}

/* ---- columns ---- */

void ipr_paper_sum_columns(const json_t *rows, json_t *columns)
{
    json_t *column;
    size_t k;

    json_array_foreach(columns, k, column) {
        struct sums all = sums_of(rows, k, false), both = sums_of(rows, k, true);

        json_object_set_new(column, "printed", json_integer((json_int_t)all.n));
        json_object_set_new(column, "both", json_integer((json_int_t)both.n));
        sums_put_differences(&both, column);
        sums_put_ranks(both.printed, both.ours, both.n, column);
        if (all.results > 0)
            sums_put_errors(&all, &both, column);
        free(all.printed);
        free(both.printed);
    }
}

/* ---- players by their mean score ---- */

struct standing {
    const json_t *side;
    double printed, ours, errors; /* sums over `pairs` */
    size_t pairs, all;
};

struct standings {
    struct standing *rows;
    size_t n;
};

static struct standing *standing_of(struct standings *s, const json_t *side)
{
    size_t i = 0;

    while (i < s->n &&
           strcmp(ipr_json_text_at(s->rows[i].side, "name"), ipr_json_text_at(side, "name")) != 0)
        i++;
    if (i == s->n)
        s->rows[s->n++].side = side;
    return &s->rows[i];
}

static void standing_add(struct standing *to, const json_t *cell, bool first)
{
    const double printed = ipr_json_at(cell, "printed", NAN), ours = ipr_json_at(cell, "ours", NAN);

    to->all++;
    if (!isfinite(printed) || !isfinite(ours))
        return;
    to->printed += first ? printed : 1.0 - printed;
    to->ours += first ? ours : 1.0 - ours;
    to->errors += ipr_json_at(cell, "standard_error", NAN);
    to->pairs++;
}

static struct standings standings_make(const json_t *rows)
{
    struct standings s = { ipr_xcalloc(2 * json_array_size(rows) + 1, sizeof *s.rows), 0 };
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row) {
        const json_t *cell = json_array_get(json_object_get(row, "cells"), 0);

        standing_add(standing_of(&s, json_object_get(row, "first")), cell, true);
        standing_add(standing_of(&s, json_object_get(row, "second")), cell, false);
    }
    return s;
}

static double standing_mean(const struct standing *s, bool ours)
{
    return (ours ? s->ours : s->printed) / (double)s->pairs;
}

/* From 1; among the players with pairs. */
static json_t *standing_rank(const struct standings *s, const struct standing *of, bool ours)
{
    json_int_t rank = 1;

    if (of->pairs == 0)
        return json_null();
    for (size_t i = 0; i < s->n; i++)
        rank += s->rows[i].pairs > 0 &&
                standing_mean(&s->rows[i], ours) > standing_mean(of, ours) + 1e-9;
    return json_integer(rank);
}

/* The error of a mean is at most the mean of the errors, and not far below it: those of one
 * player's pairs are mostly the player's own. */
static json_t *standing_json(const struct standings *s, const struct standing *of)
{
    const bool known = of->pairs > 0;
    const double ours = known ? standing_mean(of, true) : NAN;
    const double printed = known ? standing_mean(of, false) : NAN;
    const double se = known ? of->errors / (double)of->pairs : NAN;
    const struct ipr_interval interval = { fmax(0.0, ours - IPR_Z95 * se),
                                           fmin(1.0, ours + IPR_Z95 * se) };

    return json_pack("{s:O, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "side", of->side,
                     "pairs", (json_int_t)of->pairs, "opponents", (json_int_t)of->all, "printed",
                     ipr_json_num(printed), "ours", ipr_json_num(ours), "standard_error",
                     ipr_json_num(se), "interval", ipr_json_interval_if(isfinite(se), interval),
                     "difference", ipr_json_num(ours - printed), "printed_rank",
                     standing_rank(s, of, false), "our_rank", standing_rank(s, of, true));
}

static json_t *standings_ranks_json(const struct standings *s)
{
    double *x = ipr_xcalloc(2 * s->n + 1, sizeof *x);
    json_t *out = json_object();
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        if (s->rows[i].pairs > 0) {
            x[n] = standing_mean(&s->rows[i], false);
            x[s->n + n++] = standing_mean(&s->rows[i], true);
        }
    json_object_set_new(out, "players", json_integer((json_int_t)n));
    sums_put_ranks(x, x + s->n, n, out);
    free(x);
    return out;
}

json_t *ipr_paper_standings(const json_t *rows)
{
    struct standings s = standings_make(rows);
    json_t *list = json_array();
    json_t *out = standings_ranks_json(&s);

    for (size_t i = 0; i < s.n; i++)
        json_array_append_new(list, standing_json(&s, &s.rows[i]));
    json_object_set_new(out, "all", json_integer((json_int_t)s.n));
    json_object_set_new(out, "rows", list);
    free(s.rows);
    return out;
}
