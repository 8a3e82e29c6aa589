#ifndef IPR_HTTP_BODY_H
#define IPR_HTTP_BODY_H

#include <jansson.h>

#include "http/request.h"

/*
 * The small body of a write: a JSON object, or the form of a page, which is taken for the same
 * object with texts for values (an empty field is absent).
 */

/** Judges the headers: 415 for another type, 413 for a length beyond the limit. */
struct ipr_problem ipr_body_begin(struct ipr_req *req);

/** Whether the body is the form of a page. */
bool ipr_body_is_form(const struct ipr_req *req);

/**
 * Takes the field `token` out of a form, so that nothing that reads, logs or echoes the rest meets
 * it; NULL when it is absent or empty. Of two, the other stays, an unknown field. IPR_EPARSE
 * "bad_url".
 */
IPR_CHECK enum ipr_code ipr_body_cut_token(struct ipr_req *req, const char **out,
                                           struct ipr_err *err);

/** Bytes as they come; what is beyond the limit is kept for ipr_body_object to refuse. */
void ipr_body_take(struct ipr_req *req, const char *bytes, size_t n);

/** The object. IPR_EPARSE "bad_body" when it is none, "unknown_parameter" for a member not in
 * `known` (NULL-terminated), so that a typing error does not pass. New reference. */
IPR_CHECK enum ipr_code ipr_body_object(struct ipr_req *req, const char *const *known, json_t **out,
                                        struct ipr_err *err);

/** A member as a whole number within [lo, hi], from a number or its text; *there false when it is
 * absent or null. IPR_EPARSE "bad_parameter" naming it. */
IPR_CHECK enum ipr_code ipr_body_int(const json_t *body, const char *name, int64_t lo, int64_t hi,
                                     int64_t *out, bool *there, struct ipr_err *err);

/** A member as yes or no: true, false, or "true" from the checkbox of a form; absent or null is no.
 * IPR_EPARSE "bad_parameter". */
IPR_CHECK enum ipr_code ipr_body_flag(const json_t *body, const char *name, bool *out,
                                      struct ipr_err *err);

/** A member as text, NULL when absent, null or empty; borrowed from the body. */
IPR_CHECK enum ipr_code ipr_body_text(const json_t *body, const char *name, const char **out,
                                      struct ipr_err *err);

#endif
