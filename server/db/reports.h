#ifndef IPR_DB_REPORTS_H
#define IPR_DB_REPORTS_H

#include "db/db.h"

/* Answers that take too long for a request: the stored ones, the queue of requested ones, and the
 * version of their data. */

/** Maximum number of reports queued, besides those with default parameters, of all kinds and of one
 * kind; and maximum number stored of one kind. */
#define IPR_REPORTS_WAITING_MAX  32
#define IPR_REPORTS_WAITING_KIND 8
#define IPR_REPORTS_KEPT_MAX     64
/** Attempts, and the time that one may take before another process may start it again. */
#define IPR_REPORT_ATTEMPTS 3
#define IPR_REPORT_LEASE_S  600

struct ipr_db_report_key {
    const char *kind, *params; /* canonical JSON */
    int32_t judge_id;
    unsigned times; /* set of IPR_TIME_BIT */
};

/** A report to compute; the token is that of the lease. */
struct ipr_db_report_job {
    int64_t id, token;
    struct ipr_db_report_key key;
    int attempts; /* this one included */
};

/** A computed answer, and the data it depends on. */
struct ipr_db_report_answer {
    const char *json;
    int64_t data;
    const char *calibration; /* digest or "" */
    int version;
    int32_t ms; /* that it took */
};

enum ipr_db_report_state {
    IPR_REPORT_WANTED,
    IPR_REPORT_RUNNING,
    IPR_REPORT_KEPT,
    IPR_REPORT_FAILED
};

#include "queries/reports.h"

/**
 * From here to the end every statement sees the same state of the database, and none may write.
 * Keep it short: until its end deleted rows cannot be vacuumed. End it as soon as everything is
 * read; a second end, or one without a beginning, does nothing.
 */
IPR_CHECK enum ipr_code ipr_db_snapshot_begin(struct ipr_db *db, struct ipr_err *err);
void ipr_db_snapshot_end(struct ipr_db *db);

/** IPR_ENOTFOUND when it was never requested, or was deleted. Marks it as used. */
IPR_CHECK enum ipr_code ipr_db_report_get(struct ipr_db *db, const struct ipr_db_report_key *key,
                                          bool with_answer, struct ipr_arena *mem,
                                          struct ipr_db_report *out, struct ipr_err *err);

/**
 * Queues it, unless it is queued already or has failed and is in back-off; deletes the oldest
 * unused answers of its kind beyond IPR_REPORTS_KEPT_MAX. Unless it has default parameters:
 * IPR_ERETRY "reports_waiting" when IPR_REPORTS_WAITING_KIND of the kind or IPR_REPORTS_WAITING_MAX
 * in all wait. Opens a transaction.
 */
IPR_CHECK enum ipr_code ipr_db_report_want(struct ipr_db *db, const struct ipr_db_report_key *key,
                                           bool usual, struct ipr_err *err);

/** The next one, those with default parameters first; IPR_ENOTFOUND. One whose lease expired is
 * returned again, and has failed after IPR_REPORT_ATTEMPTS. So is one that the holder, a random
 * number of a thread that computes one at a time, has already: it lost its connection meanwhile. */
IPR_CHECK enum ipr_code ipr_db_report_claim(struct ipr_db *db, int64_t holder,
                                            struct ipr_arena *mem, struct ipr_db_report_job *out,
                                            struct ipr_err *err);

/** *kept false, and nothing is stored, when the lease was lost to another process. */
IPR_CHECK enum ipr_code ipr_db_report_keep(struct ipr_db *db, const struct ipr_db_report_job *job,
                                           const struct ipr_db_report_answer *answer, bool *kept,
                                           struct ipr_err *err);

#endif
