#ifndef IPR_INGEST_BATCH_H
#define IPR_INGEST_BATCH_H

#include <stdbool.h>

#include "base/mem.h"
#include "db/games.h"
#include "db/uploads.h"
#include "ingest/interchange.h"
#include "ingest/row.h"

/* Games as read, on their way to the database by the hundred. The reading side fills a batch and
 * hands it on; nothing in it refers to the reader. */

#define IPR_BATCH_ROWS  1000
#define IPR_BATCH_BYTES ((size_t)4 * 1024 * 1024)

struct ipr_batch {
    struct ipr_arena mem; /* of all below */
    size_t n, n_refused;
    struct ipr_db_new_game rows[IPR_BATCH_ROWS];
    const struct ipr_interchange_game *judged[IPR_BATCH_ROWS]; /* NULL: came without */
    uint32_t lines[IPR_BATCH_ROWS];                            /* where the game begins */
    struct ipr_db_upload_error refused[IPR_BATCH_ROWS];
};

/** Empty again, memory gone. */
void ipr_batch_reset(struct ipr_batch *b);

/** Whether it should be handed on before anything is added. */
bool ipr_batch_full(const struct ipr_batch *b);

/** Takes a game, or refuses it when no row can be made of it. `game` is its 1-based number in the
 * upload, `line` where it begins, `file` the name within an archive or "". `judged`, when there
 * is one, lives in b->mem. Not when full. */
void ipr_batch_add(struct ipr_batch *b, const struct ipr_row_source *src,
                   const struct ipr_interchange_game *judged, int32_t game, uint32_t line,
                   const char *file);

/** Takes a located error of a refused game, or of a file of an archive that cannot be read: `game`
 * is then a number below 0 of its own. Not when full. */
void ipr_batch_refuse(struct ipr_batch *b, const struct ipr_pgn_tag *tags, size_t n_tags,
                      int32_t game, const char *file, const struct ipr_err *cause);

#endif
