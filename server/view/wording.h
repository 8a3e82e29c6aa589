#ifndef IPR_VIEW_WORDING_H
#define IPR_VIEW_WORDING_H

#include <jansson.h>

#include "base/mem.h"

/* Parts of the sentences that pages begin with. Texts from `mem`. */

/** "18,211" */
const char *ipr_wording_count(double n, struct ipr_arena *mem);

/** "1 game", "18,211 games" */
const char *ipr_wording_plural(double n, const char *one, const char *many, struct ipr_arena *mem);

/** Of a rating (shapes rating, rating_short) with an interval: "2472 (95% interval 2160 to 2745)
 * from 384 moves of 9 games", "2718 (95% interval above 2606) from …"; NULL without one. */
const char *ipr_wording_rating(const json_t *rating, struct ipr_arena *mem);

#endif
