#ifndef IPR_DB_AGGREGATES_H
#define IPR_DB_AGGREGATES_H

#include "db/contribution.h"
#include "db/db.h"

/** What an aggregate is of. */
struct ipr_db_aggregate {
    int32_t player_id, judge_id;
    int year; /* 0: belongs to no year */
    int time_class;
};

/** Adds `sides` judged sides to a player-year, in the caller's transaction; both negative takes
 * them away. Does nothing for games without a year and for nobody. */
IPR_CHECK enum ipr_code ipr_db_player_year_add(struct ipr_db *db, const struct ipr_db_aggregate *of,
                                               int sides, const struct ipr_contribution *c,
                                               struct ipr_err *err);
/** The same to the player's total, dated or not. */
IPR_CHECK enum ipr_code ipr_db_player_total_add(struct ipr_db *db,
                                                const struct ipr_db_aggregate *of, int sides,
                                                const struct ipr_contribution *c,
                                                struct ipr_err *err);
/** And to the judge's total, in the row of this game. */
IPR_CHECK enum ipr_code ipr_db_judge_total_add(struct ipr_db *db, const struct ipr_db_aggregate *of,
                                               int64_t game_id, int games, int sides,
                                               const struct ipr_contribution *c,
                                               struct ipr_err *err);

#endif
