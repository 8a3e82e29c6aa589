#ifndef IPR_DB_JOBS_H
#define IPR_DB_JOBS_H

#include "db/db.h"

/* The queue. One job is one game for one judge (by name). Claims use FOR UPDATE SKIP LOCKED, a
 * lease with a random fencing token, the database's clock; no transaction is held while the
 * engine searches. An attempt counts at the claim and is given back when the worker stops or
 * falls silent: the three are for engines that fail. */

/** Queues the games that lack a judged side of a judge with this name; a job that is there
 * already keeps its place (a failed one is made ready again, attempts 0). Returns how many
 * became ready. In the caller's transaction. */
IPR_CHECK enum ipr_code ipr_db_jobs_enqueue(struct ipr_db *db, const int64_t *game_ids, size_t n,
                                            const char *judge, int priority, int32_t *queued,
                                            struct ipr_err *err);

struct ipr_db_job {
    int64_t id, game_id, token;
    char judge[32];
    int attempts;
};

/** Takes the next job; lease_s seconds. IPR_ENOTFOUND when none is ready. */
IPR_CHECK enum ipr_code ipr_db_job_claim(struct ipr_db *db, const char *worker, int lease_s,
                                         struct ipr_db_job *out, struct ipr_err *err);
/** Prolongs the lease and records progress. IPR_ECONFLICT when the lease is no longer ours. */
IPR_CHECK enum ipr_code ipr_db_job_heartbeat(struct ipr_db *db, const struct ipr_db_job *job,
                                             int lease_s, int turns_done, int turns_total,
                                             struct ipr_err *err);
/** Inside the transaction that stores the results: deletes the job. IPR_ECONFLICT when the
 * lease is lost; the transaction must then be rolled back. */
IPR_CHECK enum ipr_code ipr_db_job_complete(struct ipr_db *db, const struct ipr_db_job *job,
                                            struct ipr_err *err);
/** Back to ready with a back-off, or failed at the last attempt, with the reason. */
IPR_CHECK enum ipr_code ipr_db_job_fail(struct ipr_db *db, const struct ipr_db_job *job,
                                        const char *reason, struct ipr_err *err);
/** Back to ready at once, the attempt not counted: for an orderly stop. */
IPR_CHECK enum ipr_code ipr_db_job_release(struct ipr_db *db, const struct ipr_db_job *job,
                                           struct ipr_err *err);
/** Expired leases become ready again, the attempt not counted: a worker that dies is no fault of
 * the game's. Failed only when nine workers have fallen silent over the same game. */
IPR_CHECK enum ipr_code ipr_db_jobs_sweep(struct ipr_db *db, int32_t *expired, struct ipr_err *err);

struct ipr_db_queue {
    int64_t ready, leased, failed;
    int64_t judged_games, judged_turns; /* all judges */
};
IPR_CHECK enum ipr_code ipr_db_queue_state(struct ipr_db *db, struct ipr_db_queue *out,
                                           struct ipr_err *err);

struct ipr_db_running {
    int64_t game_id;
    const char *white, *black, *event, *worker, *judge;
    int year, turns_done, turns_total, attempts;
};
/** Games being judged now. */
IPR_CHECK enum ipr_code ipr_db_jobs_running(struct ipr_db *db, struct ipr_arena *mem,
                                            struct ipr_db_running **rows, size_t *n,
                                            struct ipr_err *err);

#endif
