/* Scores of the predictors, as they are and corrected by earlier years. */
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "benchmark/predictors/predictors.h"
#include "stats/interval.h"

#define EARLIER 300 /* games that a correction is fitted to, at least */
#define MATCH   4   /* games */
#define LIMIT   0.001
#define TERMS   4 /* of a correction: 1, logit p, logit of the other p, White */

/* A column of predictions: one of the predictors, or two of them together. */
struct column {
    const char *name;
    enum predictor of, with; /* PREDICTORS: none */
};

static const struct column columns[] = {
    { "always 50 %", PREDICTOR_EVEN, PREDICTORS },
    { "Elo", PREDICTOR_ELO, PREDICTORS },
    { "rating of the moves", PREDICTOR_RATING, PREDICTORS },
    { "mean loss", PREDICTOR_LOSS, PREDICTORS },
    { "conformance", PREDICTOR_CONFORMANCE, PREDICTORS },
    { "covariance, bound", PREDICTOR_BOUND, PREDICTORS },
    { "covariance, tanh", PREDICTOR_TANH, PREDICTORS },
    { "Markov", PREDICTOR_MARKOV, PREDICTORS },
    { "Elo and rating of the moves", PREDICTOR_ELO, PREDICTOR_RATING },
};

static const struct column variants[] = {
    { "Markov (A)", PREDICTOR_MARKOV, PREDICTORS },
    { "10 classes", PREDICTOR_MARKOV_10, PREDICTORS },
    { "colours apart", PREDICTOR_MARKOV_COLOURS, PREDICTORS },
    { "no pool", PREDICTOR_MARKOV_IDENTITY, PREDICTORS },
    { "all years alike", PREDICTOR_MARKOV_CAREER, PREDICTORS },
    { "the year before alone", PREDICTOR_MARKOV_YEAR, PREDICTORS },
};

/* The games of a table, and what a column predicts for them. */
struct table {
    const struct predictors_unit **unit; /* [n] by year */
    size_t n;
    bool *scored;          /* [n] by every column */
    double *raw, *correct; /* [columns][n]; NaN: none */
    const struct column *column;
    size_t columns;
};

/* ---- corrections ---- */

static double logit_within(double p)
{
    const double q = p < LIMIT ? LIMIT : p > 1 - LIMIT ? 1 - LIMIT : p;

    return log(q / (1 - q));
}

static void correction_terms(const struct predictors_unit *u, const struct column *c,
                             double x[TERMS])
{
    x[0] = 1;
    x[1] = logit_within(u->p[c->of]);
    x[2] = c->with == PREDICTORS ? 0 : logit_within(u->p[c->with]);
    x[3] = u->white ? 1 : -1;
}

static double correction_apply(const double b[TERMS], const double x[TERMS])
{
    double sum = 0;

    for (int k = 0; k < TERMS; k++)
        sum += b[k] * x[k];
    return 1 / (1 + exp(-sum));
}

/* One step of Newton's method, with a ridge of a thousandth of a game for terms that do not vary.
 */
static double correction_step(const struct table *t, size_t n, const struct column *c,
                              double b[TERMS])
{
    double h[TERMS * TERMS] = { 0 }, g[TERMS] = { 0 }, moved = 0;

    for (size_t i = 0; i < n; i++) {
        double x[TERMS];

        correction_terms(t->unit[i], c, x);
        const double p = correction_apply(b, x), w = p * (1 - p);
        for (int k = 0; k < TERMS; k++) {
            g[k] += (t->unit[i]->score - p) * x[k];
            for (int l = 0; l < TERMS; l++)
                h[k * TERMS + l] += w * x[k] * x[l];
        }
    }
    for (int k = 0; k < TERMS; k++) {
        h[k * TERMS + k] += 0.001;
        g[k] -= 0.001 * b[k];
    }
    gsl_matrix_view m = gsl_matrix_view_array(h, TERMS, TERMS);
    gsl_vector_view v = gsl_vector_view_array(g, TERMS);

    gsl_linalg_cholesky_decomp1(&m.matrix);
    gsl_linalg_cholesky_svx(&m.matrix, &v.vector);
    for (int k = 0; k < TERMS; k++) {
        b[k] += g[k];
        moved += fabs(g[k]);
    }
    return moved;
}

/* Fits to the first n games. */
static void correction_fit(const struct table *t, size_t n, const struct column *c, double b[TERMS])
{
    memset(b, 0, TERMS * sizeof *b);
    for (int step = 0; step < 50 && correction_step(t, n, c, b) > 1e-10; step++)
        ;
}

