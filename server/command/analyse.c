#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "command/command.h"
#include "core/setting.h"
#include "db/jobs.h"
#include "db/judges.h"
#include "db/lists.h"
#include "view/paper/matches.h"

#define PAGE 1000 /* games that are queued at once */

struct analyse_work {
    const struct ipr_config *config;
    struct ipr_arena mem;
    json_t *matches; /* as in struct ipr_view_matches; NULL: the plan has players */
    struct ipr_list_match_left_out left_out;
    int earlier;
    bool own_games;
    struct ipr_db_plan plan;
    int priority;
    bool estimate;
    const char *event; /* of confirmations */
};

static enum ipr_code plan_queue(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct analyse_work *w = arg;
    const struct ipr_view view = { .config = w->config, .db = db, .mem = &w->mem };
    const struct ipr_view_matches matches = { w->matches, w->earlier, w->own_games };
    const char *judge = ipr_setting_queue(w->config, NULL);
    struct ipr_db_planned n;
    enum ipr_code rc = IPR_OK;

    if (w->matches != NULL)
        rc = ipr_paper_plan_matches(&view, judge, &matches, &w->left_out, &w->plan, err);
    if (rc == IPR_OK)
        rc = ipr_db_analyses_queue(db, &w->plan, judge, w->priority, "local", w->estimate, &n, err);
    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < w->left_out.n; i++) {
        const struct ipr_answer_match_left_out *const match = &w->left_out.at[i];

        printf("left out: %s - %s %d, a player has no games here\n", match->players.at[0],
               match->players.at[1], (int)match->year);
    }
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
static enum ipr_code plan_players(const char *text, int from, int to, struct analyse_work *w,
                                  struct ipr_err *err)
{
    int32_t *ids = ipr_arena_alloc(&w->mem, strlen(text) / 2 + 1, sizeof *ids);
    size_t n = 0;

    for (const char *p = text; p != NULL;) {
        const struct ipr_str one = { p, strcspn(p, ",") };
        int64_t id = 0;

        if (!ipr_str_int(one, 1, INT32_MAX, &id))
            return ipr_err_set(err, IPR_EPARSE, "--players: '%s' is not a list of ids", text);
        ids[n++] = (int32_t)id;
        p = p[one.n] != '\0' ? p + one.n + 1 : NULL;
    }
    w->plan.spans = ipr_db_spans(ids, n, from, to, &w->mem);
    w->plan.n_spans = n;
    return IPR_OK;
}

/* ---- confirmations ---- */

/* The games of one filter, by pages. */
static enum ipr_code confirm_games(struct ipr_db *db, const struct ipr_db_game_filter *filter,
                                   int64_t *queued, struct ipr_err *err)
{
    int64_t after = 0;
    size_t n = PAGE;
    enum ipr_code rc = IPR_OK;

    while (rc == IPR_OK && n == PAGE) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        int64_t *ids = NULL, more = 0;

        rc = ipr_db_game_ids(db, filter, after, PAGE, &mem, &ids, &n, err);
        if (rc == IPR_OK && n > 0) {
            rc = ipr_db_jobs_confirm(db, ids, n, 0, &more, err);
            after = ids[n - 1];
        }
        *queued += more;
        ipr_arena_release(&mem);
    }
    return rc;
}

/* Games that are confirmed, or of which nothing needs to be, leave the queue as soon as a worker
 * looks at them. */
static enum ipr_code confirm_queue(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    static const enum ipr_purpose rated[] = { IPR_FOR_RATING, IPR_FOR_FILES };
    const struct analyse_work *w = arg;
    const struct ipr_db_span all = { 0 };
    const struct ipr_db_span *const spans = w->plan.n_spans > 0 ? w->plan.spans : &all;
    const size_t n_spans = w->plan.n_spans > 0 ? w->plan.n_spans : 1;
    int64_t queued = 0;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < 2 * n_spans; i++) {
        const struct ipr_db_span *const span = &spans[i / 2];
        struct ipr_db_game_filter filter = {
            .event_name = w->event, .player = span->player, .from = span->from, .to = span->to
        };
        struct ipr_judge judge;

        rc =
            ipr_db_judge_by_name(db, ipr_setting_name(rated[i % 2]), &filter.judge_id, &judge, err);
        if (rc == IPR_OK)
            rc = confirm_games(db, &filter, &queued, err);
        if (rc == IPR_ENOTFOUND) { /* no game is rated by it */
            ipr_err_clear(err);
            rc = IPR_OK;
        }
    }
    if (rc == IPR_OK)
        printf("queued for confirmation: %lld games\n", (long long)queued);
    return rc;
}

