/* Judging, for users who wait for it: progress, time remaining, failures. */
#include "view/queue/analyses.h"

#include <math.h>
#include <string.h>

#include "db/players.h"
#include "resource/cursor.h"
#include "sentence/sentence.h"

/* ---- how far, how long ---- */

/* A bound is not rounded up. */
static enum ipr_queue_remaining remaining_case(double seconds, bool least, double *n)
{
    static const struct {
        double below, unit; /* seconds */
        enum ipr_queue_remaining as;
    } units[] = { { 90. * 60., 60., IPR_QUEUE_REMAINING_MINUTES },
                  { 36. * 3600., 3600., IPR_QUEUE_REMAINING_HOURS },
                  { INFINITY, 86400., IPR_QUEUE_REMAINING_DAYS } };
    size_t i = 0;

    if (seconds < (least ? 60. : 45.))
        return IPR_QUEUE_REMAINING_SECONDS;
    while (seconds >= units[i].below)
        i++;
    *n = fmax(1, least ? floor(seconds / units[i].unit) : round(seconds / units[i].unit));
    return units[i].as;
}

const char *ipr_view_remaining(const struct ipr_db_progress *p, struct ipr_arena *mem)
{
    static const char *const unknown[] = {
        [IPR_QUEUE_UNTIMED_NO_WORKER] = "no_worker", [IPR_QUEUE_UNTIMED_EXTERNAL] = "external"
    };
    const bool some = p->seconds >= 0.;
    size_t why = 0;
    struct ipr_queue_remaining_slots slots = { .least = some && p->unknown != NULL };
    enum ipr_queue_remaining as = IPR_QUEUE_REMAINING_UNKNOWN;

    if (p->ready + p->running == 0 && p->paused == 0)
        return NULL;
    if (p->unknown != NULL && p->ready + p->running > 0) {
        const struct ipr_queue_untimed_slots of = {
            .rest = some, .setting = p->unmeasured[0] != '\0' ? p->unmeasured : NULL
        };

        while (why < IPR_QUEUE_UNTIMED_NOT_MEASURED && strcmp(unknown[why], p->unknown) != 0)
            why++;
        slots.why = ipr_say_queue_untimed((enum ipr_queue_untimed)why, &of, mem);
    }
    if (p->ready + p->running == 0)
        as = IPR_QUEUE_REMAINING_PAUSED;
    else if (some)
        as = remaining_case(p->seconds, slots.least, &slots.n);
    return ipr_say_queue_remaining(as, &slots, mem);
}

void ipr_view_progress_fill(const struct ipr_db_progress *p, struct ipr_arena *mem,
                            struct ipr_answer_progress_counts *out)
{
    const bool known = p->seconds >= 0.0;

    out->row = p;
    out->seconds = known ? ceil(p->seconds) : NAN;
    out->at_least = known && p->unknown != NULL;
    out->remaining = ipr_view_remaining(p, mem);
}

enum ipr_code ipr_view_progress_of(const struct ipr_view *v, const struct ipr_db_selection *s,
                                   struct ipr_answer_progress *out, struct ipr_err *err)
{
    struct ipr_db_progress *const p = ipr_arena_alloc(v->mem, 1, sizeof *p);

    const enum ipr_code rc = ipr_db_analyses_progress(v->db, s, p, err);
    if (rc == IPR_OK)
        ipr_view_progress_fill(p, v->mem, &out->progress_counts);
    return rc;
}

enum ipr_code ipr_view_queue_progress(const struct ipr_view *v,
                                      struct ipr_answer_queue_progress *out, struct ipr_err *err)
{
    const struct ipr_db_selection whole = { 0 };
    struct ipr_answer_progress all;
    struct ipr_db_queue q = { 0 };

    enum ipr_code rc = ipr_view_progress_of(v, &whole, &all, err);
    if (rc == IPR_OK)
        rc = ipr_db_queue_state(v->db, &q, err);
    if (rc == IPR_OK)
        *out = (struct ipr_answer_queue_progress){ .progress_counts = all.progress_counts,
                                                   .judged_games = q.judged_games,
                                                   .judged_turns = q.judged_turns };
    return rc;
}

