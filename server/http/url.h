#ifndef IPR_HTTP_URL_H
#define IPR_HTTP_URL_H

#include "base/mem.h"
#include "base/str.h"
#include "http/request.h"

/** %XX decoded (and + as a space when `form`), as valid UTF-8 without NUL. IPR_EPARSE "bad_url". */
IPR_CHECK enum ipr_code ipr_url_decode(struct ipr_arena *mem, struct ipr_str in, bool form,
                                       const char **out, struct ipr_err *err);

/** A path and query of ours as it may stand in a header: what is no printable ASCII, and spaces,
 * as %XX. */
const char *ipr_url_encode_path(struct ipr_arena *mem, const char *path);

/** In place of a list of names: the handler checks them, since they depend on more than the
 * address. Empty values are given, too: they count as absent to whoever reads them. */
extern const char *const ipr_url_any[];

/**
 * Splits "a=1&b=2". IPR_EPARSE "unknown_parameter" for a name not in `known`, so that a typing
 * error does not pass for an answer; "bad_parameter" for one that is given twice. An empty value
 * (a form field left empty) counts as absent.
 */
IPR_CHECK enum ipr_code ipr_url_query(struct ipr_arena *mem, struct ipr_str query,
                                      const char *const *known, const struct ipr_param **out,
                                      size_t *n, struct ipr_err *err);

/**
 * Whether `path` (decoded segments are compared; `path` itself is still encoded) is of the form
 * `pattern`; ids receives the encoded pieces that stand for {…}.
 */
bool ipr_url_match(const char *pattern, struct ipr_str path, struct ipr_str ids[IPR_REQ_IDS]);

#endif
