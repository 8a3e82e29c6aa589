#include "http/base/authorization.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "core/log.h"
#include "db/records.h"
#include "edge/address.h"
#include "http/base/client.h"
#include "http/base/cors.h"
#include "http/base/import_queue.h"
#include "http/base/reply.h"
#include "http/base/visitors.h"

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

/* True if the request comes from one of our pages, from a configured origin, or from no page. */
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
    return ipr_err_type(
        err, IPR_EDENIED, "token_needed",
        "an access token is needed to write, since %s: fill it into the form, or send "
        "\"Authorization: Bearer TOKEN\"; `intrinsic token create` makes one",
        why);
}

struct token {
    const char *name; /* NULL: it is not known */
    int scopes;
    bool expired;
};

static enum ipr_code authorize_scope(unsigned needed, const struct token *t, struct ipr_err *err)
{
    char has[IPR_SCOPES_TEXT], needs[IPR_SCOPES_TEXT];

    if (t->expired)
        return ipr_err_type(err, IPR_EDENIED, "token_expired", "this token has expired");
    if (needed & (unsigned)t->scopes)
        return IPR_OK;
    ipr_scopes_text((unsigned)t->scopes, has);
    ipr_scopes_text(needed, needs);
    return ipr_err_type(err, IPR_EDENIED, "scope_needed",
                        "this needs a token of the scope %s; the scopes of this one are: %s", needs,
                        has);
}

static bool deletes_upload(const struct ipr_req *req)
{
    return req->route->id == IPR_RESOURCE_UPLOAD_DELETE ||
           req->route->id == IPR_RESOURCE_UPLOAD_DELETE_FORM;
}

#define DAY_S 86400

#define COUNT_STEP ((size_t)1 << 20)

static enum ipr_code authorize_bytes(struct ipr_req *req, struct ipr_db *db, int64_t bytes,
                                     struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    int64_t rows = 0;

    if (req->visitor)
        rows = ipr_visitors_take(req->http->visitors, &req->client, bytes);
    else
        rc = ipr_db_token_use(db, req->writer_digest, bytes, true, &rows, err);
    if (rc != IPR_OK || rows > 0)
        return rc;
    ipr_reply_header(req, "Retry-After",
                     ipr_arena_printf(&req->mem, "%lld", (long long)(DAY_S - time(NULL) % DAY_S)));
    return ipr_err_type(err, IPR_ERETRY, "quota_exceeded",
                        "this write would pass the bytes that %s may write in a day; it "
                        "may write again from midnight (UTC)",
                        req->visitor ? "an address without a token, or all of them,"
                                     : "this token");
}

/* A body without a length is counted while it comes. */
static enum ipr_code authorize_quota(struct ipr_req *req, struct ipr_db *db, struct ipr_err *err)
{
    const char *length = ipr_req_header(req, "Content-Length");
    int64_t bytes = 0;

    if (length != NULL)
        (void)ipr_str_int(ipr_str_c(length), 0, INT64_MAX, &bytes);
    if (bytes < IPR_WRITE_BYTES)
        bytes = IPR_WRITE_BYTES;
    req->counted = length != NULL ? SIZE_MAX : IPR_WRITE_BYTES;
    return authorize_bytes(req, db, bytes, err);
}

enum ipr_code ipr_authorize_received(struct ipr_req *req, bool ended, struct ipr_err *err)
{
    struct ipr_db *db = NULL;

    if (req->counted == 0 || req->received <= req->counted ||
        (!ended && req->received - req->counted < COUNT_STEP))
        return IPR_OK;
    enum ipr_code rc = ipr_req_lease(req, &db, err);
    if (rc == IPR_OK)
        rc = authorize_bytes(req, db, (int64_t)(req->received - req->counted), err);
    ipr_db_return(&db);
    req->counted = req->received;
    return rc;
}

/* With a digest that is known, or of zeros when no token was given. */
static enum ipr_code authorize_digest(struct ipr_req *req, struct ipr_db *db,
                                      const unsigned char digest[32], bool given,
                                      struct ipr_err *err)
{
    const char *remote = ipr_client_is_remote(req);
    struct token t = { NULL, 0, false };
    bool any = false;
    enum ipr_code rc =
        ipr_db_token_known(db, digest, &req->mem, &t.name, &t.scopes, &t.expired, &any, err);

