#include "edge/framing.h"

#include <string.h>

/* Fields that occur once; Content-Length and Transfer-Encoding exclude each other. */
enum { HOST = 1, ORIGIN = 2, LENGTH = 4, CODING = 8 };

static bool framing_fault(struct ipr_framing *f, const char *type, const char *detail)
{
    f->fault = type;
    f->detail = detail;
    return false;
}

static bool framing_bad(struct ipr_framing *f, const char *detail)
{
    return framing_fault(f, "bad_framing", detail);
}

/* ---- characters ---- */

/* tchar of RFC 9110: what names of methods and fields consist of. */
static bool is_token(struct ipr_str s)
{
    static const char others[] = "!#$%&'*+-.^_`|~";

    for (size_t i = 0; i < s.n; i++) {
        const char c = s.p[i], low = (char)(c | 0x20);

        if (!(low >= 'a' && low <= 'z') && !(c >= '0' && c <= '9') &&
            (c == '\0' || strchr(others, c) == NULL))
            return false;
    }
    return s.n > 0;
}

/* Control characters; a value may have tabs. */
static bool controls_in(struct ipr_str s, bool tabs)
{
    for (size_t i = 0; i < s.n; i++) {
        const unsigned char c = (unsigned char)s.p[i];

        if ((c < 0x20 && !(tabs && c == '\t')) || c == 0x7f)
            return true;
    }
    return false;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* True for a character of a name or an IPv4 address, or between the brackets of an IPv6 address. */
static bool is_of_host(char c, bool brackets)
{
    const char low = (char)(c | 0x20);

    return (c >= '0' && c <= '9') || (low >= 'a' && low <= 'z') ||
           (c != '\0' && strchr(brackets ? ":.%" : "-._~", c) != NULL);
}

/* ---- the head ---- */

static bool version_read(struct ipr_framing *f, struct ipr_str version)
{
    f->old = ipr_str_is(version, "HTTP/1.0");
    if (f->old || ipr_str_is(version, "HTTP/1.1"))
        return true;
    if (version.n == 8 && memcmp(version.p, "HTTP/", 5) == 0)
        return framing_fault(f, "bad_version", "only HTTP/1.1 and HTTP/1.0 are spoken here");
    return framing_bad(f, "the request line does not end in a version of HTTP");
}

/* The library keeps a parameter or cookie in memory of its own, of which a connection has little.
 */
static bool has_too_many(struct ipr_str s, char separator)
{
    unsigned n = 0;

    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == separator;
    return n >= IPR_FRAMING_PARTS_MAX;
}

/* "/path", "http://host/path", "*"; a name and a port are of CONNECT, which is answered 405. */
static bool target_has_form(struct ipr_str method, struct ipr_str target)
{
    return target.p[0] == '/' || ipr_str_is(target, "*") || ipr_str_is(method, "CONNECT") ||
           memmem(target.p, target.n, "://", 3) != NULL;
}

static bool target_read(struct ipr_framing *f, struct ipr_str method, struct ipr_str target)
{
    if (target.n == 0 || controls_in(target, false))
        return framing_bad(f, "the target of the request line has a control character, or is "
                              "empty");
    if (!target_has_form(method, target))
        return framing_bad(f, "the target of the request line does not begin with a slash");
    return !has_too_many(target, '&') ||
           framing_fault(f, "target_too_long", "the query has more than 256 parameters");
}

static bool request_line_read(struct ipr_framing *f, struct ipr_str line)
{
    if (line.n == 0 && !f->blank)
        return f->blank = true;
    const char *first = memchr(line.p, ' ', line.n), *last = memrchr(line.p, ' ', line.n);
    if (first == NULL || first == last ||
        memchr(first + 1, ' ', (size_t)(last - first) - 1) != NULL)
        return framing_bad(f, "a request line is a method, a target and a version, with one space "
                              "between");
    f->part = IPR_FRAMING_FIELDS;
    f->fields = f->seen = 0;
    f->blank = false;
    const struct ipr_str method = { line.p, (size_t)(first - line.p) };
    if (!is_token(method))
        return framing_bad(f, "the method of the request line is not a token");
    return target_read(f, method, (struct ipr_str){ first + 1, (size_t)(last - first) - 1 }) &&
           version_read(f, (struct ipr_str){ last + 1, (size_t)(line.p + line.n - last) - 1 });
}

/* The library takes a space behind a value for a part of it: it would read another request than
 * this one, or wait for a body of no length. */
static bool field_once(struct ipr_framing *f, unsigned field, struct ipr_str value,
                       const char *detail)
{
    if (f->seen & field)
        return framing_bad(f, detail);
    f->seen |= field;
    return value.n == 0 || !is_space(value.p[value.n - 1]) ||
           framing_bad(f, "a space follows the value of Host, Origin, Content-Length or "
                          "Transfer-Encoding");
}

/* "name", "192.0.2.1" or "[::1]", each also with a port; empty where the target has no authority.
 */
static bool host_has_form(struct ipr_str s)
{
    const bool brackets = s.n > 0 && s.p[0] == '[';
    size_t i = brackets;

    while (i < s.n && is_of_host(s.p[i], brackets))
        i++;
    if (brackets && (i == s.n || s.p[i++] != ']'))
        return false;
    if (i < s.n && s.p[i++] != ':')
        return false;
    while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
        i++;
    return i == s.n;
}

static bool field_read(struct ipr_framing *f, struct ipr_str name, struct ipr_str value)
{
    if (ipr_str_is_like(name, "content-length")) {
        int64_t n;

        if (!field_once(f, LENGTH, value, "Content-Length is given twice"))
            return false;
        if (value.n == 0 || value.p[0] < '0' || value.p[0] > '9' ||
            !ipr_str_int(value, 0, INT64_MAX, &n))
            return framing_bad(f, "Content-Length is not a number of bytes");
        f->rest = (uint64_t)n;
        return true;
    }
    if (ipr_str_is_like(name, "host"))
        return field_once(f, HOST, value, "Host is given twice") &&
               (host_has_form(value) ||
                framing_bad(f, "Host is not a name with or without a port"));
    if (ipr_str_is_like(name, "origin"))
        return field_once(f, ORIGIN, value, "Origin is given twice");
    if (ipr_str_is_like(name, "cookie"))
        return !has_too_many(value, ';') ||
               framing_fault(f, "head_too_large", "there are more than 256 cookies");
    if (!ipr_str_is_like(name, "transfer-encoding"))
        return true;
    return field_once(f, CODING, value, "Transfer-Encoding is given twice") &&
           (ipr_str_is_like(value, "chunked") ||
            framing_bad(f, "Transfer-Encoding has another value than chunked"));
}

/* A field of the head, or of the trailers, where none has a meaning. */
static bool field_line_read(struct ipr_framing *f, struct ipr_str line)
{
    const char *colon = memchr(line.p, ':', line.n);

    if (++f->fields > IPR_FRAMING_FIELDS_MAX)
        return framing_fault(f, "head_too_large", "the head has more than 100 fields");
    if (colon == NULL || !is_token((struct ipr_str){ line.p, (size_t)(colon - line.p) }))
        return framing_bad(f, "a field begins with its name and a colon, without a space");
    const struct ipr_str name = { line.p, (size_t)(colon - line.p) };
    struct ipr_str value = { colon + 1, line.n - name.n - 1 };
    if (controls_in(value, true))
        return framing_bad(f, "the value of a field has a control character");
    while (value.n > 0 && is_space(value.p[0])) {
        value.p++;
        value.n--;
    }
    return f->part == IPR_FRAMING_TRAILERS || field_read(f, name, value);
}

static bool head_ended(struct ipr_framing *f)
{
    const bool sized = f->seen & LENGTH, chunked = f->seen & CODING;

    if (!f->old && !(f->seen & HOST))
        return framing_bad(f, "a request of HTTP/1.1 has a field Host");
    if (chunked && (sized || f->old))
        return framing_bad(f, sized ? "Content-Length and Transfer-Encoding exclude each other"
                                    : "HTTP/1.0 has no Transfer-Encoding");
    if (!sized)
        f->rest = 0;
    f->part = f->rest > 0 ? IPR_FRAMING_SIZED : IPR_FRAMING_IDLE;
    if (chunked)
        f->part = IPR_FRAMING_CHUNK_SIZE;
    f->head = 0;
    return true;
}

/* ---- a chunked body ---- */

static int hex_digit(char c)
{
    const char low = (char)(c | 0x20);

    if (c >= '0' && c <= '9')
        return c - '0';
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

/* Extensions are read over: no server here knows one. */
static bool chunk_size_read(struct ipr_framing *f, struct ipr_str line)
{
    size_t i = 0;

    f->rest = 0;
    for (; i < line.n && hex_digit(line.p[i]) >= 0; i++)
        f->rest = f->rest * 16 + (uint64_t)hex_digit(line.p[i]);
    const struct ipr_str after = { line.p + i, line.n - i };
    if (i == 0 || i > 15 || (after.n > 0 && after.p[0] != ';') || controls_in(after, true))
        return framing_bad(f, "a chunk begins with its size in hexadecimal digits");
    f->part = f->rest > 0 ? IPR_FRAMING_CHUNK : IPR_FRAMING_TRAILERS;
    f->fields = 0;
    f->head = 0;
    return true;
}

/* ---- lines and bytes ---- */

static bool line_read(struct ipr_framing *f, struct ipr_str line)
{
    switch (f->part) {
    case IPR_FRAMING_IDLE:
        return request_line_read(f, line);
    case IPR_FRAMING_FIELDS:
        return line.n == 0 ? head_ended(f) : field_line_read(f, line);
    case IPR_FRAMING_CHUNK_SIZE:
        return chunk_size_read(f, line);
    case IPR_FRAMING_CHUNK_END:
        f->part = IPR_FRAMING_CHUNK_SIZE;
        return line.n == 0 || framing_bad(f, "a chunk is longer than its size");
    case IPR_FRAMING_TRAILERS:
        if (line.n > 0)
            return field_line_read(f, line);
        f->part = IPR_FRAMING_IDLE;
        f->head = 0;
        return true;
    case IPR_FRAMING_SIZED:
    case IPR_FRAMING_CHUNK:
        break; /* not lines */
    }
    return false;
}

/* False if `n` more bytes of the line would exceed the limits. */
static bool line_fits(struct ipr_framing *f, size_t n)
{
    if (f->part == IPR_FRAMING_CHUNK_SIZE || f->part == IPR_FRAMING_CHUNK_END)
        return f->line.n + n <= IPR_FRAMING_CHUNK_LINE ||
               framing_bad(f, "the line with the size of a chunk is longer than 256 bytes");
    f->head += n;
    if (f->head <= IPR_FRAMING_HEAD_MAX)
        return true;
    if (f->part == IPR_FRAMING_IDLE)
        return framing_fault(f, "target_too_long", "the request line is longer than 16 kB");
    return framing_fault(f, "head_too_large", "the fields of the head have more than 16 kB");
}

/* A line that ends in `data`, or its beginning, kept for the next time. The bytes read; 0: fault.
 */
static size_t line_take(struct ipr_framing *f, const char *data, size_t n)
{
    const char *lf = memchr(data, '\n', n);
    const size_t took = lf != NULL ? (size_t)(lf - data) + 1 : n;
    struct ipr_str line = { data, took };

    if (!line_fits(f, took))
        return 0;
    if (lf == NULL || f->line.n > 0) {
        ipr_buf_add(&f->line, data, took);
        line = (struct ipr_str){ f->line.p, f->line.n };
    }
    if (lf == NULL)
        return took;
    if (line.n < 2 || line.p[line.n - 2] != '\r') {
        framing_bad(f, "a line ends in LF without CR");
        return 0;
    }
    line.n -= 2;
    const bool good = line_read(f, line);
    ipr_buf_release(&f->line);
    return good ? took : 0;
}

static size_t body_take(struct ipr_framing *f, size_t n)
{
    const size_t took = n < f->rest ? n : (size_t)f->rest;

    f->rest -= took;
    if (f->rest == 0)
        f->part = f->part == IPR_FRAMING_SIZED ? IPR_FRAMING_IDLE : IPR_FRAMING_CHUNK_END;
    return took;
}

size_t ipr_framing_take(struct ipr_framing *f, const char *data, size_t n)
{
    size_t at = 0, ended = 0;

    while (at < n && f->fault == NULL) {
        const bool body = f->part == IPR_FRAMING_SIZED || f->part == IPR_FRAMING_CHUNK;

        at += body ? body_take(f, n - at) : line_take(f, data + at, n - at);
        if (f->part == IPR_FRAMING_IDLE && f->line.n == 0)
            ended = at;
    }
    return f->fault != NULL ? ended : n;
}

bool ipr_framing_in_head(const struct ipr_framing *f)
{
    return f->part == IPR_FRAMING_FIELDS ||
           (f->part == IPR_FRAMING_IDLE && (f->line.n > 0 || f->blank));
}

bool ipr_framing_in_body(const struct ipr_framing *f)
{
    return f->part > IPR_FRAMING_FIELDS;
}

void ipr_framing_release(struct ipr_framing *f)
{
    ipr_buf_release(&f->line);
}
