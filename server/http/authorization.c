#include "http/authorization.h"

#include <sodium.h>
#include <string.h>
#include <strings.h>

#include "db/records.h"
#include "http/client.h"
#include "http/cors.h"

/* Without ":port"; an address in brackets keeps them. */
static struct ipr_str authorize_host_part(const char *authority)
{
    const struct ipr_str all = ipr_str_c(authority);
    const char *end = all.n > 0 && all.p[0] == '[' ? strchr(all.p, ']') : NULL;
    const char *colon = strchr(end != NULL ? end : authority, ':');

    return (struct ipr_str){ all.p, colon != NULL ? (size_t)(colon - all.p) : all.n };
}

enum ipr_code ipr_authorize_host(const struct ipr_req *req, struct ipr_err *err)
{
    const struct ipr_str public_host = authorize_host_part(req->http->public_name.authority);
    const struct ipr_str own[] = { IPR_STR("localhost"), IPR_STR("127.0.0.1"), IPR_STR("[::1]"),
                                   public_host };
    const char *header = ipr_req_header(req, "Host");

    if (!req->http->loopback)
        return IPR_OK;
    if (header != NULL) {
        const struct ipr_str host = authorize_host_part(header);

        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            if (host.n > 0 && host.n == own[i].n && strncasecmp(host.p, own[i].p, host.n) == 0)
                return IPR_OK;
    }
    return ipr_err_type(err, IPR_EDENIED, "unknown_host",
                        "this service accepts requests to localhost only; behind a proxy "
                        "INTRINSIC_PUBLIC_URL names it");
}

/* Whether the request comes from one of our pages, from a configured origin, or from no page. */
static bool authorize_site(struct ipr_req *req)
{
    const char *origin = ipr_req_header(req, "Origin");
    const char *host = ipr_client_authority(req);
    const char *site = ipr_req_header(req, "Sec-Fetch-Site");

    if (ipr_cors_is_allowed(req))
        return true;
    if (site != NULL && strcmp(site, "cross-site") == 0)
        return false;
    if (origin == NULL || strcasecmp(origin, req->http->public_name.origin) == 0)
        return true;
    /* A proxy may terminate TLS, so the scheme is not compared; "null" has no "://". */
    const char *authority = strstr(origin, "://");
    return authority != NULL && host != NULL && strcasecmp(authority + 3, host) == 0;
}

struct ipr_str ipr_authorize_bearer(const struct ipr_req *req)
{
    static const char scheme[] = "Bearer ";
    const char *header = ipr_req_header(req, "Authorization");

    if (header == NULL || strncasecmp(header, scheme, sizeof scheme - 1) != 0)
        return (struct ipr_str){ NULL, 0 };
    return ipr_str_trim(ipr_str_c(header + sizeof scheme - 1));
}

void ipr_authorize_digest(struct ipr_str secret, unsigned char out[32])
{
    crypto_generichash(out, 32, (const unsigned char *)secret.p, secret.n, NULL, 0);
}

/* Says what to do. */
static enum ipr_code authorize_refuse(bool given, const char *why, struct ipr_err *err)
{
    if (given)
        return ipr_err_type(err, IPR_EDENIED, "token_unknown", "this token is not known here");
    return ipr_err_type(err, IPR_EDENIED, "token_needed",
                        "writing needs a token, since %s: send \"Authorization: Bearer TOKEN\", or "
                        "fill in the form's field; `intrinsic token create` makes one",
                        why);
}

/* secret.p NULL: none was given. */
static enum ipr_code authorize_token(struct ipr_req *req, struct ipr_str secret,
                                     struct ipr_err *err)
{
    const bool given = secret.p != NULL;
    const char *name = NULL, *remote = ipr_client_is_remote(req);
    unsigned char digest[32] = { 0 };
    bool any = false;
    struct ipr_db *db = NULL;

    if (given)
        ipr_authorize_digest(secret, digest);
    enum ipr_code rc = ipr_req_lease(req, &db, err);
    if (rc == IPR_OK)
        rc = ipr_db_token_known(db, digest, &req->mem, &name, &any, err);
    ipr_db_return(&db);
    if (rc != IPR_OK)
        return rc;
    if ((given && name != NULL) || (!any && remote == NULL)) {
        req->writer = given && name != NULL ? name : "local";
        return IPR_OK;
    }
    return authorize_refuse(given, remote != NULL ? remote : "one was made", err);
}

enum ipr_code ipr_authorize_write(struct ipr_req *req, struct ipr_err *err)
{
    if (!authorize_site(req))
        return ipr_err_type(err, IPR_EDENIED, "cross_site",
                            "a page of another site may not write here");
    return authorize_token(req, ipr_authorize_bearer(req), err);
}

enum ipr_code ipr_authorize_form(struct ipr_req *req, const char *token, struct ipr_err *err)
{
    const struct ipr_str none = { NULL, 0 };

    return authorize_token(req, token != NULL ? ipr_str_trim(ipr_str_c(token)) : none, err);
}

enum ipr_code ipr_authorize_asks(struct ipr_req *req, struct ipr_db *db, bool *out,
                                 struct ipr_err *err)
{
    const unsigned char digest[32] = { 0 };
    const char *name = NULL;

    if (ipr_client_is_remote(req) == NULL)
        return ipr_db_token_known(db, digest, &req->mem, &name, out, err);
    *out = true;
    return IPR_OK;
}