    if (rc != IPR_OK)
        return rc;
    if (!any && remote == NULL) {
        req->writer = "local";
        req->writer_judges = req->writer_rules = true;
        return IPR_OK;
    }
    if (!given && req->route->id == IPR_RESOURCE_UPLOAD_POST && ipr_visitors_may(req)) {
        const size_t n = ipr_address_size(&req->client);

        req->visitor = true;
        ipr_authorize_digest((struct ipr_str){ (const char *)&req->client, n }, req->writer_digest);
        rc = authorize_quota(req, db, err);
        if (rc == IPR_OK)
            req->writer = ipr_visitors_name(req->http->visitors, &req->client, &req->mem);
        return rc;
    }
    if (!given || t.name == NULL)
        return authorize_refuse(given, remote != NULL ? remote : "one was made", err);
    req->writer_judges = ((unsigned)t.scopes & IPR_SCOPE_JUDGE) != 0;
    req->writer_rules = ((unsigned)t.scopes & IPR_SCOPE_ADMIN) != 0;
    /* Who has sent an upload may stop it. */
    if (!deletes_upload(req) || t.expired || ((unsigned)t.scopes & IPR_SCOPE_UPLOAD) == 0 ||
        !ipr_import_queue_has(req->http->imports, atoll(req->ids[0]), digest))
        rc = authorize_scope(req->resource->scope, &t, err);
    memcpy(req->writer_digest, digest, sizeof req->writer_digest);
    if (rc == IPR_OK)
        rc = authorize_quota(req, db, err);
    /* Without a writer nothing is audited: what any number of refusals may fill is the log. */
    if (rc == IPR_OK)
        req->writer = t.name;
    else
        ipr_log(IPR_LOG_INFO, "write_refused", "writer=\"%s\" type=%s", ipr_log_text(t.name),
                err->type);
    return rc;
}

/* secret.p NULL: none was given. */
static enum ipr_code authorize_token(struct ipr_req *req, struct ipr_str secret,
                                     struct ipr_err *err)
{
    const bool given = secret.p != NULL;
    unsigned char digest[32] = { 0 };
    struct ipr_db *db = NULL;

    if (given)
        ipr_authorize_digest(secret, digest);
    enum ipr_code rc = ipr_req_lease(req, &db, err);
    if (rc == IPR_OK)
        rc = authorize_digest(req, db, digest, given, err);
    ipr_db_return(&db);
    return rc;
}

enum ipr_code ipr_authorize_all(struct ipr_req *req, struct ipr_err *err)
{
    const struct ipr_str secret = ipr_authorize_bearer(req);
    const char *remote = ipr_client_is_remote(req);
    struct token t = { NULL, 0, false };
    unsigned char digest[32] = { 0 };
    struct ipr_db *db = NULL;
    bool any = false;

    if (secret.p != NULL)
        ipr_authorize_digest(secret, digest);
    enum ipr_code rc = ipr_req_lease(req, &db, err);
    if (rc == IPR_OK)
        rc = ipr_db_token_known(db, digest, &req->mem, &t.name, &t.scopes, &t.expired, &any, err);
    ipr_db_return(&db);
    if (rc == IPR_OK && (any || remote != NULL)) {
        if (t.name == NULL)
            return authorize_refuse(secret.p != NULL, remote != NULL ? remote : "one was made",
                                    err);
        rc = authorize_scope(IPR_SCOPE_ADMIN, &t, err);
    }
    req->space = rc == IPR_OK ? IPR_DB_ALL : req->space;
    req->unlisted = true;
    return rc;
}

/* ---- reading ---- */

static bool reads_data(const struct ipr_req *req)
{
    static const char *const open[] = { "/health", "/ready", "/static/", "/fishnet/" };

    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        const size_t n = strlen(open[i]);

        if (strncmp(req->target, open[i], n) == 0 &&
            (open[i][n - 1] == '/' || req->target[n] == '\0' || req->target[n] == '?'))
            return false;
    }
    return true;
}

