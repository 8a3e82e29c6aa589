#ifndef IPR_VIEW_RATING_PATH_H
#define IPR_VIEW_RATING_PATH_H

#include "db/strength.h"
#include "model/trajectory.h"
#include "view/context.h"

/* A player's strength over time (model/trajectory.h) and its peak: what every list, page and
 * comparison says of a player. */

struct ipr_path {
    int32_t person;
    struct ipr_figure_player_peak peak; /* `within` is set by ipr_path_add_within */
    struct ipr_figure_path_year *year;  /* [n]; none where no game is dated */
    size_t n;
    const struct ipr_trajectory *of; /* NULL: there is none */
    bool by_file;                    /* by evaluations in files */
};

/** The paths of some persons, by one query. out[n] */
IPR_CHECK enum ipr_code ipr_paths_of(const struct ipr_view_context *c, const int32_t *persons,
                                     size_t n, struct ipr_path *out, struct ipr_err *err);

/** Adds to the peak in which years it may have been. */
void ipr_path_add_within(struct ipr_path *p, struct ipr_arena *mem);

/** Index of a year; n: it has none. */
size_t ipr_path_find(const struct ipr_path *p, int year);

/** The years of some, of which the path has them; 0: open. */
struct ipr_list_path_year ipr_path_years(const struct ipr_path *p, int from, int to);
/** "path" of an answer. */
json_t *ipr_path_json(const struct ipr_path *p);

/** A player in some years: at the peak, or in years of a request. */
struct ipr_path_part {
    const struct ipr_path *path;
    struct ipr_trajectory_span years;
    struct ipr_trajectory_point at; /* NAN: there is none */
};

struct ipr_path_part ipr_path_at_peak(const struct ipr_path *p);
/** 0: open */
struct ipr_path_part ipr_path_in(const struct ipr_path *p, int from, int to);

/** The first less the second, which is what every comparison of two strengths rests on: of one
 * player by the joint distribution of the years. NAN: there is none. */
struct ipr_trajectory_change ipr_path_difference(const struct ipr_path_part *a,
                                                 const struct ipr_path_part *b);

/** That it is above 0. */
double ipr_path_probability(struct ipr_trajectory_change difference);

#endif
