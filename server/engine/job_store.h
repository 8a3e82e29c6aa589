#ifndef IPR_ENGINE_JOB_STORE_H
#define IPR_ENGINE_JOB_STORE_H

#include "core/config.h"
#include "db/clock.h"
#include "db/db.h"
#include "db/workers.h"
#include "engine/assignment.h"

/**
 * The job store: all queries about assignments, over a connection of its own that is reopened when
 * it breaks. It waits for a lock at most half a heartbeat, since no lease is renewed meanwhile.
 * IPR_ERETRY: the database is unavailable or busy; the same call may succeed later. a->lost is set
 * when the lease was lost (IPR_ECONFLICT); IPR_ECONFLICT without it is an inconsistency within the
 * database, and the lease is still ours.
 */
struct ipr_job_store {
    const struct ipr_config *config;
    struct ipr_db_pool *pool; /* of one */
    char name[64];            /* of this process: host:pid */
};

/** Connects and defines the built-in judges. One thread uses a job store. Config is borrowed until
 * the close. */
IPR_CHECK enum ipr_code ipr_job_store_open(struct ipr_job_store *l, const struct ipr_config *config,
                                           struct ipr_err *err);
void ipr_job_store_close(struct ipr_job_store *l);

/** The next job of any of n programs, except for judges that the cursors exclude. IPR_ENOTFOUND:
 * none. */
IPR_CHECK enum ipr_code ipr_job_store_claim(const struct ipr_job_store *l,
                                            const struct ipr_db_queue_line *lines, size_t n,
                                            struct ipr_db_job *out, struct ipr_err *err);

/** A judge's definition as this machine runs it: with INTRINSIC_HASH_MB. */
IPR_CHECK enum ipr_code ipr_job_store_definition(const struct ipr_job_store *l, const char *name,
                                                 struct ipr_judge *out, struct ipr_err *err);

/** The game and the definition, or the check. IPR_ENOTFOUND: the game, the judge or the judgement
 * to check does not exist. */
IPR_CHECK enum ipr_code ipr_job_store_load(const struct ipr_job_store *l, struct ipr_assignment *a,
                                           struct ipr_err *err);
/** Turns that this judge has judged in other games; a->judge must be filled in. */
IPR_CHECK enum ipr_code ipr_job_store_known_turns(const struct ipr_job_store *l,
                                                  struct ipr_assignment *a, struct ipr_err *err);

/** Interval of renewal: a quarter of the lease, at most two seconds. */
int ipr_job_store_renew_ms(const struct ipr_job_store *l);
/** Renews the lease and reports the progress. */
IPR_CHECK enum ipr_code ipr_job_store_renew(const struct ipr_job_store *l, struct ipr_assignment *a,
                                            struct ipr_err *err);

/** Stores, in one transaction, judge, evaluations, endgame values and the end of the job; or the
 * outcome of a check. */
IPR_CHECK enum ipr_code ipr_job_store_complete(const struct ipr_job_store *l,
                                               struct ipr_assignment *a, struct ipr_err *err);
/** Back to the queue; the attempt counts. */
IPR_CHECK enum ipr_code ipr_job_store_fail(const struct ipr_job_store *l, struct ipr_assignment *a,
                                           struct ipr_err *err);
/** Back to the queue; the attempt does not count. */
IPR_CHECK enum ipr_code ipr_job_store_release(const struct ipr_job_store *l,
                                              struct ipr_assignment *a, struct ipr_err *err);

/** ipr_db_clock_check. */
IPR_CHECK enum ipr_code ipr_job_store_clock(const struct ipr_job_store *l,
                                            struct ipr_db_clock *clock, struct ipr_err *err);
/** Requeues the jobs whose leases expired. */
IPR_CHECK enum ipr_code ipr_job_store_sweep(const struct ipr_job_store *l, int32_t *expired,
                                            struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_job_store_register(const struct ipr_job_store *l,
                                               const struct ipr_db_worker *w, struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_job_store_leave(const struct ipr_job_store *l, struct ipr_err *err);

#endif
