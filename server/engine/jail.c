#include "engine/jail.h"

#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "core/log.h"
#include "engine/jail_calls.h"
#include "engine/jail_files.h"

/* Users of engines, by their process ids: no distribution, container or system service gives out
 * ids from here on, and they fit the 31 bits that some programs can read. */
#define FIRST_USER 0x70000000U

/* Besides those that search. */
#define MORE_THREADS 62U

#define ESSENTIAL (IPR_JAIL_FILES | IPR_JAIL_CALLS)

enum jail_mode { JAIL_ON, JAIL_OFF, JAIL_REQUIRED };

/* Set by ipr_jail_open, before engines start. */
static struct {
    enum jail_mode mode;
    unsigned least; /* parts without which no engine is started: required, or granted before */
    char *files;
} settings;

/* ---- in the new process ----------------------------------------------------------------------
 */

static bool needed_readable(const struct ipr_jail *j)
{
    for (const char **path = j->needed; *path != NULL; path++)
        if (access(*path, R_OK) != 0)
            return false;
    return j->program == NULL || access(j->program, R_OK | X_OK) == 0;
}

/* An engine that is another user's could not be ended without that right. */
static bool may_kill_others(void)
{
    struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct mine[2] = { { 0 } };

    return syscall(SYS_capget, &head, mine) == 0 && (mine[0].effective >> CAP_KILL & 1U) != 0;
}

/* Groups go in any case. The user is only changed where the files can still be read: those of a
 * folder that is root's alone could not. The C library's functions would change other threads. */
static bool user_change(const struct ipr_jail *j)
{
    const unsigned id = FIRST_USER + (unsigned)getpid();

    if (!j->root || !may_kill_others() || syscall(SYS_setgroups, 0, NULL) != 0 ||
        syscall(SYS_setresgid, id, id, 0) != 0)
        return false;
    if (syscall(SYS_setresuid, id, id, 0) == 0 && needed_readable(j) &&
        syscall(SYS_setresgid, id, id, id) == 0 && syscall(SYS_setresuid, id, id, id) == 0)
        return true;
    (void)syscall(SYS_setresuid, 0, 0, 0);
    (void)syscall(SYS_setresgid, 0, 0, 0);
    return false;
}

/* The limit counts the processes of a user within a namespace: it is for users that nobody else
 * is. It does not hold for root. */
static bool threads_limit(const struct ipr_jail *j, unsigned granted)
{
    const struct rlimit r = { j->threads, j->threads };

    return ((granted & IPR_JAIL_USER) != 0 || (!j->root && (granted & IPR_JAIL_NAMESPACES) != 0)) &&
           setrlimit(RLIMIT_NPROC, &r) == 0;
}

unsigned ipr_jail_enter(const struct ipr_jail *j)
{
    unsigned granted = 0;

    if (!j->on || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return 0;
    if (user_change(j))
        granted |= IPR_JAIL_USER;
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC) == 0)
        granted |= IPR_JAIL_NAMESPACES;
    struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct none[2] = { { 0 } };
    (void)syscall(SYS_capset, &head, none);
    if (threads_limit(j, granted))
        granted |= IPR_JAIL_THREADS;
    if (j->ruleset >= 0 && syscall(SYS_landlock_restrict_self, j->ruleset, 0) == 0)
        granted |= IPR_JAIL_FILES;
    return granted;
}

unsigned ipr_jail_seal(const struct ipr_jail *j)
{
    return j->on && ipr_jail_calls_seal() ? IPR_JAIL_CALLS : 0;
}

/* ---- before it -------------------------------------------------------------------------------
 */

static size_t count_parts(const char *path)
{
    size_t n = 1;

    for (; path != NULL && *path != '\0'; path++)
        n += *path == ':';
    return n;
}

static void add_parts(struct ipr_jail *j, const char *path, size_t *n)
{
    while (path != NULL && *path != '\0') {
        const size_t length = strcspn(path, ":");

        if (length > 0)
            j->needed[(*n)++] = ipr_arena_strndup(&j->mem, path, length);
        path += length + (path[length] == ':');
    }
}

void ipr_jail_prepare(const char *program, const char *tables, unsigned threads,
                      struct ipr_jail *out)
{
    const size_t room = 1 + count_parts(tables) + count_parts(settings.files);
    size_t n = 0;

    *out = (struct ipr_jail){ .on = settings.mode != JAIL_OFF,
                              .root = geteuid() == 0,
                              .threads = 2 * threads + MORE_THREADS,
                              .ruleset = -1,
                              .program = program,
                              .mem = IPR_ARENA_INIT };
    out->needed = ipr_arena_alloc(&out->mem, room, sizeof *out->needed);
    if (!out->on)
        return;
    add_parts(out, tables, &n);
    add_parts(out, settings.files, &n);
    out->ruleset = ipr_jail_files_ruleset(program, out->needed, &out->mem);
    (void)ipr_jail_calls_prepare();
}

