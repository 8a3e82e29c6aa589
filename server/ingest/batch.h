#ifndef IPR_INGEST_BATCH_H
#define IPR_INGEST_BATCH_H

#include <stdbool.h>

#include "base/mem.h"
#include "core/interchange.h"
#include "db/games.h"
#include "db/uploads.h"
#include "ingest/row.h"

/* Up to IPR_BATCH_ROWS games on their way from the reader to the database. Nothing in a batch
 * refers to the reader. */

#define IPR_BATCH_ROWS  1000
#define IPR_BATCH_BYTES ((size_t)4 * 1024 * 1024)

/** The place of the reader when a batch was sent. */
struct ipr_batch_mark {
    int64_t bytes, unpacked; /* of the file, as sent; of what that is, unpacked */
    int32_t games_read;
};

struct ipr_batch {
    struct ipr_arena mem; /* of all below */
    struct ipr_batch_mark mark;
    size_t n, n_refused;
    struct ipr_db_new_game rows[IPR_BATCH_ROWS];
    const struct ipr_interchange_game *judged[IPR_BATCH_ROWS]; /* NULL: none */
    uint32_t lines[IPR_BATCH_ROWS];                            /* where the game begins */
    struct ipr_db_upload_error refused[IPR_BATCH_ROWS];
};

/** Empties it and frees its memory. */
void ipr_batch_reset(struct ipr_batch *b);

/** True if it has to be sent before anything is added. */
bool ipr_batch_full(const struct ipr_batch *b);

/** Adds a game, or an error if no row can be made of it. `game` is its 1-based number in the
 * upload, `line` where it begins, `file` the name within an archive or "". `judged`, which may be
 * NULL, is in b->mem. The batch must not be full. */
void ipr_batch_add(struct ipr_batch *b, const struct ipr_row_source *src,
                   const struct ipr_interchange_game *judged, int32_t game, uint32_t line,
                   const char *file);

/** Adds a located error of a rejected game, or of an unreadable file of an archive: `game` is then
 * a unique number below 0. The batch must not be full. */
void ipr_batch_refuse(struct ipr_batch *b, const struct ipr_pgn_tag *tags, size_t n_tags,
                      int32_t game, const char *file, const struct ipr_err *cause);

#endif
