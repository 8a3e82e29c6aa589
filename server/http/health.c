/* Whether the process lives, and whether it can serve. */
#include "http/reply.h"
#include "http/routes.h"

enum MHD_Result ipr_http_health(struct ipr_req *req)
{
    return ipr_reply_json(req, MHD_HTTP_OK, json_pack("{s:s}", "status", "ok"));
}

enum MHD_Result ipr_http_ready(struct ipr_req *req)
{
    struct ipr_err cause = IPR_ERR_INIT, err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;

    enum ipr_code rc = ipr_req_lease(req, &db, &cause);
    if (rc == IPR_OK)
        rc = ipr_db_ready(db, &cause);
    ipr_db_return(&db);
    if (rc == IPR_OK)
        return ipr_reply_json(req, MHD_HTTP_OK, json_pack("{s:s}", "status", "ready"));
    /* Whatever is wrong with the database, a load balancer should look elsewhere and come back. */
    (void)ipr_err_set(&err, IPR_ERETRY, "%s", cause.msg);
    return ipr_reply_error(req, &err);
}
