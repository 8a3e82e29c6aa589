#include "http/base/request.h"

#include <string.h>
#include <strings.h>

#include "db/judges.h"

bool ipr_req_is_type(const char *header, const char *type)
{
    const size_t n = strlen(type);

    return strncasecmp(header, type, n) == 0 && strchr("; \t", header[n]) != NULL;
}

const char *ipr_req_header(const struct ipr_req *req, const char *name)
{
    return MHD_lookup_connection_value(req->conn, MHD_HEADER_KIND, name);
}

enum ipr_code ipr_req_params(struct ipr_req *req, struct ipr_err *err)
{
    void *params = NULL;
    enum ipr_code rc = ipr_params_check(req->resource, req->given, req->n_given, err);

    if (rc == IPR_OK)
        rc = ipr_params_read(req->resource, req->given, req->n_given, req->route->own_view,
                             &req->mem, &params, err);
    req->params = params;
    return rc;
}

bool ipr_req_is_read(const struct ipr_req *req)
{
    return strcmp(req->method, "GET") == 0 || strcmp(req->method, "HEAD") == 0;
}

enum ipr_code ipr_req_judge(struct ipr_db *db, const char *name, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_judge judge;
    const enum ipr_code rc = ipr_db_definition_get(db, name, &judge, &why);

    if (rc == IPR_ENOTFOUND)
        return ipr_param_refuse(err, "judge", name, "an engine setting of /api/v1/judges");
    return rc == IPR_OK ? rc : ipr_err_set(err, rc, "%s", why.msg);
}

enum ipr_code ipr_req_lease(const struct ipr_req *req, struct ipr_db **db, struct ipr_err *err)
{
    if (req->http->o.pool == NULL)
        return ipr_err_set(err, IPR_ERETRY, "there is no database");
    return ipr_db_lease_in(req->http->o.pool, req->space, db, err);
}

void ipr_reply_header(struct ipr_req *req, const char *name, const char *value)
{
    req->headers_lost = req->headers_lost || req->n_headers == IPR_REQ_HEADERS;
    if (req->headers_lost)
        return;
    req->header[req->n_headers].name = name;
    req->header[req->n_headers++].value = value;
}
