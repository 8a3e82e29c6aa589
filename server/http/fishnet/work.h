#ifndef IPR_HTTP_FISHNET_WORK_H
#define IPR_HTTP_FISHNET_WORK_H

#include "core/config.h"
#include "db/games.h"
#include "db/jobs.h"
#include "db/remote.h"
#include "uci/remote.h"

/* Games for remote machines, and their results; a lease is identified by its name in the protocol
 * (http/fishnet/wire.h). */

#define IPR_FISHNET_PROGRAM "fishnet"

/** The key, and the client as it describes itself. */
struct ipr_fishnet_visitor {
    struct ipr_db_key key;
    struct ipr_remote_client client;
    char worker[96]; /* as the queue names it */
};

/** A game leased to a client. Memory from the arena it was made with. */
struct ipr_fishnet_lease {
    struct ipr_db_job job;
    struct ipr_db_game game;
    struct ipr_judge judge; /* the definition, with the limit requested */
    bool *chosen;           /* of a confirmation: the moves to be searched; NULL: all of them */
    size_t turns;           /* to be judged */
};

/** The engine of a client, as far as it matters for the search: the same text for two clients with
 * the same engine, whatever their machine, threads and hash. "" if unknown. */
#define IPR_FISHNET_ENGINE_MAX 64
void ipr_fishnet_engine(const struct ipr_remote_client *client, char out[IPR_FISHNET_ENGINE_MAX]);

/** Claims the next game, or, when there is none, a confirmation (engine/confirm.h), with a lease
 * for the whole of it, since clients send nothing during a search of several lines. Jobs that such
 * clients cannot do are failed. IPR_ENOTFOUND when there is none, or the key already holds its
 * maximum. IPR_EDENIED "too_many_engines" when the client's engine exceeds their maximum. */
IPR_CHECK enum ipr_code ipr_fishnet_claim(struct ipr_db *db, const struct ipr_config *config,
                                          const struct ipr_fishnet_visitor *visitor,
                                          struct ipr_arena *mem, struct ipr_fishnet_lease *out,
                                          struct ipr_err *err);

/** Sets *held to whether the lease with that name is held, by any key. */
IPR_CHECK enum ipr_code ipr_fishnet_is_held(struct ipr_db *db, const char *id, bool *held,
                                            struct ipr_err *err);

/** The job of that lease; IPR_ECONFLICT when it is over, or belongs to another key. */
IPR_CHECK enum ipr_code ipr_fishnet_held(struct ipr_db *db,
                                         const struct ipr_fishnet_visitor *visitor, const char *id,
                                         struct ipr_db_job *out, struct ipr_err *err);

enum ipr_fishnet_taken {
    IPR_FISHNET_STORED,  /* the game is judged */
    IPR_FISHNET_GOES_ON, /* a partial report */
    IPR_FISHNET_LATE,    /* the lease is over: nothing was stored */
    IPR_FISHNET_REFUSED  /* invalid; the reason is in `err` and in the job */
};

/** Takes a client's report about the game of a lease. A rejected report counts as an attempt at the
 * game, and against the key; after one engine too many the game is only requeued. A share of the
 * stored games is queued for a check by a local worker. Returns an error only for failures of the
 * service. Uses its own transactions.
 */
IPR_CHECK enum ipr_code ipr_fishnet_take(struct ipr_db *db, const struct ipr_config *config,
                                         const struct ipr_fishnet_visitor *visitor, const char *id,
                                         struct ipr_str analysis, struct ipr_arena *mem,
                                         enum ipr_fishnet_taken *out, struct ipr_err *err);

#endif
