#ifndef IPR_VIEW_PLAYER_RANKING_H
#define IPR_VIEW_PLAYER_RANKING_H

#include "db/lists.h"
#include "view/rating/path.h"

/** Least number of moves of a ranked player, about 25 games; where no player has as many,
 * IPR_VIEW_MIN_TURNS. */
#define IPR_RANKING_MOVES 1000

/** The players of the highest peaks, highest first. */
struct ipr_ranking {
    struct ipr_db_player *player; /* [n] */
    struct ipr_path *path;        /* [n] */
    double *first, *first_five;   /* [n] chances of being the strongest, and of the first five */
    size_t n;
    int moves;           /* that each of them has, at least */
    bool complete;       /* all stored games are counted, not only those listed so far */
    const char *fastest; /* who of those with so many moves improved fastest; NULL: nobody */
};

/** At most `limit` of them. */
IPR_CHECK enum ipr_code ipr_ranking_open(const struct ipr_view_context *c, int limit,
                                         struct ipr_ranking *out, struct ipr_err *err);

/** Their paths, by one query. out[n] */
IPR_CHECK enum ipr_code ipr_ranking_paths(const struct ipr_view_context *c,
                                          const struct ipr_db_player *rows, size_t n,
                                          struct ipr_path **out, struct ipr_err *err);

/** A sentence on the player of a list who improved most within five years; NULL: no career is long
 * enough. */
IPR_CHECK enum ipr_code ipr_ranking_fastest(const struct ipr_view_context *c, int32_t list,
                                            const struct ipr_db_person_filter *f, const char **out,
                                            struct ipr_err *err);

#endif
