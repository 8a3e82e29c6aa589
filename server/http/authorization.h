#ifndef IPR_HTTP_AUTHORIZATION_H
#define IPR_HTTP_AUTHORIZATION_H

#include "http/request.h"

/**
 * Whether the Host header names this service, if only this machine can reach it: a page of another
 * site whose name was rebound to 127.0.0.1 sends that name. IPR_EDENIED "unknown_host".
 */
IPR_CHECK enum ipr_code ipr_authorize_host(const struct ipr_req *req, struct ipr_err *err);

/**
 * Whether the request may write: not from another site's page (IPR_EDENIED "cross_site"), and with
 * a valid token once one exists or when other machines can reach the service ("token_needed",
 * "token_unknown").
 */
IPR_CHECK enum ipr_code ipr_authorize_write(struct ipr_req *req, struct ipr_err *err);

/** The same by the token in a field of one of our forms, since a page without JavaScript sends no
 * header; NULL: the field is empty. */
IPR_CHECK enum ipr_code ipr_authorize_form(struct ipr_req *req, const char *token,
                                           struct ipr_err *err);

/** The token or key in the header; p NULL: none. */
struct ipr_str ipr_authorize_bearer(const struct ipr_req *req);
/** Its digest, as stored. */
void ipr_authorize_digest(struct ipr_str secret, unsigned char out[32]);

/** Whether a token exists, so that forms must ask for one. */
IPR_CHECK enum ipr_code ipr_authorize_asks(struct ipr_req *req, struct ipr_db *db, bool *out,
                                           struct ipr_err *err);

#endif
