#ifndef IPR_INGEST_READING_H
#define IPR_INGEST_READING_H

#include "ingest/batch.h"
#include "ingest/ingest.h"

/* The reading side of an import: a thread that makes batches of the games of a file, in order,
 * while the storing side, which calls these functions, stores those before. */

struct ipr_reading;

#define IPR_SOURCE_BYTES 255 /* of the name of a file, also within an archive */

/** Starts to read `fd` at `start`, without changing its position. All is borrowed until the end.
 * IPR_ERETRY when no thread can be started. */
IPR_CHECK enum ipr_code ipr_reading_start(int fd, int64_t start,
                                          const struct ipr_ingest_options *options,
                                          struct ipr_reading **out, struct ipr_err *err);

/** The next batch; waits for it. NULL at the end, or where reading failed. */
struct ipr_batch *ipr_reading_receive(struct ipr_reading *r);
/** Returns a batch that is stored. */
void ipr_reading_return(struct ipr_reading *r, struct ipr_batch *b);
/** How many batches were received. */
size_t ipr_reading_taken(const struct ipr_reading *r);

/** After the last batch: sets games_read, variations, unread and passed_over, and frees it. Its
 * error is that of the reading; of two failures the first in `err` stays. */
IPR_CHECK enum ipr_code ipr_reading_end(struct ipr_reading **r, struct ipr_ingest_result *counts,
                                        struct ipr_err *err);
/** Ends it at any time, and frees it; NULL is allowed. */
void ipr_reading_stop(struct ipr_reading **r);

#endif
