#include "http/base/client.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/log.h"
#include "edge/proxies.h"

/* ---- the public name ---- */

static enum ipr_code public_refuse(const char *url, struct ipr_err *err)
{
    return ipr_err_set(err, IPR_EPARSE,
                       "INTRINSIC_PUBLIC_URL: \"%s\" is not a scheme and a name such as "
                       "https://chess.example, without a path",
                       url);
}

/* Letters of names are equal in both cases; browsers send small ones. */
static void public_lower(char *s)
{
    for (; *s != '\0'; s++)
        if (*s >= 'A' && *s <= 'Z')
            *s = (char)(*s | 0x20);
}

static bool public_is_name(struct ipr_str s)
{
    static const char others[] = "-._:[]";

    for (size_t i = 0; i < s.n; i++) {
        const char c = s.p[i], low = (char)(c | 0x20);

        if (!(low >= 'a' && low <= 'z') && !(c >= '0' && c <= '9') &&
            (c == '\0' || strchr(others, c) == NULL))
            return false;
    }
    return s.n > 0 && s.p[0] != ':';
}

enum ipr_code ipr_client_public(const struct ipr_config *config, struct ipr_public_name *out,
                                struct ipr_err *err)
{
    const char *url = config->public_url != NULL ? config->public_url : "";
    const char *authority = strstr(url, "://");
    struct ipr_str scheme = { url, authority != NULL ? (size_t)(authority - url) : 0 };

    memset(out, 0, sizeof *out);
    if (url[0] == '\0')
        return IPR_OK;
    out->https = ipr_str_is_like(scheme, "https");
    if (!out->https && !ipr_str_is_like(scheme, "http"))
        return public_refuse(url, err);
    struct ipr_str name = ipr_str_c(authority + 3);
    name.n -= name.n > 0 && name.p[name.n - 1] == '/';
    if (!public_is_name(name) || name.n >= sizeof out->authority)
        return public_refuse(url, err);
    /* Browsers leave the scheme's own port out. */
    const struct ipr_str port = ipr_str_c(out->https ? ":443" : ":80");
    if (name.n > port.n && memcmp(name.p + name.n - port.n, port.p, port.n) == 0)
        name.n -= port.n;
    snprintf(out->authority, sizeof out->authority, "%.*s", (int)name.n, name.p);
    public_lower(out->authority);
    snprintf(out->origin, sizeof out->origin, "%s://%s", out->https ? "https" : "http",
             out->authority);
    return IPR_OK;
}

/* ---- what proxies say ---- */

struct in6_addr ipr_client_peer(const struct ipr_req *req)
{
    return ipr_address_of(
        MHD_get_connection_info(req->conn, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr);
}

static bool client_is_proxy(const struct ipr_req *req)
{
    const struct in6_addr peer = ipr_client_peer(req);

    return ipr_proxies_trust(req->http->proxies, &peer);
}

struct fields {
    const char *name;
    struct ipr_buf all;
};

static enum MHD_Result fields_join(void *cls, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    struct fields *f = cls;

    (void)kind;
    if (strcasecmp(name, f->name) == 0 && value != NULL) {
        if (f->all.n > 0)
            ipr_buf_putc(&f->all, ',');
        ipr_buf_puts(&f->all, value);
    }
    return MHD_YES;
}

/* A list may be in several fields: some proxies add one of their own. */
static struct ipr_buf client_list(const struct ipr_req *req, const char *name)
{
    struct fields f = { name, IPR_BUF_INIT };

    MHD_get_connection_values(req->conn, MHD_HEADER_KIND, fields_join, &f);
    return f.all;
}

static struct in6_addr client_by(const struct ipr_req *req, const char *field)
{
    struct ipr_buf list = client_list(req, field);
    const struct in6_addr out = ipr_proxies_client(req->http->proxies, ipr_client_peer(req),
                                                   (struct ipr_str){ ipr_buf_c(&list), list.n });

    ipr_buf_release(&list);
    return out;
}

/* A proxy writes one of the two fields, and may pass on what the client wrote into the other: when
 * they disagree neither is believed. */
struct in6_addr ipr_client_address(const struct ipr_req *req)
{
    const bool old = ipr_req_header(req, "X-Forwarded-For") != NULL;
    const bool standard = ipr_req_header(req, "Forwarded") != NULL;
    const struct in6_addr peer = ipr_client_peer(req);

