#ifndef IPR_DB_PROVENANCE_H
#define IPR_DB_PROVENANCE_H

#include "db/db.h"

/* Where what is stored of a game came from. */

/** A side of a game judged by a judge. */
struct ipr_db_judgement {
    int32_t judge_id;
    int colour; /* enum ipr_colour */
    int32_t turns;
    const char *source;   /* the worker, or "import" */
    const char *finished; /* RFC 3339 */
};
/** Of all judges, by judge and colour. */
IPR_CHECK enum ipr_code ipr_db_game_judgements(struct ipr_db *db, int64_t game_id,
                                               struct ipr_arena *mem,
                                               struct ipr_db_judgement **rows, size_t *n,
                                               struct ipr_err *err);

/** A game in an upload. */
struct ipr_db_game_upload {
    int64_t upload_id;
    int32_t ordinal; /* its number in the upload, 1-based */
    bool duplicate;  /* it was stored already */
    const char *source, *created;
};
/** All uploads a game came with, oldest first. */
IPR_CHECK enum ipr_code ipr_db_game_uploads(struct ipr_db *db, int64_t game_id,
                                            struct ipr_arena *mem, struct ipr_db_game_upload **rows,
                                            size_t *n, struct ipr_err *err);

#endif
