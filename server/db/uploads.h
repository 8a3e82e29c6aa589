#ifndef IPR_DB_UPLOADS_H
#define IPR_DB_UPLOADS_H

#include "base/str.h"
#include "db/db.h"

/** The relation of a game sent to the one stored. The numbers are stored. */
enum ipr_duplicate {
    IPR_DUPLICATE_IDENTICAL,
    IPR_DUPLICATE_CONTAINED, /* its moves are the first moves of the stored one */
    IPR_DUPLICATE_EXTENDS,   /* the reverse: the stored one took its moves */
    IPR_DUPLICATE_SPELLING,  /* identical except for the spelling of names */
    IPR_DUPLICATE_NONE       /* no duplicate; never stored */
};

/** Where a duplicate contradicts the stored game. The bits are stored. */
enum {
    IPR_CONFLICT_RESULT = 1,
    IPR_CONFLICT_WHITE_FIDE_ID =
        2, /* another id, or an id that belongs to a name that does not fit */
    IPR_CONFLICT_BLACK_FIDE_ID = 4,
    IPR_CONFLICT_WHITE_ELO = 8,
    IPR_CONFLICT_BLACK_ELO = 16
};
#define IPR_CONFLICTS 5 /* bits */
/** The name of bit 0..IPR_CONFLICTS-1: "result", "white_fide_id", ... */
const char *ipr_conflict_name(int bit);

#include "queries/uploads.h"

IPR_CHECK enum ipr_code ipr_db_upload_get(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                                          struct ipr_db_upload *out, struct ipr_err *err);
/** Records duplicates of an upload, inside the caller's transaction; game numbers are distinct.
 * Asynchronous. */
IPR_CHECK enum ipr_code ipr_db_duplicates_add(struct ipr_db *db, int64_t upload_id,
                                              const struct ipr_db_duplicate *rows, size_t n,
                                              struct ipr_err *err);
/** Counts the games of an upload whose totals are out of date
 * (sql/migrations/0012_upload_totals.sql), so that pages need not count them; to be called from
 * time to time. `counted`: there may be another one. */
IPR_CHECK enum ipr_code ipr_db_uploads_count(struct ipr_db *db, bool *counted, struct ipr_err *err);

#endif
