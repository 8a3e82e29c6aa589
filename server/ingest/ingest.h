#ifndef IPR_INGEST_INGEST_H
#define IPR_INGEST_INGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "db/db.h"
#include "db/uploads.h"

/* From bytes to stored games: unpacking, PGN or interchange, names, duplicates, one transaction. */

struct ipr_spelling; /* core/spelling.h */

/** What a file may have. */
enum ipr_source_form {
    IPR_SOURCE_ANY,
    IPR_SOURCE_PGN,   /* else "judged_games" */
    IPR_SOURCE_LINES, /* of the interchange; else "no_evaluations" */
};

struct ipr_ingest_options {
    const char *source; /* file name, or "api" */
    const char *judge;  /* name of the judge to queue games for; NULL: queue nothing */
    int priority;       /* 1 first … 9 last */
    const char *owner;  /* who requests the analysis (db/jobs.h) */
    int64_t max_bytes;  /* limit on the unpacked size */
    int64_t max_ms;     /* from when no other import is running; 0: no limit */
    const struct ipr_spelling *spelling; /* of players' names; NULL: none */
    int wait_s;                /* seconds to wait while another import is running; 0: no limit */
    bool again;                /* read bytes again that were imported before */
    enum ipr_source_form form; /* a sender could invent judgements */
};

struct ipr_ingest_result {
    int64_t upload_id;
    int32_t games_read, imported, duplicate, rejected, judged, queued;
    int32_t duplicates[IPR_DUPLICATE_NONE]; /* by kind */
    int32_t improved;                       /* duplicates that added something to the stored game */
    int32_t conflicting;                    /* duplicates that contradict the stored game */
    int64_t variations;                     /* skipped */
    int32_t unread;      /* files of an archive that could not be read; among the errors */
    int32_t passed_over; /* files of an archive that are neither PGN nor NDJSON by their names */
    bool seen_before;    /* the same bytes had been imported; nothing was done */
};

/**
 * Reads everything from `fd` (from its current position; plain, gzip, zstd, or a zip; PGN or
 * interchange NDJSON, detected by content) and stores it in one transaction: games, players,
 * duplicates, located errors, judgements, queue. A bad game does not affect the others; when the
 * whole cannot be read (IPR_EPARSE "no_games", "empty_body", "bad_archive", IPR_ELIMIT), or takes
 * longer than max_ms (IPR_ELIMIT "import_too_long", located), nothing is stored. One import runs at
 * a time, so that no two store the same game: IPR_ERETRY "import_running" when another one is still
 * running after `wait_s`.
 */
IPR_CHECK enum ipr_code ipr_ingest_fd(struct ipr_db *db, int fd,
                                      const struct ipr_ingest_options *options,
                                      struct ipr_ingest_result *out, struct ipr_err *err);

#endif