static void table_correct(struct table *t, size_t column)
{
    const struct column *const c = &t->column[column];
    double b[TERMS] = { 0 };
    size_t before = 0;

    for (size_t i = 0; i < t->n; i++) {
        double x[TERMS];

        if (i == 0 || t->unit[i]->year != t->unit[before]->year) {
            before = i;
            if (i >= EARLIER)
                correction_fit(t, i, c, b);
        }
        correction_terms(t->unit[i], c, x);
        t->correct[column * t->n + i] = before >= EARLIER ? correction_apply(b, x) : NAN;
        t->raw[column * t->n + i] = c->with == PREDICTORS ? t->unit[i]->p[c->of] : NAN;
    }
}

/* ---- measures ---- */

static double log_loss(double s, double p)
{
    const double q = p < LIMIT ? LIMIT : p > 1 - LIMIT ? 1 - LIMIT : p;

    return -s * log(q) - (1 - s) * log(1 - q);
}

static double brier(double s, double p)
{
    return (s - p) * (s - p);
}

static double table_mean(const struct table *t, const double *p, double (*of)(double, double))
{
    double sum = 0, n = 0;

    for (size_t i = 0; i < t->n; i++)
        if (t->scored[i]) {
            sum += of(t->unit[i]->score, p[i]);
            n++;
        }
    return sum / n;
}

/* Mean of the difference of log loss, and half its 95 % interval, clustered by champion. */
static double table_difference(const struct table *t, const double *p, const double *q,
                               double *half, double *se)
{
    size_t persons = 0, clusters = 0;
    double n = 0, sum = 0, square = 0;

    for (size_t i = 0; i < t->n; i++)
        persons = t->unit[i]->first + 1 > persons ? t->unit[i]->first + 1 : persons;
    double *of = ipr_xcalloc(2 * persons, sizeof *of), *games = of + persons;
    for (size_t i = 0; i < t->n; i++)
        if (t->scored[i]) {
            const double s = t->unit[i]->score, d = log_loss(s, p[i]) - log_loss(s, q[i]);

            of[t->unit[i]->first] += d;
            games[t->unit[i]->first]++;
            sum += d;
            n++;
        }
    for (size_t k = 0; k < persons; k++)
        if (games[k] > 0) {
            square += pow(of[k] - games[k] * sum / n, 2);
            clusters++;
        }
    free(of);
    *se = sqrt(square * (double)clusters / ((double)clusters - 1)) / n;
    *half = ipr_stats_quantile95(clusters) * *se;
    return sum / n;
}

static bool same_match(const struct predictors_unit *a, const struct predictors_unit *b)
{
    return a->year == b->year && ((a->first == b->first && a->second == b->second) ||
                                  (a->first == b->second && a->second == b->first));
}

/* Of the scores of matches: games of two players in a year. */
static double table_matches(const struct table *t, const double *p, size_t *matches)
{
    double sum = 0;

    *matches = 0;
    for (size_t i = 0; i < t->n; i++) {
        double expected = 0, score = 0, n = 0;
        bool first = t->scored[i];

        for (size_t k = 0; k < t->n && first; k++) {
            const struct predictors_unit *u = t->unit[k];
            const bool turned = u->first != t->unit[i]->first;

            if (!t->scored[k] || !same_match(t->unit[i], u))
                continue;
            first = k >= i;
            expected += turned ? 1 - p[k] : p[k];
            score += turned ? 1 - u->score : u->score;
            n++;
        }
        if (!first || n < MATCH)
            continue;
        sum += fabs(expected - score) / n;
        ++*matches;
    }
    return sum / (double)*matches;
}

/* ---- tables ---- */

