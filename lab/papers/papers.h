#ifndef LAB_PAPERS_PAPERS_H
#define LAB_PAPERS_PAPERS_H

#include "view/context.h"
#include "view/paper/paper.h"

/*
 * Tables and figures that papers printed, beside the same computed here from a database with the
 * samples and the champions. static/papers/PAPER.json has a paper: its source, the full names of
 * its players, and its tables: title, form ("matches": with actual scores; "best_years": every
 * player against every other; "values"), the engine setting ours are computed with, columns,
 * reasons why the two differ, and rows with the printed figures.
 *
 * Of matches and best years a column is a predictor with its parameters, a row two player-years
 * with the printed score of the first; of matches also the "games" played, forfeits not counted. Of
 * values "ours" names the answer that ours are from (values.c), a row has the key of its row there
 * ("ours"; without it the "reason"), a column the paths within that row ("at": "estimate",
 * "interval" or "standard_error", "n"), the unit and the digits on pages. "alike": the rows of the
 * column would be the same if what distinguishes them had no effect, so that only differences
 * between rows are compared. "unordered": an order of the rows by it says nothing. Its figures:
 * figure.h. Answers have no ids of a database, and no players: view/paper/ adds those.
 */

/** The answers to the address of a table, and of a figure, by their entries in the file of the
 * paper. New references. */
IPR_CHECK enum ipr_code ipr_paper_make_table(const struct ipr_view *v, const json_t *paper,
                                             const json_t *table, json_t **out,
                                             struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_paper_make_figure(const struct ipr_view *v, const json_t *paper,
                                              const json_t *figure, json_t **out,
                                              struct ipr_err *err);

/** Add what only the page of a table, and of a figure, has to its answer. */
void ipr_paper_page(json_t *answer);
void ipr_paper_figure_page(json_t *answer);

/** Sets the members of an answer that say what it rests on; of the games stored, unless it is of a
 * document or of searches of its own, how many of them and of their moves the engine setting has
 * analysed ("analysed"). */
IPR_CHECK enum ipr_code ipr_paper_add_basis(const struct ipr_view_context *c, bool of_games,
                                            json_t *out, struct ipr_err *err);

/** Appends the rows of a table of values. */
IPR_CHECK enum ipr_code ipr_paper_values(const struct ipr_view_context *c, const json_t *paper,
                                         const json_t *table, json_t *rows, struct ipr_err *err);

/** Adds to `rows` what the report of complexity has for each player of the paper, by the paper's
 * name, and for its players together ("all"). */
IPR_CHECK enum ipr_code ipr_paper_complexity(const struct ipr_view_context *c, const json_t *paper,
                                             json_t *rows, struct ipr_err *err);

/** Adds to `rows` the statistics of the covariance predictor for each row of the table that says
 * with what ("with": "loss", "k1", "k2", "n0", "b"), and of the results ("results"), over the
 * newest games ("games" of the table) analysed on both sides. */
IPR_CHECK enum ipr_code ipr_paper_covariance(const struct ipr_view_context *c, const json_t *table,
                                             json_t *rows, struct ipr_err *err);

/** The form of the loss that "loss" names, with its "k1" and "k2" where they are given. */
struct ipr_conformance_params ipr_paper_loss(const json_t *with, enum ipr_window_method *method);

/** "columns" of an answer with "columns" and "rows": the errors and the rank correlation of each
 * over the rows that have both figures. */
void ipr_paper_sum_columns(const json_t *rows, json_t *columns);

/** Adds what columns of values have beyond that: how many printed figures our intervals contain,
 * and "alike". */
void ipr_paper_sum_values(const json_t *rows, json_t *columns);

/** "standings": players by their mean score over the pairs with both scores. New reference. */
json_t *ipr_paper_standings(const json_t *rows);

/** Says in sentences what the table shows. New reference. */
json_t *ipr_paper_finding(const json_t *answer);
/** The same of a figure. */
json_t *ipr_paper_figure_finding(const json_t *answer);

#endif
