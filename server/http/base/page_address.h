#ifndef IPR_HTTP_PAGE_ADDRESS_H
#define IPR_HTTP_PAGE_ADDRESS_H

#include "http/base/request.h"

/** The path and query that a page calls its own, whatever the request was: of its addresses that
 * with most parameters in the path, with the name after the id of a player or an event; the rest of
 * `given` (ipr_params_given) is the query. In req->mem. */
const char *ipr_page_address(struct ipr_req *req, const json_t *resource, const json_t *given);

#endif
