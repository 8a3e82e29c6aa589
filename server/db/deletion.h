#ifndef IPR_DB_DELETION_H
#define IPR_DB_DELETION_H

#include "db/db.h"

/** Counts of what was deleted. */
struct ipr_db_deletion {
    int64_t games, evaluations; /* evaluations: of sides of games */
    int64_t kept;               /* games that another upload sent, too */
    int64_t restored;           /* games of other uploads restored to their earlier state */
    int64_t players, events;    /* without games after the deletion */
};

/**
 * Deletes what only this upload sent: games with all evaluations and jobs, evaluations of other
 * games, what it added to these, then players and events without games, and the upload. What
 * another upload sent as well belongs to that upload from now on. A transaction for each 20,000
 * games, between which imports go on; none runs meanwhile. One that ends early is gone on with by
 * ipr_db_uploads_settle. IPR_ENOTFOUND; IPR_ERETRY "import_running" after `wait_s` seconds.
 */
IPR_CHECK enum ipr_code ipr_db_upload_delete(struct ipr_db *db, int64_t upload_id, int wait_s,
                                             struct ipr_db_deletion *out, struct ipr_err *err);

/** The same for an upload that is not finished, of which parts may be stored: it stays on record as
 * failed, `why`. IPR_OK also when it is finished or failed. */
IPR_CHECK enum ipr_code ipr_db_upload_undo(struct ipr_db *db, int64_t upload_id, int wait_s,
                                           const struct ipr_err *why, struct ipr_err *err);

/** Undoes one upload whose process has ended, or deletes a cancelled one that nobody deletes; to be
 * called from time to time. `settled`: there may be another one. */
IPR_CHECK enum ipr_code ipr_db_uploads_settle(struct ipr_db *db, bool *settled,
                                              struct ipr_err *err);

/** Deletes one game in the same way, whichever uploads contained it. */
IPR_CHECK enum ipr_code ipr_db_game_delete(struct ipr_db *db, int64_t game_id, int wait_s,
                                           struct ipr_db_deletion *out, struct ipr_err *err);

#endif
