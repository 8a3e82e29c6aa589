#ifndef IPR_HTTP_ROWS_H
#define IPR_HTTP_ROWS_H

#include "http/base/request.h"

/* Lists: the members requested, the next page, and all rows as a stream. */

/** Reduces every row of a list to the members named in `fields`. IPR_EPARSE for one that the list
 * does not have. */
IPR_CHECK enum ipr_code ipr_rows_select(const struct ipr_req *req, json_t *resource,
                                        struct ipr_err *err);

/** Value of Link, rel="next", in the format of the request. `next`: the cursor that the view gave;
 * NULL: there is no next page, and no link. */
const char *ipr_rows_link(struct ipr_req *req, const char *next);

/** The rows of an answer that is no stream, or its table requested, in the format of the request:
 * NDJSON or CSV. */
void ipr_rows_write(const struct ipr_req *req, const json_t *resource, struct ipr_buf *out);

/** All rows, or `limit` of them, as NDJSON or CSV, compressed if the client accepts that: page
 * after page as it reads, so that only one page is in memory. The stream ends early if the database
 * fails or the client disconnects. */
enum MHD_Result ipr_rows_stream(struct ipr_req *req);

#endif