static enum ipr_code plan_read(const struct ipr_args *args, struct analyse_work *w,
                               struct ipr_err *err)
{
    const char *players = ipr_args_value(args, "players");
    const char *predict = ipr_args_value(args, "predict");
    int from = 0, to = 0;

    enum ipr_code rc = ipr_args_number(args, "from", 1, 9999, &from, err);
    if (rc == IPR_OK)
        rc = ipr_args_number(args, "to", 1, 9999, &to, err);
    if (rc == IPR_OK)
        rc = ipr_args_number(args, "earlier", 0, 50, &w->earlier, err);
    if (rc != IPR_OK)
        return rc;
    if (ipr_args_has(args, "confirm")) {
        w->event = ipr_args_value(args, "event");
        if (predict != NULL || w->estimate)
            return ipr_err_set(err, IPR_EPARSE,
                               "--predict and --estimate do not go with --confirm");
        if (w->config->confirm_nodes == 0)
            return ipr_err_set(err, IPR_EPARSE, "--confirm: INTRINSIC_CONFIRM_NODES is 0");
        return players != NULL ? plan_players(players, from, to, w, err) : IPR_OK;
    }
    if (ipr_args_has(args, "event"))
        return ipr_err_set(err, IPR_EPARSE, "--event goes with --confirm");
    if ((players == NULL) == (predict == NULL))
        return ipr_err_set(err, IPR_EPARSE, "--players or --predict is needed, and not both");
    if (players != NULL)
        return plan_players(players, from, to, w, err);
    if (from != 0 || to != 0)
        return ipr_err_set(err, IPR_EPARSE, "--from and --to are only with --players");
    w->own_games = ipr_args_has(args, "own-games");
    w->matches = json_string(predict);
    return IPR_OK;
}

static enum ipr_code analyse_run(const struct ipr_config *config, const struct ipr_args *args,
                                 struct ipr_err *err)
{
    struct analyse_work w = { .config = config,
                              .mem = IPR_ARENA_INIT,
                              .earlier = IPR_VIEW_EARLIER,
                              .priority = 5,
                              .estimate = ipr_args_has(args, "estimate") };
    enum ipr_code rc = plan_read(args, &w, err);

    if (rc == IPR_OK)
        rc = ipr_args_number(args, "priority", 1, 9, &w.priority, err);
    if (rc == IPR_OK) {
        int sides = 0;

        rc = ipr_args_choice(args, "sides", &sides, err);
        w.plan.own = sides == 0;
    }
    if (rc == IPR_OK)
        rc = ipr_command_with_db(config, ipr_args_has(args, "confirm") ? confirm_queue : plan_queue,
                                 &w, err);
    json_decref(w.matches);
    ipr_arena_release(&w.mem);
    return rc;
}

static const char *const analyse_settings[] = { "judge", NULL };

static const struct ipr_option analyse_options[] = {
    { "players", "ID,...", "games of these players" },
    { "from", "Y", "of those, games from this year on" },
    { "to", "Y", "and up to this year" },
    { "predict", "LIST",
      "instead: what predictions read; a paper's table (alliot-2017/5) or [{\"players\": [ID, ID], "
      "\"year\": Y}, ...]" },
    { "earlier", "N", "years before the year before the match, too (default 4)" },
    { "own-games", NULL, "the games of the match, too" },
    { "sides", "own|both", "whose moves: the players' own (the default), or both sides'" },
    { "priority", "1..9", "of the queue, 1 first (default 5)" },
    { "estimate", NULL, "only print the amount of work" },
    { "confirm", NULL,
      "instead: search moves that pages speak of again, of all games with a rating, or those of "
      "the "
      "players or the event" },
    { "event", "NAME", "of these, games of this event" },
    { 0 },
};

const struct ipr_command ipr_command_analyse = {
    .name = "analyse",
    .words = "",
    .help = "queue games of players, or what the predictions of matches read, for analysis",
    .options = analyse_options,
    .settings = analyse_settings,
    .needs_database = true,
    .run = analyse_run,
};
