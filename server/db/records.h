#ifndef IPR_DB_RECORDS_H
#define IPR_DB_RECORDS_H

#include "db/db.h"

/* Calibrations, kept answers, tokens. */

struct ipr_db_calibration {
    int32_t id;
    const char *name, *judge_json, *record_json, *digest, *created;
};
/** Stores or replaces the calibration of that name; an identical one (digest) is left alone. */
IPR_CHECK enum ipr_code ipr_db_calibration_put(struct ipr_db *db, const char *name,
                                               const char *judge_json, const char *record_json,
                                               const char *digest, bool *changed,
                                               struct ipr_err *err);
/** Stores a calibration under a name of its own. An identical one is left alone (*fresh false);
 * IPR_ECONFLICT "calibration_exists" when the name is another's. */
IPR_CHECK enum ipr_code ipr_db_calibration_new(struct ipr_db *db, const char *name,
                                               const char *judge_json, const char *record_json,
                                               const char *digest, bool *fresh,
                                               struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_db_calibration_get(struct ipr_db *db, const char *name,
                                               struct ipr_arena *mem,
                                               struct ipr_db_calibration *out, struct ipr_err *err);
/** All, by name; record_json is NULL in the rows. */
IPR_CHECK enum ipr_code ipr_db_calibration_list(struct ipr_db *db, struct ipr_arena *mem,
                                                struct ipr_db_calibration **rows, size_t *n,
                                                struct ipr_err *err);

/** What a kept answer belongs to. */
struct ipr_db_rating_key {
    int32_t person;
    int year; /* 0: the career */
    int32_t judge_id, calibration_id;
    unsigned times;  /* set of IPR_TIME_BIT (pgn/time_class.h) */
    int64_t version; /* what it rests on */
    bool mismatch;   /* the calibration is of another judge, and was asked for all the same */
};
/** The answer kept for that version, else IPR_ENOTFOUND. */
IPR_CHECK enum ipr_code ipr_db_rating_get(struct ipr_db *db, const struct ipr_db_rating_key *key,
                                          struct ipr_arena *mem, const char **answer_json,
                                          struct ipr_err *err);
/** Keeps an answer, unless one of a later version is there. */
IPR_CHECK enum ipr_code ipr_db_rating_put(struct ipr_db *db, const struct ipr_db_rating_key *key,
                                          const char *answer_json, struct ipr_err *err);

/** `kind` "api" (may write) or "fishnet" (may judge). */
IPR_CHECK enum ipr_code ipr_db_token_put(struct ipr_db *db, const char *name, const char *kind,
                                         const unsigned char digest[32], struct ipr_err *err);
/** Takes the tokens of that kind and name back, for good; a fishnet key of the same name can then
 * be made again, and what the key held is back in the queue. What was done with them stays.
 * IPR_ENOTFOUND when there is none. */
IPR_CHECK enum ipr_code ipr_db_token_revoke(struct ipr_db *db, const char *name, const char *kind,
                                            struct ipr_err *err);
/** Name of the api token of that digest, NULL when there is none such; whether any was ever made,
 * revoked ones included. */
IPR_CHECK enum ipr_code ipr_db_token_known(struct ipr_db *db, const unsigned char digest[32],
                                           struct ipr_arena *mem, const char **name, bool *any,
                                           struct ipr_err *err);

#endif
