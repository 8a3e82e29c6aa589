#ifndef IPR_ENGINE_LEASES_H
#define IPR_ENGINE_LEASES_H

#include "core/outage.h"
#include "engine/handoff.h"
#include "engine/job_store.h"

/**
 * The games a clerk has claimed and not yet parted with, wherever they are: on the desk, with a
 * worker, or finished and waiting for the database. Their leases are prolonged, and what becomes of
 * them is told, from here. The clerk's alone; members are its to read.
 */
struct ipr_leases {
    const struct ipr_job_store *ledger;
    struct ipr_handoff *desk;
    struct ipr_db_worker *tally;      /* counts what is done */
    struct ipr_assignment **all;      /* n of them */
    struct ipr_assignment **finished; /* those of them that no worker will have again */
    size_t n, n_finished, room;
    struct ipr_judge *identities; /* as engines have answered, one for each definition */
    size_t n_identities;
    size_t beat_from;           /* where the last round of heartbeats ended */
    int64_t beat_at, settle_at; /* when these are due, if there is anything to do */
    struct ipr_outage database; /* of the clerk's connection, whatever it is used for */
};

/** Everything is borrowed until the release, which forgets what is still held. */
void ipr_leases_init(struct ipr_leases *h, const struct ipr_job_store *ledger,
                     struct ipr_handoff *desk, struct ipr_db_worker *tally);
void ipr_leases_release(struct ipr_leases *h);

/** Takes a game that was claimed; then it is either laid down on the desk, with the turns that are
 * known when it is known who the engine is, or finished at once, its state saying how. */
void ipr_leases_add(struct ipr_leases *h, struct ipr_assignment *a);
void ipr_leases_lay_down(struct ipr_leases *h, struct ipr_assignment *a);
void ipr_leases_finish(struct ipr_leases *h, struct ipr_assignment *a);

/** Tells the log that the database did not take something (event; of a game unless it is 0): one
 * outage for all that fails because it is away or busy, else a line of its own. */
void ipr_leases_refused(struct ipr_leases *h, enum ipr_code rc, const char *event, int64_t game_id,
                        const struct ipr_err *err);

/** Takes what workers have handed in, and, once the desk is closed, what lies there. */
void ipr_leases_collect(struct ipr_leases *h);
/** Stores and gives back what is finished, as soon as the database takes it. */
void ipr_leases_settle(struct ipr_leases *h, int64_t now);
/** Prolongs the leases when that is due. A game whose lease is lost is told so. */
void ipr_leases_beat(struct ipr_leases *h, int64_t now);

#endif
