#ifndef IPR_VIEW_EVENT_EVENT_H
#define IPR_VIEW_EVENT_EVENT_H

#include <jansson.h>

/** "comparisons" of a tournament's report (view.h), from its players' rows: how many of their
 * concordances stand far out, and how many do when nothing is amiss in any of them. */
json_t *ipr_event_comparisons(const json_t *players);

#endif