enum ipr_code ipr_view_selection(const struct ipr_view *v, struct ipr_db_selection *s,
                                 struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_db_player p;

    if (s->person != 0) {
        const enum ipr_code rc =
            ipr_db_player_get(v->db, s->person, 0, IPR_TIME_SET_ALL, v->mem, &p, &why);
        if (rc == IPR_ENOTFOUND)
            return ipr_err_set(err, rc, "no player %d", (int)s->person);
        if (rc != IPR_OK)
            return ipr_err_at(err, rc, why.type, 0, 0, -1, "%s", why.msg);
        s->person = p.id;
    }
    return ipr_db_selection_check(v->db, s, err);
}

/* The data of an event stream, of the whole queue or of a selection. */
enum ipr_code ipr_view_judging(const struct ipr_view *v, const struct ipr_db_selection *s,
                               json_t **out, struct ipr_err *err)
{
    struct ipr_answer_queue_event event = { .done = false };
    struct ipr_db_selection games = *s;
    struct ipr_answer_progress judging;
    enum ipr_code rc;

    if (s->person == 0) {
        rc = ipr_view_queue_progress(v, &event.queue, err);
        if (rc == IPR_OK)
            *out = ipr_shape_json(IPR_SHAPE_QUEUE_EVENT, &event);
        return rc;
    }
    rc = ipr_view_selection(v, &games, err);
    if (rc == IPR_OK)
        rc = ipr_view_progress_of(v, &games, &judging, err);
    if (rc != IPR_OK)
        return rc;
    const struct ipr_answer_player_progress player = {
        .player = games.person,
        .year = games.year != 0 ? games.year : IPR_NULL_COUNT,
        .judging = &judging,
        .done = judging.row->ready + judging.row->running == 0,
    };
    *out = ipr_shape_json(IPR_SHAPE_PLAYER_PROGRESS, &player);
    return IPR_OK;
}

/* ---- lists ---- */

/* Jobs of a selection in one of the queue's own states. */
static enum ipr_code analyses_jobs(const struct ipr_view *v, const struct ipr_db_selection *s,
                                   const struct ipr_analyses_request *p, int64_t after,
                                   struct ipr_answer_analyses *out, struct ipr_err *err)
{
    static const char *const states[] = { [IPR_ANALYSES_STATE_READY] = "ready",
                                          [IPR_ANALYSES_STATE_RUNNING] = "leased",
                                          [IPR_ANALYSES_STATE_PAUSED] = "paused",
                                          [IPR_ANALYSES_STATE_FAILED] = "failed" };
    const char *state = p->state >= 0 ? states[p->state] : NULL;
    const size_t limit = (size_t)p->limit;
    struct ipr_db_analysis *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc =
        ipr_db_analyses_list(v->db, s, state, after, p->limit + 1, v->mem, &rows, &n, err);
    out->analyses = (struct ipr_list_analysis){ rows, n < limit ? n : limit };
    if (n > limit)
        out->next = ipr_arena_printf(v->mem, "%lld", (long long)rows[limit - 1].id);
    return rc;
}

/* Games not judged yet, ascending by id. */
enum ipr_code ipr_fill_analyses(const struct ipr_view *v, const struct ipr_analyses_request *p,
                                struct ipr_answer_analyses *out, struct ipr_err *err)
{
    struct ipr_db_selection games = { .upload = p->upload,
                                      .game = p->game,
                                      .person = p->player,
                                      .year = p->year,
                                      .judge = p->judge };
    int64_t after;

    enum ipr_code rc = ipr_param_cursor(p->after, INT64_MAX, &after, err);
    if (rc == IPR_OK)
        rc = ipr_view_selection(v, &games, err);
    if (rc == IPR_OK)
        rc = ipr_view_progress_of(v, &games, &out->judging, err);
    return rc == IPR_OK ? analyses_jobs(v, &games, p, after, out, err) : rc;
}
