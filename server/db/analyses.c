/* Queueing, steering and showing; how far it is: progress.c. */
#include "db/analyses.h"

#include <stdio.h>

#include "db/jobs.h"
#include "db/judges.h"
#include "db/selection.h"

/* ---- queueing ---------------------------------------------------------------------------------
 */

#define ENQUEUE_AT_ONCE 10000 /* games a statement, which must end in good time */

struct queueing {
    const struct ipr_db_selection *selection;
    const char *judge, *owner;
    int priority;
    int32_t queued, there;
};

struct known {
    bool upload, game, person, judge;
};

static void fill_known(struct ipr_db_row *r, void *out)
{
    struct known *k = out;

    k->upload = ipr_db_col_bool(r, "upload");
    k->game = ipr_db_col_bool(r, "game");
    k->person = ipr_db_col_bool(r, "person");
    k->judge = ipr_db_col_bool(r, "judge");
}

enum ipr_code ipr_db_selection_check(struct ipr_db *db, const struct ipr_db_selection *s,
                                     struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    struct known k;

    ipr_db_p_int(&p, s->upload);
    ipr_db_p_int(&p, s->game);
    ipr_db_p_int(&p, s->person);
    ipr_db_p_text(&p, s->judge);
    const enum ipr_code rc =
        ipr_db_one(db, IPR_Q_SELECTION_THERE, &p, NULL, sizeof k, fill_known, &k, "selection", err);
    if (rc != IPR_OK)
        return rc;
    if (!k.upload)
        return ipr_err_set(err, IPR_ENOTFOUND, "no upload %lld", (long long)s->upload);
    if (!k.game)
        return ipr_err_set(err, IPR_ENOTFOUND, "no game %lld", (long long)s->game);
    if (!k.person)
        return ipr_err_set(err, IPR_ENOTFOUND, "no player %d", (int)s->person);
    if (!k.judge)
        return ipr_err_at(err, IPR_ENOTFOUND, "no_such_judge", 0, 0, -1,
                          "there is no judge \"%.40s\"; /api/v1/judges lists them", s->judge);
    return IPR_OK;
}

/* "player 12 in 1972". */
static enum ipr_code no_games(const struct ipr_db_selection *s, struct ipr_err *err)
{
    char upload[32] = "", game[32] = "", person[48] = "";

    if (s->upload != 0)
        snprintf(upload, sizeof upload, " of upload %lld", (long long)s->upload);
    if (s->game != 0)
        snprintf(game, sizeof game, " that is game %lld", (long long)s->game);
    if (s->person != 0 && s->year != 0)
        snprintf(person, sizeof person, " of player %d in %d", (int)s->person, s->year);
    else if (s->person != 0)
        snprintf(person, sizeof person, " of player %d", (int)s->person);
    return ipr_err_set(err, IPR_ENOTFOUND, "there is no game with moves%s%s%s", upload, game,
                       person);
}

static enum ipr_code enqueue_all(struct ipr_db *db, struct queueing *q, const int64_t *ids,
                                 size_t n, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    q->queued = 0;
    for (size_t i = 0; rc == IPR_OK && i < n; i += ENQUEUE_AT_ONCE) {
        const size_t m = n - i < ENQUEUE_AT_ONCE ? n - i : ENQUEUE_AT_ONCE;
        int32_t queued = 0;

        rc = ipr_db_jobs_enqueue(db, ids + i, m, q->judge, q->priority, q->owner, &queued, err);
        q->queued += queued;
    }
    q->there = (int32_t)n - q->queued;
    return rc;
}

