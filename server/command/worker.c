#include "command/command.h"
#include "core/signals.h"
#include "engine/fleet.h"

static enum ipr_code run(const struct ipr_config *config, int n, char **args, struct ipr_err *err)
{
    struct ipr_db_pool *pool = NULL;
    struct ipr_db *db = NULL;
    struct ipr_fleet *fleet = NULL;
    enum ipr_code rc;

    (void)args;
    if (n > 0)
        return ipr_err_set(err, IPR_EPARSE, "takes no arguments");
    ipr_signals_install();
    rc = ipr_db_pool_open(config->database_url, ipr_config_workers(config) + 1, &pool, err);
    if (rc == IPR_OK)
        rc = ipr_db_lease(pool, &db, err);
    if (rc == IPR_OK)
        rc = ipr_db_ready(db, err);
    ipr_db_return(&db);
    if (rc == IPR_OK)
        rc = ipr_fleet_start(config, pool, ipr_config_workers(config), &fleet, err);
    if (rc == IPR_OK)
        ipr_signals_wait();
    ipr_fleet_stop(&fleet);
    ipr_db_pool_close(&pool);
    return rc;
}

const struct ipr_command ipr_command_worker = {
    .name = "worker",
    .usage = "",
    .help = "judge queued games without serving pages; any number of them, on any host",
    .needs_database = true,
    .run = run,
};
