#include "http/url.h"

#include <string.h>
#include <unistr.h>

#define PARAMS_MAX 32

static int hex(char c)
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
    return ipr_err_at(err, IPR_EPARSE, "bad_url", 0, 0, -1, "%s", what);
}

enum ipr_code ipr_url_decode(struct ipr_arena *mem, struct ipr_str in, bool form, const char **out,
                             struct ipr_err *err)
{
    char *text = ipr_arena_alloc(mem, in.n + 1, 1);
    size_t n = 0;

    for (size_t i = 0; i < in.n; i++) {
        char c = in.p[i];

        if (c == '%') {
            const int hi = in.n - i > 2 ? hex(in.p[i + 1]) : -1;
            const int lo = in.n - i > 2 ? hex(in.p[i + 2]) : -1;

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

const char *const ipr_url_any[] = { NULL };

static bool is_known(const char *const *known, const char *name)
{
    if (known == ipr_url_any)
        return true;
    for (; known != NULL && *known != NULL; known++)
        if (strcmp(*known, name) == 0)
            return true;
    return false;
}

static enum ipr_code add_param(struct ipr_arena *mem, struct ipr_str pair, const char *const *known,
                               struct ipr_param *list, size_t *n, struct ipr_err *err)
{
    const char *eq = memchr(pair.p, '=', pair.n);
    const struct ipr_str name = { pair.p, eq != NULL ? (size_t)(eq - pair.p) : pair.n };
    const struct ipr_str value = { eq != NULL ? eq + 1 : "", eq != NULL ? pair.n - name.n - 1 : 0 };
    struct ipr_param p = { "", "" };

    enum ipr_code rc = ipr_url_decode(mem, name, true, &p.name, err);
    if (rc == IPR_OK)
        rc = ipr_url_decode(mem, value, true, &p.value, err);
    if (rc != IPR_OK)
        return rc;
    if (!is_known(known, p.name))
        return ipr_err_at(err, IPR_EPARSE, "unknown_parameter", 0, 0, -1,
                          "there is no parameter \"%.60s\" here", p.name);
    if (p.value[0] == '\0' && known != ipr_url_any) /* there the name is still to be checked */
        return IPR_OK;
    for (size_t i = 0; i < *n; i++)
        if (strcmp(list[i].name, p.name) == 0)
            return ipr_err_at(err, IPR_EPARSE, "bad_parameter", 0, 0, -1, "%s is given twice",
                              p.name);
    /* Known names differ, so PARAMS_MAX bounds them as long as tables stay short. */
    if (*n == PARAMS_MAX)
        return ipr_err_set(err, IPR_ELIMIT, "too many parameters");
    list[(*n)++] = p;
    return IPR_OK;
}

enum ipr_code ipr_url_query(struct ipr_arena *mem, struct ipr_str query, const char *const *known,
                            const struct ipr_param **out, size_t *n, struct ipr_err *err)
{
    struct ipr_param *list = ipr_arena_alloc(mem, PARAMS_MAX, sizeof *list);
    enum ipr_code rc = IPR_OK;
    size_t count = 0;

    for (size_t from = 0; rc == IPR_OK && from < query.n;) {
        const char *amp = memchr(query.p + from, '&', query.n - from);
        const size_t to = amp != NULL ? (size_t)(amp - query.p) : query.n;

        if (to > from)
            rc = add_param(mem, (struct ipr_str){ query.p + from, to - from }, known, list, &count,
                           err);
        from = to + 1;
    }
    if (rc == IPR_OK) {
        *out = list;
        *n = count;
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
static struct ipr_str segment(struct ipr_str *rest, bool *more)
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
        const struct ipr_str want = segment(&rest, &more);
        const struct ipr_str got = segment(&path, &path_more);

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
