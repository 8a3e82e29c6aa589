#ifndef IPR_VIEW_PAPER_MATCHES_H
#define IPR_VIEW_PAPER_MATCHES_H

#include "view/queue/analyses.h"

/**
 * As ipr_view_plan_matches, whose list may also be the name of a table of matches, as
 * "alliot-2017/5"; IPR_ENOTFOUND if there is no such table, or nobody in it is stored.
 *
 * left_out   blank; takes the matches of the table that are left out, because a player has no games
 *            here
 */
IPR_CHECK enum ipr_code ipr_paper_plan_matches(const struct ipr_view *v, const char *judge,
                                               const struct ipr_view_matches *matches,
                                               struct ipr_list_match_left_out *left_out,
                                               struct ipr_db_plan *plan, struct ipr_err *err);

#endif
