#include "http/audit.h"

#include <string.h>

#include "core/log.h"
#include "db/records.h"
#include "edge/address.h"
#include "http/authorization.h"

/* Of a body whose length was not known before. */
static enum ipr_code audit_count(const struct ipr_req *req, struct ipr_db *db, struct ipr_err *err)
{
    static const unsigned char none[sizeof req->writer_digest];
    int64_t rows;

    if (ipr_req_header(req, "Content-Length") != NULL || req->received <= IPR_WRITE_BYTES ||
        memcmp(req->writer_digest, none, sizeof none) == 0)
        return IPR_OK;
    return ipr_db_token_use(db, req->writer_digest, (int64_t)req->received - IPR_WRITE_BYTES, false,
                            &rows, err);
}

/* Without the query: what is refused may have a token in it by mistake. */
static enum ipr_code audit_note(struct ipr_req *req, struct ipr_db *db, struct ipr_err *err)
{
    char client[IPR_ADDRESS_TEXT];
    const char *path = ipr_arena_strndup(&req->mem, req->target, strcspn(req->target, "?"));

    ipr_address_text(&req->client, client);
    return ipr_db_audit_add(db, req->writer, client, req->method, ipr_log_text(path),
                            (int)req->status, req->id, err);
}

void ipr_audit_write(struct ipr_req *req)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db *db = NULL;

    if (req->writer == NULL || ipr_req_is_read(req))
        return;
    enum ipr_code rc = ipr_req_lease(req, &db, &err);
    if (rc == IPR_OK)
        rc = audit_count(req, db, &err);
    if (rc == IPR_OK)
        rc = audit_note(req, db, &err);
    ipr_db_return(&db);
    if (rc != IPR_OK)
        ipr_log(IPR_LOG_ERROR, "audit_failed", "writer=\"%s\" path=\"%s\" msg=\"%s\"",
                ipr_log_text(req->writer), ipr_log_text(req->target), ipr_log_text(err.msg));
}
