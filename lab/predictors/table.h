#ifndef LAB_PREDICTORS_TABLE_H
#define LAB_PREDICTORS_TABLE_H

#include <jansson.h>

#include "lab/predictors/predictors.h"

#define TABLE_LIMIT 0.001 /* expectations are within this of 0 and 1 */
#define TABLE_MATCH 4     /* games of a match, at least */

/** A column of predictions: one of the predictors, or two of them together. */
struct column {
    const char *name, *title;
    enum predictor of, with; /* PREDICTORS: none */
};

/** The games of a table, and what each column predicts for them. */
struct table {
    const struct predictors_unit **unit; /* [n] by year */
    size_t n;
    bool *scored;          /* [n] by every column */
    double *raw, *correct; /* [columns][n]; NaN: none */
    const struct column *column;
    size_t columns, base; /* column that the others are compared with */
};

/** Corrects a column: a logit line fitted to the games of all years before each. */
void table_correct(struct table *t, size_t column);

double table_log_loss(double score, double p);
double table_brier(double score, double p);
/** Mean over the games scored. */
double table_mean(const struct table *t, const double *p, double (*of)(double, double));
/** Mean of the difference of log loss, with half its 95 % interval and its standard error,
 * clustered by champion. */
double table_difference(const struct table *t, const double *p, const double *q, double *half,
                        double *se);
/** Mean absolute error of the scores of matches: games of two players in a year. */
double table_matches(const struct table *t, const double *p, size_t *matches);
/** Share of these scores within the 95 % interval that a column, as it is, predicts for so many
 * games: by the chance of the games alone, or with the predictor's own errors, too. Games of both
 * Elo only. */
double table_contained(const struct table *t, size_t column, bool errors);

/** Adds the sentences about the comparison: `finding`, the text of `recommended`, and `words` for
 * other pages. */
void predictors_words(json_t *document);

#endif
