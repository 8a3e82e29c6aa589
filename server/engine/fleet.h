#ifndef IPR_ENGINE_FLEET_H
#define IPR_ENGINE_FLEET_H

#include "base/error.h"
#include "core/config.h"

/**
 * The workers of a process and their clerk (engine/worker.h, engine/store_thread.h): each worker
 * has an engine that searches as long as there are games, the clerk sees to the database. No
 * transaction is open while engines search. Any number of processes on any hosts may work on one
 * queue.
 */
struct ipr_fleet;

/**
 * Starts `workers` workers (0: none, then games of silent workers are swept up and nothing else)
 * and one connection to the database, which is the clerk's alone. Config is borrowed until the
 * stop. The engine of the default judge is started at once and is the first worker's: IPR_EIO with
 * one clear line when it does not answer, IPR_EDATA when it cannot be set up for that judge,
 * IPR_EPARSE when there is no such judge, or for the operator's other engines.
 */
IPR_CHECK enum ipr_code ipr_fleet_start(const struct ipr_config *config, unsigned workers,
                                        struct ipr_fleet **out, struct ipr_err *err);

/** Games being judged go back to the queue uncounted; engines quit; threads end. */
void ipr_fleet_stop(struct ipr_fleet **fleet);

#endif
