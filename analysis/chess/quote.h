#ifndef IPR_CHESS_QUOTE_H
#define IPR_CHESS_QUOTE_H

#include "base/str.h"

#define IPR_QUOTE_MAX 28

/** `text` fit for an error message: at most 24 bytes of printable ASCII, other characters as
 * U+200B,
 * "..." when cut. Returns `out`. */
const char *ipr_quote(struct ipr_str text, char out[IPR_QUOTE_MAX]);

#endif
