/*
 * What a hostile engine tries, in the jail and, to show that the act is one, without it.
 *
 *   files, environment and memory of others      read, environ, maps, list, peek
 *   what it inherited                            environment, descriptors
 *   changes of files                             create, overwrite, truncate, chmod, touch, …
 *   network, sockets of the database             connect, listen, datagram, unix, abstract
 *   other processes                              signal, trace, priority, limits, affinity, …
 *   more of itself                               fork, threads, memory, segment, …
 *
 * The jail has several parts, and most acts are refused by more than one of them. The tests run as
 * the user who runs them, and as root also as another user and with a part that the kernel does not
 * grant. An act that is not refused by a part that is there is skipped by name.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <seccomp.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "core/clock.h"
#include "core/log.h"
#include "engine/child.h"
#include "engine/jail.h"
#include "engine/jail_files.h"
#include "ipr_test.h"

enum { PATIENCE_MS = 30000, MEMORY_MB = 1200, NOBODY = 65534 };

/* Parts that are no bits of their own: what Landlock refuses from a version of its interface on. */
enum { ALWAYS = 256, SHORTER = 512, NETWORK = 1024, SCOPE = 2048 };

#define FILES      IPR_JAIL_FILES
#define CALLS      IPR_JAIL_CALLS
#define USER       IPR_JAIL_USER
#define NAMESPACES IPR_JAIL_NAMESPACES
#define THREADS    IPR_JAIL_THREADS

enum argument {
    NONE,
    PASSWD,
    SECRET,
    NEW,
    ROOT,
    PROC,
    PARENT,
    VICTIM,
    PORT,
    SOCKET,
    ABSTRACT,
    ECHO
};

static const struct row {
    const char *name, *act;
    enum argument argument;
    unsigned parts; /* each of them refuses it */
} rows[] = {
    { "read /etc/passwd", "read", PASSWD, FILES },
    { "read a file of the service", "read", SECRET, FILES },
    { "list /", "list", ROOT, FILES },
    { "list /proc", "list", PROC, FILES },
    { "environment of the service", "environ", PARENT, FILES },
    { "environment of another process", "environ", VICTIM, FILES },
    { "addresses of the service", "maps", PARENT, FILES },
    { "memory of the service", "peek", PARENT, FILES | CALLS | USER },
    { "inherited environment", "environment", NONE, ALWAYS },
    { "inherited descriptors", "descriptors", NONE, ALWAYS },
    { "create a file", "create", NEW, FILES },
    { "overwrite a file", "overwrite", SECRET, FILES },
    { "truncate a file", "truncate", SECRET, CALLS | SHORTER },
    { "chmod", "chmod", SECRET, CALLS | USER },
    { "touch", "touch", SECRET, CALLS },
    { "make a folder", "folder", NEW, FILES | CALLS },
    { "make a link", "link", NEW, FILES | CALLS },
    { "connect by TCP", "connect", PORT, CALLS | NETWORK | NAMESPACES },
    { "listen", "listen", NONE, CALLS | NETWORK },
    { "datagrams", "datagram", NONE, CALLS },
    { "a Unix socket", "unix", SOCKET, CALLS },
    { "an abstract socket", "abstract", ABSTRACT, CALLS | SCOPE | NAMESPACES },
    { "kill the service", "signal", PARENT, CALLS | SCOPE | USER },
    { "kill another process", "signal", VICTIM, CALLS | SCOPE | USER },
    { "kill a thread", "thread_signal", PARENT, CALLS | SCOPE | USER },
    { "queue a signal", "queue_signal", VICTIM, CALLS | SCOPE | USER },
    { "signal by a pipe", "owner_signal", PARENT, CALLS },
    { "trace the service", "trace", PARENT, FILES | CALLS | USER },
    { "trace another process", "trace", VICTIM, FILES | CALLS | USER },
    { "priority of others", "priority", VICTIM, CALLS | USER },
    { "limits of others", "limits", VICTIM, CALLS | USER },
    { "cores of others", "affinity", VICTIM, CALLS | USER },
    { "fork bomb", "fork", NONE, CALLS },
    { "leave its group", "group", NONE, CALLS },
    { "threads without end", "threads", NONE, THREADS },
    { "memory without end", "memory", NONE, ALWAYS },
    { "shared memory without end", "shared_memory", NONE, ALWAYS },
    { "a segment of memory", "segment", NONE, CALLS },
    { "a file of memory", "memory_file", NONE, CALLS },
    { "raise its limits", "raise_limit", NONE, ALWAYS },
    { "namespaces", "namespace", NONE, CALLS },
    { "a ring of calls", "ring", NONE, CALLS },
    { "keys", "keys", NONE, CALLS },
    { "run another program", "run", ECHO, FILES },
};

