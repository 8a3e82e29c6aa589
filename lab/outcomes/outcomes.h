#ifndef LAB_OUTCOMES_OUTCOMES_H
#define LAB_OUTCOMES_OUTCOMES_H

#include "lab/outcomes/rows.h"
#include "model/outcome.h"
#include "model/whr_scale.h"

/** Sums over the games of each year, which are the clusters. */
struct year_sums {
    double *sum, *n; /* [years] */
    size_t years;
};

struct year_sums year_sums_new(const struct result_rows *rows);
void year_sums_free(struct year_sums *s);
/** Adds the value of one game of the year rows->year[k]. */
void year_sums_add(struct year_sums *s, size_t k, double value);
double year_sums_mean(const struct year_sums *s);
/** Mean of a - b over the same games; *se: its standard error, clustered by year. */
double year_sums_difference(const struct year_sums *a, const struct year_sums *b, double *se);

/** Index of a year in rows->year. */
size_t result_year(const struct result_rows *rows, int32_t year);

/** Whole-History Rating: prints its tables; returns the options chosen, without Elo. */
struct ipr_whr_options history_run(const struct result_rows *rows);

/** With the Elo of opponents: prints its tables; adds the options chosen, and returns those of the
 * scale. */
struct ipr_whr_scale_options anchors_run(const struct result_rows *rows,
                                         struct ipr_whr_options *history);

/** Win, draw and loss: prints the tables; returns the model chosen, fitted to all games, and the
 * standard error of an Elo in a match. */
struct ipr_outcome_model chances_run(const struct result_rows *rows, double *elo_se);

#endif
