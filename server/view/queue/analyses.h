#ifndef IPR_VIEW_QUEUE_ANALYSES_H
#define IPR_VIEW_QUEUE_ANALYSES_H

#include "db/analyses.h"
#include "uci/judge.h"
#include "view/figure/shape.h"
#include "view/view.h"

/** How far judging is; `p` is borrowed. */
void ipr_view_progress_fill(const struct ipr_db_progress *p, struct ipr_arena *mem,
                            struct ipr_answer_progress_counts *out);

/** Its "remaining": "about 3 minutes", "at least 3 minutes, not counting …", "not known while …";
 * NULL if nothing waits. */
const char *ipr_view_remaining(const struct ipr_db_progress *p, struct ipr_arena *mem);

/** The progress of a selection, and of the whole queue. */
IPR_CHECK enum ipr_code ipr_view_progress_of(const struct ipr_view *v,
                                             const struct ipr_db_selection *s,
                                             struct ipr_answer_progress *out, struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_view_queue_progress(const struct ipr_view *v,
                                                struct ipr_answer_queue_progress *out,
                                                struct ipr_err *err);

/** Makes the offer to analyse games that are not queued, with the time that it takes after those
 * that are; none where `games` is 0. */
IPR_CHECK enum ipr_code ipr_view_offer_of(const struct ipr_view *v, const struct ipr_judge *judge,
                                          int64_t games, int64_t turns,
                                          struct ipr_answer_queue_offer **out, struct ipr_err *err);

/** Years before the year before a match, by default: earlier ones have a weight of 1/32 or less. */
#define IPR_VIEW_EARLIER 4

/** Matches whose predictions are wanted. */
struct ipr_view_matches {
    const json_t
        *list;      /* as of the parameter `predict` (server/resources.def); or that as a text */
    int earlier;    /* years before the year before the match, too */
    bool own_games; /* and the games of the match */
};

/** Sets the spans of a plan to what the predictions of the matches read. IPR_EPARSE, naming the
 * member that is wrong. */
IPR_CHECK enum ipr_code ipr_view_plan_matches(const struct ipr_view *v,
                                              const struct ipr_view_matches *matches,
                                              struct ipr_db_plan *plan, struct ipr_err *err);

#endif
