#include "engine/jail_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"

/* Stands for the id of the process in the prepared filter, before that process exists. */
#define OWN_ID 0x1BADF00DU

#define NEW_NAMESPACES                                                                             \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |  \
     CLONE_NEWNET)

/* Programs use these calls to read their input, think and print: files that Landlock lets through,
 * memory, threads, time, signals to themselves, and questions about themselves. Calls that another
 * architecture or an older library does not know are left out there. Calls that act on other
 * processes, open sockets, change files or make processes are not here. */
static const char *const allowed[] = {
    /* files and pipes */
    "read", "readv", "pread64", "preadv", "preadv2", "write", "writev", "pwrite64", "close",
    "close_range", "lseek", "_llseek", "open", "openat", "stat", "lstat", "fstat", "newfstatat",
    "stat64", "lstat64", "fstat64", "fstatat64", "statx", "statfs", "fstatfs", "statfs64",
    "fstatfs64", "access", "faccessat", "faccessat2", "readlink", "readlinkat", "getcwd", "chdir",
    "fchdir", "getdents", "getdents64", "dup", "dup2", "dup3", "pipe", "pipe2", "fadvise64",
    "readahead", "umask", "poll", "ppoll", "ppoll_time64", "select", "_newselect", "pselect6",
    "pselect6_time64", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait",
    "epoll_pwait2", "eventfd", "eventfd2", "timerfd_create", "timerfd_settime", "timerfd_gettime",
    /* memory; mmap is below */
    "munmap", "mremap", "mprotect", "madvise", "brk", "msync", "mincore", "mlock", "mlock2",
    "munlock", "mbind", "set_mempolicy", "get_mempolicy", "membarrier", "pkey_alloc", "pkey_free",
    "pkey_mprotect",
    /* threads; clone is below */
    "futex", "futex_time64", "futex_waitv", "set_robust_list", "get_robust_list", "rseq",
    "set_tid_address", "exit", "exit_group", "arch_prctl", "set_tls", "sched_yield",
    "sched_getaffinity", "sched_getparam", "sched_getscheduler", "sched_get_priority_max",
    "sched_get_priority_min", "getcpu", "getpriority",
    /* time */
    "clock_gettime", "clock_gettime64", "clock_getres", "clock_getres_time64", "clock_nanosleep",
    "clock_nanosleep_time64", "nanosleep", "gettimeofday", "time", "times", "getitimer",
    "setitimer", "alarm", "timer_create", "timer_settime", "timer_settime64", "timer_gettime",
    "timer_gettime64", "timer_getoverrun", "timer_delete",
    /* signals that it receives */
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigsuspend",
    "rt_sigtimedwait", "rt_sigtimedwait_time64", "sigreturn", "sigaltstack", "pause",
    "restart_syscall",
    /* itself; Landlock decides what it runs */
    "execve", "getpid", "gettid", "getppid", "getpgrp", "getpgid", "getsid", "getuid", "geteuid",
    "getgid", "getegid", "getresuid", "getresgid", "getgroups", "getrusage", "getrlimit",
    "ugetrlimit", "sysinfo", "uname", "getrandom"
};

