#include "fetch/client.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/log.h"
#include "core/signals.h"
#include "core/version.h"

#define CONNECT_S   30L
#define REDIRECTS   3L
#define AFTER_MAX_S 3600 /* a longer Retry-After is for another day */

struct ipr_fetch_client {
    CURL *curl;
    const char *site;
    struct curl_slist *headers;
    const char *type;
    ipr_fetch_take_fn take;
    void *arg;
    struct ipr_err err; /* of `take`, or of the type */
};

static enum ipr_code answer_check_type(struct ipr_fetch_client *c)
{
    const char *type = NULL;

    (void)curl_easy_getinfo(c->curl, CURLINFO_CONTENT_TYPE, &type);
    const size_t n = type != NULL ? strcspn(type, "; ") : 0;
    if (ipr_str_is_like((struct ipr_str){ type, n }, c->type))
        return IPR_OK;
    return ipr_err_set(&c->err, IPR_EIO, "%s: the answer is %.*s, not %s", c->site,
                       (int)(n > 0 ? n : 10), n > 0 ? ipr_log_text(type) : "of no type", c->type);
}

static size_t answer_take(char *bytes, size_t size, size_t n, void *arg)
{
    struct ipr_fetch_client *c = arg;
    long status = 0;

    (void)curl_easy_getinfo(c->curl, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200) /* what an error page says is not shown */
        return size * n;
    if (answer_check_type(c) != IPR_OK || c->take(c->arg, bytes, size * n, &c->err) != IPR_OK)
        return 0;
    return size * n;
}

static int answer_goes_on(void *arg, curl_off_t total, curl_off_t now, curl_off_t up_total,
                          curl_off_t up_now)
{
    (void)arg, (void)total, (void)now, (void)up_total, (void)up_now;
    return ipr_signals_stopped(0);
}

static bool set_headers(struct ipr_fetch_client *c, const char *contact)
{
    struct ipr_buf agent = IPR_BUF_INIT;

    ipr_buf_puts(&agent, "intrinsic/" IPR_VERSION " (fetch");
    if (contact != NULL)
        ipr_buf_printf(&agent, "; contact: %s", contact);
    ipr_buf_putc(&agent, ')');
    const bool ok = curl_easy_setopt(c->curl, CURLOPT_USERAGENT, ipr_buf_c(&agent)) == CURLE_OK;
    ipr_buf_release(&agent);
    return ok;
}

static bool set_limits(CURL *curl, const struct ipr_fetch_options *o)
{
    const char *protocols = o->plain ? "http,https" : "https";

    return curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, protocols) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, protocols) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_MAXREDIRS, REDIRECTS) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_S) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)o->silence_s) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK;
}

static bool set_callbacks(struct ipr_fetch_client *c)
{
    return curl_easy_setopt(c->curl, CURLOPT_WRITEFUNCTION, answer_take) == CURLE_OK &&
           curl_easy_setopt(c->curl, CURLOPT_WRITEDATA, c) == CURLE_OK &&
           curl_easy_setopt(c->curl, CURLOPT_XFERINFOFUNCTION, answer_goes_on) == CURLE_OK &&
           curl_easy_setopt(c->curl, CURLOPT_NOPROGRESS, 0L) == CURLE_OK;
}

enum ipr_code ipr_fetch_open(const struct ipr_fetch_options *o, struct ipr_fetch_client **out,
                             struct ipr_err *err)
{
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return ipr_err_set(err, IPR_EIO, "libcurl cannot start");
    struct ipr_fetch_client *c = ipr_xmalloc(sizeof *c);
    *c = (struct ipr_fetch_client){ .curl = curl_easy_init(), .site = o->site };
    *out = c;
    if (c->curl == NULL || !set_headers(c, o->contact) || !set_limits(c->curl, o) ||
        !set_callbacks(c))
        return ipr_err_set(err, IPR_EIO, "libcurl lacks what this needs");
    return IPR_OK;
}

void ipr_fetch_close(struct ipr_fetch_client **c)
{
    if (*c == NULL)
        return;
    curl_slist_free_all((*c)->headers);
    curl_easy_cleanup((*c)->curl);
    curl_global_cleanup();
    free(*c);
    *c = NULL;
}

/* What began and then failed may go well another time; what cannot begin is said at once. */
static bool is_cut(CURLcode code)
{
    return code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_SEND_ERROR ||
           code == CURLE_GOT_NOTHING || code == CURLE_OPERATION_TIMEDOUT || code == CURLE_HTTP2 ||
           code == CURLE_HTTP2_STREAM || code == CURLE_BAD_CONTENT_ENCODING;
}

static enum ipr_code answer_end(struct ipr_fetch_client *c, CURLcode code,
                                struct ipr_fetch_answer *out, struct ipr_err *err)
{
    curl_off_t after = 0;

    (void)curl_easy_getinfo(c->curl, CURLINFO_RESPONSE_CODE, &out->status);
    (void)curl_easy_getinfo(c->curl, CURLINFO_RETRY_AFTER, &after);
    out->after_s = after < AFTER_MAX_S ? (int)after : AFTER_MAX_S;
    if (code == CURLE_OK && out->status == 200)
        (void)answer_check_type(c); /* of an empty answer, too */
    if (c->err.code != IPR_OK)
        return ipr_err_pass(err, &c->err);
    if (code == CURLE_ABORTED_BY_CALLBACK)
        return ipr_err_set(err, IPR_EIO, "stopped");
    out->cut = is_cut(code);
    snprintf(out->why, sizeof out->why, "%s", curl_easy_strerror(code));
    if (code != CURLE_OK && !out->cut)
        return ipr_err_set(err, IPR_EIO, "no answer from %s: %s", c->site, out->why);
    return IPR_OK;
}

enum ipr_code ipr_fetch_get(struct ipr_fetch_client *c, const char *url, const char *type,
                            ipr_fetch_take_fn take, void *arg, struct ipr_fetch_answer *out,
                            struct ipr_err *err)
{
    char accept[80];

    snprintf(accept, sizeof accept, "Accept: %s", type);
    curl_slist_free_all(c->headers);
    c->headers = curl_slist_append(NULL, accept);
    c->type = type, c->take = take, c->arg = arg;
    ipr_err_clear(&c->err);
    *out = (struct ipr_fetch_answer){ 0 };
    if (c->headers == NULL ||
        curl_easy_setopt(c->curl, CURLOPT_HTTPHEADER, c->headers) != CURLE_OK ||
        curl_easy_setopt(c->curl, CURLOPT_URL, url) != CURLE_OK)
        return ipr_err_set(err, IPR_EIO, "no request can be made of %s", url);
    return answer_end(c, curl_easy_perform(c->curl), out, err);
}
