#ifndef IPR_PGN_RESULT_H
#define IPR_PGN_RESULT_H

#include <stdbool.h>

#include "base/str.h"

/* Results of games. */

enum ipr_result { IPR_RESULT_UNKNOWN, IPR_WHITE_WINS, IPR_BLACK_WINS, IPR_DRAW };

/** "1-0", "0-1", "1/2-1/2", "*". */
const char *ipr_result_text(enum ipr_result r);
/** Also as other writers have it: "1/2", "0.5-0.5", "½", "+:-", with spaces, a colon or another
 * dash. Anything else is unknown. */
enum ipr_result ipr_result_read(struct ipr_str text);

/** True of "0-0", however it is written: neither has scored. */
bool ipr_result_is_double_forfeit(struct ipr_str text);

/** Bytes of the dash at p that is no hyphen, U+2010 to U+2015 or U+2212; 0: there is none. */
size_t ipr_dash_at(const char *p, const char *end);

#endif
