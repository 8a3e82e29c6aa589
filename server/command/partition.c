#include <inttypes.h>
#include <stdio.h>

#include "command/command.h"
#include "db/judges.h"

static enum ipr_code partition_run(const struct ipr_config *config, const struct ipr_args *args,
                                   struct ipr_err *err)
{
    size_t judges = 0;
    int64_t sides = 0;

    const enum ipr_code rc =
        ipr_db_judge_partitions(config->database_url, args->words[0], &judges, &sides, err);
    if (rc == IPR_OK && judges == 0)
        return ipr_err_set(err, IPR_ENOTFOUND,
                           "no engine setting of the name \"%s\" has evaluations", args->words[0]);
    if (rc == IPR_OK)
        printf("%zu engines with that setting, %" PRId64 " sides moved\n", judges, sides);
    return rc;
}

const struct ipr_command ipr_command_partition = {
    .name = "partition",
    .words = "SETTING",
    .help = "store the evaluations of an engine setting in a partition of their own "
            "(docs/scaling.md); as the owner of the database. Nothing is stored meanwhile",
    .least = 1,
    .most = 1,
    .needs_database = true,
    .run = partition_run,
};
