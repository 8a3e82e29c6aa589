#ifndef IPR_CORE_JSON_TEXT_H
#define IPR_CORE_JSON_TEXT_H

#include "base/str.h"

/** Appends `s` as a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD, so that
 * the output is JSON for any input. */
void ipr_json_string(struct ipr_buf *out, struct ipr_str s);

#endif