void ipr_jail_release(struct ipr_jail *j)
{
    if (j->ruleset >= 0)
        close(j->ruleset);
    ipr_arena_release(&j->mem);
}

bool ipr_jail_suffices(unsigned granted)
{
    return (granted & settings.least) == settings.least;
}

/* ---- what is granted, once -------------------------------------------------------------------
 */

static unsigned jail_try(void)
{
    struct ipr_jail j;
    int status = 0;

    ipr_jail_prepare(NULL, NULL, 1, &j);
    const pid_t pid = fork();
    if (pid == 0) {
        const unsigned granted = ipr_jail_enter(&j);

        _exit((int)(granted | ipr_jail_seal(&j)));
    }
    ipr_jail_release(&j);
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status)
               ? (unsigned)WEXITSTATUS(status)
               : 0;
}

static void add_word(struct ipr_buf *to, const char *words)
{
    ipr_buf_printf(to, "%s%s", to->n > 0 ? ", " : "", words);
}

void ipr_jail_describe(unsigned granted, bool root, int abi, char *out, size_t size)
{
    static const struct part {
        unsigned bit;
        const char *is, *lacks;
    } parts[] = {
        { IPR_JAIL_FILES, "Landlock", "Landlock (they can read and write files as this user can)" },
        { IPR_JAIL_CALLS, "seccomp", "seccomp (they can use the network and act on processes)" },
        { IPR_JAIL_USER, "a user of their own", "a user of their own" },
        { IPR_JAIL_NAMESPACES, "namespaces of their own", "namespaces of their own" },
        { IPR_JAIL_THREADS, "a limit of threads", "a limit of threads" },
    };
    const bool whole = (granted & ESSENTIAL) == ESSENTIAL;
    struct ipr_buf is = IPR_BUF_INIT, lacks = IPR_BUF_INIT;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if ((granted & parts[i].bit) != 0)
            add_word(&is, parts[i].is);
        else if (parts[i].bit != IPR_JAIL_USER || root) /* only root can give it */
            add_word(&lacks, parts[i].lacks);
        if (parts[i].bit == IPR_JAIL_FILES && (granted & IPR_JAIL_FILES) != 0)
            ipr_buf_printf(&is, " %d", abi);
    }
    if (is.n == 0)
        ipr_buf_puts(&is, "by limits alone");
    if (lacks.n == 0)
        ipr_buf_puts(&lacks, "nothing");
    snprintf(out, size, "engines run %s (%s); not granted: %s",
             whole ? "without network, files of others and other processes" : "confined in part",
             ipr_buf_c(&is), ipr_buf_c(&lacks));
    ipr_buf_release(&is);
    ipr_buf_release(&lacks);
}

static enum ipr_code files_check(const char *files, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    enum ipr_code rc = IPR_OK;

    while (rc == IPR_OK && files != NULL && *files != '\0') {
        const size_t n = strcspn(files, ":");
        const char *path = ipr_arena_strndup(&mem, files, n);

        if (n > 0 && access(path, R_OK) != 0)
            rc = ipr_err_set(err, IPR_EPARSE, "INTRINSIC_ENGINE_FILES: cannot read %s", path);
        files += n + (files[n] == ':');
    }
    ipr_arena_release(&mem);
    return rc;
}

static enum jail_mode jail_mode(const char *word)
{
    if (strcmp(word, "off") == 0)
        return JAIL_OFF;
    return strcmp(word, "require") == 0 ? JAIL_REQUIRED : JAIL_ON;
}

enum ipr_code ipr_jail_open(const char *mode, const char *files, struct ipr_err *err)
{
    const enum ipr_code rc = files_check(files, err);

    if (rc != IPR_OK)
        return rc;
    ipr_jail_close();
    settings.mode = jail_mode(mode != NULL ? mode : "on");
    settings.files = ipr_xstrdup(files != NULL ? files : "");
    if (settings.mode == JAIL_OFF) {
        ipr_log(IPR_LOG_WARN, "engine_jail",
                "msg=\"engines run with this user's rights: INTRINSIC_JAIL=off\"");
        return IPR_OK;
    }
    const unsigned granted = jail_try();
    settings.least = settings.mode == JAIL_REQUIRED ? ESSENTIAL : granted & ESSENTIAL;
    char text[400];
    ipr_jail_describe(granted, geteuid() == 0, ipr_jail_files_abi(), text, sizeof text);
    ipr_log((granted & ESSENTIAL) == ESSENTIAL ? IPR_LOG_INFO : IPR_LOG_WARN, "engine_jail",
            "msg=\"%s\"", text);
    if (!ipr_jail_suffices(granted))
        return ipr_err_type(err, IPR_EDATA, "engine_unable",
                            "INTRINSIC_JAIL=require: the kernel does not grant%s%s",
                            (granted & IPR_JAIL_FILES) == 0 ? " Landlock" : "",
                            (granted & IPR_JAIL_CALLS) == 0 ? " seccomp" : "");
    return IPR_OK;
}

void ipr_jail_close(void)
{
    free(settings.files);
    memset(&settings, 0, sizeof settings);
}
