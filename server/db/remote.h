#ifndef IPR_DB_REMOTE_H
#define IPR_DB_REMOTE_H

#include "db/db.h"
#include "db/jobs.h"

/* Other people's machines: their keys, what they have judged, and the results of checks. */

/** A rejected result adds a penalty that so many good results remove; a key is suspended at the
 * penalty of so many rejected results. A game that no machine can judge costs a key only one of
 * them, since another key gets it next. */
#define IPR_DB_KEY_REFUSAL  5
#define IPR_DB_KEY_REFUSALS 5
/** From this number of expired leases on (token.silent) a key gets one game at a time. */
#define IPR_DB_KEY_SILENCES 8
/** New engines a key may bring in thirty days. */
#define IPR_DB_KEY_ENGINES 8

#include "queries/remote.h"

/** *may: the key, which claims as `worker`, may have one more game, where each may hold `leases`.
 * The key counts as live, and its other requests wait until the end of the transaction.
 * IPR_ENOTFOUND when it is revoked. */
IPR_CHECK enum ipr_code ipr_db_key_asks(struct ipr_db *db, int32_t key_id, const char *worker,
                                        int64_t leases, bool *may, struct ipr_err *err);

/** *known: the key has brought this engine before; *may: it has, or may bring one more. */
IPR_CHECK enum ipr_code ipr_db_key_engine(struct ipr_db *db, int32_t key_id, const char *engine,
                                          bool *known, bool *may, struct ipr_err *err);

/** Jobs by priority: [0] "user" (1 to 5: a user waits), [1] "system" (6 to 9). For one program, or
 * for all (NULL). */
IPR_CHECK enum ipr_code ipr_db_status(struct ipr_db *db, const char *program,
                                      struct ipr_db_status out[2], struct ipr_err *err);

#endif
