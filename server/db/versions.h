#ifndef IPR_DB_VERSIONS_H
#define IPR_DB_VERSIONS_H

#include "db/db.h"

/** Which data an answer rests on. */
enum ipr_db_version {
    IPR_VERSION_SNAPSHOT, /* everything: another one after any write */
    IPR_VERSION_STORE,    /* lists and totals */
    IPR_VERSION_PLAYER,   /* of a person, by any of its identities */
    IPR_VERSION_EVENT,
    IPR_VERSION_GAME,
    IPR_VERSION_JUDGES, /* which engine setting a name stands for */
    IPR_VERSION_QUEUE,  /* what is waiting or running */
};

/** Its version: equal texts are equal data. `id` of the player, event or game, else 0. */
IPR_CHECK enum ipr_code ipr_db_version(struct ipr_db *db, enum ipr_db_version of, int64_t id,
                                       struct ipr_arena *mem, const char **out,
                                       struct ipr_err *err);

#endif
