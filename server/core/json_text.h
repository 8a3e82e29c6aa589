#ifndef IPR_CORE_JSON_TEXT_H
#define IPR_CORE_JSON_TEXT_H

#include "base/str.h"

/** Appends `s` as a JSON string, quotes included. Bytes that are no UTF-8 become U+FFFD, so that
 * whatever stands in a file or its name, what is written is JSON. */
void ipr_json_string(struct ipr_buf *out, struct ipr_str s);

#endif
