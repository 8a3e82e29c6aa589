/* Tables of the predictors, in Markdown and as a document. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/predictors/table.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define DECILES  10

/* By simplicity, after those that the others are compared with: the rule takes them in this order.
 */
static const struct column columns[] = {
    { "even", "always 50 %", PREDICTOR_EVEN, PREDICTORS },
    { "elo", "Elo", PREDICTOR_ELO, PREDICTORS },
    { "rating", "rating by the moves", PREDICTOR_RATING, PREDICTORS },
    { "mean_loss", "mean loss", PREDICTOR_LOSS, PREDICTORS },
    { "conformance", "conformance", PREDICTOR_CONFORMANCE, PREDICTORS },
    { "covariance", "covariance, bound", PREDICTOR_BOUND, PREDICTORS },
    { "covariance_tanh", "covariance, tanh", PREDICTOR_TANH, PREDICTORS },
    { "markov", "Markov", PREDICTOR_MARKOV, PREDICTORS },
    { "elo_and_rating", "Elo and rating by the moves", PREDICTOR_ELO, PREDICTOR_RATING },
};

static const struct column markovs[] = {
    { "markov", "Markov (Alliot)", PREDICTOR_MARKOV, PREDICTORS },
    { "classes_10", "10 classes", PREDICTOR_MARKOV_10, PREDICTORS },
    { "colours", "separate matrices for the colours", PREDICTOR_MARKOV_COLOURS, PREDICTORS },
    { "no_pool", "no pool", PREDICTOR_MARKOV_IDENTITY, PREDICTORS },
    { "career", "all years with the same weight", PREDICTOR_MARKOV_CAREER, PREDICTORS },
    { "year", "the year before alone", PREDICTOR_MARKOV_YEAR, PREDICTORS },
};

static const struct column covariances[] = {
    { "covariance", "covariance, the year before alone", PREDICTOR_BOUND, PREDICTORS },
    { "forgetting", "each year with half the weight of the next", PREDICTOR_BOUND_FORGETTING,
      PREDICTORS },
    { "career", "all years with the same weight", PREDICTOR_BOUND_CAREER, PREDICTORS },
};

/* ---- tables ---- */

static bool unit_has(const struct predictors_unit *u, const struct column *c)
{
    return isfinite(u->p[c->of]) && (c->with == PREDICTORS || isfinite(u->p[c->with]));
}

/* Makes the table of games of two champions, or else of those with both Elo. */
static struct table table_new(const struct predictors_unit *units, size_t n, bool champions,
                              const struct column *column, size_t columns_n, size_t base)
{
    struct table t = { .unit = ipr_xcalloc(n + 1, sizeof *t.unit),
                       .column = column,
                       .columns = columns_n,
                       .base = base };

    for (size_t i = 0; i < n; i++) {
        const struct predictors_unit *u = &units[i];
        bool known = champions ? u->both : u->elo[0] > 0 && u->elo[1] > 0;

        for (size_t c = 0; c < columns_n; c++)
            known = known && unit_has(u, &column[c]);
        if (known)
            t.unit[t.n++] = u;
    }
    t.scored = ipr_xcalloc(t.n + 1, sizeof *t.scored);
    t.raw = ipr_xcalloc(columns_n * t.n + 1, sizeof *t.raw);
    t.correct = ipr_xcalloc(columns_n * t.n + 1, sizeof *t.correct);
    for (size_t c = 0; c < columns_n; c++)
        table_correct(&t, c);
    for (size_t i = 0; i < t.n; i++)
        t.scored[i] = isfinite(t.correct[i]);
    return t;
}

static void table_free(struct table *t)
{
    free(t->unit);
    free(t->scored);
    free(t->raw);
    free(t->correct);
}

/* The row of a column in a table. */
struct row {
    double loss, brier;          /* as it is; NaN: it exists only corrected */
    double own_loss, own_brier;  /* corrected */
    double difference, half, se; /* of that loss from that of the base */
    double match;
};