#define N_ROWS (sizeof rows / sizeof rows[0])

static char directory[64], hostile[512], secret[128], socket_path[100], name[64];
static int tcp_fd = -1, unix_fd = -1, abstract_fd = -1;
static unsigned port;
static pid_t victim = -1;

/* ---- what there is to attack -----------------------------------------------------------------
 */

static int listen_at(int family, const void *address, socklen_t size)
{
    const int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

    return fd >= 0 && bind(fd, address, size) == 0 && listen(fd, 64) == 0 ? fd : -1;
}

static void open_sockets(void)
{
    struct sockaddr_in in = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct sockaddr_un un = { .sun_family = AF_UNIX }, abstract = { .sun_family = AF_UNIX };
    socklen_t size = sizeof in;

    tcp_fd = listen_at(AF_INET, &in, sizeof in);
    getsockname(tcp_fd, (struct sockaddr *)&in, &size);
    port = ntohs(in.sin_port);
    snprintf(un.sun_path, sizeof un.sun_path, "%s", socket_path);
    unix_fd = listen_at(AF_UNIX, &un, sizeof un);
    chmod(socket_path, 0777);
    snprintf(abstract.sun_path + 1, sizeof abstract.sun_path - 1, "%s", name);
    abstract_fd = listen_at(AF_UNIX, &abstract,
                            (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name) + 1));
}

static void write_secret(void)
{
    const int fd = open(secret, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);

    assert_true(fd >= 0 && fchmod(fd, 0666) == 0 && write(fd, "secret\n", 7) == 7);
    close(fd);
}

