/* Tournaments: the events that games name. Not to be taken for event streams (events.c). */
#include "http/concurrency.h"
#include "http/routes.h"

#define LIST_MAX       500
#define LIST_DEFAULT   50
#define REPORT_MAX     100
#define REPORT_DEFAULT 40

enum ipr_code ipr_res_events(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                             struct ipr_err *err)
{
    int64_t limit, year;
    enum ipr_code rc = ipr_req_int(req, "limit", 1, LIST_MAX, LIST_DEFAULT, &limit, err);

    if (rc == IPR_OK)
        rc = ipr_req_int(req, "year", 1, IPR_YEAR_MAX, 0, &year, err);
    if (rc == IPR_OK)
        rc = ipr_view_events(view, ipr_req_param(req, "q"), (int)year, ipr_req_param(req, "after"),
                             (int)limit, ipr_req_param(req, "judge"), out, err);
    return rc;
}

enum ipr_code ipr_res_event(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                            struct ipr_err *err)
{
    int64_t id, limit;
    enum ipr_code rc = ipr_req_id(req, 0, INT32_MAX, &id, err);

    if (rc == IPR_OK)
        rc = ipr_req_int(req, "limit", 1, REPORT_MAX, REPORT_DEFAULT, &limit, err);
    if (rc == IPR_OK && limit > REPORT_DEFAULT)
        rc = ipr_concurrency_begin(req, err);
    if (rc == IPR_OK)
        rc = ipr_view_event(view, (int32_t)id, ipr_req_param(req, "after"), (int)limit,
                            ipr_req_param(req, "judge"), out, err);
    return rc;
}
