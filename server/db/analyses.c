/* Queueing, control and lists; for the progress see progress.c. */
#include "db/analyses.h"

#include <inttypes.h>
#include <stdio.h>

#include "db/jobs.h"
#include "db/judges.h"
#include "db/selection.h"
#include "queries/analyses_inside.h"

/* ---- queueing ---------------------------------------------------------------------------------
 */

#define ENQUEUE_AT_ONCE 10000 /* games per statement, which must end before its timeout */

struct queueing {
    struct ipr_db_plan plan;
    struct ipr_judge judge;
    const char *owner;
    int priority;
    bool estimate;
    struct ipr_db_planned out;
};

enum ipr_code ipr_db_selection_check(struct ipr_db *db, const struct ipr_db_selection *s,
                                     struct ipr_err *err)
{
    bool upload = false, game = false, person = false, judge = false;
    const enum ipr_code rc = ipr_db_selection_there(db, s, &upload, &game, &person, &judge, err);

    if (rc != IPR_OK)
        return rc;
    if (!upload)
        return ipr_err_set(err, IPR_ENOTFOUND, "no upload %lld", (long long)s->upload);
    if (!game)
        return ipr_err_set(err, IPR_ENOTFOUND, "no game %lld", (long long)s->game);
    if (!person)
        return ipr_err_set(err, IPR_ENOTFOUND, "no player %d", (int)s->person);
    if (!judge)
        return ipr_err_type(err, IPR_ENOTFOUND, "no_such_judge",
                            "there is no judge \"%.40s\"; /api/v1/judges lists them", s->judge);
    return IPR_OK;
}

/* "player 12 in 1972". */
static enum ipr_code no_games(const struct ipr_db_plan *p, struct ipr_err *err)
{
    const struct ipr_db_span none = { 0 }, *one = p->n_spans > 0 ? &p->spans[0] : &none;
    char upload[32] = "", game[32] = "", person[32] = "", years[48] = "";

    if (p->games.upload != 0)
        snprintf(upload, sizeof upload, " of upload %lld", (long long)p->games.upload);
    if (p->games.game != 0)
        snprintf(game, sizeof game, " that is game %lld", (long long)p->games.game);
    if (p->n_spans > 1)
        snprintf(person, sizeof person, " of these players");
    else if (one->player != 0)
        snprintf(person, sizeof person, " of player %d", (int)one->player);
    if (p->n_spans == 1 && one->from != 0 && one->from == one->to)
        snprintf(years, sizeof years, " in %d", one->from);
    else if (one->from != 0 || one->to != 0)
        snprintf(years, sizeof years, " in these years");
    return ipr_err_set(err, IPR_ENOTFOUND, "there is no game with moves%s%s%s%s%s", upload, game,
                       person, years, p->n_listed > 0 ? " among these" : "");
}

static enum ipr_code plan_check_listed(struct ipr_db *db, const struct ipr_db_plan *p,
                                       struct ipr_arena *mem, struct ipr_err *err)
{
    int32_t *missing = NULL;
    int64_t *games = NULL;
    size_t n = 0;

    enum ipr_code rc = ipr_db_players_missing(db, p, mem, &missing, &n, err);
    if (rc == IPR_OK && n > 0)
        return ipr_err_set(err, IPR_ENOTFOUND, "no player %d", (int)missing[0]);
    if (rc == IPR_OK)
        rc = ipr_db_games_missing(db, p, mem, &games, &n, err);
    return rc == IPR_OK && n > 0 ? ipr_err_set(err, IPR_ENOTFOUND, "no game %" PRId64, games[0])
                                 : rc;
}

static enum ipr_code count_plan(struct ipr_db *db, struct queueing *q, struct ipr_arena *mem,
                                struct ipr_err *err)
{
    const char *const name = q->judge.name;
    struct ipr_db_planned *out = &q->out;
    double *seconds = NULL;
    size_t n = 0;
    enum ipr_code rc =
        ipr_db_plan_totals(db, &q->plan, name, (int)ipr_judge_first_ply(&q->judge), &out->games,
                           &out->turns, &out->there, &out->turns_there, err);

    if (rc == IPR_OK && out->games == 0)
        rc = no_games(&q->plan, err);
    if (rc == IPR_OK)
        rc = ipr_db_judge_speeds(db, &name, 1, mem, &seconds, &n, err);
    if (rc != IPR_OK || out->turns == out->turns_there)
        return rc;
    out->core_hours = seconds[0] < 0.0 ? -1.0
                                       : (double)(out->turns - out->turns_there) * seconds[0] *
                                             q->judge.threads / 3600.0;
    return IPR_OK;
}

