#include "base/str.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct ipr_str ipr_str_c(const char *s)
{
    return (struct ipr_str){ s, s == NULL ? 0 : strlen(s) };
}

bool ipr_str_eq(struct ipr_str a, struct ipr_str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool ipr_str_is(struct ipr_str a, const char *b)
{
    return ipr_str_eq(a, ipr_str_c(b));
}

static char char_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool ipr_str_is_like(struct ipr_str a, const char *b)
{
    for (size_t i = 0; i < a.n; i++)
        if (b[i] == '\0' || char_lower(a.p[i]) != char_lower(b[i]))
            return false;
    return b[a.n] == '\0';
}

static bool char_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

struct ipr_str ipr_str_trim(struct ipr_str s)
{
    while (s.n > 0 && char_is_space(s.p[0])) {
        s.p++;
        s.n--;
    }
    while (s.n > 0 && char_is_space(s.p[s.n - 1]))
        s.n--;
    return s;
}

bool ipr_str_word(struct ipr_str *rest, struct ipr_str *word)
{
    size_t i = 0;

    while (i < rest->n && char_is_space(rest->p[i]))
        i++;
    const size_t start = i;
    while (i < rest->n && !char_is_space(rest->p[i]))
        i++;
    if (i == start)
        return false;
    *word = (struct ipr_str){ rest->p + start, i - start };
    rest->p += i;
    rest->n -= i;
    return true;
}

/* strtod and strtoll need a terminator; no number we accept is longer than this. */
#define NUMBER_MAX 48

static bool number_terminate(struct ipr_str s, char out[NUMBER_MAX])
{
    if (s.n == 0 || s.n >= NUMBER_MAX || char_is_space(s.p[0]) || memchr(s.p, '\0', s.n) != NULL)
        return false;
    memcpy(out, s.p, s.n);
    out[s.n] = '\0';
    return true;
}

bool ipr_str_int(struct ipr_str s, int64_t lo, int64_t hi, int64_t *out)
{
    char text[NUMBER_MAX], *end;

    if (!number_terminate(s, text))
        return false;
    errno = 0;
    const long long v = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || v < lo || v > hi)
        return false;
    *out = v;
    return true;
}

bool ipr_str_double(struct ipr_str s, double lo, double hi, double *out)
{
    char text[NUMBER_MAX], *end;

    if (!number_terminate(s, text) || strpbrk(text, "xXpP") != NULL)
        return false;
    const double v = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(v) || v < lo || v > hi)
        return false;
    *out = v;
    return true;
}

static bool buf_reserve(struct ipr_buf *b, size_t more)
{
    if (b->over)
        return false;
    if (b->cap != 0 && (b->n > b->cap || more > b->cap - b->n)) {
        b->over = true;
        return false;
    }
    if (b->size - b->n <= more) {
        size_t size = b->size ? b->size : 64;

        while (size - b->n <= more)
            size *= 2;
        b->p = ipr_xrealloc(b->p, size, 1);
        b->size = size;
    }
    return true;
}

void ipr_buf_add(struct ipr_buf *b, const void *bytes, size_t n)
{
    if (!buf_reserve(b, n))
        return;
    if (n > 0)
        memcpy(b->p + b->n, bytes, n);
    b->n += n;
    b->p[b->n] = '\0';
}

void ipr_buf_puts(struct ipr_buf *b, const char *s)
{
    ipr_buf_add(b, s, strlen(s));
}

void ipr_buf_putc(struct ipr_buf *b, char c)
{
    ipr_buf_add(b, &c, 1);
}

void ipr_buf_put_int(struct ipr_buf *b, int64_t value)
{
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    char text[NUMBER_MAX], *at = text + sizeof text;

    do
        *--at = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (value < 0)
        *--at = '-';
    ipr_buf_add(b, at, (size_t)(text + sizeof text - at));
}

void ipr_buf_put_varint(struct ipr_buf *b, uint64_t value)
{
    for (; value > 127; value >>= 7)
        ipr_buf_putc(b, (char)(value | 128));
    ipr_buf_putc(b, (char)value);
}

uint64_t ipr_bytes_varint(struct ipr_bytes *bytes, uint64_t most)
{
    uint64_t v = 0;

    for (unsigned shift = 0; bytes->p < bytes->end && shift < 63; shift += 7) {
        const unsigned byte = *bytes->p++;

        v |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            bytes->bad |= v > most || (byte == 0 && shift > 0);
            return bytes->bad ? 0 : v;
        }
    }
    bytes->bad = true;
    return 0;
}

/* Most texts fit into the room that is left. */
void ipr_buf_printf(struct ipr_buf *b, const char *fmt, ...)
{
    const size_t room = b->over ? 0 : b->size - b->n;
    va_list ap, again;

    va_start(ap, fmt);
    va_copy(again, ap);
    const int n = vsnprintf(room > 0 ? b->p + b->n : NULL, room, fmt, ap);
    va_end(ap);
    if (n >= 0 && buf_reserve(b, (size_t)n)) {
        if ((size_t)n >= room)
            vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
        b->n += (size_t)n;
    } else if (room > 0) {
        b->p[b->n] = '\0';
    }
    va_end(again);
}

void ipr_buf_reset(struct ipr_buf *b)
{
    b->n = 0;
    b->over = false;
    if (b->p != NULL)
        b->p[0] = '\0';
}

void ipr_buf_release(struct ipr_buf *b)
{
    free(b->p);
    *b = (struct ipr_buf){ .cap = b->cap };
}

char *ipr_buf_steal(struct ipr_buf *b)
{
    char *p = b->p != NULL ? b->p : ipr_xstrdup("");

    *b = (struct ipr_buf){ .cap = b->cap };
    return p;
}

const char *ipr_buf_c(const struct ipr_buf *b)
{
    return b->p != NULL ? b->p : "";
}

/* ---- dates ---- */

static int64_t date_days(int64_t year, int64_t month)
{
    static const int8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    return days[month - 1] + (month == 2 && leap);
}

int ipr_date_read(const char *text, char hyphen, int fill, int *day_number)
{
    int64_t part[3] = { 0, fill, fill };
    static const struct {
        size_t at, n;
        int64_t lo, hi;
    } parts[] = { { 0, 4, 1000, 9999 }, { 5, 2, 1, 12 }, { 8, 2, 1, 31 } };
    const size_t n = strlen(text);
    int known = 0;

    while (known < 3 && n >= parts[known].at + parts[known].n &&
           (known == 0 || text[parts[known].at - 1] == hyphen) &&
           strspn(text + parts[known].at, "0123456789") >= parts[known].n &&
           ipr_str_int((struct ipr_str){ text + parts[known].at, parts[known].n }, parts[known].lo,
                       known < 2 ? parts[known].hi : date_days(part[0], part[1]), &part[known]))
        known++;
    *day_number = (int)(part[0] * 10000 + part[1] * 100 + part[2]);
    return known;
}

bool ipr_date_is(const char *text)
{
    int day;
    const int known = ipr_date_read(text, '-', 0, &day);

    return known > 0 && strlen(text) == 1 + 3 * (size_t)known;
}
