#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "command/command.h"
#include "db/analyses.h"

static const char *const flags[] = { "players=",  "from=",    "to=", "sides=",
                                     "priority=", "estimate", NULL };

struct work {
    const struct ipr_config *config;
    struct ipr_db_plan plan;
    int priority;
    bool estimate;
};

static enum ipr_code plan_queue(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct work *w = arg;
    struct ipr_db_planned n;
    const enum ipr_code rc = ipr_db_analyses_queue(db, &w->plan, w->config->judge, w->priority,
                                                   "local", w->estimate, &n, err);

    if (rc != IPR_OK)
        return rc;
    printf("%lld games, %lld moves; already analysed or queued: %lld games, %lld moves\n",
           (long long)n.games, (long long)n.turns, (long long)n.there, (long long)n.turns_there);
    printf("%s: %lld games, %lld moves; core-hours: ", w->estimate ? "to be queued" : "queued",
           (long long)(n.games - n.there), (long long)(n.turns - n.turns_there));
    if (n.core_hours < 0.0)
        puts("unknown, the speed of this engine setting has not been measured here");
    else
        printf("%.1f\n", n.core_hours);
    return IPR_OK;
}

/* --players=1,2,3 */
static enum ipr_code plan_players(int n, char **args, struct ipr_arena *mem,
                                  struct ipr_db_plan *plan, struct ipr_err *err)
{
    const char *text = ipr_command_value(n, args, "players");
    enum ipr_code rc = IPR_OK;

    if (text == NULL)
        return ipr_err_set(err, IPR_EPARSE, "--players: ids of players are missing");
    int32_t *ids = ipr_arena_alloc(mem, strlen(text) / 2 + 1, sizeof *ids);
    for (const char *p = text; rc == IPR_OK && p != NULL;) {
        const struct ipr_str one = { p, strcspn(p, ",") };
        int64_t id = 0;

        if (!ipr_str_int(one, 1, INT32_MAX, &id))
            rc = ipr_err_set(err, IPR_EPARSE, "--players: '%s' is not a list of ids", text);
        ids[plan->n_players++] = (int32_t)id;
        p = p[one.n] != '\0' ? p + one.n + 1 : NULL;
    }
    plan->players = ids;
    return rc;
}

static enum ipr_code plan_sides(int n, char **args, bool *own, struct ipr_err *err)
{
    const char *text = ipr_command_value(n, args, "sides");

    *own = text == NULL || strcmp(text, "own") == 0;
    return *own || strcmp(text, "both") == 0
               ? IPR_OK
               : ipr_err_set(err, IPR_EPARSE, "--sides: '%s' is neither own nor both", text);
}

static enum ipr_code analyse_run(const struct ipr_config *config, int n, char **args,
                                 struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct work w = { .config = config,
                      .priority = 5,
                      .estimate = ipr_command_has(n, args, "estimate") };
    enum ipr_code rc = plan_players(n, args, &mem, &w.plan, err);

    if (rc == IPR_OK)
        rc = ipr_command_number(n, args, "from", 9999, &w.plan.from, err);
    if (rc == IPR_OK)
        rc = ipr_command_number(n, args, "to", 9999, &w.plan.to, err);
    if (rc == IPR_OK)
        rc = ipr_command_number(n, args, "priority", 9, &w.priority, err);
    if (rc == IPR_OK)
        rc = plan_sides(n, args, &w.plan.own, err);
    if (rc == IPR_OK)
        rc = ipr_command_with_db(config, plan_queue, &w, err);
    ipr_arena_release(&mem);
    return rc;
}

const struct ipr_command ipr_command_analyse = {
    .name = "analyse",
    .usage = "--players=ID,… [--from=Y] [--to=Y] [--sides=own|both] [--judge=NAME] "
             "[--priority=1..9] [--estimate]",
    .help = "queue games of players for analysis, only their own moves unless --sides=both;\n"
            "--estimate only prints the amount of work and queues nothing",
    .flags = flags,
    .needs_database = true,
    .run = analyse_run,
};
