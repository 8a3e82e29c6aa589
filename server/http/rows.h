#ifndef IPR_HTTP_ROWS_H
#define IPR_HTTP_ROWS_H

#include "http/request.h"

/* Lists: the members requested, the next page, and all rows as a stream. */

/** Leaves of every row of a list the members that `fields` names. IPR_EPARSE for one that the list
 * has not. */
IPR_CHECK enum ipr_code ipr_rows_select(const struct ipr_req *req, json_t *resource,
                                        struct ipr_err *err);

/** Value of Link, rel="next"; NULL where there is no next page. */
const char *ipr_rows_link(struct ipr_req *req, const json_t *resource);

/** All rows, or `limit` of them, as NDJSON or CSV, compressed where the client takes that: page
 * after page as it reads, so that memory is that of one page. The stream ends early where the
 * database fails or the client goes. */
enum MHD_Result ipr_rows_stream(struct ipr_req *req);

#endif
