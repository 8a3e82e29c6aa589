#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "db/records.h"

struct request {
    const char *writer;
    int limit;
};

static enum ipr_code audit_list(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct request *r = arg;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_audit *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_audit_list(db, r->writer, r->limit, &mem, &rows, &n, err);
    if (rc == IPR_OK)
        printf("%-20s %-24s %-39s %-6s %6s %-16s  %s\n", "time", "token", "client", "method",
               "status", "request", "address");
    for (size_t i = 0; i < n; i++)
        printf("%-20s %-24s %-39s %-6s %6d %-16s  %s\n", rows[i].at, rows[i].writer, rows[i].client,
               rows[i].method, rows[i].status, rows[i].request, rows[i].path);
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code audit_run(const struct ipr_config *config, int n, char **args,
                               struct ipr_err *err)
{
    const char *token = ipr_command_value(n, args, "token");
    struct request r = { token != NULL ? token : "", 100 };
    const enum ipr_code rc = ipr_command_number(n, args, "limit", 1, 100000, &r.limit, err);

    return rc == IPR_OK ? ipr_command_with_db(config, audit_list, &r, err) : rc;
}

static const char *const flags[] = { "token=", "limit=", NULL };

const struct ipr_command ipr_command_audit = {
    .name = "audit",
    .usage = "[--token=NAME] [--limit=N]",
    .help =
        "list the latest writes over HTTP, newest first (default: 100 of at most 100,000): who\n"
        "did what, from which address, and with which outcome",
    .flags = flags,
    .needs_database = true,
    .run = audit_run,
};
