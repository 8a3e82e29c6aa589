/* Judges, calibrations, and the first page. */
#include "http/routes.h"

enum ipr_code ipr_res_dashboard(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                                struct ipr_err *err)
{
    (void)req;
    return ipr_view_dashboard(view, out, err);
}

enum ipr_code ipr_res_judges(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                             struct ipr_err *err)
{
    (void)req;
    return ipr_view_judges(view, out, err);
}

enum ipr_code ipr_res_calibrations(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                                   struct ipr_err *err)
{
    (void)req;
    return ipr_view_calibrations(view, out, err);
}

enum ipr_code ipr_res_calibration(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                                  struct ipr_err *err)
{
    return ipr_view_calibration(view, req->ids[0], out, err);
}