static struct table table_new(const struct predictors_unit *units, size_t n, bool both, bool elo,
                              const struct column *column, size_t n_columns)
{
    struct table t = { .unit = ipr_xcalloc(n + 1, sizeof *t.unit),
                       .column = column,
                       .columns = n_columns };

    for (size_t i = 0; i < n; i++) {
        const struct predictors_unit *u = &units[i];
        bool known = (!both || u->both) && (!elo || (u->elo[0] > 0 && u->elo[1] > 0));

        for (size_t c = 0; c < n_columns; c++)
            known =
                known && ((!elo && column[c].of == PREDICTOR_ELO) || isfinite(u->p[column[c].of]));
        if (known)
            t.unit[t.n++] = u;
    }
    t.scored = ipr_xcalloc(t.n + 1, sizeof *t.scored);
    t.raw = ipr_xcalloc(n_columns * t.n + 1, sizeof *t.raw);
    t.correct = ipr_xcalloc(n_columns * t.n + 1, sizeof *t.correct);
    for (size_t c = 0; c < n_columns; c++)
        if (elo || column[c].of != PREDICTOR_ELO)
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

static void table_row(const struct table *t, size_t c, size_t base)
{
    const double *raw = t->raw + c * t->n, *correct = t->correct + c * t->n;
    double half, se;
    size_t matches;
    const double d = table_difference(t, correct, t->correct + base * t->n, &half, &se);

    printf("| %s ", t->column[c].name);
    if (t->column[c].with == PREDICTORS)
        printf("| %.4f | %.4f ", table_mean(t, raw, log_loss), table_mean(t, raw, brier));
    else
        printf("| | ");
    printf("| %.4f | %.4f | ", table_mean(t, correct, log_loss), table_mean(t, correct, brier));
    if (c == base)
        printf("0 ");
    else
        printf("%+.4f ± %.4f (%.4f) ", d, half, se);
    printf("| %.3f |\n", table_matches(t, correct, &matches));
}

static void table_print(const struct table *t, bool elo, size_t base)
{
    size_t scored = 0, matches = 0, persons = 0;
    int from = 0, to = 0;

    for (size_t i = 0; i < t->n; i++) {
        bool fresh = t->scored[i];

        for (size_t k = 0; k < i && fresh; k++)
            fresh = !t->scored[k] || t->unit[k]->first != t->unit[i]->first;
        persons += fresh;
        if (t->scored[i] && from == 0)
            from = t->unit[i]->year;
        to = t->scored[i] ? t->unit[i]->year : to;
        scored += t->scored[i];
    }
    (void)table_matches(t, t->correct, &matches);
    printf("%zu games of %zu champions, %zu of them scored (%d–%d); %zu matches of at least %d "
           "games.\n\n",
           t->n, persons, scored, from, to, matches, MATCH);
    printf(
        "| predictor | log loss | Brier | corrected: log loss | Brier | log loss less that of %s, "
        "95 %% (s.e.) | match score, mean absolute error |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        t->column[base].name);
    for (size_t c = 0; c < t->columns; c++)
        if (elo || t->column[c].of != PREDICTOR_ELO)
            table_row(t, c, base);
    putchar('\n');
}

/* Deciles of what one column predicts. */
static const double *decile_of;

static int decile_order(const void *a, const void *b)
{
    const double x = decile_of[*(const size_t *)a], y = decile_of[*(const size_t *)b];

    return x < y ? -1 : x > y;
}

static void table_deciles(const struct table *t, size_t column)
{
    const double *p = t->correct + column * t->n;
    size_t *at = ipr_xcalloc(t->n + 1, sizeof *at), n = 0;

    for (size_t i = 0; i < t->n; i++)
        if (t->scored[i])
            at[n++] = i;
    decile_of = p;
    qsort(at, n, sizeof *at, decile_order);
    printf("Calibration of %s, corrected:\n\n| games | predicted | scored |\n| ---: | ---: | ---: "
           "|\n",
           t->column[column].name);
    for (size_t k = 0; k < 10; k++) {
        double predicted = 0, scored = 0;
        const size_t from = k * n / 10, to = (k + 1) * n / 10;

        for (size_t i = from; i < to; i++) {
            predicted += p[at[i]];
            scored += t->unit[at[i]]->score;
        }
        printf("| %zu | %.3f | %.3f |\n", to - from, predicted / (double)(to - from),
               scored / (double)(to - from));
    }
    putchar('\n');
    free(at);
}

#define COUNT(a) (sizeof(a) / sizeof *(a))

void predictors_report(const struct predictors_unit *units, size_t n)
{
    struct table a = table_new(units, n, true, false, columns, COUNT(columns));
    struct table b = table_new(units, n, false, true, columns, COUNT(columns));
    struct table v = table_new(units, n, false, true, variants, COUNT(variants));

    puts("## A: champion against champion\n");
    table_print(&a, false, PREDICTOR_EVEN);
    puts("## B: champion against any opponent, both with an Elo\n");
    table_print(&b, true, PREDICTOR_ELO);
    table_deciles(&b, PREDICTOR_ELO);
    table_deciles(&b, PREDICTOR_RATING);
    table_deciles(&b, PREDICTOR_MARKOV);
    puts("## Variants of Markov, games of B\n");
    table_print(&v, true, 0);
    table_free(&a);
    table_free(&b);
    table_free(&v);
}
