#include "db/aggregates.h"

#include "db/identities.h"
#include "queries/turns_inside.h"

#define SHARDS 16 /* rows of judge_total a judge and class */

enum ipr_code ipr_db_player_year_add(struct ipr_db *db, const struct ipr_db_aggregate *of,
                                     int sides, const struct ipr_contribution *c,
                                     struct ipr_err *err)
{
    if (of->year == 0 || of->player_id == IPR_PLAYER_NOBODY)
        return IPR_OK;
    return ipr_db_player_year_sum(db, of, sides, c, err);
}

enum ipr_code ipr_db_player_total_add(struct ipr_db *db, const struct ipr_db_aggregate *of,
                                      int sides, const struct ipr_contribution *c,
                                      struct ipr_err *err)
{
    if (of->player_id == IPR_PLAYER_NOBODY)
        return IPR_OK;
    return ipr_db_player_total_sum(db, of, sides, c->turns, err);
}

enum ipr_code ipr_db_judge_total_add(struct ipr_db *db, const struct ipr_db_aggregate *of,
                                     int64_t game_id, int games, int sides,
                                     const struct ipr_contribution *c, struct ipr_err *err)
{
    return ipr_db_judge_total_sum(db, of, (int)(game_id % SHARDS), games, sides, c->turns, err);
}
