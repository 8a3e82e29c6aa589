#ifndef IPR_INGEST_STORE_H
#define IPR_INGEST_STORE_H

#include "db/import_filter.h"
#include "ingest/batch.h"
#include "ingest/cache.h"
#include "ingest/ingest.h"

/* Stores batches in the database, within the transaction of one import. */

struct ipr_store {
    struct ipr_db *db;
    int64_t upload_id;
    const struct ipr_ingest_options *options;
    struct ipr_ingest_result counts; /* all but those of the reading side */
    int32_t errors;                  /* located errors stored so far */
    struct ipr_judge judge;          /* the last one looked up, and its id; 0: none yet */
    int32_t judge_id;
    char domain[32]; /* of all games; "": not looked up yet */
    struct ipr_cache *cache;
    struct ipr_db_import_filter *own;
};

/** Stores the new games of a batch, its duplicates and errors and the judgements in it, and queues
 * games. Changes rows of the batch. */
IPR_CHECK enum ipr_code ipr_store_batch(struct ipr_store *s, struct ipr_batch *b,
                                        struct ipr_err *err);

#endif