static struct row table_row(const struct table *t, size_t c)
{
    const double *raw = t->raw + c * t->n, *correct = t->correct + c * t->n;
    const bool alone = t->column[c].with == PREDICTORS;
    struct row r = { .loss = alone ? table_mean(t, raw, table_log_loss) : (double)NAN,
                     .brier = alone ? table_mean(t, raw, table_brier) : (double)NAN,
                     .own_loss = table_mean(t, correct, table_log_loss),
                     .own_brier = table_mean(t, correct, table_brier) };
    size_t matches;

    r.difference = table_difference(t, correct, t->correct + t->base * t->n, &r.half, &r.se);
    r.match = table_matches(t, correct, &matches);
    return r;
}

struct counts {
    size_t scored, champions, matches;
    int from, to;
};

static struct counts table_counts(const struct table *t)
{
    struct counts n = { 0 };

    for (size_t i = 0; i < t->n; i++) {
        bool fresh = t->scored[i];

        for (size_t k = 0; k < i && fresh; k++)
            fresh = !t->scored[k] || t->unit[k]->first != t->unit[i]->first;
        n.champions += fresh;
        if (!t->scored[i])
            continue;
        n.from = n.scored == 0 ? t->unit[i]->year : n.from;
        n.to = t->unit[i]->year;
        n.scored++;
    }
    (void)table_matches(t, t->correct, &n.matches);
    return n;
}

/* ---- calibration ---- */

struct decile {
    double predicted, score;
    size_t games;
};

struct ordered {
    double p, score;
};

static int ordered_compare(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;

    return x->p < y->p ? -1 : x->p > y->p;
}

static void table_deciles(const struct table *t, size_t column, struct decile out[DECILES])
{
    struct ordered *of = ipr_xcalloc(t->n + 1, sizeof *of);
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        if (t->scored[i])
            of[n++] = (struct ordered){ t->correct[column * t->n + i], t->unit[i]->score };
    qsort(of, n, sizeof *of, ordered_compare);
    for (size_t k = 0; k < DECILES; k++) {
        struct decile d = { 0 };

        for (size_t i = k * n / DECILES; i < (k + 1) * n / DECILES; i++, d.games++) {
            d.predicted += of[i].p;
            d.score += of[i].score;
        }
        d.predicted /= (double)d.games;
        d.score /= (double)d.games;
        out[k] = d;
    }
    free(of);
}

/* ---- the rule ---- */

/* The simplest column within one standard error of the lowest log loss, if its difference from the
 * base excludes 0; else the base. */
static size_t table_recommended(const struct table *t)
{
    size_t best = 0, chosen = t->columns;
    double lowest = INFINITY, half, se;

    for (size_t c = 0; c < t->columns; c++) {
        const double loss = table_mean(t, t->correct + c * t->n, table_log_loss);

        if (loss < lowest) {
            lowest = loss;
            best = c;
        }
    }
    for (size_t c = 0; c < t->columns && chosen == t->columns; c++) {
        const double more =
            table_difference(t, t->correct + c * t->n, t->correct + best * t->n, &half, &se);

        if (c == best || more <= se)
            chosen = c;
    }
    const double less =
        table_difference(t, t->correct + chosen * t->n, t->correct + t->base * t->n, &half, &se);
    return chosen != t->base && less + half < 0 ? chosen : t->base;
}

/* Prints how often the score of a match is in the interval that is predicted for it, for
 * docs/predictors.md: all else is in the document. */
static void print_contained(const struct table *t)
{
    printf("| predictor | games alone | with errors |\n| --- | ---: | ---: |\n");
    for (size_t c = 0; c < t->columns; c++) {
        if (t->column[c].with != PREDICTORS)
            continue;
        printf("| %s | %.1f |", t->column[c].title, 100 * table_contained(t, c, false));
        if (isfinite(t->unit[0]->error[t->column[c].of]))
            printf(" %.1f |\n", 100 * table_contained(t, c, true));
        else
            printf(" |\n");
    }
}

