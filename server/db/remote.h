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

struct ipr_db_key {
    int32_t id;
    const char *name;
    const char *suspended; /* the reason, NULL: it may judge */
};

/** The fishnet key of that digest; IPR_ENOTFOUND when there is none. */
IPR_CHECK enum ipr_code ipr_db_key_get(struct ipr_db *db, const unsigned char digest[32],
                                       struct ipr_arena *mem, struct ipr_db_key *out,
                                       struct ipr_err *err);

/** A result under this key was refused. *suspended tells whether that was one too many. */
IPR_CHECK enum ipr_code ipr_db_key_refused(struct ipr_db *db, int32_t key_id, const char *reason,
                                           bool *suspended, struct ipr_err *err);

/** A result under this key was taken: it is counted, and something is taken off what weighs against
 * it. In the transaction that stores it, after its job, for keys are locked after jobs. */
IPR_CHECK enum ipr_code ipr_db_key_good(struct ipr_db *db, int32_t key_id, struct ipr_err *err);

/** Whether a key, which claims as `worker`, may have one more game when `leases` is what any may
 * hold. It counts as living, and other requests of it wait until the end of the transaction.
 * IPR_ENOTFOUND when it is revoked. */
IPR_CHECK enum ipr_code ipr_db_key_asks(struct ipr_db *db, int32_t key_id, const char *worker,
                                        int64_t leases, bool *may, struct ipr_err *err);

/** Whether a key has brought this engine before, or may bring one more. */
IPR_CHECK enum ipr_code ipr_db_key_engine(struct ipr_db *db, int32_t key_id, const char *engine,
                                          bool *known, bool *may, struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_db_key_engine_add(struct ipr_db *db, int32_t key_id, const char *engine,
                                              struct ipr_err *err);

/** No longer taken; a reason that is there stays. */
IPR_CHECK enum ipr_code ipr_db_key_suspend(struct ipr_db *db, int32_t key_id, const char *reason,
                                           struct ipr_err *err);

/** Any token, for the operator. */
struct ipr_db_token {
    const char *name, *kind, *created; /* RFC 3339 */
    const char *suspended;             /* NULL: it is taken, */
    const char *revoked;               /* unless this is set: since when not */
    int64_t games, checked, failed;    /* of a fishnet key, ever */
    int64_t silences;                  /* leases that ran out under it */
};
/** All, by kind and name. */
IPR_CHECK enum ipr_code ipr_db_token_list(struct ipr_db *db, struct ipr_arena *mem,
                                          struct ipr_db_token **rows, size_t *n,
                                          struct ipr_err *err);
/** Takes the suspended fishnet keys of that name again, refusals counted anew. IPR_ENOTFOUND when
 * none is suspended. */
IPR_CHECK enum ipr_code ipr_db_token_resume(struct ipr_db *db, const char *name,
                                            struct ipr_err *err);
/** The other way round. IPR_ENOTFOUND when no key of that name is taken. */
IPR_CHECK enum ipr_code ipr_db_token_suspend(struct ipr_db *db, const char *name,
                                             struct ipr_err *err);

/** Whether a lease is held under this name (as it was claimed), and for how long, in seconds.
 * IPR_ECONFLICT when it is over. */
IPR_CHECK enum ipr_code ipr_db_lease_of(struct ipr_db *db, const struct ipr_db_job *job,
                                        const char *worker, bool *own, int64_t *age_s,
                                        struct ipr_err *err);

/** Notes that a game was judged under a key. In the transaction that stores it. */
IPR_CHECK enum ipr_code ipr_db_remote_judged(struct ipr_db *db, int64_t game_id, int32_t judge_id,
                                             int32_t key_id, struct ipr_err *err);

/** A game of another machine that was not checked yet. */
struct ipr_db_unchecked {
    int64_t game_id;
    int32_t judge_id, key_id;
    const char *judge, *key; /* names */
};
/** That of a game by a judge of that name; IPR_ENOTFOUND when there is none, or nothing of it is
 * stored any more. */
IPR_CHECK enum ipr_code ipr_db_unchecked_get(struct ipr_db *db, int64_t game_id, const char *judge,
                                             struct ipr_arena *mem, struct ipr_db_unchecked *out,
                                             struct ipr_err *err);
/** All of a key, ascending by game. */
IPR_CHECK enum ipr_code ipr_db_unchecked_list(struct ipr_db *db, int32_t key_id,
                                              struct ipr_arena *mem, struct ipr_db_unchecked **rows,
                                              size_t *n, struct ipr_err *err);

/** What a check has shown: turns compared, mean absolute difference in centipawns. */
IPR_CHECK enum ipr_code ipr_db_remote_checked(struct ipr_db *db, const struct ipr_db_unchecked *of,
                                              unsigned turns, double difference, bool passed,
                                              struct ipr_err *err);

/** Jobs by priority, as the fishnet protocol groups them: [0] "user" (1 to 5: somebody waits), [1]
 * "system" (6 to 9). Of one program, or (NULL) of all. */
struct ipr_db_status {
    int64_t acquired, queued;
    int64_t oldest_s; /* age of the oldest queued one; 0: none */
};
IPR_CHECK enum ipr_code ipr_db_status(struct ipr_db *db, const char *program,
                                      struct ipr_db_status out[2], struct ipr_err *err);

#endif
