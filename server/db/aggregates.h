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

/** What is added to an aggregate. */
struct ipr_db_share {
    struct ipr_db_aggregate of;
    int shard; /* of judge_total: game_id % IPR_DB_SHARDS */
    int games; /* the same: first analysed by this judge */
    int sides; /* negative with a negative sum: they are subtracted */
    struct ipr_contribution sum;
};

#define IPR_DB_SHARDS 16 /* rows of judge_total a judge and class */

#endif
