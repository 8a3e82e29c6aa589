#ifndef IPR_VIEW_EVENT_EVENT_H
#define IPR_VIEW_EVENT_EVENT_H

#include <jansson.h>

/** "comparisons" of a tournament's report (view.h), from its players' rows: how many of their
 * concordances are extreme, and how many are expected by chance. */
json_t *ipr_event_comparisons(const json_t *players);

#endif
