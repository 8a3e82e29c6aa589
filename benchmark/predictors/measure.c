/* How far predictions are from results. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "benchmark/predictors/table.h"
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

/* Of the scores of matches: games of two players in a year. */
double table_matches(const struct table *t, const double *p, size_t *matches)
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
        if (!first || n < TABLE_MATCH)
            continue;
        sum += fabs(expected - score) / n;
        ++*matches;
    }
    return sum / (double)*matches;
}
