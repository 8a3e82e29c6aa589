/*
 * A fuzz target as an ordinary program: every file named, or found in a folder named, goes
 * through it once. Prints TAP, one line a file, before the next begins: a file that aborts is the
 * one not yet named.
 */
#include <dirent.h>
#include <string.h>

#include "fuzz.h"

static unsigned done;

static uint8_t *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    size_t size = 0, more;
    uint8_t *bytes = NULL;

    HOLDS(f != NULL);
    *n = 0;
    do {
        if (*n == size) {
            size = size > 0 ? 2 * size : 4096;
            bytes = realloc(bytes, size);
            HOLDS(bytes != NULL);
        }
        more = fread(bytes + *n, 1, size - *n, f);
        *n += more;
    } while (more > 0);
    HOLDS(!ferror(f));
    fclose(f);
    return bytes;
}

/* In memory of exactly its size, so that reading past the end is seen. */
static void run_file(const char *path)
{
    size_t n;
    uint8_t *bytes = read_file(path, &n), *exact = malloc(n > 0 ? n : 1);

    HOLDS(exact != NULL);
    memcpy(exact, bytes, n);
    free(bytes);
    fprintf(stderr, "# %s\n", path);
    HOLDS(LLVMFuzzerTestOneInput(exact, n) == 0);
    free(exact);
    printf("ok %u - %s\n", ++done, path);
    fflush(stdout);
}

static int is_file(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static void run_folder(const char *path)
{
    struct dirent **entries;
    const int n = scandir(path, &entries, is_file, alphasort);
    char name[4096];

    if (n < 0) {
        run_file(path);
        return;
    }
    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        run_file(name);
        free(entries[i]);
    }
    free(entries);
}

/* Of targets that have something to start. */
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

int main(int argc, char **argv)
{
    HOLDS(LLVMFuzzerInitialize == NULL || LLVMFuzzerInitialize(&argc, &argv) == 0);
    for (int i = 1; i < argc; i++)
        run_folder(argv[i]);
    printf("1..%u\n", done);
    return done == 0;
}
