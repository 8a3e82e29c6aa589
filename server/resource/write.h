#ifndef IPR_RESOURCE_WRITE_H
#define IPR_RESOURCE_WRITE_H

#include "resource/resource.h"

/* Parameters as JSON, as an address, and as values. */

/** {name: value} of every parameter of its own (no shared ones) that belongs to `method` (NULL:
 * all), null if absent. New reference. */
json_t *ipr_params_json(const struct ipr_resource *r, const void *params, const char *method);

/** A text parameter, a cursor or the word of a choice; NULL if the resource has none of that name
 * or it is absent. */
const char *ipr_params_text(const struct ipr_resource *r, const void *params, const char *name);
/** Value of a number, player of a side; 0 if the resource has none of that name. */
int64_t ipr_params_id(const struct ipr_resource *r, const void *params, const char *name);
/** Value of a bool; false if the resource has none of that name. */
bool ipr_params_flag(const struct ipr_resource *r, const void *params, const char *name);
/** The set of time classes requested, with IPR_TIME_OWN if imported evaluations are excluded; 0:
 * none. */
unsigned ipr_params_times(const struct ipr_resource *r, const void *params);

/** Whether a parameter is part of a path, "/players/{player}". */
bool ipr_path_has(const char *path, const char *name);

/** Address of the resource in the API with these parameters: the path filled in, and a query with
 * those that differ from the defaults, in a fixed order. */
const char *ipr_params_href(const struct ipr_resource *r, const void *params,
                            struct ipr_arena *mem);

/** The same without the part of a list that they select. */
const char *ipr_params_list_href(const struct ipr_resource *r, const void *params,
                                 struct ipr_arena *mem);

/** [{"name", "value", "query": "name=value"}] of those that differ from the defaults, for links and
 * forms of a page that lead to it again: without those in the page's own path, and without cursors,
 * which belong to one page of a list. `shared`: only those that select data, which other pages
 * accept, too. New reference. */
json_t *ipr_params_given(const struct ipr_resource *r, const void *params, bool shared);

/** Whether the required parameters are present; a page may lack them. */
bool ipr_params_are_whole(const struct ipr_resource *r, const void *params);

/** {"name", "type", "low", "high", "choices", "default"}. New reference. */
json_t *ipr_param_json(const struct ipr_param_def *d);

#endif
