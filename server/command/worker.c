#include "command/command.h"
#include "core/signals.h"
#include "engine/fleet.h"

static enum ipr_code worker_run(const struct ipr_config *config, const struct ipr_args *args,
                                struct ipr_err *err)
{
    struct ipr_fleet *fleet = NULL;
    bool stopped;

    (void)args;
    ipr_signals_install();
    enum ipr_code rc = ipr_command_await_db(config, &stopped, err);
    if (rc == IPR_OK && !stopped)
        rc = ipr_fleet_start(config, ipr_config_workers(config), &fleet, err);
    if (rc == IPR_OK)
        ipr_signals_wait();
    ipr_fleet_stop(&fleet);
    return rc;
}

const struct ipr_command ipr_command_worker = {
    .name = "worker",
    .words = "",
    .help = "analyse queued games without serving pages; any number of workers, on any host",
    .needs_database = true,
    .run = worker_run,
};
