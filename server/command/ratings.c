#include <inttypes.h>
#include <stdio.h>

#include "command/command.h"
#include "ingest/ratings.h"

#define FAULTS_SHOWN 20

struct ratings_work {
    const char *path;
    bool quiet;
    size_t faults;
};

static void ratings_print_fault(void *arg, uint32_t line, uint32_t column, const char *word,
                                const char *why)
{
    struct ratings_work *w = arg;

    if (w->quiet || ++w->faults > FAULTS_SHOWN)
        return;
    fprintf(stderr, "%s:%" PRIu32 ":%" PRIu32 ": '", w->path, line, column);
    for (const char *c = word; *c != '\0'; c++)
        fputc((unsigned char)*c < ' ' || *c == 127 ? '?' : *c, stderr);
    fprintf(stderr, "' %s; skipped\n", why);
}

static enum ipr_code ratings_import(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct ratings_work *w = arg;
    struct ipr_ratings_result r = { 0 };

    const enum ipr_code rc = ipr_ratings_import(db, w->path, ratings_print_fault, w, &r, err);
    if (rc != IPR_OK)
        return rc;
    if (w->faults > FAULTS_SHOWN)
        fprintf(stderr, "and %zu more\n", w->faults - FAULTS_SHOWN);
    if (!w->quiet || r.changed + r.dropped > 0)
        printf("%s: %zu of %zu player%s found, %zu by FIDE id and %zu by name, with %zu ratings; "
               "%zu histor%s changed, %zu dropped\n",
               w->path, r.by_id + r.by_name, r.persons, r.persons == 1 ? "" : "s", r.by_id,
               r.by_name, r.ratings, r.changed, r.changed == 1 ? "y" : "ies", r.dropped);
    return IPR_OK;
}

static enum ipr_code ratings_run(const struct ipr_config *config, const struct ipr_args *args,
                                 struct ipr_err *err)
{
    struct ratings_work w = { .path = args->n > 0 ? args->words[0] : config->scid_ratings_path,
                              .quiet = ipr_args_has(args, "quiet") };

    if (w.path[0] == '\0')
        return ipr_err_set(err, IPR_EPARSE,
                           "no FILE, and SCID_RATINGS_PATH is not set (Debian's scid-rating-data "
                           "brings /usr/share/scid/data/spelling.ssp)");
    return ipr_command_with_db(config, ratings_import, &w, err);
}

static const struct ipr_option ratings_options[] = {
    { "quiet", NULL, "print nothing where nothing has changed" },
    { 0 },
};

const struct ipr_command ipr_command_ratings = {
    .name = "ratings",
    .words = "[FILE]",
    .help =
        "load the FIDE ratings of the stored players from a spelling file of Scid's format with "
        "ratings (default: SCID_RATINGS_PATH), replacing the former ones. Players are found by "
        "FIDE id, else by a unique name; players added later need another run",
    .most = 1,
    .options = ratings_options,
    .needs_database = true,
    .run = ratings_run,
};
