#include "base/json_scan.h"

#include <ctype.h>
#include <string.h>

struct ipr_scan ipr_scan_of(struct ipr_str text)
{
    return (struct ipr_scan){ .p = text.p, .end = text.p + text.n };
}

static bool scan_fail(struct ipr_scan *s)
{
    s->bad = true;
    return false;
}

char ipr_scan_peek(struct ipr_scan *s)
{
    if (s->bad)
        return '\0';
    while (s->p < s->end && strchr(" \t\r\n", *s->p) != NULL && *s->p != '\0')
        s->p++;
    return (char)(s->p < s->end ? *s->p : '\0');
}

static bool scan_take(struct ipr_scan *s, char c)
{
    if (ipr_scan_peek(s) != c)
        return scan_fail(s);
    s->p++;
    return true;
}

static bool scan_enter(struct ipr_scan *s, char bracket)
{
    if (!scan_take(s, bracket))
        return false;
    s->first = true;
    return ++s->depth <= IPR_SCAN_DEPTH || scan_fail(s);
}

/* True if another value follows within the brackets; leaves them otherwise. */
static bool scan_next(struct ipr_scan *s, char closing)
{
    const bool first = s->first;
    const char c = ipr_scan_peek(s);

    if (s->depth == 0)
        return scan_fail(s);
    s->first = false;
    if (c == closing) {
        s->p++;
        s->depth--;
        return false;
    }
    return first ? c != '\0' || scan_fail(s) : scan_take(s, ',');
}

bool ipr_scan_array(struct ipr_scan *s)
{
    return scan_enter(s, '[');
}

bool ipr_scan_next(struct ipr_scan *s)
{
    return scan_next(s, ']');
}

bool ipr_scan_object(struct ipr_scan *s)
{
    return scan_enter(s, '{');
}

bool ipr_scan_member(struct ipr_scan *s, struct ipr_str *name)
{
    return scan_next(s, '}') && ipr_scan_string(s, name) && scan_take(s, ':');
}

/* Reads what follows a backslash. */
static bool scan_escape(struct ipr_scan *s)
{
    const char c = (char)(s->p < s->end ? *s->p : '\0');

    if (c == '\0' || strchr("\"\\/bfnrtu", c) == NULL)
        return scan_fail(s);
    s->p++;
    if (c != 'u')
        return true;
    for (int i = 0; i < 4; i++, s->p++)
        if (s->p == s->end || !isxdigit((unsigned char)*s->p))
            return scan_fail(s);
    return true;
}

bool ipr_scan_string(struct ipr_scan *s, struct ipr_str *out)
{
    if (!scan_take(s, '"'))
        return false;
    const char *from = s->p;
    while (s->p < s->end && *s->p != '"') {
        const char c = *s->p++;

        if ((unsigned char)c < ' ')
            return scan_fail(s);
        if (c == '\\' && !scan_escape(s))
            return false;
    }
    if (s->p == s->end)
        return scan_fail(s);
    *out = (struct ipr_str){ from, (size_t)(s->p - from) };
    s->p++;
    return true;
}

static bool scan_digits(struct ipr_scan *s)
{
    const char *from = s->p;

    while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
        s->p++;
    return s->p > from || scan_fail(s);
}

static bool scan_at(const struct ipr_scan *s, const char *any)
{
    return s->p < s->end && *s->p != '\0' && strchr(any, *s->p) != NULL;
}

/* -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)? */
static bool scan_digits_text(struct ipr_scan *s, struct ipr_str *out)
{
    ipr_scan_peek(s);
    const char *from = s->p;
    if (scan_at(s, "-"))
        s->p++;
    if (scan_at(s, "0"))
        s->p++;
    else if (!scan_digits(s))
        return false;
    if (scan_at(s, ".")) {
        s->p++;
        if (!scan_digits(s))
            return false;
    }
    if (scan_at(s, "eE")) {
        s->p++;
        if (scan_at(s, "+-"))
            s->p++;
        if (!scan_digits(s))
            return false;
    }
    *out = (struct ipr_str){ from, (size_t)(s->p - from) };
    return true;
}

bool ipr_scan_integer(struct ipr_scan *s, int64_t lo, int64_t hi, int64_t *out)
{
    struct ipr_str text;

    if (s->bad || !scan_digits_text(s, &text))
        return false;
    return ipr_str_int(text, lo, hi, out) || scan_fail(s);
}

static bool scan_literal(struct ipr_scan *s, const char *text)
{
    const size_t n = strlen(text);

    ipr_scan_peek(s);
    if ((size_t)(s->end - s->p) < n || memcmp(s->p, text, n) != 0)
        return scan_fail(s);
    s->p += n;
    return true;
}

bool ipr_scan_null(struct ipr_scan *s)
{
    return !s->bad && scan_literal(s, "null");
}

static bool skip_inside(struct ipr_scan *s)
{
    struct ipr_str name;

    if (ipr_scan_peek(s) == '[') {
        if (ipr_scan_array(s))
            while (ipr_scan_next(s) && ipr_scan_skip(s, NULL))
                ;
    } else if (ipr_scan_object(s)) {
        while (ipr_scan_member(s, &name) && ipr_scan_skip(s, NULL))
            ;
    }
    return !s->bad;
}

static bool scan_skip(struct ipr_scan *s)
{
    struct ipr_str text;

    switch (ipr_scan_peek(s)) {
    case '[':
    case '{':
        return skip_inside(s);
    case '"':
        return ipr_scan_string(s, &text);
    case 't':
        return scan_literal(s, "true");
    case 'f':
        return scan_literal(s, "false");
    case 'n':
        return scan_literal(s, "null");
    default:
        return !s->bad && scan_digits_text(s, &text);
    }
}

bool ipr_scan_skip(struct ipr_scan *s, struct ipr_str *out)
{
    ipr_scan_peek(s);
    const char *from = s->p;
    if (!scan_skip(s))
        return false;
    if (out != NULL)
        *out = (struct ipr_str){ from, (size_t)(s->p - from) };
    return true;
}

bool ipr_scan_done(struct ipr_scan *s)
{
    return ipr_scan_peek(s) == '\0' && !s->bad && s->p == s->end && s->depth == 0;
}
