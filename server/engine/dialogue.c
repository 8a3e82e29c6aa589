#include "engine/dialogue.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "core/signals.h"

enum {
    TICK_MS = 500,
    LINES_PER_LOOK = 64, /* lines read between two checks of the clock */
    DEATH_MS = 2000      /* output closes shortly before the exit is visible */
};

/* Its output is ignored from now on. */
enum ipr_code ipr_dialogue_fail(struct ipr_dialogue *d, struct ipr_err *err, const char *type,
                                const char *what)
{
    d->alive = false;
    ipr_child_kill(&d->child);
    return ipr_err_at(err, IPR_EIO, type, 0, 0, d->ply, "engine process %ld: %s",
                      (long)d->child.pid, what);
}

static enum ipr_code fail_died(struct ipr_dialogue *d, struct ipr_err *err)
{
    char what[64];

    ipr_child_fate(&d->child, DEATH_MS, what, sizeof what);
    return ipr_dialogue_fail(d, err, "engine_died", what);
}

enum ipr_code ipr_dialogue_tick(struct ipr_dialogue *d, struct ipr_watch *w, struct ipr_err *err)
{
    const int64_t begin = ipr_now_ms();
    const enum ipr_code rc = w->tick(w->payload, w->done, w->total);
    const int64_t spent = ipr_now_ms() - begin;

    /* Time spent in the callback does not count against the engine. */
    w->deadline += spent;
    w->silent_deadline += spent;
    if (rc == IPR_OK)
        return IPR_OK;
    d->alive = false;
    ipr_child_kill(&d->child);
    return ipr_err_at(err, rc, "abandoned", 0, 0, d->ply,
                      "judging abandoned after %zu of %zu turns", w->done, w->total);
}

static enum ipr_code look_at_clock(struct ipr_dialogue *d, struct ipr_watch *w, struct ipr_err *err)
{
    const int64_t now = ipr_now_ms();

    if (now >= w->deadline)
        return ipr_dialogue_fail(d, err, "engine_timeout", w->what);
    if (w->silent_ms != 0 && now >= w->silent_deadline)
        return ipr_dialogue_fail(d, err, "engine_timeout", "silent for too long");
    if (now < w->next_tick)
        return IPR_OK;
    w->next_tick = now + TICK_MS;
    if (w->tick != NULL)
        return ipr_dialogue_tick(d, w, err);
    /* Nobody is called while an engine starts: an end of the service does not wait for it. */
    return ipr_signals_stopped(0) ? ipr_dialogue_fail(d, err, "abandoned", "stopped") : IPR_OK;
}

static bool dialogue_take_line(struct ipr_dialogue *d, struct ipr_str *line)
{
    char *from = d->buf + d->read_at;
    char *end = memchr(from, '\n', d->filled - d->read_at);

    if (end == NULL) {
        memmove(d->buf, from, d->filled - d->read_at);
        d->filled -= d->read_at;
        d->read_at = 0;
        return false;
    }
    *line = (struct ipr_str){ from, (size_t)(end - from) };
    d->read_at = (size_t)(end + 1 - d->buf);
    return true;
}

static enum ipr_code dialogue_read_more(struct ipr_dialogue *d, struct ipr_watch *w,
                                        struct ipr_err *err)
{
    if (d->filled == sizeof d->buf)
        return ipr_dialogue_fail(d, err, "engine_protocol", "endless line");
    const ssize_t n = read(d->child.from, d->buf + d->filled, sizeof d->buf - d->filled);
    if (n > 0) {
        d->filled += (size_t)n;
        w->silent_deadline = ipr_now_ms() + w->silent_ms;
        return IPR_OK;
    }
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return IPR_OK;
    return fail_died(d, err);
}

/* Waits for output; what was written before the exit is still read. */
static enum ipr_code wait_output(struct ipr_dialogue *d, struct ipr_watch *w, struct ipr_err *err)
{
    struct pollfd p[2] = { { .fd = d->child.from, .events = POLLIN },
                           { .fd = d->child.pidfd, .events = POLLIN } };
    int64_t until = w->deadline;
    enum ipr_code rc = IPR_OK;

    if (w->silent_ms != 0 && w->silent_deadline < until)
        until = w->silent_deadline;
    if (w->next_tick < until)
        until = w->next_tick;
    const int64_t left = until - ipr_now_ms();
    const int ready = poll(p, 2, left > 0 ? (int)left : 0);
    if (ready < 0 && errno != EINTR)
        rc = ipr_dialogue_fail(d, err, "engine_died", "cannot be watched any more");
    else if (ready > 0 && p[0].revents != 0)
        rc = dialogue_read_more(d, w, err);
    else if (ready > 0)
        rc = fail_died(d, err);
    return rc == IPR_OK ? look_at_clock(d, w, err) : rc;
}

/* The next line, borrowed until the next call. The deadline holds for a flood of lines too. */
enum ipr_code ipr_dialogue_read(struct ipr_dialogue *d, struct ipr_watch *w, struct ipr_str *line,
                                struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    if (++w->lines % LINES_PER_LOOK == 0)
        rc = look_at_clock(d, w, err);
    while (rc == IPR_OK && !dialogue_take_line(d, line))
        rc = wait_output(d, w, err);
    return rc;
}

void ipr_watch_start(struct ipr_watch *w, uint32_t ms, uint32_t silent_ms, const char *what)
{
    const int64_t now = ipr_now_ms();

    w->deadline = now + ms;
    w->silent_ms = silent_ms;
    w->silent_deadline = now + silent_ms;
    w->what = what;
}

enum ipr_code ipr_dialogue_send(struct ipr_dialogue *d, struct ipr_str text, uint32_t ms,
                                struct ipr_err *err)
{
    const int64_t deadline = ipr_now_ms() + ms;

    while (text.n > 0) {
        const ssize_t n = write(d->child.to, text.p, text.n);

        if (n >= 0) {
            text.p += n;
            text.n -= (size_t)n;
        } else if (errno == EAGAIN) {
            struct pollfd p = { .fd = d->child.to, .events = POLLOUT };
            const int64_t left = deadline - ipr_now_ms();

            if (left <= 0)
                return ipr_dialogue_fail(d, err, "engine_timeout", "does not read its input");
            (void)poll(&p, 1, (int)left);
        } else if (errno != EINTR) {
            return fail_died(d, err); /* EPIPE */
        }
    }
    return IPR_OK;
}
