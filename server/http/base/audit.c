#include "http/base/audit.h"

#include <string.h>

#include "core/log.h"
#include "db/records.h"
#include "edge/address.h"
#include "http/base/reply.h"

static enum ipr_code audit_note(struct ipr_req *req, struct ipr_err *err)
{
    /* Without the query: what is refused may have a token in it by mistake. */
    const char *path = ipr_arena_strndup(&req->mem, req->target, strcspn(req->target, "?"));
    char client[IPR_ADDRESS_TEXT];
    struct ipr_db *db = NULL;

    ipr_address_text(&req->client, client);
    enum ipr_code rc = ipr_req_lease(req, &db, err);
    if (rc == IPR_OK && req->audit_id == 0)
        rc = ipr_db_audit_add(db, req->writer, client, req->method, ipr_log_text(path),
                              (int)req->status, req->id, &req->audit_id, err);
    else if (rc == IPR_OK)
        rc = ipr_db_audit_end(db, req->audit_id, (int)req->status, err);
    ipr_db_return(&db);
    if (rc != IPR_OK)
        ipr_log(IPR_LOG_ERROR, "audit_failed", "writer=\"%s\" path=\"%s\" msg=\"%s\"",
                ipr_log_text(req->writer), ipr_log_text(req->target), ipr_log_text(err->msg));
    return rc;
}

static bool audit_wanted(const struct ipr_req *req)
{
    return req->writer != NULL && !ipr_req_is_read(req) && !req->audited;
}

struct ipr_problem ipr_audit_begin(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;

    if (!audit_wanted(req) || audit_note(req, &err) == IPR_OK)
        return (struct ipr_problem){ 0 };
    req->audited = true; /* as far as can be */
    return ipr_problem_of(&err);
}

void ipr_audit_end(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;

    /* A write without an answer is on record as that since it began. */
    if (audit_wanted(req) && (req->status != 0 || req->audit_id == 0))
        (void)audit_note(req, &err);
    req->audited = true;
}
