#ifndef IPR_RESOURCE_WRITE_H
#define IPR_RESOURCE_WRITE_H

#include "resource/resource.h"

/* Converts parameters to JSON, addresses and values. */

/** {name: value} for each of the resource's own parameters (without shared ones, and `rows`) that
 * belong to `method` (NULL: all); null if absent. New reference. */
json_t *ipr_params_json(const struct ipr_resource *r, const void *params, const char *method);

/** Value of a text parameter, a cursor or a choice (its word); NULL if it is absent or the resource
 * has none of that name. */
const char *ipr_params_text(const struct ipr_resource *r, const void *params, const char *name);
/** True if a set of time classes is requested. */
bool ipr_params_asks_times(const struct ipr_resource *r, const void *params);
/** A copy with another set of time classes. */
const void *ipr_params_with_times(const struct ipr_resource *r, const void *params, unsigned times,
                                  struct ipr_arena *mem);
/** Value of a number, or the player of a side; 0 if the resource has none of that name. */
int64_t ipr_params_id(const struct ipr_resource *r, const void *params, const char *name);
/** The set of time classes requested, with IPR_TIME_OWN if imported evaluations are excluded; 0:
 * none. */
unsigned ipr_params_times(const struct ipr_resource *r, const void *params);

/** True if a path such as "/players/{player}" contains the parameter. */
bool ipr_path_has(const char *path, const char *name);

/** Address of the resource in the API with these parameters: those of the path in it, those that
 * differ from their defaults in the query, in a fixed order. */
const char *ipr_params_href(const struct ipr_resource *r, const void *params,
                            struct ipr_arena *mem);

/** The same address without the parameters that select a part of a list. */
const char *ipr_params_list_href(const struct ipr_resource *r, const void *params,
                                 struct ipr_arena *mem);

/** [{"name", "value", "query": "name=value"}] of the parameters that differ from their defaults,
 * for links and forms that lead to the same page. Parameters in the page's path and cursors, which
 * belong to one part of a list, are left out. `shared`: only those that select data, which other
 * pages accept, too. New reference. */
json_t *ipr_params_given(const struct ipr_resource *r, const void *params, bool shared);

/** One such object. New reference. */
json_t *ipr_given_json(const char *name, const char *value);

/** True if all required parameters are present; the request of a page may lack some. */
bool ipr_params_are_whole(const struct ipr_resource *r, const void *params);

/** {"name", "type", "low", "high", "choices", "default"}. New reference. */
json_t *ipr_param_json(const struct ipr_param_def *d);

#endif
