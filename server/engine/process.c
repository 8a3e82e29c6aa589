#include "engine/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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
    pid_t pid;
    int pidfd;
    int to, from; /* its standard input and output; -1 when closed */
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
    return e->pid;
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

/* The whole group, before the leader is reaped: after that its number may be another's. */
static void kill_group(const struct ipr_engine *e)
{
    if (e->pid > 0)
        (void)kill(-e->pid, SIGKILL);
}

/* After this nothing it says is believed. */
static enum ipr_code fail(struct ipr_engine *e, struct ipr_err *err, const char *type,
                          const char *what)
{
    e->alive = false;
    kill_group(e);
    return ipr_err_at(err, IPR_EIO, type, 0, 0, e->ply, "engine process %ld: %s", (long)e->pid,
                      what);
}

static bool wait_exit(const struct ipr_engine *e, uint32_t ms)
{
    struct pollfd p = { .fd = e->pidfd, .events = POLLIN };
    const int64_t deadline = now_ms() + ms;
    int rc;

    do {
        const int64_t left = deadline - now_ms();

        rc = poll(&p, 1, left > 0 ? (int)left : 0);
    } while (rc < 0 && errno == EINTR);
    return rc > 0;
}

static enum ipr_code fail_died(struct ipr_engine *e, struct ipr_err *err)
{
    siginfo_t info = { 0 };
    char what[64] = "closed its output";

    if (wait_exit(e, DEATH_MS) &&
        waitid(P_PIDFD, (id_t)e->pidfd, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid != 0)
        snprintf(what, sizeof what, info.si_code == CLD_EXITED ? "exited with %d" : "signal %d",
                 info.si_status);
    return fail(e, err, "engine_died", what);
}

static enum ipr_code tick(struct ipr_engine *e, struct watch *w, struct ipr_err *err)
{
    const enum ipr_code rc = w->tick(w->payload, w->done, w->total);

    if (rc == IPR_OK)
        return IPR_OK;
    e->alive = false;
    kill_group(e);
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
    return tick(e, w, err);
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
    const ssize_t n = read(e->from, e->buf + e->filled, sizeof e->buf - e->filled);
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
    struct pollfd p[2] = { { .fd = e->from, .events = POLLIN },
                           { .fd = e->pidfd, .events = POLLIN } };
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
        const ssize_t n = write(e->to, text.p, text.n);

