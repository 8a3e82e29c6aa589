#ifndef IPR_HTTP_REPORT_RUNNER_H
#define IPR_HTTP_REPORT_RUNNER_H

#include <stdbool.h>

#include "base/error.h"
#include "core/config.h"
#include "db/db.h"

/*
 * The thread that computes what view/report/report.h queues, one report after the other, so that a
 * report takes one core of a process at most. Several processes share the work. It leases a
 * connection while it is at work.
 */

#define IPR_REPORT_POLL_MS 2000 /* for what other processes' clients asked for */
#define IPR_REPORT_WAITERS 2    /* requests that may wait for an answer at one time */
#define IPR_REPORT_WAIT_MS 1000 /* and how long */

struct ipr_report_runner;

/** Starts the thread; both are borrowed until it is freed. IPR_EIO when there is none to be had. */
IPR_CHECK enum ipr_code ipr_report_runner_start(const struct ipr_config *config,
                                                struct ipr_db_pool *pool,
                                                struct ipr_report_runner **out,
                                                struct ipr_err *err);

/** Something was queued: look at once. */
void ipr_report_runner_wake(struct ipr_report_runner *r);

/** Whether this request may wait; then it says so when it has waited. Never once we stop. */
bool ipr_report_runner_may_wait(struct ipr_report_runner *r);
void ipr_report_runner_waited(struct ipr_report_runner *r);

/** Until a report is done, but not after `until_us` (ipr_now_us) and not much longer than other
 * processes could have needed. False when it is no use to wait on. */
bool ipr_report_runner_wait(struct ipr_report_runner *r, int64_t until_us);

/** Tells a computation to end, and requests to wait no more. */
void ipr_report_runner_quiesce(struct ipr_report_runner *r);

/** After MHD, whose handlers use it. Waits for the computation at work, which looks now and then
 * whether it is to end, while a statement runs, too; what it has not done is queued again. NULL
 * inside is fine. */
void ipr_report_runner_free(struct ipr_report_runner **r);

#endif
