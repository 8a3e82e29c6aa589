#include "engine/process.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/child.h"
#include "uci/parse.h"
#include "uci/session.h"

enum {
    LINE_CAP = 16384, /* the longest honest line is 246 moves */
    TICK_MS = 500,
    LINES_PER_LOOK = 64, /* lines taken between two looks at the clock */
    DEATH_MS = 2000      /* output closes a little before the exit can be seen */
};

const struct ipr_engine_limits ipr_engine_limits_default = {
    .uci_ms = 10000, .ready_ms = 5000, .search_ms = 60000, .silent_ms = 30000, .quit_ms = 2000
};

struct ipr_engine {
    struct ipr_judge judge;
    struct ipr_engine_limits limits;
    struct ipr_child child;
    bool alive;
    bool has_multipv, has_hash, has_threads;
    int32_t ply; /* of the turn in work, -1 when none */
    size_t read_at, filled;
    char buf[LINE_CAP];
};

/* What one wait may last, and what is done meanwhile. */
struct watch {
    int64_t deadline, silent_deadline, next_tick;
    uint32_t silent_ms; /* 0: the deadline alone counts */
    unsigned lines;
    ipr_engine_tick_fn tick;
    void *payload;
    size_t done, total;
    const char *what;
};

const char *ipr_engine_name(const struct ipr_engine *e)
{
    return e->judge.engine;
}

const char *ipr_engine_network(const struct ipr_engine *e)
{
    return e->judge.network;
}

const struct ipr_judge *ipr_engine_judge_of(const struct ipr_engine *e)
{
    return &e->judge;
}

pid_t ipr_engine_pid(const struct ipr_engine *e)
{
    return e->child.pid;
}

bool ipr_engine_alive(const struct ipr_engine *e)
{
    return e->alive;
}

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* After this nothing it says is believed. */
static enum ipr_code fail(struct ipr_engine *e, struct ipr_err *err, const char *type,
                          const char *what)
{
    e->alive = false;
    ipr_child_kill(&e->child);
    return ipr_err_at(err, IPR_EIO, type, 0, 0, e->ply, "engine process %ld: %s",
                      (long)e->child.pid, what);
}

static enum ipr_code fail_died(struct ipr_engine *e, struct ipr_err *err)
{
    char what[64];

    ipr_child_fate(&e->child, DEATH_MS, what, sizeof what);
    return fail(e, err, "engine_died", what);
}

static enum ipr_code call_tick(struct ipr_engine *e, struct watch *w, struct ipr_err *err)
{
    const int64_t begin = now_ms();
    const enum ipr_code rc = w->tick(w->payload, w->done, w->total);
    const int64_t spent = now_ms() - begin;

    /* A database that is slow to hear of it is no fault of the engine's. */
    w->deadline += spent;
    w->silent_deadline += spent;
    if (rc == IPR_OK)
        return IPR_OK;
    e->alive = false;
    ipr_child_kill(&e->child);
    return ipr_err_at(err, rc, "abandoned", 0, 0, e->ply,
                      "judging abandoned after %zu of %zu turns", w->done, w->total);
}

static enum ipr_code look_at_clock(struct ipr_engine *e, struct watch *w, struct ipr_err *err)
{
    const int64_t now = now_ms();

    if (now >= w->deadline)
        return fail(e, err, "engine_timeout", w->what);
    if (w->silent_ms != 0 && now >= w->silent_deadline)
        return fail(e, err, "engine_timeout", "silent for too long");
    if (w->tick == NULL || now < w->next_tick)
        return IPR_OK;
    w->next_tick = now + TICK_MS;
    return call_tick(e, w, err);
}

static bool take_line(struct ipr_engine *e, struct ipr_str *line)
{
    char *from = e->buf + e->read_at;
    char *end = memchr(from, '\n', e->filled - e->read_at);

    if (end == NULL) {
        memmove(e->buf, from, e->filled - e->read_at);
        e->filled -= e->read_at;
        e->read_at = 0;
        return false;
    }
    *line = (struct ipr_str){ from, (size_t)(end - from) };
    e->read_at = (size_t)(end + 1 - e->buf);
    return true;
}

