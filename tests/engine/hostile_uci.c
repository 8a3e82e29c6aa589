/*
 * An engine that does what no engine should. It introduces itself, and to "try ACT ARGUMENT" it
 * answers whether the act succeeded: "info string ACT succeeded" or "info string ACT refused". Each
 * act succeeds for a process that nobody confines (test_jail.c shows that too).
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* More than the limits of an engine with one thread and no hash to speak of. */
enum { MANY_PROCESSES = 20, MANY_THREADS = 400, GIGABYTES = 4 };

static bool reads(const char *path)
{
    char byte;
    const int fd = open(path, O_RDONLY);
    const bool got = fd >= 0 && read(fd, &byte, 1) == 1;

    if (fd >= 0)
        close(fd);
    return got;
}

static bool reads_of(const char *pid, const char *what)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%s/%s", pid, what);
    return reads(path);
}

static bool act_environ(const char *pid)
{
    return reads_of(pid, "environ");
}

static bool act_maps(const char *pid)
{
    return reads_of(pid, "maps");
}

static bool act_list(const char *path)
{
    DIR *d = opendir(path);

    if (d != NULL)
        closedir(d);
    return d != NULL;
}

static bool act_environment(const char *unused)
{
    extern char **environ;

    (void)unused;
    return environ[0] != NULL;
}

static bool act_descriptors(const char *unused)
{
    (void)unused;
    for (int fd = 3; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            return true;
    return false;
}

static bool act_create(const char *path)
{
    const int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);

    if (fd < 0)
        return false;
    close(fd);
    (void)unlink(path);
    return true;
}

static bool act_overwrite(const char *path)
{
    const int fd = open(path, O_WRONLY | O_APPEND);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool act_truncate(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && truncate(path, st.st_size) == 0;
}

static bool act_chmod(const char *path)
{
    return chmod(path, 0644) == 0;
}

static bool act_touch(const char *path)
{
    return utimes(path, NULL) == 0;
}

static bool act_folder(const char *path)
{
    return mkdir(path, 0700) == 0 && rmdir(path) == 0;
}

static bool act_link(const char *path)
{
    return symlink("/", path) == 0 && unlink(path) == 0;
}

static bool tcp(const char *port, bool listens)
{
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    const struct sockaddr_in to = { .sin_family = AF_INET,
                                    .sin_port = htons((uint16_t)(listens ? 0 : atoi(port))),
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const bool done =
        fd >= 0 && (listens ? bind(fd, (const struct sockaddr *)&to, sizeof to)
                            : connect(fd, (const struct sockaddr *)&to, sizeof to)) == 0;

    if (fd >= 0)
        close(fd);
    return done;
}

static bool act_connect(const char *port)
{
    return tcp(port, false);
}

static bool act_listen(const char *unused)
{
    return tcp(unused, true);
}

static bool act_datagram(const char *unused)
{
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);

    (void)unused;
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool unix_connect(const char *path, bool abstract)
{
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un to = { .sun_family = AF_UNIX };
    const size_t n = strlen(path);

    memcpy(to.sun_path + abstract, path, n < sizeof to.sun_path - 1 ? n : 0);
    const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n + 1);
    const bool done = fd >= 0 && connect(fd, (const struct sockaddr *)&to, size) == 0;
    if (fd >= 0)
        close(fd);
    return done;
}

static bool act_unix(const char *path)
{
    return unix_connect(path, false);
}

static bool act_abstract(const char *name)
{
    return unix_connect(name, true);
}

static bool act_signal(const char *pid)
{
    return kill(atoi(pid), 0) == 0;
}

static bool act_thread_signal(const char *pid)
{
    return syscall(SYS_tgkill, atoi(pid), atoi(pid), 0) == 0;
}

static bool act_queue_signal(const char *pid)
{
    return sigqueue(atoi(pid), 0, (union sigval){ 0 }) == 0;
}

/* The kernel signals the owner of a pipe when something can be read. */
static bool act_owner_signal(const char *pid)
{
    int fd[2];

    return pipe(fd) == 0 && fcntl(fd[0], F_SETOWN, atoi(pid)) == 0;
}

static bool act_trace(const char *pid)
{
    return ptrace(PTRACE_SEIZE, atoi(pid), NULL, NULL) == 0 || errno == ESRCH;
}

static bool act_peek(const char *pid)
{
    char byte;
    struct iovec here = { &byte, 1 };
    char path[64], line[64] = "";

    snprintf(path, sizeof path, "/proc/%s/maps", pid);
    const int fd = open(path, O_RDONLY);
    const ssize_t n = fd >= 0 ? read(fd, line, sizeof line - 1) : -1;
    struct iovec there = { n > 0 ? (void *)strtoul(line, NULL, 16) : NULL, 1 };
    const ssize_t got = process_vm_readv(atoi(pid), &here, 1, &there, 1, 0);
    if (fd >= 0)
        close(fd);
    return got == 1 || errno == EFAULT;
}

static bool act_priority(const char *pid)
{
    return setpriority(PRIO_PROCESS, (id_t)atoi(pid), 19) == 0;
}

static bool act_limits(const char *pid)
{
    struct rlimit r;

    return prlimit(atoi(pid), RLIMIT_NOFILE, NULL, &r) == 0;
}

static bool act_affinity(const char *pid)
{
    cpu_set_t set;

    return sched_getaffinity(atoi(pid), sizeof set, &set) == 0 &&
           sched_setaffinity(atoi(pid), sizeof set, &set) == 0;
}

static bool act_fork(const char *unused)
{
    int n = 0;

    (void)unused;
    for (; n < MANY_PROCESSES; n++) {
        const pid_t pid = fork();

        if (pid == 0)
            _exit(0);
        if (pid < 0)
            break;
    }
    while (wait(NULL) > 0)
        ;
    return n > 0;
}

static bool act_group(const char *unused)
{
    (void)unused;
    return setpgid(0, 0) == 0;
}

static void *thread_wait(void *arg)
{
    pause();
    return arg;
}

static bool act_threads(const char *unused)
{
    pthread_attr_t attr;
    pthread_t thread;
    int n = 0;

    (void)unused;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 16384);
    while (n < MANY_THREADS && pthread_create(&thread, &attr, thread_wait, NULL) == 0)
        n++;
    return n == MANY_THREADS;
}

