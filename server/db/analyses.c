/* Queueing, control and lists; for the progress see progress.c. */
#include "db/analyses.h"

#include <stdio.h>

#include "db/jobs.h"
#include "db/judges.h"
#include "db/selection.h"
#include "queries/analyses_inside.h"

/* ---- queueing ---------------------------------------------------------------------------------
 */

#define ENQUEUE_AT_ONCE 10000 /* games per statement, which must end before its timeout */

struct queueing {
    const struct ipr_db_selection *selection;
    const char *judge, *owner;
    int priority;
    int32_t queued, there;
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
    int64_t *games = NULL;
    size_t n = 0;

    if (ipr_db_is_whole_queue(s))
        return ipr_err_set(err, IPR_EINVAL, "nothing is selected");
    enum ipr_code rc = ipr_db_selection_check(db, s, err);
    if (rc == IPR_OK)
        rc = ipr_db_queue_lock(db, err);
    if (rc == IPR_OK)
        rc = ipr_db_selection_games(db, s, &mem, &games, &n, err);
    if (rc == IPR_OK && n == 0)
        rc = no_games(s, err);
    if (rc == IPR_OK)
        rc = enqueue_all(db, q, games, n, err);
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
