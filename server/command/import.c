#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "command/command.h"
#include "core/progress.h"
#include "core/setting.h"
#include "db/judges.h"
#include "db/uploads.h"
#include "ingest/ingest.h"
#include "ingest/report.h"

struct import_work {
    const struct ipr_config *config;
    const struct ipr_args *args;
    struct ipr_spelling *spelling; /* may be NULL */
};

/* Totals of all files. */
struct totals {
    int files, unread; /* files of which a part or all could not be read */
    int64_t games, refused, changed;
};

static void print_errors(struct ipr_db *db, int64_t upload_id, const char *path)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_upload_error *rows = NULL;
    size_t n = 0;

    if (ipr_db_upload_errors(db, upload_id, &mem, &rows, &n, &err) != IPR_OK)
        fprintf(stderr, "%s: %s\n", path, err.msg);
    for (size_t i = 0; i < n; i++) {
        if (rows[i].game > 0)
            fprintf(stderr, "%s:%d:%d: game %d (%s - %s): %s: %s\n", path, rows[i].line,
                    rows[i].column, rows[i].game, rows[i].white, rows[i].black, rows[i].type,
                    rows[i].detail);
        else
            fprintf(stderr, "%s: %s: %s\n", path, rows[i].type, rows[i].detail);
    }
    ipr_arena_release(&mem);
}

static void print_result(struct ipr_db *db, const char *path, const struct ipr_ingest_result *r)
{
    printf("%s: %d games read, %d new, %d duplicates, %d rejected, %d analysed, %d queued; "
           "variations skipped: %" PRId64 "\n",
           path, r->games_read, r->imported, r->duplicate, r->rejected, r->judged, r->queued,
           r->variations);
    if (r->rejected > 0 || r->unread > 0)
        print_errors(db, r->upload_id, path);
    if (r->duplicate > 0)
        printf("%s: upload %" PRId64
               ": duplicates: %d identical, %d contained in a longer version, %d "
               "longer than the stored one, %d with other spelling; %d added something, "
               "%d contradict the stored one\n",
               path, r->upload_id, r->duplicates[IPR_DUPLICATE_IDENTICAL],
               r->duplicates[IPR_DUPLICATE_CONTAINED], r->duplicates[IPR_DUPLICATE_EXTENDS],
               r->duplicates[IPR_DUPLICATE_SPELLING], r->improved, r->conflicting);
    if (r->passed_over > 0)
        printf("%s: skipped: %d files whose names are not of PGN or NDJSON\n", path,
               r->passed_over);
}

/* One file under way. */
struct reading {
    const char *path;
    double bytes; /* of the file; 0: not known */
    struct ipr_progress progress;
};

/* An ipr_ingest_look_fn: the command lets nobody pass by itself. */
static bool import_say(void *arg, int64_t upload_id, const struct ipr_ingest_progress *p)
{
    struct reading *r = arg;

    (void)upload_id;
    ipr_progress_say(&r->progress, (double)p->bytes_read, r->bytes, "%s: %d games read", r->path,
                     p->counts->games_read);
    return false;
}

static enum ipr_code import_read_file(struct ipr_db *db, const char *path, bool quiet,
                                      const struct ipr_ingest_options *options,
                                      struct ipr_ingest_result *r, struct ipr_err *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct reading reading = { .path = path };
    struct ipr_ingest_options shown = *options;
    struct stat st;

    if (fd < 0)
        return ipr_err_type(err, IPR_EIO, "cannot_read", "The file cannot be read: %s.",
                            strerrordesc_np(errno));
    reading.progress = ipr_progress_begin(quiet);
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        reading.bytes = (double)st.st_size;
    shown.look = import_say;
    shown.look_arg = &reading;
    const enum ipr_code rc = ipr_ingest_fd(db, fd, &shown, r, err);
    ipr_progress_end(&reading.progress);
    close(fd);
    return rc;
}

/* A file that cannot be read is reported; the next one follows. */
static void import_file(struct ipr_db *db, const char *path, bool quiet,
                        const struct ipr_ingest_options *options, struct totals *totals)
{
    struct ipr_ingest_result r;
    struct ipr_err err = IPR_ERR_INIT;

    totals->files++;
    if (import_read_file(db, path, quiet, options, &r, &err) != IPR_OK) {
        totals->unread++;
        fprintf(stderr, "%s: %s%s%s\n", path, err.type, err.type[0] != '\0' ? ": " : "", err.msg);
        return;
    }
    if (r.seen_before) {
        if (!quiet)
            printf("%s: imported before (upload %" PRId64 "), nothing done\n", path, r.upload_id);
        return;
    }
    totals->games += r.games_read;
    totals->refused += r.rejected;
    totals->changed += r.imported + r.judged;
    totals->unread += r.unread > 0;
    print_result(db, path, &r);
}

/* ---- into the database ------------------------------------------------------------------------
 */

