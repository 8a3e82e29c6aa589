#ifndef IPR_DB_RECORDS_H
#define IPR_DB_RECORDS_H

#include "db/db.h"

/* Calibrations, cached answers, tokens. */

/** The key of a cached answer. */
struct ipr_db_rating_key {
    int32_t person;
    int year; /* 0: the career */
    int32_t judge_id, calibration_id;
    unsigned times;  /* set of IPR_TIME_BIT (pgn/time_class.h) */
    int64_t version; /* version of the data */
    bool mismatch;   /* the calibration is of another judge, and was requested by name */
};
#include "queries/records.h"

/** Stores or replaces the calibration of that name; an identical one (digest) is unchanged. */
IPR_CHECK enum ipr_code ipr_db_calibration_put(struct ipr_db *db, const char *name,
                                               const char *judge_json, const char *record_json,
                                               const char *digest, bool *changed,
                                               struct ipr_err *err);
/** Stores a calibration under a name of its own. An identical one is unchanged (*fresh false);
 * IPR_ECONFLICT "calibration_exists" when another one has the name. */
IPR_CHECK enum ipr_code ipr_db_calibration_new(struct ipr_db *db, const char *name,
                                               const char *judge_json, const char *record_json,
                                               const char *digest, bool *fresh,
                                               struct ipr_err *err);

/** Revokes the tokens of that kind and name permanently; a new fishnet key of the same name can
 * then be made, and the jobs leased by the old one return to the queue. What was done with them
 * stays. IPR_ENOTFOUND when there is none. */
IPR_CHECK enum ipr_code ipr_db_token_revoke(struct ipr_db *db, const char *name, const char *kind,
                                            struct ipr_err *err);

#endif
