#ifndef IPR_HTTP_REPORT_RUNNER_H
#define IPR_HTTP_REPORT_RUNNER_H

#include <stdbool.h>

#include "base/error.h"
#include "core/config.h"
#include "db/db.h"
#include "db/replica.h"
#include "http/base/import_queue.h"

/*
 * The thread that computes the reports queued by view/report/report.h, one at a time, so that
 * reports use one core of a process at most. Several processes share the work. It holds a
 * connection only while computing.
 */

#define IPR_REPORT_POLL_MS 2000 /* polling for requests of other processes */
#define IPR_REPORT_WAITERS 2    /* requests that may wait at a time */
#define IPR_REPORT_WAIT_MS 1000 /* and how long */

struct ipr_report_runner;

/** Starts the thread; all are borrowed until it is freed. IPR_EIO when it cannot be started. */
IPR_CHECK enum ipr_code
ipr_report_runner_start(const struct ipr_config *config, struct ipr_db_pool *pool,
                        struct ipr_db_replica *replica, struct ipr_import_queue *imports,
                        struct ipr_report_runner **out, struct ipr_err *err);

/** Wakes the thread: a report was queued. */
void ipr_report_runner_wake(struct ipr_report_runner *r);

/** True if this request may wait; it must then call the function below when done. False when
 * stopping. */
bool ipr_report_runner_may_wait(struct ipr_report_runner *r);
void ipr_report_runner_waited(struct ipr_report_runner *r);

/** Waits until a report is done, at most until `until_us` (ipr_now_us); returns in between to poll
 * for other processes. False when waiting is useless. */
bool ipr_report_runner_wait(struct ipr_report_runner *r, int64_t until_us);

/** Stops the computation and the waiting requests. */
void ipr_report_runner_quiesce(struct ipr_report_runner *r);

/** Call after stopping MHD, whose handlers use it. Waits for the running computation, which polls
 * for the stop, even during a statement; an unfinished report is queued again. Accepts NULL inside.
 */
void ipr_report_runner_free(struct ipr_report_runner **r);

#endif
