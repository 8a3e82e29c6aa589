#ifndef IPR_VIEW_REPORT_REPORT_H
#define IPR_VIEW_REPORT_REPORT_H

#include <stdatomic.h>

#include <jansson.h>

#include "view/context.h"

/*
 * Reports: answers too heavy for a request. They are computed as jobs by a thread of the service
 * (http/report_runner.c) and kept, keyed by kind, parameters, judge, classes of time control and
 * the data they rest on (db/reports.h). One file a kind: report_NAME.c.
 *
 * A client gets the answer with "report" beside it, shape "report_state". "computing": wanted, or
 * being computed; an older answer is given meanwhile, and without any the answer's own members are
 * not there. "failed": the first request a minute later tries again, after more failures in a row
 * up to fifteen.
 *
 * Over HTTP: 200, but 202 with Retry-After as long as it is computing and there is no answer. A
 * failure is 200: the report of it is the answer. Where data changes all the time an answer is
 * computed again only after nine times as long as it took (five minutes at most).
 */

struct ipr_report_kind {
    const char *name; /* "royale": that of its resource in server/resources.def */
    /**
     * The answer, from the data of the context's judge; `params` has every parameter, checked, its
     * default where it was not given. What cannot be given is refused in the answer with a
     * "reason", or by IPR_EDATA or IPR_ENOCONV, which the caller makes such an answer of; only
     * failures of our own are other errors. Members "judge", "calibration", "time_classes",
     * "params" and "report" are added by the caller. Order of the work and memory are the kind's
     * own business: state them in its file.
     *
     * It sees one snapshot of the database, within which nothing can be written (view->snapshot;
     * ipr_view_rating keeps nothing then). Where much is left to compute once all is read, end it
     * by ipr_db_snapshot_end. Stay well below IPR_REPORT_LEASE_S, a minute or so, and give up, with
     * any code, when ipr_view_go_on says so: the service is stopping, and waits for this.
     */
    enum ipr_code (*compute)(const struct ipr_view_context *c, const json_t *params, json_t **out,
                             struct ipr_err *err);
    int version; /* grows when the answer changes for other reasons than a method's version */
    bool games;  /* it rests on games of events that nobody has judged, too */
};

/** Kinds in their order; NULL after the last. */
const struct ipr_report_kind *ipr_report_kind_at(size_t i);
/** NULL: none of that name. */
const struct ipr_report_kind *ipr_report_kind(const char *name);

/** IPR_ERETRY once the service is stopping. */
IPR_CHECK enum ipr_code ipr_report_check_stop(const struct ipr_view *v, struct ipr_err *err);

/* ---- for those who serve them ---- */

/** The request: the kind's own parameters, by name. */
struct ipr_report_query {
    const struct ipr_report_kind *kind;
    json_t *params; /* borrowed */
    const char *judge;
    bool look; /* nothing is queued by it; the answer is the same */
};

/** The resource as above, queueing its computation where there is no current answer. IPR_ERETRY
 * "reports_waiting" when there is none at all and too many others wait. */
IPR_CHECK enum ipr_code ipr_view_report(const struct ipr_view *v, const struct ipr_report_query *q,
                                        json_t **out, struct ipr_err *err);

/** State of that resource, and whether it is being computed without an answer yet. */
const char *ipr_report_state(const json_t *resource);
bool ipr_report_pending(const json_t *resource);

/**
 * Computes the next wanted report, if there is one (*worked), and keeps what came of it. What goes
 * wrong in the computation is on record there; the code is that of taking and keeping. Once *stop
 * is true the computation ends soon, and is wanted again.
 */
IPR_CHECK enum ipr_code ipr_report_work(const struct ipr_config *config, struct ipr_db *db,
                                        const atomic_bool *stop, bool *worked, struct ipr_err *err);

/* Kinds, one a file. */
extern const struct ipr_report_kind ipr_report_royale, ipr_report_comparisons,
    ipr_report_conformance, ipr_report_complexity, ipr_report_covariance, ipr_report_score_curve;

/* ---- what asking for reports (report.c) and computing them (work.c) share ---- */

/** Of a kind and of the methods behind it; neither ever falls. */
int ipr_report_version(const struct ipr_report_kind *kind);

/** Digest of the calibration an answer rests on; "": none. Borrowed from the context. */
const char *ipr_report_calibration(const struct ipr_view_context *c);

/** Sets what every answer says of where it comes from: "judge", "calibration", "time_classes" and
 * "params" (which stays the caller's). */
void ipr_report_add_provenance(const struct ipr_view_context *c, json_t *params, json_t *out);

/** What describes its parameters. */
const struct ipr_resource *ipr_report_resource(const struct ipr_report_kind *kind);

/** Its parameters where none is given; new reference. */
json_t *ipr_report_params_default(const struct ipr_report_kind *kind);
bool ipr_report_params_are_default(const struct ipr_report_kind *kind, const json_t *params);

/** The same text for the same values: part of the key of an answer. */
const char *ipr_report_params_text(const json_t *params, struct ipr_arena *mem);

#endif