static enum ipr_code read_more(struct ipr_engine *e, struct watch *w, struct ipr_err *err)
{
    if (e->filled == sizeof e->buf)
        return fail(e, err, "engine_protocol", "endless line");
    const ssize_t n = read(e->child.from, e->buf + e->filled, sizeof e->buf - e->filled);
    if (n > 0) {
        e->filled += (size_t)n;
        w->silent_deadline = now_ms() + w->silent_ms;
        return IPR_OK;
    }
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return IPR_OK;
    return fail_died(e, err);
}

/* Waits until there is something to read; output that is there comes before a death. */
static enum ipr_code wait_output(struct ipr_engine *e, struct watch *w, struct ipr_err *err)
{
    struct pollfd p[2] = { { .fd = e->child.from, .events = POLLIN },
                           { .fd = e->child.pidfd, .events = POLLIN } };
    int64_t until = w->deadline;
    enum ipr_code rc = IPR_OK;

    if (w->silent_ms != 0 && w->silent_deadline < until)
        until = w->silent_deadline;
    if (w->tick != NULL && w->next_tick < until)
        until = w->next_tick;
    const int64_t left = until - now_ms();
    const int ready = poll(p, 2, left > 0 ? (int)left : 0);
    if (ready < 0 && errno != EINTR)
        rc = fail(e, err, "engine_died", "cannot be watched any more");
    else if (ready > 0 && p[0].revents != 0)
        rc = read_more(e, w, err);
    else if (ready > 0)
        rc = fail_died(e, err);
    return rc == IPR_OK ? look_at_clock(e, w, err) : rc;
}

/* The next line, borrowed until the next call. A flood of lines meets the deadline too. */
static enum ipr_code next_line(struct ipr_engine *e, struct watch *w, struct ipr_str *line,
                               struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    if (++w->lines % LINES_PER_LOOK == 0)
        rc = look_at_clock(e, w, err);
    while (rc == IPR_OK && !take_line(e, line))
        rc = wait_output(e, w, err);
    return rc;
}

static void start_watch(struct watch *w, uint32_t ms, uint32_t silent_ms, const char *what)
{
    const int64_t now = now_ms();

    w->deadline = now + ms;
    w->silent_ms = silent_ms;
    w->silent_deadline = now + silent_ms;
    w->what = what;
}

static enum ipr_code send_text(struct ipr_engine *e, struct ipr_str text, uint32_t ms,
                               struct ipr_err *err)
{
    const int64_t deadline = now_ms() + ms;

    while (text.n > 0) {
        const ssize_t n = write(e->child.to, text.p, text.n);

        if (n >= 0) {
            text.p += n;
            text.n -= (size_t)n;
        } else if (errno == EAGAIN) {
            struct pollfd p = { .fd = e->child.to, .events = POLLOUT };
            const int64_t left = deadline - now_ms();

            if (left <= 0)
                return fail(e, err, "engine_timeout", "does not read its input");
            (void)poll(&p, 1, (int)left);
        } else if (errno != EINTR) {
            return fail_died(e, err); /* EPIPE */
        }
    }
    return IPR_OK;
}

/* Text of the engine's own that is stored and shown: printable, and of a length to keep. */
static bool keep_text(struct ipr_str text, char *out, size_t size)
{
    if (text.n >= size)
        return false;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] < ' ' || text.p[i] > '~')
            return false;
    }
    memcpy(out, text.p, text.n);
    out[text.n] = '\0';
    return true;
}

static bool spin_allows(const struct ipr_uci_line *l, unsigned value)
{
    return l->lo <= (int64_t)value && (int64_t)value <= l->hi;
}

static bool take_option(struct ipr_engine *e, const struct ipr_uci_line *l)
{
    if (ipr_str_is(l->name, "MultiPV"))
        e->has_multipv = spin_allows(l, e->judge.multipv);
    else if (ipr_str_is(l->name, "Hash"))
        e->has_hash = spin_allows(l, e->judge.hash_mb);
    else if (ipr_str_is(l->name, "Threads"))
        e->has_threads = spin_allows(l, e->judge.threads);
    else if (ipr_str_is(l->name, "EvalFile"))
        return keep_text(l->text, e->judge.network, sizeof e->judge.network);
    return true;
}

