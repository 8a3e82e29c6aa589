#ifndef IPR_DB_JOBS_H
#define IPR_DB_JOBS_H

#include "db/db.h"
#include "uci/judge.h"

/* The queue for workers (for requests and control see db/analyses.h). One job is one game, or one
 * side of it, for one judge, by name. Claims use FOR UPDATE SKIP LOCKED, a lease with a random
 * fencing token, the database's clock; no transaction is held while the engine searches.
 *
 * An attempt is counted at the claim. It is subtracted again when the worker stops, when the job is
 * paused, and when the lease expires because the worker is silent, since most such workers were
 * stopped from outside: the three attempts are for engines that fail. Silences are counted
 * separately, so that a game which kills its workers fails, too, after nine of them (three times
 * the attempts).
 *
 * Order: priority, then place (start-time fair queueing over owners), then id, whatever the
 * program: local programs have one queue, of which a worker takes what it can do. "fishnet" has
 * another one: its clients may be slow or absent, and must not delay other jobs.
 */

/** Queues the games of which no judge of this name has judged the sides wanted (one set for each:
 * bit 0 White, bit 1 Black; ipr_judge_by_side). An existing job
 * keeps its place, and is for the sides of all requests: those that come while it runs are judged
 * after it; a failed one is made ready again, attempts 0. The judge must be defined (db/judges.h):
 * IPR_ENOTFOUND. Returns how many jobs are new, ready again, or for more sides. In the caller's
 * transaction; jobs of the same owner that another transaction is queueing are not seen, and may
 * get the same places: the owner's jobs are then taken two at a time until the shorter list is
 * done. Only an import takes long enough for that (requests by db/analyses.h wait for each other).
 */
IPR_CHECK enum ipr_code ipr_db_jobs_enqueue_sides(struct ipr_db *db, const int64_t *game_ids,
                                                  const int32_t *sides, size_t n, const char *judge,
                                                  int priority, const char *owner, int32_t *queued,
                                                  struct ipr_err *err);
/** The same for both sides of the games. */
IPR_CHECK enum ipr_code ipr_db_jobs_enqueue(struct ipr_db *db, const int64_t *game_ids, size_t n,
                                            const char *judge, int priority, const char *owner,
                                            int32_t *queued, struct ipr_err *err);
/** The same within the transaction of an import, which must not lock jobs that workers have: games
 * with a job for one side are stored for the next ipr_db_jobs_sweep. game_ids: ascending,
 * reordered; *queued includes them. */
IPR_CHECK enum ipr_code ipr_db_jobs_enqueue_import(struct ipr_db *db, int64_t *game_ids, size_t n,
                                                   const char *judge, int priority,
                                                   const char *owner, int32_t *queued,
                                                   struct ipr_err *err);

enum ipr_db_job_kind { IPR_JOB_JUDGE, IPR_JOB_CHECK, IPR_JOB_CONFIRM };

/** Priorities of requests are 1 to this; confirmations (engine/confirm.h) come after all of them.
 */
#define IPR_PRIORITY_LAST 9

#include "queries/jobs.h"

/**
 * Position of a claimer in the jobs of a program, so that the next claim need not read the entries
 * of finished jobs: while an old snapshot is open these stay in the index, before the others.
 * Zeroed at first. It returns to the start when nothing is found, and every second, since jobs may
 * have been added before it; if that takes long, less often, so that it costs at most a twentieth
 * of the claimer's time. So jobs that were requeued or are more urgent may be skipped for a second.
 *
 * If it takes long to find nothing (many jobs, all for skipped judges) the program is treated as
 * empty for the same time, five seconds at most: new jobs wait until then.
 *
 * `without` are judges whose jobs are skipped; the claimer sets it, borrowed, and may change it
 * between claims.
 */
struct ipr_db_queue_cursor {
    int priority;
    int64_t place, id;
    int64_t anew_ms; /* monotonic: when it returns to the start */
    bool empty;      /* nothing was found in it: not read before anew_ms */
    const char *const *without;
    size_t n_without;
    int from, upto; /* the first and the last priority that are taken, likewise; 0: any */
};

/** The jobs of one program ("stockfish", …, "fishnet"), and the claimer's cursor in them. */
struct ipr_db_queue_line {
    const char *program;
    struct ipr_db_queue_cursor *cursor;
};

/** Takes the next job of n programs; lease_s seconds. `worker` is a process, as in the register
 * (db/workers.h); jobs that failed with it, or whose lease it let expire, are left for a while to
 * other workers that have the program, if there are any. IPR_ENOTFOUND when none is ready.
 */
IPR_CHECK enum ipr_code ipr_db_job_claim_any(struct ipr_db *db,
                                             const struct ipr_db_queue_line *lines, size_t n,
                                             const char *worker, int lease_s,
                                             struct ipr_db_job *out, struct ipr_err *err);
/** The same for one program. */
IPR_CHECK enum ipr_code ipr_db_job_claim(struct ipr_db *db, const char *program, const char *worker,
                                         int lease_s, struct ipr_db_queue_cursor *cursor,
                                         struct ipr_db_job *out, struct ipr_err *err);
/** Jobs with expired leases become ready again, each expiry counts as a silence; at the ninth they
 * fail. Queues the postponed requests of imports. Combines the totals of the queue. */
IPR_CHECK enum ipr_code ipr_db_jobs_sweep(struct ipr_db *db, int32_t *expired, struct ipr_err *err);

#endif