static int set_up(void **state)
{
    char self[400];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    (void)state;
    snprintf(directory, sizeof directory, "/tmp/ipr-jail-XXXXXX");
    if (n < 0 || mkdtemp(directory) == NULL || chmod(directory, 0777) != 0)
        return -1;
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    snprintf(hostile, sizeof hostile, "%s/hostile_uci", self);
    snprintf(secret, sizeof secret, "%s/secret", directory);
    snprintf(socket_path, sizeof socket_path, "%s/socket", directory);
    snprintf(name, sizeof name, "ipr-jail-%ld", (long)getpid());
    write_secret();
    open_sockets();
    victim = fork();
    if (victim == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    return tcp_fd >= 0 && unix_fd >= 0 && abstract_fd >= 0 && victim > 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    kill(victim, SIGKILL);
    waitpid(victim, NULL, 0);
    close(tcp_fd);
    close(unix_fd);
    close(abstract_fd);
    unlink(secret);
    unlink(socket_path);
    return rmdir(directory);
}

/* ---- asking ----------------------------------------------------------------------------------
 */

static void argument_text(enum argument a, char *out, size_t size)
{
    switch (a) {
    case NONE:
        out[0] = '\0';
        break;
    case PASSWD:
        snprintf(out, size, "/etc/passwd");
        break;
    case SECRET:
        snprintf(out, size, "%s", secret);
        break;
    case NEW:
        snprintf(out, size, "%s/new", directory);
        break;
    case ROOT:
        snprintf(out, size, "/");
        break;
    case PROC:
        snprintf(out, size, "/proc");
        break;
    case PARENT:
        snprintf(out, size, "%ld", (long)getpid());
        break;
    case VICTIM:
        snprintf(out, size, "%ld", (long)victim);
        break;
    case PORT:
        snprintf(out, size, "%u", port);
        break;
    case SOCKET:
        snprintf(out, size, "%s", socket_path);
        break;
    case ABSTRACT:
        snprintf(out, size, "%s", name);
        break;
    case ECHO:
        snprintf(out, size, "/bin/echo");
        break;
    }
}

/* What it says until it ends or has answered. */
static void hear(int from, char *text, size_t size)
{
    const int64_t deadline = ipr_now_ms() + PATIENCE_MS;
    size_t n = 0;

    text[0] = '\0';
    while (n < size - 1 && strchr(text, '\n') == NULL && ipr_now_ms() < deadline) {
        struct pollfd p = { .fd = from, .events = POLLIN };
        const ssize_t got = poll(&p, 1, 1000) > 0 ? read(from, text + n, size - 1 - n) : -1;

        if (got == 0)
            return;
        n += got > 0 ? (size_t)got : 0;
        text[n] = '\0';
    }
}

/* Whether the act succeeds for the process behind these pipes. */
static bool succeeds(int to, int from, const char *act, const char *argument)
{
    char line[512], text[512], want[64];
    const int n = snprintf(line, sizeof line, "try %s %s\n", act, argument);

    assert_int_equal(write(to, line, (size_t)n), n);
    hear(from, text, sizeof text);
    snprintf(want, sizeof want, "info string %s succeeded\n", act);
    if (strcmp(text, want) == 0)
        return true;
    snprintf(want, sizeof want, "info string %s refused\n", act);
    if (strcmp(text, want) != 0)
        fail_msg("%s: \"%s\"", act, text);
    return false;
}

static struct ipr_child start_program(const char *program, const char *tables)
{
    const struct ipr_child_needs needs = {
        .program = program, .tables = tables, .memory_mb = MEMORY_MB, .threads = 1
    };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_child c;

    assert_ok(ipr_child_start(&needs, &c, &err), &err);
    return c;
}

static struct ipr_child start(const char *tables)
{
    return start_program(hostile, tables);
}

static bool in_jail(const char *act, const char *argument, unsigned *granted)
{
    struct ipr_child c = start(NULL);
    const bool done = succeeds(c.to, c.from, act, argument);
    *granted = c.granted;
    ipr_child_end(&c, 0);
    return done;
}

/* The same program as anybody would start it. */
static bool at_large(const char *act, const char *argument)
{
    char *const argv[] = { hostile, NULL };
    posix_spawn_file_actions_t files;
    extern char **environ;
    int in[2], from[2];
    pid_t pid;

    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(from, O_CLOEXEC), 0);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, from[1], STDOUT_FILENO);
    assert_int_equal(posix_spawn(&pid, hostile, &files, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&files);
    close(in[0]);
    close(from[1]);
    const bool done = succeeds(in[1], from[0], act, argument);
    close(in[1]);
    close(from[0]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    return done;
}

static unsigned with_versions(unsigned granted)
{
    const int abi = (granted & FILES) != 0 ? ipr_jail_files_abi() : 0;

    return granted | ALWAYS | (abi >= 3 ? SHORTER : 0) | (abi >= 4 ? NETWORK : 0) |
           (abi >= 6 ? SCOPE : 0);
}

static void test_act(void **state)
{
    const int leaked = dup(STDIN_FILENO); /* that nobody marked */
    const struct row *r = *state;
    char argument[256];
    unsigned granted = 0;

    argument_text(r->argument, argument, sizeof argument);
    const bool possible = at_large(r->act, argument);
    const bool done = in_jail(r->act, argument, &granted);
    close(leaked);
    argument_text(NEW, argument, sizeof argument); /* it may make files, and not delete them */
    (void)unlink(argument);
    if (!possible)
        print_message("skipped: %s: this machine refuses it to everybody\n", r->name);
    else if ((with_versions(granted) & r->parts) == 0)
        print_message("skipped: %s: the kernel does not grant what refuses it\n", r->name);
    else if (done)
        fail_msg("%s: succeeded (granted %u)", r->name, granted);
}

/* ---- what it is allowed ----------------------------------------------------------------------
 */

static void test_own_files(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    struct ipr_child c = start(directory);
    assert_true(succeeds(c.to, c.from, "read", secret));
    assert_true(succeeds(c.to, c.from, "list", directory));
    if ((c.granted & FILES) != 0)
        assert_false(succeeds(c.to, c.from, "overwrite", secret));
    ipr_child_end(&c, 0);

    assert_ok(ipr_jail_open("on", "/etc/passwd:/bin/echo", &err), &err);
    c = start(NULL);
    assert_true(succeeds(c.to, c.from, "read", "/etc/passwd"));
    if ((c.granted & FILES) != 0)
        assert_false(succeeds(c.to, c.from, "read", secret));
    assert_true(succeeds(c.to, c.from, "run", "/bin/echo"));
    ipr_child_end(&c, 0);
    assert_int_equal(ipr_jail_open("on", "/nonexistent", &err), IPR_EPARSE);
    assert_non_null(strstr(err.msg, "INTRINSIC_ENGINE_FILES: cannot read /nonexistent"));
    ipr_jail_close();
}

/* Its interpreter runs, with the libraries and modules that it loads. */
static void test_scripts(void **state)
{
    static const char *const scripts[][2] = {
        { "/bin/sh",
          "#!/bin/sh\nwhile read -r try act; do echo \"info string $act succeeded\"; done\n" },
        { "/usr/bin/python3",
          "#!/usr/bin/env python3\nimport sys, threading\nfor line in sys.stdin:\n"
          "    print('info string', line.split()[1], 'succeeded', flush=True)\n" },
    };
    char path[128];

    (void)state;
    snprintf(path, sizeof path, "%s/script", directory);
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        if (access(scripts[i][0], X_OK) != 0) {
            print_message("skipped: a script of %s: it is not installed\n", scripts[i][0]);
            continue;
        }
        const int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0755);
        const ssize_t n = (ssize_t)strlen(scripts[i][1]);
        assert_true(fd >= 0 && write(fd, scripts[i][1], (size_t)n) == n);
        close(fd);
        struct ipr_child c = start_program(path, NULL);
        assert_true(succeeds(c.to, c.from, "hello", ""));
        ipr_child_end(&c, 0);
        unlink(path);
    }
}

