#ifndef IPR_CORE_TAGS_JSON_H
#define IPR_CORE_TAGS_JSON_H

#include "base/mem.h"
#include "pgn/reader.h"

/** The tags of a stored game, a JSON object, in their order; memory from the arena. A value that is
 * not a string becomes "". IPR_EDB when the text is not an object. */
IPR_CHECK enum ipr_code ipr_tags_from_json(const char *text, struct ipr_arena *mem,
                                           const struct ipr_pgn_tag **tags, size_t *n,
                                           struct ipr_err *err);

#endif
