#ifndef IPR_HTTP_BODY_H
#define IPR_HTTP_BODY_H

#include <jansson.h>

#include "http/base/request.h"

/*
 * The small body of a write: a JSON object, or the form of a page, which is read as the same object
 * with texts for values (an empty field is absent).
 */

/** Checks the headers: 415 for another type, 413 for a length beyond the limit. */
struct ipr_problem ipr_body_begin(struct ipr_req *req);

/** True if the body is the form of a page. */
bool ipr_body_is_form(const struct ipr_req *req);

/**
 * Removes the field `token` from a form, so that it is not read, logged or echoed with the rest;
 * NULL when it is absent or empty. A second one stays and is an unknown field. IPR_EPARSE
 * "bad_url".
 */
IPR_CHECK enum ipr_code ipr_body_cut_token(struct ipr_req *req, const char **out,
                                           struct ipr_err *err);

/** Appends received bytes; ipr_body_params rejects a body beyond the limit. */
void ipr_body_take(struct ipr_req *req, const char *bytes, size_t n);

/** Adds the members of the body to the parameters given. IPR_EPARSE "bad_body". */
IPR_CHECK enum ipr_code ipr_body_params(struct ipr_req *req, struct ipr_err *err);

#endif
