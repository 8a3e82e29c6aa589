/* Answers whether the process lives, and whether it can serve. */
#include <string.h>
#include <sys/statvfs.h>

#include "core/log.h"
#include "db/monitor.h"
#include "http/base/reply.h"
#include "http/base/routes.h"

enum MHD_Result ipr_http_health(struct ipr_req *req)
{
    return ipr_reply_json(req, MHD_HTTP_OK, json_pack("{s:s}", "status", "ok"));
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

static json_t *replica_json(struct ipr_db_replica *replica)
{
    struct ipr_replica_state s;

    if (replica == NULL)
        return NULL;
    ipr_db_replica_state(replica, &s);
    json_t *out = json_pack("{s:b, s:o}", "used", s.used, "lag_s",
                            s.lag_s >= 0.0 ? json_real(s.lag_s) : json_null());
    if (!s.used)
        json_object_set_new(out, "reason", json_string(s.reason));
    return out;
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
        return ipr_reply_json(req, MHD_HTTP_OK,
                              json_pack("{s:s, s:b, s:o*}", "status", "ready", "writable",
                                        writable && spool_has_room(req->http), "replica",
                                        replica_json(req->http->o.replica)));
    return reply_not_ready(req, &cause);
}
