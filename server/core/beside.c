#include "core/beside.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void ipr_program_beside(const char *name, char path[PATH_MAX])
{
    const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

    path[n > 0 ? n : 0] = '\0';
    char *const slash = strrchr(path, '/');
    const size_t folder = slash != NULL ? (size_t)(slash + 1 - path) : 0;
    snprintf(path + folder, PATH_MAX - folder, "%s", name);
}
