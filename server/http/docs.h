#ifndef IPR_HTTP_DOCS_H
#define IPR_HTTP_DOCS_H

#include "http/request.h"

/* Shared by the API's index, its page and its OpenAPI document. */

/** Whether an address is documented: it has JSON or a stream of a known shape. */
bool ipr_docs_has(const struct ipr_address *a);

/** "path", "query" or "body". */
const char *ipr_docs_place(const struct ipr_address *a, const struct ipr_param_def *d);

/** Whether a request has a body. */
bool ipr_docs_has_body(const struct ipr_resource *r);

/** Media types of the answer. New reference. */
json_t *ipr_docs_formats(const struct ipr_address *a);

/** Name of the operation, which never changes. New reference. */
json_t *ipr_docs_operation(const struct ipr_address *a);

/** A document of static/api; an empty object if it is missing. New reference. examples.json:
 * {operation: {"status", "answer"}}, answers to the examples of server/resources.def, shortened. */
json_t *ipr_docs_file(const struct ipr_req *req, const char *name);

#endif
