#ifndef IPR_ENGINE_FLEET_H
#define IPR_ENGINE_FLEET_H

#include "base/error.h"
#include "core/config.h"

/**
 * The workers of a process and its store thread (engine/worker.h, engine/store_thread.h): each
 * worker has an engine that searches as long as there are games; the store thread does all queries.
 * No transaction is open while engines search. Any number of processes on any hosts may work on
 * one queue.
 */
struct ipr_fleet;

/**
 * Starts `workers` workers (0: only expired jobs are requeued) and one connection to the database,
 * for the store thread alone. Config is borrowed until the stop. The engine of the default judge is
 * started at once, as the first worker's; one that does not answer is tried again with the first
 * game. IPR_EDATA when it cannot be configured for that judge, or INTRINSIC_JAIL requires what the
 * kernel does not grant; IPR_EPARSE when there is no such judge or INTRINSIC_ENGINES is malformed;
 * IPR_EIO when a program is not there.
 */
IPR_CHECK enum ipr_code ipr_fleet_start(const struct ipr_config *config, unsigned workers,
                                        struct ipr_fleet **out, struct ipr_err *err);

/** Running games go back to the queue uncounted; engines quit; threads end. */
void ipr_fleet_stop(struct ipr_fleet **fleet);

#endif
