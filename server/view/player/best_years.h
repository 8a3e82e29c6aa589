#ifndef IPR_VIEW_PLAYER_BEST_YEARS_H
#define IPR_VIEW_PLAYER_BEST_YEARS_H

#include <jansson.h>

#include "db/listed_years.h"
#include "model/rank_interval.h"
#include "view/context.h"
#include "view/figure/shape.h"

#define IPR_BEST_YEARS 1000 /* maximum number */

/** The best rated player-years, best first, of stored sums; games are read only where some of a
 * year have the player's Elo. */
struct ipr_best_years {
    const struct ipr_view_context *context;
    struct ipr_db_best_year *row; /* [n]; elo: 0 without ipr_strength_has_elo */
    struct ipr_rank_entry
        *field; /* [n] ratings with their errors, beyond the calibrated range, too */
    size_t n;
    bool complete; /* whether all stored games are in it */
};

/** In the arena of the view. The list of years is first brought up to date,
 * for some seconds at most. Empty where nothing is rated. */
IPR_CHECK enum ipr_code ipr_best_years(const struct ipr_view_context *c, struct ipr_best_years *out,
                                       struct ipr_err *err);

/** Rating less Elo; NaN without an Elo. */
double ipr_best_year_difference(const struct ipr_best_years *b, size_t i);

/** The rating as lists have it. */
struct ipr_figure_rating_short ipr_best_year_rating(const struct ipr_best_years *b, size_t i);

/** Rows at[0 .. n) as "ranked_year". New reference. */
json_t *ipr_best_years_json(const struct ipr_best_years *b, const size_t *at, size_t n);

/** Indexes in an order of IPR_DASHBOARD_SORT_*, of the arena. */
size_t *ipr_best_years_sorted(const struct ipr_best_years *b, int sort);

#endif
