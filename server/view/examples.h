#ifndef IPR_VIEW_EXAMPLES_H
#define IPR_VIEW_EXAMPLES_H

#include "db/judged_games.h"
#include "view/figure/shape.h"
#include "view/view.h"

/** Games by which a page leads from its figures to their moves. */
struct ipr_figure_report_example *ipr_examples(const struct ipr_db_report_example *rows, size_t n,
                                               struct ipr_arena *mem);

/** Sets "examples" of a page: some of the latest games of these classes of time control (a set of
 * IPR_TIME_BIT) whose moves are stored and analysed by a judge. */
IPR_CHECK enum ipr_code ipr_examples_add(const struct ipr_view *v, int32_t judge_id, unsigned times,
                                         json_t *out, struct ipr_err *err);

#endif
