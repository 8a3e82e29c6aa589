#ifndef IPR_VIEW_PAPER_PAPER_H
#define IPR_VIEW_PAPER_PAPER_H

#include "view/context.h"

/*
 * Tables and figures that papers printed, beside the same computed by `make papers` (lab/papers/)
 * from the samples and the champions: static/papers/list.json is the answer of /papers,
 * static/papers/PAPER/table-TABLE.json and figure-FIGURE.json are those of each, without ids of a
 * database but with the members of its page. Here their players become those of this one.
 * static/papers/PAPER.json is what the paper prints, and the names of its players in full.
 */

/** The file of what a paper prints; IPR_ENOTFOUND unless it is in the list. New reference. */
IPR_CHECK enum ipr_code ipr_paper_load(const struct ipr_view *v, const char *name, json_t **out,
                                       struct ipr_err *err);

/** The person with most analysed moves of a player of the paper; 0: no game is stored. */
IPR_CHECK enum ipr_code ipr_paper_find_person(const struct ipr_view_context *c, const json_t *paper,
                                              const char *surname, int32_t *id,
                                              struct ipr_err *err);

#endif