static bool maps(int flags)
{
    const size_t size = (size_t)GIGABYTES << 30;
    void *p =
        mmap(NULL, size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (p != MAP_FAILED)
        munmap(p, size);
    return p != MAP_FAILED;
}

static bool act_memory(const char *unused)
{
    (void)unused;
    return maps(MAP_PRIVATE);
}

static bool act_shared_memory(const char *unused)
{
    (void)unused;
    return maps(MAP_SHARED);
}

static bool act_segment(const char *unused)
{
    const int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);

    (void)unused;
    if (id >= 0)
        shmctl(id, IPC_RMID, NULL);
    return id >= 0;
}

static bool act_memory_file(const char *unused)
{
    const int fd = memfd_create("hoard", 0);

    (void)unused;
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool act_raise_limit(const char *unused)
{
    struct rlimit r;

    (void)unused;
    if (getrlimit(RLIMIT_AS, &r) != 0)
        return false;
    r.rlim_cur = r.rlim_max = RLIM_INFINITY;
    return setrlimit(RLIMIT_AS, &r) == 0;
}

static bool act_namespace(const char *unused)
{
    (void)unused;
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
}

static bool act_ring(const char *unused)
{
    struct io_uring_params p = { 0 };
    const long fd = syscall(SYS_io_uring_setup, 4, &p);

    (void)unused;
    if (fd >= 0)
        close((int)fd);
    return fd >= 0;
}

static bool act_keys(const char *unused)
{
    (void)unused;
    return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1) > 0;
}

/* Answers by what it runs. */
static bool act_run(const char *path)
{
    fflush(stdout);
    execl(path, "echo", "info string run succeeded", (char *)NULL);
    return false;
}

static bool act_read(const char *path)
{
    return reads(path);
}

static const struct act {
    const char *name;
    bool (*tries)(const char *argument);
} acts[] = {
    { "read", act_read },
    { "environ", act_environ },
    { "maps", act_maps },
    { "list", act_list },
    { "environment", act_environment },
    { "descriptors", act_descriptors },
    { "create", act_create },
    { "overwrite", act_overwrite },
    { "truncate", act_truncate },
    { "chmod", act_chmod },
    { "touch", act_touch },
    { "folder", act_folder },
    { "link", act_link },
    { "connect", act_connect },
    { "listen", act_listen },
    { "datagram", act_datagram },
    { "unix", act_unix },
    { "abstract", act_abstract },
    { "signal", act_signal },
    { "thread_signal", act_thread_signal },
    { "queue_signal", act_queue_signal },
    { "owner_signal", act_owner_signal },
    { "trace", act_trace },
    { "peek", act_peek },
    { "priority", act_priority },
    { "limits", act_limits },
    { "affinity", act_affinity },
    { "fork", act_fork },
    { "group", act_group },
    { "threads", act_threads },
    { "memory", act_memory },
    { "shared_memory", act_shared_memory },
    { "segment", act_segment },
    { "memory_file", act_memory_file },
    { "raise_limit", act_raise_limit },
    { "namespace", act_namespace },
    { "ring", act_ring },
    { "keys", act_keys },
    { "run", act_run },
};

static void answer(char *text)
{
    char *space = strchr(text, ' ');

    if (space != NULL)
        *space = '\0';
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
        if (strcmp(acts[i].name, text) == 0)
            printf("info string %s %s\n", text,
                   acts[i].tries(space != NULL ? space + 1 : "") ? "succeeded" : "refused");
}

int main(void)
{
    char line[4096];

    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "uci") == 0)
            printf("id name Hostile 1.0\noption name Hash type spin default 1 min 1 max 64\n"
                   "uciok\n");
        else if (strcmp(line, "isready") == 0)
            printf("readyok\n");
        else if (strncmp(line, "try ", 4) == 0)
            answer(line + 4);
        else if (strcmp(line, "quit") == 0)
            return 0;
        fflush(stdout);
    }
    return 0;
}
