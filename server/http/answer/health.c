/* Answers whether the process lives, and whether it can serve. */
#include <string.h>
#include <sys/statvfs.h>

#include "core/log.h"
#include "db/monitor.h"
#include "http/base/reply.h"
#include "http/base/routes.h"
#include "view/figure/shape.h"

enum MHD_Result ipr_http_health(struct ipr_req *req)
{
    const struct ipr_answer_service_state state = { "ok", -1, NULL };

    return ipr_reply_json(req, MHD_HTTP_OK, ipr_shape_json(IPR_SHAPE_SERVICE_STATE, &state));
}

/* Any error of the database is 503, so that a load balancer uses another server and retries. */
static enum MHD_Result reply_not_ready(struct ipr_req *req, const struct ipr_err *cause)
{
    struct ipr_err err = IPR_ERR_INIT;

    if (strcmp(cause->type, IPR_DB_AWAY) == 0 || strcmp(cause->type, IPR_DB_SCHEMA) == 0) {
        (void)ipr_err_type(&err, IPR_ERETRY, cause->type, "%s", cause->msg);
    } else {
        ipr_log(IPR_LOG_ERROR, "not_ready", "cause=\"%s\"", ipr_log_text(cause->msg));
        (void)ipr_err_type(&err, IPR_ERETRY, "database_not_ready",
                           "the database cannot be used; the log has the cause");
    }
    return ipr_reply_error(req, &err);
}

/* True if an upload of the largest size could be received. */
static bool spool_has_room(const struct ipr_http *http)
{
    struct statvfs disk;

    return statvfs(http->tmp_dir, &disk) == 0 &&
           disk.f_bavail >= ((uint64_t)http->o.config->max_upload_mb << 20) / disk.f_frsize;
}

static enum MHD_Result reply_ready(struct ipr_req *req, bool writable)
{
    struct ipr_db_replica *const replica = req->http->o.replica;
    struct ipr_replica_state s = { 0 };

    if (replica != NULL)
        ipr_db_replica_state(replica, &s);
    struct ipr_answer_replica_state read = { s.used, s.lag_s, s.used ? NULL : s.reason };
    const struct ipr_answer_service_state state = { "ready", writable,
                                                    replica != NULL ? &read : NULL };
    return ipr_reply_json(req, MHD_HTTP_OK, ipr_shape_json(IPR_SHAPE_SERVICE_STATE, &state));
}

enum MHD_Result ipr_http_ready(struct ipr_req *req)
{
    struct ipr_err cause = IPR_ERR_INIT;
    struct ipr_db *db = NULL;
    bool writable = false;

    enum ipr_code rc = ipr_req_lease(req, &db, &cause);
    if (rc == IPR_OK)
        rc = ipr_db_ready(db, &cause);
    if (rc == IPR_OK)
        rc = ipr_db_writable(db, &writable, &cause);
    ipr_db_return(&db);
    if (rc == IPR_OK)
        return reply_ready(req, writable && spool_has_room(req->http));
    return reply_not_ready(req, &cause);
}
