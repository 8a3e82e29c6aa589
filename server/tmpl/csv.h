#ifndef IPR_TMPL_CSV_H
#define IPR_TMPL_CSV_H

#include <jansson.h>

#include "base/str.h"

/**
 * A cell of CSV (RFC 4180): a text, or other values as in tmpl/number.h; null and NULL are empty.
 * Spreadsheets take a text for a formula by its first character; a quote in front is what they show
 * as text (OWASP, CSV injection).
 */
void ipr_csv_cell(const json_t *value, struct ipr_buf *out);

#endif