/* "Basic BASE64", of "USER:PASSWORD". */
static struct ipr_str authorize_password(struct ipr_req *req)
{
    static const char scheme[] = "Basic ";
    const char *header = ipr_req_header(req, "Authorization");
    struct ipr_str text = { NULL, 0 };
    size_t n = 0;

    if (header == NULL || strncasecmp(header, scheme, sizeof scheme - 1) != 0)
        return text;
    text = ipr_str_trim(ipr_str_c(header + sizeof scheme - 1));
    char *plain = ipr_arena_alloc(&req->mem, text.n + 1, 1);
    if (sodium_base642bin((unsigned char *)plain, text.n, text.p, text.n, NULL, &n, NULL,
                          sodium_base64_VARIANT_ORIGINAL) != 0)
        n = 0;
    const char *colon = n > 0 ? memchr(plain, ':', n) : NULL;
    const size_t user = colon != NULL ? (size_t)(colon - plain) + 1 : n;
    return (struct ipr_str){ plain + user, n - user };
}

static enum ipr_code authorize_reader(struct ipr_req *req, struct ipr_str secret,
                                      struct ipr_err *err)
{
    unsigned char digest[32];
    struct token t = { NULL, 0, false };
    struct ipr_db *db = NULL;
    bool any;

    ipr_authorize_digest(secret, digest);
    enum ipr_code rc = ipr_req_lease(req, &db, err);
    if (rc == IPR_OK)
        rc = ipr_db_token_known(db, digest, &req->mem, &t.name, &t.scopes, &t.expired, &any, err);
    ipr_db_return(&db);
    if (rc == IPR_OK && t.name == NULL)
        return authorize_refuse(true, "", err);
    return rc == IPR_OK ? authorize_scope(IPR_SCOPE_READ, &t, err) : rc;
}

enum ipr_code ipr_authorize_read(struct ipr_req *req, struct ipr_err *err)
{
    const char *who = req->http->o.config->read;
    struct ipr_str secret;

    if (who == NULL || strcmp(who, "token") != 0 || !reads_data(req))
        return IPR_OK;
    req->password_asked = true;
    secret = ipr_authorize_bearer(req);
    if (secret.p == NULL)
        secret = authorize_password(req);
    if (secret.p != NULL)
        return authorize_reader(req, secret, err);
    return ipr_err_type(err, IPR_EDENIED, "token_needed",
                        "reading needs a token of the scope read here: send \"Authorization: "
                        "Bearer TOKEN\", or give it as the password when the browser asks; "
                        "`intrinsic token create` makes one");
}

/* The owner of a private upload deletes it, and says which of its accounts are one person
 * (write/identities.c refuses more): nothing else is seen meanwhile. */
static enum ipr_code authorize_writer(struct ipr_req *req, struct ipr_str secret,
                                      struct ipr_err *err)
{
    const bool its_own = req->owner_key != NULL && req->space > 0 &&
                         (deletes_upload(req) ? atoll(req->ids[0]) == req->space
                                              : req->route->id == IPR_RESOURCE_IDENTITY_POST);

    if (!its_own)
        return authorize_token(req, secret, err);
    req->writer = "owner";
    return IPR_OK;
}

enum ipr_code ipr_authorize_write(struct ipr_req *req, struct ipr_err *err)
{
    if (!authorize_site(req))
        return ipr_err_type(err, IPR_EDENIED, "cross_site",
                            "a page of another site may not write here");
    return authorize_writer(req, ipr_authorize_bearer(req), err);
}

enum ipr_code ipr_authorize_form(struct ipr_req *req, const char *token, struct ipr_err *err)
{
    const struct ipr_str none = { NULL, 0 };

    return authorize_writer(req, token != NULL ? ipr_str_trim(ipr_str_c(token)) : none, err);
}

enum ipr_code ipr_authorize_asks(struct ipr_req *req, struct ipr_db *db, bool *out,
                                 struct ipr_err *err)
{
    const unsigned char digest[32] = { 0 };
    struct token none;

    if (ipr_client_is_remote(req) == NULL)
        return ipr_db_token_known(db, digest, &req->mem, &none.name, &none.scopes, &none.expired,
                                  out, err);
    *out = true;
    return IPR_OK;
}
