#include "http/base/url.h"

#include <string.h>
#include <unistr.h>

static int hex_nibble(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static enum ipr_code bad_url(struct ipr_err *err, const char *what)
{
    return ipr_err_type(err, IPR_EPARSE, "bad_url", "%s", what);
}

enum ipr_code ipr_url_decode(struct ipr_arena *mem, struct ipr_str in, bool form, const char **out,
                             struct ipr_err *err)
{
    char *text = ipr_arena_alloc(mem, in.n + 1, 1);
    size_t n = 0;

    for (size_t i = 0; i < in.n; i++) {
        char c = in.p[i];

        if (c == '%') {
            const int hi = in.n - i > 2 ? hex_nibble(in.p[i + 1]) : -1;
            const int lo = in.n - i > 2 ? hex_nibble(in.p[i + 2]) : -1;

            if (hi < 0 || lo < 0)
                return bad_url(err, "a % in the address is not followed by two hex digits");
            c = (char)(hi * 16 + lo);
            i += 2;
        } else if (c == '+' && form) {
            c = ' ';
        }
        if (c == '\0')
            return bad_url(err, "the address holds a zero byte");
        text[n++] = c;
    }
    if (u8_check((const uint8_t *)text, n) != NULL)
        return bad_url(err, "the address is not UTF-8");
    *out = text;
    return IPR_OK;
}

static enum ipr_code split_pair(struct ipr_arena *mem, struct ipr_str pair, struct ipr_given *out,
                                struct ipr_err *err)
{
    const char *eq = memchr(pair.p, '=', pair.n);
    struct ipr_str name = pair, value = { "", 0 };

    if (eq != NULL) {
        name.n = (size_t)(eq - pair.p);
        value = (struct ipr_str){ eq + 1, pair.n - name.n - 1 };
    }
    *out = (struct ipr_given){ .place = IPR_GIVEN_QUERY };
    const enum ipr_code rc = ipr_url_decode(mem, name, true, &out->name, err);
    return rc == IPR_OK ? ipr_url_decode(mem, value, true, &out->text, err) : rc;
}

enum ipr_code ipr_url_query(struct ipr_arena *mem, struct ipr_str query, struct ipr_given *given,
                            size_t *n, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    for (size_t from = 0; rc == IPR_OK && from < query.n;) {
        const char *amp = memchr(query.p + from, '&', query.n - from);
        const size_t to = amp != NULL ? (size_t)(amp - query.p) : query.n;

        if (to > from && *n == IPR_REQ_GIVEN)
            rc = ipr_err_set(err, IPR_ELIMIT, "too many parameters");
        else if (to > from)
            rc =
                split_pair(mem, (struct ipr_str){ query.p + from, to - from }, &given[(*n)++], err);
        from = to + 1;
    }
    return rc;
}

const char *ipr_url_encode_path(struct ipr_arena *mem, const char *path)
{
    static const char hex[] = "0123456789ABCDEF";
    char *out = ipr_arena_alloc(mem, 3 * strlen(path) + 1, 1);
    char *to = out;

    for (const unsigned char *c = (const unsigned char *)path; *c != '\0'; c++) {
        if (*c > ' ' && *c < 127) {
            *to++ = (char)*c;
            continue;
        }
        *to++ = '%';
        *to++ = hex[*c >> 4];
        *to++ = hex[*c & 15];
    }
    *to = '\0';
    return out;
}

/* The piece up to the next slash; `rest` advances past the slash, if any. */
static struct ipr_str next_segment(struct ipr_str *rest, bool *more)
{
    const char *slash = memchr(rest->p, '/', rest->n);
    const struct ipr_str s = { rest->p, slash != NULL ? (size_t)(slash - rest->p) : rest->n };
    const size_t step = s.n + (slash != NULL ? 1 : 0);

    *more = slash != NULL;
    rest->p += step;
    rest->n -= step;
    return s;
}

bool ipr_url_match(const char *pattern, struct ipr_str path, struct ipr_str ids[IPR_REQ_IDS])
{
    struct ipr_str rest = ipr_str_c(pattern);
    size_t n = 0;
    bool more = true, path_more = true;

    while (more && path_more) {
        const struct ipr_str want = next_segment(&rest, &more);
        const struct ipr_str got = next_segment(&path, &path_more);

        if (want.n > 0 && want.p[0] == '{') {
            if (got.n == 0 || n == IPR_REQ_IDS)
                return false;
            ids[n++] = got;
        } else if (!ipr_str_eq(want, got)) {
            return false;
        }
    }
    return more == path_more;
}