static enum ipr_code queue_in_tx(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct queueing *q = arg;
    const struct ipr_db_selection *s = q->selection;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_params p = { 0 };
    void *list = NULL;
    size_t n = 0;

    if (ipr_db_is_whole_queue(s))
        return ipr_err_set(err, IPR_EINVAL, "nothing is selected");
    enum ipr_code rc = ipr_db_selection_check(db, s, err);
    if (rc == IPR_OK)
        rc = ipr_db_exec(db, IPR_Q_QUEUE_LOCK, NULL, NULL, err);
    if (rc != IPR_OK)
        return rc;
    ipr_db_p_int(&p, s->upload);
    ipr_db_p_int(&p, s->game);
    ipr_db_p_int(&p, s->person);
    ipr_db_p_int(&p, s->year);
    rc = ipr_db_list(db, IPR_Q_SELECTION_GAMES, &p, &mem, sizeof(int64_t), ipr_db_fill_id64, &list,
                     &n, err);
    if (rc == IPR_OK && n == 0)
        rc = no_games(s, err);
    if (rc == IPR_OK)
        rc = enqueue_all(db, q, list, n, err);
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_analyses_queue(struct ipr_db *db, const struct ipr_db_selection *s,
                                    const char *judge, int priority, const char *owner,
                                    int32_t *queued, int32_t *there, struct ipr_err *err)
{
    struct queueing q = { .selection = s, .judge = judge, .owner = owner, .priority = priority };
    struct ipr_judge definition;
    enum ipr_code rc = ipr_db_definition_get(db, judge, &definition, err);

    if (rc == IPR_OK)
        rc = ipr_db_tx(db, queue_in_tx, &q, err);
    if (rc != IPR_OK)
        return rc;
    *queued = q.queued;
    *there = q.there;
    return IPR_OK;
}

/* ---- steering ---------------------------------------------------------------------------------
 */

struct steering {
    const struct ipr_db_selection *selection;
    enum ipr_db_steer what;
    int priority;
    int32_t changed;
};

static void fill_changed(struct ipr_db_row *r, void *out)
{
    int32_t *n = out;

    *n = (int32_t)ipr_db_col_int(r, "jobs", 0, INT32_MAX);
}

static enum ipr_code steer_in_tx(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct steering *s = arg;
    struct ipr_db_params p = { 0 };
    enum ipr_query q = IPR_Q_ANALYSES_CANCEL;
    const enum ipr_code rc = ipr_db_exec(db, IPR_Q_QUEUE_LOCK, NULL, NULL, err);

    if (rc != IPR_OK)
        return rc;
    ipr_db_p_selection(&p, s->selection);
    switch (s->what) {
    case IPR_STEER_CANCEL:
        break;
    case IPR_STEER_PAUSE:
        q = IPR_Q_ANALYSES_PAUSE;
        break;
    case IPR_STEER_RESUME:
    case IPR_STEER_RETRY:
        q = IPR_Q_ANALYSES_READY;
        ipr_db_p_text(&p, s->what == IPR_STEER_RESUME ? "paused" : "failed");
        break;
    case IPR_STEER_PRIORITY:
        q = IPR_Q_ANALYSES_PRIORITY;
        ipr_db_p_int(&p, s->priority);
        break;
    }
    return ipr_db_one(db, q, &p, NULL, sizeof s->changed, fill_changed, &s->changed, "queue", err);
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

static void fill_analysis(struct ipr_db_row *r, void *out)
{
    struct ipr_db_analysis *a = out;

    a->id = ipr_db_col_i64(r, "id");
    a->game_id = ipr_db_col_i64(r, "game_id");
    a->white = ipr_db_col_text(r, "white");
    a->black = ipr_db_col_text(r, "black");
    a->event = ipr_db_col_text(r, "event");
    a->judge = ipr_db_col_text(r, "judge");
    a->state = ipr_db_col_text(r, "state");
    a->owner = ipr_db_col_text(r, "owner");
    a->worker = ipr_db_col_text_or(r, "worker", NULL);
    a->last_error = ipr_db_col_text_or(r, "last_error", NULL);
    a->created = ipr_db_col_text(r, "created");
    a->year = ipr_db_col_i32(r, "year");
    a->priority = ipr_db_col_i32(r, "priority");
    a->attempts = ipr_db_col_i32(r, "attempts");
    a->turns_done = ipr_db_col_i32(r, "turns_done");
    a->turns_total = ipr_db_col_i32(r, "turns_total");
}

enum ipr_code ipr_db_analyses_list(struct ipr_db *db, const struct ipr_db_selection *s,
                                   const char *state, int64_t after, int limit,
                                   struct ipr_arena *mem, struct ipr_db_analysis **rows, size_t *n,
                                   struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    if (ipr_db_is_whole_queue(s))
        ipr_db_p_text(&p, s->judge);
    else
        ipr_db_p_selection(&p, s);
    ipr_db_p_text(&p, state);
    ipr_db_p_int(&p, after);
    ipr_db_p_int(&p, limit);
    const enum ipr_code rc =
        ipr_db_list(db, ipr_db_is_whole_queue(s) ? IPR_Q_QUEUE_LIST : IPR_Q_ANALYSES_LIST, &p, mem,
                    sizeof **rows, fill_analysis, &list, n, err);
    if (rc == IPR_OK)
        *rows = list;
    return rc;
}

static void fill_queue(struct ipr_db_row *r, void *out)
{
    struct ipr_db_queue *q = out;

    q->ready = ipr_db_col_i64(r, "ready");
    q->leased = ipr_db_col_i64(r, "leased");
    q->paused = ipr_db_col_i64(r, "paused");
    q->failed = ipr_db_col_i64(r, "failed");
    q->judged_games = ipr_db_col_i64(r, "judged_games");
    q->judged_turns = ipr_db_col_i64(r, "judged_turns");
}

enum ipr_code ipr_db_queue_state(struct ipr_db *db, struct ipr_db_queue *out, struct ipr_err *err)
{
    return ipr_db_one(db, IPR_Q_QUEUE_STATE, NULL, NULL, sizeof *out, fill_queue, out, "queue",
                      err);
}

static void fill_running(struct ipr_db_row *r, void *out)
{
    struct ipr_db_running *g = out;

    g->game_id = ipr_db_col_i64(r, "game_id");
    g->white = ipr_db_col_text(r, "white");
    g->black = ipr_db_col_text(r, "black");
    g->event = ipr_db_col_text(r, "event");
    g->worker = ipr_db_col_text_or(r, "worker", "");
    g->judge = ipr_db_col_text(r, "judge");
    g->year = ipr_db_col_i32(r, "year");
    g->turns_done = ipr_db_col_i32(r, "turns_done");
    g->turns_total = ipr_db_col_i32(r, "turns_total");
    g->attempts = ipr_db_col_i32(r, "attempts");
}

enum ipr_code ipr_db_jobs_running(struct ipr_db *db, struct ipr_arena *mem,
                                  struct ipr_db_running **rows, size_t *n, struct ipr_err *err)
{
    void *list = NULL;
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_JOBS_RUNNING, NULL, mem, sizeof **rows, fill_running, &list, n, err);

    if (rc == IPR_OK)
        *rows = list;
    return rc;
}
