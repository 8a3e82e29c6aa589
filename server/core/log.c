#include "core/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define LINE_MAX_BYTES 1024
#define TEXT_MAX_BYTES 512

static const char *const level_names[] = { "debug", "info", "warn", "error" };
static atomic_int least = IPR_LOG_INFO;
static _Thread_local char context[80];

bool ipr_log_level(const char *name)
{
    for (int i = 0; i < 4; i++)
        if (strcmp(name, level_names[i]) == 0) {
            atomic_store(&least, i);
            return true;
        }
    return false;
}

void ipr_log_context(const char *id)
{
    snprintf(context, sizeof context, "%s", id != NULL ? id : "");
}

/* Bytes of the next character of UTF-8, or of what is none; *plain: no control (of ASCII, or U+0080
 * to U+009F, also as a byte alone), end of a line or paragraph, or turn of its direction. */
static size_t log_character(const char *s, bool *plain)
{
    const unsigned char *const c = (const unsigned char *)s;
    size_t n = 1;

    while (c[0] >= 0xc0 && n < 4 && (c[n] & 0xc0) == 0x80)
        n++;
    const unsigned end = n == 3 ? ((unsigned)c[0] << 16 | (unsigned)c[1] << 8 | c[2]) : 0;
    *plain = c[0] >= 0x20 && c[0] != 0x7f && (c[0] & 0xe0) != 0x80 &&
             !(n == 2 && c[0] == 0xc2 && c[1] < 0xa0) && end != 0xe2808e && end != 0xe2808f &&
             !(end >= 0xe280a8 && end <= 0xe280ae) && !(end >= 0xe281a6 && end <= 0xe281a9);
    return n;
}

bool ipr_log_is_plain(const char *s)
{
    bool plain = true;

    while (plain && *s != '\0')
        s += log_character(s, &plain);
    return plain;
}

/* Quotes in untrusted text could forge fields, control characters could forge lines. */
const char *ipr_log_text(const char *s)
{
    static _Thread_local char ring[4][TEXT_MAX_BYTES];
    static _Thread_local unsigned next;
    char *out = ring[next++ % 4];
    size_t i = 0;
    bool plain;

    for (size_t n; s != NULL && *s != '\0'; s += n) {
        n = log_character(s, &plain);
        if (i + n >= TEXT_MAX_BYTES)
            break;
        if (plain && *s != '"')
            memcpy(out + i, s, n);
        else
            out[i] = *s == '"' ? '\'' : ' ';
        i += plain ? n : 1;
    }
    out[i] = '\0';
    return out;
}

void ipr_log(enum ipr_log_level level, const char *event, const char *fmt, ...)
{
    char text[LINE_MAX_BYTES], when[32];
    struct timespec now;
    struct tm tm;
    va_list ap;

    if ((int)level < atomic_load(&least))
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &tm);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &tm);
    /* One write per line, so that lines of several threads do not mix. */
    fprintf(stderr, "%s.%03ldZ level=%s event=%s%s%s%s%s\n", when, now.tv_nsec / 1000000,
            level_names[level], event, context[0] != '\0' ? " id=" : "", context,
            text[0] != '\0' ? " " : "", text);
}
