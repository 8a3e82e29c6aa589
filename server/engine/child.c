#include "engine/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "core/clock.h"

/* A pipe with both descriptors above the standard ones, so that dup2 in the child cannot close
 * them. */
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
static int child_spawn(const char *path, int in, int out, pid_t *pid)
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

static bool set_limit(pid_t pid, enum __rlimit_resource what, rlim_t soft, bool for_good)
{
    struct rlimit r;

    if (prlimit(pid, what, NULL, &r) != 0)
        return false;
    r.rlim_cur = soft < r.rlim_max ? soft : r.rlim_max; /* RLIM_INFINITY is the largest */
    if (for_good)
        r.rlim_max = r.rlim_cur;
    return prlimit(pid, what, &r, NULL) == 0;
}

/* posix_spawn cannot set these limits. */
static bool child_confine(pid_t pid, unsigned memory_mb)
{
    const rlim_t memory = (rlim_t)memory_mb << 20;

    return set_limit(pid, RLIMIT_AS, memory, false) && set_limit(pid, RLIMIT_DATA, memory, false) &&
           set_limit(pid, RLIMIT_CORE, 0, true) && set_limit(pid, RLIMIT_FSIZE, 0, true) &&
           set_limit(pid, RLIMIT_NOFILE, 16, true) && setpriority(PRIO_PROCESS, (id_t)pid, 19) == 0;
}

bool ipr_child_limit(const struct ipr_child *c, unsigned memory_mb, bool maps)
{
    const rlim_t memory = (rlim_t)memory_mb << 20;

    return set_limit(c->pid, RLIMIT_AS, maps ? RLIM_INFINITY : memory, true) &&
           set_limit(c->pid, RLIMIT_DATA, memory, true);
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

/* A failure while the child lives: it is killed. */
static enum ipr_code give_up(struct ipr_child *c, const char *path, struct ipr_err *err)
{
    const int error = errno;

    ipr_child_end(c, 0);
    return ipr_err_type(err, IPR_EIO, "engine_missing", "cannot confine %s: %s", path,
                        strerror(error));
}

enum ipr_code ipr_child_start(const char *path, unsigned memory_mb, struct ipr_child *out,
                              struct ipr_err *err)
{
    int in[2] = { -1, -1 }, from[2] = { -1, -1 };
    int error = 0;

    *out = (struct ipr_child){ .pid = -1, .pidfd = -1, .to = -1, .from = -1 };
    if (!make_pipe(in) || !make_pipe(from))
        error = errno;
    if (error == 0)
        error = child_spawn(path, in[0], from[1], &out->pid);
    close_fd(&in[0]);
    close_fd(&from[1]);
    if (error != 0) {
        close_fd(&in[1]);
        close_fd(&from[0]);
        out->pid = -1;
        return ipr_err_type(err, IPR_EIO, "engine_missing", "cannot start %s: %s", path,
                            strerror(error));
    }
    out->to = in[1];
    out->from = from[0];
    out->pidfd = pidfd_open(out->pid, 0);
    if (out->pidfd < 0 || !set_nonblocking(out->to) || !set_nonblocking(out->from) ||
        !child_confine(out->pid, memory_mb))
        return give_up(out, path, err);
    return IPR_OK;
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

static void child_reap(const struct ipr_child *c)
{
    siginfo_t info;
    int rc;

    do {
        rc = c->pidfd >= 0 ? waitid(P_PIDFD, (id_t)c->pidfd, &info, WEXITED)
                           : waitid(P_PID, (id_t)c->pid, &info, WEXITED);
    } while (rc != 0 && errno == EINTR);
}

void ipr_child_end(struct ipr_child *c, uint32_t patience_ms)
{
    close_fd(&c->to);
    close_fd(&c->from);
    if (c->pid > 0) {
        if (patience_ms > 0)
            (void)wait_exit(c, patience_ms);
        ipr_child_kill(c);
        child_reap(c);
    }
    close_fd(&c->pidfd);
    c->pid = -1;
}
