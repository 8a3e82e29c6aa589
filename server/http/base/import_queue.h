#ifndef IPR_HTTP_IMPORT_QUEUE_H
#define IPR_HTTP_IMPORT_QUEUE_H

#include "http/base/request.h"
#include "ingest/ingest.h"

/* A queue of received uploads, imported on one thread, since the database allows one import at a
 * time: the smallest first, but the longer one waits the sooner it is its turn. A running one lets
 * a much smaller one pass at once, and others from time to time, after it has stored a part. The
 * connections of those who wait for the end are suspended meanwhile, so that imports never occupy
 * the threads of pages. A second queue, of length one, is for calibrations, which take minutes of
 * one core and no lock.
 */

#define IPR_IMPORTS_WAITING_MAX 64 /* waiting after the running one */
#define IPR_IMPORTS_SHARE       16 /* of one token */
#define IPR_WORKS_WAITING_MAX   0
#define IPR_IMPORT_WAIT_S       30 /* for another process's import, unless the options differ */

struct ipr_import_queue;
struct ipr_import;

/** Starts the thread; `pool` and `wait_s` are for imports only. IPR_EIO when it cannot be started.
 */
IPR_CHECK enum ipr_code ipr_import_queue_start(struct ipr_db_pool *pool, unsigned waiting_max,
                                               int wait_s, struct ipr_import_queue **out,
                                               struct ipr_err *err);

/**
 * Hands over the body in `fd` with req->spool, which has it. If the request `waits`, suspends the
 * connection and sets req->import: the access handler is called again once that import is over.
 * options->upload_id is on record: its state follows the import. `fetch`: whose games on another
 * site replace the body first (http/base/fetching.h); NULL: the body is imported. IPR_ERETRY,
 * nothing being handed over: "import_running" when too many wait already, or too many of this
 * token; without a type when the service stops.
 */
IPR_CHECK enum ipr_code ipr_import_queue_put(struct ipr_req *req, int fd,
                                             const struct ipr_ingest_options *options,
                                             const char *fetch, bool waits, struct ipr_err *err);

/** True if that upload waits or is imported here, and was sent with the token of that digest. */
bool ipr_import_queue_has(struct ipr_import_queue *q, int64_t upload_id,
                          const unsigned char token[32]);

/** Cancels an upload whose record says so: answers its client at once if the import has not begun.
 * One that has begun looks by itself. */
void ipr_import_queue_cancel(struct ipr_import_queue *q, int64_t upload_id);

/** Gives up an upload that nobody imports, though its record may say that it waits: the database
 * did not answer when the record was made, or when it was to give the reason. */
void ipr_import_queue_lose(struct ipr_import_queue *q, int64_t upload_id);

/** The records of such uploads fail, a while after. Called by one thread. */
IPR_CHECK enum ipr_code ipr_import_queue_settle(struct ipr_import_queue *q, struct ipr_db *db,
                                                struct ipr_err *err);

/** Longer work on a received body, other than an import; `arg` belongs to the request. Ends soon,
 * with IPR_ERETRY, after *stop. */
typedef enum ipr_code (*ipr_import_work_fn)(struct ipr_req *req, void *arg, const atomic_bool *stop,
                                            struct ipr_err *err);

/** The same for such work, in the other queue: `arg` must not change until the handler is called
 * again. IPR_ERETRY "work_running" while another one is running. */
IPR_CHECK enum ipr_code ipr_import_queue_work(struct ipr_req *req, ipr_import_work_fn work,
                                              void *arg, struct ipr_err *err);

/** Its `arg`. */
void *ipr_import_work_arg(const struct ipr_import *im);

/** The result of a finished import, as of ipr_ingest_run, or of finished work, with `out` NULL.
 * IPR_ERETRY when the service stopped before it began. */
IPR_CHECK enum ipr_code ipr_import_result(const struct ipr_import *im,
                                          struct ipr_ingest_result *out, struct ipr_err *err);

/** Called with its request, answered or not. Accepts NULL inside. */
void ipr_import_free(struct ipr_import **im);

/** Waits for the imports that have begun, stops other work, refuses waiting requests, and waits
 * briefly for their answers: nothing is suspended afterwards. */
void ipr_import_queue_quiesce(struct ipr_import_queue *q);

/** Call after stopping MHD, whose connections refer to it. Accepts NULL inside. */
void ipr_import_queue_free(struct ipr_import_queue **q);

#endif
