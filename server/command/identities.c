#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "command/command.h"
#include "db/aliases.h"

#define PAIRS_MAX 100000

struct identities_work {
    const struct ipr_spelling *spelling;
    bool apply;
};

static enum ipr_code aliases_list(struct ipr_db *db, const struct identities_work *w,
                                  struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_alias *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc =
        ipr_db_aliases(db, w->spelling, PAIRS_MAX, SIZE_MAX, &mem, &rows, &n, err);

    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        printf("%d %s (%d games, %d-%d) is %d %s (%d games, %d-%d)\n", (int)rows[i].who.id,
               rows[i].who.name, (int)rows[i].who.games, (int)rows[i].who.first_year,
               (int)rows[i].who.last_year, (int)rows[i].into.id, rows[i].into.name,
               (int)rows[i].into.games, (int)rows[i].into.first_year, (int)rows[i].into.last_year);
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code aliases_run(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct identities_work *w = arg;
    int64_t batch = 0;
    int32_t merged = 0;

    if (!w->apply)
        return aliases_list(db, w, err);
    const enum ipr_code rc = ipr_db_aliases_merge(db, w->spelling, "local", &batch, &merged, err);
    if (rc == IPR_OK && merged > 0)
        printf("%d players merged; undoing decision %" PRId64 " undoes all of them\n", (int)merged,
               batch);
    else if (rc == IPR_OK)
        puts("nothing to merge");
    return rc;
}

static enum ipr_code identities_run(const struct ipr_config *config, const struct ipr_args *args,
                                    struct ipr_err *err)
{
    struct ipr_spelling *spelling = NULL;
    enum ipr_code rc = ipr_command_spelling(config, &spelling, err);

    if (rc == IPR_OK && spelling == NULL)
        rc = ipr_err_set(err, IPR_EPARSE, "SCID_RATINGS_PATH: no spelling file is configured");
    struct identities_work w = { spelling, ipr_args_has(args, "apply") };
    if (rc == IPR_OK)
        rc = ipr_command_with_db(config, aliases_run, &w, err);
    ipr_spelling_close(&spelling);
    return rc;
}

static const struct ipr_option identities_options[] = {
    { "apply", NULL, "merge them as one decision, which can be undone" },
    { 0 },
};

const struct ipr_command ipr_command_identities = {
    .name = "identities",
    .words = "",
    .help = "list players that are one person according to the spelling file (SCID_RATINGS_PATH)",
    .options = identities_options,
    .needs_database = true,
    .run = identities_run,
};
