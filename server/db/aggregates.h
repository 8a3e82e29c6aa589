#ifndef IPR_DB_AGGREGATES_H
#define IPR_DB_AGGREGATES_H

#include "db/contribution.h"
#include "db/db.h"

/** The key of an aggregate. */
struct ipr_db_aggregate {
    int32_t player_id, judge_id;
    int year; /* 0: belongs to no year */
    int time_class;
};

/** A sum to add to one aggregate. */
struct ipr_db_share {
    struct ipr_db_aggregate of;
    int shard; /* for judge_total only: ipr_db_shard */
    int games; /* for judge_total only: games that this judge had not analysed before */
    int sides; /* negative, with a negative sum, to subtract */
    struct ipr_contribution sum;
};

#define IPR_DB_SHARDS 16 /* rows of judge_total a judge and class, and one for private games */

/** As game_shard() in sql/migrations. */
static inline int ipr_db_shard(int64_t game)
{
    return game < IPR_DB_PRIVATE_FROM ? (int)(game % IPR_DB_SHARDS) : IPR_DB_SHARDS;
}

#endif
