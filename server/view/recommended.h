#ifndef IPR_VIEW_RECOMMENDED_H
#define IPR_VIEW_RECOMMENDED_H

#include "view/view.h"

/* The predictors that `make validate` recommends, in the words of all pages. `document` is
 * static/predictors.json (docs/predictors.md). Elo "predicted games better than any predictor from
 * the moves" if the interval of each of their differences from it excludes 0; of the others only
 * the games of champions against each other count, and "not shown to be better than even chances"
 * is an interval with 0 in it. */

/** Shape predictor_verdicts: each with its test, and "text", one sentence. New reference. */
IPR_CHECK enum ipr_code ipr_recommended(const struct ipr_view *v, json_t **out,
                                        struct ipr_err *err);

/** "To predict results, believe Elo where both players have one" */
const char *ipr_recommended_brief(const json_t *document, struct ipr_arena *mem);

/** Sets "text" of the document's "recommended". */
void ipr_recommended_add_text(const json_t *document, struct ipr_arena *mem);

/** Why the recommended one: "Elo predicted 7,348 games better than any predictor from the moves."
 * `elo`: of two players with an Elo. */
const char *ipr_recommended_why(const json_t *document, bool elo, struct ipr_arena *mem);

/** How a predictor (a word of the parameter `method` of /royale) did, as a clause about "it"; NULL
 * if it was not tested. */
const char *ipr_recommended_test(const json_t *document, const char *predictor,
                                 struct ipr_arena *mem);

#endif
