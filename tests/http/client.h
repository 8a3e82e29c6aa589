#ifndef IPR_TEST_HTTP_CLIENT_H
#define IPR_TEST_HTTP_CLIENT_H

/* A small client over libcurl for black-box tests; asserts on the test's own thread. */

#include <curl/curl.h>
#include <jansson.h>
#include <string.h>

#include "base/str.h"
#include "ipr_test.h"

struct reply {
    long status;
    struct ipr_buf head, body;
};

static int client_port;

static size_t client_keep(char *p, size_t size, size_t n, void *to)
{
    ipr_buf_add(to, p, size * n);
    return size * n;
}

static void reply_release(struct reply *r)
{
    ipr_buf_release(&r->head);
    ipr_buf_release(&r->body);
}

/* A handle for METHOD PATH with headers ("A: b\nC: d"). Caller cleans up both. */
static CURL *client_handle(const char *method, const char *path, const char *headers,
                           struct reply *r, struct curl_slist **list)
{
    CURL *c = curl_easy_init();
    char url[1024];

    assert_non_null(c);
    memset(r, 0, sizeof *r);
    *list = NULL;
    snprintf(url, sizeof url, "http://127.0.0.1:%d%s", client_port, path[0] == '/' ? path : "/");
    for (const char *at = headers; at != NULL && *at != '\0';) {
        char line[512];
        const size_t n = strcspn(at, "\n");

        snprintf(line, sizeof line, "%.*s", (int)n, at);
        *list = curl_slist_append(*list, line);
        at += n + (at[n] == '\n');
    }
    curl_easy_setopt(c, CURLOPT_URL, url);
    curl_easy_setopt(c, CURLOPT_PATH_AS_IS, 1L);
    if (path[0] != '/')
        curl_easy_setopt(c, CURLOPT_REQUEST_TARGET, path);
    curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, method);
    curl_easy_setopt(c, CURLOPT_NOBODY, strcmp(method, "HEAD") == 0 ? 1L : 0L);
    curl_easy_setopt(c, CURLOPT_HTTPHEADER, *list);
    curl_easy_setopt(c, CURLOPT_TIMEOUT, 30L);
    curl_easy_setopt(c, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, client_keep);
    curl_easy_setopt(c, CURLOPT_HEADERDATA, &r->head);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, client_keep);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, &r->body);
    return c;
}

static CURLcode client_perform(CURL *c, struct curl_slist *list, struct reply *r)
{
    const CURLcode rc = curl_easy_perform(c);

    curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &r->status);
    curl_easy_cleanup(c);
    curl_slist_free_all(list);
    return rc;
}

/* The whole exchange; `body` NULL for none. */
static struct reply ask_with(const char *method, const char *path, const char *headers,
                             const char *body, size_t n)
{
    struct reply r;
    struct curl_slist *list;
    CURL *c = client_handle(method, path, headers, &r, &list);

    if (body != NULL) {
        curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)n);
        curl_easy_setopt(c, CURLOPT_POSTFIELDS, body);
    }
    const CURLcode rc = client_perform(c, list, &r);
    if (rc != CURLE_OK)
        print_error("%s %s: %s\n", method, path, curl_easy_strerror(rc));
    assert_int_equal(rc, CURLE_OK);
    return r;
}

static inline struct reply ask(const char *path, const char *headers)
{
    return ask_with("GET", path, headers, NULL, 0);
}

/* Value of a reply header, "" when absent; valid until the next call. */
static const char *header(const struct reply *r, const char *name)
{
    static char value[1024];
    const size_t n = strlen(name);

    for (const char *line = ipr_buf_c(&r->head); *line != '\0';) {
        const size_t len = strcspn(line, "\r\n");

        if (len > n + 1 && strncasecmp(line, name, n) == 0 && line[n] == ':') {
            const char *from = line + n + 1 + strspn(line + n + 1, " ");
            snprintf(value, sizeof value, "%.*s", (int)(len - (size_t)(from - line)), from);
            return value;
        }
        line += len;
        line += strspn(line, "\r\n");
    }
    return "";
}

static void expect_status(const struct reply *r, long status, const char *what)
{
    if (r->status != status)
        print_error("%s: %ld, not %ld: %s\n", what, r->status, status, ipr_buf_c(&r->body));
    assert_int_equal(r->status, status);
}

/* A problem document of this status and type; releases the reply. */
static inline void expect_problem(struct reply *r, long status, const char *type, const char *what)
{
    char uri[64];
    json_error_t why;

    expect_status(r, status, what);
    assert_string_equal(header(r, "Content-Type"), "application/problem+json");
    assert_string_equal(header(r, "Cache-Control"), "no-store");
    json_t *p = json_loads(ipr_buf_c(&r->body), 0, &why);
    assert_non_null(p);
    snprintf(uri, sizeof uri, "/problems/%s", type);
    assert_string_equal(json_string_value(json_object_get(p, "type")), uri);
    assert_int_equal(json_integer_value(json_object_get(p, "status")), status);
    assert_true(json_string_length(json_object_get(p, "title")) > 0);
    assert_string_equal(json_string_value(json_object_get(p, "request_id")),
                        header(r, "X-Request-Id"));
    json_decref(p);
    reply_release(r);
}

#endif
