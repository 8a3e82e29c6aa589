#ifndef IPR_HTTP_TABLES_H
#define IPR_HTTP_TABLES_H

#include "http/base/request.h"

/*
 * Tables of an answer, as CSV and NDJSON: `table` and `columns` of server/resources.def. The rows
 * are where the paths of the table lead: members by their names, `*` being every element of a list,
 * or every member of an object. What is null or absent on the way has no row.
 *
 * A column is a path from its row, or NAME=PATH. `^` in front goes to what the row is in, `^^`
 * further out, `/` to the whole answer. `.` is the row itself, `@` what it is called there, or its
 * place in a list. As a part of a path `@` and `^@` stand for that name or place: /n0.^@ is the
 * element of the list n0 that has the place of the list that the row is in.
 */

/** The requested table, or the first of an answer that is no list; NULL: the list is requested. */
const struct ipr_table *ipr_table_requested(const struct ipr_req *req);

/** All its rows: CSV with a header line, or NDJSON with the columns as members. */
void ipr_table_write(const struct ipr_table *table, enum ipr_format format, const json_t *answer,
                     struct ipr_buf *out);

#endif
