#ifndef IPR_DB_REMOTE_H
#define IPR_DB_REMOTE_H

#include "db/db.h"
#include "db/jobs.h"

/* Other people's machines: the keys they judge under, what they have judged, and what checking some
 * of it again has shown. */

/** A refused result weighs as much as so many good ones take off again; a key is suspended when so
 * many refused ones weigh on it. A game that nobody can judge costs a key one of them, since it
 * goes to another next. */
#define IPR_DB_KEY_REFUSAL  5
#define IPR_DB_KEY_REFUSALS 5
/** Leases that ran out under a key (token.silent) from which on it is given one game at a time. */
#define IPR_DB_KEY_SILENCES 8
/** New engines a key may bring in thirty days. */
#define IPR_DB_KEY_ENGINES 8

#include "queries/remote.h"

/** Whether a key, which claims as `worker`, may have one more game when `leases` is what any may
 * hold. It counts as living, and other requests of it wait until the end of the transaction.
 * IPR_ENOTFOUND when it is revoked. */
IPR_CHECK enum ipr_code ipr_db_key_asks(struct ipr_db *db, int32_t key_id, const char *worker,
                                        int64_t leases, bool *may, struct ipr_err *err);

/** Whether a key has brought this engine before, or may bring one more. */
IPR_CHECK enum ipr_code ipr_db_key_engine(struct ipr_db *db, int32_t key_id, const char *engine,
                                          bool *known, bool *may, struct ipr_err *err);

/** Jobs by priority: [0] "user" (1 to 5: somebody waits), [1] "system" (6 to 9). Of one program, or
 * (NULL) of all. */
IPR_CHECK enum ipr_code ipr_db_status(struct ipr_db *db, const char *program,
                                      struct ipr_db_status out[2], struct ipr_err *err);

#endif
