#ifndef IPR_PGN_RESULT_H
#define IPR_PGN_RESULT_H

#include "base/str.h"

/* Results of games. */

enum ipr_result { IPR_RESULT_UNKNOWN, IPR_WHITE_WINS, IPR_BLACK_WINS, IPR_DRAW };

/** "1-0", "0-1", "1/2-1/2", "*". */
const char *ipr_result_text(enum ipr_result r);
/** Also as other writers have it: "1/2", "0.5-0.5", "½". Anything else is unknown. */
enum ipr_result ipr_result_read(struct ipr_str text);

#endif
