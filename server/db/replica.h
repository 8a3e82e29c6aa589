#ifndef IPR_DB_REPLICA_H
#define IPR_DB_REPLICA_H

#include "db/db.h"

/*
 * A streaming replica of the database, which answers reads. A thread looks every second whether it
 * answers, is a standby of this database and has this program's schema: only then connections to it
 * are lent, and a request never waits for one that is not there. What was sent to a replica that
 * does not answer any longer fails within IPR_REPLICA_PATIENCE_MS or so with IPR_ERETRY
 * IPR_DB_AWAY.
 */

#define IPR_REPLICA_PATIENCE_MS 3000

struct ipr_db_replica;

/** Begins to look; returns when it has looked once, so that a replica that is there serves the
 * first request. What is wrong with it is logged: it is no reason not to start. */
IPR_CHECK enum ipr_code ipr_db_replica_start(const char *url, const char *primary_url,
                                             unsigned size, struct ipr_db_replica **out,
                                             struct ipr_err *err);
/** After the last connection was returned. Accepts NULL inside. */
void ipr_db_replica_stop(struct ipr_db_replica **replica);

/** Lends a connection, to be returned by ipr_db_return; NULL while the replica is not used. */
struct ipr_db *ipr_db_replica_lease(struct ipr_db_replica *replica);

/** How a read ended that the replica could have answered. */
enum ipr_replica_read {
    IPR_REPLICA_ANSWERED,
    IPR_REPLICA_BEHIND, /* it did not have this version of the data yet */
    IPR_REPLICA_UNUSED, /* it does not answer, or may not be used */
    IPR_REPLICA_FAILED, /* it gave an error, as what it has to replay came first */
    IPR_REPLICA_READS
};
/** "answered" */
const char *ipr_replica_read_name(enum ipr_replica_read what);

/** Counts it. */
void ipr_db_replica_count(struct ipr_db_replica *replica, enum ipr_replica_read what);
/** Counts a read that failed on the replica; if that does not answer no others are sent there. */
void ipr_db_replica_failed(struct ipr_db_replica *replica, const struct ipr_err *err);

struct ipr_replica_state {
    bool used;
    const char *reason; /* why not: "away", "not_a_standby", "other_database", "other_schema" */
    double lag_s;       /* age of the oldest change that it lacks; -1: not known */
    uint64_t reads[IPR_REPLICA_READS];
};
void ipr_db_replica_state(struct ipr_db_replica *replica, struct ipr_replica_state *out);

/** For /metrics. */
void ipr_db_replica_pool_use(struct ipr_db_replica *replica, unsigned *lent, unsigned *size);

#endif
