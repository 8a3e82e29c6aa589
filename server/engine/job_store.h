#ifndef IPR_ENGINE_JOB_STORE_H
#define IPR_ENGINE_JOB_STORE_H

#include "core/config.h"
#include "db/db.h"
#include "db/workers.h"
#include "engine/assignment.h"

/**
 * What the database is asked and told about assignments, over a connection that serves nothing else
 * and is made anew when it broke. For a lock that somebody else holds it waits half a heartbeat,
 * since nobody prolongs a lease meanwhile. IPR_ERETRY: the database is away or busy; the same call
 * may succeed later. a->lost is set where the lease turns out to be (IPR_ECONFLICT); without it
 * IPR_ECONFLICT is a contradiction within the database, and the lease is still ours.
 */
struct ipr_job_store {
    const struct ipr_config *config;
    struct ipr_db_pool *pool; /* of one */
    char name[64];            /* of this process: host:pid */
};

/** Connects, once and for all calls: one thread uses a ledger. The built-in judges are defined
 * then. Config is borrowed until the close. */
IPR_CHECK enum ipr_code ipr_job_store_open(struct ipr_job_store *l, const struct ipr_config *config,
                                           struct ipr_err *err);
void ipr_job_store_close(struct ipr_job_store *l);

/** The next job of any of n programs, but for judges that the cursors leave out. IPR_ENOTFOUND:
 * none. */
IPR_CHECK enum ipr_code ipr_job_store_claim(const struct ipr_job_store *l,
                                            const struct ipr_db_queue_line *lines, size_t n,
                                            struct ipr_db_job *out, struct ipr_err *err);

/** A judge's definition as this machine runs it: with INTRINSIC_HASH_MB. */
IPR_CHECK enum ipr_code ipr_job_store_definition(const struct ipr_job_store *l, const char *name,
                                                 struct ipr_judge *out, struct ipr_err *err);

/** The game and the definition, or the check. IPR_ENOTFOUND: the game, the judge or what was to be
 * checked is not there. */
IPR_CHECK enum ipr_code ipr_job_store_load(const struct ipr_job_store *l, struct ipr_assignment *a,
                                           struct ipr_err *err);
/** Turns that this judge knows from other games; a->judge must be filled in. */
IPR_CHECK enum ipr_code ipr_job_store_known(const struct ipr_job_store *l, struct ipr_assignment *a,
                                            struct ipr_err *err);

/** How often leases are to be prolonged: four times within one, every two seconds at least. */
int ipr_job_store_beat_ms(const struct ipr_job_store *l);
/** Prolongs the lease and tells how far it is. */
IPR_CHECK enum ipr_code ipr_job_store_beat(const struct ipr_job_store *l, struct ipr_assignment *a,
                                           struct ipr_err *err);

/** One transaction: judge, evaluations, endgame truth, end of the job; or the outcome of a check.
 */
IPR_CHECK enum ipr_code ipr_job_store_store(const struct ipr_job_store *l, struct ipr_assignment *a,
                                            struct ipr_err *err);
/** The attempt counts. */
IPR_CHECK enum ipr_code ipr_job_store_fail(const struct ipr_job_store *l, struct ipr_assignment *a,
                                           struct ipr_err *err);
/** Back to the queue, uncounted. */
IPR_CHECK enum ipr_code ipr_job_store_release(const struct ipr_job_store *l,
                                              struct ipr_assignment *a, struct ipr_err *err);

/** Games of workers that have fallen silent. */
IPR_CHECK enum ipr_code ipr_job_store_sweep(const struct ipr_job_store *l, int32_t *expired,
                                            struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_job_store_register(const struct ipr_job_store *l,
                                               const struct ipr_db_worker *w, struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_job_store_leave(const struct ipr_job_store *l, struct ipr_err *err);

#endif
