/* The input is a file as somebody might import it. Unpacking keeps within its limits, by pread and
 * through a pipe; the dry run comes to an end and every line of its report is JSON. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <jansson.h>

#include "fuzz.h"
#include "ingest/report.h"
#include "ingest/unpack.h"

#define MAX_BYTES   ((int64_t)1 << 20)
#define MAX_ENTRIES 50

static int as_file(const uint8_t *data, size_t size)
{
    const int fd = memfd_create("input", MFD_CLOEXEC);

    HOLDS(fd >= 0 && write(fd, data, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

static enum ipr_code read_entry(struct ipr_unpack *u, int64_t *total, struct ipr_err *err)
{
    static char bytes[5000];
    size_t n;
    enum ipr_code rc;

    do {
        rc = ipr_unpack_read(u, bytes, sizeof bytes, &n, err);
        if (rc == IPR_OK)
            *total += (int64_t)n;
    } while (rc == IPR_OK && n > 0);
    return rc;
}

static void expect_bounded(int fd)
{
    const struct ipr_unpack_limits limits = {
        .max_bytes = MAX_BYTES, .max_ratio = 20, .free_bytes = 10000, .max_entries = MAX_ENTRIES
    };
    struct ipr_unpack *u = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    const char *name = NULL;
    int64_t total = 0, entries = 0;
    enum ipr_code rc = ipr_unpack_open(fd, 0, &limits, &u, &err);

    while (rc == IPR_OK && (rc = ipr_unpack_next(u, &name, &err)) == IPR_OK && name != NULL) {
        HOLDS(++entries <= MAX_ENTRIES);
        rc = read_entry(u, &total, &err);
        HOLDS(total <= MAX_BYTES);
    }
    HOLDS(rc == IPR_OK || (rc == IPR_EPARSE && err.type[0] != '\0') ||
          (rc == IPR_ELIMIT && err.type[0] != '\0'));
    ipr_unpack_close(&u);
}

static void expect_json(char *text)
{
    char *save = NULL;

    for (char *line = strtok_r(text, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        json_error_t why;
        json_t *json = json_loads(line, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &why);

        if (json == NULL) {
            fprintf(stderr, "%s: %s\n", line, why.text);
            abort();
        }
        json_decref(json);
    }
}

static void expect_report(int fd)
{
    struct ipr_err err = IPR_ERR_INIT;
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    struct ipr_report *r = ipr_report_new(to, IPR_REPORT_NDJSON);

    HOLDS(ipr_report_fd(r, fd, "input", &err) == IPR_OK);
    const enum ipr_code rc = ipr_report_finish(r, &err);
    HOLDS(rc == IPR_OK || rc == IPR_EDATA);
    ipr_report_free(&r);
    fclose(to);
    expect_json(text);
    free(text);
}

/* What a pipe takes without anybody reading it. */
static void expect_bounded_pipe(const uint8_t *data, size_t size)
{
    int ends[2];

    if (size > 60000)
        return;
    HOLDS(pipe(ends) == 0 && write(ends[1], data, size) == (ssize_t)size);
    close(ends[1]);
    expect_bounded(ends[0]);
    close(ends[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int fd = as_file(data, size);

    expect_bounded(fd);
    expect_report(fd);
    close(fd);
    expect_bounded_pipe(data, size);
    return 0;
}
