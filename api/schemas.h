#ifndef IPR_API_SCHEMAS_H
#define IPR_API_SCHEMAS_H

#include "resource/resource.h"
#include "view/figure/shape.h"

/* JSON Schemas (2020-12) of parameters and answers, for /openapi.json. All return new references.
 */

/** Schema of an object; `description` may be NULL. Takes the others; an empty `required` is left
 * out. */
json_t *ipr_schema_object(const char *description, json_t *properties, json_t *required);

/** With its default. */
json_t *ipr_schema_param(const struct ipr_param_def *d);

/** Schema of the parameters in an answer: the resource's own ones. */
json_t *ipr_schema_params(const struct ipr_resource *r);

/** {"$ref"} to a component. */
json_t *ipr_schema_ref(const char *name);

/** Adds the schema of a shape to the components, and those of all shapes it refers to; intervals
 * and counts are in api/openapi.json. */
void ipr_schemas_add(json_t *components, enum ipr_shape_id id);

/** Whether the member is null if it is unknown. */
bool ipr_member_can_be_null(const struct ipr_shape *s, const struct ipr_member *m);
/** Whether the member is always present. */
bool ipr_member_is_required(const struct ipr_member *m);

#endif