    if (!client_is_proxy(req) || (!old && !standard))
        return peer;
    const struct in6_addr a = client_by(req, old ? "X-Forwarded-For" : "Forwarded");
    const struct in6_addr b = client_by(req, standard ? "Forwarded" : "X-Forwarded-For");
    return memcmp(&a, &b, sizeof a) == 0 ? a : peer;
}

static bool proxy_says_https(const struct ipr_req *req, bool *said)
{
    const char *old = ipr_req_header(req, "X-Forwarded-Proto");
    const char *standard = ipr_req_header(req, "Forwarded");
    struct ipr_str proto = { NULL, 0 };

    if (old != NULL)
        proto = ipr_proxies_last(ipr_str_c(old));
    else if (standard != NULL)
        proto = ipr_proxies_param(ipr_proxies_last(ipr_str_c(standard)), "proto");
    *said = proto.n > 0;
    return *said && ipr_str_is_like(proto, "https");
}

bool ipr_client_is_https(const struct ipr_req *req)
{
    const struct ipr_public_name *own = &req->http->public_name;
    const char *host = ipr_req_header(req, "Host");
    bool said = false;

    if (client_is_proxy(req)) {
        const bool https = proxy_says_https(req, &said);

        if (said)
            return https;
    }
    return own->https && host != NULL && strcasecmp(host, own->authority) == 0;
}

const char *ipr_client_authority(struct ipr_req *req)
{
    const char *said = client_is_proxy(req) ? ipr_req_header(req, "X-Forwarded-Host") : NULL;

    if (said == NULL || said[0] == '\0')
        return ipr_req_header(req, "Host");
    const struct ipr_str last = ipr_proxies_last(ipr_str_c(said));
    return ipr_arena_strndup(&req->mem, last.p, last.n);
}

const char *ipr_client_base(struct ipr_req *req)
{
    const char *authority = ipr_client_authority(req);

    if (req->http->public_name.origin[0] != '\0')
        return req->http->public_name.origin;
    if (authority == NULL)
        authority = "localhost:8080";
    return ipr_arena_printf(&req->mem, "http%s://%s", ipr_client_is_https(req) ? "s" : "",
                            authority);
}

void ipr_client_warn_nameless(struct ipr_http *http, const char *why)
{
    if (why == NULL || http->public_name.origin[0] != '\0' ||
        atomic_exchange(&http->nameless, true))
        return;
    ipr_log(IPR_LOG_WARN, "no_public_url",
            "msg=\"%s, but INTRINSIC_PUBLIC_URL is not set: pages have no canonical address, and "
            "previews of links no picture\"",
            ipr_log_text(why));
}

bool ipr_client_hung_up(int client)
{
    struct pollfd end = { .fd = client, .events = POLLRDHUP };

    return poll(&end, 1, 0) > 0;
}

/* ---- whether a proxy passed it on ---- */

static enum MHD_Result fields_find_proxy(void *cls, enum MHD_ValueKind kind, const char *name,
                                         const char *value)
{
    static const char *const exact[] = { "Forwarded", "Via", "X-Real-IP" };
    const char **found = cls;

    (void)kind;
    (void)value;
    if (strncasecmp(name, "X-Forwarded", 11) == 0)
        *found = name;
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        if (strcasecmp(name, exact[i]) == 0)
            *found = name;
    return MHD_YES;
}

const char *ipr_client_is_remote(struct ipr_req *req)
{
    const char *field = NULL;

    if (!req->http->loopback)
        return "other machines can reach the service";
    if (req->http->public_name.origin[0] != '\0')
        return "INTRINSIC_PUBLIC_URL is set";
    if (ipr_proxies_are_set(req->http->proxies))
        return "INTRINSIC_TRUSTED_PROXIES is set";
    MHD_get_connection_values(req->conn, MHD_HEADER_KIND, fields_find_proxy, &field);
    if (field != NULL)
        return ipr_arena_printf(&req->mem, "a proxy passed the request on (%.40s)", field);
    /* nginx adds no field by itself, but speaks HTTP/1.0, which no client does any more. */
    return req->http10 ? "the request is of HTTP/1.0, as proxies send" : NULL;
}