static void test_off(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    unsigned granted = 1;

    (void)state;
    assert_ok(ipr_jail_open("off", "", &err), &err);
    assert_true(in_jail("read", secret, &granted));
    assert_int_equal(granted, 0);
    ipr_jail_close();
}

/* An engine is started without Landlock or seccomp unless the operator says otherwise. */
static void test_required(void **state)
{
    const struct ipr_child_needs needs = { .program = hostile, .memory_mb = 1200, .threads = 1 };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_child c = start(NULL);
    const bool whole = (c.granted & (FILES | CALLS)) == (FILES | CALLS);

    (void)state;
    ipr_child_end(&c, 0);
    assert_int_equal(ipr_jail_open("require", "", &err), whole ? IPR_OK : IPR_EDATA);
    ipr_err_clear(&err);
    assert_int_equal(ipr_child_start(&needs, &c, &err), whole ? IPR_OK : IPR_EIO);
    ipr_child_end(&c, 0);
    ipr_jail_close();
}

/* A folder that others cannot enter is read by an engine nevertheless: it keeps the user. */
static void test_private_folder(void **state)
{
    (void)state;
    assert_int_equal(chmod(directory, 0700), 0);
    struct ipr_child c = start(directory);
    assert_int_equal(c.granted & USER, 0);
    assert_true(succeeds(c.to, c.from, "read", secret));
    assert_int_equal(chmod(directory, 0777), 0);
    ipr_child_end(&c, 0);
}