static enum ipr_code enqueue_some(struct ipr_db *db, const struct queueing *q,
                                  const struct ipr_db_planned_game *games, size_t n,
                                  struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    int64_t *ids = ipr_arena_alloc(&mem, n, sizeof *ids);
    int32_t *sides = ipr_arena_alloc(&mem, n, sizeof *sides), queued = 0;

    for (size_t i = 0; i < n; i++) {
        ids[i] = games[i].id;
        sides[i] = games[i].sides;
    }
    const enum ipr_code rc = ipr_db_jobs_enqueue_sides(db, ids, sides, n, q->judge.name,
                                                       q->priority, q->owner, &queued, err);
    ipr_arena_release(&mem);
    return rc;
}

static enum ipr_code queue_plan(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct queueing *q = arg;
    struct ipr_arena mem = IPR_ARENA_INIT;

    if (ipr_db_is_whole_queue(&q->plan.games) && q->plan.n_listed == 0 &&
        q->plan.spans[0].player == 0)
        return ipr_err_set(err, IPR_EINVAL, "nothing is selected");
    enum ipr_code rc = ipr_db_selection_check(db, &q->plan.games, err);
    if (rc == IPR_OK)
        rc = plan_check_listed(db, &q->plan, &mem, err);
    if (rc == IPR_OK && !q->estimate)
        rc = ipr_db_queue_lock(db, err);
    if (rc == IPR_OK)
        rc = count_plan(db, q, &mem, err);
    if (rc == IPR_OK && !q->estimate) {
        struct ipr_db_planned_game *games = NULL;
        size_t n = 0;

        rc = ipr_db_planned_games(db, &q->plan, &mem, &games, &n, err);
        for (size_t i = 0; rc == IPR_OK && i < n; i += ENQUEUE_AT_ONCE)
            rc = enqueue_some(db, q, games + i, n - i < ENQUEUE_AT_ONCE ? n - i : ENQUEUE_AT_ONCE,
                              err);
    }
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_analyses_queue(struct ipr_db *db, const struct ipr_db_plan *plan,
                                    const char *judge, int priority, const char *owner,
                                    bool estimate, struct ipr_db_planned *out, struct ipr_err *err)
{
    const struct ipr_db_span selected = { .player = plan->games.person,
                                          .from = plan->games.year,
                                          .to = plan->games.year };
    struct queueing q = {
        .plan = *plan, .owner = owner, .priority = priority, .estimate = estimate
    };
    enum ipr_code rc = ipr_db_definition_get(db, judge, &q.judge, err);

    if (plan->n_spans == 0 && plan->n_listed == 0) {
        q.plan.spans = &selected;
        q.plan.n_spans = 1;
    }
    q.plan.games.judge = NULL;
    q.plan.own = plan->own && rc == IPR_OK && ipr_judge_by_side(&q.judge);
    if (rc == IPR_OK)
        rc = estimate ? queue_plan(db, &q, err) : ipr_db_tx(db, queue_plan, &q, err);
    if (rc == IPR_OK)
        *out = q.out;
    return rc;
}

/* ---- steering ---------------------------------------------------------------------------------
 */

struct steering {
    const struct ipr_db_selection *selection;
    enum ipr_db_steer what;
    int priority;
    int32_t changed;
};

static enum ipr_code steer_in_tx(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct steering *s = arg;
    const enum ipr_code rc = ipr_db_queue_lock(db, err);

    if (rc != IPR_OK)
        return rc;
    switch (s->what) {
    case IPR_STEER_CANCEL:
        break;
    case IPR_STEER_PAUSE:
        return ipr_db_analyses_pause(db, s->selection, &s->changed, err);
    case IPR_STEER_RESUME:
        return ipr_db_analyses_ready(db, s->selection, "paused", &s->changed, err);
    case IPR_STEER_RETRY:
        return ipr_db_analyses_ready(db, s->selection, "failed", &s->changed, err);
    case IPR_STEER_PRIORITY:
        return ipr_db_analyses_priority(db, s->selection, s->priority, &s->changed, err);
    }
    return ipr_db_analyses_cancel(db, s->selection, &s->changed, err);
}

enum ipr_code ipr_db_analyses_steer(struct ipr_db *db, const struct ipr_db_selection *s,
                                    enum ipr_db_steer what, int priority, int32_t *changed,
                                    struct ipr_err *err)
{
    struct steering steering = { .selection = s, .what = what, .priority = priority };
    const enum ipr_code rc = ipr_db_tx(db, steer_in_tx, &steering, err);

    if (rc == IPR_OK && changed != NULL)
        *changed = steering.changed;
    return rc;
}

/* ---- showing ----------------------------------------------------------------------------------
 */

enum ipr_code ipr_db_analyses_list(struct ipr_db *db, const struct ipr_db_selection *s,
                                   const char *state, int64_t after, int limit,
                                   struct ipr_arena *mem, struct ipr_db_analysis **rows, size_t *n,
                                   struct ipr_err *err)
{
    if (ipr_db_is_whole_queue(s))
        return ipr_db_analyses_queued(db, s->judge, state, after, limit, mem, rows, n, err);
    return ipr_db_analyses_selected(db, s, state, after, limit, mem, rows, n, err);
}