static enum ipr_code import_files(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct import_work *w = arg;
    struct ipr_ingest_options options = {
        .judge = ipr_args_has(w->args, "analyse") ? ipr_setting_queue(w->config, NULL) : NULL,
        .priority = 5,
        .owner = "import",
        .max_bytes = INT64_MAX / 2, /* the operator's own files */
        .spelling = w->spelling,
        .again = ipr_args_has(w->args, "again"),
        .confirm = ipr_args_has(w->args, "confirm"),
    };
    const bool quiet = ipr_args_has(w->args, "quiet");
    struct totals totals = { 0 };

    if (ipr_args_number(w->args, "priority", 1, 9, &options.priority, err) != IPR_OK)
        return IPR_EPARSE;
    for (int i = 0; i < w->args->n; i++) {
        const char *slash = strrchr(w->args->words[i], '/');

        options.source = slash != NULL ? slash + 1 : w->args->words[i];
        import_file(db, w->args->words[i], quiet, &options, &totals);
    }
    /* The statistics of the planner are soon renewed without this, too. */
    bool renewed = false;
    if (totals.changed > 0 && ipr_db_games_analyse(db, totals.changed, &renewed, err) != IPR_OK)
        ipr_err_clear(err);
    if (totals.refused > 0 || totals.unread > 0)
        return ipr_err_set(err, IPR_EDATA,
                           "%" PRId64 " of %" PRId64 " games rejected, %d of %d files unreadable",
                           totals.refused, totals.games, totals.unread, totals.files);
    return IPR_OK;
}

/* ---- the dry run ------------------------------------------------------------------------------
 */

static enum ipr_code dry_run(const struct import_work *w, struct ipr_err *err)
{
    int form = -1;
    enum ipr_code rc = ipr_args_choice(w->args, "report", &form, err);

    if (rc != IPR_OK)
        return rc;
    signal(SIGPIPE, SIG_DFL); /* a closed pipe ends it silently */
    struct ipr_report *r = ipr_report_new(stdout, form == 0 ? IPR_REPORT_NDJSON : IPR_REPORT_TEXT);
    for (int i = 0; rc == IPR_OK && i < w->args->n; i++)
        rc = ipr_report_path(r, w->args->words[i], err);
    if (rc == IPR_OK)
        rc = ipr_report_finish(r, err);
    ipr_report_free(&r);
    return rc;
}

/* ---- the command ------------------------------------------------------------------------------
 */

static enum ipr_code check_flags(const struct import_work *w, struct ipr_err *err)
{
    static const char *const importing[] = { "analyse", "priority", "confirm", "again", "quiet" };
    const bool dry = ipr_args_has(w->args, "dry-run");

    if (!dry && ipr_args_value(w->args, "report") != NULL)
        return ipr_err_set(err, IPR_EPARSE, "--report goes with --dry-run");
    for (size_t k = 0; dry && k < sizeof importing / sizeof *importing; k++) {
        if (ipr_args_has(w->args, importing[k]))
            return ipr_err_set(err, IPR_EPARSE, "--%s does not go with --dry-run", importing[k]);
    }
    return IPR_OK;
}

static enum ipr_code import_run(const struct ipr_config *config, const struct ipr_args *args,
                                struct ipr_err *err)
{
    struct import_work w = { .config = config, .args = args };
    enum ipr_code rc = check_flags(&w, err);

    if (rc == IPR_OK && ipr_args_has(args, "dry-run"))
        return dry_run(&w, err);
    if (rc == IPR_OK)
        rc = ipr_command_spelling(config, &w.spelling, err);
    if (rc == IPR_OK)
        rc = ipr_command_with_db(config, import_files, &w, err);
    ipr_spelling_close(&w.spelling);
    return rc;
}

static const char *const import_settings[] = { "judge", NULL };

static const struct ipr_option import_options[] = {
    { "analyse", NULL, "queue the games" },
    { "priority", "1..9", "of the queue, 1 first (default 5)" },
    { "confirm", NULL,
      "queue games that come with evaluations: moves that pages speak of are searched again" },
    { "again", NULL, "read files again that were imported before" },
    { "quiet", NULL, "print only what was rejected" },
    { "dry-run", NULL,
      "only report what would be read or rejected, and why; needs no database, and FILE - is "
      "standard input" },
    { "report", "ndjson", "of a dry run: one line a game" },
    { 0 },
};

const struct ipr_command ipr_command_import = {
    .name = "import",
    .words = "FILE...",
    .help =
        "read PGN or analysed games (NDJSON), plain or compressed (docs/import.md). Exit 0: every "
        "game was read; 1: some were rejected, or a file could not be read",
    .least = 1,
    .most = -1,
    .options = import_options,
    .settings = import_settings,
    .needs_database = true,
    .offline_flag = "dry-run",
    .run = import_run,
};
