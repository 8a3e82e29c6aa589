#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "command/command.h"
#include "db/uploads.h"
#include "ingest/ingest.h"

static const char *const flags[] = { "analyse", "priority=", "again", "quiet", NULL };

struct work {
    const struct ipr_config *config;
    int n;
    char **args;
};

static void print_errors(struct ipr_db *db, int64_t upload_id, const char *path)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_upload_error *rows = NULL;
    size_t n = 0;

    if (ipr_db_upload_errors(db, upload_id, &mem, &rows, &n, &err) != IPR_OK)
        fprintf(stderr, "%s: %s\n", path, err.msg);
    for (size_t i = 0; i < n; i++)
        fprintf(stderr, "%s:%d:%d: game %d (%s - %s): %s: %s\n", path, rows[i].line, rows[i].column,
                rows[i].game, rows[i].white, rows[i].black, rows[i].type, rows[i].detail);
    ipr_arena_release(&mem);
}

static enum ipr_code import_file(struct ipr_db *db, const char *path, bool quiet,
                                 const struct ipr_ingest_options *options, struct ipr_err *err)
{
    struct ipr_ingest_result r;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return ipr_err_set(err, IPR_EIO, "%s: %s", path, strerror(errno));
    struct ipr_err cause = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_ingest_fd(db, fd, options, &r, &cause);
    close(fd);
    if (rc != IPR_OK)
        return ipr_err_set(err, rc, "%s: %s", path, cause.msg);
    if (r.seen_before) {
        if (!quiet)
            printf("%s: imported before (upload %" PRId64 "), nothing done\n", path, r.upload_id);
        return IPR_OK;
    }
    printf("%s: %d games read, %d new, %d known, %d refused, %d with judgements, %d queued\n", path,
           r.games_read, r.imported, r.duplicate, r.rejected, r.judged, r.queued);
    if (r.rejected > 0)
        print_errors(db, r.upload_id, path);
    return IPR_OK;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static enum ipr_code import_all(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct work *w = arg;
    struct ipr_ingest_options options = {
        .judge = ipr_command_has(w->n, w->args, "analyse") ? w->config->judge : NULL,
        .priority = 5,
        .max_bytes = INT64_MAX / 2, /* the operator's own files */
        .again = ipr_command_has(w->n, w->args, "again"),
    };
    const char *priority = ipr_command_value(w->n, w->args, "priority");
    enum ipr_code rc = IPR_OK;
    int files = 0;

    if (priority != NULL) {
        int64_t p;
        if (!ipr_str_int(ipr_str_c(priority), 1, 9, &p))
            return ipr_err_set(err, IPR_EPARSE, "--priority: '%s' is not 1 to 9", priority);
        options.priority = (int)p;
    }
    for (int i = 0; i < w->n && rc == IPR_OK; i++) {
        if (strcmp(w->args[i], "--priority") == 0)
            i++;
        if (strncmp(w->args[i], "--", 2) == 0 || w->args[i] == priority)
            continue;
        options.source = base_name(w->args[i]);
        rc = import_file(db, w->args[i], ipr_command_has(w->n, w->args, "quiet"), &options, err);
        files++;
    }
    if (rc == IPR_OK && files == 0)
        rc = ipr_err_set(err, IPR_EPARSE, "usage: intrinsic import FILE...");
    return rc;
}

static enum ipr_code run(const struct ipr_config *config, int n, char **args, struct ipr_err *err)
{
    struct work w = { config, n, args };

    return ipr_command_with_db(config, import_all, &w, err);
}

const struct ipr_command ipr_command_import = {
    .name = "import",
    .usage = "[--analyse] [--priority=1..9] [--again] [--quiet] FILE...",
    .help = "read PGN or judged games (NDJSON), plain or packed; --analyse queues them for judging",
    .flags = flags,
    .needs_database = true,
    .run = run,
};
