#include <stdio.h>

#include "command/command.h"
#include "core/log.h"
#include "db/records.h"

struct audit_request {
    const char *writer;
    int limit;
};

static enum ipr_code audit_list(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct audit_request *r = arg;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_audit *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_audit_list(db, r->writer, r->limit, &mem, &rows, &n, err);
    if (rc == IPR_OK)
        printf("%-20s %-24s %-39s %-6s %6s %-16s  %s\n", "time", "token", "client", "method",
               "status", "request", "address");
    for (size_t i = 0; i < n; i++)
        printf("%-20s %-24s %-39s %-6s %6d %-16s  %s\n", rows[i].at, ipr_log_text(rows[i].writer),
               rows[i].client, rows[i].method, rows[i].status, rows[i].request, rows[i].path);
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code audit_run(const struct ipr_config *config, const struct ipr_args *args,
                               struct ipr_err *err)
{
    const char *token = ipr_args_value(args, "token");
    struct audit_request r = { token != NULL ? token : "", 100 };
    const enum ipr_code rc = ipr_args_number(args, "limit", 1, 100000, &r.limit, err);

    return rc == IPR_OK ? ipr_command_with_db(config, audit_list, &r, err) : rc;
}

static const struct ipr_option audit_options[] = {
    { "token", "NAME", "only those with the token of this name" },
    { "limit", "N", "how many at most, up to 100,000 (default 100)" },
    { 0 },
};

const struct ipr_command ipr_command_audit = {
    .name = "audit",
    .words = "",
    .help = "list the latest writes over HTTP, newest first: who did what, from which address, and "
            "with which outcome",
    .options = audit_options,
    .needs_database = true,
    .run = audit_run,
};
