#ifndef IPR_VIEW_PLAYER_RANKING_H
#define IPR_VIEW_PLAYER_RANKING_H

#include "db/lists.h"
#include "view/rating/path.h"

/** Least number of moves of a ranked player, about 25 games; where no player has as many,
 * IPR_VIEW_MIN_TURNS. */
#define IPR_RANKING_MOVES 1000

/** So many players are ranked, however many of them are shown: chances of being first do not
 * depend on that. */
#define IPR_RANKING_MOST 100

/** The players of the highest peaks, highest first. */
struct ipr_ranking {
    struct ipr_db_player *player; /* [n] */
    struct ipr_path *path;        /* [n] */
    double *first, *first_five;   /* [n] chances of being the strongest, and of the first five */
    size_t n;
    int moves;           /* that each of them has, at least */
    bool complete;       /* all stored games are counted, not only those listed so far */
    const char *fastest; /* whose rise is the largest of those with so many moves; NULL: nobody's */
};

IPR_CHECK enum ipr_code ipr_ranking_open(const struct ipr_view_context *c, struct ipr_ranking *out,
                                         struct ipr_err *err);

/** That of a list which is complete, of all players with enough moves, or of those of a filter. */
IPR_CHECK enum ipr_code ipr_ranking_of_list(const struct ipr_view_context *c, int32_t list,
                                            struct ipr_ranking *out, struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_ranking_of_some(const struct ipr_view_context *c, int32_t list,
                                            const struct ipr_db_person_filter *f,
                                            struct ipr_ranking *out, struct ipr_err *err);
/** That of some players, who need not have a peak; without those of few moves where others have
 * more. */
struct ipr_ranking ipr_ranking_of_rows(const struct ipr_view_context *c,
                                       const struct ipr_db_player *rows,
                                       const struct ipr_path *path, size_t n);

/** Its index of a player; n: none. */
size_t ipr_ranking_find(const struct ipr_ranking *r, int32_t player);

/** A sentence on who is highest and how sure that is, with `some` among the players listed only.
 * NULL where no player has a peak. */
const char *ipr_ranking_finding(const struct ipr_ranking *r, bool some, struct ipr_arena *mem);

/** Their paths, by one query. out[n] */
IPR_CHECK enum ipr_code ipr_ranking_paths(const struct ipr_view_context *c,
                                          const struct ipr_db_player *rows, size_t n,
                                          struct ipr_path **out, struct ipr_err *err);

/** A sentence on the player of a list with the largest rise over five years; NULL: no career is
 * long enough. */
IPR_CHECK enum ipr_code ipr_ranking_fastest(const struct ipr_view_context *c, int32_t list,
                                            const struct ipr_db_person_filter *f, const char **out,
                                            struct ipr_err *err);

#endif
