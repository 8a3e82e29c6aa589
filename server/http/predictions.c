/* Head to head. */
#include <string.h>

#include "http/routes.h"

/* "12:1971"; the year may also come from a form field of its own. */
static enum ipr_code read_side(const struct ipr_req *req, const char *name, const char *year_name,
                               struct ipr_view_side *out, struct ipr_err *err)
{
    const char *text = ipr_req_param(req, name);
    const char *year_text = ipr_req_param(req, year_name);
    int64_t player, year;

    if (text == NULL)
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                          "%s is missing: PLAYER:YEAR, as in %s=12:1971", name, name);
    const char *colon = strchr(text, ':');
    const struct ipr_str id = { text, colon != NULL ? (size_t)(colon - text) : strlen(text) };
    if (colon != NULL)
        year_text = colon + 1;
    if (!ipr_str_int(id, 1, INT32_MAX, &player) || year_text == NULL ||
        !ipr_str_int(ipr_str_c(year_text), 1, IPR_YEAR_MAX, &year))
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                          "%s is not PLAYER:YEAR, as in %s=12:1971", name, name);
    *out = (struct ipr_view_side){ (int32_t)player, (int)year };
    return IPR_OK;
}

static const char *option(const void *of, const char *name)
{
    return ipr_req_param(of, name);
}

enum ipr_code ipr_res_prediction(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                                 struct ipr_err *err)
{
    const char *method = ipr_req_param(req, "method");
    const struct ipr_view_options options = { option, req };
    struct ipr_view_side white = { 0, 0 }, black = { 0, 0 };

    enum ipr_code rc = read_side(req, "white", "white_year", &white, err);
    if (rc == IPR_OK)
        rc = read_side(req, "black", "black_year", &black, err);
    if (rc == IPR_OK)
        rc = ipr_view_prediction(view, white, black, method != NULL ? method : "all", &options,
                                 ipr_req_param(req, "judge"), out, err);
    return rc;
}

/* NULL for a side that was not chosen yet. */
static enum ipr_code read_choice(const struct ipr_req *req, const char *name, const char *year_name,
                                 struct ipr_view_side *side, struct ipr_view_side **out,
                                 struct ipr_err *err)
{
    *out = side;
    if (ipr_req_param(req, name) != NULL)
        return read_side(req, name, year_name, side, err);
    *out = NULL;
    return IPR_OK;
}

/* The page: without a pair, what there is to choose from. */
enum ipr_code ipr_res_compare(struct ipr_req *req, const struct ipr_view *view, json_t **out,
                              struct ipr_err *err)
{
    struct ipr_view_side side[2], *white = NULL, *black = NULL;

    enum ipr_code rc = read_choice(req, "white", "white_year", &side[0], &white, err);
    if (rc == IPR_OK)
        rc = read_choice(req, "black", "black_year", &side[1], &black, err);
    if (rc == IPR_OK)
        rc = ipr_view_compare(view, white, black, ipr_req_param(req, "judge"), out, err);
    return rc;
}
