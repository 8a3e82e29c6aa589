#include "engine/jail_files.h"

#include <fcntl.h>
#include <glob.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/str.h"

/* These belong to later interfaces than the headers of the compiler may know. */
#define RIGHT_REFER     (UINT64_C(1) << 13) /* 2 */
#define RIGHT_TRUNCATE  (UINT64_C(1) << 14) /* 3 */
#define RIGHT_IOCTL_DEV (UINT64_C(1) << 15) /* 5 */
#define NET_TCP         UINT64_C(3)         /* 4: bind, connect */
#define SCOPE_ALL       UINT64_C(3)         /* 6: abstract Unix sockets, signals */

#define RIGHT_READ_FILE LANDLOCK_ACCESS_FS_READ_FILE
#define RIGHT_READ      (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define RIGHT_RUN       (RIGHT_READ | LANDLOCK_ACCESS_FS_EXECUTE)
#define RIGHT_WRITE     (RIGHT_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE)
#define RIGHTS_OF_FILES                                                                            \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE)

struct ruleset {
    uint64_t fs, net, scoped; /* as struct landlock_ruleset_attr of the latest interface */
};

/* Every engine may use libraries, the descriptions of the machine by which it chooses its threads
 * and memory, and random numbers. None of it is anybody's. */
static const struct grant {
    const char *path;
    uint64_t rights;
} common[] = {
    { "/lib", RIGHT_READ },
    { "/lib32", RIGHT_READ },
    { "/lib64", RIGHT_READ },
    { "/usr/lib", RIGHT_READ },
    { "/usr/lib32", RIGHT_READ },
    { "/usr/lib64", RIGHT_READ },
    { "/usr/local/lib", RIGHT_READ },
    { "/etc/ld.so.cache", RIGHT_READ },
    { "/sys/devices/system/cpu", RIGHT_READ },
    { "/sys/devices/system/node", RIGHT_READ },
    { "/proc/cpuinfo", RIGHT_READ },
    { "/proc/meminfo", RIGHT_READ },
    { "/dev/urandom", RIGHT_READ },
    { "/dev/null", RIGHT_WRITE },
};

/* Programs are run by these. */
static const char *const loaders[] = { "/lib/ld-*.so*", "/lib32/ld-*.so*", "/lib64/ld-*.so*" };

int ipr_jail_files_abi(void)
{
    const long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    return abi > 0 ? (int)abi : 0;
}

/* A path that is not there cannot be used, and needs no rule. */
static void files_grant(int ruleset, const char *path, uint64_t rights)
{
    const int fd = open(path, O_PATH | O_CLOEXEC);
    struct landlock_path_beneath_attr rule = { .allowed_access = rights, .parent_fd = fd };
    struct stat st;

    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0) {
        if (!S_ISDIR(st.st_mode))
            rule.allowed_access &= RIGHTS_OF_FILES;
        (void)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close(fd);
}

/* The first line of a script without "#!"; empty for other programs. */
static struct ipr_str script_line(const char *program, char *buf, size_t size)
{
    const int fd = open(program, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, buf, size) : -1;

    if (fd >= 0)
        close(fd);
    if (n < 2 || memcmp(buf, "#!", 2) != 0)
        return (struct ipr_str){ buf, 0 };
    const char *end = memchr(buf, '\n', (size_t)n);
    return (struct ipr_str){ buf + 2, (size_t)(end != NULL ? end - buf : n) - 2 };
}

/* "#!/bin/sh", and "#!/usr/bin/env python3", which without an environment looks in two folders. */
static void grant_interpreter(int ruleset, const char *program, struct ipr_arena *mem)
{
    char buf[256];
    struct ipr_str rest = script_line(program, buf, sizeof buf), word;

    if (!ipr_str_word(&rest, &word))
        return;
    const char *interpreter = ipr_arena_strndup(mem, word.p, word.n);
    const char *slash = strrchr(interpreter, '/');

    files_grant(ruleset, interpreter, RIGHT_RUN);
    if (slash == NULL || strcmp(slash, "/env") != 0 || !ipr_str_word(&rest, &word))
        return;
    files_grant(ruleset, ipr_arena_printf(mem, "/bin/%.*s", (int)word.n, word.p), RIGHT_RUN);
    files_grant(ruleset, ipr_arena_printf(mem, "/usr/bin/%.*s", (int)word.n, word.p), RIGHT_RUN);
}

int ipr_jail_files_ruleset(const char *program, const char *const *granted, struct ipr_arena *mem)
{
    const int abi = ipr_jail_files_abi();
    struct ruleset all = { .fs = RIGHT_REFER - 1 };
    all.fs |= (abi >= 2 ? RIGHT_REFER : 0) | (abi >= 3 ? RIGHT_TRUNCATE : 0) |
              (abi >= 5 ? RIGHT_IOCTL_DEV : 0);
    all.net = abi >= 4 ? NET_TCP : 0;
    all.scoped = abi >= 6 ? SCOPE_ALL : 0;

    if (abi == 0)
        return -1;
    /* Members that an older interface does not have are 0, and it accepts that. */
    const int raw = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    /* Above the standard ones, which the new process replaces. */
    const int ruleset = raw >= 0 ? fcntl(raw, F_DUPFD_CLOEXEC, 3) : -1;
    if (raw >= 0)
        close(raw);
    if (ruleset < 0)
        return -1;
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
        files_grant(ruleset, common[i].path, common[i].rights);
    for (size_t i = 0; i < sizeof loaders / sizeof loaders[0]; i++) {
        glob_t found = { 0 };

        if (glob(loaders[i], GLOB_NOSORT, NULL, &found) == 0)
            for (size_t k = 0; k < found.gl_pathc; k++)
                files_grant(ruleset, found.gl_pathv[k], RIGHT_RUN);
        globfree(&found);
    }
    if (program != NULL) {
        files_grant(ruleset, program, RIGHT_RUN);
        grant_interpreter(ruleset, program, mem);
    }
    for (; *granted != NULL; granted++)
        files_grant(ruleset, *granted, RIGHT_RUN);
    return ruleset;
}