/* "uci" to "uciok": who it is and what it can be set to. */
static enum ipr_code introduce(struct ipr_engine *e, struct ipr_err *err)
{
    struct watch w = { 0 };
    struct ipr_uci_line l = { .kind = IPR_UCI_OTHER };
    struct ipr_str line;
    bool ok = true;
    enum ipr_code rc = send_text(e, IPR_STR("uci\n"), e->limits.uci_ms, err);

    e->judge.engine[0] = '\0';
    e->judge.network[0] = '\0';
    start_watch(&w, e->limits.uci_ms, 0, "no answer to \"uci\" in time");
    while (rc == IPR_OK && l.kind != IPR_UCI_UCIOK) {
        rc = next_line(e, &w, &line, err);
        if (rc != IPR_OK)
            break;
        ipr_uci_parse(line, &l);
        if (l.kind == IPR_UCI_ID_NAME)
            ok = keep_text(l.text, e->judge.engine, sizeof e->judge.engine);
        else if (l.kind == IPR_UCI_OPTION)
            ok = take_option(e, &l);
        if (!ok || l.kind == IPR_UCI_BAD)
            rc = fail(e, err, "engine_protocol", "malformed introduction");
    }
    if (rc == IPR_OK && e->judge.engine[0] == '\0')
        rc = fail(e, err, "engine_protocol", "has no name");
    return rc;
}

static enum ipr_code wait_ready(struct ipr_engine *e, struct ipr_err *err)
{
    struct watch w = { 0 };
    struct ipr_uci_line l = { .kind = IPR_UCI_OTHER };
    struct ipr_str line;
    enum ipr_code rc = IPR_OK;

    start_watch(&w, e->limits.ready_ms, 0, "no answer to \"isready\" in time");
    while (rc == IPR_OK && l.kind != IPR_UCI_READYOK) {
        rc = next_line(e, &w, &line, err);
        if (rc == IPR_OK)
            ipr_uci_parse(line, &l);
    }
    return rc;
}

/*
 * Threads come first: the engine sizes its hash for them, and its search threads, made anew,
 * inherit the priority that was set from outside on the main one.
 */
static enum ipr_code set_up(struct ipr_engine *e, struct ipr_err *err)
{
    char text[160];

    if (!e->has_multipv || !e->has_hash || (!e->has_threads && e->judge.threads != 1))
        return fail(e, err, "engine_protocol",
                    "cannot be set to the judge's Threads, Hash and MultiPV");
    const int n = snprintf(text, sizeof text,
                           "setoption name Threads value %u\nsetoption name Hash value %u\n"
                           "setoption name MultiPV value %u\nisready\n",
                           (unsigned)e->judge.threads, (unsigned)e->judge.hash_mb,
                           (unsigned)e->judge.multipv);
    const enum ipr_code rc =
        send_text(e, (struct ipr_str){ text, (size_t)n }, e->limits.ready_ms, err);
    return rc == IPR_OK ? wait_ready(e, err) : rc;
}

static enum ipr_code check_identity(struct ipr_engine *e, const struct ipr_judge *wanted,
                                    struct ipr_err *err)
{
    const struct ipr_judge *is = &e->judge;

    if (wanted->engine[0] != '\0' && strcmp(wanted->engine, is->engine) != 0)
        return ipr_err_at(err, IPR_ECONFLICT, "engine_mismatch", 0, 0, -1,
                          "judge %s is \"%s\", the engine here is \"%s\"", wanted->name,
                          wanted->engine, is->engine);
    if (wanted->network[0] != '\0' && strcmp(wanted->network, is->network) != 0)
        return ipr_err_at(err, IPR_ECONFLICT, "engine_mismatch", 0, 0, -1,
                          "judge %s has network %s, the engine here %s", wanted->name,
                          wanted->network, is->network);
    return IPR_OK;
}

/* Room for the program and its network, the hash, and the stacks and heaps of its threads. */
static unsigned memory_mb(const struct ipr_judge *j)
{
    return 1024U + j->hash_mb + 128U * j->threads;
}

