#ifndef IPR_VIEW_PLAYER_RANKING_H
#define IPR_VIEW_PLAYER_RANKING_H

#include "db/players.h"
#include "view/rating/path.h"

/** Moves without which a player is not ranked: some 25 games. Where nobody has so many, it is
 * IPR_VIEW_MIN_TURNS. */
#define IPR_RANKING_MOVES 1000

/** The players of the highest peaks, highest first. */
struct ipr_ranking {
    const struct ipr_db_player **player; /* [n] */
    const struct ipr_path **path;        /* [n] */
    double *first, *first_five; /* [n] chances of being the strongest, and of the first five */
    size_t n;
    size_t moves;  /* that each of them has, at least */
    bool complete; /* all stored games are counted, not only those listed so far */
};

/** At most `limit` of them. */
IPR_CHECK enum ipr_code ipr_ranking_open(const struct ipr_view_context *c, size_t limit,
                                         struct ipr_ranking *out, struct ipr_err *err);

#endif
