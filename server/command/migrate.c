#include <stdio.h>

#include "command/command.h"

static enum ipr_code migrate_run(const struct ipr_config *config, const struct ipr_args *args,
                                 struct ipr_err *err)
{
    unsigned applied = 0;

    (void)args;
    const enum ipr_code rc = ipr_db_migrate(config->database_url, &applied, err);
    if (rc == IPR_OK && applied > 0)
        printf("%u migration%s applied\n", applied, applied == 1 ? "" : "s");
    return rc;
}

const struct ipr_command ipr_command_migrate = {
    .name = "migrate",
    .words = "",
    .help = "bring the database to this program's schema",
    .needs_database = true,
    .run = migrate_run,
};
