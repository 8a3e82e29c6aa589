#include <inttypes.h>
#include <stdio.h>

#include "command/command.h"
#include "db/judges.h"

static enum ipr_code partition_run(const struct ipr_config *config, int n, char **args,
                                   struct ipr_err *err)
{
    size_t judges = 0;
    int64_t sides = 0;

    if (n != 1)
        return ipr_err_set(err, IPR_EPARSE, "partition takes the name of one engine setting");
    const enum ipr_code rc =
        ipr_db_judge_partitions(config->database_url, args[0], &judges, &sides, err);
    if (rc == IPR_OK && judges == 0)
        return ipr_err_set(err, IPR_ENOTFOUND,
                           "no engine setting of the name \"%s\" has evaluations", args[0]);
    if (rc == IPR_OK)
        printf("%zu engines with that setting, %" PRId64 " sides moved\n", judges, sides);
    return rc;
}

static const char *const flags[] = { NULL };

const struct ipr_command ipr_command_partition = {
    .name = "partition",
    .usage = "SETTING",
    .help = "store the evaluations of an engine setting in a partition of their own\n"
            "(docs/scaling.md); as the owner of the database. Nothing is stored meanwhile",
    .flags = flags,
    .needs_database = true,
    .run = partition_run,
};
