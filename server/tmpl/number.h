#ifndef IPR_TMPL_NUMBER_H
#define IPR_TMPL_NUMBER_H

#include <jansson.h>

#include "base/str.h"

/*
 * Numbers as text: the shortest decimal that reads back as the same double, so that 0.1 is
 * "0.1" and not the seventeen digits jansson 2.14 writes. A page and the API print a figure
 * with the same function.
 */

#define IPR_NUMBER_TEXT 32

/** A finite real keeps a point or an exponent, as in JSON text by jansson: 3.0 is "3.0". */
void ipr_number_real(double x, char out[IPR_NUMBER_TEXT]);

/** Compact JSON in insertion order, numbers as above. */
void ipr_json_write(const json_t *value, struct ipr_buf *out);

#endif
