/* How far predictions are from results. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "lab/predictors/table.h"
#include "model/elo.h"
#include "model/outcome_forecast.h"
#include "model/results_shipped.h"
#include "stats/interval.h"

double table_log_loss(double s, double p)
{
    const double q = p < TABLE_LIMIT ? TABLE_LIMIT : p > 1 - TABLE_LIMIT ? 1 - TABLE_LIMIT : p;

    return -s * log(q) - (1 - s) * log(1 - q);
}

double table_brier(double s, double p)
{
    return (s - p) * (s - p);
}

double table_mean(const struct table *t, const double *p, double (*of)(double, double))
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
double table_difference(const struct table *t, const double *p, const double *q, double *half,
                        double *se)
{
    size_t persons = 0, clusters = 0;
    double n = 0, sum = 0, square = 0;

    for (size_t i = 0; i < t->n; i++)
        persons = t->unit[i]->first + 1 > persons ? t->unit[i]->first + 1 : persons;
    double *of = ipr_xcalloc(2 * persons, sizeof *of), *games = of + persons;
    for (size_t i = 0; i < t->n; i++)
        if (t->scored[i]) {
            const double s = t->unit[i]->score,
                         d = table_log_loss(s, p[i]) - table_log_loss(s, q[i]);

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

/* All games of two players in a year, from the view of one. */
struct match {
    double expected, score; /* sums */
    double level, error;    /* sums of mean Elo, of the standard error of the difference */
    unsigned games;
};

/* The match that begins with unit i, as p predicts it; no games if it begins earlier. */
static struct match match_of(const struct table *t, const double *p, enum predictor k, size_t i)
{
    struct match m = { 0 };

    for (size_t j = t->scored[i] ? 0 : t->n; j < t->n; j++) {
        const struct predictors_unit *u = t->unit[j];
        const bool turned = u->first != t->unit[i]->first;

        if (!t->scored[j] || !same_match(t->unit[i], u))
            continue;
        if (j < i)
            return (struct match){ 0 };
        m.expected += turned ? 1 - p[j] : p[j];
        m.score += turned ? 1 - u->score : u->score;
        m.level += (u->elo[0] + u->elo[1]) / 2.0;
        m.error += u->error[k];
        m.games++;
    }
    return m;
}

double table_matches(const struct table *t, const double *p, size_t *matches)
{
    double sum = 0;

    *matches = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct match m = match_of(t, p, PREDICTOR_EVEN, i);

        if (m.games < TABLE_MATCH)
            continue;
        sum += fabs(m.expected - m.score) / m.games;
        ++*matches;
    }
    return sum / (double)*matches;
}

/* True if the score is in the interval predicted for so many games. */
static bool match_contains(const struct match *m, int year, bool errors)
{
    const double expected = m->expected / m->games, score = m->score / m->games;
    const double half = IPR_Z95 * m->error / m->games, d = -400 * log10(1 / expected - 1);
    struct ipr_outcome_forecast f = { .expected = expected,
                                      .interval = { NAN, NAN },
                                      .level = m->level / m->games,
                                      .year = year,
                                      .games = m->games };
    struct ipr_outcome_score s;

    if (errors)
        f.interval =
            (struct ipr_interval){ ipr_elo_expect(d - half, 0), ipr_elo_expect(d + half, 0) };
    return ipr_outcome_forecast(&ipr_results_shipped.outcome, &f, &s, NULL) == IPR_OK &&
           score >= s.interval.lo - 1e-9 && score <= s.interval.hi + 1e-9;
}

double table_contained(const struct table *t, size_t column, bool errors)
{
    const enum predictor k = t->column[column].of;
    double inside = 0, matches = 0;

    for (size_t i = 0; i < t->n; i++) {
        const struct match m = match_of(t, t->raw + column * t->n, k, i);

        if (m.games < TABLE_MATCH)
            continue;
        inside += match_contains(&m, t->unit[i]->year, errors);
        matches++;
    }
    return inside / matches;
}