static const struct rule {
    const char *call;
    unsigned n; /* arguments that are compared */
    struct scmp_arg_cmp arg[2];
} rules[] = {
    /* Shared memory without a file is limited by no limit of the process. */
    { "mmap", 1, { { 3, SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_ANONYMOUS, 0 } } },
    { "mmap", 1, { { 3, SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED } } },
    { "mmap", 1, { { 3, SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_ANONYMOUS, MAP_ANONYMOUS } } },
    { "mmap2", 1, { { 3, SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_ANONYMOUS, 0 } } },
    { "mmap2", 1, { { 3, SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED } } },
    { "mmap2", 1, { { 3, SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_ANONYMOUS, MAP_ANONYMOUS } } },
    /* Threads, no processes. The C library takes clone when there is no clone3, whose flags a
     * filter cannot see. */
    { "clone", 1, { { 0, SCMP_CMP_MASKED_EQ, CLONE_THREAD | NEW_NAMESPACES, CLONE_THREAD } } },
    /* abort, raise, pthread_kill */
    { "tgkill", 1, { { 0, SCMP_CMP_EQ, OWN_ID, 0 } } },
    { "sched_setaffinity", 1, { { 0, SCMP_CMP_EQ, 0, 0 } } },
    /* To read limits: those of memory still have to be settled from outside, and are soft. */
    { "prlimit64", 2, { { 0, SCMP_CMP_EQ, 0, 0 }, { 2, SCMP_CMP_EQ, 0, 0 } } },
    { "prctl", 1, { { 0, SCMP_CMP_EQ, PR_SET_NAME, 0 } } },
    { "prctl", 1, { { 0, SCMP_CMP_EQ, PR_GET_NAME, 0 } } },
    { "prctl", 1, { { 0, SCMP_CMP_EQ, PR_SET_VMA, 0 } } },
    /* Not F_SETOWN, which sends signals, nor locks. */
    { "fcntl", 1, { { 1, SCMP_CMP_LE, F_SETFL, 0 } } }, /* F_DUPFD, F_GETFD, F_SETFD, F_GETFL */
    { "fcntl", 1, { { 1, SCMP_CMP_EQ, F_DUPFD_CLOEXEC, 0 } } },
    { "fcntl64", 1, { { 1, SCMP_CMP_LE, F_SETFL, 0 } } },
    { "fcntl64", 1, { { 1, SCMP_CMP_EQ, F_DUPFD_CLOEXEC, 0 } } },
    { "ioctl", 1, { { 1, SCMP_CMP_EQ, TCGETS, 0 } } }, /* is it a terminal? */
    { "ioctl", 1, { { 1, SCMP_CMP_EQ, TIOCGWINSZ, 0 } } },
    { "ioctl", 1, { { 1, SCMP_CMP_EQ, FIONREAD, 0 } } },
    { "ioctl", 1, { { 1, SCMP_CMP_EQ, FIONBIO, 0 } } },
    { "ioctl", 1, { { 1, SCMP_CMP_EQ, FIOCLEX, 0 } } }, /* Python */
    { "ioctl", 1, { { 1, SCMP_CMP_EQ, FIONCLEX, 0 } } },
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct sock_fprog filter; /* len 0: it could not be made */

static bool calls_allow(scmp_filter_ctx ctx, const char *name, unsigned n,
                        const struct scmp_arg_cmp *args)
{
    const int call = seccomp_syscall_resolve_name(name);

    return call == __NR_SCMP_ERROR ||
           seccomp_rule_add_array(ctx, SCMP_ACT_ALLOW, call, n, args) == 0;
}

static bool calls_allow_all(scmp_filter_ctx ctx)
{
    bool ok = true;

    for (size_t i = 0; ok && i < sizeof allowed / sizeof allowed[0]; i++)
        ok = calls_allow(ctx, allowed[i], 0, NULL);
    for (size_t i = 0; ok && i < sizeof rules / sizeof rules[0]; i++)
        ok = calls_allow(ctx, rules[i].call, rules[i].n, rules[i].arg);
    return ok;
}

/* libseccomp writes to files alone, before 2.6. */
static bool filter_take(scmp_filter_ctx ctx)
{
    const int fd = memfd_create("filter", MFD_CLOEXEC);
    const off_t size = fd >= 0 && seccomp_export_bpf(ctx, fd) == 0 ? lseek(fd, 0, SEEK_END) : -1;

    if (size > 0) {
        filter.filter = ipr_xmalloc((size_t)size);
        if (pread(fd, filter.filter, (size_t)size, 0) == (ssize_t)size)
            filter.len = (unsigned short)((size_t)size / sizeof *filter.filter);
    }
    if (fd >= 0)
        close(fd);
    return filter.len > 0;
}

/* A refused call looks as on a kernel that does not have it: libraries then do without. */
static void filter_make(void)
{
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));

    if (ctx != NULL && calls_allow_all(ctx))
        (void)filter_take(ctx);
    if (ctx != NULL)
        seccomp_release(ctx);
}

bool ipr_jail_calls_prepare(void)
{
    pthread_once(&once, filter_make);
    return filter.len > 0;
}

/* The filter is this process's own copy. */
bool ipr_jail_calls_seal(void)
{
    const uint32_t id = (uint32_t)getpid();

    for (unsigned i = 0; i < filter.len; i++)
        if (filter.filter[i].code == (BPF_JMP | BPF_JEQ | BPF_K) && filter.filter[i].k == OWN_ID)
            filter.filter[i].k = id;
    /* Without that flag older kernels slow down all of a filtered process. An engine keeps no
     * secrets from itself. */
    return filter.len > 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                     SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) == 0;
}
