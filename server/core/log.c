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

/* Quotes in untrusted text could forge fields, control characters could forge lines. */
const char *ipr_log_text(const char *s)
{
    static _Thread_local char ring[4][TEXT_MAX_BYTES];
    static _Thread_local unsigned next;
    char *out = ring[next++ % 4];
    size_t i = 0;

    for (; s != NULL && i + 1 < TEXT_MAX_BYTES && s[i] != '\0'; i++) {
        const unsigned char c = (unsigned char)s[i];

        out[i] = c < 0x20 || c == 0x7f ? ' ' : s[i];
        if (c == '"')
            out[i] = '\'';
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
