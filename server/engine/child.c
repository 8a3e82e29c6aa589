#include "engine/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "engine/jail.h"

/* The same above the standard ones, so that dup2 in the child cannot close it. */
static int raise_fd(int raw)
{
    const int fd = fcntl(raw, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

    if (raw >= 0)
        close(raw);
    return fd;
}

static bool make_pipe(int fd[2])
{
    int raw[2];

    if (pipe2(raw, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        fd[i] = raise_fd(raw[i]);
    return fd[0] >= 0 && fd[1] >= 0;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* The arguments of the new process; all of them are made before the fork, after which only calls of
 * the system are safe. */
struct start {
    const struct ipr_child_needs *needs;
    struct ipr_jail jail;
    int in, out, nothing, report;
    pid_t parent;
};

/* The new process reports this before the program begins, and again if the program cannot be run.
 */
struct report {
    unsigned granted;
    int error;
};

/* Only its pipes stay open when the program begins, also of what nobody marked. */
static bool files_settle(const struct start *s)
{
    const int most = (int)sysconf(_SC_OPEN_MAX);

    if (dup2(s->in, STDIN_FILENO) < 0 || dup2(s->out, STDOUT_FILENO) < 0 ||
        dup2(s->nothing, STDERR_FILENO) < 0)
        return false;
    if (close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
        return true;
    for (int fd = STDERR_FILENO + 1; fd < most; fd++) /* an older kernel */
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    return true;
}

/* For good: not even a root without that capability could raise it again. */
static bool limit_self(enum __rlimit_resource what, rlim_t most)
{
    struct rlimit r;

    if (getrlimit(what, &r) != 0)
        return false;
    r.rlim_cur = most < r.rlim_max ? most : r.rlim_max; /* RLIM_INFINITY is the largest */
    r.rlim_max = r.rlim_cur;
    return setrlimit(what, &r) == 0;
}

static bool child_confine(const struct start *s, unsigned *granted)
{
    const rlim_t memory = (rlim_t)s->needs->memory_mb << 20;

    if (setpgid(0, 0) != 0 || !files_settle(s) || setpriority(PRIO_PROCESS, 0, 19) != 0 ||
        !limit_self(RLIMIT_CORE, 0) || !limit_self(RLIMIT_FSIZE, 0) ||
        !limit_self(RLIMIT_NOFILE, 16))
        return false;
    *granted = ipr_jail_enter(&s->jail);
    /* It does not outlive the thread that owns it, whatever it does about the end of its input. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != s->parent ||
        !limit_self(RLIMIT_DATA, memory) || !limit_self(RLIMIT_AS, memory + s->needs->tables_bytes))
        return false;
    *granted |= ipr_jail_seal(&s->jail);
    return true;
}

/* The new process. */
_Noreturn static void child_become(const struct start *s)
{
    char *const argv[] = { (char *)(uintptr_t)s->needs->program, NULL };
    char *const env[] = { NULL };
    struct report r = { 0, 0 };
    sigset_t none;

    const struct sigaction standard = { .sa_handler = SIG_DFL };
    for (int i = 1; i < NSIG; i++)
        (void)sigaction(i, &standard, NULL); /* two of them cannot be changed */
    if (!child_confine(s, &r.granted)) {
        r.error = errno != 0 ? errno : EPERM;
    } else if (!ipr_jail_suffices(r.granted)) {
        r.error = EPERM;
    } else {
        (void)!write(s->report, &r, sizeof r);
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execve(s->needs->program, argv, env);
        r.error = errno;
    }
    (void)!write(s->report, &r, sizeof r);
    _exit(127);
}

/* No handler of ours may run in the new process: it would act on what is ours. */
static pid_t child_fork(const struct start *s)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const pid_t pid = fork();
    if (pid == 0)
        child_become(s);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pid;
}

/* Until the program begins, which closes the pipe, or the process ends. */
static struct report read_report(int from)
{
    struct report r = { 0, EAGAIN }, next;
    ssize_t n;

    while ((n = read(from, &next, sizeof next)) != 0)
        if (n == (ssize_t)sizeof next)
            r = next;
        else if (n > 0 || errno != EINTR)
            break;
    return r;
}

/* An errno value, 0 on success; then the process runs the program. */
static int child_spawn(struct start *s, pid_t *pid, unsigned *granted)
{
    int report[2] = { -1, -1 };
    struct report r = { 0, 0 };

    s->nothing = raise_fd(open("/dev/null", O_WRONLY | O_CLOEXEC));
    if (s->nothing < 0 || !make_pipe(report))
        r.error = errno;
    s->report = report[1];
    s->parent = getpid();
    *pid = r.error == 0 ? child_fork(s) : -1;
    if (r.error == 0 && *pid < 0)
        r.error = errno;
    close_fd(&report[1]);
    close_fd(&s->nothing);
    if (*pid > 0)
        r = read_report(report[0]);
    close_fd(&report[0]);
    if (*pid > 0 && r.error != 0)
        (void)waitpid(*pid, NULL, 0);
    *granted = r.granted;
    return r.error;
}

unsigned ipr_child_space_mb(const struct ipr_child *c)
{
    unsigned long long pages = 0;
    char path[40], text[32];

    snprintf(path, sizeof path, "/proc/%ld/statm", (long)c->pid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    const ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    pages = strtoull(text, NULL, 10);
    return (unsigned)(pages * (unsigned long long)sysconf(_SC_PAGESIZE) >> 20);
}

static bool set_nonblocking(int fd)
{
    const int flags = fcntl(fd, F_GETFL);

    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

/* The process with its ends of two pipes; ours are in `out`. */
static int start_piped(const struct ipr_child_needs *needs, struct ipr_child *out)
{
    int in[2] = { -1, -1 }, from[2] = { -1, -1 };
    struct start s = { .needs = needs };
    int error = 0;

    if (!make_pipe(in) || !make_pipe(from))
        error = errno;
    s.in = in[0];
    s.out = from[1];
    ipr_jail_prepare(needs->program, needs->tables, needs->threads, &s.jail);
    if (error == 0)
        error = child_spawn(&s, &out->pid, &out->granted);
    ipr_jail_release(&s.jail);
    close_fd(&in[0]);
    close_fd(&from[1]);
    out->to = in[1];
    out->from = from[0];
    return error;
}

enum ipr_code ipr_child_start(const struct ipr_child_needs *needs, struct ipr_child *out,
                              struct ipr_err *err)
{
    *out = (struct ipr_child){ .pid = -1, .pidfd = -1, .to = -1, .from = -1 };
    int error = start_piped(needs, out);
    if (error != 0) {
        close_fd(&out->to);
        close_fd(&out->from);
        out->pid = -1;
        return ipr_err_type(err, IPR_EIO, "engine_missing", "cannot start %s: %s", needs->program,
                            strerror(error));
    }
    out->pidfd = pidfd_open(out->pid, 0);
    if (out->pidfd >= 0 && set_nonblocking(out->to) && set_nonblocking(out->from))
        return IPR_OK;
    error = errno;
    ipr_child_end(out, 0);
    return ipr_err_type(err, IPR_EIO, "engine_missing", "cannot watch %s: %s", needs->program,
                        strerror(error));
}

/* The group is killed before its leader is reaped: after that the id may be reused. */
void ipr_child_kill(const struct ipr_child *c)
{
    if (c->pid > 0)
        (void)kill(-c->pid, SIGKILL);
}

static bool wait_exit(const struct ipr_child *c, uint32_t ms)
{
    struct pollfd p = { .fd = c->pidfd, .events = POLLIN };
    const int64_t deadline = ipr_now_ms() + ms;
    int rc;

    do {
        const int64_t left = deadline - ipr_now_ms();

        rc = poll(&p, 1, left > 0 ? (int)left : 0);
    } while (rc < 0 && errno == EINTR);
    return rc > 0;
}

void ipr_child_fate(const struct ipr_child *c, uint32_t ms, char *out, size_t size)
{
    siginfo_t info = { 0 };

    if (!wait_exit(c, ms) ||
        waitid(P_PIDFD, (id_t)c->pidfd, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid == 0)
        snprintf(out, size, "closed its output");
    else if (info.si_code == CLD_EXITED)
        snprintf(out, size, "exited with %d", info.si_status);
    else
        snprintf(out, size, "signal %d", info.si_status);
}

void ipr_child_end(struct ipr_child *c, uint32_t patience_ms)
{
    close_fd(&c->to);
    close_fd(&c->from);
    if (c->pid > 0) {
        if (patience_ms > 0)
            (void)wait_exit(c, patience_ms);
        ipr_child_kill(c);
        siginfo_t info;
        int rc;
        do {
            rc = c->pidfd >= 0 ? waitid(P_PIDFD, (id_t)c->pidfd, &info, WEXITED)
                               : waitid(P_PID, (id_t)c->pid, &info, WEXITED);
        } while (rc != 0 && errno == EINTR);
    }
    close_fd(&c->pidfd);
    c->pid = -1;
}
