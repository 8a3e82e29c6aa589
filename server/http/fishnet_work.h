#ifndef IPR_HTTP_FISHNET_WORK_H
#define IPR_HTTP_FISHNET_WORK_H

#include "core/config.h"
#include "db/games.h"
#include "db/jobs.h"
#include "db/remote.h"
#include "uci/remote.h"

/* Games on their way to and from other people's machines; a lease is known by the name that clients
 * give it (http/fishnet_wire.h). */

/** Who asks: the key, and the client by its own account. */
struct ipr_fishnet_visitor {
    struct ipr_db_key key;
    struct ipr_remote_client client;
};

/** A game in a client's hands. Memory from the arena it was made with. */
struct ipr_fishnet_lease {
    struct ipr_db_job job;
    struct ipr_db_game game;
    struct ipr_judge judge; /* the definition */
};

/** What a client says of its engine, as far as the search depends on it: two clients of the same
 * engine give the same text, whatever their machine, threads and hash. "" when it says nothing. */
#define IPR_FISHNET_ENGINE_MAX 64
void ipr_fishnet_engine(const struct ipr_remote_client *client, char out[IPR_FISHNET_ENGINE_MAX]);

/** Claims the next game and prolongs the lease over the whole of it, since clients say nothing
 * while they are at work on several lines. Jobs that such clients cannot do fail on the way.
 * IPR_ENOTFOUND when there is none, or none for this key: it holds as many as it may.
 * IPR_EDENIED "too_many_engines" when the client names an engine that is one too many. */
IPR_CHECK enum ipr_code ipr_fishnet_claim(struct ipr_db *db, const struct ipr_config *config,
                                          const struct ipr_fishnet_visitor *visitor,
                                          struct ipr_arena *mem, struct ipr_fishnet_lease *out,
                                          struct ipr_err *err);

/** Whether somebody holds the lease that a client names so, whoever it is. */
IPR_CHECK enum ipr_code ipr_fishnet_is_held(struct ipr_db *db, const char *id, bool *held,
                                            struct ipr_err *err);

/** The job of that lease; IPR_ECONFLICT when it is over, or never was this key's. */
IPR_CHECK enum ipr_code ipr_fishnet_held(struct ipr_db *db,
                                         const struct ipr_fishnet_visitor *visitor, const char *id,
                                         struct ipr_db_job *out, struct ipr_err *err);

enum ipr_fishnet_taken {
    IPR_FISHNET_STORED,  /* the game is judged */
    IPR_FISHNET_GOES_ON, /* a report under way */
    IPR_FISHNET_LATE,    /* the lease is over: nothing was stored */
    IPR_FISHNET_REFUSED  /* not what was asked for; `err` says why, and so does the job */
};

/**
 * Takes a client's report about the game of a lease. What is refused counts as an attempt at the
 * game, and against the key; not so an engine that is one too many, whose game goes back. A share
 * of what is stored is queued for a check by a local worker. Fails only where the service does.
 * Opens transactions of its own.
 */
IPR_CHECK enum ipr_code ipr_fishnet_take(struct ipr_db *db, const struct ipr_config *config,
                                         const struct ipr_fishnet_visitor *visitor, const char *id,
                                         struct ipr_str analysis, struct ipr_arena *mem,
                                         enum ipr_fishnet_taken *out, struct ipr_err *err);

#endif
