#ifndef IPR_INGEST_INGEST_H
#define IPR_INGEST_INGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "db/db.h"
#include "db/uploads.h"

/* From bytes to stored games: unpacking, PGN or interchange, names, duplicates, transactions. */

struct ipr_spelling; /* core/spelling.h */

/** The forms that a file may have. */
enum ipr_source_form {
    IPR_SOURCE_ANY,
    IPR_SOURCE_PGN,   /* else "judged_games" */
    IPR_SOURCE_LINES, /* of the interchange; else "no_evaluations" */
};

struct ipr_ingest_result {
    int64_t upload_id;
    int32_t games_read, imported, duplicate, rejected, judged, queued;
    int32_t duplicates[IPR_DUPLICATE_NONE]; /* by kind */
    int32_t improved;                       /* duplicates that added something to the stored game */
    int32_t conflicting;                    /* duplicates that contradict the stored game */
    int64_t variations;                     /* skipped */
    int64_t unpacked_bytes;                 /* of the file */
    int32_t unread;      /* files of an archive that could not be read; among the errors */
    int32_t passed_over; /* files of an archive that are neither PGN nor NDJSON by their names */
    bool seen_before;    /* the same bytes had been imported; nothing was done */
};

struct ipr_ingest_progress {
    int64_t bytes_read;                     /* of the file as sent */
    const struct ipr_ingest_result *counts; /* games read; what is, or is about to be, stored */
};

/** Called between batches of an import. True: it is to make room for another one. */
typedef bool (*ipr_ingest_look_fn)(void *arg, int64_t upload_id,
                                   const struct ipr_ingest_progress *progress);

struct ipr_ingest_options {
    const char *source; /* file name, or "api" */
    const char *judge;  /* name of the judge to queue games for; NULL: queue nothing */
    int priority;       /* 1 first … 9 last */
    const char *owner;  /* who requests the analysis (db/jobs.h) */
    int64_t max_bytes;  /* limit on the unpacked size */
    int64_t max_ms;     /* of work, not of waiting for other imports; 0: no limit */
    const struct ipr_spelling *spelling; /* of players' names; NULL: none */
    bool confirm; /* queue the games that come with evaluations for confirmation (db/jobs.h) */
    int wait_s;   /* seconds to wait while another import is running; 0: no limit */
    bool again;   /* read bytes again that were imported before */
    enum ipr_source_form form; /* a sender could invent judgements */
    bool notes_only;           /* nor those of annotated PGN (core/annotated.h) */
    int64_t upload_id;         /* its record (ipr_db_upload_begin); 0: none yet */
    ipr_ingest_look_fn look;   /* NULL: only another session is let pass */
    void *look_arg;
};

/* One import. */
struct ipr_ingest;

/** Prepares the import of what `fd` has from its current position on: plain, gzip, zstd, bzip2, or
 * a zip; PGN or interchange NDJSON, detected by content. `fd` and what the options point to stay
 * until _close. IPR_EPARSE "empty_body", IPR_EIO. */
IPR_CHECK enum ipr_code ipr_ingest_open(int fd, const struct ipr_ingest_options *options,
                                        struct ipr_ingest **out, struct ipr_err *err);

/**
 * Stores games, players, duplicates, located errors, judgements, queue, in one transaction, to the
 * end (*ended) or until another import is to pass: options->look says so, or another session waits
 * for the lock of imports. Then it is called again, with any connection, to go on; what is stored
 * by then can be seen. A bad game does not affect the others; when the whole cannot be read
 * (IPR_EPARSE "no_games", "bad_archive", IPR_ELIMIT), takes longer than max_ms (IPR_ELIMIT
 * "import_too_long", located) or was cancelled (IPR_ECONFLICT "upload_cancelled"), it has failed:
 * nothing of it is to be stored, see ipr_ingest_undo. One import runs at a time, so that no two
 * store the same game: IPR_ERETRY "import_running", and nothing has happened, when another one is
 * still running after `wait_s`.
 */
IPR_CHECK enum ipr_code ipr_ingest_run(struct ipr_ingest *in, struct ipr_db *db, bool *ended,
                                       struct ipr_err *err);

/** Deletes the stored parts of a failed import, and says `why` in its record. An import that was
 * cancelled is left to who cancelled it. */
IPR_CHECK enum ipr_code ipr_ingest_undo(struct ipr_ingest *in, struct ipr_db *db,
                                        const struct ipr_err *why, struct ipr_err *err);

/** Bytes of the file as sent that are still to be read. */
int64_t ipr_ingest_left(const struct ipr_ingest *in);

const struct ipr_ingest_result *ipr_ingest_result(const struct ipr_ingest *in);

/** Ends its reading thread. Accepts NULL inside. */
void ipr_ingest_close(struct ipr_ingest **in);

/** All of it at once. Bytes that were imported before are not imported again unless options->again.
 * Nothing of a failed one is left. */
IPR_CHECK enum ipr_code ipr_ingest_fd(struct ipr_db *db, int fd,
                                      const struct ipr_ingest_options *options,
                                      struct ipr_ingest_result *out, struct ipr_err *err);

#endif
