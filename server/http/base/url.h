#ifndef IPR_HTTP_URL_H
#define IPR_HTTP_URL_H

#include "base/mem.h"
#include "base/str.h"
#include "http/base/request.h"
#include "resource/read.h"

/** %XX decoded (and + as a space when `form`), as valid UTF-8 without NUL. IPR_EPARSE "bad_url". */
IPR_CHECK enum ipr_code ipr_url_decode(struct ipr_arena *mem, struct ipr_str in, bool form,
                                       const char **out, struct ipr_err *err);

/** Encodes a path and query for a header: spaces and everything but printable ASCII as %XX. */
const char *ipr_url_encode_path(struct ipr_arena *mem, const char *path);

/** Splits "a=1&b=2", appending to the `n` of `given`, which has room for IPR_REQ_GIVEN. IPR_EPARSE
 * "bad_url"; IPR_ELIMIT. */
IPR_CHECK enum ipr_code ipr_url_query(struct ipr_arena *mem, struct ipr_str query,
                                      struct ipr_given *given, size_t *n, struct ipr_err *err);

/**
 * Whether `path` (decoded segments are compared; `path` itself is still encoded) is of the form
 * `pattern`; ids receives the encoded pieces that stand for {…}.
 */
bool ipr_url_match(const char *pattern, struct ipr_str path, struct ipr_str ids[IPR_REQ_IDS]);

#endif