/* The service is killed: an engine that does not heed the end of its input goes with it. */
static void test_outlives_nobody(void **state)
{
    struct pollfd gone;
    int told[2];
    pid_t engine = -1;

    (void)state;
    assert_int_equal(pipe(told), 0);
    const pid_t server = fork();
    if (server == 0) {
        struct ipr_child c = start(NULL);

        (void)!dup(c.to); /* its input does not end: */
        (void)!write(told[1], &c.pid, sizeof c.pid);
        pause();
    }
    assert_int_equal(read(told[0], &engine, sizeof engine), sizeof engine);
    gone = (struct pollfd){ .fd = (int)syscall(434 /* pidfd_open */, engine, 0), .events = POLLIN };
    assert_true(gone.fd >= 0);
    kill(engine, SIGSTOP); /* it cannot heed anything */
    kill(server, SIGKILL);
    assert_int_equal(waitpid(server, NULL, 0), server);
    assert_int_equal(poll(&gone, 1, PATIENCE_MS), 1);
    close(gone.fd);
    close(told[0]);
    close(told[1]);
}

static void test_description(void **state)
{
    char text[400];

    (void)state;
    ipr_jail_describe(31, true, 7, text, sizeof text);
    assert_string_equal(text, "engines run without network, files of others and other processes "
                              "(Landlock 7, seccomp, a user of their own, namespaces of their own, "
                              "a limit of threads); not granted: nothing");
    ipr_jail_describe(CALLS | FILES, false, 3, text, sizeof text);
    assert_string_equal(text, "engines run without network, files of others and other processes "
                              "(Landlock 3, seccomp); not granted: namespaces of their own, a "
                              "limit of threads");
    ipr_jail_describe(0, true, 0, text, sizeof text);
    assert_string_equal(
        text, "engines run confined in part (by limits alone); not granted: Landlock (they can "
              "read and write files as this user can), seccomp (they can use the network and act "
              "on processes), a user of their own, namespaces of their own, a limit of threads");
}

/* ---- as whom, and with what ------------------------------------------------------------------
 */

static int run_group(const char *title)
{
    static const struct CMUnitTest more[] = {
        cmocka_unit_test(test_scripts),
        cmocka_unit_test(test_own_files),
        cmocka_unit_test(test_off),
        cmocka_unit_test(test_required),
        cmocka_unit_test(test_private_folder),
        cmocka_unit_test(test_outlives_nobody),
        cmocka_unit_test(test_description),
    };
    struct CMUnitTest tests[N_ROWS + sizeof more / sizeof more[0]];

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] = (struct CMUnitTest){ .name = rows[i].name,
                                        .test_func = test_act,
                                        .initial_state = (void *)(uintptr_t)&rows[i] };
    memcpy(tests + N_ROWS, more, sizeof more);
    return cmocka_run_group_tests_name(title, tests, set_up, tear_down);
}

/* As on a kernel, or in a container, that does not have this call. */
static bool take_away(const char *call)
{
    scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
    const bool done =
        ctx != NULL &&
        seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), seccomp_syscall_resolve_name(call), 0) == 0 &&
        seccomp_load(ctx) == 0;

    seccomp_release(ctx);
    return done;
}

static bool become_nobody(void)
{
    return geteuid() != 0 ||
           (setresgid(NOBODY, NOBODY, NOBODY) == 0 && setresuid(NOBODY, NOBODY, NOBODY) == 0 &&
            prctl(PR_SET_DUMPABLE, 1) == 0); /* like any process */
}

/* In a process of its own, which can change for good. */
static int run_apart(const char *title, const char *without)
{
    int status = 0;
    const pid_t pid = fork();

    if (pid == 0) {
        if (!become_nobody() || (without != NULL && !take_away(without)))
            _exit(70);
        const int failed = run_group(title);

        fflush(NULL);
        _exit(failed != 0);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status)
                                                                           : 71;
}

int main(void)
{
    int failed = 0;

    signal(SIGPIPE, SIG_IGN);
    (void)ipr_log_level("error");
    failed |= run_group("engine/jail");
    failed |= run_apart("engine/jail as another user", NULL);
    failed |= run_apart("engine/jail without Landlock", "landlock_create_ruleset");
    failed |= run_apart("engine/jail without seccomp", "seccomp");
    failed |= run_apart("engine/jail without namespaces", "unshare");
    return failed;
}
