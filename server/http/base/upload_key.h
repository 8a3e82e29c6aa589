#ifndef IPR_HTTP_UPLOAD_KEY_H
#define IPR_HTTP_UPLOAD_KEY_H

#include "http/base/request.h"

/*
 * Keys of private uploads: 32 hexadecimal digits. That of the owner has the right to delete the
 * upload; that in the address of its page, /uploads/KEY, is a digest of the owner's, and shows it.
 * Stored is a digest of the latter. A client sends either as "Upload-Key", or in a cookie, which it
 * gets with the page and with the answer to its upload. Without a key nothing differs from an
 * upload that does not exist: what a request sees is a matter of its session in the database
 * (ipr_db_enter).
 */

/**
 * Finds the private upload that the request is about, by the ids in its address and its body, where
 * it has a key for it: from then on its statements see that upload and nothing else. A key in the
 * address becomes the id of the upload, so that no record has it. Errors of the database.
 */
IPR_CHECK enum ipr_code ipr_upload_key_find(struct ipr_req *req, struct ipr_err *err);

/** True if an upload of this request is private (INTRINSIC_UPLOADS). */
bool ipr_upload_is_private(struct ipr_req *req);

/** Makes the keys of a new upload, for the reply, and what is stored of them. */
void ipr_upload_key_make(struct ipr_req *req, unsigned char digest[32]);

#endif
