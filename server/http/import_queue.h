#ifndef IPR_HTTP_IMPORT_QUEUE_H
#define IPR_HTTP_IMPORT_QUEUE_H

#include "http/request.h"
#include "ingest/ingest.h"

/*
 * Uploads whose bodies are in, imported one after the other on one thread: the database lets no
 * two in at once anyway. Their connections are suspended meanwhile, so that a page never waits for
 * a thread that waits for an import. A second queue, in which nothing waits, is for the figures of
 * calibrations, which take minutes of one core and no lock.
 */

#define IPR_IMPORTS_WAITING_MAX 64 /* behind the one at work */
#define IPR_WORKS_WAITING_MAX   0
#define IPR_IMPORT_WAIT_S       30 /* for another process's import, unless the options say else */

struct ipr_import_queue;
struct ipr_import;

/** Starts the thread; `wait_s` is for imports alone. IPR_EIO when there is none to be had. */
IPR_CHECK enum ipr_code ipr_import_queue_start(unsigned waiting_max, int wait_s,
                                               struct ipr_import_queue **out, struct ipr_err *err);

/**
 * Hands over the body in `fd`, suspends the connection and sets req->import: the access handler is
 * called again once that import is over. `fd` and what `options` point to stay untouched until
 * then. IPR_ERETRY, nothing being suspended: "import_running" when too many wait already; without
 * a type when the service stops.
 */
IPR_CHECK enum ipr_code ipr_import_queue_put(struct ipr_req *req, int fd,
                                             const struct ipr_ingest_options *options,
                                             struct ipr_err *err);

/** Work of seconds on a body that is in, other than an import; `arg` is the request's own. Ends
 * soon, with IPR_ERETRY, once *stop. */
typedef enum ipr_code (*ipr_import_work_fn)(struct ipr_req *req, void *arg, const atomic_bool *stop,
                                            struct ipr_err *err);

/** The same for such work, in the other queue: `arg` stays untouched until the handler is called
 * again. IPR_ERETRY "work_running" while another request's is at work. */
IPR_CHECK enum ipr_code ipr_import_queue_work(struct ipr_req *req, ipr_import_work_fn work,
                                              void *arg, struct ipr_err *err);

/** Its `arg`. */
void *ipr_import_work_arg(const struct ipr_import *im);
/** What became of work that is over. */
IPR_CHECK enum ipr_code ipr_import_worked(const struct ipr_import *im, struct ipr_err *err);

/** What became of an import that is over: as ipr_ingest_fd, or IPR_ERETRY when the service stopped
 * before its turn came. */
IPR_CHECK enum ipr_code ipr_import_result(const struct ipr_import *im,
                                          struct ipr_ingest_result *out, struct ipr_err *err);

/** With its request, answered or not. NULL inside is fine. */
void ipr_import_free(struct ipr_import **im);

/** Lets the import at work end, stops other work, refuses those that wait, and gives their answers
 * a moment to go out: nothing is suspended afterwards. */
void ipr_import_queue_quiesce(struct ipr_import_queue *q);

/** After MHD, whose connections refer to it. NULL inside is fine. */
void ipr_import_queue_free(struct ipr_import_queue **q);

#endif
