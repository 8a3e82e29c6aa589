#ifndef IPR_TEST_ENGINE_FAKE_PROGRAM_H
#define IPR_TEST_ENGINE_FAKE_PROGRAM_H

/* fake_uci as a program of many names: it stands beside this one, and a link named after a fault
 * selects the fault. */

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ipr_test.h"

static char directory[] = "/tmp/ipr-engine-XXXXXX";
static char program[PATH_MAX];

static int make_directory(void **state)
{
    char self[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    (void)state;
    if (n < 0 || mkdtemp(directory) == NULL)
        return -1;
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    return snprintf(program, sizeof program, "%s/fake_uci", self) < (int)sizeof program ? 0 : -1;
}

static int remove_directory(void **state)
{
    DIR *d = opendir(directory);
    struct dirent *entry;

    (void)state;
    while (d != NULL && (entry = readdir(d)) != NULL)
        (void)unlinkat(dirfd(d), entry->d_name, 0);
    if (d != NULL)
        closedir(d);
    return rmdir(directory);
}

static const char *fake(const char *fault)
{
    static char path[64];

    snprintf(path, sizeof path, "%s/fake_uci%s%s", directory, fault[0] != '\0' ? "-" : "", fault);
    assert_true(symlink(program, path) == 0 || errno == EEXIST);
    return path;
}

#endif