        if (n >= 0) {
            text.p += n;
            text.n -= (size_t)n;
        } else if (errno == EAGAIN) {
            struct pollfd p = { .fd = e->to, .events = POLLOUT };
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

/* A pipe whose ends are above the standard ones, so that dup2 in the child cannot hit them. */
static bool make_pipe(int fd[2])
{
    int raw[2];

    if (pipe2(raw, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        fd[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, 3);
        close(raw[i]);
    }
    return fd[0] >= 0 && fd[1] >= 0;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static int set_attributes(posix_spawnattr_t *attr)
{
    sigset_t none, all;
    int rc;

    sigemptyset(&none);
    sigfillset(&all);
    rc = posix_spawnattr_setflags(attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                            POSIX_SPAWN_SETSIGDEF);
    if (rc == 0)
        rc = posix_spawnattr_setpgroup(attr, 0);
    if (rc == 0)
        rc = posix_spawnattr_setsigmask(attr, &none);
    if (rc == 0)
        rc = posix_spawnattr_setsigdefault(attr, &all);
    return rc;
}

static int set_files(posix_spawn_file_actions_t *files, int in, int out)
{
    int rc = posix_spawn_file_actions_adddup2(files, in, STDIN_FILENO);

    if (rc == 0)
        rc = posix_spawn_file_actions_adddup2(files, out, STDOUT_FILENO);
    if (rc == 0)
        rc = posix_spawn_file_actions_addopen(files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (rc == 0)
        rc = posix_spawn_file_actions_addclosefrom_np(files, 3);
    return rc;
}

/* An errno value, 0 on success. */
static int spawn(const char *path, int in, int out, pid_t *pid)
{
    char *name = ipr_xstrdup(path);
    char *const argv[] = { name, NULL };
    char *const env[] = { NULL };
    posix_spawnattr_t attr;
    posix_spawn_file_actions_t files;
    int rc;

    posix_spawnattr_init(&attr);
    posix_spawn_file_actions_init(&files);
    rc = set_attributes(&attr);
    if (rc == 0)
        rc = set_files(&files, in, out);
    if (rc == 0)
        rc = posix_spawn(pid, path, &files, &attr, argv, env);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attr);
    free(name);
    return rc;
}

/* posix_spawn cannot set these; they are in place before the engine is told anything. */
static bool confine(const struct ipr_engine *e)
{
    const rlim_t memory = ((rlim_t)1024 + e->judge.hash_mb + 128U * e->judge.threads) << 20;
    const struct {
        enum __rlimit_resource what;
        rlim_t limit;
    } limits[] = {
        { RLIMIT_AS, memory }, { RLIMIT_CORE, 0 }, { RLIMIT_FSIZE, 0 }, { RLIMIT_NOFILE, 16 }
    };

    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const struct rlimit r = { limits[i].limit, limits[i].limit };

        if (prlimit(e->pid, limits[i].what, &r, NULL) != 0)
            return false;
    }
    return setpriority(PRIO_PROCESS, (id_t)e->pid, 19) == 0;
}

static bool set_nonblocking(int fd)
{
    const int flags = fcntl(fd, F_GETFL);

    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

static enum ipr_code launch(struct ipr_engine *e, const char *path, struct ipr_err *err)
{
    int in[2] = { -1, -1 }, out[2] = { -1, -1 };
    enum ipr_code rc = IPR_OK;
    int error = 0;

    if (!make_pipe(in) || !make_pipe(out))
        rc = ipr_err_set(err, IPR_EIO, "pipe for an engine: %s", strerror(errno));
    if (rc == IPR_OK)
        error = spawn(path, in[0], out[1], &e->pid);
    if (rc == IPR_OK && error != 0) {
        e->pid = -1;
        rc = ipr_err_at(err, IPR_EIO, "engine_missing", 0, 0, -1, "cannot start %s: %s", path,
                        strerror(error));
    }
    e->to = in[1];
    e->from = out[0];
    close_fd(&in[0]);
    close_fd(&out[1]);
    if (rc != IPR_OK)
        return rc;

    e->pidfd = pidfd_open(e->pid, 0);
    if (e->pidfd < 0 || !set_nonblocking(e->to) || !set_nonblocking(e->from))
        return fail(e, err, "engine_missing", "cannot be watched");
    if (!confine(e))
        return fail(e, err, "engine_missing", "cannot be confined");
    e->alive = true;
    return IPR_OK;
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
    e->pid = -1;
    e->pidfd = e->to = e->from = -1;
    e->ply = -1;

    rc = launch(e, path, err);
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

static void reap(const struct ipr_engine *e)
{
    siginfo_t info;
    int rc;

    do {
        rc = e->pidfd >= 0 ? waitid(P_PIDFD, (id_t)e->pidfd, &info, WEXITED)
                           : waitid(P_PID, (id_t)e->pid, &info, WEXITED);
    } while (rc != 0 && errno == EINTR);
}

void ipr_engine_stop(struct ipr_engine **e)
{
    struct ipr_engine *old = *e;

    *e = NULL;
    if (old == NULL)
        return;
    if (old->alive)
        (void)!write(old->to, "quit\n", 5); /* the closed pipe says it again */
    close_fd(&old->to);
    close_fd(&old->from);
    if (old->pid > 0) {
        if (old->alive)
            (void)wait_exit(old, old->limits.quit_ms);
        kill_group(old);
        reap(old);
    }
    close_fd(&old->pidfd);
    free(old);
}

/* The session's complaint is the engine's fault, whatever code a parser gives it. */
static enum ipr_code fail_session(struct ipr_engine *e, const struct ipr_err *why,
                                  struct ipr_err *err)
{
    e->alive = false;
    kill_group(e);
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
    return w->tick != NULL ? tick(e, w, err) : IPR_OK;
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
                          (long)e->pid);
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
