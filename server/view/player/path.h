#ifndef IPR_VIEW_PLAYER_PATH_H
#define IPR_VIEW_PLAYER_PATH_H

#include "db/strength.h"
#include "view/context.h"

/* A player's strength over time (model/trajectory.h) and its peak: what every list, page and
 * comparison says of a player. */

struct ipr_path {
    struct ipr_figure_player_peak peak;
    double apart; /* standard error of the peak for comparing players; NAN: there is none */
    struct ipr_figure_path_year *year; /* [n]; none where no game is dated */
    size_t n;
};

/** The paths of some persons, by one query. out[n] */
IPR_CHECK enum ipr_code ipr_paths_of(const struct ipr_view_context *c, const int32_t *persons,
                                     size_t n, struct ipr_path *out, struct ipr_err *err);

/** Probability that the peak of the first is the higher one. */
double ipr_path_higher(const struct ipr_path *a, const struct ipr_path *b);

/** "path" of an answer. */
json_t *ipr_path_json(const struct ipr_path *p);

#endif
