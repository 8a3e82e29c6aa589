#ifndef IPR_INGEST_BATCH_H
#define IPR_INGEST_BATCH_H

#include <stdbool.h>

#include "base/mem.h"
#include "db/db.h"
#include "db/games.h"
#include "ingest/ingest.h"
#include "ingest/interchange.h"
#include "ingest/row.h"

/* Games on their way into the database, stored by the hundred, inside one transaction. */

#define IPR_BATCH_ROWS  500
#define IPR_BATCH_BYTES ((size_t)32 * 1024 * 1024)

struct ipr_batch {
    struct ipr_db *db;
    int64_t upload_id;
    const struct ipr_ingest_options *options;
    struct ipr_ingest_result counts;
    const char *file;     /* name of the text within an archive, "" when there is none */
    struct ipr_arena mem; /* of the rows; emptied by every flush */
    size_t n;
    int32_t errors;         /* located so far */
    bool recognised;        /* something read was a game, if only a refused one */
    struct ipr_judge judge; /* the last one asked for, and its id; 0: none yet */
    int32_t judge_id;
    struct ipr_db_new_game rows[IPR_BATCH_ROWS];
    const struct ipr_interchange_game *judged[IPR_BATCH_ROWS]; /* NULL: came without */
    int32_t judge_ids[IPR_BATCH_ROWS];
};

/** Counts a game as read, and takes it, or refuses it with a located error when it cannot be
 * rated. `line` is where it begins. */
IPR_CHECK enum ipr_code ipr_batch_add(struct ipr_batch *b, const struct ipr_row_source *src,
                                      uint32_t line, struct ipr_err *err);

/** The same for a game that brings judged turns; all of it in b->mem. */
IPR_CHECK enum ipr_code ipr_batch_add_judged(struct ipr_batch *b,
                                             const struct ipr_interchange_game *g, uint32_t line,
                                             struct ipr_err *err);

/** Counts a game as read and refused for `cause`. */
IPR_CHECK enum ipr_code ipr_batch_refuse(struct ipr_batch *b, const struct ipr_pgn_tag *tags,
                                         size_t n_tags, const struct ipr_err *cause,
                                         struct ipr_err *err);

/** Stores what is there; called by add when it is much, and once at the end. */
IPR_CHECK enum ipr_code ipr_batch_flush(struct ipr_batch *b, struct ipr_err *err);

void ipr_batch_release(struct ipr_batch *b);

#endif
