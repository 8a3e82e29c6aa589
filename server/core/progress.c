#include "core/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "core/clock.h"

#define PAUSE_MS 200  /* between two lines */
#define SURE_MS  1000 /* before this no time left is said: the first steps are not typical */

struct ipr_progress ipr_progress_begin(bool quiet)
{
    return (struct ipr_progress){ .on = !quiet && isatty(STDERR_FILENO), .began = ipr_now_ms() };
}

void ipr_progress_say(struct ipr_progress *p, double done, double total, const char *fmt, ...)
{
    const int64_t now = ipr_now_ms(), ms = now - p->began;
    va_list args;

    if (!p->on || (p->said != 0 && now - p->said < PAUSE_MS))
        return;
    p->said = now;
    fputs("\r\033[K", stderr);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    if (total > 0 && done > 0 && ms >= SURE_MS) {
        const int64_t seconds = (int64_t)((double)ms / done * (total - done) / 1000.0 + 0.5);

        if (seconds >= 3600)
            fprintf(stderr, ", about %d:%02d:%02d left", (int)(seconds / 3600),
                    (int)(seconds / 60 % 60), (int)(seconds % 60));
        else
            fprintf(stderr, ", about %d:%02d left", (int)(seconds / 60), (int)(seconds % 60));
    }
    fflush(stderr);
}

void ipr_progress_end(struct ipr_progress *p)
{
    if (p->said != 0)
        fputs("\r\033[K", stderr);
    p->said = 0;
}
