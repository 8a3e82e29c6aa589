#ifndef IPR_ENGINE_DIALOGUE_H
#define IPR_ENGINE_DIALOGUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "core/clock.h"
#include "engine/child.h"
#include "engine/process.h"

/* Lines to and from an engine, each wait with a deadline. Failures are those of engine/process.h
 * (IPR_EIO with a type); after one the child is killed and `alive` is false. */

enum { IPR_DIALOGUE_LINE = 16384 /* the longest regular line has 246 moves */ };

struct ipr_dialogue {
    struct ipr_child child;
    bool alive;
    int32_t ply; /* reported with failures; -1: none */
    size_t read_at, filled;
    char buf[IPR_DIALOGUE_LINE];
};

/** Deadlines of one wait, and its callback. */
struct ipr_watch {
    int64_t deadline, silent_deadline, next_tick;
    uint32_t silent_ms; /* 0: only the deadline counts */
    unsigned lines;
    ipr_engine_tick_fn tick; /* NULL: none */
    void *payload;
    size_t done, total; /* turns, for tick */
    const char *what;   /* the error when the deadline passes */
};

/** Sets the deadlines; tick, payload and turns stay. */
void ipr_watch_start(struct ipr_watch *w, uint32_t ms, uint32_t silent_ms, const char *what);

/** The next line without its newline, borrowed until the next call. The deadline holds for a flood
 * of lines too. Calls tick twice a second. */
IPR_CHECK enum ipr_code ipr_dialogue_read(struct ipr_dialogue *d, struct ipr_watch *w,
                                          struct ipr_str *line, struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_dialogue_send(struct ipr_dialogue *d, struct ipr_str text, uint32_t ms,
                                          struct ipr_err *err);

/** Calls tick now; the deadlines are extended by the time it takes. */
IPR_CHECK enum ipr_code ipr_dialogue_tick(struct ipr_dialogue *d, struct ipr_watch *w,
                                          struct ipr_err *err);

/** Kills the child and ignores its output from now on. Returns IPR_EIO. */
enum ipr_code ipr_dialogue_fail(struct ipr_dialogue *d, struct ipr_err *err, const char *type,
                                const char *what);

#endif
