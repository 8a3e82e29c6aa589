#ifndef IPR_ENGINE_LEASES_H
#define IPR_ENGINE_LEASES_H

#include "core/outage.h"
#include "engine/handoff.h"
#include "engine/job_store.h"

/**
 * Jobs leased by this process: queued, with a worker, or finished and waiting for the database.
 * Renews their leases and stores their outcomes. Only the store thread uses it; it may read the
 * members.
 */
struct ipr_leases {
    const struct ipr_job_store *job_store;
    struct ipr_handoff *handoff;
    struct ipr_db_worker *tally;      /* counts the work done */
    struct ipr_assignment **all;      /* n jobs */
    struct ipr_assignment **finished; /* the n_finished jobs that no worker gets again */
    size_t n, n_finished, room;
    struct ipr_judge *identities; /* of the engines, as they answered; one per definition */
    size_t n_identities;
    size_t renew_from;          /* where the last round of heartbeats stopped */
    int64_t renew_at, store_at; /* when these are due */
    struct ipr_outage database; /* of the store thread's connection */
};

/** All arguments are borrowed until the release, which drops the remaining jobs. */
void ipr_leases_init(struct ipr_leases *h, const struct ipr_job_store *job_store,
                     struct ipr_handoff *handoff, struct ipr_db_worker *tally);
void ipr_leases_release(struct ipr_leases *h);

/** Adds a claimed job. Then it is either queued for the workers, with its known turns if the
 * engine's identity is known, or finished at once in the state that it has. */
void ipr_leases_add(struct ipr_leases *h, struct ipr_assignment *a);
void ipr_leases_queue(struct ipr_leases *h, struct ipr_assignment *a);
void ipr_leases_finish(struct ipr_leases *h, struct ipr_assignment *a);

/** Logs that the database did not do something (event; of a game unless it is 0): as part of one
 * outage if the database is unavailable or busy, else as a line of its own. */
void ipr_leases_log_error(struct ipr_leases *h, enum ipr_code rc, const char *event,
                          int64_t game_id, const struct ipr_err *err);

/** Takes the games that workers returned, and, once the queue is closed, those still in it. */
void ipr_leases_collect(struct ipr_leases *h);
/** Stores or releases the finished jobs; those that fail are retried later. */
void ipr_leases_store(struct ipr_leases *h, int64_t now);
/** Renews the leases when that is due. Marks jobs whose lease was lost. */
void ipr_leases_renew(struct ipr_leases *h, int64_t now);

#endif
