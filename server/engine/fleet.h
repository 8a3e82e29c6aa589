#ifndef IPR_ENGINE_FLEET_H
#define IPR_ENGINE_FLEET_H

#include "base/error.h"
#include "core/config.h"
#include "db/db.h"

/**
 * Worker threads. Each owns one engine process and does one thing: claim a game, judge it, and
 * in one transaction store the evaluations, the aggregates of the player-years they touch, and
 * the end of the job. No transaction is open while the engine searches. A failing engine is
 * replaced and the game judged again; after the last attempt the job is marked failed with the
 * reason. A worker that loses its lease throws its work away.
 */
struct ipr_fleet;

/** Starts `workers` threads (0: none). Config and pool are borrowed until the stop. The engine
 * is started once to see that it answers: IPR_EIO with one clear line when it does not. */
IPR_CHECK enum ipr_code ipr_fleet_start(const struct ipr_config *config, struct ipr_db_pool *pool,
                                        unsigned workers, struct ipr_fleet **out,
                                        struct ipr_err *err);

/** Games being judged go back to the queue uncounted; engines quit; threads end. */
void ipr_fleet_stop(struct ipr_fleet **fleet);

#endif
