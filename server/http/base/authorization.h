#ifndef IPR_HTTP_AUTHORIZATION_H
#define IPR_HTTP_AUTHORIZATION_H

#include "http/base/request.h"

/**
 * Whether the Host header names this service, if only this machine can reach it: a page of another
 * site whose name was rebound to 127.0.0.1 sends that name. What a proxy says does not count: that
 * page's browser may be on the machine of a trusted one. IPR_EDENIED "unknown_host".
 */
IPR_CHECK enum ipr_code ipr_authorize_host(const struct ipr_req *req, struct ipr_err *err);

/**
 * Whether the request may write: not from another site's page (IPR_EDENIED "cross_site"), and with
 * a valid token once one exists or when the request may come from another machine
 * (ipr_client_is_remote): "token_needed", "token_unknown". The token has the scope of the
 * address ("scope_needed"), has not expired ("token_expired"), and its quota has the bytes of the
 * body (IPR_ERETRY "quota_exceeded").
 */
IPR_CHECK enum ipr_code ipr_authorize_write(struct ipr_req *req, struct ipr_err *err);

/** IPR_OK if the request is of somebody who may do everything here: then it reads private uploads,
 * too. Errors as above. */
IPR_CHECK enum ipr_code ipr_authorize_all(struct ipr_req *req, struct ipr_err *err);

/** IPR_OK if the request may read: always, unless INTRINSIC_READ is "token" and the address has
 * data. The token has the scope read, and is also taken as the password of Basic authentication,
 * for which browsers ask: nothing can be written by that. Errors as above. */
IPR_CHECK enum ipr_code ipr_authorize_read(struct ipr_req *req, struct ipr_err *err);

/** Bytes that every write counts for at least: a quota of bytes bounds their number, too. */
#define IPR_WRITE_BYTES 1024

/** Counts the bytes that have come of a body whose length the client did not say, a MiB at a time
 * and at its end all of them; errors of its quota as above. */
IPR_CHECK enum ipr_code ipr_authorize_received(struct ipr_req *req, bool ended,
                                               struct ipr_err *err);

/** As ipr_authorize_write, by the token in a field of one of our forms, since a page without
 * JavaScript sends no header; NULL: the field is empty. */
IPR_CHECK enum ipr_code ipr_authorize_form(struct ipr_req *req, const char *token,
                                           struct ipr_err *err);

/** The token or key in the header; p NULL: none. */
struct ipr_str ipr_authorize_bearer(const struct ipr_req *req);
/** Its digest, as stored. */
void ipr_authorize_digest(struct ipr_str secret, unsigned char out[32]);

/** Sets *out to whether the forms of this request's page must ask for a token. */
IPR_CHECK enum ipr_code ipr_authorize_asks(struct ipr_req *req, struct ipr_db *db, bool *out,
                                           struct ipr_err *err);

#endif
