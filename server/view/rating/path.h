#ifndef IPR_VIEW_RATING_PATH_H
#define IPR_VIEW_RATING_PATH_H

#include "db/strength.h"
#include "view/context.h"

/* A player's strength over time (model/trajectory.h) and its peak: what every list, page and
 * comparison says of a player. */

/** A strength on it with two standard errors: of the path, for comparing years of the player, and
 * with the player's deviation, for comparing players. */
struct ipr_path_level {
    double strength, sd, apart;
};

struct ipr_path {
    struct ipr_figure_player_peak peak;
    struct ipr_path_level at_peak;     /* NAN: there is none */
    struct ipr_figure_path_year *year; /* [n]; none where no game is dated */
    struct ipr_path_level *at_year;    /* [n] */
    size_t n;
    bool by_file; /* by evaluations in files */
};

/** The paths of some persons, by one query. out[n] */
IPR_CHECK enum ipr_code ipr_paths_of(const struct ipr_view_context *c, const int32_t *persons,
                                     size_t n, struct ipr_path *out, struct ipr_err *err);

/** Index of a year; n: it has none. */
size_t ipr_path_find(const struct ipr_path *p, int year);

/** "path" of an answer. */
json_t *ipr_path_json(const struct ipr_path *p);

#endif