/* ---- document ---- */

static json_t *interval_json(double middle, double half)
{
    return json_pack("{sfsfsf}", "low", middle - half, "high", middle + half, "level", 0.95);
}

static json_t *row_json(const struct table *t, size_t c)
{
    const struct row r = table_row(t, c);
    json_t *calibration = json_array();
    struct decile d[DECILES];

    table_deciles(t, c, d);
    for (size_t k = 0; k < DECILES; k++)
        json_array_append_new(calibration,
                              json_pack("{sIsfsf}", "games", (json_int_t)d[k].games, "predicted",
                                        d[k].predicted, "score", d[k].score));
    return json_pack("{sssssososfsfsfsfsosfso}", "predictor", t->column[c].name, "title",
                     t->column[c].title, "log_loss",
                     isfinite(r.loss) ? json_real(r.loss) : json_null(), "brier",
                     isfinite(r.brier) ? json_real(r.brier) : json_null(), "corrected_log_loss",
                     r.own_loss, "corrected_brier", r.own_brier, "difference", r.difference,
                     "standard_error", r.se, "interval", interval_json(r.difference, r.half),
                     "match_error", r.match, "calibration", calibration);
}

static json_t *table_json(const struct table *t, const char *name, const char *title)
{
    const struct counts n = table_counts(t);
    json_t *rows = json_array();

    for (size_t c = 0; c < t->columns; c++)
        json_array_append_new(rows, row_json(t, c));
    return json_pack("{sssssIsIsIsIs{sisi}ssso}", "name", name, "title", title, "games",
                     (json_int_t)t->n, "scored", (json_int_t)n.scored, "champions",
                     (json_int_t)n.champions, "matches", (json_int_t)n.matches, "years", "low",
                     n.from, "high", n.to, "base", t->column[t->base].title, "predictors", rows);
}

static json_t *recommended_json(const struct table *t)
{
    const size_t c = table_recommended(t);
    const struct counts n = table_counts(t);

    return json_pack("{sssssbsssIsI}", "predictor", t->column[c].name, "title", t->column[c].title,
                     "better_than_base", c != t->base, "base", t->column[t->base].title, "games",
                     (json_int_t)n.scored, "champions", (json_int_t)n.champions);
}

static bool report_write(const struct table *champions, const struct table *any,
                         const struct table *markov, const struct table *covariance,
                         const char *digest, const char *path)
{
    json_t *out =
        json_pack("{sss{soso}s[oooo]}", "digest", digest, "recommended", "with_elo",
                  recommended_json(any), "without_elo", recommended_json(champions), "tables",
                  table_json(any, "any", "Champion against any opponent, both with an Elo"),
                  table_json(champions, "champions", "Champion against champion"),
                  table_json(markov, "markov", "Variants of Markov"),
                  table_json(covariance, "covariance", "Variants of covariance, bound"));
    predictors_words(out);
    const bool ok = json_dump_file(out, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0;

    json_decref(out);
    return ok;
}

bool predictors_report(const struct predictors_unit *units, size_t n, const char *digest,
                       const char *path)
{
    struct column moves[COUNT(columns)]; /* without Elo */
    size_t k = 0;

    for (size_t c = 0; c < COUNT(columns); c++)
        if (columns[c].of != PREDICTOR_ELO)
            moves[k++] = columns[c];
    struct table champions = table_new(units, n, true, moves, k, 0);
    struct table any = table_new(units, n, false, columns, COUNT(columns), 1);
    struct table markov = table_new(units, n, false, markovs, COUNT(markovs), 0);
    struct table covariance = table_new(units, n, false, covariances, COUNT(covariances), 0);

    print_contained(&any);
    const bool ok =
        path == NULL || report_write(&champions, &any, &markov, &covariance, digest, path);
    table_free(&champions);
    table_free(&any);
    table_free(&markov);
    table_free(&covariance);
    return ok;
}
