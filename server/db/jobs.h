#ifndef IPR_DB_JOBS_H
#define IPR_DB_JOBS_H

#include "db/db.h"
#include "uci/judge.h"

/* The queue, as workers see it (those who ask for judging: db/analyses.h). One job is one game for
 * one judge, by name. Claims use FOR UPDATE SKIP LOCKED, a lease with a random fencing token, the
 * database's clock; no transaction is held while the engine searches.
 *
 * An attempt counts at the claim. It is given back when the worker stops, or the job is paused, and
 * when the worker falls silent, for most that do were stopped from outside: the three attempts are
 * for engines that fail. Silences are counted by themselves, so that a game which kills its workers
 * ends too, after nine of them (three times the attempts).
 *
 * Order: priority, then place (start-time fair queueing over owners), then id, whatever the
 * program: local programs have one queue, of which a worker takes what it can do. "fishnet" has
 * another one: its clients are slow, or not there, and nobody is to be kept waiting by their pace.
 */

/** Queues the games that lack a judged side of a judge with this name; a job that is there
 * already keeps its place (a failed one is made ready again, attempts 0). The judge must be
 * defined (db/judges.h): IPR_ENOTFOUND. Returns how many became ready. In the caller's
 * transaction; jobs of the same owner that another one is queueing are not seen, and may be given
 * the same places: the owner then has as many turns at a time until the shorter row is done. Only
 * an import is long enough for that (db/analyses.h has those who ask wait for each other). */
IPR_CHECK enum ipr_code ipr_db_jobs_enqueue(struct ipr_db *db, const int64_t *game_ids, size_t n,
                                            const char *judge, int priority, const char *owner,
                                            int32_t *queued, struct ipr_err *err);

enum ipr_db_job_kind { IPR_JOB_JUDGE, IPR_JOB_CHECK };

#include "queries/jobs.h"

/**
 * Where a claimer is in the jobs of a program, so that the next claim need not wade through what is
 * gone: while somebody holds an old snapshot the entries of finished jobs stay in the index, ahead
 * of the rest. Zeroed at first. It starts anew when nothing is found, and every second, for jobs
 * may have come ahead of it; where that takes long less often, so that it costs a twentieth of the
 * claimer's time at most. So for a second what came back, or is more urgent, may be skipped.
 *
 * Where it takes long to find nothing (many jobs, all of judges left alone) the program is taken
 * for empty for as long as that, five seconds at most: what is new there waits until then.
 *
 * `without` are judges whose jobs are left alone; the claimer sets it, borrowed, and may change it
 * between claims.
 */
struct ipr_db_queue_cursor {
    int priority;
    int64_t place, id;
    int64_t anew_ms; /* monotonic: when it starts anew */
    bool empty;      /* nothing was found in it: not read before anew_ms */
    const char *const *without;
    size_t n_without;
};

/** The jobs of one program ("stockfish", …, "fishnet"), and the claimer's cursor in them. */
struct ipr_db_queue_line {
    const char *program;
    struct ipr_db_queue_cursor *cursor;
};

/** Takes the job whose turn it is among those of n programs; lease_s seconds. `worker` is a
 * process, as in the register of them (db/workers.h); what failed with it, or fell silent, is left
 * for a while to others that have the program, if there are any. IPR_ENOTFOUND when none is ready.
 */
IPR_CHECK enum ipr_code ipr_db_job_claim_any(struct ipr_db *db,
                                             const struct ipr_db_queue_line *lines, size_t n,
                                             const char *worker, int lease_s,
                                             struct ipr_db_job *out, struct ipr_err *err);
/** The same of one program. */
IPR_CHECK enum ipr_code ipr_db_job_claim(struct ipr_db *db, const char *program, const char *worker,
                                         int lease_s, struct ipr_db_queue_cursor *cursor,
                                         struct ipr_db_job *out, struct ipr_err *err);
/** Expired leases become ready again, each a silence; at the ninth failed. Tidies the
 * totals of the queue. */
IPR_CHECK enum ipr_code ipr_db_jobs_sweep(struct ipr_db *db, int32_t *expired, struct ipr_err *err);

#endif