enum ipr_code ipr_engine_start(const char *path, const struct ipr_judge *judge,
                               const struct ipr_engine_limits *limits, struct ipr_engine **out,
                               struct ipr_err *err)
{
    struct ipr_engine *e;
    enum ipr_code rc;

    if (!ipr_judge_valid(judge))
        return ipr_err_set(err, IPR_EINVAL, "engine: settings of judge %s", judge->name);
    e = ipr_xcalloc(1, sizeof *e);
    e->judge = *judge;
    e->limits = limits != NULL ? *limits : ipr_engine_limits_default;
    e->ply = -1;

    rc = ipr_child_start(path, memory_mb(judge), &e->child, err);
    e->alive = rc == IPR_OK;
    if (rc == IPR_OK)
        rc = introduce(e, err);
    if (rc == IPR_OK)
        rc = check_identity(e, judge, err);
    if (rc == IPR_OK)
        rc = set_up(e, err);
    if (rc == IPR_OK)
        *out = e;
    else
        ipr_engine_stop(&e);
    return rc;
}

void ipr_engine_stop(struct ipr_engine **e)
{
    struct ipr_engine *old = *e;

    *e = NULL;
    if (old == NULL)
        return;
    if (old->alive)
        (void)!write(old->child.to, "quit\n", 5); /* the closed pipe says it again */
    ipr_child_end(&old->child, old->alive ? old->limits.quit_ms : 0);
    free(old);
}

/* The session's complaint is the engine's fault, whatever code a parser gives it. */
static enum ipr_code fail_session(struct ipr_engine *e, const struct ipr_err *why,
                                  struct ipr_err *err)
{
    e->alive = false;
    ipr_child_kill(&e->child);
    return ipr_err_at(err, IPR_EIO, why->type, 0, 0, why->ply, "%s", why->msg);
}

static enum ipr_code send_session(struct ipr_engine *e, struct ipr_session *s, struct watch *w,
                                  struct ipr_err *err)
{
    const enum ipr_code rc = send_text(e, ipr_session_out(s), e->limits.ready_ms, err);

    if (ipr_session_searching(s))
        start_watch(w, e->limits.search_ms, e->limits.silent_ms, "search takes too long");
    else
        start_watch(w, e->limits.ready_ms, 0, "no answer to \"isready\" in time");
    return rc;
}

static enum ipr_code feed_session(struct ipr_engine *e, struct ipr_session *s, struct watch *w,
                                  struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_str line;
    const enum ipr_code rc = next_line(e, w, &line, err);

    if (rc != IPR_OK)
        return rc;
    if (ipr_session_line(s, line, &why) != IPR_OK)
        return fail_session(e, &why, err);
    if (ipr_session_turns_done(s) == w->done)
        return IPR_OK;
    w->done = ipr_session_turns_done(s);
    return w->tick != NULL ? call_tick(e, w, err) : IPR_OK;
}

enum ipr_code ipr_engine_judge(struct ipr_engine *e, const struct ipr_pos *start,
                               const ipr_move *moves, size_t n_moves, unsigned sides,
                               ipr_engine_tick_fn tick, void *payload, struct ipr_arena *mem,
                               struct ipr_judged_game *out, struct ipr_err *err)
{
    struct ipr_session *s = NULL;
    struct watch w = { .tick = tick, .payload = payload };
    enum ipr_code rc;

    if (!e->alive)
        return ipr_err_at(err, IPR_EIO, "engine_died", 0, 0, -1, "engine process %ld is dead",
                          (long)e->child.pid);
    rc = ipr_session_new(&e->judge, start, moves, n_moves, sides, mem, &s, err);
    if (rc != IPR_OK)
        return rc;
    w.total = ipr_session_turns_total(s);
    w.next_tick = now_ms() + TICK_MS;

    while (rc == IPR_OK && ipr_session_want(s) != IPR_SESSION_DONE) {
        e->ply = ipr_session_ply(s);
        rc = ipr_session_want(s) == IPR_SESSION_SEND ? send_session(e, s, &w, err)
                                                     : feed_session(e, s, &w, err);
    }
    e->ply = -1;
    if (rc == IPR_OK)
        *out = *ipr_session_result(s);
    return rc;
}
