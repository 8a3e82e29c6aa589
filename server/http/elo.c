/* Ratings by results. */
#include "http/routes.h"

static enum ipr_code read_years(const struct ipr_req *req, int *from, int *to, struct ipr_err *err)
{
    int64_t year = 0, first = 0, last = 0;

    enum ipr_code rc = ipr_req_int(req, "year", 1, IPR_YEAR_MAX, 0, &year, err);
    if (rc == IPR_OK)
        rc = ipr_req_int(req, "from", 1, IPR_YEAR_MAX, 0, &first, err);
    if (rc == IPR_OK)
        rc = ipr_req_int(req, "to", 1, IPR_YEAR_MAX, 0, &last, err);
    if (rc != IPR_OK)
        return rc;
    if (year > 0 && (first > 0 || last > 0))
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                          "year does not go with from and to");
    if (first > 0 && last > 0 && first > last)
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "from %d is after to %d",
                          (int)first, (int)last);
    if (year > 0)
        first = last = year;
    else if (first > 0 && last == 0)
        last = IPR_VIEW_YEAR_MAX;
    else if (last > 0 && first == 0)
        first = 1;
    *from = (int)first;
    *to = (int)last;
    return IPR_OK;
}

/* GET /api/v1/elo?player=12&year=1971 */
enum ipr_code ipr_res_elo(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                          struct ipr_err *err)
{
    int64_t player = 0;
    int from = 0, to = 0;

    if (ipr_req_param(req, "player") == NULL)
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                          "player is missing: its id, as in player=12");
    enum ipr_code rc = ipr_req_int(req, "player", 1, INT32_MAX, 0, &player, err);
    if (rc == IPR_OK)
        rc = read_years(req, &from, &to, err);
    if (rc == IPR_OK)
        rc = ipr_view_elo(view, (int32_t)player, from, to, out, err);
    return rc;
}
