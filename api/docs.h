#ifndef IPR_API_DOCS_H
#define IPR_API_DOCS_H

#include <stdbool.h>

#include <jansson.h>

#include "resource/resource.h"
#include "view/figure/shape.h"

/*
 * The documents that describe the API, made at build time for http/answer/docs.c to serve: its
 * index, the data of its page and its OpenAPI document. All functions return new references.
 */

/** An address of the API that is documented (server/resources.def). */
struct ipr_api_address {
    const char *method, *path;
    enum ipr_resource_id id;
    enum ipr_shape_id answer;           /* of its JSON; of a stream, of the data of an event */
    const char *statuses;               /* "200" or "200,201": when it succeeds */
    const char *section, *section_help; /* part of the API */
    const char *example, *example_body; /* a request; without a body NULL */
};

/** In the order of server/resources.def, ended by a row without a method. */
extern const struct ipr_api_address *const ipr_api_addresses;

/** "path", "query" or "body". */
const char *ipr_docs_place(const struct ipr_api_address *a, const struct ipr_param_def *d);

/** Whether a request has a body. */
bool ipr_docs_has_body(const struct ipr_resource *r);

/** Media types of the answer. */
json_t *ipr_docs_formats(const struct ipr_api_address *a);

/** Name of the operation, which never changes. */
json_t *ipr_docs_operation(const struct ipr_api_address *a);

/** GET /api/v1. */
json_t *ipr_docs_index(void);

/** GET /docs but for `base`, the address of the service. `examples`: {operation: {"status",
 * "answer"}}, answers to the examples of server/resources.def, shortened (api/examples.json). */
json_t *ipr_docs_page(const json_t *examples);

/** GET /openapi.json, by its constant part (api/openapi.json). */
json_t *ipr_docs_openapi(json_t *constant, const json_t *examples);

#endif
