#ifndef IPR_HTTP_SPOOL_H
#define IPR_HTTP_SPOOL_H

#include "http/base/request.h"

/*
 * The body of an upload on its way into an unlinked temporary file: memory does not depend on its
 * size. Raw, or the field "file" of a multipart form, whose other fields become parameters.
 */

struct ipr_spool;

/** Checks the headers: 415 for an unsupported type or encoding, 413 for a length beyond the limit.
 * status 0 and *out when the body is accepted. */
struct ipr_problem ipr_spool_begin(struct ipr_req *req, struct ipr_spool **out);

/** The same for a body of any type, at most `limit` bytes, stored as it is. */
struct ipr_problem ipr_spool_begin_raw(struct ipr_req *req, int64_t limit, struct ipr_spool **out);

/** Appends bytes. An error is remembered for _finish; later bytes are discarded. */
void ipr_spool_take(struct ipr_spool *s, const char *bytes, size_t n);

/** True if an error has occurred: the rest of the body need not be read. */
bool ipr_spool_failed(const struct ipr_spool *s);

/** Call at the end of the body: the descriptor at its beginning, borrowed until _free. IPR_EPARSE
 * "empty_body", "bad_form"; IPR_ELIMIT; IPR_EIO. */
IPR_CHECK enum ipr_code ipr_spool_finish(struct ipr_spool *s, int *fd, struct ipr_err *err);

/** Digest of the file, its name and the other fields, whatever the boundaries of the form. After
 * _finish. */
void ipr_spool_digest(const struct ipr_spool *s, unsigned char out[32]);

/** Digest of the file alone, as an upload's record has it. After _finish. */
void ipr_spool_file_digest(const struct ipr_spool *s, unsigned char out[32]);

/** Name of the uploaded file, "api" when it had none. */
const char *ipr_spool_source(const struct ipr_spool *s);

/** Value of a form field, NULL if missing or empty. */
const char *ipr_spool_field(const struct ipr_spool *s, const char *name);

void ipr_spool_free(struct ipr_spool **s);

#endif
