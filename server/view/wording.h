#ifndef IPR_VIEW_WORDING_H
#define IPR_VIEW_WORDING_H

#include <jansson.h>
#include <stdbool.h>

#include "base/mem.h"

/* Parts of the sentences that pages begin with. Texts from `mem`. */

/** "18,211" */
const char *ipr_wording_count(double n, struct ipr_arena *mem);

/** "−0.50" */
const char *ipr_wording_fixed(double x, int digits, struct ipr_arena *mem);

/** "1 game", "18,211 games" */
const char *ipr_wording_plural(double n, const char *one, const char *many, struct ipr_arena *mem);

/** "2160 to 2745", "above 2606", "below 1700": either end may be open, NAN. Beside the estimate, so
 * "up to 2745" and "down to 2160" where it is an end itself. */
const char *ipr_wording_interval(double estimate, double low, double high, struct ipr_arena *mem);

/** "October 2026" of a date as in tags ("2026.10.??"), "2026" without a month; NULL without a year.
 */
const char *ipr_wording_month(const char *date, struct ipr_arena *mem);

/** True if two names have the same surname, "Fischer" of "Fischer, Robert J". */
bool ipr_wording_same_surname(const char *a, const char *b);

/** The surname; the whole name as people say it if it is
 * `shared` with another person. */
const char *ipr_wording_surname(const char *name, bool shared, struct ipr_arena *mem);

/** Says a rating (shapes rating, rating_short) with an interval: "2472 (95% interval 2160 to 2745)
 * from 384 moves of 9 games", "2718 (95% interval above 2606) from …"; NULL without one. */
const char *ipr_wording_rating(const json_t *rating, struct ipr_arena *mem);

#endif
