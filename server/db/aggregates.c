#include "db/aggregates.h"

#include "db/identities.h"
#include "db/pq.h"

#define SHARDS 16 /* rows of judge_total a judge and class */

enum ipr_code ipr_db_player_year_add(struct ipr_db *db, const struct ipr_db_aggregate *of,
                                     int sides, const struct ipr_contribution *c,
                                     struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    if (of->year == 0 || of->player_id == IPR_PLAYER_NOBODY)
        return IPR_OK;
    ipr_db_p_int(&p, of->player_id);
    ipr_db_p_int(&p, of->year);
    ipr_db_p_int(&p, of->judge_id);
    ipr_db_p_int(&p, of->time_class);
    ipr_db_p_int(&p, sides);
    ipr_db_p_int(&p, c->turns);
    ipr_db_p_int(&p, c->counted);
    ipr_db_p_int(&p, c->at_0);
    ipr_db_p_int(&p, c->at_30);
    return ipr_db_exec(db, IPR_Q_PLAYER_YEAR_ADD, &p, NULL, err);
}

enum ipr_code ipr_db_player_total_add(struct ipr_db *db, const struct ipr_db_aggregate *of,
                                      int sides, const struct ipr_contribution *c,
                                      struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    if (of->player_id == IPR_PLAYER_NOBODY)
        return IPR_OK;
    ipr_db_p_int(&p, of->player_id);
    ipr_db_p_int(&p, of->judge_id);
    ipr_db_p_int(&p, of->time_class);
    ipr_db_p_int(&p, sides);
    ipr_db_p_int(&p, c->turns);
    return ipr_db_exec(db, IPR_Q_PLAYER_TOTAL_ADD, &p, NULL, err);
}

enum ipr_code ipr_db_judge_total_add(struct ipr_db *db, const struct ipr_db_aggregate *of,
                                     int64_t game_id, int games, int sides,
                                     const struct ipr_contribution *c, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, of->judge_id);
    ipr_db_p_int(&p, game_id % SHARDS);
    ipr_db_p_int(&p, of->time_class);
    ipr_db_p_int(&p, games);
    ipr_db_p_int(&p, sides);
    ipr_db_p_int(&p, c->turns);
    return ipr_db_exec(db, IPR_Q_JUDGE_TOTAL_ADD, &p, NULL, err);
}
