#include "http/request.h"

#include <string.h>
#include <strings.h>
#include <time.h>

#include "db/judges.h"

int64_t ipr_now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

const char *ipr_req_param(const struct ipr_req *req, const char *name)
{
    for (size_t i = 0; i < req->n_params; i++)
        if (strcmp(req->param[i].name, name) == 0)
            return req->param[i].value;
    return NULL;
}

bool ipr_req_is_type(const char *header, const char *type)
{
    const size_t n = strlen(type);

    return strncasecmp(header, type, n) == 0 && strchr("; \t", header[n]) != NULL;
}

const char *ipr_req_header(const struct ipr_req *req, const char *name)
{
    return MHD_lookup_connection_value(req->conn, MHD_HEADER_KIND, name);
}

enum ipr_code ipr_req_int(const struct ipr_req *req, const char *name, int64_t lo, int64_t hi,
                          int64_t preset, int64_t *out, struct ipr_err *err)
{
    const char *text = ipr_req_param(req, name);

    if (text == NULL) {
        *out = preset;
        return IPR_OK;
    }
    if (!ipr_str_int(ipr_str_c(text), lo, hi, out))
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                          "%s is not a whole number from %lld to %lld", name, (long long)lo,
                          (long long)hi);
    return IPR_OK;
}

enum ipr_code ipr_req_id(const struct ipr_req *req, size_t i, int64_t max, int64_t *out,
                         struct ipr_err *err)
{
    if (!ipr_str_int(ipr_str_c(req->ids[i]), 1, max, out))
        return ipr_err_set(err, IPR_ENOTFOUND, "there is nothing at this address");
    return IPR_OK;
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
        return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                          "there is no judge \"%.40s\"; /api/v1/judges lists them", name);
    return rc == IPR_OK ? rc : ipr_err_set(err, rc, "%s", why.msg);
}

enum ipr_code ipr_req_lease(const struct ipr_req *req, struct ipr_db **db, struct ipr_err *err)
{
    if (req->http->o.pool == NULL)
        return ipr_err_set(err, IPR_ERETRY, "there is no database");
    return ipr_db_lease(req->http->o.pool, db, err);
}
