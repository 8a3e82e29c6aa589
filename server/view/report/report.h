#ifndef IPR_VIEW_REPORT_REPORT_H
#define IPR_VIEW_REPORT_REPORT_H

#include <stdatomic.h>

#include <jansson.h>

#include "db/replica.h"
#include "view/context.h"

/*
 * Reports: answers that take too long for a request. They are computed as jobs by a thread of the
 * service (http/answer/report_runner.c) and stored, keyed by kind, parameters, judge, classes of
 * time control and the version of the data (db/reports.h). One file a kind: report_NAME.c.
 *
 * A client gets the answer with "report", shape "report_state". "computing": queued, or being
 * computed; an older answer is given meanwhile; without one the answer's own members are absent.
 * "failed": the first request a minute later tries again, after several failures in a row up to
 * fifteen minutes later.
 *
 * Over HTTP: 200, but 202 with Retry-After as long as it is computing and there is no answer. A
 * failure is 200: its description is the answer. If the data change all the time an answer is
 * computed again only after nine times as long as it took (five minutes at most).
 */

struct ipr_report_kind {
    const char *name; /* "royale": that of its resource in server/resources.def */
    /**
     * The answer, from the data of the context's judge; `params` has every parameter, checked, its
     * default if it was not given. Figures that cannot be given have a "reason" in the answer; for
     * IPR_EDATA or IPR_ENOCONV the caller makes such an answer; other errors are failures of the
     * service. Members "judge", "calibration", "time_classes", "params" and "report" are added by
     * the caller. Each kind states its complexity and memory in its file.
     *
     * It sees one snapshot of the database, within which nothing can be written (view->snapshot;
     * ipr_view_rating caches nothing then). If much remains to be computed when everything is read,
     * end it by ipr_db_snapshot_end. Stay well below IPR_REPORT_LEASE_S, a minute or so, and stop,
     * with any code, when ipr_view_go_on returns an error: the service is stopping and waits for
     * this.
     */
    enum ipr_code (*compute)(const struct ipr_view_context *c, const json_t *params, json_t **out,
                             struct ipr_err *err);
    /** Renews what depends on the queue in a stored answer, of that shape; NULL: nothing does. */
    enum ipr_code (*refresh)(const struct ipr_view_context *c, void *answer, struct ipr_err *err);
    enum ipr_shape_id answer; /* its structure begins with struct ipr_answer_report */
    int version; /* grows when the answer changes for other reasons than a method's version */
    bool games;  /* it also uses unjudged games of events */
    bool narrow; /* but for method=ipr it needs the best and the played move alone; see
                  * ipr_view_report */
};

/** NULL: none of that name. */
const struct ipr_report_kind *ipr_report_kind(const char *name);

/** IPR_ERETRY once the service is stopping. */
static inline enum ipr_code ipr_report_check_stop(const struct ipr_view *v, struct ipr_err *err)
{
    return ipr_view_go_on(v) ? IPR_OK : ipr_err_set(err, IPR_ERETRY, "stopped");
}

/* ---- for those who serve them ---- */

/** The request: the kind's own parameters, by name. */
struct ipr_report_query {
    const struct ipr_report_kind *kind;
    json_t *params; /* borrowed */
    const char *judge;
    bool look; /* nothing is queued; the answer is the same */
};

/** The resource as above. Without `judge` the default one, but of a narrow kind that which games
 * are queued for if it has analysed more turns. Queues its computation where there is no current
 * answer. IPR_ERETRY "reports_waiting" when there is none at all and too many others wait. */
IPR_CHECK enum ipr_code ipr_view_report(const struct ipr_view *v, const struct ipr_report_query *q,
                                        json_t **out, struct ipr_err *err);

/** State of that resource, and whether it is being computed without an answer yet. */
const char *ipr_report_state(const json_t *resource);
bool ipr_report_pending(const json_t *resource);

/**
 * Computes the next queued report, if there is one (*worked), and stores the result. Errors of the
 * computation are stored with it; the code is that of taking and storing. When *stop is true the
 * computation ends soon, and the report is queued again. It reads from the replica (NULL: none)
 * if that has the same data and does not fail. `holder` is that of ipr_db_report_claim.
 */
IPR_CHECK enum ipr_code ipr_report_work(const struct ipr_config *config, struct ipr_db *db,
                                        struct ipr_db_replica *replica, int64_t holder,
                                        const atomic_bool *stop, bool *worked, struct ipr_err *err);

/* Kinds, one a file. */
extern const struct ipr_report_kind ipr_report_royale, ipr_report_comparisons,
    ipr_report_conformance, ipr_report_complexity, ipr_report_covariance, ipr_report_score_curve;

/* ---- what asking for reports (report.c) and computing them (work.c) share ---- */

/** Version of a kind and of its methods; neither ever decreases. */
int ipr_report_version(const struct ipr_report_kind *kind);

/** Digest of the calibration an answer rests on; "": none. Borrowed from the context. */
const char *ipr_report_calibration(const struct ipr_view_context *c,
                                   const struct ipr_report_kind *kind);

/** Sets the provenance that every answer has: "judge", "calibration", "time_classes" and "params"
 * (which stays the caller's). */
void ipr_report_add_provenance(const struct ipr_view_context *c, const struct ipr_report_kind *kind,
                               json_t *params, json_t *out);

/** Its default parameters; new reference. */
json_t *ipr_report_params_default(const struct ipr_report_kind *kind);

#endif
