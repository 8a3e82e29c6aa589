#ifndef IPR_ENGINE_HELD_H
#define IPR_ENGINE_HELD_H

#include "core/outage.h"
#include "engine/desk.h"
#include "engine/ledger.h"

/**
 * The games a clerk has claimed and not yet parted with, wherever they are: on the desk, with a
 * worker, or finished and waiting for the database. Their leases are prolonged, and what becomes of
 * them is told, from here. The clerk's alone; members are its to read.
 */
struct ipr_held {
    const struct ipr_ledger *ledger;
    struct ipr_desk *desk;
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
void ipr_held_init(struct ipr_held *h, const struct ipr_ledger *ledger, struct ipr_desk *desk,
                   struct ipr_db_worker *tally);
void ipr_held_release(struct ipr_held *h);

/** Takes a game that was claimed; then it is either laid down on the desk, with the turns that are
 * known when it is known who the engine is, or finished at once, its state saying how. */
void ipr_held_add(struct ipr_held *h, struct ipr_assignment *a);
void ipr_held_lay_down(struct ipr_held *h, struct ipr_assignment *a);
void ipr_held_finish(struct ipr_held *h, struct ipr_assignment *a);

/** Tells the log that the database did not take something (event; of a game unless it is 0): one
 * outage for all that fails because it is away or busy, else a line of its own. */
void ipr_held_refused(struct ipr_held *h, enum ipr_code rc, const char *event, int64_t game_id,
                      const struct ipr_err *err);

/** Takes what workers have handed in, and, once the desk is closed, what lies there. */
void ipr_held_collect(struct ipr_held *h);
/** Stores and gives back what is finished, as soon as the database takes it. */
void ipr_held_settle(struct ipr_held *h, int64_t now);
/** Prolongs the leases when that is due. A game whose lease is lost is told so. */
void ipr_held_beat(struct ipr_held *h, int64_t now);

#endif
