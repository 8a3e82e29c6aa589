#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/process.h"

#define DEBIAN_STOCKFISH "/usr/games/stockfish"

static bool file_executable(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* Empty and relative entries of PATH are skipped: the server's working directory is never searched
 * for an engine. */
static const char *search_path(const char *name, struct ipr_arena *mem)
{
    const char *dir = getenv("PATH");

    while (dir != NULL && *dir != '\0') {
        const size_t n = strcspn(dir, ":");

        if (dir[0] == '/') {
            const char *path = ipr_arena_printf(mem, "%.*s/%s", (int)n, dir, name);

            if (file_executable(path))
                return path;
        }
        dir += n + (dir[n] == ':');
    }
    return NULL;
}

enum ipr_code ipr_engine_find(const char *configured, struct ipr_arena *mem, const char **path,
                              struct ipr_err *err)
{
    const char *found = NULL;

    if (configured != NULL && configured[0] != '\0') {
        if (strchr(configured, '/') == NULL)
            found = search_path(configured, mem);
        else if (file_executable(configured))
            found = ipr_arena_strndup(mem, configured, strlen(configured));
        if (found == NULL)
            return ipr_err_type(err, IPR_EIO, "engine_missing",
                                "the configured engine %s is not an executable file", configured);
    } else {
        found = search_path("stockfish", mem);
        if (found == NULL && file_executable(DEBIAN_STOCKFISH))
            found = DEBIAN_STOCKFISH;
        if (found == NULL)
            return ipr_err_type(err, IPR_EIO, "engine_missing",
                                "no stockfish in PATH and none at " DEBIAN_STOCKFISH);
    }
    *path = found;
    return IPR_OK;
}
