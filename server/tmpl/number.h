#ifndef IPR_TMPL_NUMBER_H
#define IPR_TMPL_NUMBER_H

#include <jansson.h>

#include "base/str.h"

/* Numbers as in base/number.h. A page and the API print a figure with the same function. */

/** Compact JSON in insertion order, numbers as above. */
void ipr_json_write(const json_t *value, struct ipr_buf *out);

#endif
