#ifndef IPR_VIEW_PAPER_PAPER_H
#define IPR_VIEW_PAPER_PAPER_H

#include "view/view.h"

/*
 * Tables that papers printed, beside the same figures computed here. static/papers/PAPER.json has
 * a paper: its source, the full names of its players, and its tables: title, form ("matches":
 * with actual scores; "best_years": every player against every other), the engine setting ours are
 * computed with, columns (a predictor with its parameters), reasons why the two differ, and rows of
 * two player-years with the printed score of the first.
 */

/** The file of a paper; IPR_ENOTFOUND. New reference. */
IPR_CHECK enum ipr_code ipr_paper_load(const struct ipr_view *v, const char *name, json_t **out,
                                       struct ipr_err *err);

/** A table of it, borrowed; NULL: it has none of that name. */
const json_t *ipr_paper_find_table(const json_t *paper, const char *table);

/** "columns" of an answer with "columns" and "rows": the errors and the rank correlation of each
 * over the rows that have both scores. */
void ipr_paper_sum_columns(const json_t *rows, json_t *columns);

/** "standings": players by their mean score over the pairs with both scores. New reference. */
json_t *ipr_paper_standings(const json_t *rows);

/** What the table says, in sentences. New reference. */
json_t *ipr_paper_finding(const json_t *answer);

#endif
